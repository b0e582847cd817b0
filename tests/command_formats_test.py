"""Filters of other systems, through the command: convert, and the verbs that take any of them.

    TAMIS_COMMAND=build/release/bin/tamis python3 tests/command_formats_test.py -v

The filters in tests/golden were made by those systems themselves. Standard library only.
"""

import json
import pathlib
import sys
import unittest

from command import Case

GOLDEN = pathlib.Path(__file__).parent / "golden"
sys.path.append(str(GOLDEN))

import keys  # noqa: E402


class Parquet(Case):
    FILE = str(GOLDEN / "parquet/arrow.parquet")  # 600 keys, the first 400 in row group 0

    def ids(self, *numbers):
        return b"".join(b"%d\n" % keys.long(i) for i in numbers)

    def test_info_lists_column_row_group_size_and_rate(self):
        told = json.loads(self.run_tamis("info", "--json", self.FILE).stdout)["parquet_filters"]
        self.assertEqual([(f["column"], f["row_group"], f["rows"], f["bytes"]) for f in told],
                         [("id", 0, 400, 512), ("name", 0, 400, 512), ("small", 0, 400, 512),
                          ("id", 1, 200, 256), ("name", 1, 200, 256), ("small", 1, 200, 256)])
        self.assertTrue(all(0.005 < f["observed_fpr"] < 0.02 for f in told))
        text = self.run_tamis("info", self.FILE).stdout.decode().splitlines()
        self.assertEqual(text[2].split()[:5], ["id", "INT64", "0", "400", "512"])

    def test_query_tells_which_row_groups_may_hold_a_key(self):
        column = ["query", self.FILE, "--column", "id"]
        result = self.run_tamis(*column, input=self.ids(399, 400, 5001))
        self.assertEqual(result.stdout, b"%d\t0\n%d\t1\n" % (keys.long(399), keys.long(400)))
        self.assertEqual(self.run_tamis(*column, "-v", input=self.ids(1, 5001)).stdout,
                         self.ids(5001))
        self.assertEqual(self.run_tamis(*column, "-c", input=self.ids(*range(600))).stdout, b"600\n")
        self.run_tamis(*column, "-q", input=self.ids(5001), code=1)
        unsigned = b"%d\n" % (keys.long(1) % (1 << 64))
        self.assertEqual(self.run_tamis(*column, input=unsigned).stdout, unsigned[:-1] + b"\t0\n")

    def test_query_by_text_and_by_small_numbers(self):
        name = "k\u00e9401xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx".encode()
        result = self.run_tamis("query", self.FILE, "--column", "name", input=name)
        self.assertEqual(result.stdout, name + b"\t1\n")
        small = keys.long(3) % (1 << 32)
        result = self.run_tamis("query", self.FILE, "--column", "small", input=b"%d\n" % small)
        self.assertEqual(result.stdout, b"%d\t0\n" % small)

    def test_what_cannot_be_asked_is_refused(self):
        self.refused("query", self.FILE, "--column", "nil", names=["nil", "id, name, small"])
        self.refused("query", self.FILE, "--column", "id", input=b"5\nfive\n", names=["five", "64 bits"])
        self.refused("query", self.FILE, names=["Parquet", "column"])
        self.refused("query", __file__, "--column", "id", names="no filter")
        self.refused("query", self.FILE, "--column", "1", "--csv", names="Parquet file takes lines")


