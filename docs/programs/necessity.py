#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/necessity.md: necessity.py ASSAY FOLDER ROOT > docs/necessity.md

Asks `assay check --necessity` what each program below could do without: cases of the pipelines, tutorials of CUTLASS, kernels of
DeepGEMM. nvcc compiles them into FOLDER from ROOT, where docs/programs/run.py says that their sources lie. Answers that are in
FOLDER already are taken; all take some 20 minutes of one core.
"""
import pathlib
import re
import subprocess
import sys

from columns import item

ORDERS = 20
NOT_NEEDED = "not needed"
DEVICE = ["--device", "emulator:sm_100a"]
PTX = ["-gencode", "arch=compute_100a,code=compute_100a"]
CASES = ["gemm@1#3", "gemm@1#5", "grouped@1#1", "scaled@1#3", "sparse@1#5"]

HEAD = """# What the pipelines need

`assay check --necessity` leaves out each fence, wait, barrier, arrival and commit of a kernel in turn and
says what goes wrong without it (docs/check.md). Here it did so with five cases of the production pipelines
(`kernels/pipeline`), on the emulated sm_100a, each in at most {orders} orders (`--orders {orders}`), of which the first
that shows something is the last: `assay replay 'pipeline.gemm@1#3' --device emulator:sm_100a --cu case.cu`
makes the first. Each instruction that one of the cases executes is an item, with its line in the PTX, and
what goes wrong without it in which cases; *not needed* is said of this input and the orders that were tried.
No clock decides anything. `docs/programs/necessity.py` asks and makes the page.

An instruction that no case needs is not superfluous: of two that do the same neither is needed, the last
arrival before the end has no thread that waits for it, and a ring that a case does not go round needs no
barrier for what is used again.
"""

# Programs of others with their sizes, the least that they take; lines are of their sources.
TUTORIALS = {"01_mma_sm100": "128 256 128", "02_mma_tma_sm100": "128 256 64", "03_mma_tma_multicast_sm100": "512 1024 64",
             "04_mma_tma_2sm_sm100": "512 1024 64", "05_mma_tma_epi_sm100": "512 1024 64"}
TUTORIAL_HEAD = """
# What CUTLASS tutorials need

The same of the Blackwell tutorials of CuTe. What is found in them as they are (docs/programs.md) is not
counted here, and their results, which depend on it, are not compared. Each runs with one tile along K. With
two there is an order of 02 that hangs, which `assay check --explore -- ./02_mma_tma_sm100 128 256 128` finds
and gives a line to replay: each warp waits for the barriers of the loads and of the products, and nobody
waits for the warps, so that one that falls behind by two phases waits for a parity that has passed (PTX:
mbarrier.try_wait.parity waits for the current phase or the one before it).
"""

# A kernel's header, its template arguments and its launch, as DeepGEMM's own host code makes them for one CTA and this size.
DEEPGEMM = {
    "sm100_bf16_gemm": (
        "sm100_bf16_gemm.cuh",
        "sm100_bf16_gemm_impl<cute::UMMA::Major::K, cute::UMMA::Major::K, 128, 64, 256, 128, 64, 64, 1, 128, 128, 128, 2, 128, 128, 1, false, 1, 128, "
        "false, false, GemmType::Normal, false, cutlass::bfloat16_t, 100>",
        "--block 256 --shared 82432 --arg buffer:16 --arg u32:128 --arg u32:64 --arg u32:256 --arg map:bf16,256x128,box=64x128,swizzle=128B,random "
        "--arg map:bf16,256x64,box=64x64,swizzle=128B,random --arg map:bf16,64x128,box=64x128,swizzle=128B"),
    "sm100_fp8_fp4_gemm_1d1d": (
        "sm100_fp8_fp4_gemm_1d1d.cuh",
        "sm100_fp8_fp4_gemm_1d1d_impl<cute::UMMA::Major::K, cute::UMMA::Major::K, 128, 128, 128, 128, 128, 512, 128, 128, 128, 1, 128, 128, 128, 2, "
        "128, 128, 1, false, 1, false, false, GemmType::Normal, false, cutlass::float_e4m3_t, cutlass::float_e4m3_t, cutlass::bfloat16_t, "
        "epilogue::transform::EpilogueIdentity>",
        "--block 256 --shared 100864 --arg buffer:16 --arg u32:128 --arg u32:128 --arg u32:512 --arg map:u8,512x128,box=128x128,swizzle=128B,random "
        "--arg map:u8,512x128,box=128x128,swizzle=128B,random --arg map:s32,128x1,box=128x1,random --arg map:s32,128x1,box=128x1,random "
        "--arg map:bf16,128x128,box=64x128,swizzle=128B"),
    "sm100_bmk_bnk_mn": (
        "sm100_bmk_bnk_mn.cuh", "sm100_bmn_bnk_mn_gemm_impl<128, 128, 64, 128, 128, 64, 4, 128, 128, 2, 128>",
        "--block 128 --shared 98560 --arg u32:4 --arg map:bf16,64x512,box=64x128,swizzle=128B,random "
        "--arg map:bf16,64x512,box=64x128,swizzle=128B,random --arg map:f32,128x128,box=32x128,swizzle=128B"),
}
DEEPGEMM_HEAD = """
# What kernels of DeepGEMM need

