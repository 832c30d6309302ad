#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs programs of others under `assay check` and makes docs/programs.md.

run.py sources                     what to check out where, and where each program is expected
run.py run ROOT --results FILE     every program of list.tsv that lies built under ROOT; with --only REGEX, those that match;
                                   with --but REGEX, those that do not
run.py page --results FILE         the page, on stdout
run.py read PAGE --results FILE    the results that a page shows, so that some of its programs can be run again
run.py check PAGE                  exit code 1 where the page and the list do not agree

Nothing is downloaded or built. A program of list.tsv lies at ROOT/bin/REPOSITORY/PROGRAM, built as its own project says, with
PTX for the device embedded, and is run in the folder of its source, ROOT/REPOSITORY/..., where it finds its data."""
import argparse
import collections
import json
import os
import pathlib
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import time

from columns import item, wrapped

HERE = pathlib.Path(__file__).resolve().parent
COLUMNS = ("repository", "program", "source", "device", "arguments", "passed", "reason")
Row = collections.namedtuple("Row", COLUMNS)
VERDICTS = ("passed", "ended", "failed")


def table(name):
    lines = (HERE / name).read_text().splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def repositories():
    return {name: (url, commit) for name, url, commit in table("repositories.tsv")}


def is_git(url):
    return url.startswith("https://github.com/")


def rows():
    return [Row(*(fields + [""] * (len(COLUMNS) - len(fields)))) for fields in table("list.tsv")]


def sources():
    for name, (url, commit) in repositories().items():
        if is_git(url):
            print(f"git clone {url} ROOT/{name} && git -C ROOT/{name} checkout {commit}")
        else:
            print(f"ROOT/{name}: an empty folder; packages of {url}, release {commit}")
    for row in rows():
        print(f"ROOT/bin/{row.repository}/{row.program}: {row.source}, for {row.device}")


def own_verdict(row, code, text, folder):
    """What the program says of itself: passed; ended (exit code 0, and it checks nothing); else failed."""
    if row.passed.startswith("output "):  # a file of LLVM's test-suite: what is printed, then a line with the exit code
        wanted, _, end = (folder / row.passed.split(" ", 1)[1]).read_text().rstrip("\n").rpartition("exit ")
        return "passed" if text.startswith(wanted) and code == int(end) else "failed"
    if code != 0 and not row.passed.startswith("code "):
        return "failed"
    if row.passed == "exit":
        return "passed"
    if row.passed == "nothing":
        return "ended"
    kind, _, what = row.passed.partition(" ")
    if kind == "text":
        return "passed" if re.search(what, text) else "failed"
    if kind == "code":
        return "passed" if code == int(what) else "failed"
    sys.exit(f"list.tsv, {row.program}: '{row.passed}' is none of exit, nothing, text REGEX, code N, output FILE")


def cpu_seconds():
    """Of all children that have ended: on a machine with other work the clock would say too much."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run_one(row, root, assay, limit):
    """A dictionary: verdict, findings by clause, seconds, the last lines that were printed."""
    program = root / "bin" / row.repository / row.program
    if not program.exists():
        return {"verdict": "not built"}
    folder = (root / row.repository / row.source).parent
    words, variables = shlex.split(row.arguments), dict(os.environ)
    while words and re.match(r"[A-Z_]+=", words[0]):
        variables.update([words.pop(0).split("=", 1)])
    with tempfile.TemporaryDirectory() as out:
        sarif = pathlib.Path(out) / "findings.sarif"
        command = [assay, "check", "--device", f"emulator:{row.device}", "--sarif", str(sarif), "--", str(program)]
        used = cpu_seconds()
        child = subprocess.Popen(command + words, cwd=folder, env=variables, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
                                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5)))
        try:
            text = child.communicate(timeout=10 * limit)[0].decode(errors="replace")
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.communicate()
            return {"verdict": "failed", "seconds": limit, "end": f"no end within {10 * limit} s by the clock"}
        seconds = cpu_seconds() - used
        result = {"seconds": round(seconds, 1), "findings": {}, "end": text[-1500:]}
        end = re.search(r"^assay: .*the program (exited with|was killed by signal) (\w+)", text, re.M)
        code = child.returncode if not sarif.exists() else json.loads(sarif.read_text())["runs"][0]["invocations"][0]["exitCode"]
        if sarif.exists():
            for finding in json.loads(sarif.read_text())["runs"][0]["results"]:
                clause = finding["ruleId"]
                result["findings"][clause] = result["findings"].get(clause, 0) + 1
        result["verdict"] = own_verdict(row, code, text, folder)
        result["code"] = code
        if child.returncode == 2 or end is None:
            result["not_checked"] = child.returncode
        return result