class Convert(Case):
    def build(self, *options):
        path = self.path("f.tamis")
        self.run_tamis("build", "-o", path, *options, input=keys.lines("text", 0, 200))
        return path

    def test_there_and_back_is_the_same_file(self):
        native = self.build("--bytes", "1024")
        for name in "parquet", "bitset":
            other, back = self.path(name), self.path(name + ".tamis")
            self.run_tamis("convert", native, other, "--to", name, "--lossy")
            options = ["--format", "bitset"] if name == "bitset" else []
            self.run_tamis("convert", other, self.path(name + ".2"), "--to", name, *options)
            self.assertEqual(pathlib.Path(other).read_bytes(),
                             (self.dir / (name + ".2")).read_bytes())
            self.run_tamis("convert", other, back, "--to", "tamis", *options)
            self.assertEqual(pathlib.Path(back).read_bytes()[4096:],
                             pathlib.Path(native).read_bytes()[4096:])

    def test_what_would_be_lost_is_told_and_refused(self):
        native = self.build("--expect", "1000", "--interop")
        out = self.path("out")
        self.refused("convert", native, out, "--to", "parquet",
                     names=["number of keys (200)", "1000 keys at", "--lossy"])
        self.assertFalse(pathlib.Path(out).exists())
        result = self.run_tamis("convert", native, out, "--to", "parquet", "--lossy")
        self.assertIn(b"left out: the number of keys", result.stderr)
        told = json.loads(self.run_tamis("info", "--json", out).stdout)
        self.assertEqual((told["format"], told["counted"]), ("parquet", False))
        self.assertTrue(190 <= told["inserted"] <= 210)

    def test_bits_of_another_layout_are_refused(self):
        for options in (["--seed", "7"], ["--variant", "split_block_512"]):
            native = self.build("--bytes", "1024", *options)
            self.refused("convert", native, self.path("out"), "--to", "parquet", "--lossy",
                         names=["parquet holds", "seed 0", "not ["])
        growing = self.path("growing.tamis")
        self.run_tamis("dedup", "--seen", growing, input=b"a\n")
        self.refused("convert", growing, self.path("out"), "--to", "parquet", "--lossy",
                     names=["one filter", "scalable"])

    def test_what_is_no_filter_is_told_by_what_it_is(self):
        dolma = self.path("bff", b"\x17\xf1\xf0\x81\x01\0\0\0" + bytes(100))
        self.refused("info", dolma, names=["dolma", "hash depends on the processor"])
        pybloom = self.path("pybloom", bytes.fromhex("7b14ae47e17a843f") + b"".join(
            n.to_bytes(8, "little") for n in (7, 100, 70, 3)) + bytes(88))
        self.refused("info", pybloom, names=["pybloom", "decimal digests"])
        self.refused("info", self.path("text", b"just text\n"), names=["text", "no filter"])
        self.refused("info", self.path("empty", b""), names=["empty", "0 bytes"])
        self.refused("info", self.build(), "--format", "pickle", names=["pickle", "parquet"])


