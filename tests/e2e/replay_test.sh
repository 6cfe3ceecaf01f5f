#!/usr/bin/env bash
# --replay: a recording on the same screen.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

root=$work/root
make_root "$root"

# 60 s of recording in 6 s: ticks of 0.1 s, then their times are stretched by ten.
{
	read=80000
	for _ in $(seq 80); do # beyond the end of the recording
		read=$((read + 20000))
		root_counters "$root" $read 8000
		sleep 0.1
	done
} &
feeder=$!
"$raidtop" --root "$root" --record "$work/a.csv" --duration 6s -i 0.1 2>/dev/null
wait $feeder
python3 - "$work/a.csv" "$work/long.csv" <<'PYTHON'
import csv, sys
rows = list(csv.reader(open(sys.argv[1], newline='')))
at = rows[0].index('elapsed_s')
for row in rows[1:]:
    row[at] = '%.6f' % (float(row[at]) * 10)
csv.writer(open(sys.argv[2], 'w', newline=''), lineterminator='\n').writerows(rows)
PYTHON

screen_open 100 30 "'$raidtop' --replay '$work/long.csv'"
screen_shows 'a replay says so' 'REPLAY'
screen_shows 'the array is there' 'md0 .*raid1 .*\[UU\]'
screen_shows 'it plays' '00:00:0[2-9]'
keys ' '
keys Right
screen_shows 'right goes 10 s forward' '00:00:1[0-9] '
keys Left
screen_shows 'left goes back' '00:00:0[0-9] '
keys '$'
screen_shows '$ goes to the end' '00:0(1:00|0:5[0-9]) */ *00:0(1:00|0:5[0-9])'
keys 0
screen_shows '0 goes to the beginning' '00:00:0[01] */'
for _ in 1 2 3 4 5 6; do keys +; done
screen_shows '+ makes it faster, up to 64' '64'
keys ' '
screen_shows 'at 64 times it is soon at its end' '00:0(1:00|0:5[0-9]) */'
keys r
screen_shows 'recording a replay is refused in words' 'this is a replay'
keys q
screen_shows 'q ends it' 'status 0'

# the last figures that the live program computed and wrote, and those that the replay computes
figure=$(python3 - "$work/a.csv" <<'PYTHON'
import csv, sys
rows = [r for r in csv.DictReader(open(sys.argv[1], newline=''))
        if r['kind'] == 'sample' and r['name'] == 'sdb']
value = float(rows[-1]['read_mb_s'])
print('%.*f' % (0 if value >= 99.95 else 1 if value >= 9.995 else 2, value))
PYTHON
)
screen_open 100 30 "'$raidtop' --replay '$work/a.csv'"
screen_shows 'the recording opens' 'REPLAY'
keys ' '
keys '$'
screen_shows 'a replayed figure is the live one' "sdb .* ${figure//./\\.} "
keys q

# a torn last line, a kind and a column from the future
python3 - "$work/a.csv" "$work/odd.csv" <<'PYTHON'
import csv, sys
rows = list(csv.reader(open(sys.argv[1], newline='')))
kind = rows[0].index('kind')
extra = list(rows[len(rows) // 2])
extra[kind] = 'hologram'
rows.insert(len(rows) // 2, extra)
out = [row + ['future' if i == 0 else ''] for i, row in enumerate(rows)]
csv.writer(open(sys.argv[2], 'w', newline=''), lineterminator='\n').writerows(out)
text = open(sys.argv[2], 'rb').read()
open(sys.argv[2], 'wb').write(text[:-30])
PYTHON
screen_open 100 30 "'$raidtop' --replay '$work/odd.csv'"
screen_shows 'a torn line and unknown columns are no obstacle' 'md0 .*raid1 .*\[UU\]'
keys q

sed 's/,format,1$/,format,99/' "$work/a.csv" >"$work/newer.csv"
says 'a newer format is refused' 1 ".*$work/newer.csv.*newer.*" --replay "$work/newer.csv"

# an answer is of the moment: the next key takes it away
screen_open 100 30 "'$raidtop' --demo"
screen_shows 'the demonstration plays' '[▶‖]'
keys '$'
screen_shows 'it goes to its end' 'end of the recording'
keys .
screen_shows 'there is no step beyond' 'this is the end of the recording'
keys 0
screen_shows 'back at the beginning' '00:00:00'
screen_lacks 'the end is not told of any more' 'this is the end'
keys q

# an installation that lies elsewhere than PREFIX, as one staged with DESTDIR does
mkdir -p "$work/moved/bin" "$work/moved/share/raidtop"
cp "$raidtop" "$work/moved/bin/raidtop"
sed 's/testbox/movedbox/g' src/data/demonstration.csv >"$work/moved/share/raidtop/demonstration.csv"
screen_open 100 30 "'$work/moved/bin/raidtop' --demo"
screen_shows 'the demonstration of an installation that was moved' 'movedbox'
keys q

# a recording whose lines about its disks are lost
grep -v ',device,' "$work/a.csv" >"$work/nothing.csv"
screen_open 100 30 "'$raidtop' --replay '$work/nothing.csv'"
screen_shows 'no disk in a recording: said of the recording' 'No disk is in this recording'
screen_lacks 'and not of this machine' 'this machine'
keys q
