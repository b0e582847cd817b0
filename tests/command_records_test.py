"""Records other than lines, and keys other than whole records: JSON, tables, fixed width, hex.

What must be kept is told by plain Python's json and csv. Run as the other tests of the command.
"""

import csv
import gzip
import io
import json
import pathlib
import random
import unittest

from command import Case, CHUNK


class Records(Case):
    def dedup(self, data, *options, code=0):
        """By file and pipe, with 1, 2 and 5 threads: the same each time. Returns kept and others."""
        path, rest = self.path("in", data), self.path("rest")
        results = set()
        for threads in "1", "2", "5":
            for names, piped in ([path], b""), ([], data):
                result = self.run_tamis("dedup", *names, *options, "--threads", threads,
                                        "--duplicates", rest, input=piped, code=code)
                results.add((result.stdout, pathlib.Path(rest).read_bytes()))
        self.assertEqual(len(results), 1)
        return results.pop()

    def check_lines(self, lines, keys, *options, code=0):
        """`keys` says what each line's key is; None if it has none, and then it is kept."""
        seen, kept, others = set(), [], []
        for line, key in zip(lines, keys, strict=True):
            (others if key is not None and key in seen else kept).append(line + b"\n")
            seen.add(key)
        result = self.dedup(b"".join(line + b"\n" for line in lines), *options, code=code)
        self.assertTrue(result[0] == b"".join(kept), result[0][:1000])
        self.assertTrue(result[1] == b"".join(others))


class Json(Records):
    def test_a_field_is_the_key_whatever_else_the_record_has(self):
        rng = random.Random(1)
        keys = [f"https://example.org/{rng.randrange(3000)}" for _ in range(10_000)]
        lines = [json.dumps({"n": i, "text": "x" * rng.randrange(300), "url": key,
                             "deep": {"url": "other"}}).encode() for i, key in enumerate(keys)]
        self.check_lines(lines, keys, "--json-key", "url")

    def test_paths_lead_through_members_and_elements(self):
        lines = [b'{"a":{"b":["x",{"c.d":"y"}]}}', b'{ "a" : {"b":["z",{"c.d":"y"}], "q":[]}}',
                 b'{"a":{"b":["x",{"c.d":"w"}]}}']
        self.check_lines(lines, "yyw", "--json-key", r"a.b.1.c\.d")
        self.check_lines(lines, "xzx", "--json-key", "a.b.0")

    def test_a_string_is_its_text_and_anything_else_stands_as_it_is(self):
        values = ['"a"', '"\\u0061"', '" a"', "1", '"1"', "1.0", "true", '"true"', "[1, 2]",
                  "[1,2]", '{"x":1}', '"\\u00e9"', '"é"', '"\\"\\\\"', '"\\u0022\\u005c"', '""']
        keys = ["a", "a", " a", "1", "1", "1.0", "true", "true", "[1, 2]", "[1,2]", '{"x":1}',
                "é", "é", '"\\', '"\\', ""]
        self.check_lines([f'{{"k" : {value} }}'.encode() for value in values], keys,
                         "--json-key", "k")

    def test_several_fields_are_framed_by_their_lengths(self):
        pairs = [("ab", "c"), ("a", "bc"), ("ab", "c"), ("", "abc"), ("abc", ""), ("a", "bc")]
        lines = [json.dumps({"n": i, "x": x, "y": y}).encode() for i, (x, y) in enumerate(pairs)]
        self.check_lines(lines, pairs, "--json-key", "x", "--json-key", "y")

    def test_a_record_that_cannot_be_parsed_is_kept_counted_and_told_of(self):
        lines = [b'{"k":"a"}', b"no json", b'{"k":"a"', b'{"k":null}', b'{"j":"a"}', b"", b"[1]",
                 b'{"k":"a"}', b'{"k":"\xff"}', b"no json", b'{"k":tru}', b'{"k":"\\x"}', b"\0"]
        keys = ["a"] + [None] * 6 + ["a"] + [None] * 5
        self.check_lines(lines, keys, "--json-key", "k", code=1)
        data = b"\n".join(lines)
        report = self.path("report.json")
        result = self.run_tamis("dedup", "--json-key", "k", "--report", report, input=data, code=1)
        self.assertEqual(result.stderr.count(b"warning"), 1)
        self.assertIn(b"standard input: record at byte 10: it is no object there", result.stderr)
        numbers = json.loads(pathlib.Path(report).read_bytes())
        self.assertEqual([numbers[name] for name in ("lines", "new", "duplicates", "errors")],
                         [13, 1, 1, 11])
        result = self.run_tamis("dedup", "--json-key", "k", "--on-error", "drop", input=data, code=1)
        self.assertEqual(result.stdout, b'{"k":"a"}\n')
        out = self.path("out", b"old")
        self.refused("dedup", "--json-key", "k", "--on-error", "fail", "-o", out, input=data,
                     names=["standard input: record at byte 10"])
        self.assertEqual(pathlib.Path(out).read_bytes(), b"old")

    def test_records_longer_than_a_read(self):
        sizes = [CHUNK - 20, CHUNK, CHUNK + 1, 3 * CHUNK]
        lines = [json.dumps({"text": "x" * size, "k": str(i % 3)}).encode()
                 for i, size in enumerate(sizes * 2)]
        self.check_lines(lines, [i % 3 for i in range(len(lines))], "--json-key", "k")

    def test_compressed_and_queried(self):
        lines = [b'{"n":%d,"k":"%d"}' % (i, i % 700) for i in range(5000)]
        path = self.path("in.gz", gzip.compress(b"\n".join(lines)))
        result = self.run_tamis("dedup", path, "--json-key", "k", "--expect", "1k")
        self.assertEqual(result.stdout, b"".join(line + b"\n" for line in lines[:700]))
        seen = self.path("f.tamis")
        self.run_tamis("build", "-o", seen, "--expect", "1k", "--fpr", "1e-6",
                       input=b"".join(b"%d\n" % i for i in range(300)))
        result = self.run_tamis("query", seen, path, "--json-key", "k", "--count")
        self.assertEqual(result.stdout, b"2200\n")
        bad = b'{"k":"1"}\n{}\n{"k":"x"}\n'
        for options, wanted in ((), b'{"k":"1"}\n'), (("-v",), b'{"k":"x"}\n'):
            result = self.run_tamis("query", seen, "--json-key", "k", *options, input=bad, code=2)
            self.assertEqual(result.stdout, wanted)


