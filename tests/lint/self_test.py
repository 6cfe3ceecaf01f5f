#!/usr/bin/env python3
"""The checks of this folder, checked: each rule is broken once in a tree made for it."""
import pathlib
import sys
import tempfile

import layers
import source
import style

HEADER = "/* A thing. */\n"
OPENING = "/*\n * A model of a thing,\n * told in lines.\n */\n"

# A sound tree, and for each rule what to put in it and the sentence that must come of it.
SOUND = {
    "include/raidtop/text.h": HEADER,
    "include/raidtop/rates.h": HEADER + '#include "raidtop/text.h"\n',
    "include/raidtop/surface.h": HEADER,
    "include/raidtop/replay.h": HEADER,
    "include/raidtop/stream.h": HEADER,
    "src/base/text.c": OPENING + '#include "raidtop/text.h"\n',
    "src/model/rates.c": OPENING + '#include "raidtop/rates.h"\n',
    "src/provider/replay.c": OPENING + '#include "raidtop/replay.h"\n#include "raidtop/rates.h"\n',
    "src/provider/linux/mdstat.h": HEADER,
    "src/provider/linux/mdstat.c": OPENING + '#include "mdstat.h"\n',
    "src/load/stream.c": OPENING + '#include "raidtop/stream.h"\n',
    "src/ui/surface.c": OPENING + '#include "raidtop/surface.h"\n',
    "src/ui/terminal.c": OPENING + "#include <ncurses.h>\n",
    "src/app/main.c": OPENING + '#include "raidtop/replay.h"\n#include "raidtop/surface.h"\n'
                      + "static const int table[] = {\n" + "\t1,\n" * 600 + "};\n",
}

BROKEN = [
    ("upward", layers, {"include/raidtop/text.h": '#include "raidtop/rates.h"\n'}, "not below"),
    ("peers", layers, {"src/load/plan.c": '#include "raidtop/replay.h"\n'}, "not below"),
    ("provider to screen", layers, {"src/provider/p.c": '#include "raidtop/surface.h"\n'}, "not below"),
    ("view to provider", layers, {"src/ui/view_x.c": '#include "raidtop/replay.h"\n'}, "a view"),
    ("private header", layers, {"src/app/x.c": '#include "provider/linux/mdstat.h"\n'}, "private"),
    ("homeless header", layers, {"include/raidtop/lost.h": HEADER}, "in no layer"),
    ("header of no layer", layers, {"src/app/x.c": '#include "raidtop/gone.h"\n'}, "not known"),
    ("second ncurses", layers, {"src/ui/x.c": "#include <ncurses.h>\n"}, "one file"),
    ("forbidden call", style, {"src/app/x.c": OPENING + "int x = atoi(y);\n"}, "calls atoi"),
    ("number parsed elsewhere", style, {"src/app/x.c": OPENING + "x = strtoul(y);\n"}, "only src/base/"),
    ("typedef", style, {"src/app/x.h": HEADER + "typedef struct x x;\n"}, "typedef"),
    ("extern", style, {"src/app/x.c": OPENING + "extern int x;\n"}, "extern"),
    ("system macro", style, {"src/app/x.c": OPENING + "#ifdef __linux__\n#endif\n"}, "operating system"),
    ("long line", style, {"src/app/x.c": OPENING + "/*" + "x" * 99 + "*/\n"}, "columns"),
    ("blanks", style, {"src/app/x.c": OPENING + "int x; \n"}, "blanks"),
    ("left for later", style, {"src/app/x.c": OPENING + "/* TO" + "DO */\n"}, "left"),
    ("long function", style, {"src/app/x.c": OPENING + "int x(int a,\n      int b)\n{\n" + "\ta++;\n" * 77
                              + "}\n"}, "function of 81 lines"),
    ("long file", style, {"src/app/x.c": OPENING + "int x;\n" * 500}, "are long"),
    ("no opening", style, {"src/app/x.c": "int x;\n"}, "does not open"),
    ("short opening", style, {"src/app/x.c": "/* x */\nint x;\n"}, "fewer than"),
    ("own header later", style, {"src/base/text.c": OPENING + "#include <stdio.h>\n"}, "included first"),
]


def sentences(module, extra):
    with tempfile.TemporaryDirectory() as folder:
        source.ROOT = pathlib.Path(folder).resolve()
        for name, text in {**SOUND, **extra}.items():
            path = source.ROOT / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return [sentence for _, _, sentence in module.check()]


def main():
    wrong = []
    for module in (layers, style):
        for sentence in sentences(module, {}):
            wrong.append(f"sound tree: {sentence}")
    for name, module, extra, expected in BROKEN:
        found = sentences(module, extra)
        if not any(expected in sentence for sentence in found):
            wrong.append(f"{name}: not noticed, only {found}")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
