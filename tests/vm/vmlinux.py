#!/usr/bin/env python3
"""vmlinux.py BZIMAGE OUT: the ELF kernel inside a bzImage, to be booted by its PVH entry (no
decompressor runs then: 3 s less under TCG). The place and length of the compressed part are in
the setup header (payload_offset, payload_length; the kernel's Documentation/arch/x86/boot.rst)."""
import lzma
import struct
import subprocess
import sys

UNPACKERS = [
    (b'\xfd7zXZ\0', lambda b: lzma.LZMADecompressor().decompress(b)),
    (b'\x28\xb5\x2f\xfd', lambda b: subprocess.run(['zstd', '-dcq'], input=b, check=False,
                                                   stdout=subprocess.PIPE).stdout),
]


def main(source, target):
    with open(source, 'rb') as f:
        image = f.read()
    if image[0x202:0x206] != b'HdrS':
        sys.exit(f'vmlinux: {source} is no bzImage')
    setup_sectors = (image[0x1f1] or 4) + 1
    offset, length = struct.unpack_from('<II', image, 0x248)
    start = setup_sectors * 512 + offset
    payload = image[start:start + length]
    for magic, unpack in UNPACKERS:
        if payload.startswith(magic):
            elf = unpack(payload)
            break
    else:
        sys.exit(f'vmlinux: unknown compression {payload[:6].hex()}')
    if elf[:4] != b'\x7fELF':
        sys.exit('vmlinux: what came out is no ELF file')
    with open(target, 'wb') as f:
        f.write(elf)


main(*sys.argv[1:])
