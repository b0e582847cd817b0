"""Documents by the paragraph (CASES C5) and records with a mark: what dedup writes otherwise than it
stood.

What must come out is told by plain Python. Run as the other tests of the command.
"""

import csv
import io
import json
import pathlib
import random
import unittest

from command import Case


def words(rng, count):
    return " ".join(rng.choice(("the", "sieve", "turns", "drum", "é", "日本", "𝄞", '"', "\\", "/"))
                    + str(rng.randrange(50)) for _ in range(count))


def documents(seed, count):
    """Texts that share lines as those of a web corpus do: a few footers are everywhere."""
    rng = random.Random(seed)
    pool = [words(rng, rng.randrange(1, 12)) for _ in range(60)] + ["", " ", "Share", "a  b"]
    texts = []
    for _ in range(count):
        lines = [pool[min(int(rng.expovariate(0.1)), len(pool) - 1)] if rng.random() < 0.5
                 else words(rng, rng.randrange(0, 9)) for _ in range(rng.randrange(0, 12))]
        texts.append("\n".join(lines))
    return texts


class Oracle:
    """Paragraphs by a set: asked for a whole record first, then put in."""

    def __init__(self, key=lambda line: line, min_length=1, min_words=1):
        self.seen = set()
        self.key = key
        self.min_length = min_length
        self.min_words = min_words

    def repeated(self, text):
        lines = text.split("\n")
        keys = [self.key(line) for line in lines]
        keys = [key if len(key.encode()) >= self.min_length and len(key.split()) >= self.min_words
                else None for key in keys]
        marks = [key is not None and key in self.seen for key in keys]
        self.seen.update(key for key in keys if key is not None)
        return lines, marks


class C5(Case):
    def dedup(self, texts, *options, ascii_only=True):
        data = "\n".join(json.dumps({"id": i, "text": text, "end": 1}, ensure_ascii=ascii_only)
                         for i, text in enumerate(texts)).encode()
        path, rest = self.path("in", data), self.path("rest")
        results = set()
        for threads in "1", "2", "5":
            out = self.run_tamis("dedup", path, "--paragraphs", "text", "--fpr", "1e-9", *options,
                                 "--duplicates", rest, "--threads", threads).stdout
            results.add((out, pathlib.Path(rest).read_bytes()))
        self.assertEqual(len(results), 1)
        out, rest = results.pop()
        return ([json.loads(line) for line in out.splitlines()],
                [json.loads(line) for line in rest.splitlines()])

    def check_removed(self, texts, oracle, *options, **more):
        wanted = []
        for i, text in enumerate(texts):
            lines, marks = oracle.repeated(text)
            left = "\n".join(line for line, mark in zip(lines, marks) if not mark)
            wanted.append({"id": i, "text": left, "end": 1})
        self.assertTrue(self.dedup(texts, *options, **more)[0] == wanted)

    def test_a_document_is_not_its_own_duplicate(self):
        self.check_removed(["a\nb\na\na", "c\nc", "b\nc\nd\nd"], Oracle())

    def test_repeated_paragraphs_are_taken_out(self):
        texts = documents(1, 1500)
        self.check_removed(texts, Oracle())
        self.check_removed(texts, Oracle(), ascii_only=False)

    def test_short_ones_are_never_repeated_and_case_and_space_may_not_count(self):
        texts = documents(2, 600) + ["  THE Sieve ", "the sieve", "Share"]
        self.check_removed(texts, Oracle(min_length=12), "--min-length", "12")
        self.check_removed(texts, Oracle(min_words=3), "--min-words", "3")
        ascii_lower = str.maketrans({chr(c): chr(c + 32) for c in range(65, 91)})
        self.check_removed(texts, Oracle(lambda line: line.strip(" \t\r\n\v\f").translate(ascii_lower)),
                           "--normalize", "trim,lower")

    def test_annotate_lists_byte_ranges_of_the_text(self):
        texts = documents(3, 600)
        oracle = Oracle()
        results, _ = self.dedup(texts, "--annotate", "seen before")
        for text, result in zip(texts, results, strict=True):
            lines, marks = oracle.repeated(text)
            self.assertEqual(result["text"], text)
            data = text.encode()
            self.assertEqual([data[begin:end].decode() for begin, end in result["seen before"]],
                             [line for line, mark in zip(lines, marks) if mark])

    def test_documents_are_dropped_when_more_than_a_share_is_repeated(self):
        texts = documents(4, 600)
        for share in 0, 0.5, 1:
            oracle, kept, dropped = Oracle(), [], []
            for i, text in enumerate(texts):
                lines, marks = oracle.repeated(text)
                repeated = sum(len(line.encode()) for line, mark in zip(lines, marks) if mark)
                total = sum(len(line.encode()) for line in lines)
                (dropped if repeated > share * total else kept).append(i)
            results, rest = self.dedup(texts, "--drop-share", str(share))
            self.assertEqual([result["id"] for result in results], kept)
            self.assertEqual([result["id"] for result in rest], dropped)
            self.assertEqual([result["text"] for result in rest], [texts[i] for i in dropped])

    def test_newlines_however_they_are_written_and_records_left_as_they_stand(self):
        data = (b'{"text":"a\\u000ab\\\\n\\nc"}\r\n{ "text" : "x\\/\\u000A\\u00e9\\ud834\\udd1e" , "n":1}\n'
                b'{"text":"c\\nx/\\nb\\\\n\\n\\u00E9\\ud834\\udd1e\\nz"}\nnot json\n{"text":3}')
        result = self.run_tamis("dedup", "--paragraphs", "text", input=data, code=1)
        self.assertEqual(result.stdout, (
            b'{"text":"a\\u000ab\\\\n\\nc"}\r\n{ "text" : "x\\/\\u000A\\u00e9\\ud834\\udd1e" , "n":1}\n'
            b'{"text":"z"}\nnot json\n{"text":3}'))
        self.assertIn(b"it is no object there", result.stderr)

    def test_options_that_need_each_other(self):
        self.refused("dedup", "--paragraphs", "t", "--json-key", "u", names="--paragraphs")
        self.refused("dedup", "--annotate", "x", names="--paragraphs")
        self.refused("dedup", "--paragraphs", "t", "--drop-share", "2", names="--drop-share 2")


