#!/usr/bin/env bash
# The screen in a real terminal: what it shows, its keys, and that the terminal is left as it was.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

root=$work/root
make_root "$root"

screen_open 100 30 "'$raidtop' --root '$root' -i 0.2"
screen_shows 'the array has its title' 'md0 .*raid1 .*\[UU\]'
screen_shows 'its members hang under it' '├.* sda '
screen_shows 'the last one ends the tree' '└.* sdb '
screen_shows 'a free disk is shown' '^ .*sdc '
screen_shows 'the header names the program' '^ *raidtop '
root_counters "$root" 16064000 8000
screen_shows 'a figure moves' 'md0|[1-9]'

keys '?'
screen_shows 'help lists the keys' 'start load on the selected device'
keys '?'
screen_shows 'and goes away' 'md0 .*raid1'
keys ' '
screen_shows 'space holds the picture' '[Pp][Aa][Uu][Ss][Ee]'
keys ' '
keys Down Down s
screen_shows 'a stream on a disk of files is refused: one of ours may have its name' 'sd[a-c] is told of by files'
keys x
screen_shows 'stop without a stream is told' 'no stream runs on sd'
keys z
screen_shows 'a key without meaning is told' "'z' does nothing here"

for size in 200x60 40x10 80x24 1x1 300x100 100x30; do
	mux resize-window -x "${size%x*}" -y "${size#*x}"
	sleep 0.3
done
screen_shows 'after many sizes it is all there' 'md0 .*raid1 .*\[UU\]'

cd "$work" || exit 2
keys C-c
screen_shows '^C ends it' 'status 0'
screen_lacks 'and the screen is as before' 'md0'
cd - >/dev/null || exit 2

# a recording from the screen
mkdir "$work/here"
screen_open 100 30 "cd '$work/here' && '$raidtop' --root '$root' -i 0.1"
screen_shows 'it starts again' 'md0 .*raid1'
keys r
screen_shows 'r records' 'REC|recording to'
sleep 0.6
keys r
screen_shows 'r again ends the recording' 'recorded to raidtop-'
recording=$(echo "$work"/here/raidtop-*.csv)
keys r r r r r r
screen_shows 'one after another in the same second, too' 'recorded to raidtop-.*-[2-9].csv'
keys q
screen_shows 'q ends it' 'status 0'
same 'four recordings have four files' 4 "$(find "$work/here" -name 'raidtop-*.csv' | wc -l)"
same 'the recording has its samples' 1 "$([ "$(grep -c ',sample,md0,' "$recording")" -ge 4 ]; echo $((! $?)))"

# the terminal, however it ends
before=$(stty -a 2>/dev/null </dev/tty || echo none)
for signal in TERM HUP; do
	screen_open 80 24 "stty -a >'$work/tty.before'; '$raidtop' --root '$root'; stty -a >'$work/tty.after'; true"
	screen_shows "before SIG$signal" 'md0 .*raid1'
	pkill -$signal -P "$(mux display-message -p '#{pane_pid}')" -x raidtop
	screen_shows "SIG$signal ends it" 'status 0'
	same "the terminal is as it was after SIG$signal" "$(cat "$work/tty.before")" "$(cat "$work/tty.after")"
done
: "$before"

# ^Z and fg, in a shell with job control
screen_open 80 24 "exec bash --norc -i"
keys "'$raidtop' --root '$root'" Enter
screen_shows 'started from a shell' 'md0 .*raid1'
keys C-z
screen_shows '^Z gives the shell back' 'Stopped'
keys fg Enter
screen_shows 'fg brings the screen back' 'md0 .*raid1'
keys q

# what the terminal can do
screen_open 100 30 "LC_ALL=C '$raidtop' --root '$root'"
screen_shows 'without UTF-8 it starts' 'md0 .*raid1'
same 'and draws ASCII alone' 0 "$(screen_text | LC_ALL=C grep -c '[^ -~]')"
screen_open 100 30 "NO_COLOR=1 '$raidtop' --root '$root'"
screen_shows 'without colours it starts' 'md0 .*raid1'
same 'NO_COLOR: no colours' 0 "$(screen_colours | grep -cE $'\e\\[[0-9;]*(3[0-7]|38|4[0-7]|48|9[0-7])[0-9;]*m')"
screen_open 100 30 "TERM=vt100 '$raidtop' --root '$root'"
screen_shows 'vt100' 'md0 .*raid1'
screen_open 100 30 "TERM=nonsuch '$raidtop' --root '$root'"
screen_shows 'TERM unknown: a sentence' 'raidtop: .*nonsuch'
screen_shows 'and status 1' 'status 1'
screen_open 100 30 "env -u TERM '$raidtop' --root '$root'"
screen_shows 'TERM unset: a sentence' 'raidtop: .*TERM'
screen_open 1 1 "timeout --foreground --preserve-status 1 '$raidtop' --root '$root'; echo \$? >'$work/status'"
sleep 2
same 'a terminal of one cell' 0 "$(cat "$work/status" 2>/dev/null)"

# nothing to show
mkdir -p "$work/bare/proc" "$work/bare/sys"
screen_open 100 30 "'$raidtop' --root '$work/bare'"
screen_shows 'no disk at all is explained' '[Nn]o (disk|block device)'
keys q
screen_shows 'and q ends it' 'status 0'

# disks, but no array
make_root "$work/plain"
rm -r "$work/plain/sys/block/md0" "$work/plain/proc/mdstat"
screen_open 100 30 "'$raidtop' --root '$work/plain'"
screen_shows 'without an array it says so and offers the demonstration' \
	"No RAID array is assembled on this machine. 'raidtop --demo' shows"

# names that would steer the terminal
make_root "$work/evil"
put "$work/evil/sys/block/sdc/device/model" $'A\e[2J\e]0;owned\a B'
screen_open 120 30 "'$raidtop' --root '$work/evil'"
screen_shows 'a hostile model leaves the screen whole' 'md0 .*raid1'
