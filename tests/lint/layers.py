#!/usr/bin/env python3
"""Includes go downward only: base < model < provider, load, sink < ui < app.

A header in include/raidtop/ belongs to the layer of the source of the same name, or to the one that
HOMES gives it; one in src/LAYER/ may be included by its own layer only. Views never see providers,
providers never see the screen, and one file alone knows ncurses.
"""
import re
import sys

import source
from source import LAYERS, files, read, report

RANK = {"base": 0, "model": 1, "provider": 2, "load": 2, "sink": 2, "ui": 3, "app": 4}

# Headers of types and tables that no source of the same name implements.
HOMES = {
    "stream_view.h": "model",
    "version.h": "base",
    "provider.h": "provider",
    "sink.h": "sink",
}

ASK = " (a source of its name, or a line in HOMES of layers.py)"

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.M)


def layer_of_source(path):
    return path.parts[1] if path.parts[0] == "src" and len(path.parts) > 2 else None


def layer_of_header(name):
    if name in HOMES:
        return HOMES[name]
    stem = name.rsplit(".", 1)[0]
    homes = {layer_of_source(path) for path in files("src") if path.name == stem + ".c"}
    return homes.pop() if len(homes) == 1 else None


def includes(path):
    text = read(path)
    for match in INCLUDE.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match.group(1), match.group(2)


def target_layer(path, included):
    """The layer that an #include of ours leads to, and whether it is private to that layer."""
    if included.startswith("raidtop/"):
        return layer_of_header(included[len("raidtop/"):]), False
    for base in (path.parent, "src"):
        found = source.ROOT / base / included
        if found.exists():
            return layer_of_source(found.resolve().relative_to(source.ROOT)), True
    return None, True


def check_include(path, layer, included):
    target, private = target_layer(path, included)
    if target is None:
        return f"{included}: its layer is not known{ASK}"
    if target not in RANK:
        return f"{included} lies in no layer"
    if target == layer:
        return None
    if private:
        return f"{included} is private to {target}/"
    if RANK[target] >= RANK[layer]:
        return f"{layer}/ includes {included} of {target}/, which is not below it"
    if layer == "ui" and path.stem.startswith("view_") and target == "provider":
        return f"a view includes {included} of provider/"
    return None


def check():
    problems = []
    curses = []
    for path in files("src", "include"):
        if path.parts[0] == "include":
            layer = layer_of_header(path.name)
        else:
            layer = layer_of_source(path)
        if layer not in LAYERS:
            problems.append((path, 1, "in no layer" + ASK))
            continue
        for line, bracket, included in includes(path):
            if bracket == "<":
                if re.search(r"curses\.h$", included):
                    curses.append((path, line, "includes " + included))
                continue
            sentence = check_include(path, layer, included)
            if sentence:
                problems.append((path, line, sentence))
    for path, line, sentence in curses:
        if len(curses) > 1 or layer_of_source(path) != "ui":
            problems.append((path, line, sentence + ", which one file of ui/ alone may do"))
    return problems


if __name__ == "__main__":
    sys.exit(report(check()))
