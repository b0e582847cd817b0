"""What tests of the command share: running it, and plain Python's word for what it must print.

TAMIS_COMMAND is the command; TAMIS_SANITIZER, if set, leaves out what is too large for sanitizers.
"""

import os
import pathlib
import shlex
import subprocess
import tempfile
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
                                stderr=subprocess.PIPE, timeout=120,
                                **{"env": ENVIRONMENT, **more})
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
