"""tamis fold, from outside: sizes and rates told first, and every key still there.

    TAMIS_COMMAND=build/release/bin/tamis python3 tests/command_fold_test.py -v

Standard library only.
"""

import json
import os
import pathlib
import subprocess
import unittest

from command import COMMAND, ENVIRONMENT, Case

KEYS = b"".join(b"key %d\n" % i for i in range(20_000))


class Fold(Case):
    def build(self, *options, keys=KEYS, name="large.tamis"):
        path = self.path(name)
        self.run_tamis("build", "-o", path, *options, input=keys)
        return path

    def info(self, path):
        return json.loads(self.run_tamis("info", "--json", "--verify", path).stdout)

    def rows(self, text):
        """The table's rows: factor, and the numbers behind the size."""
        lines = [line.split() for line in text.decode().splitlines()]
        return [(int(line[0]), *line[3:]) for line in lines if line and line[0].isdigit()]

    def test_a_folded_filter_is_the_one_that_was_built_at_that_size(self):
        for variant in "split_block", "split_block_512", "classic", "cache_line", "register_blocked":
            large = self.build("--bytes", "1MiB", "--variant", variant)
            small, direct = self.path("small.tamis"), self.path("direct.tamis")
            self.run_tamis("fold", large, "-o", small, "--by", "16")
            self.build("--bytes", "64KiB", "--variant", variant, name="direct.tamis")
            # But for the number of keys: fewer are new to a small filter while it fills.
            self.assertEqual(pathlib.Path(small).read_bytes()[4096:],
                             pathlib.Path(direct).read_bytes()[4096:], variant)
            self.assertEqual(self.run_tamis("query", "-c", small, input=KEYS).stdout, b"20000\n")

    def test_the_rates_are_told_before_and_kept(self):
        large = self.build("--expect", "10M", "--fpr", "0.1%")
        small = self.path("small.tamis")
        result = self.run_tamis("fold", large, "-o", small, "--fpr", "0.1%")
        (one, holds, *_), (by, fewer, rate, now, observed) = self.rows(result.stderr)
        self.assertEqual((one, int(holds)), (1, 10_000_000))
        told = self.info(small)
        self.assertEqual(told["bytes"] * by, self.info(large)["bytes"])
        self.assertEqual((told["capacity"], told["fpr"]), (int(fewer), 0.001))
        self.assertEqual(float(rate), 0.001)
        self.assertAlmostEqual(float(now), told["expected_fpr"], delta=1e-2 * float(now))
        self.assertAlmostEqual(float(observed), told["observed_fpr"], delta=1e-2 * float(observed))
        self.assertLessEqual(told["expected_fpr"], 0.001)
        self.assertGreaterEqual(told["capacity"], told["inserted"])
        self.assertEqual(self.run_tamis("query", "-c", small, input=KEYS).stdout, b"20000\n")

    def test_a_dry_run_lists_sizes_and_writes_nothing(self):
        large = self.build("--bytes", "1MiB")
        rows = self.rows(self.run_tamis("fold", large, "--dry-run").stdout)
        self.assertEqual([row[0] for row in rows], [2**i for i in range(len(rows))])
        self.assertGreater(len(rows), 5)
        rates = [float(row[3]) for row in rows]
        self.assertEqual(rates, sorted(rates))
        some = self.rows(self.run_tamis("fold", large, "--dry-run", "--by", "8").stdout)
        self.assertEqual([row[0] for row in some], [1, 8])
        self.assertEqual(some[1][3], rows[3][3])
        self.assertEqual(os.listdir(self.dir), ["large.tamis"])

    def test_the_input_is_replaced_only_when_asked(self):
        large = self.build("--bytes", "1MiB")
        before = pathlib.Path(large).read_bytes()
        link = self.path("link.tamis")
        os.symlink(large, link)
        for output in large, link:
            self.refused("fold", large, "-o", output, "--by", "2", names=["--in-place", output])
        self.assertEqual(pathlib.Path(large).read_bytes(), before)
        self.run_tamis("fold", large, "--in-place", "--by", "4")
        self.assertEqual(self.info(large)["bytes"], 1 << 18)
        self.assertEqual(self.run_tamis("dedup", "--seen", large, input=KEYS + b"new\n").stdout,
                         b"new\n")
        self.assertEqual(sorted(os.listdir(self.dir)), ["large.tamis", "link.tamis"])

    def test_a_filter_that_a_run_is_using_is_not_replaced(self):
        seen = self.build("--bytes", "1MiB")
        with subprocess.Popen([*COMMAND, "dedup", "--seen", seen], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              env=ENVIRONMENT) as run:
            run.stdin.write(b"one\n")
            run.stdin.flush()
            self.assertEqual(run.stdout.readline(), b"one\n")  # it is at work
            self.refused("fold", seen, "--in-place", "--by", "2", names="another run")
            run.stdin.close()
            self.assertEqual(run.wait(60), 0)
        self.assertEqual(self.info(seen)["bytes"], 1 << 20)

    def test_what_cannot_be_is_refused(self):
        large, out = self.build("--bytes", str(32 * 1001)), self.path("out")
        self.refused("fold", large, "-o", out, "--by", "2", names=["1001 blocks", "7, 11, 13, 77"])
        self.refused("fold", large, "-o", out, "--by", "0", names="by 0")
        self.refused("fold", large, "-o", out, names=["--by", "--fpr", "--dry-run"])
        self.refused("fold", large, "--by", "7", names=["-o", "--in-place"])
        self.refused("fold", large, "-o", out, "--in-place", "--by", "7", names=["-o", "--in-place"])
        self.refused("fold", large, "-o", out, "--by", "7", "--fpr", "0.1", names=["--by", "--fpr"])
        self.refused("fold", large, "-o", out, "--fpr", "1e-9",
                     names=["1001 blocks", "before it is folded"])
        self.refused("fold", self.path("gone"), "-o", out, "--by", "2", names="gone")
        growing = self.path("growing.tamis")
        self.run_tamis("dedup", "--seen", growing, input=b"a\n")
        self.refused("fold", growing, "-o", out, "--by", "2", names=["growing.tamis", "single"])
        self.assertEqual(sorted(os.listdir(self.dir)), ["growing.tamis", "large.tamis"])

    def test_a_filter_that_holds_too_few_keys_then_is_warned_of(self):
        large = self.build("--expect", "1M", "--interop")
        result = self.run_tamis("fold", large, "-o", self.path("small"), "--by", "256")
        self.assertIn(b"warning: more keys than the", result.stderr)
        self.assertTrue(self.info(self.path("small"))["overfull"])

    def test_what_has_no_smaller_size_stays_as_it_is(self):
        large = self.build("--expect", "20000", "--fpr", "1%")
        small = self.path("small")
        result = self.run_tamis("fold", large, "-o", small, "--fpr", "1.1%")
        self.assertEqual([row[0] for row in self.rows(result.stderr)], [1, 1])
        self.assertEqual(pathlib.Path(small).read_bytes()[4096:],
                         pathlib.Path(large).read_bytes()[4096:])

    def test_filters_of_other_systems_keep_their_format(self):
        keys = b"".join(b"key %d\n" % i for i in range(300))
        for name in "dcso", "dcso-gzip", "spark-v1", "spark-v2", "guava-0", "guava-1", \
                "bits-and-blooms", "parquet":
            large, small = self.path("large"), self.path("small")
            self.run_tamis("build", "-o", large, "--to", name, "--expect", "100k", input=keys)
            listed = self.rows(self.run_tamis("fold", large, "--dry-run").stdout)
            folded = 0
            for by, *_ in listed[1:4]:
                # Some formats hold whole words of bits alone; then they say so.
                result = subprocess.run([*COMMAND, "fold", large, "-o", small, "--by", str(by)],
                                        stderr=subprocess.PIPE, env=ENVIRONMENT)
                if result.returncode == 0:
                    folded += 1
                    self.assertEqual(self.info(small)["format"], name)
                    self.assertEqual(self.info(small)["bits"] * by, self.info(large)["bits"])
                    self.assertEqual(self.run_tamis("query", "-c", small, input=keys).stdout,
                                     b"300\n")
                else:
                    self.assertIn(b"holds", result.stderr)
            self.assertTrue(folded > 0 or len(listed) == 1 or name[:5] in ("spark", "guava"),
                            (name, listed))

    def test_a_keyed_filter_folds_with_its_secret_only(self):
        secret = ["--secret", self.path("secret", b"0123456789abcdef")]
        large, small = self.build("--bytes", "1MiB", "--hash", "siphash_2_4", *secret), self.path("s")
        self.refused("fold", large, "-o", small, "--by", "2", names="none was given")
        self.run_tamis("fold", large, "-o", small, "--by", "2", *secret)
        self.assertEqual(self.run_tamis("query", "-c", small, *secret, input=KEYS).stdout, b"20000\n")

    def test_large_filters_are_built_so_that_they_can_be_halved(self):
        for options in (["--expect", "2222222"], ["--expect", "1234567", "--bits-per-key", "16.1"],
                        ["--expect", "2222222", "--variant", "classic"]):
            large = self.build(*options, keys=b"a\n")
            rows = self.rows(self.run_tamis("fold", large, "--dry-run").stdout)
            self.assertLessEqual({1, 2, 4, 8, 16, 32, 64}, {row[0] for row in rows})


if __name__ == "__main__":
    unittest.main()