class Table(Records):
    def check_table(self, rows, column, *options, header=("id", "url", "note"), dialect="excel"):
        text = io.StringIO()
        csv.writer(text, dialect).writerows([header, *rows])
        seen, kept = set(), io.StringIO()
        writer = csv.writer(kept, dialect)
        writer.writerow(header)
        for row in rows:
            if row[column] not in seen:
                writer.writerow(row)
            seen.add(row[column])
        result, rest = self.dedup(text.getvalue().encode(), *options)
        self.assertTrue(result == kept.getvalue().encode())
        self.assertTrue(rest.startswith(result[:result.index(b"\n") + 1]))  # a header of its own

    def rows(self, seed, separator):
        rng = random.Random(seed)
        odd = ["a", "a\nb", 'say "x"', f"a{separator}b", "", "\r\n", '"', '""', "é", "x" * 100]
        return [(str(i), rng.choice(odd) + str(rng.randrange(200)), rng.choice(odd))
                for i in range(6000)]

    def test_columns_by_name_and_number_with_quotes_as_in_rfc_4180(self):
        rows = self.rows(2, ",")
        self.check_table(rows, 1, "--column", "url")
        self.check_table(rows, 1, "--column", "2", "--header")
        self.check_table(rows, 2, "--csv", "--column", "note")

    def test_tabs(self):
        self.check_table(self.rows(3, "\t"), 1, "--tsv", "--column", "url", dialect="excel-tab")

    def test_without_a_header(self):
        kept, rest = self.dedup(b"1,x\n2,x\n3,y\n", "--column", "2")
        self.assertEqual((kept, rest), (b"1,x\n3,y\n", b"2,x\n"))

    def test_a_quote_inside_a_field_is_text(self):
        kept, _ = self.dedup(b'5" disk,1\n5" disk,2\n6" "disk,3\n', "--column", "1")
        self.assertEqual(kept, b'5" disk,1\n6" "disk,3\n')

    def test_a_header_comes_once_and_must_be_the_same(self):
        a, b = self.path("a", b"id,url\n1,x\n2,y\n"), self.path("b", b"id,url\n3,x\n4,z\n")
        result = self.run_tamis("dedup", a, b, "--column", "url")
        self.assertEqual(result.stdout, b"id,url\n1,x\n2,y\n4,z\n")
        other = self.path("other", b"url,id\nx,1\n")
        self.refused("dedup", a, other, "--column", "url", names=["other", "header"])
        self.refused("dedup", a, "--column", "link", names=["no column link"])

    def test_query_asks_a_column_of_a_table(self):
        held = self.path("held.tamis")
        self.run_tamis("build", "-o", held, input=b"x\ny, z\n")
        data = b'id,url\n1,x\n2,"y, z"\n3,w\n'
        for option in (), ("--csv",), ("--header",):
            result = self.run_tamis("query", held, "--column", "url", *option, input=data)
            self.assertEqual(result.stdout, b'id,url\n1,x\n2,"y, z"\n')
        self.assertEqual(self.run_tamis("query", held, "--column", "2", "-v", input=data).stdout,
                         b"id,url\n3,w\n")
        tabs = self.run_tamis("query", held, "--tsv", "--column", "1", "-c", input=b"x\t1\ny\t2\n")
        self.assertEqual(tabs.stdout, b"1\n")

    def test_rows_that_cannot_be_read(self):
        data = b'id,url\n1,x\n2\n3,"x"y\n4,x\n5,"x\n6,x\n'
        result = self.run_tamis("dedup", "--column", "url", input=data, code=1)
        self.assertEqual(result.stdout, b'id,url\n1,x\n2\n3,"x"y\n5,"x\n6,x\n')
        self.assertIn(b"record at byte 11: the column is missing", result.stderr)

    def test_a_quoted_field_longer_than_a_read(self):
        long = b'"' + b"a\n" * (2 * CHUNK) + b'"'
        data = b"1," + long + b"\n2,b\n3," + long + b"\n4,b\n"
        kept, rest = self.dedup(data, "--column", "2")
        self.assertTrue(kept == b"1," + long + b"\n2,b\n")
        self.assertTrue(rest == b"3," + long + b"\n4,b\n")


