# SPDX-License-Identifier: Apache-2.0
"""Lines of Markdown that fit the columns that cmake/tidy.py asks of a page."""
import re

COLUMNS = 110
# What a line break does not divide where it fits a line: spans of code and links.
UNIT = re.compile(r"(?:`[^`]*`|\[[^\]]*\]\([^)]*\)|\S)+")
# What would begin a list, a heading, a quotation or a table at the start of a line.
BEGINS_A_BLOCK = re.compile(r"([-+*]|\d+[.)]|#+|>.*|\|.*)$")


def wrapped(text, indent="", first=None):
    """The lines of one paragraph; with `first`, such as "- ", of an item whose further lines begin with `indent`."""
    units, lines = [part for unit in UNIT.findall(text) for part in (unit.split() if len(unit) > COLUMNS else [unit])], []
    while units:
        begin, taken = indent if first is None or lines else first, 1
        while taken < len(units) and len(begin + " ".join(units[:taken + 1])) <= COLUMNS:
            taken += 1
        while 1 < taken < len(units) and BEGINS_A_BLOCK.match(units[taken]):
            taken -= 1
        lines.append(begin + " ".join(units[:taken]))
        units = units[taken:]
    return lines


def item(text):
    return wrapped(text, "  ", "- ")
