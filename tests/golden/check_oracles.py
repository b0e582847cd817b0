"""Holds tamis to the libraries and servers whose formats it reads and writes (oracles.py), in both
directions, and prints a table. tools/check-oracles is what runs this:

    check_oracles.py TAMIS        TAMIS is the command, built

Filters of three sizes: the golden ones, which each oracle makes again byte for byte; ones of 100,000
keys; and ones of more than 2^32 bits with a few keys in them.
"""

import pathlib
import subprocess
import sys

import duckdb
import pyarrow
import pyarrow.parquet

import keys
from oracles import (GOLDEN, HERE, BitsAndBlooms, DcsoCommand, DcsoFlor, Guava, Redis, Spark,
                     Workshop, run)

GOLDEN_PLAN = (250, 0.02)  # keys and rate for which tamis makes filters as small
MANY, RATE = 100_000, 0.01
HUGE = 450_000_000  # keys at 1 %: 4.31e9 bits
FEW = 1000  # keys that a huge filter is asked for

# A format, and who makes filters of it, of so many keys and so many bits.
def oracles_for(items, size):
    return [("dcso", DcsoCommand(RATE, items=items)),
            ("dcso", DcsoFlor(RATE, b"", items=items)),
            ("dcso-gzip", DcsoCommand(RATE, gzip=True, items=items)),
            ("spark-v1", Spark("V1", size, items=items)),
            ("spark-v2", Spark("V2", size, items=items)),
            ("guava-0", Guava("bytes", 0, RATE, items=items)),
            ("guava-1", Guava("bytes", 1, RATE, items=items)),
            ("redis", Redis(RATE, items, "NONSCALING")),
            ("bits-and-blooms", BitsAndBlooms(RATE, items=items))]


# What cannot be checked, by format and oracle.
NOT_POSSIBLE = [
    "parquet, tamis -> pyarrow: pyarrow writes Bloom filters and has no call that asks one",
    "parquet past 2^32 bits, oracle -> tamis: Arrow makes none of more than 128 MiB, DuckDB none for\n"
    "  more values than a row group's dictionary has",
    "spark-v1, guava-0 past 2^32 bits: their positions have 31 bits, so that oracles and tamis use a\n"
    "  filter's first half alone",
    "dcso-gzip past 2^32 bits: what dcso is, and a minute of compression",
    "dcso by flor past 2^32 bits: it keeps each word as a Python object, 4 GB of them",
]