def run(options):
    results = json.loads(options.results.read_text()) if options.results.exists() else {"rows": {}}
    git = lambda *words: subprocess.run(["git", "-C", HERE, *words], capture_output=True, text=True, check=True).stdout.strip()
    commit = git("rev-parse", "--short=12", "HEAD") + ("" if not git("status", "--porcelain", "-uno", "--", ":(top)", ":(top,exclude)docs") else "-changed")
    day = time.strftime("%Y-%m-%d", time.gmtime())
    for row in rows():
        key = f"{row.repository}/{row.program}"
        if not re.search(options.only, key) or (options.but and re.search(options.but, key)):
            continue
        # Programs run in folders of their own, where a relative path means something else.
        assay = os.path.abspath(options.assay) if "/" in options.assay else options.assay
        result = run_one(row, options.root.resolve(), assay, options.time)
        results["rows"][key] = result | {"commit": commit, "day": day}
        print(f"{result['verdict']:10} {result.get('seconds', ''):>6} {key} {result.get('findings') or ''}", flush=True)
        options.results.write_text(json.dumps(results, indent=1))


def command_of(row):
    return f"{row.device} `{row.arguments}`" if row.arguments else row.device


def last_of(row, result):
    found = ", ".join(f"{clause} {count}" for clause, count in sorted(result.get("findings", {}).items()))
    return row.reason if result["verdict"] == "failed" else found


def page_items(kept):
    """An item for all programs with the same arguments, verdict, findings and reason."""
    alike = {}
    for row, result in kept:
        key = (result["verdict"], command_of(row), last_of(row, result))
        alike.setdefault(key, []).append(f"`{row.program}` {result['seconds']}")
    for key, programs in alike.items():
        yield from item(f"{', '.join(key[:2])}{'; ' if key[2] else ''}{key[2]}: {', '.join(programs)}")


def counts_of(verdicts, reasons):
    """The lines on top of the page. verdicts: one for each row; reasons: those of rows that did not pass."""
    count = collections.Counter(verdicts)
    kinds = collections.Counter(reason.split(":")[0] for reason in reasons)
    by_kind = ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items(), key=lambda kind: (-kind[1], kind[0])))
    return [f"**{len(verdicts)} programs tried: {count['passed']} passed by their own check, {count['ended']} ended with 0 and "
            f"check nothing, {count['failed']} did not pass.**", "", f"Why those did not: {by_kind}."]


def page(options):
    results = json.loads(options.results.read_text())
    kept, missing = {}, []
    for row in rows():
        result = results["rows"].get(f"{row.repository}/{row.program}", {"verdict": "not built"})
        if result["verdict"] == "not built":
            missing.append(f"{row.repository}/{row.program}")
        if (result["verdict"] == "failed") != bool(row.reason):
            sys.exit(f"list.tsv, {row.program}: {result['verdict']}, yet the reason is '{row.reason}'")
        kept[row] = result
    if missing:
        sys.exit("did not run: " + ", ".join(missing))
    lines = (HERE / "head.md").read_text().splitlines()
    summary = counts_of([result["verdict"] for result in kept.values()], [row.reason for row in kept if row.reason])
    at = lines.index("COUNTS")
    lines[at:at + 1] = [line for words in summary for line in wrapped(words) or [""]]
    for name, (url, commit) in repositories().items():
        ran = sorted({(result["day"], result["commit"]) for row, result in kept.items() if row.repository == name})
        if len(ran) != 1:
            sys.exit(f"{name}: its programs ran under several commits: {ran}")
        lines += ["", f"## {name}", ""]
        lines += wrapped(f"[{url.removeprefix('https://').removeprefix('github.com/')}]({url}) at {commit}. "
                         f"Run on {ran[0][0]} with the emulator of commit {ran[0][1]}.") + [""]
        lines += page_items([(row, result) for row, result in kept.items() if row.repository == name])
    print("\n".join(lines))


