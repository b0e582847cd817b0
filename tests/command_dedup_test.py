"""tamis dedup, from outside: CASES C1 to C4 and B2, a class for each row.

What it must print is told by plain Python: a set of the lines seen. Run by ctest, or by hand:

    TAMIS_COMMAND=build/release/bin/tamis python3 tests/command_dedup_test.py -v C2

Standard library only.
"""

import json
import os
import pathlib
import random
import signal
import subprocess
import time
import unittest

from command import COMMAND, SANITIZER, QUICK, CHUNK, ENVIRONMENT, first_and_others, Case


class C1(Case):
    def test_lines_around_and_beyond_the_size_of_a_read(self):
        rng = random.Random(1)
        sizes = [0, 1, 65536, 65537, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK - 1, 2 * CHUNK,
                 2 * CHUNK + 1, 5 * CHUNK + 77]
        lines = [bytes([97 + i % 26]) * size for i, size in enumerate(sizes)]
        lines += [b"short%d" % i for i in range(50)]
        for end in b"", b"\n":
            picked = [rng.choice(lines) for _ in range(60)]
            self.check_dedup(b"\n".join(picked) + end)

    def test_short_lines_behind_a_long_one(self):
        for longest in CHUNK - 3, CHUNK, CHUNK + 1, 3 * CHUNK:
            short = b"".join(b"%d\n" % (i % 3000) for i in range(40000))
            self.check_dedup(b"a\nb\n" + b"x" * longest + b"\n" + short + b"y" * longest + b"\na")

    @unittest.skipIf(QUICK, "too large for sanitizers")
    def test_a_line_of_a_gigabyte_from_a_file_and_from_a_pipe(self):
        path = self.path("zeros", b"")
        os.truncate(path, 1 << 30)  # takes no room on the disk
        with subprocess.Popen(["cat", path], stdout=subprocess.PIPE) as cat:
            result = subprocess.run([*COMMAND, "dedup", path, "-", "--count"], stdin=cat.stdout,
                                    capture_output=True, env=ENVIRONMENT, timeout=120)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(result.stdout.startswith(b"lines 2\nnew 1\nduplicates 1\n"), result.stdout)


