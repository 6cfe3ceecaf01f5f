"""Temperatures of emulated disks. QEMU (Debian's 7.2 and its like) has no knob for them: they
are written into its memory, found by what stands around them. Needs the right to trace QEMU
(root, or a kernel that lets a parent do so)."""
import re
import struct

# put_le16(p + 93, 1 | (1 << 14) | 0x2000) of ide_identify(): mov $0x6001,%eax; mov %ax,0xba(%reg).
# Word 93 not 0 says that the disk is parallel ATA, and the guest's drivetemp leaves it alone.
WORD_93 = rb'\xb8(\x01\x60\0\0)\x66\x89[\x40-\x47\x80-\x87]\xf2\0\0\0'

# The row of attribute 190 in smart_attributes[], twelve ints of which the sixth is the value.
SMART_190 = struct.pack('<12i', 190, 3, 0, 0x45, 0x45, 0, 0, 0x1f, 0x1f, 0, 0, 0x32)

# In NvmeCtrl: temperature (u16), smart_critical_warning (u8), a pad, conf_msix_qsize (65),
# conf_ioqpairs (64); a few kB further on its id_ctrl.
NVME_KELVIN = rb'[\x00-\xff][\x00-\x03][\0-\xff]\0\x41\0\0\0\x40\0\0\0'
NVME_REACH = 0x4000


class TemperatureError(Exception):
    pass


class Memory:
    """Another process's memory, by /proc/PID/mem."""

    def __init__(self, pid):
        self.pid = pid
        try:
            self.file = open(f'/proc/{pid}/mem', 'r+b', 0)
        except OSError as e:
            raise TemperatureError(f"QEMU's memory cannot be written: {e.strerror}") from e

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()

    def read(self, at, length):
        self.file.seek(at)
        return self.file.read(length)

    def write(self, at, data):
        self.file.seek(at)
        self.file.write(data)
        if self.read(at, len(data)) != data:
            raise TemperatureError("QEMU's memory stays as it was")

    def regions(self, wanted):
        with open(f'/proc/{self.pid}/maps', encoding='ascii') as maps:
            for line in maps:
                part = line.split()
                low, high = (int(x, 16) for x in part[0].split('-'))
                name = part[5] if len(part) > 5 else ''
                if high - low < 1 << 28 and 'r' in part[1] and wanted(part[1], name):
                    yield low, high

    def find(self, pattern, wanted, group=0):
        hits = []
        for low, high in self.regions(wanted):
            try:
                data = self.read(low, high - low)
            except OSError:
                continue
            hits += [low + m.start(group) for m in re.finditer(pattern, data, re.S)]
        return hits


def in_program(_, name):
    return 'qemu-system' in name


def in_heap(permissions, name):
    return 'rw' in permissions and name in ('', '[heap]')


def make_sata(pid):
    """QEMU's IDE disks say from now on that they are SATA; before the guest looks at them."""
    with Memory(pid) as memory:
        hits = memory.find(WORD_93, in_program, 1)
        if not 1 <= len(hits) <= 2:
            raise TemperatureError(f'{len(hits)} places set IDENTIFY word 93 in this QEMU')
        for at in hits:
            memory.write(at, bytes(4))


def set_ata(pid, degrees):
    """Every IDE and AHCI disk reports so many degrees (0 to 255)."""
    pattern = re.escape(SMART_190[:20]) + b'(.\0\0\0)' + re.escape(SMART_190[24:])
    with Memory(pid) as memory:
        hits = memory.find(pattern, in_program, 1)
        if len(hits) != 1:
            raise TemperatureError(f'{len(hits)} SMART tables in this QEMU')
        memory.write(hits[0], struct.pack('<i', degrees))


def set_nvme(pid, serial, degrees):
    """The NVMe disk of that serial reports so many degrees (whole kelvins: 49.85 for 50)."""
    id_ctrl = (struct.pack('<HH', 0x1b36, 0x1af4) + re.escape(serial.encode().ljust(20)) +
               b'QEMU NVMe Ctrl')
    done = 0
    with Memory(pid) as memory:
        for at in memory.find(id_ctrl, in_heap):
            before = memory.read(at - NVME_REACH, NVME_REACH)
            found = list(re.finditer(NVME_KELVIN, before, re.S))
            if found:
                memory.write(at - NVME_REACH + found[-1].start(), struct.pack('<H', degrees + 273))
                done += 1
    if done != 1:
        raise TemperatureError(f'{done} NVMe disks with serial {serial}')
