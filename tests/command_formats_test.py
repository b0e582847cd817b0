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
        self.refused("query", __file__, "--column", "id", names="no Parquet file")


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


if __name__ == "__main__":
    unittest.main()
