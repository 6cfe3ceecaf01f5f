#!/usr/bin/env bash
# Temperatures of a machine made of files: how often they are read, a reader that hangs, a disk that
# sleeps, from the screen to the recording and back.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

root=$work/root
make_root "$root"
# add_sensor DISK NUMBER DEGREES: a chip on the disk's device, as drivetemp makes it
add_sensor()
{
	local device=$root/sys/block/$1/device
	put "$device/block/$1/stat" '5 0 8 0 2 0 8 0 0 0 0'
	put "$device/hwmon/hwmon$2/temp1_input" "${3}000"
	put "$device/hwmon/hwmon$2/temp1_max" 60000
	put "$device/hwmon/hwmon$2/temp1_crit" 70000
	ln -s ../.. "$device/hwmon/hwmon$2/device"
	mkdir -p "$root/sys/class/hwmon"
	ln -s "../../block/$1/device/hwmon/hwmon$2" "$root/sys/class/hwmon/hwmon$2"
}
add_sensor sda 7 31
add_sensor sdc 2 36
input=$root/sys/block/sda/device/hwmon/hwmon7/temp1_input

# of DISK KEY [ARG]...: what --list --json says of it, as one word
of()
{
	"$raidtop" --list --json --root "$root" "${@:3}" | python3 -c 'import json, sys
disks = {d["name"]: d for d in json.load(sys.stdin)["disks"]}
print(json.dumps(disks[sys.argv[1]][sys.argv[2]]).strip("\""))' "$1" "$2"
}
same 'a disk has its temperature (WISHES 4)' 31.0 "$(of sda temperature_c)"
same 'by the path of its device, not by a number (WISHES 26)' 36.0 "$(of sdc temperature_c)"
same 'its own limit' 60.0 "$(of sda temperature_max_c)"
same 'its critical one' 70.0 "$(of sda temperature_crit_c)"
same 'a disk without a sensor has none (WISHES 27)' null "$(of sdb temperature_c)"
same 'and says why (WISHES 27)' 'no sensor found' "$(of sdb temperature_why)"
same 'never with 0' null "$(of sda temperature_c --temperatures 0)"
same 'which is said' 'temperatures are switched off' "$(of sda temperature_why --temperatures 0)"

# how often
screen_open 120 30 "'$raidtop' --root '$root' -i 0.2 --temperatures 1"
screen_shows 'on the screen' 'sda .* 31$'
put "$input" 44000
screen_shows 'read again after a second' 'sda .* 44$'

# The reader stops: as one that is stuck in the kernel, by an ill disk (BUGS 56).
program=$(mux display-message -p '#{pane_pid}')
for pid in $(pgrep -P "$program") $(pgrep -P "$(pgrep -d, -P "$program")"); do
	[ "$(cat "/proc/$pid/comm" 2>/dev/null)" = raidtop-sensors ] && reader=$pid
done
same 'the sensors have a process of their own (WISHES 24)' raidtop-sensors "$(cat "/proc/${reader:-0}/comm")"
kill -STOP "$reader"
put "$input" 55000
root_counters "$root" 16064000 8000
keys '?'
screen_shows 'keys are answered while it hangs' 'start load on the selected device'
keys '?'
screen_shows 'the value stays' 'sda .* 44$'
keys q
screen_shows 'and so does the end' 'status 0'
for _ in 1 2 3 4 5 6 7 8 9 10; do
	kill -0 "$reader" 2>/dev/null || break
	sleep 0.1
done
same 'the reader goes with it' gone "$(kill -0 "$reader" 2>/dev/null || echo gone)"

# How often: after the first reading, none within a second and a half, whatever the interval.
for option in '' '--temperatures=1h'; do
	put "$input" 55000
	"$raidtop" --record "$work/rare.csv" --force --root "$root" -i 0.1 --duration 1.5 $option 2>"$work/err" &
	recorder=$!
	sleep 0.7
	put "$input" 33000
	wait $recorder
	same "one reading, not one each tick (WISHES 24) $option" 55.0 \
		"$(python3 -c 'import csv, sys
rows = [r for r in csv.DictReader(open(sys.argv[1])) if r["kind"] == "sample" and r["name"] == "sda"]
print(" ".join(sorted({r["temp_c"] for r in rows} - {""})))' "$work/rare.csv")"
done

# asleep (WISHES 28)
put "$root/sys/block/sda/device/power/runtime_status" suspended
same 'asleep is a state' true "$(of sda asleep)"
same 'no temperature then' null "$(of sda temperature_c)"
same 'and no failure' 'asleep; asking would wake it' "$(of sda temperature_why)"
same 'the others are awake' false "$(of sdc asleep)"
same 'in the tree' 1 "$("$raidtop" --list --root "$root" | grep -c 'sda .*asleep')"
screen_open 120 30 "'$raidtop' --root '$root' -i 0.2"
screen_shows 'on the screen' 'sda .* - zzz'
keys q
screen_shows 'it ends' 'status 0'
"$raidtop" --record "$work/asleep.csv" --root "$root" -i 0.2 --duration 1 2>"$work/err"
same 'in the recording' 1 "$(grep -c ',fact,sda,.*,asleep,true$' "$work/asleep.csv")"
screen_open 120 30 "'$raidtop' --replay '$work/asleep.csv'"
screen_shows 'and in its replay' 'sda .* - zzz'
keys q
screen_shows 'the replay ends' 'status 0'
