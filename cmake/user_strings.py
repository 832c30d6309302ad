#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lists what a user can be told: every string literal with words in it that the program, its reports and its
suites hold, neighbours joined, as FILE:LINE: TEXT. With --check PATTERNS: those that one of the regular
expressions in that file (a line each, # comments) finds, and exit code 1 where there are any."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROOMS = ("cli", "reports", "suites", "devices", "reference", "generators", "fuzz")
TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\((.*?)\)\1"|"((?:[^"\\\n]|\\.)*)"|\'(?:[^\'\\\n]|\\.)+\'|(#\s*include[^\n]*)|(\s+)|([^\s])',
    re.S)
# What the CUDA runtime says of its errors, in NVIDIA's words.
NOT_OURS = {"devices/cudart/errors.inc"}
ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}


def unescaped(text):
    return re.sub(r"\\(.)", lambda m: ESCAPES.get(m.group(1), m.group(0)), text)


def literals(text):
    """(line, string) of each run of neighbouring literals."""
    line, first, parts = 1, 0, []
    for m in TOKEN.finditer(text):
        if m.group(3) is not None:
            if not parts:
                first = line
            parts.append(unescaped(m.group(3)))
        elif not (m.group(5) or m.group(0).startswith(("//", "/*"))):
            if parts:
                yield first, "".join(parts)
                parts = []
        line += m.group(0).count("\n")
    if parts:
        yield first, "".join(parts)


def is_for_people(text):
    """Has two words, or one that ends as a message does; is no SQL, no CSS class list, no format string alone."""
    if re.match(r"\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|FROM|WHERE|AND |GROUP|ORDER)\b", text):
        return False
    return bool(re.search(r"[A-Za-z]{2,}[^A-Za-z<>\"=]*\s+[^A-Za-z<>=]*[A-Za-z]{2,}", text)) and "/" != text[:1]


def main():
    patterns = []
    if sys.argv[1:2] == ["--check"]:
        lines = pathlib.Path(sys.argv[2]).read_text().splitlines()
        patterns = [re.compile(line) for line in lines if line and not line.startswith("#")]
    found = 0
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*")):
            if path.suffix not in (".h", ".cc", ".inc") or path.stem.endswith("_test"):
                continue
            if str(path.relative_to(ROOT)) in NOT_OURS:
                continue
            for line, text in literals(path.read_text()):
                if not is_for_people(text):
                    continue
                hits = [p.pattern for p in patterns if p.search(text)]
                if patterns and not hits:
                    continue
                found += 1
                name = path.relative_to(ROOT)
                print(f"{name}:{line}: {text!r}" + (f"   [{hits[0]}]" if hits else ""))
    if patterns:
        sys.exit(found != 0)


main()
