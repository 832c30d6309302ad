#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a case costs, counted under valgrind and compared with bench/ledger.txt.

  ledger.py PROGRAM TABLE [GLOB...]          measures and compares; exit code 1 where a figure differs too much
  ledger.py PROGRAM TABLE --write [GLOB...]  measures and writes the rows anew
  ledger.py PROGRAM TABLE --test             the comparison itself: tables that must fail do
"""
import concurrent.futures
import fnmatch
import os
import re
import subprocess
import sys
import tempfile

columns = ("instructions", "references", "misses", "bytes", "allocations")
# By so much a figure may grow, or shrink, unnoticed: a share of it, and at least this. Where the linker puts a table
# decides over a few lines of a cache.
share = 0.05
least = {"instructions": 40, "references": 20, "misses": 4, "bytes": 512, "allocations": 0.02}
caches = ["--cache-sim=yes", "--I1=32768,8,64", "--D1=32768,8,64", "--LL=1048576,16,64"]
# What is not counted.
absent = "-"


def tools(program):
    compiler = subprocess.run([program, "compiler"], capture_output=True, text=True, check=True).stdout.strip()
    valgrind = subprocess.run(["valgrind", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    libc = os.confstr("CS_GNU_LIBC_VERSION")
    return f"{compiler}, {libc}, {valgrind.replace('-', ' ')}"


def read_table(text):
    """Rows by (operation, phase): cases and figures; the order of the operations; what the table was made with."""
    rows, made_with = {}, ""
    for line in text.splitlines():
        if line.startswith("# with "):
            made_with = line[len("# with "):]
        if not line or line.startswith("#"):
            continue
        operation, phase, cases, *figures = line.split()
        rows[operation, phase] = (int(cases), [None if f == absent else float(f) for f in figures])
    return rows, made_with


def table_text(header, rows):
    lines = list(header)
    for (operation, phase), (cases, figures) in rows.items():
        shown = [absent if f is None else f"{f:.2f}" if name == "allocations" else f"{f:.0f}"
                 for name, f in zip(columns, figures)]
        lines.append(f"{operation:37}{phase:9}{cases:5}" + "".join(f"{f:>{w}}" for f, w in zip(shown, (13, 11, 9, 11, 12))))
    return "\n".join(lines) + "\n"


def read_profile(text):
    """What a profile counts, and what is counted in and below each of the functions that mark a phase."""
    names, sums, inner, callee = {}, None, {}, ""
    marks = {"::CountedFamily::predict(": "predict", "::CountedFamily::same(": "compare",
             "::CountedFamily::allows(": "compare"}
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith("totals:"):
            sums = [int(n) for n in line.split()[1:]]
        elif line.startswith(("fn=", "cfn=")):
            number, name = re.match(r"c?fn=\((\d+)\) ?(.*)", line).groups()
            if name:
                names[number] = name
            if line.startswith("cfn="):
                callee = names[number]
        elif line.startswith("calls="):
            costs = [int(n) for n in next(lines).split()[1:]]
            for mark, phase in marks.items():
                if mark in callee:
                    before = inner.setdefault(phase, [0] * 9)
                    for i, n in enumerate(costs):
                        before[i] += n
    return sums + [0] * (9 - len(sums)), inner


def figures_of(events, cases, allocations):
    """Events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw."""
    n = [e / cases for e in events]
    return [n[0], n[1] + n[2], n[6] + n[7] + n[8], 64 * (n[4] + n[5]), allocations / cases]


def minus(a, b):
    return [x - y for x, y in zip(a, b)]


def run_counted(program, kind, operation, cases):
    """The profiles' texts by phase, and the lines that the program printed."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "-q", "--tool=callgrind", "--instr-atstart=no", "--collect-atstart=no",
                   f"--callgrind-out-file={folder}/out", *(caches if kind != "emulate" else []),
                   program, kind, operation, str(cases)]
        # Nothing of the environment: what lies on the stack moves all that follows.
        ran = subprocess.run(command, capture_output=True, text=True, env={"PATH": os.environ["PATH"]})
        if ran.returncode != 0:
            raise RuntimeError(f"{operation}: {ran.stderr.strip().splitlines()[-1]}")
        profiles = {}
        for name in os.listdir(folder):
            with open(os.path.join(folder, name)) as file:
                text = file.read()
            label = re.search(r"^desc: Trigger: Client Request: \S*\|(\w+)$", text, re.M)
            if label:
                profiles.setdefault(label[1], []).append(text)
        return profiles, ran.stdout.splitlines()


