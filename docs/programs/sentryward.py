#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs SentryWard, a static verifier of PTX, beside `assay check` on the same kernels and makes docs/sentryward.md.

sentryward.py FOLDER --results FILE    installs it into FOLDER (once; Python packages), runs both; --only REGEX
sentryward.py --page --results FILE    the page, on stdout: counts, and each disagreement with the reason that sentryward.tsv gives

The kernels: the museum and its like (testdata/museum, testdata/clauses), the pairs and the litmus tests of testdata/ptx, and the kernels
of this repository. `right` is a kernel without a defect; what ours has to find is what the test of each file says."""
import argparse
import collections
import glob
import json
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

from columns import item, wrapped

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
PACKAGE = "sentryward==0.1.1"
Kernel = collections.namedtuple("Kernel", "set name defective text target launch")
# Who is right where the two disagree, and why, by kernel, each read to its end. What no sentence is for is an error of the page.
REASONS = [
    ("assay check. Fences, proxies, scopes and .relaxed are no part of SentryWard's model, as it says: an arrival or a barrier orders whatever it is. "
     "Where the arrival, the wait or the barrier itself is left out (in relaxed_arrival_of_a_consumer, arrive_relaxed, remote_relaxed), it finds that",
     "barrier_init_without_fence operands_without_proxy_fence tensor_store_not_fenced relaxed_arrival_of_a_consumer "
     "remote_store_announced_locally stored_and_copied remote_relaxed remote_init_fence remote_arrival_narrow remote_arrival_relaxed "
     "arrive_relaxed wait_relaxed"),
    ("assay check, and SentryWard proves what it says: all accesses are ordered. The defect is in what the launch hands over: an argument "
     "of the encoder, or memory that is smaller than a map or the kernel's own bound says", "map_null_address map_stride_not_16 scale_map_too_large store_past_the_end"),
    ("assay check, and SentryWard proves what it says: all accesses are ordered. A descriptor leads out of its tile, past the end of shared memory or to "
     "bytes that nobody wrote", "copy_of_scales_with_a_swizzle strides_exchanged strides_of_the_other_operand"),
    ("assay check, and SentryWard proves what it says: all accesses are ordered. The wrong lanes of tensor memory are read: of another warp, or of no row of D",
     "lanes_of_another_warp upper_half_of_m64"),
    ("assay check. A limit of the device: 512 columns of tensor memory, of which 32 more are asked for without end; no tensor memory at all; a setmaxnreg that "
     "not all warps of a warpgroup execute", "more_columns_than_there_are tcgen05_on_sm_120/defect some_warps_give_registers_back"),
    ("assay check. A bulk copy over an mbarrier that nobody uses again: both accesses are of one thread and ordered, but PTX lets nothing else than mbarrier "
     "operations touch the object", "tile_over_a_live_barrier"),
    ("SentryWard by the letter of PTX, under which two writes of one value without order conflict too. assay check leaves plain stores of one value alone, since "
     "every order leaves the same. With one thread that stores, SentryWard finds nothing",
     "tcgen05_on_sm_120/mended remote_word_read_at_once left_before_the_other_has_read relaxed_cluster_arrival same_value_stored_by_all "
     "two_values_stored_by_all same_write_after_write"),
    ("assay check. Both accesses are strong and name a scope that has both threads, which PTX does not call a race; SentryWard takes them for plain ones, and with a "
     "barrier between finds nothing", "strong_wide strong_strong"),
]
BYTES = {"f16": 2, "bf16": 2, "u8": 1, "s32": 4, "u32": 4, "f32": 4, "u16": 2, "f64": 8, "u64": 8, "s64": 8}


def target_of(text):
    return re.search(r"^\.target (\w+)", text, re.M).group(1)


def museum():
    for path in sorted((TOP / "testdata/museum").glob("*.ptx")) + sorted((TOP / "testdata/clauses").glob("*.ptx")):
        text = path.read_text()
        launch = re.search(r"^// launch: (.*)", text, re.M).group(1).split()
        mended = re.search(r"^// mended: (.*)", text, re.M)
        block = ["--block", launch[launch.index("--block") + 1]]
        for which in ("defect", "mended"):
            words = block + mended.group(1).split() if mended and which == "mended" else launch
            words = words if "--kernel" in words else words + ["--kernel", which]
            yield Kernel("museum", f"{path.stem}/{which}", which == "defect", text, target_of(text), words)


def pairs():
    """As devices/emulator/ptx_pairs.h reads them; without those of tensor maps, whose tensor is a buffer of the same launch there."""
    prologue = re.search(r'R"\((.*?)\)"', (TOP / "devices/emulator/ptx_pairs.h").read_text(), re.S).group(1)
    for path in sorted((TOP / "testdata/ptx").glob("*.pairs")):
        for part in re.split(r"^pair: ", path.read_text(), flags=re.M)[1:]:
            if "tensor" in part:
                continue
            head, *lines = part.splitlines()
            name, options = head.split()[0], dict(word.partition("=")[::2] for word in head.split()[1:])
            target = options.get("target", "sm_90a")
            launch = [word for key in ("grid", "block", "cluster") if key in options for word in (f"--{key}", options[key])]
            launch += ["--arg", "buffer:4096", "--arg", "buffer:4096", "--arg", "map:u32,1024,box=32"]
            for which, without in (("defect", "+"), ("mended", "-")):
                if which == "defect" and "finds" not in options:
                    continue
                body = "\n".join(line[2:] for line in lines if line and line[0] not in "#" + without)
                text = f".version 8.8\n.target {target}\n{prologue}{body}\n\tret;\n}}\n"
                yield Kernel("pairs", f"{name}/{which}", which == "defect", text, target, launch)


def litmus():
    for path in sorted((TOP / "testdata/ptx").glob("race_*.ptx")):
        text = path.read_text()
        for name, options, expected in re.findall(r"^// run: (\w+)(.*)\n// expect: (.*)", text, re.M):
            launch = [word for key, value in re.findall(r"(grid|block|cluster)=(\d+)", options) for word in (f"--{key}", value)]
            yield Kernel("litmus", f"{path.stem}/{name}", expected != "race-free", text, target_of(text), launch + ["--kernel", name])


def own():
    for path in sorted(TOP.glob("kernels/*/ptx/*.ptx")):
        text = path.read_text()
        for name in re.findall(r"\.entry (\w+)", text):
            yield Kernel("kernels", f"{path.stem}/{name}", False, text, target_of(text), ["--block", "128", "--kernel", name])


def option(words, name, default):
    return words[words.index(name) + 1] if name in words else default


def sizes(text):
    return ([int(size) for size in text.split("x")] + [1, 1])[:3]


def descriptor(parameter, words):
    """What it wants to know of a tensor map: `map:TYPE,SIZES,box=SIZES,...`."""
    kind, dims, *rest = words.split(":", 1)[1].split(",")
    more = dict(word.split("=", 1) for word in rest if "=" in word)
    dims = [int(size) for size in dims.split("x")]
    box = [int(size) for size in more["box"].split("x")] if "box" in more else None
    strides, size = [], int(more.get("pitch", dims[0] * BYTES[kind]))
    for dim in dims[1:]:
        strides.append(size)
        size *= dim
    return {"parameter": parameter, "offset": 0, "object": "tensor_" + parameter, "rank": len(dims), "element_type": kind, "box_shape": box,
            "global_shape": dims, "global_strides_bytes": strides, "element_strides": [1] * len(dims),
            "swizzle": more.get("swizzle", "none"), "interleave": "none", "oob_fill": "zero"}


def input_of(kernel):
    words = kernel.launch
    entry = option(words, "--kernel", "pair")
    head = re.search(rf"\.entry {entry}\s*\((.*?)\)", kernel.text, re.S)
    names = re.findall(r"(\w+)(?:\[\d+\])?\s*(?:,|$)", head.group(1).strip()) if head else []
    given = [words[at + 1] for at, word in enumerate(words) if word == "--arg"]
    launch = {"grid_dim": sizes(option(words, "--grid", "1")), "block_dim": sizes(option(words, "--block", "32"))}
    if "--cluster" in words:
        launch["cluster_dim"] = sizes(option(words, "--cluster", "1"))
    made = {"schema": "spverify.kernel-input/v1", "entry": entry, "launch": launch}
    maps = [descriptor(name, arg) for name, arg in zip(names, given) if arg.startswith("map:")]
    values = [{"name": name, "value": int(arg.split(":")[1])} for name, arg in zip(names, given) if re.match(r"[us]\d+:", arg)]
    return made | ({"tma_descriptors": maps} if maps else {}) | ({"arguments": values} if values else {})


def timed(command, limit):
    """Exit code (None: no end within the limit), output, CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=limit)
        code, output = ended.returncode, ended.stdout + (ended.stderr if ended.returncode == 2 else "")
    except subprocess.TimeoutExpired:
        code, output = None, ""
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return code, output, round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 2)


