"""A guest: a QEMU machine that boots (or goes on from a kept state of) the image that ./build
makes, and runs commands as root.

The guest's folder (here DIR, in the guest /vm, by 9p) carries everything between the two sides:
DIR/agent.in wakes the guest's agent with the name of a job, DIR/JOB/{cmd,cwd} is what to run,
DIR/JOB/{out,err,rc} is what comes of it. A file DIR/ask.N is a wish of the guest's, such as
'throttle 0 1048576', and becomes DIR/answer.N, empty or with the sentence why not.
DIR/diskN are the disks, DIR/console is what the kernel said.

QEMU never outlives the process that started it: the kernel kills it with that one.
"""
import ctypes
import errno
import fcntl
import hashlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import temperature
from qmp import Qmp, QmpError

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
CACHE = Path(os.environ.get('XDG_CACHE_HOME') or Path.home() / '.cache') / 'raidtop-vm'
QEMU = 'qemu-system-x86_64'
FOLDER_PREFIX = 'raidtop-vm-'
MEMORY_MIB = 1024
TICK_S = 0.02                   # how often a running command's output is looked for
START_LIMIT_S = 120
PR_SET_PDEATHSIG = 1

KERNEL_WORDS = (
    'console=ttyS0 panic=-1 quiet loglevel=4 mitigations=off nokaslr tsc=reliable '
    'random.trust_cpu=on audit=0 apparmor=0 selinux=0 cryptomgr.notests ipv6.disable=1 '
    'nowatchdog scsi_mod.scan=sync net.ifnames=0')
# In the kept state: a guest needs 8 s to scan a SCSI controller that is put in later.
SCSI_CONTROLLER = 'virtio-scsi-pci,id=scsi0'
AHCI_PORTS = 6

# What a disk of that kind is to QEMU. 'ide' and 'ahci' cannot be put in while the guest runs.
DRIVERS = {'virtio': 'virtio-blk-pci', 'nvme': 'nvme', 'scsi': 'scsi-hd,bus=scsi0.0',
           'ide': 'ide-hd', 'ahci': 'ide-hd'}
HOT_PLUGGED = ('virtio', 'scsi', 'nvme')
MODULES = {'ide': 'ata_piix', 'ahci': 'ahci'}


class GuestError(Exception):
    """What went wrong, as a sentence."""


