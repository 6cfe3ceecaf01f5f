#!/usr/bin/env bash
# CPU of a sequential read against dd's: see stream_bench.c. The file is made in TARGET_DIR, which
# should lie on a disk, and removed again.
set -u
cd "$(dirname "$0")/../.." || exit 2
dir=${TARGET_DIR:-/var/tmp} mebibytes=${MEBIBYTES:-1024} rounds=${ROUNDS:-5}

work=$(mktemp -d "$dir/raidtop-bench-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
"${CC:-cc}" -std=c17 -O2 -Iinclude -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -o "$work/stream_bench" \
	tests/bench/stream_bench.c "${BUILD:-build}/libraidtop.a" || exit 1
head -c "${mebibytes}M" /dev/urandom >"$work/file" && sync "$work/file" || exit 1
"$work/stream_bench" "$work/file" "$rounds"
