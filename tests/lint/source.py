"""What the checks of this folder share: the C files of the tree, with and without comments."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
LAYERS = ["base", "model", "provider", "load", "sink", "ui", "app"]

TOKENS = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)


def files(*folders):
    """C sources and headers below folders, as paths relative to the top."""
    found = []
    for folder in folders:
        found += (ROOT / folder).rglob("*.[ch]")
    return sorted(path.relative_to(ROOT) for path in found)


def read(path):
    return (ROOT / path).read_text(encoding="utf-8", errors="replace")


def code(text):
    """The text with comments and the insides of strings blanked, its lines where they were."""
    def blank(match):
        token = match.group()
        inside = re.sub(r"[^\n]", " ", token[1:-1])
        return token[0] + inside + token[-1] if token[0] in "\"'" else re.sub(r"[^\n]", " ", token)

    return TOKENS.sub(blank, text)


def report(problems):
    """Prints problems, (path, line, sentence) each; the exit status is whether there are any."""
    for path, line, sentence in problems:
        print(f"{path}:{line}: {sentence}")
    return 1 if problems else 0