def measure(program, operation, kind, cases):
    profiles, printed = run_counted(program, kind, operation, cases)
    numbers = {tuple(line.split()[1:3]): int(line.split()[3]) for line in printed}
    if kind == "emulate":
        counted = numbers["emulate", "cases"]
        total = sum(read_profile(text)[0][0] for text in profiles["emulate"])
        return {(operation, "emulate"): (cases, [total / counted, None, None, None, None])}
    sums = {phase: [0] * 9 for phase in ("generate", "predict", "compare", "record")}
    for text in profiles["generate"]:
        sums["generate"] = [a + b for a, b in zip(sums["generate"], read_profile(text)[0])]
    for text in profiles["judge"]:
        total, inner = read_profile(text)
        for phase, events in inner.items():
            sums[phase] = [a + b for a, b in zip(sums[phase], events)]
            total = minus(total, events)
        sums["record"] = [a + b for a, b in zip(sums["record"], total)]
    return {(operation, phase): (cases, figures_of(events, cases, numbers[phase, "allocations"]))
            for phase, events in sums.items()}


def differs(name, was, now):
    return was is not None and now is not None and abs(now - was) > max(share * was, least[name])


def compare(table, measured):
    """A sentence for each figure that the table does not hold any more."""
    wrong = []
    for key, (_, figures) in measured.items():
        if key not in table:
            wrong.append(f"{' '.join(key)}: the table has no such row")
            continue
        for name, was, now in zip(columns, table[key][1], figures):
            if differs(name, was, now):
                change = "more" if now > was else "less"
                wrong.append(f"{' '.join(key)}: {now:.2f} {name} a case, {change} than the table's {was:.2f}")
    return wrong


def grown(old, new):
    """Rows that a commit made dearer."""
    return [f"{' '.join(key)}: {name}" for key, (_, figures) in new.items() if key in old
            for name, was, now in zip(columns, old[key][1], figures) if differs(name, was, now) and now > was]


def gives_reason(message):
    return re.search(r"^Cost: \S+ \S+", message, re.M) is not None


def unexplained(folder, path):
    """Of the last commit that changed the table: what it made dearer without a reason in its message."""
    def git(*arguments):
        ran = subprocess.run(["git", "-C", folder, *arguments], capture_output=True, text=True)
        return ran.stdout if ran.returncode == 0 else None
    commit = (git("log", "-1", "--format=%H", "--", path) or "").strip()
    if not commit:
        return []
    new, old = git("show", f"{commit}:{path}"), git("show", f"{commit}^:{path}")
    if new is None or old is None or gives_reason(git("log", "-1", "--format=%B", commit) or ""):
        return []
    return [f"{row} grew in the table, and the commit's message has no line 'Cost: why'"
            for row in grown(read_table(old)[0], read_table(new)[0])]


def measure_all(program, rows, globs):
    work = {}
    for (operation, phase), (cases, _) in rows.items():
        kind = "emulate" if phase == "emulate" else "host"
        if not globs or any(fnmatch.fnmatch(operation, glob) for glob in globs):
            work[operation, kind] = cases
    measured = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(measure, program, operation, kind, cases) for (operation, kind), cases in work.items()]
        for job in jobs:
            measured.update(job.result())
    return measured


