"""Examples in docstrings, and the stubs, are right."""

from __future__ import annotations

import ast
import doctest
import importlib.metadata
import re
from pathlib import Path
from typing import TYPE_CHECKING

import bootes
import numpy as np

if TYPE_CHECKING:
    import pytest


def test_examples_in_docstrings() -> None:
    """Run them: of the package, of all that it has, and of their methods."""
    finder, runner = doctest.DocTestFinder(recurse=False), doctest.DocTestRunner()
    things = {"bootes": bootes} | {name: getattr(bootes, name) for name in bootes.__all__}
    for name in bootes.__all__:
        if isinstance(things[name], type):
            things |= {f"{name}.{member}": found for member, found in vars(things[name]).items()}
    for name, thing in things.items():
        for test in finder.find(thing, name, globs={"bootes": bootes, "np": np}):
            runner.run(test)
    assert runner.summarize().attempted >= 12
    assert runner.summarize().failed == 0
    assert all(thing.__doc__ for thing in (getattr(bootes, name) for name in bootes.__all__))


def test_page_of_errors() -> None:
    """Run its examples, and look for a part for each code, the library's and the package's."""
    root = Path(__file__).parents[3]
    page = root / "docs/guide/errors.md"
    as_wrapped = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    found = doctest.testfile(str(page), module_relative=False, optionflags=as_wrapped)
    assert (found.failed, found.attempted >= 20) == (0, True)
    text = page.read_text(encoding="utf-8")
    kinds = [kind for kind in vars(bootes).values() if isinstance(kind, type)]
    classes = [kind for kind in kinds if issubclass(kind, bootes.Error)]
    kinds_of_library = (root / "crates/bootes/src/door/error/kind.rs").read_text(encoding="utf-8")
    codes = set(re.findall(r"Self::\w+ => \"(\w+)\",", kinds_of_library))
    assert len(codes) >= 9
    assert set(re.findall("^## (.*)$", text, re.MULTILINE)) == codes | {kind.code for kind in classes} - {
        "error"
    }
    assert all(f"`{kind.__name__}`" in text for kind in classes if kind is not bootes.Error)


def test_page_of_programs() -> None:
    """Run what is in Python there."""
    page = Path(__file__).parents[3] / "docs/guide/programs.md"
    found = doctest.testfile(str(page), module_relative=False)
    assert (found.failed, found.attempted >= 8) == (0, True)


def test_page_of_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run what is in Python there: a line gives what its comment says, but for brackets."""
    root = Path(__file__).parents[3]
    monkeypatch.syspath_prepend(str(root / "crates/py/examples"))
    text = (root / "docs/guide/jobs.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        names: dict[str, object] = {}
        for statement in ast.parse(block).body:
            line = block.splitlines()[(statement.end_lineno or 1) - 1]
            if isinstance(statement, ast.Expr) and "#" in line:
                found = eval(compile(ast.Expression(statement.value), "jobs.md", "eval"), names)
                words = re.sub(r"[\[\],']", " ", str(found)).split()
                assert words == line.split("#")[1].split(), line
            else:
                exec(compile(ast.Module([statement], []), "jobs.md", "exec"), names)


def test_installation_is_from_a_clone() -> None:
    """Say the same everywhere, of what no index has."""
    root = Path(__file__).parents[3]
    files = [*root.glob("docs/**/*.md"), *root.glob("crates/py/py_src/**/*.py"), root / "crates/py/README.md"]
    for path in files:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"pip install ['\"]?bootes", text), path


def test_version() -> None:
    """It is that of the wheel."""
    assert bootes.__version__ == importlib.metadata.version("bootes")