FOUND = ("not_wellsynced", "potential_race", "invalid_lifecycle")
# Under another category, these name a defect of a kernel too.
NAMED = {"zero-initial-arrival-count", "tmem_missing_dealloc"}


def theirs(kernel, folder, program, limit):
    file, config = folder / "kernel.ptx", folder / "input.json"
    file.write_text(kernel.text)
    config.write_text(json.dumps(input_of(kernel)))
    _, output, seconds = timed([program, str(file), "--input", str(config), "--timeout", str(limit), "--memory-limit-mib", "4096"], 2 * limit)
    try:
        answer = json.loads(output)
    except ValueError:
        return {"kind": "undecided", "why": "timeout", "seconds": seconds}
    result, codes = answer["result"], [one["code"] for one in answer["diagnostics"]]
    messages = [one.get("message", "") for one in answer["diagnostics"]]
    kind = "found" if result in FOUND or NAMED & set(codes) else "clean" if result == "race_free" else "unsupported"
    if kind == "unsupported" and (answer["checks"]["synchronization"] == "passed" or result.endswith(("timeout", "_exceeded"))):
        kind = "undecided"
    return {"kind": kind, "why": " ".join([result] + codes), "says": "; ".join(messages)[:300], "seconds": seconds}


def ours(kernel, folder, assay, limit):
    file, sarif = folder / "kernel.ptx", folder / "findings.sarif"
    file.write_text(kernel.text)
    sarif.unlink(missing_ok=True)
    code, output, seconds = timed([assay, "check", str(file), "--device", f"emulator:{kernel.target}", "--sarif", str(sarif)] + kernel.launch, limit)
    if code not in (0, 1):
        return {"kind": "undecided" if code is None else "unsupported", "why": output.strip()[-200:], "seconds": seconds}
    rules = sorted({one["ruleId"] for one in json.loads(sarif.read_text())["runs"][0]["results"]})
    return {"kind": "found" if code else "clean", "why": " ".join(rules), "seconds": seconds}