def missing_operations(program, rows):
    """Kinds of records no property of which is in the table."""
    listed = subprocess.run([program, "operations"], capture_output=True, text=True, check=True).stdout.splitlines()
    has = {operation for operation, _ in rows}
    kinds = {}
    for line in listed:
        operation, kind = line.split()
        if kind.startswith("screen"):  # what a GPU counts of itself stands in its output, which no prediction holds
            continue
        # The same copies in larger clusters.
        kinds.setdefault(kind.removesuffix("_non_portable"), []).append(operation)
    return [f"{kind}: none of its properties is in the table, such as {operations[0]}"
            for kind, operations in kinds.items() if not has.intersection(operations)]


def test(program, table):
    """The comparison with tables that are made up, and once with figures of the program itself."""
    row = ("a.b", "predict")
    made = {row: (200, [1000.0, 500.0, 100.0, 10000.0, 1.0])}
    def with_figure(i, value):
        figures = list(made[row][1])
        figures[i] = value
        return {row: (200, figures)}
    assert compare(made, made) == []
    for i, name in enumerate(columns):
        was = made[row][1][i]
        assert compare(made, with_figure(i, was * 1.04)) == []
        assert len(compare(made, with_figure(i, was * 1.12))) == 1, name
        assert len(compare(made, with_figure(i, was * 0.88))) == 1, name
        assert len(grown(made, with_figure(i, was * 1.12))) == 1, name
        assert grown(made, with_figure(i, was * 0.88)) == []
    assert len(compare({}, made)) == 1
    assert gives_reason("area: subject\n\nCost: boxes are compared twice\n")
    assert not gives_reason("area: subject\n\nCost:\n")
    operation = "driver.tensor_map.replace_address"
    own = {key: row for key, row in table.items() if key[0] == operation}
    measured = measure(program, operation, "host", own[operation, "predict"][0])
    assert compare(own, measured) == [], compare(own, measured)
    cheaper = {key: (cases, [f and 0.9 * f for f in figures]) for key, (cases, figures) in own.items()}
    assert any("generate" in line and "more than" in line for line in compare(cheaper, measured))
    # A function of Family that CountedFamily does not pass on is another path than that of a run.
    for operation in ("tma.tiled.load", "tma.im2col.reduce", "wgmma.f16"):
        cost = {}
        for kind in ("host", "plain"):
            profiles, _ = run_counted(program, kind, operation, 40)
            cost[kind] = sum(read_profile(text)[0][0] for texts in profiles.values() for text in texts)
        assert abs(cost["host"] - cost["plain"]) < 0.02 * cost["plain"], (operation, cost)
    assert missing_operations(program, {}) != []
    print("the ledger's comparison holds")


def main():
    program, path, *rest = sys.argv[1:]
    with open(path) as file:
        text = file.read()
    table, made_with = read_table(text)
    with open("/proc/cpuinfo") as file:
        has_avx2 = " avx2 " in file.read()
    here = tools(program)
    if "--write" in rest:
        measured = measure_all(program, table, [g for g in rest if g != "--write"])
        table.update(measured)
        header = [f"# with {here}" if line.startswith("# with ") else line
                  for line in text.splitlines() if line.startswith("#")]
        with open(path, "w") as file:
            file.write(table_text(header, table))
        return 0
    if here != made_with or not has_avx2:
        print(f"SKIPPED: the table is of {made_with} on a processor with AVX2; this is {here}")
        return 77
    if "--test" in rest:
        test(program, table)
        return 0
    wrong = missing_operations(program, table)
    wrong += compare(table, measure_all(program, table, rest))
    folder, name = os.path.split(os.path.abspath(path))
    wrong += unexplained(folder, name)
    for line in wrong:
        print(line)
    if wrong:
        print(f"If that is meant: ninja -C build/release write_ledger, and commit {name} with the change; "
              "where a figure grew, with a line 'Cost: why' in the message.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
