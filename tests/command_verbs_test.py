"""The other subcommands, from outside: CASES C7, and what their help promises.

    TAMIS_COMMAND=build/release/bin/tamis python3 tests/command_verbs_test.py -v

Standard library only.
"""

import gzip
import json
import os
import pathlib
import subprocess
import unittest

from command import COMMAND, ENVIRONMENT, Case


class C7(Case):
    def setUp(self):
        super().setUp()
        self.filter = self.path("f.tamis")
        self.run_tamis("build", "-o", self.filter, "--fpr", "1e-6", input=b"apple\npear\nplum")

    def query(self, *args, code, output=b"", input=b"apple\nfig\n\nplum"):
        result = self.run_tamis("query", self.filter, *args, input=input, code=code)
        self.assertEqual(result.stdout, output)

    def test_exits_0_if_any_line_was_found_and_1_if_none(self):
        self.query(code=0, output=b"apple\nplum")
        self.query(code=1, input=b"fig\ncherry\n")
        self.query(code=1, input=b"")
        self.query("-v", code=0, output=b"fig\n\n")
        self.query("-v", code=1, input=b"plum\n")
        self.query("-c", code=0, output=b"2\n")
        self.query("-v", "-c", code=0, output=b"2\n")
        self.query("-c", code=1, output=b"0\n", input=b"fig\n")
        self.query("-q", code=0)
        self.query("-q", code=1, input=b"fig\n")
        self.query("--map", code=0, output=b"apple\nplum")

    def test_exits_2_on_an_error(self):
        self.query("--no-such-option", code=2)
        self.query(self.path("gone"), code=2)
        self.refused("query", self.path("gone.tamis"), names="gone.tamis")
        self.refused("query", self.path("text", b"not a filter\n"), names="text")

    def test_reads_files_and_any_number_of_threads(self):
        lines = [b"%d" % i for i in range(100_000)]
        odd = self.path("odd.tamis")
        self.run_tamis("build", "-o", odd, "--fpr", "1e-9", input=b"\n".join(lines[1::2]))
        data = self.path("all", b"\n".join(lines))
        for threads in "1", "2", "5":
            result = self.run_tamis("query", odd, data, "--threads", threads)
            self.assertTrue(result.stdout == b"\n".join(lines[1::2]))


class Plan(Case):
    def test_counts_distinct_keys_of_files_first(self):
        lines = b"".join(b'{"n":%d,"k":"%d"}\n' % (i, i % 40_000) for i in range(100_000))
        path = self.path("in.gz", gzip.compress(lines))
        for options in ([path], [path, path], ["-"]):
            result = self.run_tamis("plan", *options, "--json-key", "k", "--json", "--fpr", "1%",
                                    input=lines)
            plan = json.loads(result.stdout)
            error = plan["distinct_standard_error"]
            self.assertAlmostEqual(plan["distinct"], 40_000, delta=5 * error * 40_000)
            # Enough room, and the bits a key that 1 % takes.
            self.assertGreater(plan["capacity"], plan["distinct"])
            self.assertAlmostEqual(plan["bits"] / plan["capacity"], 10.53, delta=0.05)
        self.assertIn(b"distinct      about ", self.run_tamis("plan", path).stdout)

    def test_refuses_two_sizes_and_tells_of_records_without_a_key(self):
        path = self.path("in", b"a\n")
        self.refused("plan", path, "--expect", "10", names="--expect")
        self.refused("plan", names="FILE")
        result = self.run_tamis("plan", path, "--json-key", "k", code=1)
        self.assertIn(b"errors        1\n", result.stdout)