def kernels():
    return [*museum(), *pairs(), *litmus(), *own()]


def run(options):
    program = options.folder / "bin/sentryward"
    if not program.exists():
        subprocess.run([sys.executable, "-m", "venv", str(options.folder)], check=True)
        subprocess.run([str(options.folder / "bin/pip"), "install", "--quiet", PACKAGE], check=True)
    results = json.loads(options.results.read_text()) if options.results.exists() else {}
    with tempfile.TemporaryDirectory() as out:
        for kernel in kernels():
            key = f"{kernel.set}/{kernel.name}"
            if re.search(options.only, key):
                folder = pathlib.Path(out)
                results[key] = {"theirs": theirs(kernel, folder, str(program), options.time)}
                if kernel.set != "kernels":  # their own launches need a suite; run them by `assay run ... --device emulator:...,strict`
                    results[key]["ours"] = ours(kernel, folder, options.assay, options.time)
                print(key, kernel.defective, results[key], flush=True)
                options.results.write_text(json.dumps(results, indent=1))


def reason_of(name):
    stem, which = name.split("/")
    for reason, names in REASONS:
        if stem in names.split() or which in names.split() or name in names.split():
            return reason
    sys.exit(f"no reason for the disagreement about {name}")


def verdict(kernel, kind):
    """found, missed, false, clean, undecided, unsupported."""
    return {"clean": "missed" if kernel.defective else "clean", "found": "found" if kernel.defective else "false"}.get(kind, kind)


SETS = {"museum": "museum and its like", "pairs": "pairs", "litmus": "litmus tests", "kernels": "kernels of this repository"}
VERDICTS = ("found", "missed", "clean", "false", "undecided", "unsupported")


def page(options):
    results = json.loads(options.results.read_text())
    kept = [(kernel, results[f"{kernel.set}/{kernel.name}"]) for kernel in kernels() if f"{kernel.set}/{kernel.name}" in results]
    lines = (TOP / "docs/sentryward.md").read_text().split("\n| kernels | tool")[0].rstrip().splitlines()
    lines += ["", "| kernels | tool | " + " | ".join(VERDICTS) + " | CPU s |", "| --- | --- |" + " --- |" * (len(VERDICTS) + 1)]
    for key, title in SETS.items():
        for tool, name in (("theirs", "SentryWard 0.1.1"), ("ours", "assay check")):
            found = [(verdict(kernel, result[tool]["kind"]), result[tool]["seconds"]) for kernel, result in kept if kernel.set == key and tool in result]
            counts = collections.Counter(kind for kind, _ in found)
            if found:
                lines.append(f"| {title} | {name} | " + " | ".join(str(counts[kind]) for kind in VERDICTS) + f" | {sum(time for _, time in found):.0f} |")
    whys = collections.Counter(result["theirs"]["why"].split()[1] for _, result in kept if result["theirs"]["kind"] in ("unsupported", "undecided"))
    lines += ["", *wrapped("Why it does not decide, by its own codes: " + ", ".join(f"{code} {count}" for code, count in whys.most_common()) + "."),
              "", "## Where the two disagree", ""]
    groups = {}
    for kernel, result in kept:
        if "ours" not in result or not {result["theirs"]["kind"], result["ours"]["kind"]} == {"clean", "found"}:
            continue
        words = verdict(kernel, result["theirs"]["kind"]), verdict(kernel, result["ours"]["kind"]), reason_of(kernel.name)
        groups.setdefault(words, []).append(kernel.name)
    for (their, our, reason), names in groups.items():
        lines += item(f"{', '.join(f'`{name}`' for name in names)}: {their} by SentryWard, {our} by assay check. Right: {reason}.")
    print("\n".join(lines))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, nargs="?")
    parser.add_argument("--results", type=pathlib.Path, required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--assay", default="assay")
    parser.add_argument("--time", type=int, default=20, help="seconds for each kernel and tool")
    parser.add_argument("--page", action="store_true")
    options = parser.parse_args()
    page(options) if options.page else run(options)
