#!/usr/bin/env python3
"""peers.py RAIDTOP [SECONDS]: what a refresh costs in CPU (user and system) beside iostat, atop and
btop. All run at the same time on this machine's /proc, once a second, those with a screen in a
terminal of their own, so that what disturbs one disturbs all. The kernel's accounting in
nanoseconds is taken second by second, threads and helpers too; start-up is left out."""
import fcntl, glob, os, pty, select, shutil, statistics, struct, sys, tempfile, termios, time

raidtop = sys.argv[1]
seconds = int(sys.argv[2]) if len(sys.argv) > 2 else 30
WARM_UP = 4

tools = [
    ('raidtop, screen', [raidtop, '-i', '1']),
    ('raidtop, recording', [raidtop, '--record', '/dev/null', '--force', '-i', '1']),
    ('iostat -xm 1', ['iostat', '-xm', '1']),
    ('atop 1', ['atop', '1']),
    ('btop', ['btop', '--utf-force']),
]

def start(command):
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.update(TERM='xterm-256color', LC_ALL='C.UTF-8', XDG_CONFIG_HOME=settings)
        os.execvp(command[0], command)
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack('HHHH', 45, 160, 0, 0))
    return pid, fd

def cpu_ns(pid):
    total = 0
    for task in glob.glob('/proc/%d/task/*' % pid):
        try:
            with open(task + '/schedstat') as f:
                total += int(f.read().split()[0])
            with open(task + '/children') as f:
                total += sum(cpu_ns(int(child)) for child in f.read().split())
        except OSError:
            pass # it has ended
    return total

def drain(until):
    while (left := until - time.monotonic()) > 0:
        for fd in select.select([fd for _, _, fd in running], [], [], left)[0]:
            try:
                os.read(fd, 65536)
            except OSError:
                time.sleep(0.01) # its program has ended, which is told below

settings = tempfile.mkdtemp()
os.mkdir(settings + '/btop')
with open(settings + '/btop/btop.conf', 'w') as f: # its own default is every two seconds
    f.write('update_ms = 1000\n')
running, costs = [], {}
for name, command in tools:
    if shutil.which(command[0]):
        running.append((name, *start(command)))
        costs[name] = []
    else:
        print('%-20s is not there' % name)
try:
    drain(time.monotonic() + WARM_UP)
    before = [cpu_ns(pid) for _, pid, _ in running]
    begin = time.monotonic()
    for second in range(seconds):
        drain(begin + second + 1)
        now = [cpu_ns(pid) for _, pid, _ in running]
        for (name, _, _), a, b in zip(running, before, now):
            costs[name].append((b - a) / 1000)
        before = now
finally:
    for name, pid, _ in running:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            print('%-20s ended by itself, with status %d' % (name, status))
            costs[name] = []
            continue
        os.kill(pid, 9)
        os.waitpid(pid, 0)
    shutil.rmtree(settings)

ours = statistics.median(costs['raidtop, screen'] or [0])
print('%-20s %12s %10s   %s' % ('CPU of a refresh', 'median us', 'mean us', 'times raidtop'))
for name, cost in costs.items():
    if cost:
        middle = statistics.median(cost)
        print('%-20s %12.0f %10.0f   %s' % (name, middle, statistics.mean(cost),
                                            '%.2f' % (middle / ours) if ours else '-'))
