#!/usr/bin/env bash
# Signals, closed descriptors and full pipes: what ends it ends it, and leaves the terminal as it was.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

root=$work/root
make_root "$root"

state_of() { sed -n 's/^State:[[:space:]]*\(.\).*/\1/p' "/proc/$1/status" 2>/dev/null; }
wait_until() # COMMAND...
{
	local end=$((SECONDS + 10))
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.05
	done
}
is_stopped() { [ "$(state_of "$1")" = T ]; }
is_over() { case "$(state_of "$1")" in '' | Z) true ;; *) false ;; esac; }
has_lines() { [ -e "$1" ] && [ "$(wc -l <"$1")" -ge "$2" ]; }

# the terminal, however the program dies
for signal in QUIT USR2 ABRT SEGV; do
	screen_open 80 24 "stty -a >'$work/before'; ulimit -c 0; '$raidtop' --root '$root'; stty -a >'$work/after'; true"
	screen_shows "before SIG$signal" 'md0 .*raid1'
	if [ $signal = QUIT ]; then
		keys -l $'\x1c'
	else
		pkill -$signal -P "$(mux display-message -p '#{pane_pid}')" -x raidtop
	fi
	screen_shows "SIG$signal ends it" 'status 0'
	screen_lacks "and its screen is gone after SIG$signal" 'md0 .*raid1'
	same "the modes are as before SIG$signal" "$(cat "$work/before")" "$(cat "$work/after")"
done

# ^Z where no shell could let it go on: the pane's processes are an orphaned group
screen_open 80 24 "'$raidtop' --root '$root' -i 0.2"
screen_shows 'before ^Z without a shell' 'md0 .*raid1'
keys C-z
sleep 0.5
keys '?'
screen_shows '^Z without a shell does not stop it for good' 'draw the whole screen anew'

# a recording in the foreground can be stopped, and goes on
set -m
"$raidtop" --root "$root" --record "$work/stop.csv" -i 0.1 2>/dev/null &
pid=$!
wait_until has_lines "$work/stop.csv" 5
kill -TSTP $pid
wait_until is_stopped $pid
same '^Z stops a recording' T "$(state_of $pid)"
kill -CONT $pid
lines=$(wc -l <"$work/stop.csv")
wait_until has_lines "$work/stop.csv" $((lines + 5))
same 'and it goes on' 0 $?
kill -TERM $pid
wait $pid
same 'and ends well' 0 $?
set +m

# nohup
(trap '' HUP; exec "$raidtop" --root "$root" --record "$work/nohup.csv" -i 0.1 2>/dev/null) &
pid=$!
wait_until has_lines "$work/nohup.csv" 5
kill -HUP $pid
lines=$(wc -l <"$work/nohup.csv")
wait_until has_lines "$work/nohup.csv" $((lines + 10))
same 'nohup: a recording goes on after SIGHUP' 0 $?
kill -TERM $pid
wait $pid
same 'and ends with SIGTERM' 0 $?

# a reader that takes nothing: the pipe has the size of a page, and is soon full
python3 - "$raidtop" "$root" >"$work/stalled" <<'PYTHON'
import fcntl, os, signal, subprocess, sys, time


def stall(number):
    reader, writer = os.pipe()
    fcntl.fcntl(writer, 1031, 4096)
    p = subprocess.Popen([sys.argv[1], '--root', sys.argv[2], '--record', '-', '-i', '0.1'],
                         stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    time.sleep(1.5)
    p.send_signal(signal.SIGCHLD)
    p.send_signal(signal.SIGWINCH)
    time.sleep(0.3)
    print('running' if p.poll() is None else 'over')
    p.send_signal(number)
    try:
        print(p.wait(5), b'standard output' in p.stderr.read())
    except subprocess.TimeoutExpired:
        print('hangs')
        p.kill()


for number in signal.SIGTERM, signal.SIGINT:
    stall(number)
PYTHON
same 'a stalled reader keeps no signal from ending it' 'running 1 True running 1 True' \
	"$(tr '\n' ' ' <"$work/stalled" | sed 's/ $//')"

# a limit on the size of files is an error like any other
(ulimit -f 20; exec "$raidtop" --root "$root" --record "$work/limit.csv" -i 0.1 2>"$work/err")
same 'a file that may not grow: status' 1 $?
same 'a file that may not grow: sentence' 1 "$(grep -c 'has ended: File too large' "$work/err")"

# closed descriptors: nothing of ours may land in a file that got their number
for mode in --list '--record - --duration 0.2s -i 0.1' --help --version; do
	# shellcheck disable=SC2086
	"$raidtop" $mode >&- 2>"$work/err" <&-
	same "$mode to a closed output: status" 1 $?
	same "$mode to a closed output: sentence" 1 "$(grep -c '^raidtop: .*Bad file descriptor' "$work/err")"
	# shellcheck disable=SC2086
	"$raidtop" $mode >/dev/full 2>"$work/err"
	same "$mode to a full device: status" 1 $?
done
"$raidtop" --root "$root" --record "$work/closed.csv" --duration 0.3s -i 0.1 <&- >&- 2>&-
same 'with all three closed it records' 0 $?
