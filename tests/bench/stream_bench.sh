#!/usr/bin/env bash
# Streams against fio on the same files: see stream_bench.py. They are made in TARGET_DIR, which
# should lie on a disk, and removed again. ONLY='seq read 1M x1 direct' takes some of the cases.
set -u
cd "$(dirname "$0")/../.." || exit 2
dir=${TARGET_DIR:-/var/tmp} mebibytes=${MEBIBYTES:-1024} rounds=${ROUNDS:-5}

command -v fio >/dev/null || { echo 'skipped: fio is missing; make deps-dev installs it'; exit 0; }
work=$(mktemp -d "$dir/raidtop-bench-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
packages=$(sed -n 's/^PACKAGES *= *//p' Makefile)
# shellcheck disable=SC2046,SC2086 # one argument each
${CC:-cc} -std=c17 -O2 -Iinclude -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -o "$work/stream_bench" \
	tests/bench/stream_bench.c "${BUILD:-build}/libraidtop.a" \
	$("${PKG_CONFIG:-pkg-config}" --libs $packages) -lm || exit 1
mkdir "$work/target" || exit 1
python3 -B tests/bench/stream_bench.py "$work/stream_bench" "$work/target" "$mebibytes" "$rounds" \
	"${ONLY:-}"
