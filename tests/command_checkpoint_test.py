#!/usr/bin/env python3
"""Runs of days: a run killed at any instant goes on and ends with the bytes of one without a break.

Extends C3 (no half-written result taken for whole) to --checkpoint and --resume. See command.py for
what the environment says.
"""

import bz2
import fcntl
import functools
import gzip
import json
import lzma
import os
import pathlib
import pty
import random
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import time
import unittest

from command import COMMAND, ENVIRONMENT, QUICK, Case

# Where syncing costs nothing, if there is such a place: how much is on disk is not what dies here.
FAST = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
OPEN = {".gz": gzip.decompress, ".bz2": bz2.decompress, ".xz": lzma.decompress}
INTERVAL = "300kB"  # each second chunk


def lines(count, rng, form=b"https://example.org/%d\n"):
    return b"".join(form % rng.randrange(count // 2) for _ in range(count))


def documents(count, rng):
    def text():
        return "\\n".join("the paragraph with number %d" % rng.randrange(count)
                          for _ in range(rng.randrange(6)))
    return "".join('{"id": %d, "text": "%s"}\n' % (i, text()) if i % 50 else "no JSON\n"
                   for i in range(count)).encode()


def table(count, rng):
    return b"user,day\n" + lines(count, rng, b"someone with a long name,\"%d\n of many\"\n")


# name: inputs, options; OUT, REST are outputs. Several inputs, the last record of one without end.
@functools.cache
def configurations():
    rng = random.Random(11)
    plain = lines(45_000, rng)
    return {
        "plain": ([plain[:700_000], b"", b"bare", plain[700_000:]], ["--expect", "30k"],
                  "out", "rest"),
        "grows": ([plain], ["--fpr", "1e-4", "--grow"], "out", None),
        "compressed": ([gzip.compress(plain), bz2.compress(plain[5:])], ["--expect", "30k"],
                       "out.gz", "rest.bz2"),
        "documents": ([documents(9_000, rng)], ["--paragraphs", "text", "--drop-share", "0.6",
                                                "--expect", "9k"], "out.jsonl", "rest.jsonl"),
        "annotated": ([documents(9_000, rng)], ["--paragraphs", "text", "--annotate", "again",
                                                "--expect", "9k"], "out.jsonl", None),
        "flagged": ([table(24_000, rng), table(9_000, rng)], ["--column", "day", "--flag", "seen"],
                    "out.csv", None),
        "dropped": ([documents(12_000, rng)], ["--json-key", "text", "--on-error", "drop",
                                               "--expect", "9k"], "out.jsonl", "rest.jsonl.xz"),
        "overfull": ([plain], ["--expect", "3k", "--fpr", "1%"], "out", "rest"),
    }


class Runs(Case):
    """One configuration in a directory of its own, killed and gone on with."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory(dir=FAST)
        self.addCleanup(directory.cleanup)
        self.dir = pathlib.Path(directory.name)
        self.kills = 0

    def choose(self, name, seen_before=b""):
        inputs, options, out, rest = configurations()[name]
        self.files = [self.path("in%d" % i, data) for i, data in enumerate(inputs)]
        self.outputs = [o for o in (out, rest) if o]
        self.args = ["dedup", *self.files, *options, "-o", self.path(out), "--seen",
                     self.path("seen.tamis"), "--report", self.path("report.json")]
        if rest:
            self.args += ["--duplicates", self.path(rest)]
        self.before = None
        if seen_before:
            self.run_tamis(*self.seeding(options), input=seen_before)
            self.before = (self.dir / "seen.tamis").read_bytes()
        self.code = subprocess.run([*COMMAND, *self.args], env=ENVIRONMENT,
                                   stderr=subprocess.PIPE).returncode
        self.whole = self.results()
        self.args += ["--checkpoint", INTERVAL, "--resume"]
        self.reset()

    def seeding(self, options):
        return ["dedup", *options, "--seen", self.path("seen.tamis"), "--count"]

    def results(self):
        """Outputs as text, the filter's bytes, and what the report says but times."""
        result = []
        for name in self.outputs:
            path = self.dir / name
            result.append(OPEN.get(path.suffix, bytes)(path.read_bytes()))
        report = json.loads((self.dir / "report.json").read_bytes())
        counts = {key: report[key] for key in ("lines", "keys", "new", "duplicates", "errors",
                                               "dropped", "plan_passed", "bytes")}
        loss = round(report["predicted_loss"], 3)
        return result, (self.dir / "seen.tamis").read_bytes(), counts, loss

    def reset(self):
        for name in os.listdir(self.dir):
            if not name.startswith("in"):
                os.remove(self.dir / name)
        if self.before is not None:
            self.path("seen.tamis", self.before)

    def run_until(self, crash=0, after=None):
        """Runs, to die at crash point number `crash`, or killed `after` seconds. Whether it was."""
        environment = dict(ENVIRONMENT, TAMIS_TEST_CRASH=str(crash))
        with subprocess.Popen([*COMMAND, *self.args], env=environment,
                              stderr=subprocess.PIPE) as tamis:
            if after is not None:
                time.sleep(after)
                tamis.kill()
            errors = tamis.stderr.read()
        if tamis.returncode == -signal.SIGKILL:
            self.kills += 1
            return True
        self.assertEqual(tamis.returncode, self.code, errors)
        return False

    def check_whole(self, *context):
        self.assertTrue(self.results() == self.whole, context)
        left = {name for name in os.listdir(self.dir) if not name.startswith("in")}
        self.assertEqual(left, {*self.outputs, "seen.tamis", "seen.tamis.checkpoint",
                                "report.json"} | self.temporaries(), context)

    def temporaries(self):
        """Of files that were being replaced: by their name nobody takes them for anything else."""
        return {name for name in self.leftovers() if "checkpoint" not in name}

    def check_every_crash_point(self, step=1):
        crash = 1
        while self.run_until(crash):
            if self.run_until(crash):  # goes on, and dies again as far on
                self.assertFalse(self.run_until())
            self.check_whole(crash)
            self.reset()
            crash += step
        self.check_whole("not killed")
        self.assertGreater(crash, 12)


class CrashPoints(Runs):
    """Killed right after each thing that becomes durable or visible, and again while going on."""

    def test_plain_with_a_filter_from_before(self):
        self.choose("plain", seen_before=lines(500, random.Random(5)))
        self.check_every_crash_point(step=3 if QUICK else 1)

    def test_compressed(self):
        self.choose("compressed")
        self.check_every_crash_point(step=5 if QUICK else 2)


class RandomKills(Runs):
    """Killed at random moments, at least 50 times in all (12 times under sanitizers)."""

    def kill_at_random(self, name, kills):
        rng = random.Random(name)
        self.choose(name)
        begin = time.monotonic()
        self.assertFalse(self.run_until())
        seconds = time.monotonic() - begin
        self.check_whole(name, "not killed")
        self.reset()
        while self.kills < kills:
            for _ in range(3):
                if not self.run_until(after=rng.uniform(0, seconds)):
                    break
            else:
                self.assertFalse(self.run_until())
            self.check_whole(name, self.kills)
            self.reset()

    def test_at_least_50_kills(self):
        names = list(configurations())
        for name in names[:: 3 if QUICK else 1]:
            with self.subTest(name):
                self.kills = 0
                self.kill_at_random(name, 4 if QUICK else 7)


class Resume(Runs):
    """What else --checkpoint and --resume mean."""

    def die(self, crash=9):
        self.choose("plain")
        self.assertTrue(self.run_until(crash))

    def test_a_finished_run_has_nothing_left_to_do(self):
        self.choose("plain")
        for _ in range(2):
            self.assertFalse(self.run_until())
            self.check_whole()
        result = self.run_tamis(*self.args)
        self.assertIn(b"nothing is left to do", result.stderr)
        os.remove(self.dir / "seen.tamis")
        self.refused(*self.args, names=["seen.tamis", "gone"])

    def test_without_resume_it_is_refused_and_says_both_ways_out(self):
        self.die()
        begin_anew = self.args[:-1]
        self.assertEqual(self.args[-1], "--resume")
        self.refused(*begin_anew, names=["seen.tamis.checkpoint", "--resume", "out.partial"])
        no_checkpoint = self.args[:-3]
        self.refused(*no_checkpoint, names=["seen.tamis.checkpoint", "--resume"])
        os.remove(self.dir / "seen.tamis.checkpoint")
        self.refused(*begin_anew, names=["out.partial", "in the way"])
        for name in "out.partial", "rest.partial":
            os.remove(self.dir / name)
        self.run_tamis(*begin_anew)
        self.check_whole()

    def test_other_options_or_inputs_are_named(self):
        self.die()
        self.refused(*self.args, "--fpr", "0.01", names=["--fpr 0.01"])
        self.refused(*self.args, self.files[0], names=["in0", "was no input"])
        with open(self.files[-1], "ab") as file:
            file.write(b"more\n")
        self.refused(*self.args, names=["in3", "has changed"])

    def test_another_filter_in_the_meantime(self):
        self.die()
        shutil.copy(self.dir / "seen.tamis.checkpoint.1", self.dir / "seen.tamis")
        self.refused(*self.args, names=["seen.tamis", "has changed"])

    def test_what_does_not_change_the_result_may_differ(self):
        self.die()
        self.run_tamis(*self.args, "--threads", "1", "--backend", "scalar")
        self.check_whole()

    def test_a_damaged_state_is_never_trusted(self):
        self.die()
        path = self.dir / "seen.tamis.checkpoint"
        state = path.read_bytes()
        for at in range(0, len(state), 97 if QUICK else 53):
            path.write_bytes(state[:at] + bytes([state[at] ^ 1]) + state[at + 1:])
            self.refused(*self.args, names=["seen.tamis.checkpoint"])
        path.write_bytes(state[:-20])
        self.refused(*self.args, names=["seen.tamis.checkpoint"])
        path.write_bytes(state)
        self.assertFalse(self.run_until())
        self.check_whole()

    def test_outputs_and_filters_that_are_not_as_they_were(self):
        self.die()
        partial, name = self.dir / "out.partial", "seen.tamis.checkpoint.%d"
        generation = json.loads((self.dir / "seen.tamis.checkpoint").read_bytes())["generation"]
        text = partial.read_bytes()
        partial.write_bytes(text[:1000])
        self.refused(*self.args, names=["out.partial", "1000 bytes"])
        os.remove(partial)
        self.refused(*self.args, names=["out", "No such file"])
        partial.write_bytes(text + b"what was written later")
        filter_ = (self.dir / (name % generation))
        shutil.move(filter_, self.dir / "in_away")
        self.refused(*self.args, names=[name % generation])
        shutil.move(self.dir / "in_away", filter_)
        self.assertFalse(self.run_until())
        self.check_whole()

    def test_pipes_are_refused(self):
        seen, file = self.path("seen.tamis"), self.path("in", b"a\n")
        every = ("--seen", seen, "--checkpoint", "10m")
        self.refused("dedup", *every, "-o", self.path("out"), names=["standard input"])
        self.refused("dedup", *every, file, names=["standard output"])
        self.refused("dedup", *every, file, "-o", "/dev/null", names=["/dev/null"])
        self.refused("dedup", file, "--checkpoint", "10m", names=["--seen"])
        self.refused("dedup", file, "--seen", seen, "--resume", names=["--checkpoint"])
        for other in "--exact", "--audit":
            self.refused("dedup", file, "--seen", seen, "--checkpoint", "1m", other, names=[other])
        for interval in "0s", "0", "m", "nans", "10y":
            self.refused("dedup", file, "--seen", seen, "--checkpoint", interval,
                         names=["--checkpoint"])
        self.assertEqual(sorted(os.listdir(self.dir)), ["in"])

    def test_time_as_the_interval_and_counts_instead_of_lines(self):
        data = self.path("in", b"".join(b"%d\n" % (i % 1000) for i in range(300_000)))
        result = self.run_tamis("dedup", data, "--seen", self.path("seen.tamis"), "--count",
                                "--checkpoint", "0.001s")
        self.assertIn(b"new 1000\n", result.stdout)
        state = json.loads((self.dir / "seen.tamis.checkpoint").read_bytes())
        self.assertGreater(state["generation"], 1)

    def test_another_systems_format_stays_one(self):
        self.choose("plain")
        self.run_tamis("build", "-o", self.path("seen.tamis"), "--to", "dcso", "--expect", "50k",
                       input=b"https://example.org/5\n")
        self.before = (self.dir / "seen.tamis").read_bytes()
        place = self.args.index("--expect")
        del self.args[place:place + 2]
        self.args = self.args[:-3]
        self.assertFalse(self.run_until())
        self.whole = self.results()
        self.args += ["--checkpoint", INTERVAL, "--resume"]
        for crash in 8, 14, 19:
            self.reset()
            self.assertTrue(self.run_until(crash))
            self.assertFalse(self.run_until())
            self.check_whole(crash)

    def test_a_full_disk_leaves_the_last_checkpoint(self):
        self.die()
        # No file may grow beyond this: as on a full disk, but for the name of the error.
        limit = ["bash", "-c", "trap '' XFSZ; ulimit -f $0; exec \"$@\"", "500", *COMMAND]
        failed = subprocess.run([*limit, *self.args], env=ENVIRONMENT, stderr=subprocess.PIPE)
        self.assertEqual(failed.returncode, 2, failed.stderr)
        self.assertIn(b"File too large", failed.stderr)
        self.assertFalse(self.run_until())
        self.check_whole()

    def test_a_signal_leaves_the_last_checkpoint_too(self):
        self.choose("plain")
        self.assertTrue(self.run_until(9))
        with subprocess.Popen([*COMMAND, *self.args], env=ENVIRONMENT,
                              stderr=subprocess.PIPE) as tamis:
            tamis.send_signal(signal.SIGTERM)
            tamis.stderr.read()
        self.assertIn(tamis.returncode, (self.code, 128 + signal.SIGTERM, -signal.SIGTERM))
        self.assertFalse(self.run_until())
        self.check_whole()


class Progress(Case):
    """The line on a terminal, and what a report says of a run."""

    def on_a_terminal(self, *args, width=200):
        """What comes to the terminal while nobody takes the output for a while."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
        with subprocess.Popen([*COMMAND, *args], stdout=subprocess.PIPE, stderr=theirs,
                              env=ENVIRONMENT) as tamis:
            os.close(theirs)
            time.sleep(0.6)
            output = tamis.stdout.read()
        said = b""
        try:
            while piece := os.read(ours, 1 << 16):
                said += piece
        except OSError:  # how a terminal says that nobody is left at its other end
            pass
        os.close(ours)
        self.assertEqual(tamis.returncode, 0, said)
        return said, output

    def test_bytes_share_rate_time_left_fill_and_loss(self):
        data = b"".join(b"a line of some length %d\n" % i for i in range(400_000))
        file = self.path("in", data)
        said, output = self.on_a_terminal("dedup", file, "--fpr", "1e-9")
        self.assertEqual(len(output), len(data))
        self.assertRegex(said, rb"\r\d+\.\d MiB of 11\.\d MiB \(\d+ %\), [0-9.]+ Mlines, "
                         rb"\d+\.\d\d Mlines/s, \d+:\d\d left, filter \d+ % full, "
                         rb"predicted loss \d+\.\d\x1b\[K")
        self.assertIn(b"\r\x1b[Ktamis dedup: 400000 lines in", said)  # taken away before that
        said, _ = self.on_a_terminal("dedup", file, width=40)
        shown = [part.split(b"\x1b")[0] for part in said.split(b"\r") if b" MiB of " in part]
        self.assertTrue(shown)
        self.assertLess(max(map(len, shown)), 40)
        said, _ = self.on_a_terminal("dedup", file, "--exact")
        self.assertIn(b"\rreading again: ", said)
        silent = self.run_tamis("dedup", file)
        self.assertNotIn(b"\x1b", silent.stderr)

    def test_a_report_has_everything(self):
        data = b"".join(b'{"k": %d}\n' % (i % 20_000) for i in range(50_000)) + b"no JSON\n"
        first, second = self.path("first", data), self.path("second", b'{"k": "new"}\n')
        report = self.path("report.json")
        self.run_tamis("dedup", first, second, "--json-key", "k", "--expect", "20k", "--fpr", "1%",
                       "-o", self.path("out"), "--seen", self.path("seen.tamis"),
                       "--checkpoint", "100kB", "--report", report, code=1)
        told = json.loads(pathlib.Path(report).read_bytes())
        self.assertEqual(told["inputs"], [first, second])
        self.assertEqual((told["lines"], told["keys"], told["errors"]), (50_002, 50_001, 1))
        self.assertEqual(told["bytes"], len(data) + 13)
        self.assertEqual(told["new"] + told["duplicates"], told["keys"])
        self.assertEqual(told["filter"]["inserted"], told["new"])
        self.assertTrue(0 < told["predicted_loss"] < 200)
        self.assertAlmostEqual(told["filter"]["observed_fpr"], told["filter"]["expected_fpr"],
                               delta=0.002)
        self.assertIn("--fpr 1%", told["options"])
        self.assertIn("--json-key k", told["options"])
        stages = told["stage_seconds"]
        self.assertEqual(list(stages),
                         ["read", "prepare", "filter", "render", "write", "checkpoints"])
        for stage in "read", "prepare", "filter", "write", "checkpoints":
            self.assertGreater(stages[stage], 0)
        self.assertLess(max(stages.values()), told["seconds"] * told["threads"] + 1)
        for version in told["tamis"], told["libraries"]["simdjson"]:
            self.assertRegex(version, r"^\d+\.\d+\.\d+$")


if __name__ == "__main__":
    unittest.main()
