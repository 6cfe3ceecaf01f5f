#!/usr/bin/env bash
# What one tick costs: CPU time of `raidtop --record /dev/null -i 1` against `iostat -xm 1`, running
# side by side on this machine's disks; system calls of a tick; time to the first frame.
# The kernel's accounting in nanoseconds is read from schedstat, start-up left out.
set -u
raidtop=${RAIDTOP:-./raidtop}
seconds=${SECONDS_TO_RUN:-20}

cpu_ns() { local ns rest; read -r ns rest <"/proc/$1/schedstat" && echo "$ns"; }

"$raidtop" --record /dev/null --force -i 1 2>/dev/null &
ours=$!
iostat -xm 1 >/dev/null &
peer=$!
trap 'kill $ours $peer 2>/dev/null' EXIT
sleep 2.5
ours_before=$(cpu_ns $ours) peer_before=$(cpu_ns $peer)
sleep "$seconds"
ours_ns=$(($(cpu_ns $ours) - ours_before)) peer_ns=$(($(cpu_ns $peer) - peer_before))
kill $ours $peer
wait $ours $peer 2>/dev/null
trap - EXIT
awk -v a="$ours_ns" -v b="$peer_ns" -v n="$seconds" -v d="$(wc -l </proc/diskstats)" 'BEGIN {
	printf "CPU of a tick (%d devices): raidtop %.0f us, iostat %.0f us, ratio %.2f\n",
		d, a / n / 1000, b / n / 1000, a / b }'

if command -v strace >/dev/null; then
	log=$(mktemp)
	timeout -s INT 4.5 strace -o "$log" "$raidtop" --record /dev/null --force -i 0.5 2>/dev/null
	awk '/^ppoll/ { n[++ticks] = 0 } ticks { n[ticks]++ }
		END { for (i = 3; i < ticks; i++) { if (n[i] > most) most = n[i]; sum += n[i]; m++ }
			if (m) printf "system calls of a tick: %.1f (at most %d)\n", sum / m, most }' "$log"
	rm -f "$log"
fi

# From exec to the first byte on the terminal, in a terminal of python's.
python3 - "$raidtop" <<'PYTHON'
import os, pty, statistics, sys, time, fcntl, struct, termios
def first_byte(program):
    begin = time.perf_counter()
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.update(TERM='xterm-256color', LC_ALL='C.UTF-8')
        os.execv(program, [program])
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack('HHHH', 45, 160, 0, 0))
    seen = b''
    while len(seen) < 1000:
        seen += os.read(fd, 65536)
    took = time.perf_counter() - begin
    os.write(fd, b'q')
    try:
        while os.read(fd, 65536): pass
    except OSError: pass
    os.waitpid(pid, 0)
    return took * 1000
times = [first_byte(sys.argv[1]) for _ in range(21)]
print('first frame: median %.1f ms, slowest %.1f ms of %d' % (statistics.median(times), max(times), len(times)))
PYTHON
