#!/usr/bin/env python3
"""Streams against fio on the same files, taking turns in one run.

    stream_bench.py STREAM_BENCH DIRECTORY MEBIBYTES ROUNDS [ONLY]

For each case, raidtop's engine as it is chosen by default and fio with each of its two plain engines
run ROUNDS times in turn, after a round that does not count. Told are medians, and of the ratio to fio's fastest engine the lowest and
highest of all rounds. raidtop's CPU time is the workers' own. fio's is that of all its processes,
less what it takes to start as many jobs that do nothing: what it tells of its jobs leaves out the
kernel's threads that work for io_uring. Nothing is asserted. ONLY: cases whose name has it.
"""
import json
import os
import resource
import statistics
import subprocess
import sys

PROGRAM, DIRECTORY, MEBIBYTES, ROUNDS = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
ONLY = sys.argv[5] if len(sys.argv) > 5 else ""
SECONDS = 1
ENGINES = ("psync", "io_uring")

# name, workload, fio's rw, block in bytes, depth, whether all of the file is moved once
CASES = (
    ("seq read 1M", "seq-read", "read", 1 << 20, 1, True),
    ("seq write 1M+sync", "seq-write", "write", 1 << 20, 1, True),
    ("rand read 4k QD1", "rand-read", "randread", 4096, 1, False),
    ("rand read 4k QD32", "rand-read", "randread", 4096, 32, False),
)


class Figures:
    def __init__(self, size, ios, seconds, user, system, first=0.0):
        self.rate = size / seconds
        self.cpu_per_gb = (user + system) / size * 1e9
        self.user_per_million = user / ios * 1e6
        self.first_ms = first * 1e3


def run_stream(workload, block, depth, once, access, copies):
    spec = (f"{workload},target={DIRECTORY},copies={copies},block={block},depth={depth},"
            f"access={access},size={MEBIBYTES}M,keep=1")
    if workload.endswith("write"):
        spec += f",limit={MEBIBYTES}M"
    elif not once:
        spec += f",time={SECONDS}s"
    text = subprocess.run([PROGRAM, spec, "once" if once else "timed"], check=True,
                          capture_output=True, text=True).stdout
    size, ios, ns, user, system, first = map(int, text.split())
    return Figures(size, ios, ns / 1e9, user / 1e9, system / 1e9, first / 1e9)


def fio(arguments):
    """Its jobs, and the user and system CPU time of all its processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = subprocess.run(["fio", "--output-format=json", *arguments], check=True,
                          capture_output=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return json.loads(text)["jobs"], after.ru_utime - before.ru_utime, \
        after.ru_stime - before.ru_stime


def idle_cpu(copies):
    """Of starting that many jobs: user and system, medians of three."""
    runs = [fio(["--ioengine=null", "--rw=read", "--size=4k", "--name=idle",
                 f"--numjobs={copies}"])[1:] for _ in range(3)]
    return [statistics.median(side) for side in zip(*runs)]


def run_fio(idle, engine, rw, block, depth, once, access, copies):
    files = sorted(name for name in os.listdir(f"{DIRECTORY}/.raidtop") if name.endswith(".data"))
    command = ["--thread=0", f"--ioengine={engine}", f"--rw={rw}",
               f"--bs={block}", f"--iodepth={depth}", f"--direct={int(access == 'direct')}",
               f"--size={MEBIBYTES}M", "--group_reporting=0"]
    if rw == "write":
        command += ["--end_fsync=1", "--refill_buffers=0", "--overwrite=1"]
    if engine == "io_uring":
        command += ["--registerfiles=1", "--fixedbufs=1"]
    if not once:
        command += ["--time_based", f"--runtime={SECONDS}s"]
    for name in files[:copies]:
        command += [f"--name={name}", f"--filename={DIRECTORY}/.raidtop/{name}"]
    jobs, user, system = fio(command)
    side = "write" if rw == "write" else "read"
    seconds = [job[side]["runtime"] / 1e3 for job in jobs]
    return Figures(sum(job[side]["io_bytes"] for job in jobs),
                   sum(job[side]["total_ios"] for job in jobs), max(seconds),
                   max(user - idle[0], 0), max(system - idle[1], 0))


def median(figures, name):
    return statistics.median(getattr(f, name) for f in figures)


def divide(a, b):
    return f"{a / b:5.2f}" if b > 0 else "    -"


def bench(name, workload, rw, block, depth, once, access, copies):
    idle = idle_cpu(copies)
    runs = {"ours": []} | {e: [] for e in ENGINES if depth == 1 or e != "psync"}
    for turn in range(ROUNDS + 1):
        names = list(runs)
        # Whoever is first pays for memory that the machine has taken away meanwhile.
        for who in names[turn % len(names):] + names[:turn % len(names)]:
            runs[who].append(run_stream(workload, block, depth, once, access, copies)
                             if who == "ours" else
                             run_fio(idle, who, rw, block, depth, once, access, copies))
    runs = {who: figures[1:] for who, figures in runs.items()}
    ours = runs.pop("ours")
    best = max(runs, key=lambda who: median(runs[who], "rate"))
    theirs = runs[best]
    ratios = [a.rate / b.rate for a, b in zip(ours, theirs)]
    cpu = divide(median(ours, "cpu_per_gb"), median(theirs, "cpu_per_gb"))
    user = divide(median(ours, "user_per_million"), median(theirs, "user_per_million"))
    print(f"{name:18} x{copies} {access:8} {median(ours, 'rate') / 1e6:7.0f} "
          f"{median(theirs, 'rate') / 1e6:7.0f} {best:8} {statistics.median(ratios):5.2f} "
          f"{min(ratios):5.2f}-{max(ratios):4.2f} {median(ours, 'cpu_per_gb'):6.3f} "
          f"{median(theirs, 'cpu_per_gb'):6.3f} {cpu} {median(ours, 'user_per_million'):6.2f} "
          f"{median(theirs, 'user_per_million'):6.2f} {user} {median(ours, 'first_ms'):6.1f}",
          flush=True)


def main():
    run_stream("seq-read", 1 << 20, 1, True, "direct", 4)  # makes the files
    print(f"{'':31}{'MB/s':>11}{'':13}{'ratio':>12}{'CPU s/GB':>20}{'user s/10^6 I/O':>20}"
          f"{'first':>7}\n"
          f"{'':31}{'ours':>5} {'fio':>7} {'engine':8} {'med.':>5} {'all':>9} {'ours':>6} "
          f"{'fio':>6} {'ratio':>5} {'ours':>6} {'fio':>6} {'ratio':>5} {'ms':>6}")
    for case in CASES:
        for copies in (1, 4):
            for access in ("direct", "buffered"):
                if ONLY in f"{case[0]} x{copies} {access}":
                    bench(*case, access, copies)


if __name__ == "__main__":
    main()
