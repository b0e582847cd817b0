"""What the compiled kernels must be, read from their machine code.

    code_test.py LIBRARY CUOBJDUMP ARCHITECTURE...

Asserts, for every architecture, what cuda/README.md relies on: wide loads in look-ups, ORs that
return nothing in inserts, no local memory, registers within bounds. With --table it prints what it
counted instead, which is what the README's predictions are made from. Without CUOBJDUMP (an empty
argument) it says so in one line and exits with 77, which ctest takes for "skipped".
"""

import collections
import re
import subprocess
import sys

# What each of our kernels may and must have, by a part of its mangled name: most registers, and
# patterns of instructions with the least and most times that each occurs in it.
MOST = 10**6
WIDE = r"LDG\.E\.(ENL2\.256|128)"
SCALAR_RESULT = r"\bATOMG?\."  # an atomic that returns what it found
KERNELS = {
    "ContainsKernelINS_10DeviceViewINS_10SplitBlockE": (64, {
        # 4 keys a lane, one block of 32 bytes each: eight loads of 128 bits or four of 256.
        "blocks by wide loads": (WIDE, 4, 24),
        "atomics with a result": (SCALAR_RESULT, 0, 0),
    }),
    "ContainsKernelINS_10DeviceViewINS_13SplitBlock512E": (64, {
        "blocks by wide loads": (WIDE, 4, 24),
        "atomics with a result": (SCALAR_RESULT, 0, 0),
    }),
    "ContainsKernelINS_10DeviceViewINS_15RegisterBlockedE": (64, {
        "8 keys a lane, a block of 8 bytes each": (r"LDG\.E\.64", 8, 32),
        "atomics with a result": (SCALAR_RESULT, 0, 0),
    }),
    "ContainsKernelINS_10DeviceViewINS_9CacheLineE": (32, {
        "a word for each of up to 16 bits": (r"LDG\.E\.64", 16, 20),
        "atomics with a result": (SCALAR_RESULT, 0, 0),
    }),
    # One loop for each probe scheme; few registers, so that as many lanes as there are wait at once.
    "ContainsKernelINS0_11ClassicViewE": (32, {
        "words of hashes and of the filter": (r"LDG\.E\.64", 12, 32),
        "atomics with a result": (SCALAR_RESULT, 0, 0),
    }),
    "InsertKernelILb0ENS_10DeviceViewINS_10SplitBlockE": (64, {
        "ORs that return nothing": (r"\bREDG?\.E\.OR\.", 8, 64),
        "atomics with a result": (SCALAR_RESULT, 0, 0),
    }),
    "InsertKernelILb1ENS_10DeviceViewINS_10SplitBlockE": (64, {
        "ORs that return nothing": (r"\bREDG?\.E\.OR\.", 8, 64),
        "words looked at": (r"\bLDG\.E ", 8, 64),
        "atomics with a result": (SCALAR_RESULT, 0, 0),
    }),
    "InsertKernelILb0ENS_10DeviceViewINS_13SplitBlock512E": (64, {
        "ORs that return nothing": (r"\bREDG?\.E\.OR\.64\.", 8, 64),
        "atomics with a result": (SCALAR_RESULT, 0, 0),
    }),
    "InsertKernelILb1ENS_10DeviceViewINS_13SplitBlock512E": (64, {
        "ORs that return nothing": (r"\bREDG?\.E\.OR\.64\.", 8, 64),
        "words looked at": (r"\bLDG\.E\.64 ", 8, 64),
        "atomics with a result": (SCALAR_RESULT, 0, 0),
    }),
    # A word of the block is a lane's, so a key is eight ORs, or one where blocks are words.
    "InsertKernelILb0ENS_10DeviceViewINS_9CacheLineE": (64, {
        "ORs that return nothing": (r"\bREDG?\.E\.OR\.64\.", 8, 16),
        "atomics with a result": (SCALAR_RESULT, 0, 0),
    }),
    "InsertKernelILb1ENS_10DeviceViewINS_9CacheLineE": (64, {
        "ORs that return nothing": (r"\bREDG?\.E\.OR\.64\.", 8, 16),
        "words looked at": (r"\bLDG\.E\.64 ", 8, 32),
        "atomics with a result": (SCALAR_RESULT, 0, 0),
    }),
    "InsertKernelILb0ENS_10DeviceViewINS_15RegisterBlockedE": (32, {
        "one OR a key, that returns nothing": (r"\bREDG?\.E\.OR\.64\.", 1, 2),
        "atomics with a result": (SCALAR_RESULT, 0, 0),
    }),
    "InsertKernelILb1ENS_10DeviceViewINS_15RegisterBlockedE": (32, {
        "one OR a key, that returns nothing": (r"\bREDG?\.E\.OR\.64\.", 1, 2),
        "atomics with a result": (SCALAR_RESULT, 0, 0),
    }),
    "InsertKernelILb0ENS0_11ClassicViewE": (32, {
        "ORs that return nothing": (r"\bREDG?\.E\.OR\.64\.", 6, 16),
        "atomics with a result": (SCALAR_RESULT, 0, 0),
    }),
    "InsertKernelILb1ENS0_11ClassicViewE": (32, {
        "ORs that return nothing": (r"\bREDG?\.E\.OR\.64\.", 6, 16),
        "atomics with a result": (SCALAR_RESULT, 0, 0),
    }),
    "InsertPartitionKernelINS_10SplitBlockE": (48, {
        "ORs in shared memory": (r"\bATOMS\.OR\b", 8, 64),
        "atomics in global memory": (r"\b(ATOMG?|REDG?)\.", 0, 0),
    }),
    "InsertPartitionKernelINS_13SplitBlock512E": (48, {
        "ORs in shared memory": (r"\bATOMS\.OR\b", 8, 64),
        "atomics in global memory": (r"\b(ATOMG?|REDG?)\.", 0, 0),
    }),
    "InsertPartitionKernelINS_9CacheLineE": (48, {
        "ORs in shared memory": (r"\bATOMS\.OR\b", 16, 64),
        "atomics in global memory": (r"\b(ATOMG?|REDG?)\.", 0, 0),
    }),
    "InsertPartitionKernelINS_15RegisterBlockedE": (48, {
        "ORs in shared memory": (r"\bATOMS\.OR\b", 16, 64),
        "atomics in global memory": (r"\b(ATOMG?|REDG?)\.", 0, 0),
    }),
    # Thrust's loop over runs: a thread each, the block in registers.
    "WalkRunINS.*10SplitBlockE": (64, {
        "the block by wide loads": (WIDE, 1, 24),
        "the block by wide stores": (r"STG\.E\.(ENL2\.256|128)", 1, 24),
        "atomics": (r"\b(ATOMG?|ATOMS|REDG?)\.", 0, 0),
    }),
    "WalkRunINS.*13SplitBlock512E": (80, {
        "the block by wide loads": (WIDE, 2, 48),
        "the block by wide stores": (r"STG\.E\.(ENL2\.256|128)", 2, 48),
        "atomics": (r"\b(ATOMG?|ATOMS|REDG?)\.", 0, 0),
    }),
    "WalkRunINS.*9CacheLineE": (48, {
        "atomics": (r"\b(ATOMG?|ATOMS|REDG?)\.", 0, 0),
    }),
    "WalkRunINS.*15RegisterBlockedE": (48, {
        "atomics": (r"\b(ATOMG?|ATOMS|REDG?)\.", 0, 0),
    }),
    # A classic filter's pairs: made without a change to the filter, then one OR for each position.
    "9MakePairsE": (40, {
        "atomics": (r"\b(ATOMG?|ATOMS|REDG?)\.", 0, 0),
    }),
    "9TakeFirstE": (32, {
        "ORs that return nothing": (r"\bREDG?\.E\.OR\.64\.", 1, 8),
        "atomics with a result": (SCALAR_RESULT, 0, 0),
    }),
    "13LongRunKernelINS_10SplitBlockE": (48, {
        "first setters in shared memory": (r"\bATOMS\.MIN\b", 1, 64),
        "atomics in global memory": (r"\b(ATOMG?|REDG?)\.", 0, 0),
    }),
    "13LongRunKernelINS_13SplitBlock512E": (48, {
        "first setters in shared memory": (r"\bATOMS\.MIN\b", 1, 64),
        "atomics in global memory": (r"\b(ATOMG?|REDG?)\.", 0, 0),
    }),
    "13LongRunKernelINS_9CacheLineE": (48, {
        "first setters in shared memory": (r"\bATOMS\.MIN\b", 16, 64),
        "atomics in global memory": (r"\b(ATOMG?|REDG?)\.", 0, 0),
    }),
    "13LongRunKernelINS_15RegisterBlockedE": (48, {
        "first setters in shared memory": (r"\bATOMS\.MIN\b", 16, 64),
        "atomics in global memory": (r"\b(ATOMG?|REDG?)\.", 0, 0),
    }),
    "10PackKernel": (32, {"atomics with a result": (SCALAR_RESULT, 0, 0)}),
    "10HashKernel": (64, {"atomics": (r"\b(ATOMG?|ATOMS|REDG?)\.", 0, 0)}),
}
LOCAL = r"\b(LDL|STL)\b"


