"""Writes docs/command-line.md, of what `bootes … --help` says, or checks that it is written.

python docs/site/command_line.py target/debug/bootes [--check]
"""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from pathlib import Path

PAGE = Path(__file__).resolve().parents[1] / "command-line.md"
WIDTH = 110


def helped(command: str, *words: str) -> str:
    """Give what is printed with `--help`."""
    return subprocess.run([command, *words, "--help"], check=True, capture_output=True, text=True).stdout


def escaped(text: str) -> str:
    """Make Markdown of plain text, but for code in backticks."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(p if p.startswith("`") else re.sub(r"([\\*_<>\[\]#|^])", r"\\\1", p) for p in parts)


def paragraph(text: str, indent: str = "") -> str:
    """Wrap a paragraph."""
    return textwrap.fill(
        escaped(text), WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def items(section: str) -> list[str]:
    """Make a list of the options of a section, whose texts are beside or below them."""
    made: list[tuple[str, list[str]]] = []
    for line in section.splitlines():
        depth = len(line) - len(line.lstrip())
        if line.strip() and depth < 10 and re.match(r" +(-|<|\[)", line):
            name, _, text = line.strip().partition("  ")
            made.append((name, [text.strip()] if text else []))
        elif line.strip():
            made[-1][1].append(line.strip())
    return [paragraph(f"- `{name}`: {' '.join(texts)}", "  ") for name, texts in made]


def page(command: str) -> str:
    """Give the whole page."""
    top = helped(command)
    commands = re.findall(r"^  ([a-z-]+) ", top.split("Commands:")[1].split("Options:")[0], re.M)
    about, end = top.split("\n\nUsage:")[0], top.split("Print version\n\n")[1].strip()
    out = ["# The command line", paragraph(f"Of `bootes … --help`: {about.splitlines()[0]}")]
    out += [paragraph(about.splitlines()[-1]), *(paragraph(line) for line in end.splitlines())]
    for name in commands:
        if name == "help":
            continue
        what, rest = helped(command, name).split("\n\nUsage: ")
        usage, *sections = re.split(r"\n\n(?=[A-Z][a-z]+:\n)", rest)
        out += [f"## bootes {name}"] + [paragraph(part) for part in what.split("\n\n")]
        folded = [textwrap.fill(line.strip(), WIDTH, subsequent_indent="    ") for line in usage.splitlines()]
        out.append("```text\n" + "\n".join(folded) + "\n```")
        for section in sections:
            kind, lines = section.split(":\n", 1)
            if kind in ("Arguments", "Options"):
                out.append("\n".join(items(lines)))
    return "\n\n".join(out) + "\n"


def main() -> int:
    """Write the page, or say whether it is another."""
    text = page(sys.argv[1])
    if "--check" not in sys.argv:
        PAGE.write_text(text, encoding="utf-8")
    elif PAGE.read_text(encoding="utf-8") != text:
        print("docs/command-line.md is not what the commands say: run python docs/site/command_line.py")
        return 1
    return 0


sys.exit(main())