class Tamis:
    def __init__(self, command):
        self.command = command

    def run(self, *arguments, data=b""):
        done = subprocess.run([self.command, *map(str, arguments)], input=data,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if done.returncode not in (0, 1):
            raise SystemExit(done.stderr.decode())
        return done.stdout

    def ask(self, path, data, form):
        found = set(self.run("query", path, "--keys", form, data=data).splitlines())
        return [key in found for key in data.splitlines()]


class Table:
    """One line a filter, a column a direction; says at the end whether something differed."""
    COLUMNS = "made again", "oracle -> tamis", "tamis -> oracle"

    def __init__(self):
        self.failed = 0
        self.line("format", "filter", "oracle", "keys", *self.COLUMNS)

    @staticmethod
    def line(*cells):
        widths = 16, 28, 14, 8, 12, 17, 17
        print("".join(f"{cell:<{width}}" for cell, width in zip(cells, widths)).rstrip(), flush=True)

    def add(self, name, filter_name, oracle, keys_asked, *results):
        """For each column True, False, or None where it cannot be asked."""
        self.failed += results.count(False)
        self.line(name, filter_name, oracle, str(keys_asked),
                  *({True: "same", False: "DIFFERS", None: "-"}[result] for result in results))


def format_of(name):
    folder, file = name.split("/")
    if folder == "spark":
        return "spark-" + file[:2]
    if folder == "guava":
        return "guava-" + file[len("ordinal-")]
    return "dcso-gzip" if file.endswith(".gz") else folder


def form_of(oracle):
    form = getattr(oracle, "funnel", oracle.kind)
    return form if form in ("long", "int", "utf-16") else "bytes"


def holds(answers, members):
    """A filter's answers where the first `members` keys are in it: all of those, few of the rest."""
    rest = answers[members:]
    return all(answers[:members]) and sum(rest) <= len(rest) / 10


def ask_both(shop, tamis, oracle, path, everyone, members):
    theirs = oracle.ask(shop, path, everyone)
    return holds(theirs, members) and theirs == tamis.ask(path, everyone, form_of(oracle))


def fill_by_tamis(shop, tamis, name, oracle, path, plan, data):
    """A filter of the oracle's kind that tamis made; growing ones begin as the oracle's."""
    path.unlink(missing_ok=True)
    if isinstance(oracle, Redis) and "NONSCALING" not in oracle.options:
        oracle.make(shop, path, b"")
        tamis.run("dedup", "--seen", path, data=data)
    else:
        tamis.run("build", "-o", path, "--to", name, "--expect", plan[0], "--fpr", plan[1], "--keys",
                  form_of(oracle), data=data)


def check(shop, tamis, table, name, label, oracle, plan, members, asked, golden=None):
    """One row: the first `members` keys in, the first `asked` asked for."""
    data, everyone = (keys.lines(oracle.kind, 0, count) for count in (members, asked))
    path = shop.dir / "filter"
    path.unlink(missing_ok=True)
    oracle.make(shop, path, data)
    again = None if golden is None else path.read_bytes() == golden
    there = ask_both(shop, tamis, oracle, path, everyone, members)
    fill_by_tamis(shop, tamis, name, oracle, path, plan, data)
    back = ask_both(shop, tamis, oracle, path, everyone, members)
    table.add(name, label, oracle.name, asked, again, there, back)
    path.unlink()
    shop.redis.call("FLUSHALL")


def filters_in(file):
    """Row group, where the bitset begins, and where it ends, of each filter of column id."""
    for group, offset, length in duckdb.sql(f"""SELECT row_group_id, bloom_filter_offset,
            bloom_filter_length FROM parquet_metadata('{file}')
            WHERE path_in_schema = 'id' ORDER BY row_group_id""").fetchall():
        yield group, offset + length % 32, offset + length  # a header is shorter than a block


def excluded(file, key):
    """The row groups whose filter says that the key is not there."""
    rows = duckdb.sql(f"""SELECT row_group_id, bloom_filter_excludes
        FROM parquet_bloom_probe('{file}', 'id', {key})""").fetchall()
    return {group for group, out in rows if out}


def check_parquet(shop, tamis, table, file, label, who, firsts, probes, again):
    """Row group g of `file` holds the ids of keys firsts[g] to firsts[g + 1] - 1. tamis tells the
    groups of all keys; then its own bitsets, byte for byte the same, take the place of the writer's,
    and DuckDB is asked about `probes`."""
    count = firsts[-1]
    data = keys.lines("long", 0, count)
    found = tamis.run("query", file, "--column", "id", data=data).splitlines()
    there = len(found) == count
    for i, line in enumerate(found):
        groups = line.split(b"\t")[1].split(b",")
        home = next(g for g in range(len(firsts) - 1) if i < firsts[g + 1])
        there = there and str(home).encode() in groups
    image, same = bytearray(file.read_bytes()), True
    native, bitset = shop.dir / "bitset.tamis", shop.dir / "bitset"
    for group, begin, end in filters_in(file):
        tamis.run("build", "-o", native, "--bytes", end - begin, "--keys", "long",
                  data=keys.lines("long", firsts[group], firsts[group + 1]))
        tamis.run("convert", native, bitset, "--to", "bitset", "--lossy")
        same = same and image[begin:end] == bitset.read_bytes()
        image[begin:end] = bitset.read_bytes()
    patched = shop.dir / "patched.parquet"
    patched.write_bytes(image)
    # Asked for keys of both kinds, DuckDB excludes just the groups that tamis does not name.
    groups = set(range(len(firsts) - 1))
    back = same
    for i in probes:
        line = tamis.run("query", patched, "--column", "id", data=keys.lines("long", i, i + 1))
        named = {int(g) for g in line.split(b"\t")[1].split(b",")} if line else set()
        back = back and excluded(patched, keys.long(i)) == groups - named
    table.add("parquet", label, who, count, again, there, None if who == "pyarrow" else back)
    if who == "pyarrow":
        table.add("parquet", label, "duckdb", len(probes), None, None, back)


def check_golden_parquet(shop, tamis, table):
    made = shop.dir / "parquet"
    made.mkdir()
    run(sys.executable, HERE / "parquet/make.py", made)
    for file, who, firsts in (("arrow.parquet", "pyarrow", [0, 400, 600]),
                              ("duckdb.parquet", "duckdb", [0, 256, 512, 600])):
        again = (made / file).read_bytes() == (HERE / "parquet" / file).read_bytes()
        check_parquet(shop, tamis, table, made / file, file, who, firsts,
                      [0, 5, 300, 599, *range(10_000, 10_040)], again)


def check_large_parquet(shop, tamis, table):
    """100,000 ids in each of two row groups; for DuckDB, which writes filters only of columns that
    repeat, four times each."""
    ids = [keys.long(i) for i in range(2 * MANY)]
    once = pyarrow.table({"id": pyarrow.array(ids, pyarrow.int64())})
    file = shop.dir / "large.parquet"
    pyarrow.parquet.write_table(once, file, row_group_size=MANY,
                                bloom_filter_options={"id": {"ndv": MANY, "fpp": RATE}})
    probes = [0, MANY - 1, MANY, 2 * MANY - 1, *range(10 * MANY, 10 * MANY + 40)]
    check_parquet(shop, tamis, table, file, f"2 x {MANY} ids", "pyarrow", [0, MANY, 2 * MANY], probes,
                  None)
    repeated = pyarrow.table({"id": pyarrow.array([i for i in ids for _ in range(4)],
                                                  pyarrow.int64())})
    database = duckdb.connect()
    database.execute("SET threads = 1")
    database.register("repeated", repeated)
    # Row groups are of whole vectors of 2048 rows, 512 ids.
    rows = 2048 * 200
    database.execute(f"""COPY (SELECT * FROM repeated) TO '{file}' (FORMAT parquet,
        DICTIONARY_SIZE_LIMIT 1000000, ROW_GROUP_SIZE {rows},
        BLOOM_FILTER_FALSE_POSITIVE_RATIO {RATE})""")
    check_parquet(shop, tamis, table, file, f"2 x {MANY} ids", "duckdb",
                  [0, rows // 4, 2 * MANY], probes, None)


def varint(value):
    """A number in Thrift's compact protocol."""
    value, out = 2 * value, b""
    while value >= 128:
        out += bytes([value % 128 + 128])
        value //= 128
    return out + bytes([value])


def check_huge_parquet(shop, tamis, table):
    """A filter of more than 2^32 bits that tamis makes takes the place of a small one in a file, and
    its length the place of the other's in the footer."""
    file, native, made = (shop.dir / name for name in ("huge.parquet", "huge.tamis", "huge"))
    ids = pyarrow.array([keys.long(i) for i in range(keys.MEMBERS)], pyarrow.int64())
    pyarrow.parquet.write_table(pyarrow.table({"id": ids}), file,
                                bloom_filter_options={"id": {"ndv": keys.MEMBERS, "fpp": RATE}})
    small = file.read_bytes()
    (offset, length), = duckdb.sql(f"""SELECT bloom_filter_offset, bloom_filter_length
        FROM parquet_metadata('{file}')""").fetchall()
    tamis.run("build", "-o", native, "--bytes", 540_000_000, "--keys", "long",
              data=keys.lines("long", 0, keys.MEMBERS))
    tamis.run("convert", native, made, "--to", "parquet", "--lossy")
    filter_bytes = made.read_bytes()
    footer = small[offset + length:-8].replace(
        varint(offset) + b"\x15" + varint(length),
        varint(offset) + b"\x15" + varint(len(filter_bytes)))
    end = int.from_bytes(small[-8:-4], "little") + len(footer) - len(small[offset + length:-8])
    with open(file, "wb") as out:
        for part in small[:offset], filter_bytes, footer, end.to_bytes(4, "little"), b"PAR1":
            out.write(part)
    found = tamis.run("query", file, "--column", "id", data=keys.lines("long", 0, FEW))
    right = len(found.splitlines()) == keys.MEMBERS
    for i in 0, 1, keys.MEMBERS - 1, keys.MEMBERS, FEW:
        right = right and excluded(file, keys.long(i)) == ({0} if i >= keys.MEMBERS else set())
    table.add("parquet", "4.32e9 bits", "duckdb", 5, None, None, right)
    for path in file, native, made:
        path.unlink()


def main(command):
    tamis, table = Tamis(command), Table()
    with Workshop() as shop:
        check_golden_parquet(shop, tamis, table)
        for path, oracle in GOLDEN.items():
            check(shop, tamis, table, format_of(path), path.split("/")[1], oracle, GOLDEN_PLAN,
                  keys.MEMBERS, keys.KEYS, (HERE / path).read_bytes())
        check_large_parquet(shop, tamis, table)
        growing = [("redis", Redis(RATE, 1000))]
        for name, oracle in oracles_for(MANY, 960_000) + growing:
            check(shop, tamis, table, name, f"{MANY} keys", oracle, (MANY, RATE), MANY, 2 * MANY)
        for name, oracle in oracles_for(HUGE, 4_320_000_000):
            if name != "dcso-gzip" and not isinstance(oracle, DcsoFlor):
                check(shop, tamis, table, name, "4.31e9 bits", oracle, (HUGE, RATE), keys.MEMBERS,
                      FEW)
        check_huge_parquet(shop, tamis, table)
    print("\nNot possible, marked - or left out:")
    for reason in NOT_POSSIBLE:
        print(f"- {reason}")
    sys.exit(f"{table.failed} checks failed" if table.failed else 0)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]).resolve())
