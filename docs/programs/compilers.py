#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs kernels of compilers that come as Python packages under `assay check`, unchanged, and makes docs/compilers.md.

compilers.py install FOLDER                  installs the packages into FOLDER (some 7 GB) and what takes the place of their assemblers
compilers.py assemblers FOLDER [VERSION ...]  installs ptxas of those versions (13.5.37), or the newest, each some 200 MB, and says what
                                             ASSAY_PTXAS is to be for `assay run 'assembler.ptxas.*'`
compilers.py run FOLDER --results FILE       each program of programs(), for each device; --only REGEX; --cutlass CHECKOUT of repositories.tsv
compilers.py page --results FILE             the page, on stdout

The programs of Triton, TileLang, cuda.core and numba-cuda are the kernels of docs/programs/kernels, which compare with NumPy; those of the
CuTe DSL are NVIDIA's own examples of CUTLASS, with their comparisons. PyTorch's operations are done on the host (torch_on_host.py)."""
import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from columns import item

HERE = pathlib.Path(__file__).resolve().parent
# What the page's words are about; the indexes that pip asks are the user's.
PACKAGES = ("numpy", "torch", "triton==3.9.0", "tilelang==0.1.15", "nvidia-cutlass-dsl[cu13]==4.8.1", "cuda-python", "numba-cuda==0.30.4")
# What holds ptxas, and what it takes to make nvcc of the same toolkit of it: the front end's headers and libNVVM.
TOOLKIT = ("nvidia-cuda-nvcc", "nvidia-nvvm", "nvidia-cuda-crt")
DEVICES = ("sm_90a", "sm_100a", "sm_120a")
FILES = {"triton": "Triton", "tilelang": "TileLang", "cuda_core": "cuda.core", "numba": "numba-cuda"}
EXAMPLES = "examples/python/CuTeDSL"
SOURCES = (HERE / "compilers.txt").read_text().split()
TCGEN05 = [pathlib.Path(source).stem for source in SOURCES if "/tcgen05/" in source]


def has_no_use(name, device):
    """Kernels of tcgen05 are for sm_100a alone; elsewhere they decline."""
    return device != "sm_100a" and (name in TCGEN05 or name.startswith("tcgen05_"))


def site(folder):
    return next(folder.glob("lib/python3*/site-packages"))


def assemblers(options):
    """Each version, or the newest, into a folder of its own, by the pip of this Python."""
    found = []
    for version in options.versions or [""]:
        folder = options.folder.resolve() / (version or "newest")
        # Packages of one toolkit differ in the last number of their versions.
        wanted = [f"{name}=={version}" if version and name == TOOLKIT[0] else f"{name}=={'.'.join(version.split('.')[:2])}.*" if version else name
                  for name in TOOLKIT]
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--upgrade", "--target", str(folder), *wanted], check=True)
        found += [str(path) for path in folder.rglob("ptxas")]
    print("export ASSAY_PTXAS=" + ",".join(found))


def install(options):
    folder = options.folder.resolve()
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    subprocess.run([str(folder / "bin/pip"), "install", "--quiet", *PACKAGES], check=True)
    assemblers(argparse.Namespace(folder=folder / "newer_ptxas", versions=[]))
    toolkit, home = pathlib.Path(os.environ.get("CUDA_HOME", "/usr/local/cuda")), folder / "cuda"
    (home / "bin").mkdir(parents=True, exist_ok=True)
    for part in ("include", "lib64", "nvvm"):
        if not (home / part).exists():
            (home / part).symlink_to(toolkit / part)
    (home / "bin/nvcc").unlink(missing_ok=True)
    (home / "bin/nvcc").symlink_to(HERE / "nvcc")
    archive = site(folder) / "nvidia_cutlass_dsl/cu13/lib/libcuda_dialect_runtime_static.a"
    subprocess.run(["g++", "-std=c++20", "-O1", "-shared", "-fPIC", "-Wl,--wrap=cudaLibraryLoadData", "-o", str(folder / "libcute_dsl_runtime.so"),
                    str(HERE / "cute_dsl_runtime.cc"), f"-I{toolkit}/include", "-Wl,--whole-archive", str(archive), "-Wl,--no-whole-archive",
                    f"-L{toolkit}/lib64", "-lcudart"], check=True)


def variables(folder, kept):
    """What the compilers read: where their assemblers are, and folders of this run."""
    dsl = site(folder) / "nvidia_cutlass_dsl/cu13/lib/libcute_dsl_runtime.so"
    return os.environ | {
        "TRITON_PTXAS_PATH": str(HERE / "ptxas"), "TRITON_PTXAS_BLACKWELL_PATH": str(HERE / "ptxas"), "TRITON_CACHE_DIR": f"{folder}/cache/triton",
        "CUDA_HOME": str(folder / "cuda"), "CUDA_PATH": str(folder / "cuda"), "TILELANG_CACHE_DIR": f"{folder}/cache/tilelang",
        "CUTE_DSL_KEEP": "ptx", "CUTE_DSL_DUMP_DIR": f"{kept}/dsl", "CUTE_DSL_NO_CACHE": "1", "CUTE_DSL_LINEINFO": "1",
        "CUTE_DSL_ENABLE_TVM_FFI": "1",
        "CUTE_DSL_LIBS": f"{folder}/libcute_dsl_runtime.so:{dsl}"}


def programs(checkout):
    """Compiler, names of its kernels, and the words that run some of them."""
    for key, compiler in FILES.items():
        path = HERE / f"kernels/{key}_kernels.py"
        if path.exists():
            yield compiler, re.findall(r"^@kernel\ndef (\w+)", path.read_text(), re.M), lambda names, path=path: [str(path), *names]
    sources = {pathlib.Path(line).stem: checkout / EXAMPLES / line for line in SOURCES} if checkout else {}
    yield "CuTe DSL", list(sources), lambda names: ["--each", *(str(sources[name]) for name in names)]


def findings_of(sarif):
    found = []
    for result in json.loads(sarif.read_text())["runs"][0]["results"] if sarif.exists() else []:
        place = result["locations"][0].get("physicalLocation", {})
        line = place.get("region", {}).get("startLine", 0)
        found.append([result["ruleId"], os.path.basename(place.get("artifactLocation", {}).get("uri", "")), line])
    return found


# What comes after such a failure in the same process fails as well.
STICKY = r"illegal memory access|ILLEGAL|Illegal|illegal instruction|LAUNCH_FAILED|LaunchFail|launch failure|misaligned|MISALIGNED"


def run_once(words, device, options):
    """Verdict of each kernel, findings, what is not supported, the last lines."""
    folder = options.folder.resolve()
    with tempfile.TemporaryDirectory() as kept:
        os.mkdir(f"{kept}/dsl")
        sarif = pathlib.Path(kept) / "findings.sarif"
        command = [os.path.abspath(options.assay), "check", "--device", f"emulator:{device}", "--schedules", str(options.schedules), "--sarif", str(sarif),
                   "--", str(folder / "bin/python"), str(HERE / "torch_on_host.py"), *words]
        try:
            ended = subprocess.run(command, cwd=kept, env=variables(folder, kept), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, timeout=options.time)
            text = ended.stdout.decode(errors="replace")
        except subprocess.TimeoutExpired as late:
            text = (late.stdout or b"").decode(errors="replace")
        verdicts, begin = [], 0
        for line in re.finditer(r"^(passed|failed) (\w+)(.*)$", text, re.M):
            # Some say so and end all the same.
            says = re.search(r"^(FAIL|SOME TESTS FAILED)\b.*", text[begin:line.start()], re.M)
            verdicts.append((line[2], "failed: its own comparison" if says and line[1] == "passed" else line[1] + line[3]))
            begin = line.end()
        notes = re.findall(r"^assay: not supported: (.*)", text, re.M)
        return verdicts, findings_of(sarif), notes, text[-3000:]


def run(options):
    results = json.loads(options.results.read_text()) if options.results.exists() else {}
    for compiler, names, words in programs(options.cutlass and options.cutlass.resolve()):
        for device in options.devices.split(","):
            kept = results.setdefault(f"{compiler}/{device}", {"verdicts": {}, "findings": [], "not_supported": [], "ends": {}})
            left = [name for name in names if re.search(options.only, f"{compiler}/{name}/{device}") and kept["verdicts"].get(name) != "passed"
                    and not has_no_use(name, device)]
            while left:
                verdicts, findings, notes, end = run_once(words(left), device, options)
                kept["findings"] += [one for one in findings if one not in kept["findings"]]
                kept["not_supported"] += [one for one in notes if one not in kept["not_supported"]]
                if not verdicts or verdicts[0][0] not in left:
                    verdicts = [(left[0], "failed: no end, or a crash")]
                    kept["ends"][left[0]] = end
                for name, verdict in verdicts:
                    kept["verdicts"][name] = verdict
                    left.remove(name)
                    print(device, compiler, name, verdict, flush=True)
                    if re.search(STICKY, verdict):
                        break
                options.results.write_text(json.dumps(results, indent=1))


def cell(verdict):
    if verdict is None:
        return "not run"
    verdict = re.sub("\x1b\\[[0-9;]*m", "", verdict)
    if verdict == "passed":
        return verdict
    for pattern, words in FAILURES:
        if re.search(pattern, verdict):
            return "failed: " + words
    return "failed: " + verdict.removeprefix("failed: ")[:120].replace("|", "/")


def kernels_item(cells, names):
    """Kernels with the same verdicts, each verdict with its devices; devices that they are not for are left out."""
    devices = collections.defaultdict(list)
    for device, verdict in zip(DEVICES, cells):
        if verdict != "–":
            devices[verdict].append(device)
    return item(f"{', '.join(names)}: " + "; ".join(f"on {', '.join(one)} {verdict}" for verdict, one in devices.items()))


FAILURES = (
    (r"NVVM backend compilation failed|PTX assembly failed|requires Blackwell", "its compiler has no such instruction there"),
    (r"NO_BINARY_FOR_GPU", "it loads machine code by itself"),
    (r"illegal memory access", "illegal-address, see above"),
    (r"illegal instruction", "illegal-instruction, see above"),
    (r"its own comparison", "its own comparison, by a race, see above"),
    (r"stream capture", "it measures its time through cuda.bindings, which has a CUDA runtime of its own"),
)


def page(options):
    results = {}
    for path in options.results:
        for key, value in json.loads(path.read_text()).items():
            kept = results.setdefault(key, {"verdicts": {}, "findings": []})
            kept["verdicts"].update(value["verdicts"])
            kept["findings"] += [one for one in value["findings"] if one not in kept["findings"]]
    lines = (HERE.parent / "compilers.md").read_text().split("\n## Counts")[0].rstrip().splitlines()
    lines += ["", "## Counts", "", "| compiler | " + " | ".join(f"{device}: passed of run" for device in DEVICES) + " |", "| --- |" + " --- |" * len(DEVICES)]
    compilers = list(dict.fromkeys(key.rsplit("/", 1)[0] for key in results if results[key]["verdicts"]))
    of = lambda compiler, device: results.get(f"{compiler}/{device}", {"verdicts": {}, "findings": []})
    for compiler in compilers:
        counts = [[verdict for name, verdict in of(compiler, device)["verdicts"].items() if not has_no_use(name, device)]
                  for device in DEVICES]
        lines.append(f"| {compiler} | " + " | ".join(f"{sum(verdict == 'passed' for verdict in one)} of {len(one)}" for one in counts) + " |")
    for compiler in compilers:
        lines += ["", f"## {compiler}", ""]
        names = dict.fromkeys(name for device in DEVICES for name in of(compiler, device)["verdicts"])
        alike = {}
        for name in names:
            cells = tuple("–" if has_no_use(name, device) else cell(of(compiler, device)["verdicts"].get(name)) for device in DEVICES)
            alike.setdefault(cells, []).append(f"`{name}`")
        lines += [line for cells, group in alike.items() for line in kernels_item(cells, group)]
        places = collections.defaultdict(lambda: collections.defaultdict(set))
        for device in DEVICES:
            for clause, file, line in of(compiler, device)["findings"]:
                places[clause][device].add(f"{file}:{line}")
        if places:
            lines += ["", "Findings, with their places:", ""]
        for clause, where in sorted(places.items()):
            lines += item(f"`{clause}`: " + "; ".join(f"{device} {', '.join(sorted(one))}" for device, one in where.items()))
    print("\n".join(lines))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    installs = commands.add_parser("install")
    installs.add_argument("folder", type=pathlib.Path)
    newer = commands.add_parser("assemblers")
    newer.add_argument("folder", type=pathlib.Path)
    newer.add_argument("versions", nargs="*")
    runs = commands.add_parser("run")
    runs.add_argument("folder", type=pathlib.Path)
    runs.add_argument("--results", type=pathlib.Path, required=True)
    runs.add_argument("--cutlass", type=pathlib.Path)
    runs.add_argument("--only", default="")
    runs.add_argument("--devices", default=",".join(DEVICES))
    runs.add_argument("--schedules", type=int, default=1)
    runs.add_argument("--assay", default="assay")
    runs.add_argument("--time", type=int, default=600, help="seconds by the clock for each program")
    pages = commands.add_parser("page")
    pages.add_argument("--results", type=pathlib.Path, required=True, nargs="+")
    options = parser.parse_args()
    {"install": install, "assemblers": assemblers, "run": run, "page": page}[options.command](options)
