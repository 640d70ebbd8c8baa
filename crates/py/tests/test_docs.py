"""Examples in docstrings, and the stubs, are right."""

from __future__ import annotations

import doctest

import bootes
import numpy as np


def test_examples_in_docstrings() -> None:
    """Run them."""
    finder, runner = doctest.DocTestFinder(recurse=False), doctest.DocTestRunner()
    things = [
        bootes,
        bootes.Client,
        bootes.Server,
        bootes.Params,
        bootes.Encrypted,
        bootes.plan,
        bootes.table_from,
        bootes.to_arrow,
    ]
    for thing in things:
        for test in finder.find(thing, getattr(thing, "__name__", ""), globs={"bootes": bootes, "np": np}):
            runner.run(test)
    assert runner.summarize().attempted >= 8
    assert runner.summarize().failed == 0
    assert all(thing.__doc__ for thing in (getattr(bootes, name) for name in bootes.__all__))
