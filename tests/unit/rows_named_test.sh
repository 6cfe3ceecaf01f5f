#!/usr/bin/env bash
# Each row of the wish list and of the list of bug reports that concerns devices has a test that
# names it, as "WISHES 24" or "BUGS.md 8, 9": so that whoever mends or drops one finds the other.
#
# The lists are read in place; where the folder is not there, nothing can be said. A row that is of
# another kind is named below with its reason; one that is neither there nor in a test is missing.
set -u
cd "$(dirname "$0")/../.." || exit 2
lists=../shared

# LIST ROW WHY: what is no matter of devices, their counters or their temperatures.
others='
WISHES 5 screen: the order of its parts
WISHES 6 screen: the scale of graphs
WISHES 7 screen: two directions in a graph
WISHES 30 recording: its numbers
WISHES 31 recording: output that is cut off
WISHES 32 recording: a part of it
WISHES 33 screen: its size
WISHES 34 screen: glyphs
WISHES 35 screen: colours
WISHES 36 screen: drawn anew on a key
WISHES 37 screen: bytes for each refresh
WISHES 39 load: where it may write
'

if [ ! -f "$lists/WISHES.md" ] || [ ! -f "$lists/corpus/BUGS.md" ]; then
	echo "skipped rows named: $lists is not there"
	exit 0
fi

rows() # FILE: the numbers of its tables
{
	sed -nE 's/^\| *([0-9]+) *\|.*/\1/p' "$1"
}

# "LIST N", one a line. Comments may be broken anywhere: all marks and white space are alike.
named()
{
	find tests -path tests/roots -prune -o -type f ! -path "$0" -print0 | xargs -0 cat |
		sed -E 's@(^|[[:space:]])([*#]+|//+|/\*)@ @g; s/"//g' | tr -s '[:space:]' ' ' |
		grep -aoE '(BUGS|WISHES)(\.md)? [0-9]+((, | and |, and )[0-9]+)*' |
		while read -r list numbers; do
			for n in ${numbers//[^0-9]/ }; do echo "${list%.md} $n"; done
		done | sort -u
}

all=$(named)
check() # LIST FILE
{
	local list=$1 row n=0 bad=0
	for row in $(rows "$2"); do
		n=$((n + 1))
		if grep -qE "^$list $row " <<<"$others"; then
			continue
		elif ! grep -qxF "$list $row" <<<"$all"; then
			echo "FAILED $list $row: no test names it"
			bad=$((bad + 1))
		fi
	done
	if [ "$n" = 0 ]; then
		echo "FAILED $list: no rows in $2"
	elif [ "$bad" = 0 ]; then
		echo "ok rows of $list that concern devices are named by tests"
	fi
}
check WISHES "$lists/WISHES.md"
check BUGS "$lists/corpus/BUGS.md"