class Lock(Case):
    def test_a_second_writer_of_a_seen_filter_is_refused_until_the_first_is_done(self):
        seen = self.path("seen.tamis")
        with subprocess.Popen([*COMMAND, "dedup", "--seen", seen], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              env=ENVIRONMENT) as first:
            first.stdin.write(b"one\n")
            first.stdin.flush()
            self.assertEqual(first.stdout.readline(), b"one\n")  # it is at work
            self.refused("dedup", "--seen", seen, input=b"two\n", names=["seen.tamis", "another run"])
            link = self.path("link.tamis")
            os.symlink(seen, link)
            self.refused("dedup", "--seen", link, input=b"two\n", names=["another run"])
            first.stdin.close()
            self.assertEqual(first.wait(60), 0)
        result = self.run_tamis("dedup", "--seen", seen, input=b"one\ntwo\n")
        self.assertEqual(result.stdout, b"two\n")
        self.assertEqual(sorted(os.listdir(self.dir)), ["link.tamis", "seen.tamis"])

    def test_a_killed_run_leaves_nothing_that_keeps_the_next_one_out(self):
        seen = self.path("seen.tamis")
        with subprocess.Popen([*COMMAND, "dedup", "--seen", seen], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              env=ENVIRONMENT) as first:
            first.stdin.write(b"one\n")
            first.stdin.flush()
            self.assertEqual(first.stdout.readline(), b"one\n")
            first.kill()
            first.wait(60)
            first.stdin.close()
        self.assertEqual(self.run_tamis("dedup", "--seen", seen, input=b"one\n").stdout, b"one\n")