def dump(cuobjdump, library, *options):
    return subprocess.run([cuobjdump, *options, library], check=True, capture_output=True,
                          text=True).stdout


def resources(text):
    """{(architecture, function): {"REG": 40, "STACK": 0, "LOCAL": 0, ...}}"""
    found = {}
    architecture = function = None
    for line in text.splitlines():
        if match := re.match(r"arch = (\w+)", line):
            architecture = match[1]
        elif match := re.match(r"\s*Function (\S+):", line):
            function = match[1]
        elif function and (pairs := re.findall(r"(REG|STACK|SHARED|LOCAL):(\d+)", line)):
            found[architecture, function] = {name: int(value) for name, value in pairs}
            function = None
    return found


def instructions(text):
    """{(architecture, function): [instruction, ...]}"""
    found = collections.defaultdict(list)
    architecture = function = None
    for line in text.splitlines():
        if match := re.match(r"arch = (\w+)", line):
            architecture = match[1]
        elif match := re.match(r"\s*Function : (\S+)", line):
            function = match[1]
        elif match := re.match(r"\s*/\*[0-9a-f]{4,}\*/\s+(.*?)\s*;", line):
            found[architecture, function].append(match[1])
    return found


def count(code, pattern):
    return sum(1 for instruction in code if re.search(pattern, instruction + " "))


