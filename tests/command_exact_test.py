"""tamis dedup --exact and --audit: nothing wrongly dropped, or at least counted.

Filters here are far too small, so that most of what they call seen is new; what must come out is
told by plain Python. Run as the other tests of the command.
"""

import gzip
import json
import os
import pathlib
import random
import resource
import subprocess
import unittest

from command import COMMAND, ENVIRONMENT, QUICK, Case, first_and_others, records


def skewed(seed, count, distinct):
    """Lines of which a few are everywhere and most are rare, as in logs and crawls."""
    rng = random.Random(seed)
    numbers = (min(int(rng.paretovariate(0.25)) - 1, rng.randrange(distinct))
               for _ in range(count))
    return b"".join(b"https://example.org/%d/%s\n" % (n, b"x" * (n % 50)) for n in numbers)


class Exact(Case):
    TINY = ("--exact", "--expect", "1")  # a filter of one block: all but the first keys are "seen"
    SPILLING = ("--memory", "64KiB")

    def test_equals_the_lines_first_seen_whatever_the_filter_says(self):
        data = skewed(1, 20_000, 9_000)
        for expect in "1", "2000":
            for memory in (), self.SPILLING:
                self.check_dedup(data, options=("--exact", "--expect", expect, *memory))

    def test_wrong_answers_are_most_of_them_and_memory_does_not_last(self):
        data = skewed(2, 30_000, 25_000)
        report = self.path("report.json")
        self.run_tamis("dedup", self.path("in", data), *self.TINY, *self.SPILLING, "--report",
                       report)
        proof = json.loads(pathlib.Path(report).read_bytes())["proof"]
        distinct = len(set(records(data)))
        self.assertGreater(proof["false_duplicates"], 0.5 * distinct)
        self.assertLess(proof["false_duplicates"], distinct)
        self.assertGreater(proof["spilled_bytes"], 64 << 10)
        self.assertEqual(proof["readings"], 3)

    def test_several_inputs_and_odd_bytes(self):
        rng = random.Random(3)
        self.check_dedup(b"a\nb\na", b"b\nc", b"", b"a\n", options=self.TINY)
        self.check_dedup(b"x\0y\nz\0x\0\0\0y", delimiter=b"\0", options=self.TINY)
        self.check_dedup(bytes(rng.choices(b"\n\n\r\0ab\xff", k=50_000)), options=self.TINY)
        self.check_dedup(b"", options=self.TINY)

    def test_lines_longer_than_the_memory(self):
        long = [bytes([97 + i]) * (300_000 + 1000 * (i % 2)) for i in range(5)]
        rng = random.Random(4)
        data = b"\n".join(rng.choice([*long, b"short"]) for _ in range(40))
        self.check_dedup(data, options=(*self.TINY, *self.SPILLING))

    def test_compressed_input_from_a_file_and_from_a_pipe(self):
        data = skewed(5, 20_000, 9_000)
        packed = gzip.compress(data[:100_000]) + gzip.compress(data[100_000:])
        path = self.path("in.gz", packed)
        want = first_and_others(data)[0]
        for options in self.TINY, (*self.TINY, *self.SPILLING):
            self.assertTrue(self.run_tamis("dedup", path, *options).stdout == want)
            self.assertTrue(self.run_tamis("dedup", *options, input=packed).stdout == want)

    def test_standard_input_that_is_a_file_read_from_its_middle(self):
        path = self.path("in", b"a\nb\na\nc\nb\n")
        with open(path, "rb") as file:
            file.seek(2)
            result = subprocess.run([*COMMAND, "dedup", *self.TINY], stdin=file,
                                    capture_output=True, env=ENVIRONMENT)
        self.assertEqual(result.stdout, b"b\na\nc\n")

    def test_json_by_a_field_with_a_mark(self):
        rng = random.Random(6)
        lines = [json.dumps({"id": i, "key": "k%d" % min(int(rng.expovariate(1e-3)), 3000)})
                 for i in range(10_000)]
        lines[17] = "no JSON"
        seen, kept, marks = set(), [], []
        for i, line in enumerate(lines):
            key = line if i == 17 else json.loads(line)["key"]
            if key not in seen:
                kept.append(line)
            marks.append(None if i == 17 else key in seen)
            seen.add(key)
        path = self.path("in", "\n".join(lines).encode())
        for memory in (), self.SPILLING:
            run = ("dedup", path, "--json-key", "key", *self.TINY, *memory)
            self.assertEqual(self.run_tamis(*run, code=1).stdout.decode().splitlines(), kept)
            flagged = self.run_tamis(*run, "--flag", "seen", code=1).stdout.decode().splitlines()
            self.assertEqual([None if i == 17 else json.loads(line)["seen"]
                              for i, line in enumerate(flagged)], marks)

    def test_a_table_keeps_its_header(self):
        rows = b"".join(b"%d,%d\n" % (i, i * i % 1009) for i in range(9000))
        for memory in (), self.SPILLING:
            out = self.run_tamis("dedup", self.path("in", b"a,b\n" + rows), "--column", "b",
                                 *self.TINY, *memory).stdout
            cells = [row.split(b",")[1] for row in out.splitlines()]
            self.assertEqual(cells, [b"b", *dict.fromkeys(b"%d" % (i * i % 1009)
                                                          for i in range(9000))])

    def test_paragraphs_are_taken_out_only_if_they_came_before(self):
        rng = random.Random(7)
        texts = [["p%d" % min(int(rng.expovariate(2e-3)), 4000) for _ in range(rng.randrange(9))]
                 for _ in range(2000)]
        path = self.path("in", b"".join(json.dumps({"text": "\n".join(text)}).encode() + b"\n"
                                        for text in texts))
        seen, want = set(), []
        for text in texts:
            want.append("\n".join(line for line in text if line not in seen or line == ""))
            seen.update(text)
        for memory in (), self.SPILLING:
            out = self.run_tamis("dedup", path, "--paragraphs", "text", *self.TINY, *memory).stdout
            self.assertEqual([json.loads(line)["text"] for line in out.splitlines()], want)

    def test_the_audit_counts_what_is_missing(self):
        data = skewed(8, 30_000, 20_000)
        path, report, out = self.path("in", data), self.path("report.json"), self.path("out")
        for options in (("--expect", "1"), ("--expect", "5k"), ("--expect", "5k", "--memory",
                                                               "64KiB"), ()):
            for names, piped in ((path,), b""), ((), data):
                result = self.run_tamis("dedup", *names, "--audit", *options, "-o", out, "--report",
                                        report, input=piped)
                plain = self.run_tamis("dedup", path, *options).stdout
                written = pathlib.Path(out).read_bytes()
                self.assertTrue(written == plain or (not names and options == ()))
                kept = records(written)
                proof = json.loads(pathlib.Path(report).read_bytes())["proof"]
                lost = len(set(records(data))) - len(kept)
                self.assertEqual(proof["false_duplicates"], lost)
                self.assertEqual(proof["called_duplicates"], 30_000 - len(kept))
                self.assertIn(b"%d of %d called duplicates were false" % (
                    lost, 30_000 - len(kept)), result.stderr)

    def test_a_filter_of_earlier_runs_proves_nothing(self):
        for option in "--exact", "--audit":
            self.refused("dedup", option, "--seen", self.path("f.tamis"), names=[option, "--seen"])

    def run_with_a_pause(self, change):
        """Reads a file, and then a pipe for as long as `change` takes, which gets the folder for
        temporary files. Returns the exit code and what was said."""
        path, pipe, folder = self.path("in", b"a\nb\na\n"), self.path("pipe"), self.path("tmp")
        os.mkdir(folder)
        os.mkfifo(pipe)
        with subprocess.Popen([*COMMAND, "dedup", path, pipe, *self.TINY, "-o", self.path("out")],
                              stderr=subprocess.PIPE, env={**ENVIRONMENT, "TMPDIR": folder}) as run:
            with open(pipe, "wb") as feed:
                feed.write(b"c\na\n")
                feed.flush()
                change(run, path, folder)
            said = run.stderr.read().decode()
        return run.returncode, said

    def test_an_input_that_changes_between_readings(self):
        def change(_, path, folder):
            pathlib.Path(path).write_bytes(b"a\nb\nb\nb\n")
            self.assertEqual(os.listdir(folder), [])
        code, said = self.run_with_a_pause(change)
        self.assertEqual(code, 2, said)
        self.assertIn("in: it has changed while it was read", said)
        self.assertFalse(os.path.exists(self.path("out")))

    def test_a_kill_leaves_nothing_in_the_folder_for_temporary_files(self):
        code, _ = self.run_with_a_pause(lambda run, path, folder: run.kill())
        self.assertEqual(code, -9)
        self.assertEqual(os.listdir(self.path("tmp")), [])

    def test_no_room_for_temporary_files(self):
        gone = self.path("gone")
        self.refused("dedup", *self.TINY, input=b"a\n", names=["temporary file in " + gone],
                     env={**ENVIRONMENT, "TMPDIR": gone})
        limit = 1000

        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        path = self.path("in", skewed(9, 20_000, 15_000))
        for names, piped in ([path], b""), ([], pathlib.Path(path).read_bytes()):
            result = subprocess.run([*COMMAND, "dedup", *names, *self.TINY, *self.SPILLING],
                                    input=piped, env=ENVIRONMENT, stdout=subprocess.DEVNULL,
                                    stderr=subprocess.PIPE, preexec_fn=small_files,
                                    restore_signals=False)  # which has SIGXFSZ ignored
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(b"temporary file in /tmp: File too large", result.stderr)


if __name__ == "__main__":
    unittest.main()
