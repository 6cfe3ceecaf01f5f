#!/usr/bin/env bash
# CPU of parsing, rates and history with 1,000 disks and 100 arrays: see parse_bench.c.
set -u
cd "$(dirname "$0")/../.." || exit 2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
${CC:-cc} -std=c17 -O2 -Iinclude -Isrc -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 \
	-o "$work/parse_bench" tests/bench/parse_bench.c "${BUILD:-build}/libraidtop.a" || exit 1
"$work/parse_bench"