class C2(Case):
    def test_a_last_line_without_newline_equals_one_with(self):
        self.check_dedup(b"a\nb\na")
        self.check_dedup(b"a\nb")
        self.check_dedup(b"b\na\nb\n")

    def test_a_delimiter_is_added_only_where_another_record_follows(self):
        self.check_dedup(b"a", b"b\n", b"c")
        self.check_dedup(b"a\nb", b"a\nb", b"c")
        self.check_dedup(b"x", b"x", b"x\n", b"", b"y")

    def test_a_carriage_return_belongs_to_the_line(self):
        self.check_dedup(b"a\r\na\na\r\nb\r\n\r\n\n\r\n")

    def test_empty_lines_are_lines_and_empty_input_is_none(self):
        self.check_dedup(b"\n\n\n")
        self.check_dedup(b"a\n\nb\n\n")
        self.check_dedup(b"")
        self.check_dedup(b"", b"", b"")

    def test_nul_bytes_and_bytes_that_are_no_utf8(self):
        self.check_dedup(b"a\0b\na\0c\na\0b\n\xff\xfe\n\xc3\n\xff\xfe\n\0\n\n\0")

    def test_records_that_end_in_nul(self):
        self.check_dedup(b"a\nb\0c\0a\nb\0\0\0c", delimiter=b"\0")
        self.check_dedup(b"a\0b", b"b\0a\0c", delimiter=b"\0")

    def test_random_bytes(self):
        rng = random.Random(2)
        for size in 63, 64, 65, 1000, 300_000, 700_001:
            data = bytes(rng.choices(b"\n\n\r\0ab\xff", k=size))
            self.check_dedup(data)

    def test_a_producer_that_pauses_within_a_line(self):
        with subprocess.Popen([*COMMAND, "dedup"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, env=ENVIRONMENT) as tamis:
            for piece in b"one\ntw", b"o\non", b"e\n":
                tamis.stdin.write(piece)
                tamis.stdin.flush()
                time.sleep(0.05)
            # What is whole is written while the producer goes on.
            self.assertEqual(tamis.stdout.readline(), b"one\n")
            self.assertEqual(tamis.stdout.readline(), b"two\n")
            tamis.stdin.write(b"two\nthree")
            tamis.stdin.close()
            self.assertEqual(tamis.stdout.read(), b"three")
        self.assertEqual(tamis.returncode, 0)


class C3(Case):
    def test_a_missing_file(self):
        good = self.path("good", b"a\n")
        result = self.refused("dedup", good, self.path("gone"), names=["gone", "No such file"])
        self.assertEqual(result.stdout, b"")  # refused before anything is written

    def test_a_directory(self):
        self.refused("dedup", str(self.dir), names=[str(self.dir), "directory"])

    def test_a_file_that_fails_when_read(self):
        out = self.path("out", b"old")
        self.refused("dedup", self.path("good", b"a\n"), "/proc/self/mem", "-o", out,
                     names=["/proc/self/mem", "Input/output error"])
        self.assertEqual(pathlib.Path(out).read_bytes(), b"old")
        self.assertEqual(self.leftovers(), [])

    def test_an_unreadable_file(self):
        path = self.path("secret", b"a\n")
        os.chmod(path, 0)
        if os.geteuid() != 0:
            self.refused("dedup", path, names=["secret", "Permission denied"])
            return
        os.chmod(self.dir, 0o755)
        try:
            self.refused("dedup", path, names=["secret", "Permission denied"], user="nobody")
        except (PermissionError, LookupError) as error:
            self.skipTest(f"cannot run as nobody: {error}")

    def test_a_full_disk(self):
        data = b"".join(b"%d\n" % i for i in range(1000))
        self.refused("dedup", "-o", "/dev/full", input=data, names=["/dev/full", "No space left"])
        with open("/dev/full", "wb") as full:
            result = subprocess.run([*COMMAND, "dedup"], input=data, stdout=full, env=ENVIRONMENT,
                                    stderr=subprocess.PIPE)
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"standard output: No space left", result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 1)

    def test_a_closed_output_pipe_is_quiet_and_keeps_no_memory(self):
        path = self.path("in", b"".join(b"%d\n" % i for i in range(2_000_000)))
        seen = self.path("seen.tamis")
        with subprocess.Popen([*COMMAND, "dedup", path, "--seen", seen], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=ENVIRONMENT) as tamis:
            self.assertEqual(tamis.stdout.readline(), b"0\n")
            tamis.stdout.close()
            self.assertEqual(tamis.stderr.read(), b"")
        self.assertEqual(tamis.returncode, 141)
        self.assertFalse(os.path.exists(seen))  # lines that nobody got were not seen

    @unittest.skipIf("thread" in SANITIZER, "it holds signals back while a thread waits")
    def test_a_signal_leaves_the_old_file_and_no_temporary(self):
        out = self.path("out", b"old")
        for number in signal.SIGTERM, signal.SIGINT:
            with subprocess.Popen([*COMMAND, "dedup", "-o", out], stdin=subprocess.PIPE,
                                  stderr=subprocess.PIPE, env=ENVIRONMENT) as tamis:
                tamis.stdin.write(b"a\n")
                tamis.stdin.flush()
                deadline = time.monotonic() + 30
                while not self.leftovers() and time.monotonic() < deadline:
                    time.sleep(0.01)
                self.assertEqual(len(self.leftovers()), 1)
                time.sleep(0.2)  # by now it waits for more
                tamis.send_signal(number)
                self.assertEqual(tamis.wait(30), 128 + number)
                tamis.stdin.close()
            self.assertEqual(self.leftovers(), [])
            self.assertEqual(pathlib.Path(out).read_bytes(), b"old")

    def test_an_output_that_is_an_input(self):
        path = self.path("in", b"a\na\n")
        link, name = self.path("link"), self.path("name")
        os.symlink(path, link)
        os.link(path, name)
        for output in path, link, name:
            self.refused("dedup", path, "-o", output, names=["is also the output"])
            self.refused("dedup", path, "--duplicates", output, names=["is also the output"])
            self.refused("build", path, "-o", output, names=["is also the output"])
        with open(path, "ab") as appended:
            result = subprocess.run([*COMMAND, "dedup", path], stdout=appended, env=ENVIRONMENT,
                                    stderr=subprocess.PIPE)
        self.assertEqual(result.returncode, 2)
        self.assertEqual(pathlib.Path(path).read_bytes(), b"a\na\n")

    def test_two_outputs_to_one_place(self):
        both = self.path("both")
        self.refused("dedup", "-o", both, "--duplicates", both, names="both")
        self.refused("dedup", "--duplicates", "-", names="standard output")
        self.refused("dedup", "-o", both, "--seen", both, names="both")

    def test_an_output_that_cannot_be_made_is_refused_at_once(self):
        away = str(self.dir / "nowhere" / "out")
        for option in "-o", "--duplicates", "--seen", "--report":
            self.refused("dedup", option, away, input=b"a\n", names=["nowhere", "No such file"])

    def test_an_odd_name_stays_one_line(self):
        self.refused("dedup", self.path("a\nb"), names="a\\x0ab")


