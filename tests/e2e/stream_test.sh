#!/usr/bin/env bash
# A stream is started and stopped from the screen, on a loop device that is made for it.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

truncate -s 96M "$work/image"
if ! loop=$(losetup --find --show "$work/image" 2>/dev/null); then
	echo 'skipped streams on the screen: no loop device can be made here (root is needed)'
	exit 0
fi
trap 'losetup -d "$loop"; finish' EXIT
name=${loop#/dev/}

# Moves the selection to the loop device: its row is the one that has it in reverse.
select_loop()
{
	keys Home
	for _ in $(seq 40); do
		sleep 0.15
		screen_colours | grep -E "$name( |$)" | grep -qE $'\e\\[[0-9;]*(7|48)[0-9;]*m' && return
		keys Down
	done
}

# A zombie that nobody has reaped yet is no process that runs.
runs() # PID
{
	if grep -qsE '^State:[[:space:]]+[^ZX]' "/proc/$1/status"; then echo yes; else echo no; fi
}

screen_open 120 36 "cd '$work' && '$raidtop' -i 0.2"
screen_shows 'the loop device is shown' " $name "
select_loop
keys s
screen_shows 's opens the dialog' 'New stream'
screen_shows 'it says what will be done' "Reads .* of /dev/$name, writes nothing"
keys x y
screen_shows 'letters that no workload begins with change nothing' 'seq-read'
keys Escape
screen_hides 'without a stream' 'New stream|seq-read'
keys s Down '2' 'q'
screen_shows 'what is wrong is said at once' "copies.*2q"
keys BSpace
screen_shows 'and what is right, too' "Reads .* of /dev/$name, writes nothing"
keys Enter
screen_shows 'Enter starts them' "^ *2 .*seq-read .*$name"
screen_shows 'a row has a figure' "$name  .* [0-9]+[0-9.]* "
screen_shows 'and the sum' '^ *sum '
worker=$(pgrep -f stream-worker -P "$(pgrep -x raidtop -P "$(mux display-message -p '#{pane_pid}')")")
same 'a worker process runs each' 2 "$(echo "$worker" | wc -w)"

# one of them is steered
keys Tab
keys p
screen_shows 'p pauses the selected one' '^ *2 .*paused'
keys p
screen_hides 'and lets it go on' '^ *2 .*paused'
keys -
screen_shows 'minus sets a limit' '^ *2 .*at most [0-9.]+'
keys "="
screen_hides 'that = takes away' '^ *2 .*at most'
keys Up x
screen_hides 'x ends the other one' '^ *1 .*seq-read'
keys S
screen_shows 'S starts the same again at once' "^ *4 .*seq-read .*$name"
keys Tab
for _ in $(seq 20); do # a stream may still be ending at the next x
	screen_text | grep -q seq-read || break
	keys x
	sleep 0.3
done
screen_hides 'all are gone' 'seq-read'
same 'and their workers' '' "$(pgrep -F <(echo "$worker") 2>/dev/null)"

# they die with the program, however it dies
keys S
screen_shows 'more of them' "[1-9].*seq-read .*$name"
program=$(pgrep -x raidtop -P "$(mux display-message -p '#{pane_pid}')")
worker=$(pgrep -f stream-worker -P "$program" | head -n 1)
same 'its worker runs' yes "$(runs "$worker")"
kill -KILL "$program"
sleep 1
same 'SIGKILL of raidtop ends its worker' no "$(runs "$worker")"

if setpriv --reuid 65534 --regid 65534 --clear-groups true 2>/dev/null; then
	cp "$raidtop" "$work/raidtop" && chmod 755 "$work" "$work/raidtop"
	screen_open 120 36 "cd / && setpriv --reuid 65534 --regid 65534 --clear-groups '$work/raidtop' -i 0.2"
	screen_shows 'without privileges it watches' " $name "
	select_loop
	keys s Enter
	screen_shows 'and is told in a sentence what a stream needs' "no permission to read $loop: start raidtop as root"
	keys Escape
	screen_hides 'Esc leaves the dialog' 'New stream'
	keys q
	screen_shows 'and ends well' 'status 0'
else
	echo 'skipped the refusal without privileges: setpriv cannot drop them here'
fi