def die_with_parent():
    """In a child, before exec: be killed when the thread that started it ends."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def serial(number):
    return f'DISK{number}'


class Disk:
    """A disk as asked for: KIND[:SIZE][,PROPERTY=VALUE]..."""

    def __init__(self, text):
        first, *properties = text.split(',')
        self.kind, _, size = first.partition(':')
        self.size = size or '64M'
        if self.kind not in DRIVERS:
            raise GuestError(f"no disk kind '{self.kind}': {', '.join(DRIVERS)}")
        self.of_device = [p[4:] for p in properties if p.startswith('dev.')]
        self.of_drive = [p for p in properties if not p.startswith('dev.')]


class Options:
    """What a guest has, apart from what all have."""

    def __init__(self):
        self.disks = []         # of Disk
        self.shares = []        # of (path, read-only)
        self.modules = []
        self.memory_mib = MEMORY_MIB
        self.terminal = False   # this process's terminal is to be the guest's too

    def cold(self):
        """Must it boot, or may it go on from the kept state?"""
        return self.memory_mib != MEMORY_MIB or any(d.kind not in HOT_PLUGGED for d in self.disks)


def parse(words):
    """Options up to '--' or a word that is none; the options, the time limit, the rest."""
    options, limit, words = Options(), None, list(words)
    while words and words[0].startswith('--'):
        name = words.pop(0)
        if name == '--':
            break
        if not words:
            raise GuestError(f'{name} wants a value')
        value = words.pop(0)
        if name == '--disk':
            options.disks.append(Disk(value))
        elif name == '--disks':
            number, _, size = value.partition(':')
            options.disks += [Disk('virtio:' + size) for _ in range(int(number))]
        elif name in ('--share', '--share-ro'):
            options.shares.append((value, name == '--share-ro'))
        elif name == '--modules':
            options.modules += value.split()
        elif name == '--mem':
            options.memory_mib = int(value)
        elif name == '--timeout':
            limit = float(value)
        else:
            raise GuestError(f"no option '{name}'")
    return options, limit, words


def accelerator():
    """KVM only where a stock kernel runs in it: on a processor with the extensions for it."""
    with open('/proc/cpuinfo', encoding='utf-8', errors='replace') as f:
        flags = next((line.split() for line in f if line.startswith('flags')), [])
    if ('vmx' in flags or 'svm' in flags) and os.access('/dev/kvm', os.R_OK | os.W_OK):
        return ['-accel', 'kvm', '-cpu', 'host']
    return ['-accel', 'tcg,thread=multi', '-cpu', 'qemu64']


def digest(*parts):
    h = hashlib.sha256()
    for part in parts:
        h.update(part if isinstance(part, bytes) else str(part).encode())
        h.update(b'\0')
    return h.hexdigest()


def read_or_none(path):
    try:
        return path.read_text(encoding='utf-8')
    except FileNotFoundError:
        return None


class Image:
    """The cached kernel and root, and the kept state; made anew when their inputs change."""

    kernel, initrd, state = CACHE / 'vmlinux', CACHE / 'initrd', CACHE / 'state'

    def prepare(self, with_state):
        CACHE.mkdir(parents=True, exist_ok=True)
        with open(CACHE / 'lock', 'w', encoding='ascii') as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            inputs = [HERE / n for n in ('build', 'vmlinux.py', 'packages.txt', 'modules.txt')]
            inputs += [HERE / 'guest' / n for n in ('init', 'agent', 'mdadm.conf')]
            image = digest(*(p.read_bytes() for p in inputs))
            self.make('image', image, self.initrd, self.build)
            if with_state:
                program = os.stat(shutil.which(QEMU) or '/')
                state = digest(image, program.st_mtime_ns, base_arguments(Path('DIR'), MEMORY_MIB))
                self.make('state', state, self.state, self.keep_state)

    @staticmethod
    def make(what, stamp, result, maker):
        stamp_file = CACHE / f'{what}.stamp'
        if read_or_none(stamp_file) == stamp and result.exists():
            return
        stamp_file.unlink(missing_ok=True)
        print(f'vm: making the {what} (kept for the next time)', file=sys.stderr)
        maker()
        stamp_file.write_text(stamp, encoding='ascii')

    @staticmethod
    def build():
        if subprocess.run([HERE / 'build', CACHE], check=False).returncode != 0:
            raise GuestError('the image could not be built')

    def keep_state(self):
        """A guest that has come to its agent, for others to go on from."""
        self.state.unlink(missing_ok=True)
        with Folder() as folder:
            guest = Guest(folder)
            try:
                guest.launch(['-device', SCSI_CONTROLLER])
                guest.await_console('vm: waiting')
                time.sleep(0.3)
                with guest.qmp() as qmp:
                    qmp.save(CACHE / 'state.new')
            finally:
                guest.stop()
        (CACHE / 'state.new').rename(self.state)


def base_arguments(folder, memory_mib):
    """The part of QEMU's command line that all guests share; the kept state depends on it."""
    return [*accelerator(), '-M', 'pc', '-smp', '2', '-m', str(memory_mib), '-nodefaults',
            '-display', 'none', '-no-reboot', '-kernel', str(Image.kernel), '-initrd',
            str(Image.initrd), '-append', KERNEL_WORDS, '-serial', f'file:{folder}/console',
            '-qmp', f'unix:{folder}/qmp,server=on,wait=off', '-device', 'virtio-serial-pci',
            '-chardev', f'pipe,id=agent,path={folder}/agent',
            '-device', 'virtserialport,chardev=agent,name=vm']


