#!/usr/bin/env python3
"""Names each relative link of a Markdown file, and each docs/ path in any text, that leads to no file: links.py ROOT"""
import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
DOCUMENT = re.compile(r"(?<![\w/.-])docs/[\w/.-]*\w")
SUFFIXES = {".md", ".cc", ".h", ".py", ".sh", ".cmake", ".txt"}


def broken(root):
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        if path.suffix not in SUFFIXES or re.match(r"build|assay-out|[.]git$", parts[0]) or not path.is_file():
            continue
        for number, line in enumerate(path.read_text().split("\n"), 1):
            links = [path.parent / to for to in LINK.findall(line) if path.suffix == ".md" and "://" not in to]
            for target in links + [root / name for name in DOCUMENT.findall(line)]:
                if not target.exists():
                    yield f"{'/'.join(parts)}:{number}: {target.relative_to(root)} does not exist"


if __name__ == "__main__":
    found = list(broken(pathlib.Path(sys.argv[1]).resolve()))
    print(*found, sep="\n", file=sys.stderr)
    sys.exit(1 if found else 0)
