"""Examples in docstrings, and the stubs, are right."""

from __future__ import annotations

import doctest

import bootes
import numpy as np


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
