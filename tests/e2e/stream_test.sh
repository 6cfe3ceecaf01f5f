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
screen_shows 's starts a stream' "[1-9].*seq-read .*$name"
screen_shows 'its row has a figure' "$name  .* [0-9]+[0-9.]* "
worker=$(pgrep -f stream-worker -P "$(pgrep -x raidtop -P "$(mux display-message -p '#{pane_pid}')")")
same 'a worker process runs it' 0 "$([ -n "$worker" ]; echo $?)"
keys s
screen_shows 'a second one may run beside it' "^ *2 .*seq-read .*$name"
keys x
screen_shows 'x ends one' 'ended|ending'
keys x
sleep 1
screen_lacks 'both are gone' 'seq-read .*MB'
same 'and their workers' '' "$(pgrep -F <(echo "$worker") 2>/dev/null)"

# they die with the program, however it dies
keys s
screen_shows 'one more' "[1-9].*seq-read .*$name"
program=$(pgrep -x raidtop -P "$(mux display-message -p '#{pane_pid}')")
worker=$(pgrep -f stream-worker -P "$program")
same 'its worker runs' yes "$(runs "$worker")"
kill -KILL "$program"
sleep 1
same 'SIGKILL of raidtop ends its worker' no "$(runs "$worker")"

if setpriv --reuid 65534 --regid 65534 --clear-groups true 2>/dev/null; then
	cp "$raidtop" "$work/raidtop" && chmod 755 "$work" "$work/raidtop"
	screen_open 120 36 "cd / && setpriv --reuid 65534 --regid 65534 --clear-groups '$work/raidtop' -i 0.2"
	screen_shows 'without privileges it watches' " $name "
	select_loop
	keys s
	screen_shows 'and is told in a sentence what a stream needs' "no permission to read $loop: start raidtop as root"
	keys q
	screen_shows 'and ends well' 'status 0'
else
	echo 'skipped the refusal without privileges: setpriv cannot drop them here'
fi