class Folder:
    """A guest's folder, removed at the end. Its name says whose it is; what was left behind by
    processes that are gone (they could do nothing about it) is removed on the way."""

    def __enter__(self):
        where = Path(tempfile.gettempdir())
        for old in where.glob(FOLDER_PREFIX + '*'):
            owner = old.name[len(FOLDER_PREFIX):].split('-')[0]
            if owner.isdigit() and not Path('/proc', owner).exists():
                shutil.rmtree(old, ignore_errors=True)
        self.path = Path(tempfile.mkdtemp(prefix=f'{FOLDER_PREFIX}{os.getpid()}-', dir=where))
        return self.path

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)


class Job:
    """A command that runs in the guest, and how far its output has been read."""

    def __init__(self, folder, words, cwd):
        self.path = Path(tempfile.mkdtemp(prefix='job.', dir=folder))
        line = words[0] if len(words) == 1 else shlex.join(words)
        (self.path / 'cmd').write_text(line + '\n', encoding='utf-8')
        (self.path / 'cwd').write_text(f'{cwd}\n', encoding='utf-8')
        for name in ('out', 'err'):
            (self.path / name).touch()
        self.streams = [open(self.path / name, 'rb', 0) for name in ('out', 'err')]

    def status(self):
        """The exit status, or None. The file may be seen before its text."""
        text = read_or_none(self.path / 'rc')
        return int(text) if text and text.endswith('\n') else None

    def pump(self, sinks):
        for stream, sink in zip(self.streams, sinks):
            while chunk := stream.read(1 << 16):
                sink(chunk)

    def close(self):
        for stream in self.streams:
            stream.close()
        shutil.rmtree(self.path, ignore_errors=True)


def to_descriptor(number):
    def sink(chunk):
        while chunk:
            chunk = chunk[os.write(number, chunk):]
    return sink


