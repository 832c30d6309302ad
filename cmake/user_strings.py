#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints every sentence that a person may be shown, "file:line: text", to be read once after words were changed:
string literals of two words and more in reports, cli, suites, devices and reference/spec, without tests, and the launcher's."""
import pathlib
import re
import sys

ROOMS = ["reports", "cli", "suites", "devices", "reference/spec"]
LITERAL = r'"(?:[^"\\\n]|\\.)*"'
NO_SENTENCE = re.compile(r'^#|SELECT |INSERT |UPDATE |DELETE |CREATE |PRAGMA |^<|="|[{};]\n')


def sentences(text):
    text = re.sub(r"//[^\n]*", lambda m: " " * len(m.group()), text)
    text = re.sub(r'R"(\w*)\((.*?)\)\1"', lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)
    for match in re.finditer(rf"{LITERAL}(?:\s*{LITERAL})*", text):
        words = "".join(part[1:-1] for part in re.findall(LITERAL, match.group()))
        if re.search(r"[A-Za-z]{2,} [A-Za-z]{2,}", words) and not NO_SENTENCE.search(words):
            yield text.count("\n", 0, match.start()) + 1, words


def main(root):
    files = [root / "assay"]
    for room in ROOMS:
        files += sorted(f for f in (root / room).rglob("*.cc") if not f.name.endswith("_test.cc"))
        files += sorted(f for f in (root / room).rglob("*.h") if not f.name.endswith("_test.h"))
    for file in files:
        for line, words in sentences(file.read_text(encoding="utf-8")):
            print(f"{file.relative_to(root)}:{line}: {words}")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "."))