class Verbs(Case):
    def test_help_has_an_example_and_the_version_is_told(self):
        for name in "dedup", "build", "query", "merge", "fold", "info", "plan":
            self.assertIn(b"Example", self.run_tamis(name, "--help").stdout)
            self.assertIn(name.encode(), self.run_tamis("--help").stdout)
        self.assertRegex(self.run_tamis("--version").stdout, rb"^tamis \d+\.\d+")

    def test_usage_errors_exit_2_in_one_line(self):
        self.refused(names="--help")
        self.refused("frobnicate", names="frobnicate")
        self.refused("dedup", "--frobnicate", names="--frobnicate")
        self.refused("dedup", "--count", "-o", "x", names="--output")
        self.refused("build", names="--output")

    def test_bad_numbers_are_refused_with_value_and_limit(self):
        for value in "0", "1", "2", "-1", "nan", "inf", "x", "100%", "0.1%%", "":
            self.refused("dedup", "--fpr", value, names=["--fpr " + value, "between 0 and 1"])
        for value in "-1", "1.5", "x", "10Q", "1e30", "nan", "20000000000000000000":
            self.refused("plan", "--expect", value, names=["--expect " + value, "whole number"])
        for value in "0", "-2", "x", "1025":
            self.refused("dedup", "--threads", value, names=value)
        self.refused("plan", "--expect", "1e18", "--fpr", "0.01", names=["1000000000000000000", "limit"])
        self.refused("dedup", "--backend", "gpu", names=["gpu", "scalar"])
        self.refused("dedup", "--target", "MMX", names=["MMX", "scalar"])
        self.refused("dedup", "--variant", "round", names=["round", "split_block"])

    def test_count_prints_only_numbers(self):
        result = self.run_tamis("dedup", "--count", input=b"a\nb\na\n")
        names = [line.split()[0] for line in result.stdout.decode().splitlines()]
        self.assertEqual(names, ["lines", "new", "duplicates", "predicted_loss", "errors"])
        self.assertTrue(result.stdout.startswith(b"lines 3\nnew 2\nduplicates 1\n"))

    def test_duplicates_to_standard_output(self):
        result = self.run_tamis("dedup", "-o", self.path("kept"), "--duplicates", "-",
                                input=b"a\nb\na\nc\nb")
        self.assertEqual(result.stdout, b"a\nb")
        self.assertEqual((self.dir / "kept").read_bytes(), b"a\nb\nc\n")

    def test_seen_remembers_from_run_to_run(self):
        seen = self.path("seen.tamis")
        for expect in [], ["--expect", "1000"]:
            self.assertEqual(self.run_tamis("dedup", "--seen", seen, *expect,
                                            input=b"a\nb\n").stdout, b"a\nb\n")
            self.assertEqual(self.run_tamis("dedup", "--seen", seen, *expect,
                                            input=b"b\nc\na\n").stdout, b"c\n")
            self.assertEqual(self.run_tamis("dedup", "--seen", seen, input=b"c\nd\n").stdout,
                             b"d\n")
            os.remove(seen)
        self.assertEqual(self.leftovers(), [])

    def test_seen_of_another_kind_or_damaged_is_refused_and_kept(self):
        seen = self.path("seen.tamis")
        self.run_tamis("dedup", "--seen", seen, "--expect", "1000", input=b"a\n")
        whole = pathlib.Path(seen).read_bytes()
        for other in (["--expect", "1M"], ["--fpr", "0.5"], ["--variant", "split_block_512"]):
            self.refused("dedup", "--seen", seen, *other, names="seen.tamis")
        damaged = bytearray(whole)
        damaged[-1] ^= 1
        pathlib.Path(seen).write_bytes(damaged)
        self.refused("dedup", "--seen", seen, names="seen.tamis")
        self.assertEqual(pathlib.Path(seen).read_bytes(), damaged)

    def test_report_is_json_whatever_the_names(self):
        name = os.fsencode(self.dir) + b'/odd "\\\xff\xc3\xa9\n'
        pathlib.Path(os.fsdecode(name)).write_bytes(b"a\nb\na\n")
        report = self.path("report.json")
        self.run_tamis("dedup", name, "--report", report)
        told = json.loads(pathlib.Path(report).read_bytes().decode("utf-8"))
        self.assertEqual((told["lines"], told["new"], told["duplicates"]), (3, 2, 1))
        self.assertTrue(told["inputs"][0].endswith('/odd "\\\ufffd\xe9\n'))
        self.assertEqual(told["bytes"], 6)
        self.assertEqual(told["filter"]["inserted"], 2)

    def test_a_file_on_standard_input_is_read_from_where_it_stands(self):
        path = self.path("in", b"skipped\na\nb\na\n")
        with open(path, "rb") as data:
            data.seek(8)
            result = subprocess.run([*COMMAND, "dedup"], stdin=data, stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE, env=ENVIRONMENT)
        self.assertEqual(result.stdout, b"a\nb\n")

    def test_nothing_on_standard_error_but_the_summary_when_it_is_no_terminal(self):
        result = self.run_tamis("dedup", input=b"a\n" * 100_000)
        self.assertNotIn(b"\r", result.stderr)
        self.assertTrue(all(line.startswith((b"tamis dedup: ", b"  "))
                            for line in result.stderr.splitlines()))

    def test_build_info_and_merge(self):
        parts = []
        for name, keys in (("a", range(600)), ("b", range(400, 1000))):
            parts.append(self.path(name + ".tamis"))
            self.run_tamis("build", "-o", parts[-1], "--expect", "1000", "--fpr", "1e-6",
                           input=b"".join(b"%d\n" % key for key in keys))
        both = self.path("both.tamis")
        self.run_tamis("merge", "-o", both, *parts)
        result = self.run_tamis("query", both, "-c", input=b"".join(b"%d\n" % i
                                                                    for i in range(1000)))
        self.assertEqual(result.stdout, b"1000\n")
        told = json.loads(self.run_tamis("info", "--json", "--verify", parts[0]).stdout)
        self.assertEqual((told["inserted"], told["capacity"], told["fpr"]), (600, 1000, 1e-6))
        self.assertTrue(told["body_verified"])
        self.assertIn(b"rate observed", self.run_tamis("info", parts[0]).stdout)

    def test_F12_merging_filters_of_unequal_size_is_refused_with_both_sizes(self):
        small, large = self.path("small.tamis"), self.path("large.tamis")
        self.run_tamis("build", "-o", small, "--bytes", "64KiB", input=b"a\n")
        self.run_tamis("build", "-o", large, "--bytes", "96KiB", input=b"b\n")
        self.refused("merge", "-o", self.path("sum.tamis"), small, large,
                     names=["small.tamis", "large.tamis", "65536", "98304"])

    def test_ways_to_size_a_filter(self):
        out = self.path("f.tamis")
        for options, size in ((["--bytes", "1MiB"], 1 << 20),
                              (["--expect", "1000", "--bits-per-key", "16"], 2016),
                              (["--expect", "1000", "--interop"], 4096)):
            self.run_tamis("build", "-o", out, *options, input=b"a\n")
            told = json.loads(self.run_tamis("info", "--json", out).stdout)
            self.assertEqual(told["bytes"], size)
        self.refused("build", "-o", out, "--bytes", "1M", "--expect", "5", names="--bytes")
        self.refused("build", "-o", out, "--bits-per-key", "8", names="--expect")

    def test_plan_tells_sizes_and_rates(self):
        plan = json.loads(self.run_tamis("plan", "--expect", "1M", "--fpr", "1%",
                                         "--json").stdout)
        self.assertAlmostEqual(plan["bits_per_key"], 10.5292, places=2)  # S16
        self.assertEqual(plan["bytes"] * 8, plan["bits"])
        rates = {rate["percent"]: rate["fpr"] for rate in plan["rates"]}
        self.assertEqual(sorted(rates), [50, 100, 150, 200])
        self.assertLessEqual(rates[100], 0.01)
        self.assertGreater(rates[100], 0.0099)
        self.assertLess(rates[50], rates[100])
        self.assertLess(rates[150], rates[200])
        text = self.run_tamis("plan", "--expect", "1M", "--fpr", "0.01").stdout.decode()
        self.assertIn(str(plan["bytes"]), text)

    def test_every_variant_and_hash_of_lines(self):
        lines = b"".join(b"line %d\n" % i for i in range(3000))
        out, secret = self.path("f.tamis"), self.path("secret", bytes(range(16)))
        for variant in "split_block", "split_block_512", "classic", "cache_line", \
                       "register_blocked":
            for scheme in "xxh64", "xxh3", "murmur3_x64_128", "fnv1a_64", "siphash_2_4":
                keyed = ["--secret", secret] if scheme == "siphash_2_4" else []
                self.run_tamis("build", "-o", out, "--expect", "3000", "--variant", variant,
                               "--hash", scheme, *keyed, input=lines)
                result = self.run_tamis("query", "-c", *keyed, out, input=lines + b"foreign\n" * 9)
                self.assertIn(int(result.stdout), (3000, 3009))
                told = json.loads(self.run_tamis("info", "--json", *keyed, out).stdout)
                self.assertEqual((told["variant"], told["hash"]), (variant, scheme))

    def test_a_keyed_filter_opens_with_its_secret_only(self):
        seen = self.path("seen.tamis")
        secret, other = self.path("secret", b"0123456789abcdef"), self.path("other", bytes(16))
        short = self.path("short", b"0123456789abcde")
        dedup = ["dedup", "--hash", "siphash_2_4", "--seen", seen, "--expect", "100"]
        self.refused(*dedup, names="secret key", input=b"a\n")
        self.refused(*dedup, "--secret", short, names=["short", "15 bytes"], input=b"a\n")
        self.assertEqual(self.run_tamis(*dedup, "--secret", secret, input=b"a\n").stdout, b"a\n")
        self.assertEqual(self.run_tamis(*dedup, "--secret", secret, input=b"a\n").stdout, b"")
        for command in (["query", seen], ["info", seen], ["merge", "-o", seen, seen]):
            self.refused(*command, names=["seen.tamis", "none was given"])
            self.refused(*command, "--secret", other, names=["none was given"])  # zeros are none
        self.assertNotIn(b"0123456789abcdef", pathlib.Path(seen).read_bytes())


if __name__ == "__main__":
    unittest.main()