class Guest:
    def __init__(self, folder):
        self.folder = Path(folder).resolve()
        self.process = None

    # --- its process ---------------------------------------------------------------------

    def pid(self):
        text = read_or_none(self.folder / 'pid')
        if not text:
            raise GuestError(f'no guest in {self.folder}')
        return int(text)

    def alive(self):
        if self.process:
            return self.process.poll() is None
        try:
            os.kill(self.pid(), 0)
        except ProcessLookupError:
            return False
        return True

    def stop(self):
        """Nothing in it is worth a clean end."""
        if self.process:
            self.process.kill()
            self.process.wait()

    def listens(self):
        try:
            self.qmp().close()
        except OSError:         # no socket, or one that nobody listens on so far
            return False
        return True

    def qmp(self):
        return Qmp(self.folder / 'qmp')

    def launch(self, arguments, memory_mib=MEMORY_MIB, terminal=False):
        for name in ('agent.in', 'agent.out'):
            os.mkfifo(self.folder / name)
        with open(self.folder / 'qemu.log', 'wb') as log:
            self.process = subprocess.Popen(
                [QEMU, *base_arguments(self.folder, memory_mib), *arguments],
                stdin=None if terminal else subprocess.DEVNULL, stdout=None if terminal else log,
                stderr=log, preexec_fn=die_with_parent)
        (self.folder / 'pid').write_text(f'{self.process.pid}\n', encoding='ascii')
        self.await_that(self.listens)

    def await_that(self, condition):
        end = time.monotonic() + START_LIMIT_S
        while not condition():
            if not self.alive() or time.monotonic() > end:
                raise GuestError('the guest did not come up:\n' + self.last_words())
            time.sleep(TICK_S)

    def await_console(self, text):
        self.await_that(lambda: text in (read_or_none(self.folder / 'console') or ''))

    def last_words(self):
        text = read_or_none(self.folder / 'qemu.log') or ''
        console = read_or_none(self.folder / 'console') or ''
        return text + '\n'.join(console.splitlines()[-8:])

    # --- its start -----------------------------------------------------------------------

    def start(self, options):
        cold = options.cold()
        Image().prepare(with_state=not cold)
        arguments, devices = self.shares(options)
        for number, disk in enumerate(options.disks):
            arguments += ['-drive', self.drive(number, disk.size, disk.of_drive)]
        devices += self.disk_devices(options.disks)
        if options.terminal:
            arguments += ['-chardev', 'stdio,id=terminal,signal=off']
            devices.append('virtconsole,chardev=terminal')
        modules = {MODULES[d.kind] for d in options.disks if d.kind in MODULES}
        setup = ' '.join([*sorted(modules), *options.modules])
        (self.folder / 'setup').write_text(
            f'modules={shlex.quote(setup)} disks={len(options.disks)}\n', encoding='ascii')
        (self.folder / 'seed').write_bytes(os.urandom(64))
        if cold:
            self.boot(arguments, devices, options)
        else:
            self.launch(['-device', SCSI_CONTROLLER, *arguments,
                         '-incoming', f"exec:cat '{Image.state}'"], terminal=options.terminal)
            with self.qmp() as qmp:
                qmp.resume(devices)
        self.tell(str(int(time.time())))
        self.await_that((self.folder / 'ready').exists)

    def boot(self, arguments, devices, options):
        kinds = {d.kind for d in options.disks}
        if 'scsi' in kinds:
            devices = [SCSI_CONTROLLER, *devices]
        for device in devices:
            arguments += ['-device', device]
        self.launch([*arguments, '-S'], options.memory_mib, options.terminal)
        if kinds & set(MODULES):
            try:
                temperature.make_sata(self.process.pid)
            except temperature.TemperatureError as e:
                print(f'vm: no temperatures of ATA disks here: {e}', file=sys.stderr)
        with self.qmp() as qmp:
            qmp.ask('cont')

    def shares(self, options):
        arguments = ['-fsdev',
                     f'local,id=vm,path={self.folder},security_model=none,multidevs=remap']
        devices = ['virtio-9p-pci,fsdev=vm,mount_tag=vm']
        lines = ''
        for number, (path, read_only) in enumerate(options.shares):
            path = Path(path).resolve()
            tag = f'share{number}'
            arguments += ['-fsdev', f'local,id={tag},path={path},security_model=none,'
                          f"multidevs=remap{',readonly=on' if read_only else ''}"]
            devices.append(f'virtio-9p-pci,fsdev={tag},mount_tag={tag}')
            lines += f"{tag} {path} {'ro,' if read_only else ''}cache=none\n"
        (self.folder / 'shares').write_text(lines, encoding='utf-8')
        return arguments, devices

    def drive(self, number, size, properties=()):
        path = self.folder / f'disk{number}'
        if not path.exists():
            subprocess.run(['truncate', '-s', size, path], check=True)
        return ','.join([f'if=none,id=drive{number},file={path},format=raw,cache=unsafe',
                         'discard=unmap', *properties])

    @staticmethod
    def disk_device(number, kind, place='', properties=()):
        return ','.join([DRIVERS[kind] + place, f'drive=drive{number}', f'id=disk{number}',
                         f'serial={serial(number)}', *properties])

    def disk_devices(self, disks):
        devices, ide, ahci = [], 0, 0
        for number, disk in enumerate(disks):
            place = ''
            if disk.kind == 'ide':
                place = f',bus=ide.{ide // 2},unit={ide % 2}'
                ide += 1
            elif disk.kind == 'ahci':
                controller, port = divmod(ahci, AHCI_PORTS)
                if port == 0:
                    devices.append(f'ahci,id=ahci{controller}')
                place = f',bus=ahci{controller}.{port}'
                ahci += 1
            devices.append(self.disk_device(number, disk.kind, place, disk.of_device))
        return devices

    # --- what runs in it -----------------------------------------------------------------

    def tell(self, line):
        """A line to the agent."""
        fifo = os.open(self.folder / 'agent.in', os.O_RDWR | os.O_CLOEXEC)
        try:
            os.write(fifo, line.encode() + b'\n')
        finally:
            os.close(fifo)

    def execute(self, words, limit_s=None, sinks=None, cwd=None):
        """Runs a command (one word: a shell line) and returns its exit status; 124 after the
        limit, 125 when the guest went away. Output goes to two functions of bytes."""
        sinks = sinks or (to_descriptor(1), to_descriptor(2))
        job = Job(self.folder, words, cwd or os.getcwd())
        try:
            self.tell(job.path.name)
            end = time.monotonic() + limit_s if limit_s else None
            while True:
                status, alive = job.status(), self.alive()
                job.pump(sinks)
                if status is not None:
                    return status
                if not alive:
                    sinks[1](f'vm: the guest is gone\n{self.last_words()}\n'.encode())
                    return 125
                if end and time.monotonic() > end:
                    sinks[1](f'vm: over {limit_s:.0f} s\n'.encode())
                    return 124
                self.answer()
                time.sleep(TICK_S)
        finally:
            job.close()

    def answer(self):
        for ask in self.folder.glob('ask.*'):
            text = read_or_none(ask) or ''
            if not text.endswith('\n'):
                continue
            try:
                self.do(text.split())
                said = ''
            except (GuestError, QmpError, temperature.TemperatureError) as e:
                said = f'{e}\n'
            ask.unlink()
            answer = self.folder / ask.name.replace('ask', 'new', 1)
            answer.write_text(said, encoding='utf-8')
            answer.rename(self.folder / ask.name.replace('ask', 'answer', 1))

    # --- what is done to it ----------------------------------------------------------------

    def do(self, words):
        """'throttle 0 1', by name."""
        actions = {'throttle': self.throttle, 'unplug': self.unplug, 'plug': self.plug,
                   'temp': self.temp}
        if not words or words[0] not in actions:
            raise GuestError(f"'{' '.join(words)}' is none of {', '.join(actions)}")
        try:
            actions[words[0]](*words[1:])
        except (TypeError, ValueError) as e:
            raise GuestError(f"{' '.join(words)}: {e}") from e

    def throttle(self, number, bytes_per_sec):
        """From now on; 1 hangs the disk, 0 sets it free."""
        with self.qmp() as qmp:
            qmp.ask('block_set_io_throttle', device=f'drive{int(number)}', bps=int(bytes_per_sec),
                    bps_rd=0, bps_wr=0, iops=0, iops_rd=0, iops_wr=0)

    def unplug(self, number, _kind=''):
        with self.qmp() as qmp:
            qmp.ask('device_del', id=f'disk{int(number)}')

    def plug(self, number, kind='virtio', size='64M'):
        """A disk that was there before keeps what is on it."""
        number = int(number)
        if kind not in HOT_PLUGGED:
            raise GuestError(f"no '{kind}' can be put in while the guest runs")
        with self.qmp() as qmp:
            qmp.monitor('drive_add 0 ' + self.drive(number, size))
            qmp.monitor('device_add ' + self.disk_device(number, kind))

    def temp(self, which, degrees):
        """which: 'ata' for all IDE and AHCI disks, or the serial of an NVMe disk."""
        if which == 'ata':
            temperature.set_ata(self.pid(), int(degrees))
        else:
            temperature.set_nvme(self.pid(), which, int(degrees))


def end_on_signals():
    """The usual signals end the process by an exception, so that what was started is ended."""
    def end(number, _):
        sys.exit(128 + number)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, end)


def wait_gone(pid, limit_s):
    """True once there is no such process."""
    end = time.monotonic() + limit_s
    while time.monotonic() < end:
        try:
            os.kill(pid, 0)
        except OSError as e:
            return e.errno == errno.ESRCH
        time.sleep(TICK_S)
    return False
