#!/usr/bin/env python3
"""The rules of style that no compiler knows: lengths, forbidden calls, how a file begins."""
import re
import sys

import source
from source import code, files, read, report

FUNCTION_LINES = 80
FILE_LINES = 500
COLUMNS = 100
OPENING_LINES = 3

# Calls, and where they are allowed all the same (the number parser, for instance, is in base/).
FORBIDDEN = {
    r"strcpy|strcat|stpcpy|sprintf|vsprintf|gets|strtok": None,
    r"atoi|atol|atoll|atof|system|popen|alloca|putp|tputs": None,
    r"strto[dflu]\w*|strtold|strtoimax|strtoumax|[fs]?scanf": "src/base/",
}
SYSTEM_MACRO = re.compile(r"\b__(linux|linux__|FreeBSD__|NetBSD__|OpenBSD__|APPLE__)\b")
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX)\b")
INCLUDE = re.compile(r'^#include\s*[<"]([^>"]+)[>"]', re.M)

# A line of a function's head: its first one, or one that goes on with the parameters.
SIGNATURE = re.compile(r"([^#}\s]|\s+\S).*(?<!;)$")


def check_calls(path, lines):
    for pattern, home in FORBIDDEN.items():
        if home and str(path).startswith(home):
            continue
        call = re.compile(rf"(?<![\w.>])({pattern})\s*\(")
        for number, line in enumerate(lines, 1):
            found = call.search(line)
            if found:
                excuse = f", which only {home} may" if home else ""
                yield number, f"calls {found.group(1)}{excuse}"


def check_words(path, lines):
    for number, line in enumerate(lines, 1):
        if re.search(r"\btypedef\s+(struct|union|enum)\b", line):
            yield number, "typedef of a struct, union or enum"
        if path.suffix == ".c" and re.match(r"extern\b", line):
            yield number, "extern in a source: declare it in a header"
        if path.parts[0] != "tests" and SYSTEM_MACRO.search(line):
            yield number, "asks for the operating system: make it a file of its own in SYSTEM/"


def check_text(lines):
    for number, line in enumerate(lines, 1):
        if len(line.expandtabs(8)) > COLUMNS:
            yield number, f"longer than {COLUMNS} columns"
        if line != line.rstrip():
            yield number, "blanks at the end of the line"
        if UNFINISHED.search(line):
            yield number, "left for later"


def blocks(lines):
    """(first line, last line, is a function) of each block whose braces end in column 0."""
    start = None
    is_function = False
    for number, line in enumerate(lines, 1):
        if start is None and line.rstrip() == "{":
            start, is_function = number, True
            while start > 1 and SIGNATURE.match(lines[start - 2]):
                start -= 1
        elif start is None and re.match(r"\S.*=\s*\{$", line.rstrip()):
            start, is_function = number, False
        elif start is not None and line.startswith("}"):
            yield start, number, is_function
            start = None


def check_lengths(lines):
    tables = 0
    for first, last, is_function in blocks(lines):
        length = last - first + 1
        if not is_function:
            tables += length
        elif length > FUNCTION_LINES:
            yield first, f"function of {length} lines, {FUNCTION_LINES} are too many"
    if len(lines) - tables > FILE_LINES:
        yield 1, f"{len(lines) - tables} lines without tables, {FILE_LINES} are long"


def check_opening(path, text):
    if not text.startswith("/*"):
        yield 1, "does not open with a comment that says what it models"
    elif path.parts[0] == "src" and path.suffix == ".c":
        if text.split("*/")[0].count("\n") + 1 < OPENING_LINES:
            yield 1, f"opens with fewer than {OPENING_LINES} lines of what it models"


def check_own_header(path, text):
    places = [("include", f"raidtop/{path.stem}.h"), (path.parent, f"{path.stem}.h")]
    own = [name for folder, name in places if (source.ROOT / folder / name).exists()]
    first = INCLUDE.search(text)
    if own and first and not any(first.group(1).endswith(name) for name in own):
        line = text.count("\n", 0, first.start()) + 1
        yield line, f"its own header {own[0]} is not included first"


def check_file(path):
    text = read(path)
    bare = code(text).split("\n")
    yield from check_calls(path, bare)
    yield from check_words(path, bare)
    yield from check_text(text.rstrip("\n").split("\n"))
    yield from check_lengths(bare)
    if path.parts[0] != "tests":
        yield from check_opening(path, text)
    if path.parts[0] == "src" and path.suffix == ".c":
        yield from check_own_header(path, text)


def check():
    return [(path, line, sentence)
            for path in files("src", "include", "tests") for line, sentence in check_file(path)]


if __name__ == "__main__":
    sys.exit(report(check()))
