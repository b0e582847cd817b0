"""tamis bench, from outside: what a run of a moment writes, and what it refuses.

No figure is judged: a timing is never a test. Usage: bench_test.py (with TAMIS_COMMAND set).
"""

import json
import math
import os
import shlex
import subprocess
import sys
import tempfile
import unittest

COMMAND = shlex.split(os.environ.get("TAMIS_COMMAND", "tamis"))

MACHINE = {"cpu": str, "cores": int, "l1_bytes": int, "l2_bytes": int, "l3_bytes": int,
           "memory_bytes": int, "page_kinds": list, "compiler": str, "version": str, "date": str,
           "noise": float}
LIMIT = {"access": str, "block_bytes": int, "array_bytes": int, "pages": str, "threads": int,
         "distance": int, "level": int, "m_per_s": float}
ROW = {"system": str, "backend": str, "target": str, "threads": int, "op": str, "variant": str,
       "key_kind": str, "filter_keys": int, "bits_per_key": float, "hit_share": float, "batch": int,
       "pages": str, "mkeys_per_s": float, "fpr": float, "fpr_theory": float,
       "limit_mkeys_per_s": float, "limit_share": float}


def bench(*arguments):
    """Runs tamis bench; returns its exit code, output and errors."""
    done = subprocess.run([*COMMAND, "bench", *arguments], capture_output=True, text=True,
                          check=False, timeout=120)
    return done.returncode, done.stdout, done.stderr


class Bench(unittest.TestCase):
    """A run, and what it leaves."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = os.path.join(cls.folder.name, "out")
        cls.code, cls.output, cls.errors = bench("--for-a-moment", "--out", cls.path)
        with open(os.path.join(cls.path, "result.json"), encoding="utf-8") as file:
            cls.result = json.load(file)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def check_fields(self, item, fields):
        """Just these fields, of these types."""
        self.assertEqual(list(item), list(fields))
        for name, kind in fields.items():
            self.assertIsInstance(item[name], kind, name)
            if kind is float:
                self.assertTrue(math.isfinite(item[name]) and item[name] >= 0, name)

    def test_succeeds_and_says_where_its_files_are(self):
        self.assertEqual(self.code, 0, self.errors)
        self.assertEqual(self.errors, "")  # progress is for terminals
        self.assertIn(os.path.join(self.path, "result.json"), self.output)
        self.assertIn("The machine was ", self.output)
        self.assertNotIn("skipped", self.output)
        self.assertTrue(os.path.getsize(os.path.join(self.path, "report.html")) > 0)

    def test_machine(self):
        self.check_fields(self.result["machine"], MACHINE)
        self.assertGreaterEqual(self.result["machine"]["cores"], 1)
        self.assertIn("4k", self.result["machine"]["page_kinds"])
        self.assertRegex(self.result["machine"]["date"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")

    def test_limits(self):
        for row in self.result["limits"]:
            self.check_fields(row, LIMIT)
            self.assertGreater(row["m_per_s"], 0)
        self.assertEqual({row["access"] for row in self.result["limits"]},
                         {"read", "update", "sequential_read", "sequential_write", "hash"})
        self.assertEqual({row["block_bytes"] for row in self.result["limits"]}, {0, 32, 64})

    def test_rows(self):
        names = set()
        for row in self.result["rows"]:
            self.check_fields(row, ROW)
            self.assertGreater(row["mkeys_per_s"], 0)
            self.assertIn(row["pages"], {"4k", "huge"})
            self.assertLessEqual(row["fpr"], 0.1)
            names.add(tuple(row[name] for name in list(ROW)[:12]))
        self.assertEqual(len(names), len(self.result["rows"]), "a row comes twice")

    def test_tamis_rows(self):
        rows = [row for row in self.result["rows"] if row["system"] == "tamis"]
        self.assertEqual({row["op"] for row in rows},
                         {"contains", "insert", "insert_new", "merge", "hash"})
        self.assertEqual({row["key_kind"] for row in rows}, {"u64", "strings20"})
        for row in rows:
            self.assertNotEqual(row["target"], "")
            limited = row["op"] in ("contains", "insert", "insert_new")
            self.assertEqual(row["limit_share"] > 0, limited)
            self.assertEqual(row["fpr_theory"] > 0, limited)

    def test_rivals_come_beside(self):
        rivals = {row["system"] for row in self.result["rows"]} - {"tamis"}
        self.assertIn("std::unordered_set", rivals)  # the one that is always there
        for row in self.result["rows"]:
            if row["system"] in rivals:
                self.assertEqual((row["backend"], row["target"]), ("", ""))

    def test_only_some_rows(self):
        path = os.path.join(self.folder.name, "some")
        code, _, errors = bench("--for-a-moment", "--only", "tamis/merge/", "--out", path)
        self.assertEqual(code, 0, errors)
        with open(os.path.join(path, "result.json"), encoding="utf-8") as file:
            result = json.load(file)
        self.assertEqual({row["op"] for row in result["rows"]}, {"merge"})
        self.assertEqual(result["limits"], [])

    def test_compare_reads_results(self):
        path = os.path.join(self.folder.name, "compare")
        one = os.path.join(self.path, "result.json")
        code, _, errors = bench("--compare", one, one, "--out", path)
        self.assertEqual(code, 0, errors)
        self.assertEqual(os.listdir(path), ["report.html"])

    def test_refuses_in_one_line(self):
        broken = os.path.join(self.folder.name, "broken.json")
        with open(broken, "w", encoding="utf-8") as file:
            file.write('{"machine": {"cpu": 7}}')
        for arguments, names in ((["--compare", broken], broken),
                                 (["--compare", "/nowhere/x.json"], "/nowhere/x.json"),
                                 (["--quick", "--full"], "--full"),
                                 (["--only", "("], "--only"),
                                 (["--unknown"], "--unknown")):
            code, _, errors = bench(*arguments, "--out", self.path)
            self.assertEqual(code, 2, arguments)
            self.assertEqual(errors.count("\n"), 1, errors)
            self.assertTrue(errors.startswith("tamis: "), errors)
            self.assertIn(names, errors)


if __name__ == "__main__":
    sys.exit(unittest.main())
