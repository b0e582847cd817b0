"""The keys that every golden filter of a foreign format holds and is asked for.

Members are keys 0 to 199, foreign keys the 10,000 after them. Text keys are UTF-8 with bytes above
0x7f, of lengths that reach every tail of the hashes; integer keys are spread over 64 bits, signed.
Answers are one bit a key, least significant first, members before foreign keys.
"""

MEMBERS = 200
KEYS = MEMBERS + 10_000


def text(i):
    return str(i) + "\u00e9" * (i % 24)


def long(i):
    value = i * 0x9E3779B97F4A7C15 % (1 << 64)
    return value - (1 << 64) if value >> 63 else value


def int32(i):
    value = i * 0x9E3779B1 % (1 << 32)
    return value - (1 << 32) if value >> 31 else value


KINDS = {"text": text, "long": long, "int": int32}


def lines(kind, first, last):
    """Keys `first` to `last` - 1 as oracles read them: one a line, integers in decimal."""
    return "".join(f"{KINDS[kind](i)}\n" for i in range(first, last)).encode()


def pack(answers):
    """Bits from an iterable of truth values."""
    packed = bytearray((len(answers) + 7) // 8)
    for i, answer in enumerate(answers):
        packed[i // 8] |= bool(answer) << (i % 8)
    return bytes(packed)
