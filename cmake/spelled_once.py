#!/usr/bin/env python3
"""What has a name or a place of its own is not written out elsewhere.

  spelled_once.py ROOT     names each line that does, and exits with 1
  spelled_once.py --test   plants each kind of breach and sees it named

Codes of the hardware are compared by the names that the tables give them (spec::host_type, spec::type_code, ...);
tests may say numbers, and 0 may say that there is no swizzle or interleave. In kernels an instruction stands in a
header of wrappers (.cuh); a .cu file at most asks for a form that a row of kernels/forms spells.
"""
import pathlib
import re
import sys

ROOMS = "reference generators kernels devices suites reports fuzz cli".split()
SUFFIXES = {".h", ".cuh", ".inc", ".cc", ".cu"}
ANY = r"\b(?:data_type|elemtype|[abd]_type|scale_type|host|interleave|swizzle|collector|cell_?\.type|c\.kind)_?\)?"
COMPARED = r"\s*(?:==|!=|<=|>=|<(?!<)|>(?!>))\s*"
CODE = re.compile(ANY + COMPARED + r"[1-9]")
CODE_0 = re.compile(r"\b(?:data_type|[abd]_type|scale_type|collector|cell_?\.type|c\.kind)\)?" + COMPARED + r"0\b")
ASM = re.compile(r'\basm(?: volatile)?\(\s*"(?!trap; // assay\.forms)')
COMMENT = re.compile(r"//(?! assay\.forms).*")


def breaches(name, text):
    """Pairs of line number and what is wrong there."""
    lines = [COMMENT.sub("", line) for line in text.split("\n")]
    for number, line in enumerate(lines, 1):
        if CODE.search(line) or CODE_0.search(line):
            yield number, "compares a code by its number; the tables of reference/spec name it: " + line.strip()
    if name.endswith(".cu"):
        text = "\n".join(lines)
        for match in ASM.finditer(text):
            yield text.count("\n", 0, match.start()) + 1, "spells an instruction outside the headers of kernels/"


def check(root):
    wrong = 0
    for room in ROOMS:
        for path in sorted((root / room).rglob("*")):
            if path.suffix in SUFFIXES and not re.search(r"_test\.\w+$", path.name):
                for number, what in breaches(path.name, path.read_text()):
                    print(f"{path.relative_to(root)}:{number}: {what}", file=sys.stderr)
                    wrong += 1
    return 1 if wrong else 0


def test():
    bad = [("a.cc", "if (cell.type >= 14) {"), ("a.cc", "  return map.interleave == 2;"),
           ("a.h", "c.kind == 3"), ("a.cc", "c.d_type == 0"), ("a.cc", "x(c.scale_type) != 1"),
           ("a.cc", "matrix.swizzle<4"), ("a.cuh", "(r.swizzle == 4)"),
           ("a.cu", 'asm volatile("st.shared.u16 [%0], %1;");'), ("a.cu", 'asm(\n    "trap;");')]
    good = [("a.cc", "c.swizzle != 0"), ("a.cc", "c.kind == MmaKind::i8"), ("a.cc", "c.a_type = 1;"),
            ("a.cc", "a_type << 7"), ("a.cc", "return 0;  // interleave == 2"), ("a.cc", "const int kind = 3;"),
            ("a.cuh", 'asm volatile("st.shared.u16 [%0], %1;");'),
            ("a.cu", 'asm volatile(\n      "trap; // assay.forms wgmma, %0;");')]
    for name, text in bad:
        assert list(breaches(name, text)), f"not seen: {text}"
    for name, text in good:
        assert not list(breaches(name, text)), f"refused: {text}"


if __name__ == "__main__":
    if sys.argv[1:] == ["--test"]:
        test()
    elif len(sys.argv) == 2:
        sys.exit(check(pathlib.Path(sys.argv[1])))
    else:
        sys.exit(__doc__)
