#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What has a name or a place of its own is not written out elsewhere.

  spelled_once.py ROOT     names each line that does, and exits with 1
  spelled_once.py --test   plants each kind of breach and sees it named

Codes of the hardware are compared by the names that the tables give them (spec::host_type, spec::type_code, ...);
tests may say numbers, and 0 may say that there is no swizzle or interleave. An instruction of a kernel is written in
kernels/ptx.cuh, by a function for each spelling; every other asm statement of a kernel, in headers too, asks for forms
that rows of kernels/forms spell. No macro of a kernel holds text of instructions.
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
WRAPPERS = "kernels/ptx.cuh"
ASM = re.compile(r"\b(?:asm|__asm|__asm__)\s*(?:\b(?:volatile|__volatile__)\s*)?\(\s*")
LITERAL = r'"(?:[^"\\\n]|\\.)*"'
LITERALS = re.compile(rf"(?:{LITERAL}\s*)*")
ASKS = re.compile(r"trap; // assay\.forms [^;\\]+;")  # and nothing behind it
DEFINE = re.compile(r"^[ \t]*#[ \t]*define\b(?:.*\\\n)*.*", re.MULTILINE)
INSTRUCTION = re.compile(r";|%\d|::|\.\w+[. ]")  # what no constraint has
COMMENT = re.compile(r"//(?! assay\.forms).*")


def asks_for_forms(text):
    """Of what stands behind the parenthesis of an asm statement: its text is a statement that rows replace."""
    literals = LITERALS.match(text).group()
    joined = re.sub(r'"\s*"', "", literals.strip())[1:-1]
    return ASKS.fullmatch(joined) is not None and text[len(literals):len(literals) + 1] in (":", ")")


def holds_instructions(macro):
    return ASM.search(macro) is not None or any(INSTRUCTION.search(text[1:-1]) for text in re.findall(LITERAL, macro))


def breaches(name, text):
    """Pairs of line number and what is wrong there. `name`: from the root on."""
    lines = [COMMENT.sub("", line) for line in text.split("\n")]
    for number, line in enumerate(lines, 1):
        if CODE.search(line) or CODE_0.search(line):
            yield number, "compares a code by its number; the tables of reference/spec name it: " + line.strip()
    if not name.startswith("kernels/") and not name.endswith((".cu", ".cuh")):
        return
    text = "\n".join(lines)
    for match in ASM.finditer(text):
        if name != WRAPPERS and not asks_for_forms(text[match.end():]):
            yield text.count("\n", 0, match.start()) + 1, f"spells an instruction outside {WRAPPERS} and kernels/forms"
    for match in DEFINE.finditer(text):
        if holds_instructions(match.group()):
            yield text.count("\n", 0, match.start()) + 1, "a macro holds text of instructions; kernels/forms has rows"


def check(root):
    wrong = 0
    for room in ROOMS:
        for path in sorted((root / room).rglob("*")):
            if path.suffix in SUFFIXES and not re.search(r"_test\.\w+$", path.name):
                name = path.relative_to(root).as_posix()
                for number, what in breaches(name, path.read_text()):
                    print(f"{name}:{number}: {what}", file=sys.stderr)
                    wrong += 1
    return 1 if wrong else 0


def test():
    bad = [("a.cc", "if (cell.type >= 14) {"), ("a.cc", "  return map.interleave == 2;"),
           ("a.h", "c.kind == 3"), ("a.cc", "c.d_type == 0"), ("a.cc", "x(c.scale_type) != 1"),
           ("a.cc", "matrix.swizzle<4"), ("a.cuh", "(r.swizzle == 4)"),
           ("kernels/a.cu", 'asm volatile("st.shared.u16 [%0], %1;");'), ("kernels/a.cu", 'asm(\n    "trap;");'),
           ("kernels/a.cuh", 'asm volatile("st.shared.u16 [%0], %1;" ::"r"(a), "h"(v) : "memory");'),
           ("kernels/tcgen05.cuh", 'asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");'),
           ("kernels/a.cuh", '__asm__ __volatile__ ("trap;");'), ("kernels/a.cuh", 'asm volatile(R"(trap;)");'),
           ("kernels/a.cuh", 'asm volatile("trap; // assay.forms wgmma, %0;\\n" "trap;" ::"r"(a));'),
           ("kernels/a.cuh", 'asm volatile("trap; // assay.forms wgmma, %0;" EACH ::"r"(a));'),
           ("kernels/a.cuh", 'asm volatile(EACH "trap;" ::: "memory");'), ("fuzz/a.cu", 'asm("trap;");'),
           ("kernels/params/a.h", 'asm("trap;");'),
           ("kernels/a.cuh", '#define LOAD \\\n  "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%8];\\n"'),
           ("kernels/a.cu", '#define FORM(S) "fence.proxy.tensormap::generic.release." S'),
           ("kernels/ptx.cuh", '  #define FORM(S)  \\\n  asm volatile(S ::: "memory")')]
    good = [("a.cc", "c.swizzle != 0"), ("a.cc", "c.kind == MmaKind::i8"), ("a.cc", "c.a_type = 1;"),
            ("a.cc", "a_type << 7"), ("a.cc", "return 0;  // interleave == 2"), ("a.cc", "const int kind = 3;"),
            ("kernels/ptx.cuh", 'asm volatile("st.shared.u16 [%0], %1;");'),
            ("kernels/a.cuh", '#define EIGHT(v) "=&r"(v[0]), "=&r"(v[1])\nconst char* text = "ld;";'),
            ("kernels/a.cu", "// one asm (of several)"), ("devices/a.cc", 'asm("nop;");'),
            ("kernels/a.cuh", 'asm volatile("trap; // assay.forms mbarrier, %1, %0;" : "=l"(a) : "r"(b));'),
            ("kernels/a.cu", 'asm volatile(\n      "trap; // assay.forms wgmma, %0, "\n      "%1;" ::"r"(a));'),
            ("kernels/a.cu", 'asm volatile("trap; // assay.forms wgmma, %0;");')]
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