def failures(architectures, used, code):
    for architecture in architectures:
        for kernel, (registers, patterns) in KERNELS.items():
            named = [f for a, f in code if a == architecture and re.search(kernel, f)]
            if not named:
                yield f"{architecture}: no kernel is named like {kernel}"
            for function in named:
                key = architecture, function
                if used[key]["REG"] > registers:
                    yield f"{architecture} {kernel}: {used[key]['REG']} registers of {registers}"
                if used[key]["STACK"] or used[key]["LOCAL"]:
                    yield f"{architecture} {kernel}: {used[key]}: a stack or local memory"
                if local := count(code[key], LOCAL):
                    yield f"{architecture} {kernel}: {local} accesses to local memory"
                for meaning, (pattern, least, most) in patterns.items():
                    if not least <= (times := count(code[key], pattern)) <= most:
                        yield (f"{architecture} {kernel}: {meaning}: {times} of {pattern}, "
                               f"not {least} to {most}")


def table(architectures, used, code):
    """Counts, for whoever makes predictions from them."""
    interesting = re.compile(r"(@!?U?P\d+ )?((LDG|STG|LDS|STS|REDG?|ATOMS?|ATOMG|SHFL|VOTE)\S*)")
    for kernel in KERNELS:
        for (architecture, function), instruction in code.items():
            if architecture not in architectures or not re.search(kernel, function):
                continue
            memory = collections.Counter(
                match[2] for line in instruction if (match := interesting.match(line)))
            print(f"{kernel} {architecture}: {used[architecture, function]['REG']} registers, "
                  f"{len(instruction)} instructions; "
                  + ", ".join(f"{n} {name}" for name, n in sorted(memory.items())))


def main():
    arguments = [a for a in sys.argv[1:] if a != "--table"]
    library, cuobjdump, *architectures = arguments
    if not cuobjdump:
        print("skipped: no cuobjdump (tools/setup --check installs it into .venv)")
        return 77
    used = resources(dump(cuobjdump, library, "-res-usage"))
    code = instructions(dump(cuobjdump, library, "-sass"))
    if "--table" in sys.argv:
        table(architectures, used, code)
        return 0
    wrong = list(failures(architectures, used, code))
    print("\n".join(wrong) or f"{len(KERNELS)} kernels on {', '.join(architectures)} are as designed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
