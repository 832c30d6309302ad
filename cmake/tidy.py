#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Names what does not belong in the tree: tidy.py ROOT

A relative link of a Markdown file, or a docs/ path in any text, that leads to no file; a file above 600 KiB; a tree above
14 MiB. Results files are compressed, corpora are one archive a target, earlier evidence is in git's history.
"""
import pathlib
import re
import sys

LARGEST_FILE, LARGEST_TREE = 600 << 10, 14 << 20
IGNORED = re.compile(r"[.]git|[.]cache|build(-.*)?|assay-out|carry")  # as .gitignore says
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
DOCUMENT = re.compile(r"(?<![\w/.-])docs/[\w/.-]*\w")
SUFFIXES = {".md", ".cc", ".h", ".py", ".sh", ".cmake", ".txt"}


def broken_links(root, path):
    for number, line in enumerate(path.read_text().split("\n"), 1):
        links = [path.parent / to for to in LINK.findall(line) if path.suffix == ".md" and "://" not in to]
        for target in links + [root / name for name in DOCUMENT.findall(line)]:
            if not target.exists():
                yield f"line {number}: there is no {target.relative_to(root)}"


def untidy(root):
    size = 0
    for entry in sorted(root.iterdir()):
        if IGNORED.fullmatch(entry.name):
            continue
        for path in [entry] if entry.is_file() else sorted(p for p in entry.rglob("*") if p.is_file()):
            name = path.relative_to(root).as_posix()
            size += path.stat().st_size
            if path.stat().st_size > LARGEST_FILE:
                yield f"{name}: {path.stat().st_size} bytes; at most {LARGEST_FILE}"
            if path.suffix in SUFFIXES:
                yield from (f"{name}: {what}" for what in broken_links(root, path))
    if size > LARGEST_TREE:
        yield f"the tree has {size} bytes; at most {LARGEST_TREE}"


if __name__ == "__main__":
    found = list(untidy(pathlib.Path(sys.argv[1]).resolve()))
    print(*found, sep="\n", file=sys.stderr)
    sys.exit(1 if found else 0)
