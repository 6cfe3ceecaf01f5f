#!/usr/bin/env bash
# Survey and ticks of big machines, see machine_bench.c: 1,000 disks and 100 arrays made of files,
# and this machine. NULL_BLKS=N: a guest with so many null_blk devices, whose kernel prints real
# files, as well. Ten looks a second for 5 s: how many ticks were missed. In the end, a refresh of
# this machine beside iostat, atop and btop.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-build} raidtop=${RAIDTOP:-./raidtop}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
libraries=$(sed -n 's/^PACKAGE_LIBS := //p' "$build/flags.mk")' -lsensors -lm'
# shellcheck disable=SC2086 # they are words
${CC:-cc} -std=c17 -O2 -Iinclude -Isrc -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 \
	-o "$build/machine_bench" tests/bench/machine_bench.c "$build/libraidtop.a" $libraries || exit 1
tests/bench/make-machine "$work/root" "${DISKS:-1000}" "${ARRAYS:-100}" || exit 1
echo "files of ${DISKS:-1000} disks and ${ARRAYS:-100} arrays:"
"$build/machine_bench" "$work/root"
printf '\nthis machine:\n'
"$build/machine_bench" ''
printf '\nten looks a second at the files for 5 s:\n'
"$raidtop" --root "$work/root" --record "$work/fast.csv" -i 0.1 --duration 5
printf 'looks: %d, missed: %d\n' "$(cut -d, -f3,5 "$work/fast.csv" | sort -u | grep -c sample)" \
	"$(grep -c ',gap,' "$work/fast.csv")"
if [ -n "${NULL_BLKS:-}" ]; then
	printf '\na guest with %d null_blk devices:\n' "$NULL_BLKS"
	tests/vm/vm run --mem 2048 --share "$PWD" --timeout 250 -- "cd '$PWD' &&
		modprobe null_blk nr_devices=$NULL_BLKS gb=1 submit_queues=1 hw_queue_depth=4 &&
		'$build/machine_bench' ''"
fi
printf '\nthis machine (%d devices), %d seconds:\n' "$(wc -l </proc/diskstats)" "${PEER_SECONDS:-30}"
tests/bench/peers.py "$raidtop" "${PEER_SECONDS:-30}"