class Binary(Records):
    def test_fixed_width(self):
        rng = random.Random(4)
        for width in 1, 3, 8, 16, 1000:
            pool = [rng.randbytes(width) for _ in range(300)]
            records = [rng.choice(pool) for _ in range(20_000 if width < 1000 else 1500)]
            kept, rest = self.dedup(b"".join(records), "--width", str(width))
            firsts = list(dict.fromkeys(records))
            self.assertTrue(kept == b"".join(firsts))
            self.assertEqual(len(kept) + len(rest), width * len(records))

    def test_a_file_that_ends_within_a_record(self):
        result = self.run_tamis("dedup", "--width", "4", input=b"aaaabbbbaaaabb", code=1)
        self.assertEqual(result.stdout, b"aaaabbbbbb")
        self.assertIn(b"record at byte 12: the file ends within it", result.stderr)

    def test_hexadecimal_lines_are_the_keys_that_fixed_width_has(self):
        digests = [bytes([i % 250, 10, 0, 255]) for i in range(1000)]
        seen = self.path("f.tamis")
        self.run_tamis("build", "-o", seen, "--width", "4", "--expect", "1k",
                       input=b"".join(digests[:100]))
        lines = b"".join(digest.hex().encode() + b"\n" for digest in digests[50:250])
        self.assertEqual(self.run_tamis("query", seen, "--hex", "-c", input=lines).stdout, b"50\n")
        result = self.run_tamis("dedup", "--hex", input=b"00fF\n00Ff\nfg\n0\n", code=1)
        self.assertEqual(result.stdout, b"00fF\nfg\n0\n")


class Keys(Records):
    def test_normalize_changes_the_key_and_never_the_output(self):
        lines = [b"HTTP://Example.org:80/a/../b#x", b" http://example.org/b ", b"http://example.org/c"]
        self.check_lines(lines, "bbc", "--normalize", "trim,url")
        self.check_lines([b"Abc", b"aBC ", b"abc"], "aba", "--normalize", "lower")
        self.check_lines([b'{"u":"http://a.org/?b&a"}', b'{"u":"http://a.org/?a&b&utm_x=1"}'], "uu",
                         "--json-key", "u", "--normalize", "sort,tracking")

    def test_options_that_do_not_go_together(self):
        for options in (("--json-key", "a", "--csv"), ("--width", "4", "--hex"), ("--csv", "--tsv"),
                        ("--null", "--column", "1")):
            self.refused("dedup", *options, names="of one kind")
        self.refused("dedup", "--json-key", "a..b", names="a..b")
        self.refused("dedup", "--normalize", "upper", names="upper")
        self.refused("dedup", "--on-error", "ignore", names="ignore")
        self.refused("dedup", "--width", "0", names="--width 0")
        self.refused("dedup", "--column", "0", names="counted from 1")


if __name__ == "__main__":
    unittest.main()
