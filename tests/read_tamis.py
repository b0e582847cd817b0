#!/usr/bin/env python3
"""read_tamis.py FILE < keys: for each line, "1 key" if the .tamis file FILE has the key, "0 key" if
not. Written from core/README.md alone, with no help from tamis: a second opinion on the format."""
import struct, sys

P1, P2, P3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
P4, P5, MASK = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5, 2**64 - 1
SALTS = [int(word, 16) for word in "47b6137b 44974d91 8824ad5b a2b7289d "
                                   "705495c7 2df1424b 9efc4947 5c6bfb31 "
                                   "d1b54a33 6c8e9cf5 3c6ef36b b5297a4d "
                                   "1b56c4e9 e7037ed1 85ebca6b c2b2ae35".split()]

def rotate(x, n):
    return ((x & MASK) << n | (x & MASK) >> (64 - n)) & MASK

def mix(acc, lane):
    return rotate(acc + lane * P2, 31) * P1 & MASK

def xxh64(data, seed=0):
    h, at = seed + P5, len(data) // 32 * 32
    if at:
        accs = [seed + P1 + P2, seed + P2, seed, seed - P1]
        for stripe in struct.iter_unpack("<4Q", data[:at]):
            accs = list(map(mix, accs, stripe))
        h = sum(map(rotate, accs, (1, 7, 12, 18)))
        for acc in accs:
            h = (h ^ mix(0, acc)) * P1 + P4
    h += len(data)
    for at in range(at + 8, len(data) + 1, 8):
        h = rotate(h ^ mix(0, int.from_bytes(data[at - 8:at], "little")), 27) * P1 + P4
    if len(data) - at >= 4:
        h, at = rotate(h ^ int.from_bytes(data[at:at + 4], "little") * P1, 23) * P2 + P3, at + 4
    for byte in data[at:]:
        h = rotate(h ^ byte * P5, 11) * P1
    for shift, prime in (33, P2), (29, P3), (32, 1):
        h = (h ^ (h & MASK) >> shift) * prime & MASK
    return h

def filters(data):
    at = 0
    while at < len(data):
        page, at = data[at:at + 4096], at + 4096
        (magic, version, kind, variant, scheme, seed, blocks, k, width, _, _, _, length,
         body_checksum, m, probe, _, _, checksum) = struct.unpack("<8s4IQQIIQQdQQQIIQ3976xQ", page)
        assert (magic, version, scheme) == (b"\x89tamis\r\n", 1, 1), "not by xxh64, version 1"
        assert checksum == xxh64(page[:4088]), "header damaged"
        if kind == 1:
            body, at = data[at:at + length], at + (length + 4095) // 4096 * 4096
            assert length == ((m + 63) // 64 * 8 if variant == 3 else blocks * width), "length"
            assert body_checksum == xxh64(body), "body damaged"
            yield variant, seed, blocks, k, width, m, body

def classic_bits(x, y, k, m):
    y |= 1
    for i in range(k):
        yield x * m >> 64
        x, y = (x + y) & MASK, (y + (i + 1) * 0x3C6EF372FE94F82A) & MASK

def contains(key, variant, seed, blocks, k, width, m, body):
    h = xxh64(key, seed)
    low = [(h * salt) & 0xFFFFFFFF for salt in SALTS[:k]]
    if variant == 3:  # a classic filter is one block
        block = body
        bits = classic_bits(h, xxh64(key, (seed + 0x9E3779B97F4A7C15) & MASK), k, m)
    else:
        block = body[((h >> 32) * blocks >> 32) * width:][:width]
        if variant < 3:  # eight words of `width` bits in `width` bytes
            bits = [i * width + (x * width >> 32) for i, x in enumerate(low)]
        else:
            bits = [x * 8 * width >> 32 for x in low]
    return all(block[bit // 8] >> bit % 8 & 1 for bit in bits)

if __name__ == "__main__":
    layers = list(filters(open(sys.argv[1], "rb").read()))
    for key in sys.stdin.buffer.read().splitlines():
        print(int(any(contains(key, *layer) for layer in layers)), key.decode())
