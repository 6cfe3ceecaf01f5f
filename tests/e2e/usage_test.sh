#!/usr/bin/env bash
# Bad input: one sentence, the right exit status, nothing else.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

says 'unknown option' 2 '--frobnicate is no option' --frobnicate
says 'unknown letter' 2 '-Z is no option' -Z
says 'unknown letter before others' 2 '-Z is no option' -Za
says 'unknown letter after others' 2 '-Z is no option' -aZ
says 'letter without its value' 2 '-i needs a value' -ai
says 'option without its value' 2 '--record needs a value' --record
says 'interval that is no number' 2 "--interval: 'abc' is no interval" -i abc
says 'interval too short' 2 "--interval: '0.05' is no interval; give 0.1 to 60" -i 0.05
says 'interval too long' 2 "--interval: '61' is no interval" -i 61
says 'negative interval' 2 "--interval: '-1' is no interval" -i -1
says 'empty interval' 2 "--interval: '' is no interval" -i ''
says 'temperatures too often' 2 "--temperatures: '0.5' is no time between readings" --temperatures 0.5
says 'temperatures too rarely' 2 "--temperatures: '25h' is no time between readings" --temperatures 25h
says 'temperatures never' 2 ".*give 1s to 24h, or 0 for never" --temperatures never
says 'decimal comma' 2 "--interval: '0,5' is no interval" -i 0,5
says 'duration of zero' 2 "--duration: '0' is no duration" --record - --duration 0
says 'duration too large' 2 "--duration: '9{30}' is no duration" \
	--record - --duration 999999999999999999999999999999
says 'unknown units' 2 "--units: 'furlong' is neither" --units furlong
says 'unknown colours' 2 "--colours: 'some' is none of" --colours some
says 'two modes' 2 '--list and --record exclude each other' --list --record -
says 'json without list' 2 '--json goes with --list or --stream' --json
says 'duration without record' 2 '--duration goes with --record or --stream' --duration 5s
says 'replay without a file' 2 '--replay: name the recording' --replay
says 'replay of two files' 2 '--replay plays one recording at a time' --replay a b
says 'replay with an interval' 2 "a replay has the recording's own interval" --replay a -i 1
says 'stray operand' 2 "'sda' is not understood here" sda
says 'operand with control characters' 2 "'a\\?\\[2Jb' is not understood" $'a\e[2Jb'

says 'no terminal' 1 '.*terminal'
says 'replay of a file that is not there' 1 ".*$work/none.*No such file" --replay "$work/none"
says 'replay of a directory' 1 ".*$work.*directory" --replay "$work"
: >"$work/empty"
says 'replay of an empty file' 1 ".*$work/empty.*(empty|not a recording)" --replay "$work/empty"
head -c 5000 /dev/urandom >"$work/noise"
says 'replay of noise' 1 ".*$work/noise.*not a .*recording" --replay "$work/noise"
printf 'a,b,c\n1,2,3\n' >"$work/other.csv"
says 'replay of another table' 1 ".*$work/other.csv.*not a .*recording" --replay "$work/other.csv"
says 'record into a folder that is not there' 1 ".*$work/no/where.*No such file" \
	--record "$work/no/where" --duration 1s
echo precious >"$work/kept"
says 'record over a file' 1 ".*$work/kept.*--force" --record "$work/kept" --duration 1s
same 'the file is as it was' precious "$(cat "$work/kept")"
says 'root that is a file' 1 ".*$work/kept.*Not a directory" --list --root "$work/kept"
says 'root that is not there' 1 ".*$work/nowhere.*" --list --root "$work/nowhere"
says 'record to a full device' 1 '.*No space left' --record /dev/full --duration 1s -i 0.1

"$raidtop" --list >/dev/full 2>"$work/err"
same 'list to a full device: status' 1 $?
same 'list to a full device: sentence' 1 "$(grep -c 'No space left' "$work/err")"
"$raidtop" --help >"$work/out"
same 'help: status' 0 $?
same 'help lists every option of the manual' '' \
	"$(grep -oE '\\-[a-z]+' raidtop.1 | sort -u | sed 's/^\\//' |
		while read -r o; do grep -qF -- "-$o" "$work/out" || echo "$o"; done)"
same 'version' 0 "$("$raidtop" --version | grep -qE '^raidtop [0-9]+\.[0-9]+\.[0-9]+$'; echo $?)"