The same of three kernels of DeepGEMM, each as one CTA that goes twice round a ring of two stages; an order is
the only one that can differ. What is found in them as they are (tensor-lane-window, missing-exit-wait) is not
counted, and results are not compared. A line is of the header in which it stands.
"""


def run(command, folder):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def answers(out, make, command):
    """What `make` made and `command` says of it: file, line, instruction, and what goes wrong without it."""
    if not out.exists():
        for words in make:
            made = run(words, out.parent)
            if made.returncode != 0:
                sys.exit(made.stderr)
        asked = run([ASSAY, "check", "--necessity", "--orders", str(ORDERS), *DEVICE, *command], out.parent)
        if asked.returncode != 0:
            sys.exit(f"{' '.join(command)}: {asked.stderr}")
        out.write_text(asked.stdout)
    lines = out.read_text().splitlines()
    for answer, text in zip(lines, lines[1:]):
        match = re.match(r"(\S+):(\d+): (needed: without it (.*)|not needed.*)", answer)
        if match:
            yield pathlib.Path(match[1]).name, int(match[2]), text.strip(), re.sub(r" at (\S+/)?(\S+?):", r" at \2:", match[4] or NOT_NEEDED)


def of_case(case):
    name = re.sub(r"\W", "_", case)
    make = [[ASSAY, "replay", f"pipeline.{case}", *DEVICE, "--cu", f"{name}.cu"],
            ["nvcc", "-std=c++20", "--expt-relaxed-constexpr", *PTX, "-o", name, f"{name}.cu"]]
    return {line: (text, re.sub(r" at \S+:", " at ", why))
            for _, line, text, why in answers(FOLDER / f"{name}.txt", make, ["--", f"./{name}"])}


def of_tutorial(name, sizes):
    cutlass = ROOT / "cutlass"
    includes = [f"-I{cutlass / part}" for part in ("include", "tools/util/include", "examples/common")]
    make = [["nvcc", "-std=c++17", "--expt-relaxed-constexpr", "-lineinfo", "-DCUTLASS_ARCH_MMA_SM100_SUPPORTED", *PTX, *includes, "-o", name,
             str(cutlass / f"examples/cute/tutorial/blackwell/{name}.cu"), "-lcuda"]]
    return answers(FOLDER / f"{name}.txt", make, ["--", f"./{name}", *sizes.split()])


def of_deepgemm(name, header, kernel, launch):
    (FOLDER / f"{name}.cu").write_text(f"#include <deep_gemm/impls/{header}>\nusing namespace deep_gemm;\nvoid* instance() {{\n"
                                       f"  return reinterpret_cast<void*>(&{kernel});\n}}\n")
    make = [["nvcc", "-std=c++20", "--expt-relaxed-constexpr", "-lineinfo", "-arch=compute_100a", "-ptx", f"-I{ROOT / 'DeepGEMM/deep_gemm/include'}",
             f"-I{ROOT / 'cutlass/include'}", "-o", f"{name}.ptx", f"{name}.cu"]]
    return answers(FOLDER / f"{name}.txt", make, [f"{name}.ptx", *launch.split()])


def show(place, instruction, without_it):
    print(*item(f"{place} `{instruction}`: {without_it}"), sep="\n")


def main():
    all_found = [of_case(case) for case in CASES]
    print(HEAD.format(orders=ORDERS))
    print("| case | executed | needed |\n| --- | ---: | ---: |")
    for case, found in zip(CASES, all_found):
        print(f"| `{case}` | {len(found)} | {sum(why != NOT_NEEDED for _, why in found.values())} |")
    print()
    for line in sorted(set().union(*all_found)):
        text = next(found[line][0] for found in all_found if line in found)
        answers = {}
        for case, found in zip(CASES, all_found):
            if line in found:
                answers.setdefault(found[line][1], []).append(case)
        show(line, text, "; ".join(f"{why} in {', '.join(cases)}" for why, cases in answers.items()))
    print(TUTORIAL_HEAD)
    for name, sizes in TUTORIALS.items():
        print(f"\n## {name} {sizes}\n")
        for file, line, text, why in of_tutorial(name, sizes):
            place = f"{line}" if file == f"{name}.cu" else f"{file}:{line}"
            show(place, text, why.replace(f" at {name}.cu:", " at "))
    print(DEEPGEMM_HEAD)
    for name, rest in DEEPGEMM.items():
        print(f"\n## {name}\n")
        for file, line, text, why in of_deepgemm(name, *rest):
            show(f"{file}:{line}", text, why)


if __name__ == "__main__":
    ASSAY = str(pathlib.Path(sys.argv[1]).resolve())
    FOLDER, ROOT = pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve()
    FOLDER.mkdir(exist_ok=True)
    main()
