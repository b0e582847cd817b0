"""Compressed input and output of the command: CASES C6, and what belongs to it.

Files are made by Python's own gzip, lzma and bz2, and for zstd by the command itself, whose output
the zstd program reads back where it is installed. Run as the other tests of the command.
"""

import bz2
import gzip
import json
import lzma
import pathlib
import random
import shutil
import subprocess
import unittest

from command import COMMAND, ENVIRONMENT, Case, first_and_others


def sample(seed, count, kinds):
    rng = random.Random(seed)
    return b"".join(b"https://example.org/%d/page\n" % rng.randrange(kinds) for _ in range(count))


class C6(Case):
    def zstd(self, data):
        """data as zstd compresses it, by way of the command."""
        path = self.path("made.zst")
        self.run_tamis("dedup", "-0", "-o", path, input=data)  # one record
        return pathlib.Path(path).read_bytes()

    def formats(self):
        return {"gz": gzip.compress, "xz": lzma.compress, "bz2": bz2.compress, "zst": self.zstd}

    def test_is_known_by_content_whatever_the_name_from_files_and_pipes(self):
        data = sample(1, 12_000, 4_000)
        for name, compress in self.formats().items():
            with self.subTest(name):
                self.check_same(data, [compress(data)])

    def check_same(self, data, files):
        kept, _ = first_and_others(data)
        names = [self.path(f"plain-name-{i}", file) for i, file in enumerate(files)]
        for threads in "1", "2", "5":
            result = self.run_tamis("dedup", *names, "--threads", threads)
            self.assertTrue(result.stdout == kept, threads)
        if len(files) == 1:
            self.assertTrue(self.run_tamis("dedup", input=files[0]).stdout == kept)

    def test_members_and_frames_are_joined_also_within_a_line(self):
        data = sample(2, 9_000, 5_000)
        cuts = [0, 1, 5_003, 5_004, 100_001, len(data)]
        parts = [data[a:b] for a, b in zip(cuts, cuts[1:])]
        for name, compress in self.formats().items():
            with self.subTest(name):
                self.check_same(data, [b"".join(compress(part) for part in parts)])

    def test_an_empty_member_and_an_empty_file(self):
        for name, compress in self.formats().items():
            if name == "zst":
                continue
            with self.subTest(name):
                empty = compress(b"")
                self.check_same(b"", [empty])
                self.check_same(b"a\na\n", [empty + compress(b"a\n") + empty + compress(b"a\n")])

    def test_many_files_of_several_kinds_keep_their_order(self):
        data = [sample(i, 8_000, 12_000) for i in range(8)]
        makers = list(self.formats().values()) + [bytes]
        self.check_same(b"".join(data),
                        [makers[i % len(makers)](part) for i, part in enumerate(data)])

    def test_truncated_anywhere_is_an_error_with_name_and_offset(self):
        data = sample(3, 3_000, 2_000)
        for name, compress in self.formats().items():
            whole = compress(data)
            for size in 10, len(whole) // 2, len(whole) - 1:
                with self.subTest(name, size=size):
                    out = self.path("out", b"old")
                    path = self.path(f"cut.{name}", whole[:size])
                    self.refused("dedup", path, "-o", out,
                                 names=[f"cut.{name}", "truncated", str(size)])
                    self.assertEqual(pathlib.Path(out).read_bytes(), b"old")
                    self.assertEqual(self.leftovers(), [])

    def test_garbage_after_the_stream_is_an_error_with_name_and_offset(self):
        for name, compress in self.formats().items():
            with self.subTest(name):
                whole = compress(sample(4, 300, 200))
                path = self.path(f"tail.{name}", whole + b"this is no member of it")
                self.refused("dedup", path, names=[f"tail.{name}", "byte", str(len(whole))])

    def test_a_flipped_bit_is_an_error(self):
        for name, compress in self.formats().items():
            with self.subTest(name):
                whole = bytearray(compress(sample(5, 3_000, 2_000)))
                whole[len(whole) * 2 // 3] ^= 0x10
                self.refused("dedup", self.path("bent", bytes(whole)), names=["bent", "byte"])

    def test_text_that_only_begins_like_a_compressed_file_is_text(self):
        for data in (b"BZh\n", b"BZh9 is a word\n", b"\x1f\x8b\n\x1f\x8b\n", b"\x28\xb5\n", b"B"):
            self.check_dedup(data)

    def test_a_compressed_producer_that_pauses(self):
        with subprocess.Popen([*COMMAND, "dedup"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, env=ENVIRONMENT) as tamis:
            tamis.stdin.write(gzip.compress(b"one\ntw"))
            tamis.stdin.flush()
            self.assertEqual(tamis.stdout.readline(), b"one\n")
            tamis.stdin.write(gzip.compress(b"o\none\n"))
            tamis.stdin.close()
            self.assertEqual(tamis.stdout.read(), b"two\n")
        self.assertEqual(tamis.returncode, 0)

    def test_a_failure_elsewhere_ends_a_decoder_that_waits(self):
        with subprocess.Popen([*COMMAND, "dedup", "-o", "/dev/full"], stdin=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=ENVIRONMENT) as tamis:
            tamis.stdin.write(gzip.compress(sample(6, 200_000, 200_000)))
            tamis.stdin.flush()  # and then nothing more, but no end either
            self.assertIn(b"No space left", tamis.stderr.read())
            self.assertEqual(tamis.wait(30), 2)
            tamis.stdin.close()


class Compressed(Case):
    def test_output_is_compressed_by_its_suffix(self):
        data = sample(7, 50_000, 20_000)
        kept, others = first_and_others(data)
        for suffix, read in ("gz", gzip.decompress), ("xz", lzma.decompress), ("bz2", bz2.decompress):
            with self.subTest(suffix):
                out, rest = self.path(f"out.{suffix}"), self.path(f"rest.{suffix}")
                self.run_tamis("dedup", "-o", out, "--duplicates", rest, input=data)
                self.assertTrue(read(pathlib.Path(out).read_bytes()) == kept)
                self.assertTrue(read(pathlib.Path(rest).read_bytes()) == others)

    @unittest.skipIf(shutil.which("zstd") is None, "no zstd program")
    def test_zstd_reads_what_the_command_compressed(self):
        data = sample(8, 50_000, 20_000)
        out = self.path("out.zst")
        self.run_tamis("dedup", "-o", out, input=data)
        result = subprocess.run(["zstd", "-dc", out], capture_output=True, check=True)
        self.assertTrue(result.stdout == first_and_others(data)[0])

    def test_the_first_layer_of_a_growing_filter_is_as_large_as_compressed_lines_let_guess(self):
        lines = [b"a line %d" % i for i in range(1_500_000)]
        files = [self.path(f"{i}.gz", gzip.compress(b"\n".join(half) + b"\n", 1))
                 for i, half in enumerate((lines[:700_000], lines[700_000:]))]
        report = self.path("r.json")
        self.run_tamis("dedup", *files, "--count", "--report", report)
        layers = json.loads(pathlib.Path(report).read_bytes())["filter"]["layers"]
        self.assertEqual(len(layers), 1)
        self.assertLess(layers[0]["capacity"], 3_000_000)
        # A beginning that is not like the rest misleads, and then it grows as ever.
        odd = self.path("odd.gz", gzip.compress(random.Random(1).randbytes(1 << 23).replace(b"\n", b"") +
                                                b"\n" + b"\n".join(lines) + b"\n", 1))
        self.run_tamis("dedup", odd, "--count", "--report", report)
        filter_ = json.loads(pathlib.Path(report).read_bytes())["filter"]
        self.assertEqual(len(filter_["layers"]), 2)
        self.assertLess(filter_["expected_fpr"], 0.001)

    def test_names_with_stars_stand_for_the_files_that_match_in_order(self):
        self.path("a1.gz", gzip.compress(b"one\ntwo\n"))
        self.path("a2", b"two\nthree\n")
        self.path("b", b"four\n")
        result = self.run_tamis("dedup", str(self.dir / "a*"))
        self.assertEqual(result.stdout, b"one\ntwo\nthree\n")
        self.refused("dedup", str(self.dir / "c*"), names=["c*", "No such file"])
        self.path("[x]", b"itself\n")
        self.assertEqual(self.run_tamis("dedup", str(self.dir / "[x]")).stdout, b"itself\n")


if __name__ == "__main__":
    unittest.main()