class C4(Case):
    """A filter given three times the lines it was planned for."""

    def setUp(self):
        super().setUp()
        self.lines = 60_000
        self.input = self.path("in", b"".join(b"line %d\n" % i for i in range(self.lines)))
        self.overfull = ("dedup", self.input, "--expect", "20k", "--fpr", "1%", "--count")

    def test_warns_when_the_plan_is_passed_and_predicts_the_loss(self):
        result = self.run_tamis(*self.overfull)
        self.assertIn(b"warning: more than the 20000 distinct lines planned for", result.stderr)
        self.assertEqual(result.stderr.count(b"warning"), 1)
        self.assertIn(b"predicted wrongly dropped: ", result.stderr)
        numbers = dict(line.split() for line in result.stdout.decode().splitlines())
        lost, predicted = int(numbers["duplicates"]), float(numbers["predicted_loss"])
        self.assertGreater(lost, 1000)
        # Lines lost are a sum of rare events: five standard deviations, and what they shift the
        # prediction by.
        self.assertAlmostEqual(lost, predicted, delta=2 * 5 * lost ** 0.5)

    def test_strict_fails(self):
        self.run_tamis(*self.overfull, "--strict", code=1)
        self.run_tamis("dedup", self.input, "--expect", "60k", "--strict", "--count")
        self.run_tamis("build", self.input, "--expect", "20k", "--strict", "-o",
                       self.path("f.tamis"), code=1)

    def test_never_when_the_command_chose_the_size(self):
        report = self.path("report.json")
        for files, piped in (([self.input], b""), ([], pathlib.Path(self.input).read_bytes())):
            result = self.run_tamis("dedup", *files, "--strict", "--report", report, input=piped)
            self.assertNotIn(b"warning", result.stderr)
            self.assertFalse(json.loads(pathlib.Path(report).read_bytes())["plan_passed"])
            self.assertGreater(result.stdout.count(b"\n"), self.lines - 100)

    def test_a_remembered_filter_warns_too(self):
        seen = self.path("seen.tamis")
        options = ("--expect", "30k", "--seen", seen, "--count", "--strict")
        half = pathlib.Path(self.input).read_bytes().splitlines(keepends=True)
        self.run_tamis("dedup", *options, input=b"".join(half[:30_000]))
        result = self.run_tamis("dedup", *options, input=b"".join(half[30_000:]), code=1)
        self.assertIn(b"warning", result.stderr)


class B2(Case):
    """The output is the same bytes for any number of threads, any backend, any way of input."""

    def test_output_is_byte_identical_and_in_input_order(self):
        rng = random.Random(3)
        lines = [b"https://example.org/%d/%d\n" % (n, n * n)
                 for n in (rng.randrange(60_000) for _ in range(100_000))]
        data = self.path("in", b"".join(lines))
        kept, _ = first_and_others(b"".join(lines))
        machine = json.loads(self.run_tamis("info", "--backends", "--json").stdout)
        backends = set(machine["backends"])
        if "thread" in SANITIZER:
            backends.discard("tbb")  # libtbb is not instrumented: how it joins tasks is not seen
        choices = [["--backend", name] for name in sorted(backends)]
        choices += [["--target", name] for name in machine["targets"]]
        for variant in "split_block", "split_block_512":
            saved = set()
            for choice in choices:
                for threads in "1", "2", "5":
                    seen = self.path("seen.tamis")
                    result = self.run_tamis("dedup", data, "--threads", threads, *choice,
                                            "--variant", variant, "--fpr", "1e-6",
                                            "--expect", "60k", "--seen", seen)
                    self.assertTrue(result.stdout == kept, (choice, threads, result.stderr))
                    saved.add(pathlib.Path(seen).read_bytes())
                    os.remove(seen)
            self.assertEqual(len(saved), 1)

    def test_a_wrong_answer_is_the_same_wrong_answer(self):
        data = self.path("in", b"".join(b"%d\n" % i for i in range(100_000)))
        outputs = {self.run_tamis("dedup", data, "--expect", "30k", "--threads", threads).stdout
                   for threads in ("1", "2", "5")}
        self.assertEqual(len(outputs), 1)

    def test_a_filter_that_grows(self):
        lines = [b"%d" % (i * i % 4_000_037) for i in range(2_500_000 if not QUICK else 100_000)]
        data = b"\n".join(lines)
        outputs = {self.run_tamis("dedup", "--fpr", "1e-9", "--threads", threads,
                                  input=data).stdout for threads in ("1", "2", "2", "5")}
        self.assertTrue(outputs == {first_and_others(data)[0]})


if __name__ == "__main__":
    unittest.main()