class Flag(Case):
    def test_a_field_of_json(self):
        rng = random.Random(5)
        records = [{"n": i, "k": str(rng.randrange(500))} for i in range(3000)]
        data = b"".join(json.dumps(record).encode() + b"\n" for record in records)
        for threads in "1", "3":
            result = self.run_tamis("dedup", "--json-key", "k", "--flag", "was seen", "--expect",
                                    "1k", "--fpr", "1e-9", "--threads", threads, input=data)
            seen = set()
            for record, line in zip(records, result.stdout.splitlines(), strict=True):
                self.assertEqual(json.loads(line), {**record, "was seen": record["k"] in seen})
                seen.add(record["k"])

    def test_a_column_of_a_table(self):
        rows = [("a", "x,1"), ("b", 'y"'), ("c", "x,1"), ("d", "z\n"), ("e", "z\n")]
        for end in "\n", "\r\n":
            text, wanted = io.StringIO(), io.StringIO()
            csv.writer(text, lineterminator=end).writerows([("id", "url"), *rows])
            marks = ["seen", "false", "false", "true", "false", "true"]
            csv.writer(wanted, lineterminator=end).writerows(
                (*row, mark) for row, mark in zip([("id", "url"), *rows], marks))
            result = self.run_tamis("dedup", "--column", "url", "--flag", "seen",
                                    input=text.getvalue().encode())
            self.assertEqual(result.stdout, wanted.getvalue().encode())

    def test_empty_objects_space_at_the_end_and_records_without_a_key(self):
        data = b'{"k":1 } \r\n{"k":1}\nbad\n{ }\n{"k":2}'
        result = self.run_tamis("dedup", "--json-key", "k", "--flag", "s", input=data, code=1)
        self.assertEqual(result.stdout, b'{"k":1 ,"s":false} \r\n{"k":1,"s":true}\nbad\n{ }\n'
                                        b'{"k":2,"s":false}')

    def test_lines_have_no_place_for_it(self):
        self.refused("dedup", "--flag", "s", names="--flag")


if __name__ == "__main__":
    unittest.main()
