"""The scripts of tools/examples, on data made here with the skew that such data have: few keys are
very often, most are once. Run as the other tests of the command.
"""

import csv
import gzip
import io
import json
import pathlib
import random
import subprocess
import unittest

from command import COMMAND, ENVIRONMENT, Case

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "tools" / "examples"


def skewed(rng, count):
    """Zipf-like: rank r about as often as 1 / r."""
    return int(count ** rng.random())


class Examples(Case):
    def setUp(self):
        super().setUp()
        # TAMIS is one word: under an emulator the command is two.
        command = self.dir / "tamis"
        command.write_text("#!/bin/sh\nexec " + " ".join(COMMAND) + ' "$@"\n')
        command.chmod(0o755)
        self.environment = {**ENVIRONMENT, "TAMIS": str(command), "EXPECT": "100k"}

    def run_example(self, name, *args, code=0):
        result = subprocess.run([str(EXAMPLES / name), *args], capture_output=True, timeout=240,
                                env=self.environment)
        self.assertEqual(result.returncode, code, result.stderr)

    def read(self, path):
        """A compressed output, by way of the command: every record stands once."""
        data = self.run_tamis("dedup", str(path), "--expect", "100k", "--fpr", "1e-9").stdout
        return [json.loads(line) for line in data.splitlines()]

    def test_web_corpus(self):
        rng = random.Random(1)
        footer = "All rights reserved by someone"
        files, pages = [], []
        for crawl in range(3):
            text = io.StringIO()
            for i in range(800):
                page = skewed(rng, 2000)
                lines = [f"Paragraph {skewed(rng, 5000)} of the web" for _ in range(rng.randrange(6))]
                record = {"n": 1000 * crawl + i, "text": "\n".join([*lines, "Share", footer]),
                          "url": rng.choice(["http://a.org/%d", "HTTP://A.org:80/./%d#top",
                                             "http://a.org/%d?utm_source=x"]) % page}
                pages.append((page, record))
                text.write(json.dumps(record) + "\n")
            files.append(self.path(f"{crawl}.jsonl.gz", gzip.compress(text.getvalue().encode())))
        self.run_example("web_corpus", str(self.dir / "out"), *files)

        urls, seen, clean, again, dropped = set(), set(), [], [], []
        for page, record in pages:
            if page in urls:
                again.append(record)
                continue
            urls.add(page)
            lines = record["text"].split("\n")
            marks = [len(line.split()) >= 3 and line.lower() in seen for line in lines]
            seen.update(line.lower() for line in lines if len(line.split()) >= 3)
            repeated = sum(len(line) for line, mark in zip(lines, marks) if mark)
            if repeated > 0.8 * sum(map(len, lines)):
                dropped.append(record)
            else:
                left = "\n".join(line for line, mark in zip(lines, marks) if not mark)
                clean.append({**record, "text": left})
        # A Bloom filter at 1 in 1000 loses a few; which, is fixed by its seed.
        out = self.dir / "out"
        self.assertLessEqual(len(clean) + len(dropped) - len(self.read(out / "clean.jsonl.zst"))
                             - len(self.read(out / "dropped.jsonl.zst")), 5)
        found = {record["n"]: record for record in self.read(out / "clean.jsonl.zst")}
        exact = sum(found.get(record["n"]) == record for record in clean)
        self.assertGreater(exact, 0.97 * len(clean))
        report = json.loads((out / "urls.json").read_bytes())
        self.assertEqual(report["lines"], len(pages))
        self.assertEqual(report["errors"], 0)
        self.assertLess(report["predicted_loss"], 5)
        self.assertAlmostEqual(report["duplicates"], len(again), delta=5)
        self.assertEqual(sorted(path.name for path in out.iterdir()),
                         ["again.jsonl.zst", "clean.jsonl.zst", "dropped.jsonl.zst",
                          "paragraphs.json", "urls.json"])

    def test_nightly_ids(self):
        rng = random.Random(2)
        seen, filter_file = set(), str(self.dir / "seen.tamis")
        for night in range(3):
            rows = [(str(skewed(rng, 30_000)), f'night {night}, "row" {i}') for i in range(5000)]
            text, wanted = io.StringIO(), io.StringIO()
            csv.writer(text).writerows([("id", "what"), *rows])
            writer = csv.writer(wanted)
            writer.writerow(("id", "what"))
            for row in rows:
                if row[0] not in seen:
                    writer.writerow(row)
                seen.add(row[0])
            out = self.dir / f"new.{night}"
            self.run_example("nightly_ids", filter_file, str(out),
                             self.path("night.csv.gz", gzip.compress(text.getvalue().encode())))
            # 30,000 ids at most in a filter for 100,000 at 1 in 10,000: none is lost here.
            self.assertEqual(out.read_bytes(), wanted.getvalue().encode())
        self.environment["EXPECT"] = "1k"  # another filter than the one that is there
        self.run_example("nightly_ids", filter_file, str(out), self.path("night.csv.gz"), code=2)

    def test_url_frontier(self):
        rng = random.Random(3)
        seen, written, again = str(self.dir / "seen.tamis"), {}, 0  # written: page to day
        for today in (*range(10), 9, 30):  # the clock goes back once; then there is a long silence
            for hour in 1, 22:
                pages = [skewed(rng, 20_000) for _ in range(1500)]
                urls = [rng.choice(["http://a.org/%d", "HTTP://A.org:80/./%d#top",
                                    "http://a.org/%d?utm_source=x"]) % page for page in pages]
                wanted = []
                for page, url in zip(pages, urls):
                    if today - written.get(page, -7) >= 7:
                        again += page in written
                        written[page] = today
                        wanted.append(url)
                out = self.dir / f"out.{today}.{hour}"
                found = self.path("found.gz", gzip.compress("\n".join(urls).encode()))
                self.environment["NOW"] = str((20_000 + today) * 86400 + hour * 3600)
                self.run_example("url_frontier", seen, str(out), found)
                # A day has some 1000 new pages in a filter for 14,000: none is lost here.
                self.assertEqual(out.read_bytes().decode().splitlines(), wanted, (today, hour))
        self.assertGreater(again, 1000)
        report = json.loads((self.dir / "out.30.22.json").read_bytes())
        self.assertEqual(report["filter"]["family"], "windowed")
        self.assertEqual(len(report["filter"]["layers"]), 1)  # the silence was longer than a week


if __name__ == "__main__":
    unittest.main()
