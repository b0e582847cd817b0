"""The command, from outside: CASES C1 to C4, C7 and B2, and what its help promises.

Each class holds one row of the cases. What dedup must print is told by plain Python: a set of the
lines seen. Run by ctest, or by hand:

    TAMIS_COMMAND=build/release/bin/tamis python3 tests/command_test.py -v -k C2

TAMIS_SANITIZER, if set, leaves out what is too large for sanitizers. Standard library only.
"""

import json
import os
import pathlib
import random
import shlex
import signal
import subprocess
import tempfile
import time
import unittest

COMMAND = shlex.split(os.environ.get("TAMIS_COMMAND", "tamis"))
SANITIZER = os.environ.get("TAMIS_SANITIZER", "")
QUICK = SANITIZER != ""
CHUNK = 256 << 10  # what the command reads at a time: lines around this length are worth a look

ENVIRONMENT = {name: value for name, value in os.environ.items()
               if name not in ("TAMIS_BACKEND", "TAMIS_TARGET", "TAMIS_THREADS")}


def records(data, delimiter=b"\n"):
    """The keys in data: a last one needs no delimiter."""
    parts = data.split(delimiter)
    return parts[:-1] if parts[-1] == b"" else parts


def first_and_others(*inputs, delimiter=b"\n"):
    """What dedup is to write, and what to --duplicates: records as they stand, in input order."""
    seen, outputs = set(), ([], [])
    for data in inputs:
        keys = records(data, delimiter)
        for i, key in enumerate(keys):
            last_bare = i + 1 == len(keys) and not data.endswith(delimiter)
            outputs[key in seen].append((key, last_bare))
            seen.add(key)

    def text(items):
        bare_end = bool(items) and items[-1][1]
        return delimiter.join(key for key, _ in items) + (
            delimiter if items and not bare_end else b"")
    return text(outputs[0]), text(outputs[1])


class Case(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.dir = pathlib.Path(directory.name)

    def path(self, name, data=None):
        path = self.dir / name
        if data is not None:
            path.write_bytes(data)
        return str(path)

    def run_tamis(self, *args, input=b"", code=0, **more):
        result = subprocess.run([*COMMAND, *args], input=input, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, env=ENVIRONMENT, timeout=120, **more)
        self.assertEqual(result.returncode, code, (args, result.stderr))
        return result

    def refused(self, *args, names, **more):
        """It ends with code 2, and one line on standard error that has all of `names`."""
        result = self.run_tamis(*args, code=2, **more)
        lines = result.stderr.decode(errors="replace").splitlines()
        self.assertEqual(len(lines), 1, lines)
        for name in [names] if isinstance(names, str) else names:
            self.assertIn(name, lines[0])
        return result

    def leftovers(self):
        return [name for name in os.listdir(self.dir) if name.endswith(".tmp")]

    def check_dedup(self, *inputs, delimiter=b"\n", options=()):
        """By files, by a pipe where there is one input, and with 1, 2 and 5 threads."""
        kept, others = first_and_others(*inputs, delimiter=delimiter)
        files = [self.path(f"in{i}", data) for i, data in enumerate(inputs)]
        flags = [*options, *(["-0"] if delimiter == b"\0" else [])]
        sources = [(files, b"")] + ([([], inputs[0])] if len(inputs) == 1 else [])
        for threads in "1", "2", "5":
            for names, piped in sources:
                rest = self.path("others")
                result = self.run_tamis("dedup", *names, *flags, "--threads", threads,
                                        "--duplicates", rest, input=piped)
                self.assertTrue(result.stdout == kept, (threads, bool(names), result.stderr))
                self.assertTrue(pathlib.Path(rest).read_bytes() == others)


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


class Verbs(Case):
    def test_help_has_an_example_and_the_version_is_told(self):
        for name in "dedup", "build", "query", "merge", "info", "plan":
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
        self.assertEqual(names, ["lines", "new", "duplicates", "predicted_loss"])
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


if __name__ == "__main__":
    unittest.main()
