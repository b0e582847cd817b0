"""dedup with a window that forgets, by time and by count, and what other verbs make of its file."""

import json
import pathlib
import random
import signal
import subprocess
import unittest

from command import CHUNK, COMMAND, ENVIRONMENT, Case, records

DAY = 86400
MONDAY = 19723 * DAY  # 2024-01-01


def at(days, hours=0):
    return str(MONDAY + days * DAY + hours * 3600)


class Model:
    """A window of `generations` parts. Seldom wrong where the command is asked for a rate of 1e-9."""

    def __init__(self, generations, capacity=None):
        self.generations, self.capacity = generations, capacity
        self.current, self.parts = 0, {}

    def move(self, number):
        self.current = max(self.current, number)
        self.parts = {n: keys for n, keys in self.parts.items()
                      if n + self.generations > self.current}

    def is_new(self, key):
        if any(key in keys for keys in self.parts.values()):
            return False
        if self.capacity and len(self.parts.get(self.current, ())) == self.capacity:
            self.move(self.current + 1)
        self.parts.setdefault(self.current, set()).add(key)
        return True

    def kept(self, data):
        return b"".join(line + b"\n" for line in records(data) if self.is_new(line))


def lines(rng, count, distinct):
    return b"".join(b"line %d\n" % rng.randrange(distinct) for _ in range(count))


