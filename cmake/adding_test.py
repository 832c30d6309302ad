#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Performs steps of docs/adding.md in a clone and sees what was added caught, run, printed or written: adding_test.py ROOT

An anchor that a file has lost, or a step that docs/adding.md does not name, fails the test, as does what the program says
of what was added. testdata/toy_operation adds an operation, with a test of its own.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

# What is added: the files that docs/adding.md names, each with a line of its own and what stands before that line.
STEPS = {
    "rule": [
        ("reference/spec/rules_tiled_copy.h", '{{{"ptx", "cp.reduce.async.bulk.tensor: relaxed.gpu"}, {"h200", "RD-02"}}}),\n',
         '    Rule("TILE-R99", "an added rule", {{{"ptx", "5.5.3 tiled mode"}}}),\n'),
        ("reference/model/tensor_copy/tiled_shape.cc", 'rules.set(rule("TILE-R01"))', '.set(rule("TILE-R99"))')],
    "fault": [
        ("devices/faults/tma.cc", "const Fault places[] = {\n",
         '    {"added_fault", "The tensor address loses bit 4.", "TILE-R01", "tma.tiled.load 20", &Steps::source,\n'
         "     [](const TiledShape& shape, const std::array<int64_t, 5>& index) -> uint64_t {\n"
         "       return honest_steps.source(shape, index) & ~(uint64_t{1} << 4);\n     }},\n")],
    "property": [
        ("suites/tensor_copy/tiled_claims.cc", "namespace assay::suites {\nnamespace {\n",
         '\nconst Registered added({\n    .name = "tma.tiled.added",\n    .claim = "an added property holds",\n'
         "    .family = tiled_copy_family,\n    .generate = generate_case<gen::make_tiled_load>,\n"
         "    .spaces = {tiled_cells(CopyDirection::load)},\n    .cover = cover_tiled,\n});\n")],
    "report": [
        ("reports/written_reports.h", "void write_markdown(const std::filesystem::path& db, const std::filesystem::path& file);\n",
         "void write_added(const std::filesystem::path& db, const std::filesystem::path& file);\n"),
        ("reports/written_reports.cc", "constexpr WrittenReport rows[] = {\n",
         '    {"added.txt", ".txt",\n     [](const fs::path& db, const fs::path& file, const JunitOptions&) { write_added(db, file); }},\n'),
        ("reports/added.cc", "",
         '#include "reports/results.h"\n#include "reports/text.h"\n#include "reports/written_reports.h"\n\n'
         "namespace assay::report {\n\nvoid write_added(const std::filesystem::path& db, const std::filesystem::path& file) {\n"
         "  uint64_t cases = 0;\n  for (const DeviceResult& device : read_results(db).devices)\n"
         "    for (const PropertyResult& property : device.properties) cases += property.cases();\n"
         '  write_whole_file(file, std::string(report_mark) + "\\n" + std::to_string(cases) + " cases\\n");\n}\n\n'
         "}  // namespace assay::report\n")],
}


def run(command, folder, codes=(0,)):
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if ended.returncode not in codes:
        sys.exit(f"{' '.join(command)}: exit code {ended.returncode}\n{ended.stdout[-4000:]}{ended.stderr[-4000:]}")
    return ended.stdout


def expect(what, holds, text):
    if not holds:
        sys.exit(f"{what}:\n{text}")


def add(clone):
    page = {item.split("**")[0]: item for item in (clone / "docs/adding.md").read_text().split("\n- **")[1:]}
    for thing, edits in STEPS.items():
        words = next((item for names, item in page.items() if thing in names.split(", ")), None)
        expect("docs/adding.md has no steps for it", words is not None, thing)
        for name, anchor, text in edits:
            named = [part for part in re.findall(r"`([\w/.*]+)`", words) if part.rstrip("/") and name.startswith(part.rstrip("/"))
                     or pathlib.Path(name).match(part)]
            expect(f"docs/adding.md does not name {name}", named, words)
            path = clone / name
            before = path.read_text() if path.exists() else ""
            expect(f"{name} does not have once", before.count(anchor) == 1 or not before, anchor)
            at = before.find(anchor) + len(anchor)
            path.write_text(before[:at] + text + before[at:])


def see(clone):
    assay, out = str(clone / "build/release/assay"), clone / "out"
    rule = json.loads(run([assay, "describe", "TILE-R99", "--json"], clone))
    expect("the rule is not exercised by tiled loads", "tma.tiled.load" in rule["exercised_by"], rule)
    caught = run([assay, "faults", "added_fault", "--property", "tma.tiled.load", "--on", "sm_90a*", "--budget", "100s",
                  "--out", str(out / "faults")], clone)
    expect("the fault is not caught", re.search(r"^added_fault +sm_90a +caught by tma.tiled.load ", caught, re.M), caught)
    run([assay, "run", "tma.tiled.added", "--device", "emulator:sm_90a", "--cases", "7", "--out", str(out / "run")], clone)
    run([assay, "merge", str(out / "run/results.db"), "-o", str(out / "merged.db")], clone)
    for report in ("run/added.txt", "merged.txt"):
        text = (out / report).read_text()
        expect(f"{report} does not say how many cases ran", text.endswith("\n7 cases\n"), text)


def main():
    with tempfile.TemporaryDirectory() as folder:
        clone = pathlib.Path(folder) / "clone"
        run(["git", "clone", "--quiet", "--shared", sys.argv[1], str(clone)], folder)
        add(clone)
        run(["cmake", "--preset", "release", "-DCMAKE_CXX_FLAGS_RELEASE=-O0", "-DASSAY_NVCC=OFF"], clone)
        run(["ninja", "-C", "build/release", "assay_program", "assay_emulator", "assay_faults"], clone)
        see(clone)


if __name__ == "__main__":
    main()
