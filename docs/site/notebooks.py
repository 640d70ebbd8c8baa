"""Runs docs/notebooks: `python docs/site/notebooks.py [--write] [NAME…]`, which keeps what they print, too.

They must run, be short, have outputs, and tell nothing of the machine's folders. One that takes a package which is
not installed is checked as it was kept.
"""

from __future__ import annotations

import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"
MOST_CELLS = 12
WRITE = "--write" in sys.argv
NAMES = [name for name in sys.argv[1:] if name != "--write"]
# What is large, and no requirement of the others: .ci/cluster installs it.
TAKES = {"cluster": "ray"}


def run(path: Path) -> Any:
    """Run a notebook, and keep it if that is asked for."""
    package = TAKES.get(path.stem)
    if package and not find_spec(package):
        print(f"{path.name}: not run, as {package} is not installed")
        return nbformat.read(path, as_version=4)
    start = time.perf_counter()
    client = NotebookClient(nbformat.read(path, as_version=4), record_timing=False, timeout=300)
    client.extra_arguments = ["--log-level=ERROR"]
    client.execute(cwd=str(FOLDER))
    print(f"{path.name}: {time.perf_counter() - start:.0f} s")
    if WRITE:
        client.nb.metadata.language_info = {"name": "python"}
        nbformat.write(client.nb, path)
    return nbformat.read(path, as_version=4)


def wrong_with(notebook: Any) -> list[str]:
    """Say what is wrong with it as it is kept."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    outputs = [output for cell in code for output in cell.outputs]
    wrong = []
    if len(notebook.cells) > MOST_CELLS:
        wrong.append(f"{len(notebook.cells)} cells, expected at most {MOST_CELLS}")
    if not outputs or any(cell.execution_count is None for cell in code):
        wrong.append("no outputs: run python docs/site/notebooks.py --write")
    if any(output.output_type == "error" or output.get("name") == "stderr" for output in outputs):
        wrong.append("an error, or a warning")
    if found := re.search(r"/(?:home|root|tmp|usr|work|Users)/\S*", str(outputs)):
        wrong.append(f"{found.group()}, which is a folder of this machine")
    return wrong


def main() -> int:
    """Say what is wrong, if anything. Two at once, but where times are kept."""
    paths = [FOLDER / f"{name}.ipynb" for name in NAMES] or sorted(FOLDER.glob("*.ipynb"))
    with ThreadPoolExecutor(1 if WRITE else 2) as pool:
        notebooks = list(pool.map(run, paths))
    wrong = [
        f"{p.name}: {text}" for p, kept in zip(paths, notebooks, strict=True) for text in wrong_with(kept)
    ]
    print(*wrong, f"{len(paths)} notebooks: {len(wrong)} wrong", sep="\n")
    return bool(wrong)


sys.exit(main())
