#!/usr/bin/env python3
"""Makes hashes.txt: hashes of keys of 0 to 300 bytes, most bytes above 0x7f, by implementations that
know nothing of tamis: PyPI's xxhash (bindings of the xxHash library), mmh3 and fnvhash, and OpenSSL's
SipHash. A line is

    scheme  seed or secret  length  64-bit hash  first and second word of the 128-bit hash

with numbers in hexadecimal, the words as little-endian numbers where the hash is a string of bytes; a
hash that a scheme has not is "-". To make it again, anywhere outside the tree:

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install xxhash==4.1.0 mmh3==5.3.1 fnvhash==0.2.1
    /tmp/venv/bin/python tests/golden/hashes/make.py
"""

import os
import subprocess

import fnvhash
import mmh3
import xxhash

BYTES = bytes(255 - i * 7 % 160 for i in range(300))
SEED = 0x9E3779B97F4A7C15
SECRET = bytes(range(16))


def line(scheme, seed, length, short, long):
    words = ["%016x" % word for word in long] if long else ["-", "-"]
    return " ".join([scheme, seed, str(length), "%016x" % short] + words) + "\n"


def siphash(key, size):
    command = ["openssl", "mac", "-macopt", "hexkey:" + SECRET.hex(), "-macopt", "size:%d" % size,
               "-in", "/dev/stdin", "SIPHASH"]
    mac = bytes.fromhex(subprocess.run(command, input=key, stdout=subprocess.PIPE,
                                       check=True).stdout.decode().strip())
    return [int.from_bytes(mac[at:at + 8], "little") for at in range(0, size, 8)]


def xxh3(key, seed):
    whole = xxhash.xxh3_128_intdigest(key, seed)
    return xxhash.xxh3_64_intdigest(key, seed), (whole & (1 << 64) - 1, whole >> 64)


os.chdir(os.path.dirname(os.path.abspath(__file__)))
with open("hashes.txt", "w", encoding="ascii") as out:
    for n in range(len(BYTES) + 1):
        key = BYTES[:n]
        for seed in (0, SEED):
            out.write(line("xxh3", "%x" % seed, n, *xxh3(key, seed)))
        out.write(line("xxh64", "%x" % SEED, n, xxhash.xxh64_intdigest(key, SEED), None))
        for seed in (0, 0x9747B28C):
            halves = mmh3.hash64(key, seed, x64arch=True, signed=False)
            out.write(line("murmur3_x64_128", "%x" % seed, n, halves[0], halves))
        out.write(line("fnv1a_64", "0", n, fnvhash.fnv1a_64(key), None))
        out.write(line("siphash_2_4", SECRET.hex(), n, siphash(key, 8)[0], siphash(key, 16)))