class Foreign(Case):
    """Whatever made the filter, the verbs take it."""
    FILES = ["dcso/command.bloom", "dcso/command.bloom.gz", "dcso/flor.bloom", "spark/v1.bin",
             "spark/v2-seed.bin", "guava/ordinal-0.bin", "guava/ordinal-1.bin",
             "redis/growth-4.dump", "redis/fixed.dump", "bits-and-blooms/filter.bin"]
    FORMED = {"spark/v1-long.bin": "long", "guava/ordinal-1-long.bin": "long",
              "guava/ordinal-1-int.bin": "int", "guava/ordinal-0-utf-16.bin": "utf-16",
              "guava/ordinal-1-utf-16.bin": "utf-16"}

    def test_query_prints_what_its_maker_finds(self):
        for name, form in {**dict.fromkeys(self.FILES, "bytes"), **self.FORMED}.items():
            kind = form if form in keys.KINDS else "text"
            lines = keys.lines(kind, 0, keys.KEYS).splitlines(keepends=True)
            answers = pathlib.Path(GOLDEN, name + ".answers").read_bytes()
            result = self.run_tamis("query", str(GOLDEN / name), "--keys", form,
                                    input=b"".join(lines))
            self.assertEqual(result.stdout, b"".join(
                line for i, line in enumerate(lines) if answers[i // 8] >> (i % 8) & 1), name)

    def test_keys_that_are_numbers_go_on_where_their_maker_stopped(self):
        seen = self.path("seen", (GOLDEN / "guava/ordinal-1-long.bin").read_bytes())
        dedup = ["dedup", "--seen", seen, "--keys", "long"]
        some = keys.lines("long", 150, 250)
        new = self.run_tamis(*dedup, input=some).stdout.splitlines()
        self.assertLessEqual(set(new), set(keys.lines("long", 200, 250).splitlines()))
        self.assertGreater(len(new), 45)
        table = b"id,what\n" + b"".join(line + b",x\n" for line in some.splitlines())
        result = self.run_tamis(*dedup, "--column", "id", input=table)
        self.assertEqual(result.stdout, b"id,what\n")
        result = self.run_tamis(*dedup, "--on-error", "drop", input=b"five\n", code=1)
        self.assertEqual(result.stdout, b"")
        self.assertIn(b"no whole number of 64 bits", result.stderr)

    def test_info_tells_the_format(self):
        for name in self.FILES:
            told = json.loads(self.run_tamis("info", "--json", str(GOLDEN / name)).stdout)
            self.assertNotEqual(told["format"], "tamis")
            self.assertTrue(170 <= told["inserted"] <= 230, (name, told["inserted"]))

    def test_dedup_goes_on_where_another_program_stopped_and_keeps_its_format(self):
        for name in self.FILES:
            seen = self.path("seen", (GOLDEN / name).read_bytes())
            before = json.loads(self.run_tamis("info", "--json", seen).stdout)
            result = self.run_tamis("dedup", "--seen", seen, input=keys.lines("text", 100, 210))
            new = result.stdout.splitlines()
            self.assertLessEqual(set(new), set(keys.lines("text", 200, 210).splitlines()))
            self.assertGreater(len(new), 5)
            after = json.loads(self.run_tamis("info", "--json", seen).stdout)
            self.assertEqual(after["format"], before["format"])
            self.assertEqual(after["attached_bytes"], before["attached_bytes"])
            self.assertGreater(after["inserted"], before["inserted"])
            self.assertEqual(self.run_tamis("dedup", "--seen", seen,
                                            input=keys.lines("text", 0, 210)).stdout, b"")

    def test_build_makes_them_and_merge_joins_them(self):
        for name in "dcso", "dcso-gzip", "spark-v1", "spark-v2", "guava-0", "guava-1", "redis", \
                "bits-and-blooms", "parquet":
            parts = []
            for first in 0, 100:
                parts.append(self.path(f"{name}.{first}"))
                self.run_tamis("build", "-o", parts[-1], "--to", name, "--expect", "250", "--fpr",
                               "0.001", input=keys.lines("text", first, first + 100))
            out = self.path(name)
            self.run_tamis("merge", "-o", out, *parts)
            told = json.loads(self.run_tamis("info", "--json", out).stdout)
            self.assertEqual(told["format"], name)
            result = self.run_tamis("query", "-c", out, input=keys.lines("text", 0, 1000))
            self.assertTrue(200 <= int(result.stdout) < 210, result.stdout)

    def test_what_a_format_has_no_place_for(self):
        flor = str(GOLDEN / "dcso/flor.bloom")
        self.refused("convert", flor, self.path("out"), "--to", "tamis",
                     names=["attached data (20 bytes)", "--lossy"])
        self.refused("convert", flor, self.path("out"), "--to", "guava-1", "--lossy",
                     names=["guava-1 holds", "fnv1_64_dcso"])
        self.refused("build", "-o", self.path("out"), "--to", "dcso", "--expect", "9", "--seed", "3",
                     names=["seed 3", "dcso"])
        self.refused("build", "-o", self.path("out"), "--to", "dcso", names="--expect")
        self.refused("query", flor, "--keys", "long", input=b"1\n12x\n",
                     names=["record at byte 2", "whole number of 64 bits"])
        self.refused("query", flor, "--keys", "utf-16", input=b"\xff\n", names="UTF-8")
        self.refused("query", flor, "--keys", "roman", names=["roman", "utf-16"])


if __name__ == "__main__":
    unittest.main()
