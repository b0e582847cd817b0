"""The command and the cuda backend: on a machine without a device it says why in one line, and
without being asked it says nothing; on a machine with one, the output is the same bytes.
"""

import json
import os
import shlex
import subprocess
import sys

TAMIS = shlex.split(os.environ["TAMIS_COMMAND"])
LINES = b"".join(b"%d\n" % (i * i % 5003) for i in range(20000))


def run(*arguments, **environment):
    return subprocess.run([*TAMIS, *arguments], input=LINES, capture_output=True,
                          env={**os.environ, **environment})


def expect(condition, what):
    if not condition:
        sys.exit(f"failed: {what}")


def main():
    plain = run("dedup")
    expect(plain.returncode == 0, "dedup without a pin works")
    expect(b"cuda" not in plain.stderr.lower(), "dedup without a pin is silent about CUDA")

    backends = run("info", "--backends")
    listed = json.loads(run("info", "--backends", "--json").stdout)
    reason = listed["unavailable"].get("cuda")
    expect(("cuda" in listed["backends"]) == (reason is None), "cuda is listed in one place")
    expect(listed["chosen"]["backend"] != "cuda", "cuda is not chosen unasked")

    asked = [run("dedup", "--backend", "cuda"), run("dedup", TAMIS_BACKEND="cuda")]
    if reason is None:
        for result in asked:
            expect((result.returncode, result.stdout) == (0, plain.stdout), "the same bytes by cuda")
        print("cuda runs, and gives the same bytes")
        return
    expect(f"not cuda: {reason}" in backends.stdout.decode(), "the reason in words")
    for result in asked:
        expect(result.returncode == 2, "exit code 2")
        expect(result.stdout == b"", "no output")
        expect(result.stderr.decode() == f"tamis: backend cuda: {reason}\n", "the reason in one line")
    print(f"not cuda: {reason}")


if __name__ == "__main__":
    main()
