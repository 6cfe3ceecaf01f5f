#!/usr/bin/env python3
"""Folders of a machine's /proc and /sys, kept as text.

roots.py pack TREE.tar > sys.txt       a copy of files below sys/ and proc/ as one text
roots.py unpack tests/roots/CASE/tN DIR   the same tree again, for raidtop --root DIR
roots.py umockdev tests/roots/CASE/tN > FILE   a device description for umockdev-run -d FILE

Lines of the text, in the order of paths: 'd PATH' a directory with nothing in it, 'l PATH -> TARGET'
a symbolic link, 'f PATH' a file, its lines following after one tab each; a single backslash says
that the last line has no newline. Bytes that are not UTF-8 stand as \\xNN.
"""
import os
import re
import shutil
import sys
import tarfile


def pack(archive):
    with tarfile.open(archive) as tar:
        entries = {m.name: m for m in tar}
        for name in sorted(entries):
            entry = entries[name]
            if entry.issym():
                print(f'l {name} -> {entry.linkname}')
            elif entry.isdir():
                if not any(other.startswith(name + '/') for other in entries):
                    print(f'd {name}')
            else:
                data = tar.extractfile(entry).read()
                text = data.decode('utf-8', 'backslashreplace').replace('\0', '\\0')
                print(f'f {name}')
                *lines, rest = text.split('\n')
                for line in lines:
                    print('\t' + line)
                if rest:
                    print('\t' + rest + '\n\\')


def parse(root):
    """Of a root's sys.txt: files (path to text), links (path to target), empty directories."""
    files, links, empty = {}, {}, []
    with open(os.path.join(root, 'sys.txt'), encoding='utf-8', newline='\n') as lines:
        for line in lines:
            kind, rest = line[0], line[2:-1]
            if kind == '\t':
                files[path] += line[1:]
            elif kind == '\\':
                files[path] = files[path][:-1]
            elif kind == 'f':
                path = rest
                files[path] = ''
            elif kind == 'l':
                link, _, target = rest.partition(' -> ')
                links[link] = target
            else:
                empty.append(rest)
    return files, links, empty


def unpack(root, to):
    files, links, empty = parse(root)
    for name in ('mdstat', 'diskstats'):
        os.makedirs(os.path.join(to, 'proc'), exist_ok=True)
        shutil.copyfile(os.path.join(root, name), os.path.join(to, 'proc', name))
    for path in empty:
        os.makedirs(os.path.join(to, path), exist_ok=True)
    for path in [*files, *links]:
        os.makedirs(os.path.dirname(os.path.join(to, path)), exist_ok=True)
    for path, text in files.items():
        with open(os.path.join(to, path), 'w', encoding='utf-8', newline='\n') as f:
            f.write(text)
    for path, target in links.items():
        os.symlink(target, os.path.join(to, path))


def udev_records(root):
    """What udev knew, by the path in sysfs: lines with their 'N:', 'S:', 'E:'."""
    records = {}
    with open(os.path.join(root, 'udev-db'), encoding='utf-8') as f:
        for record in f.read().split('\n\n'):
            if m := re.match(r'P: (.*)', record):
                records['sys' + m[1]] = record.split('\n')
    return records


def umockdev(root):
    files, links, _ = parse(root)
    records = udev_records(root)
    devices = [p[:-len('/uevent')] for p in sorted(files) if p.endswith('/uevent')]
    not_told = ('E: DEVPATH=', 'E: DEVLINKS=', 'E: TAGS=', 'E: CURRENT_TAGS=')

    def own(paths, device):
        """Of the paths below a device those that are in no device below it."""
        below = [d + '/' for d in devices if d.startswith(device + '/')]
        for path in sorted(paths):
            if path.startswith(device + '/') and not path.startswith(tuple(below)):
                yield path, path[len(device) + 1:]

    for device in devices:
        if device + '/subsystem' not in links:
            continue
        record = records.get(device, [])
        print('P: ' + device[len('sys'):])
        for line in record:
            if line.startswith(('N: ', 'S: ', 'E: ')) and not line.startswith(not_told):
                print(line)
        if not any(line.startswith('E: SUBSYSTEM=') for line in record):
            print('E: SUBSYSTEM=' + os.path.basename(links[device + '/subsystem']))
        for path, name in own(files, device):
            if name != 'uevent':
                print(f'A: {name}=' + files[path].replace('\\', '\\\\').replace('\n', '\\n'))
        for path, name in own(links, device):
            if name != 'subsystem':
                print(f'L: {name}={links[path]}')
        print()


COMMANDS = {'pack': (pack, 1), 'unpack': (unpack, 2), 'umockdev': (umockdev, 1)}
command, count = COMMANDS.get(sys.argv[1] if len(sys.argv) > 1 else '', (None, 0))
if command is None or len(sys.argv) != 2 + count:
    sys.exit(__doc__)
command(*sys.argv[2:])
