#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Names what does not belong in the tree: tidy.py ROOT

Of Markdown: a line above 110 columns that could be broken. Of C++ and CUDA: a line above 110 columns, a function above 70 lines (rows of an initialiser are data and do not count), a
file above 500 lines, a header that nothing includes, a code of the hardware that is compared by its number where the tables
of reference/spec name it, an instruction outside of kernels/ptx.cuh and the rows of kernels/forms. Of every source: its
SPDX line. Of what users read: words that no message and no document says. Of the tree: a file above 600 KiB, 14 MiB in
all, a link or a docs/ path that leads nowhere, a path of one machine, a file that nothing names.
"""
import pathlib
import re
import subprocess
import sys

COLUMNS, FUNCTION_LINES, FILE_LINES = 110, 70, 500
LARGEST_FILE, LARGEST_TREE = 600 << 10, 14 << 20
CODE = {".cc", ".h", ".cu", ".cuh", ".inc", ".c"}
SOURCES = CODE | {".py", ".sh", ".cmake"}
TEXT = SOURCES | {".md", ".txt"}
# Folders whose files are read as a whole, by a test, a build rule or a person.
READ_WHOLE = (".github/ISSUE_TEMPLATE/", "LICENSES/", "docs/evidence/", "docs/example/", "fuzz/corpus/", "fuzz/words/", "testdata/")

LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
DOCUMENT = re.compile(r"(?<![\w/.-])docs/[\w/.-]*\w")
ONE_UNIT = re.compile(r"\s*(?:[-*] )?(?:`[^`]*`|\[[^\]]*\]\([^)]*\)|[^\s|])+")
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
SPDX = re.compile(r"(#!.*\n)?(//|#) SPDX-License-Identifier: Apache-2.0\n")
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:work|root|Users)/|(?<![\w.])/home/(?!\.\.\.)\w")

# A definition that begins in column 0 or 2; it ends with a brace in the same column.
FUNCTION = re.compile(r"(  )?(?!(?:namespace|struct|class|enum|union|if|for|while|switch|extern)\b)[^\s/#].*\(.*\{$")
RAW_STRING = re.compile(r'R"(\w*|~+)\(.*?\)\1"', re.DOTALL)

# What no message of the program says, nor any document: the project's own older words, plurals of one, what an error
# must not say.
BANNED = re.compile(
    r"(?<![Tt]here )\bis no (?!longer|more|less|larger|smaller|wider|shorter|such|evidence|multiple)\w|\bways to fail\b"
    r"|\bother (?:output )?bits(?! than)\b|\balike recorded\b|\bsaw (?!no|some)\w+ (?:completes|done|hung)"
    r"|(?<!- )\b1 (?:cases|bytes|failures|properties|times|words|elements)\b|\(s\)|\|done\|"
    r"|\b(?:is|are) wanted\b|\bis none of\b|\bnone of (?:none|the \w+ is)\b|\b(?:is|are) possible\b|\bso many\b"
    r"|\ball the same\b|\b(?:[Nn]obody|[Nn]o one)\b|\bis (?:not there|there for)\b|\bnot there\b|\bmade anew\b"
    r"|\bhere (?:stands|the line ends)\b|\bmet (?:there|\d+ times)\b")
SPEAKING = ("cli", "reports", "suites", "devices", "reference", "generators", "fuzz")
NVIDIAS_WORDS = "devices/cudart/errors.inc"
TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\((.*?)\)\1"|"((?:[^"\\\n]|\\.)*)"|\'(?:[^\'\\\n]|\\.)+\'|#\s*include[^\n]*|\s+|[^\s]', re.S)
SQL = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|FROM|WHERE|AND |GROUP|ORDER)\b")
WORDS = re.compile(r"[A-Za-z]{2,}[^A-Za-z<>\"=]*\s+[^A-Za-z<>=]*[A-Za-z]{2,}")

NAMED = r"\b(?:data_type|elemtype|[abd]_type|scale_type|host|interleave|swizzle|collector|cell_?\.type|c\.kind)_?\)?"
NAMED_0 = r"\b(?:data_type|[abd]_type|scale_type|collector|cell_?\.type|c\.kind)\)?"
COMPARED = r"\s*(?:==|!=|<=|>=|<(?!<)|>(?!>))\s*"
CODE_BY_NUMBER = re.compile(f"{NAMED}{COMPARED}[1-9]|{NAMED_0}{COMPARED}0\\b")
LITERAL = r'"(?:[^"\\\n]|\\.)*"'
ASM = re.compile(rf"\b(?:asm|__asm|__asm__)\s*(?:\b(?:volatile|__volatile__)\s*)?\(\s*((?:{LITERAL}\s*)*)(.)?")
ASKS_FOR_FORMS = re.compile(r"trap; // assay\.forms [^;\\]+;")
DEFINE = re.compile(r"^[ \t]*#[ \t]*define\b(?:.*\\\n)*.*", re.MULTILINE)
INSTRUCTION = re.compile(r";|%\d|::|\.\w+[. ]")  # what no constraint has


def is_test(name):
    return re.search(r"_test\.\w+$", name) is not None


def line_at(text, place):
    return text.count("\n", 0, place) + 1


def long_lines(name, text):
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > COLUMNS:
            yield number, f"{len(line)} columns; at most {COLUMNS}"
    if text.count("\n") > FILE_LINES:
        yield text.count("\n"), f"the file goes on; at most {FILE_LINES} lines"


def wide_pages(name, text):
    """What is quoted of other files and of output stays as it is there; a link or a span of code has no place to break."""
    fence = None
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("```"):
            fence = line if fence is None else None
        elif len(line) > COLUMNS and fence not in ("```", "```diff") and not ONE_UNIT.fullmatch(line):
            yield number, f"{len(line)} columns; at most {COLUMNS} (a table that does not fit is a list)"


def long_functions(name, text):
    """Of each definition its lines, those apart that are between `{` and `}` of an initialiser or in a raw string."""
    rows = RAW_STRING.sub(lambda m: "\n\1" * m.group().count("\n"), text).split("\n")
    begin = None
    for number, row in enumerate(rows, 1):
        if begin is None:
            if FUNCTION.match(row):
                begin, end, data_end, lines = number, re.match(" *", row).group() + "}", None, 0
        elif data_end is not None:
            if row.startswith(data_end):
                data_end = None
        elif row.startswith(end):
            if number - begin + 1 - lines > FUNCTION_LINES:
                yield begin, f"a function of {number - begin + 1 - lines} lines; at most {FUNCTION_LINES}"
            begin = None
        # An initialiser that a line of its own ends: "const Row rows[] = {", "static const List list{", "return {".
        elif re.search(r"[\w\]>] ?= ?\{$|\breturn \{$|^ +(?:static |const )+[\w:<>&* ]+\w\{$|std::vector<\w+> \w+\{$", row):
            first, data_end = number, re.match(" *", row).group() + "}"
        if begin is not None:
            lines += row.startswith("\1") or (data_end is not None and number != first)


def codes_by_number(name, text):
    if not is_test(name) and name.split("/")[0] in SPEAKING + ("kernels",):
        for number, line in enumerate(re.sub(r"//.*", "", text).split("\n"), 1):
            if CODE_BY_NUMBER.search(line):
                yield number, "compares a code by its number; the tables of reference/spec name it"


def instructions(name, text):
    if not name.startswith("kernels/") or is_test(name):
        return
    text = re.sub(r"//(?! assay\.forms).*", "", text)
    for match in ASM.finditer(text):
        joined = re.sub(r'"\s*"', "", match.group(1).strip())[1:-1]
        if not name.startswith("kernels/ptx") and not (ASKS_FOR_FORMS.fullmatch(joined) and match.group(2) in (":", ")")):
            yield line_at(text, match.start()), "spells an instruction outside kernels/ptx*.cuh and kernels/forms"
    for macro in DEFINE.finditer("" if name == "kernels/ptx_wgmma.cuh" else text):  # of 128 registers each
        if ASM.search(macro.group()) or any(INSTRUCTION.search(t) for t in re.findall(LITERAL, macro.group())):
            yield line_at(text, macro.start()), "a macro holds text of instructions; kernels/forms has rows"


def messages(text):
    """(line, string) of each run of neighbouring literals that has words in it."""
    line, first, parts = 1, 0, []
    for token in list(TOKEN.finditer(text)) + [None]:
        if token is not None and token.group(3) is not None:
            first = first if parts else line
            parts.append(token.group(3))
        elif token is None or not (token.group().isspace() or token.group().startswith(("//", "/*"))):
            whole = re.sub(r"\\(.)", r"\1", "".join(parts).replace("\\n", "\n"))
            if WORDS.search(whole) and not SQL.match(whole) and whole[:1] != "/":
                yield first, whole
            parts = []
        line += token.group().count("\n") if token else 0


def banned_words(name, text):
    if name.split("/")[0] not in SPEAKING or is_test(name) or name == NVIDIAS_WORDS:
        return
    if BANNED.search(re.sub(r'"\s*"', "", text)):  # of most files no more has to be read
        for number, words in messages(text):
            for match in BANNED.finditer(words):
                yield number, f"says '{match.group()}'"


def missing_licence(name, text):
    if not SPDX.match(text):
        yield 1, "no line SPDX-License-Identifier: Apache-2.0"


def machine_paths(name, text):
    for match in MACHINE_PATH.finditer(text):
        yield line_at(text, match.start()), f"names a path of one machine: {match.group()}"


OF_CODE = (long_lines, long_functions, codes_by_number, instructions, banned_words)
# Each check names what it must: a pattern that matches nothing would pass every tree.
BREACHES = (
    (long_lines, "a.cc", "x" * 111), (long_lines, "a.cc", "\n" * 501),
    (wide_pages, "a.md", "```sh\n```\n" + "words " * 19), (wide_pages, "a.md", "```sh\n" + "words " * 19),
    (wide_pages, "a.md", "| " + "x" * 111 + " |"),
    (long_functions, "a.cc", "int f() {\n" + "  f();\n" * 70 + "}\n"),
    (long_functions, "a.cc", "int f() {\n  const int rows[] = {\n" + "      1,\n" * 70 + "  };\n" + "  f();\n" * 68 + "}\n"),
    (codes_by_number, "suites/a.cc", "if (cell.type >= 14) {"), (codes_by_number, "suites/a.h", "c.d_type == 0"),
    (instructions, "kernels/a.cuh", 'asm volatile("trap; // assay.forms wgmma, %0;\\n" "trap;" ::"r"(a));'),
    (instructions, "kernels/a.cu", 'asm(\n    "trap;");'), (instructions, "kernels/a.cuh", 'asm volatile(R"(trap;)");'),
    (instructions, "kernels/ptx.cuh", '#define FORM(S) \\\n  "fence.proxy.tensormap::generic.release." S'),
    (banned_words, "cli/a.cc", 'throw Error("there are so "\n"many of them");'),
    (missing_licence, "a.py", "#!/usr/bin/env python3\n"), (machine_paths, "a.md", "see /" + "work/main/docs"))


def dead_files(texts, names):
    """Headers that no file includes, and files whose name or folder no other file says."""
    included = {to for name, text in texts.items() for to in INCLUDE.findall(text)}
    everything = "\n".join(texts.values())
    said = set(re.findall(r"[\w.+-]+", everything))
    for name in names:
        base = name.rsplit("/", 1)[-1]
        if pathlib.Path(name).suffix in {".h", ".cuh", ".inc"}:
            if name not in included and base not in included:
                yield f"{name}: nothing includes it"
        elif pathlib.Path(name).suffix not in CODE and not name.startswith(READ_WHOLE) and "/" in name:
            if base not in said and base.rsplit(".", 1)[0] not in said:
                yield f"{name}: nothing names it"


def broken_links(root, name, text):
    path = root / name
    for number, line in enumerate(text.split("\n"), 1):
        links = [path.parent / to for to in LINK.findall(line) if path.suffix == ".md" and "://" not in to]
        for target in links + [root / to for to in DOCUMENT.findall(line)]:
            if not target.exists():
                yield number, f"there is no {target.relative_to(root)}"


def untidy(root):
    for check, name, text in BREACHES:
        assert list(check(name, text)), f"{check.__name__} does not see {text[:80]!r}"
    listed = subprocess.run(["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=root, capture_output=True, check=True)
    names = [name for name in listed.stdout.decode().split("\0") if name and (root / name).is_file()]
    sizes = {name: (root / name).stat().st_size for name in names}
    texts = {name: (root / name).read_text() for name in names
             if pathlib.Path(name).suffix in TEXT or sizes[name] < 20000 and "." not in pathlib.Path(name).name[1:]}
    for name, size in sizes.items():
        if size > LARGEST_FILE:
            yield f"{name}: {size} bytes; at most {LARGEST_FILE}"
    if sum(sizes.values()) > LARGEST_TREE:
        yield f"the tree has {sum(sizes.values())} bytes; at most {LARGEST_TREE}"
    for name, text in texts.items():
        suffix = pathlib.Path(name).suffix
        checks = (OF_CODE if suffix in CODE else ()) + ((wide_pages,) if suffix == ".md" else ()) + ((missing_licence,) if suffix in SOURCES else ()) + (machine_paths,)
        for number, what in [found for check in checks for found in check(name, text)] + list(broken_links(root, name, text)):
            yield f"{name}:{number}: {what}"
    yield from dead_files(texts, names)


if __name__ == "__main__":
    found = list(untidy(pathlib.Path(sys.argv[1]).resolve()))
    print(*found, sep="\n", file=sys.stderr)
    sys.exit(1 if found else 0)