class Window(Case):
    RATE = ("--fpr", "1e-9")

    def test_by_time_lines_come_again_when_their_window_is_over(self):
        rng, model, seen = random.Random(1), Model(7), self.path("seen.tamis")
        window = ("--window", "7d", "--generations", "7", "--expect", "100k", *self.RATE)
        # Days: several runs on some, none on others, a clock that goes back, a long silence.
        for day in 0, 0, 1, 3, 2, 6, 7, 8, 8, 12, 40, 39, 41, 47:
            data = lines(rng, 3000, 4000)
            model.move(MONDAY // DAY + day)
            result = self.run_tamis("dedup", "--seen", seen, *window, "--now", at(day, 5), input=data)
            self.assertTrue(result.stdout == model.kept(data), day)

    def test_by_count_a_batch_is_cut_where_one_thread_and_one_line_at_a_time_would(self):
        rng = random.Random(2)
        data = lines(rng, 60_000, 30_000)
        self.assertGreater(len(data), 2 * CHUNK)
        kept = Model(5, capacity=2000).kept(data)
        path = self.path("in", data)
        for threads in "1", "2", "5":
            result = self.run_tamis("dedup", path, "--window-keys", "10k", "--generations", "5",
                                    *self.RATE, "--threads", threads)
            self.assertTrue(result.stdout == kept, threads)
        result = self.run_tamis("dedup", "--window-keys", "10k", "--generations", "5", *self.RATE,
                                input=data)
        self.assertTrue(result.stdout == kept)

    def test_by_count_runs_go_on_where_the_last_one_stopped(self):
        rng, model, seen = random.Random(3), Model(8, capacity=125), self.path("seen.tamis")
        for run in range(6):
            data = lines(rng, 700, 2500)
            options = ("--window-keys", "1000", *self.RATE) if run % 2 == 0 else ()
            result = self.run_tamis("dedup", "--seen", seen, *options, input=data)
            self.assertTrue(result.stdout == model.kept(data), run)

    def test_query_and_info_say_what_is_living(self):
        seen = self.path("seen.tamis")
        window = ("--window", "4d", "--generations", "4", "--expect", "1000")
        for day in 0, 1, 3:
            self.run_tamis("dedup", "--seen", seen, *window, "--now", at(day), input=b"day %d\n" % day)
        asked = b"day 0\nday 1\nday 3\n"
        for day, left in (3, asked), (4, b"day 1\nday 3\n"), (5, b"day 3\n"):
            for how in (), ("--map",):
                result = self.run_tamis("query", seen, "--now", at(day), *how, input=asked)
                self.assertEqual(result.stdout, left)
        self.run_tamis("query", seen, "--now", "2024-01-08T00:00:00Z", input=asked, code=1)
        text = self.run_tamis("info", "--verify", seen).stdout.decode()
        for part in ("windowed", "4 generations of 86400 seconds, planned for 250 keys each",
                     "generation 19726, from 2024-01-04T00:00:00Z", "1 of 250 keys"):
            self.assertIn(part, text)
        self.assertNotIn("19725", text)
        info = json.loads(self.run_tamis("info", "--json", seen).stdout)
        self.assertEqual((info["family"], info["period"], info["generations"], info["current"]),
                         ("windowed", DAY, 4, 19726))
        self.assertEqual([layer["inserted"] for layer in info["layers"]], [1, 1, 1])

    def test_windows_of_two_machines_are_merged(self):
        window = ("--window", "4d", "--generations", "4", "--expect", "1000")
        names = [self.path(name) for name in ("a.tamis", "b.tamis")]
        for name, days in zip(names, ((0, 2), (1, 2))):
            for day in days:
                self.run_tamis("dedup", "--seen", name, *window, "--now", at(day),
                               input=f"{name} {day}\n".encode())
        self.run_tamis("merge", "-o", self.path("both.tamis"), *names)
        for day, count in (3, 4), (4, 3), (5, 2), (6, 0):
            result = self.run_tamis("query", self.path("both.tamis"), "--now", at(day), "-c",
                                    input=f"{names[0]} 0\n{names[0]} 2\n{names[1]} 1\n{names[1]} 2\n"
                                    .encode(), code=0 if count else 1)
            self.assertEqual(result.stdout, b"%d\n" % count)
        self.run_tamis("build", "-o", self.path("plain.tamis"), "--expect", "1000", input=b"x\n")
        self.refused("merge", "-o", self.path("no"), names[0], self.path("plain.tamis"),
                     names=["windowed", "filter", "plain.tamis"])

    def test_more_lines_than_a_generation_was_planned_for_are_told(self):
        data = b"".join(b"%d\n" % i for i in range(1000))
        window = ("--window", "1d", "--generations", "4", "--expect", "2000")
        result = self.run_tamis("dedup", *window, "--strict", input=data, code=1)
        self.assertIn(b"500 distinct lines in one generation of the window", result.stderr)
        report = self.path("r.json")
        self.run_tamis("dedup", *window, "--report", report, "--count", input=data[:500])
        filter_ = json.loads(pathlib.Path(report).read_bytes())["filter"]
        self.assertEqual((filter_["family"], filter_["generation_capacity"]), ("windowed", 500))

    def test_a_killed_run_goes_on_with_its_window(self):
        rng = random.Random(4)
        source, seen = self.path("in", lines(rng, 200_000, 100_000)), self.path("seen.tamis")
        options = ("--window-keys", "20k", "--generations", "4", *self.RATE)
        right = self.run_tamis("dedup", source, *options).stdout
        arguments = ("dedup", source, "--seen", seen, *options, "--checkpoint", "300KB", "--resume",
                     "-o", self.path("out"))
        kills = 0
        for point in range(1, 30, 4):  # of the things that a run makes durable, one after the other
            environment = {**ENVIRONMENT, "TAMIS_TEST_CRASH": str(point)}
            result = subprocess.run([*COMMAND, *arguments], capture_output=True, env=environment)
            kills += result.returncode == -signal.SIGKILL
        self.assertGreater(kills, 2)
        self.run_tamis(*arguments)
        self.assertTrue(pathlib.Path(self.path("out")).read_bytes() == right)

    def test_what_does_not_go_together_is_refused(self):
        seen = self.path("seen.tamis")
        self.refused("dedup", "--window", "7d", names=["--window", "--expect"])
        self.refused("dedup", "--window", "7d", "--expect", "10", "--generations", "0",
                     names=["0 generations", "1 to 256"])
        self.refused("dedup", "--window", "3s", "--expect", "1000", names=["3 seconds", "8"])
        self.refused("dedup", "--window-keys", "100", "--exact", names=["--exact"])
        self.refused("dedup", "--window-keys", "100", "--audit", names=["--audit"])
        self.refused("dedup", "--window-keys", "100", "--grow", names=["--grow"])
        self.refused("dedup", "--window-keys", "100", "--window", "1d", names=["--window"])
        self.refused("dedup", "--window", "1d", "--expect", "1000", "--now", "yesterday",
                     names=["--now yesterday", "2024-01-01"])
        self.run_tamis("dedup", "--seen", seen, "--window-keys", "1000", input=b"x\n")
        self.refused("dedup", "--seen", seen, "--window-keys", "2000",
                     names=["seen.tamis", "250 keys", "125 keys"])
        self.refused("dedup", "--seen", seen, "--expect", "2000", names=["seen.tamis", "2000"])
        self.refused("dedup", "--seen", seen, "--window-keys", "1000", "--fpr", "0.5",
                     names=["rate 0.5", "rate 0.001"])
        plain = self.path("plain.tamis")
        self.run_tamis("dedup", "--seen", plain, "--expect", "1000", input=b"x\n")
        self.refused("dedup", "--seen", plain, "--window-keys", "1000",
                     names=["plain.tamis", "asked for a window"])
        self.refused("convert", seen, self.path("f.bloom"), "--to", "dcso", names=["windowed"])


if __name__ == "__main__":
    unittest.main()
