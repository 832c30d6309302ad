#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/necessity.md: necessity.py ASSAY FOLDER > docs/necessity.md

Makes a program of each case below, compiles it with nvcc and asks `assay check --necessity` what it could do without. The
tutorials of CUTLASS lie in FOLDER, compiled as docs/programs.md says. Answers that are there already are taken; those of a
case take some minutes.
"""
import pathlib
import re
import subprocess
import sys

CASES = ["gemm@1#3", "gemm@1#5", "grouped@1#1", "scaled@1#3", "sparse@1#5"]
SECONDS = 3
GENCODE = "arch=compute_100a,code=[sm_100a,compute_100a]"

HEAD = """# What the pipelines need

`assay check --necessity` leaves out each fence, wait, barrier, arrival and commit of a kernel in turn and says what goes wrong
without it (docs/check.md). Here it did so with five cases of the production pipelines (`kernels/pipeline`), on the emulated
sm_100a, each for {seconds} seconds of orders: `assay replay 'pipeline.gemm@1#3' --device emulator:sm_100a --cu case.cu` makes the
first. The table has a row for each instruction that one of them executes, with its line in the PTX; `-` is not executed, `.` not
needed for this input in any order that was tried.
`docs/programs/necessity.py` makes this page.

An instruction that no case needs is not superfluous: of two that do the same neither is needed, the last arrival before the end
has nobody to wait for it, and a ring that a case does not go round needs no barrier for what is used again.
"""

# Programs of others with the sizes that they get; their lines are of their source.
TUTORIALS = [("01_mma_sm100", "128 256 128"), ("02_mma_tma_sm100", "128 256 64")]

TUTORIAL_HEAD = """
# What CUTLASS tutorials need

The same of the Blackwell tutorials 01 and 02 of CuTe. What is found in them as they are (docs/programs.md) is not counted here,
and their results, which depend on it, are not compared.
02 runs with one tile along K: with two there is an order that hangs (`assay check --explore -- ./02_mma_tma_sm100 128 256 128`).
Each warp waits for the barriers of the loads and of the products, and nobody waits for the warps, so that one that falls behind
by two phases waits for a parity that has passed. Tutorials 03 to 05 have clusters of 16 CTAs, of which one order alone takes
more than a minute under `--explore`.
"""


def run(command, folder):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def answers(assay, folder, case):
    name = re.sub(r"\W", "_", case)
    out = folder / f"{name}.txt"
    if not out.exists():
        source = f"{name}.cu"
        run([assay, "replay", f"pipeline.{case}", "--device", "emulator:sm_100a", "--cu", source], folder)
        run(["nvcc", "-std=c++20", "--expt-relaxed-constexpr", "-gencode", GENCODE, "-o", name, source], folder)
        asked = run([assay, "check", "--necessity", f"--explore={SECONDS}", "--device", "emulator:sm_100a", "--",
                     f"./{name}"], folder)
        out.write_text(asked.stdout)
    return {line: rest for line, *rest in rows(out)}


def rows(out):
    """Line, instruction and what goes wrong without it, of each answer."""
    lines = out.read_text().splitlines()
    for answer, text in zip(lines, lines[1:]):
        match = re.match(r"(\S+):(\d+): (needed: without it (.*)|not needed.*)", answer)
        if match:
            yield int(match[2]), text.strip(), re.sub(r" at \S+?:", " at ", match[4] or ".")


def main():
    assay, folder = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2])
    all_found = [answers(assay, folder, case) for case in CASES]
    print(HEAD.format(seconds=SECONDS))
    print("| case | executed | needed |\n| --- | ---: | ---: |")
    for case, found in zip(CASES, all_found):
        print(f"| `{case}` | {len(found)} | {sum(why != '.' for _, why in found.values())} |")
    print("\n| line | instruction | " + " | ".join(CASES) + " |\n| ---: | --- |" + " --- |" * len(CASES))
    for line in sorted(set().union(*all_found)):
        text = next(found[line][0] for found in all_found if line in found)
        row = [found[line][1] if line in found else "-" for found in all_found]
        print(f"| {line} | `{text}` | " + " | ".join(row) + " |")
    print(TUTORIAL_HEAD)
    print("| tutorial | line | instruction | without it |\n| --- | ---: | --- | --- |")
    for name, sizes in TUTORIALS:
        out = folder / f"{name}.nec"
        if not out.exists():
            asked = run([assay, "check", "--necessity", f"--explore={SECONDS}", "--device", "emulator:sm_100a", "--",
                         f"./{name}", *sizes.split()], folder)
            out.write_text(asked.stdout)
        for line, text, why in rows(out):
            print(f"| {name} `{sizes}` | {line} | `{text}` | {why} |")


main()