PAGE_ITEM = r"^- (\w+), (sm_[\w,=]+(?: `[^`]*`)?)(?:; (.*?))?: (`[^`]+` [\d.]+(?:, `[^`]+` [\d.]+)*)$"


def unwrapped(page):
    return re.sub(r"(?<=\S)\n *(?!- )(?=\S)", " ", page.read_text())


def found_in(text):
    """Program, command, verdict, findings or reason, seconds of each program of an unwrapped page."""
    for verdict, command, last, programs in re.findall(PAGE_ITEM, text, re.M):
        for program, seconds in re.findall(r"`([^`]+)` ([\d.]+)", programs):
            yield program, command, verdict, last, seconds


def read(options):
    results = {"rows": {}}
    for section in re.split(r"^## ", unwrapped(options.page), flags=re.M)[1:]:
        day, commit = re.search(r"Run on ([\d-]+) with the emulator of commit (\w+)\.", section).groups()
        for program, _, verdict, last, seconds in found_in(section):
            found = [] if verdict == "failed" or not last else [one.rsplit(" ", 1) for one in last.split(", ")]
            results["rows"][f"{section.splitlines()[0]}/{program}"] = {
                "verdict": verdict, "seconds": float(seconds), "findings": {clause: int(count) for clause, count in found},
                "commit": commit, "day": day}
    options.results.write_text(json.dumps(results, indent=1))


def check(options):
    """What the page says of itself, and of each program, against its items and the list."""
    text = unwrapped(options.page)
    wrong = []
    found = list(found_in(text))
    expected = [(row.program, command_of(row)) for row in rows()]
    if sorted(one[:2] for one in found) != sorted(expected):
        differing = set(one[:2] for one in found) ^ set(expected)
        wrong.append(f"items of the page that the list does not have, or the other way round: {sorted(differing)}")
    verdicts = {program: verdict for program, _, verdict, _, _ in found}
    reasons = {program: last for program, _, verdict, last, _ in found if verdict == "failed"}
    for row in rows():
        if reasons.get(row.program, "") != row.reason:
            wrong.append(f"{row.program}: the page says '{reasons.get(row.program, '')}', the list '{row.reason}'")
    for verdict in set(verdicts.values()) - set(VERDICTS):
        wrong.append(f"'{verdict}' is not a verdict")
    for line in counts_of([one[2] for one in found], reasons.values()):
        if line and line not in text.splitlines():
            wrong.append(f"the page's counts are not those of its items: {line}")
    if text.count("passed by their own check") != 1:
        wrong.append("the page states its counts more than once")
    sys.exit("\n".join(wrong) or 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("sources")
    runs = commands.add_parser("run")
    runs.add_argument("root", type=pathlib.Path)
    runs.add_argument("--results", type=pathlib.Path, required=True)
    runs.add_argument("--only", default="")
    runs.add_argument("--but", default="")
    runs.add_argument("--assay", default="assay")
    runs.add_argument("--time", type=int, default=120, help="seconds of CPU time for each program, ten times that by the clock")
    pages = commands.add_parser("page")
    pages.add_argument("--results", type=pathlib.Path, required=True)
    reads = commands.add_parser("read")
    reads.add_argument("page", type=pathlib.Path)
    reads.add_argument("--results", type=pathlib.Path, required=True)
    checks = commands.add_parser("check")
    checks.add_argument("page", type=pathlib.Path)
    options = parser.parse_args()
    if options.command == "sources":
        sources()
    else:
        {"run": run, "page": page, "read": read, "check": check}[options.command](options)
