#!/usr/bin/env bash
# --record: a machine made of files is recorded while its counters grow; python reads the table.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

root=$work/root
make_root "$root"

# Lets the counters grow in the background until the file $work/halt is there.
feed() # READ-SECTORS-A-STEP
{
	local read=80000
	rm -f "$work/halt"
	while [ ! -e "$work/halt" ]; do
		read=$((read + $1))
		root_counters "$root" $read $((read / 10))
		sleep 0.05
	done &
	feeder=$!
}
halt() { : >"$work/halt"; wait "$feeder"; }

# One figure of a recording: python EXPRESSION over `rows` (dicts), `samples(name)` and `num`.
table() # FILE EXPRESSION
{
	python3 - "$1" "$2" <<-'PYTHON'
	import csv, sys
	rows = list(csv.DictReader(open(sys.argv[1], newline='', encoding='utf-8'), strict=True))
	def samples(name): return [r for r in rows if r['kind'] == 'sample' and r['name'] == name]
	def num(text): return float(text) if text else None
	def pairs(name): return list(zip(samples(name), samples(name)[1:]))
	print(eval(sys.argv[2]))
	PYTHON
}

feed 4000
"$raidtop" --root "$root" --record "$work/a.csv" --duration 2s -i 0.2 2>"$work/err"
same 'recording for a time ends with status 0' 0 $?
halt
same 'as many fields in every line' '{37}' "$(python3 -c '
import csv, sys
print({len(r) for r in csv.reader(open(sys.argv[1], newline=""), strict=True)})' "$work/a.csv")"
same 'a tick at both ends of the time' 11 "$(table "$work/a.csv" 'len(samples("md0"))')"
same 'array, members and the free disk are recorded' "['md0', 'sda', 'sdb', 'sdc']" \
	"$(table "$work/a.csv" 'sorted({r["name"] for r in rows if r["kind"] == "sample"})')"
same 'the first sample has no rate' "''" "$(table "$work/a.csv" 'repr(samples("sda")[0]["read_mb_s"])')"
same 'and every later one has' True \
	"$(table "$work/a.csv" 'all(r["read_mb_s"] for r in samples("sda")[1:])')"
same 'rates are growth by measured time' '[]' "$(table "$work/a.csv" '[(a["elapsed_s"], b["read_mb_s"])
	for name in ("sda", "sdb", "md0") for a, b in pairs(name)
	if abs((int(b["read_bytes"]) - int(a["read_bytes"]))
		/ (float(b["elapsed_s"]) - float(a["elapsed_s"])) / 1e6 - float(b["read_mb_s"])) > 0.0006]')"
same 'all lines of a tick have one time' True "$(table "$work/a.csv" \
	'len({r["elapsed_s"] for r in rows if r["kind"] == "sample"}) == 11')"
same 'members hang under their array' "{'md0'}" \
	"$(table "$work/a.csv" '{r["parent"] for r in samples("sda") + samples("sdb")}')"
same 'the session tells the format' "['1']" "$(table "$work/a.csv" \
	'[r["value"] for r in rows if r["kind"] == "session" and r["key"] == "format"]')"
same 'facts tell the level' "['raid1']" "$(table "$work/a.csv" \
	'[r["value"] for r in rows if r["kind"] == "fact" and (r["name"], r["key"]) == ("md0", "level")]')"
same 'it is UTF-8 with LF alone' 0 "$(grep -c $'\r' "$work/a.csv")"

"$raidtop" --root "$root" --record - --duration 0.3s -i 0.1 >"$work/b.csv"
same 'standard output gets the same table' "$(head -n 1 "$work/a.csv")" "$(head -n 1 "$work/b.csv")"
"$raidtop" --root "$root" --record "$work/b.csv" --force --duration 0.3s -i 0.1
same '--force overwrites' 4 "$(table "$work/b.csv" 'len(samples("md0"))')"

# stopped for longer than a few intervals: a gap, no spike
feed 4000
"$raidtop" --root "$root" --record "$work/c.csv" --duration 3s -i 0.2 2>"$work/err" &
pid=$!
sleep 1
kill -STOP $pid
sleep 1
kill -CONT $pid
wait $pid
same 'a recording that was stopped ends well' 0 $?
halt
same 'a gap is an event' True "$(table "$work/c.csv" \
	'any(r["kind"] == "event" and r["key"] == "gap" for r in rows)')"
same 'and its sample has no rate' True "$(table "$work/c.csv" 'all(b["read_mb_s"] == "" for a, b in pairs("sda")
	if float(b["elapsed_s"]) - float(a["elapsed_s"]) > 0.6)')"
same 'there is such a sample' True "$(table "$work/c.csv" 'any(
	float(b["elapsed_s"]) - float(a["elapsed_s"]) > 0.6 for a, b in pairs("sda"))')"
same 'missed ticks are told' 1 "$(grep -cE 'late ticks: [0-9]+, missed ticks: [1-9][0-9]* ' "$work/err")"

# a device made anew: its counters start again
"$raidtop" --root "$root" --record "$work/d.csv" -i 0.1 2>"$work/err" &
pid=$!
sleep 0.5
root_counters "$root" 16 8
sleep 0.5
kill -INT $pid
wait $pid
same '^C ends a recording with status 0' 0 $?
same 'a counter that went down gives no rate' True "$(table "$work/d.csv" \
	'[b["read_mb_s"] for a, b in pairs("sda") if int(b["read_bytes"]) < int(a["read_bytes"])] == [""]')"
same 'and no rate beyond physics' True "$(table "$work/d.csv" \
	'max(num(r["read_mb_s"]) or 0 for r in rows if r["kind"] == "sample") < 1e5')"

# killed: all but the last line are whole
"$raidtop" --root "$root" --record "$work/e.csv" -i 0.1 &
pid=$!
sleep 0.8
kill -KILL $pid
wait $pid 2>/dev/null
same 'after SIGKILL the file is whole' '{37}' "$(python3 -c '
import csv, sys
print({len(r) for r in csv.reader(open(sys.argv[1], newline=""), strict=True)})' "$work/e.csv")"
same 'up to its last interval' True "$(table "$work/e.csv" 'len(samples("md0")) >= 6')"

# a reader that goes away
{ "$raidtop" --root "$root" --record - -i 0.1 2>"$work/err"; echo $? >"$work/status"; } | head -n 3 >/dev/null
same 'a closed pipe ends it with status 1' 1 "$(cat "$work/status")"
same 'and a sentence' 1 "$(grep -c 'Broken pipe' "$work/err")"

if command -v sqlite3 >/dev/null; then
	same 'sqlite3 reads the same sum' "$(table "$work/a.csv" 'sum(int(r["read_bytes"]) for r in samples("md0"))')" \
		"$(sqlite3 :memory: ".import --csv $work/a.csv r" \
			"select sum(read_bytes) from r where kind = 'sample' and name = 'md0'")"
else
	echo 'skipped sqlite3 reads the same sum: sqlite3 is not installed'
fi
