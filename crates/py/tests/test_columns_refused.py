"""What is no column of numbers is told so, with what to do."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import bootes
import numpy as np
import pytest

if TYPE_CHECKING:
    from pathlib import Path

CLIENT = bootes.Client("toy_int16")
SERVER = bootes.Server(CLIENT.server_key())
FRAME = CLIENT.encrypt_frame({"a": [1, 2, 3], "town": ["u", "v", "u"]})
DAYS, DURATIONS, HOURS = "count days from one", "count units of one", "count seconds of the day"
EACH = "give each position a column of its own"
BYTES = "take numbers of their bytes"


def told(call: Any) -> str:
    """Give the line of a refusal."""
    with pytest.raises(bootes.Error) as refused:
        call()
    line = str(refused.value)
    assert "\n" not in line
    assert len(line) < 1300
    return line


@pytest.mark.parametrize(
    ("x", "words"),
    [
        ([dt.date(2020, 1, 1)], DAYS),
        ([dt.time(1)], HOURS),
        ([dt.timedelta(1)], DURATIONS),
        ([Decimal("1.5")], "float(x) and a step"),
        ([Fraction(1, 2)], "float(x) and a step"),
        ([b"a"], BYTES),
        (np.array([1], "m8[D]"), DURATIONS),
        (np.array(["2020-01-01"], "M8[D]"), DAYS),
        (FRAME, "is encrypted already"),
        (FRAME["a"], "is encrypted already, expected numbers, categories or truths: add it to the frame"),
    ],
)
def test_columns_of_others(x: Any, words: str) -> None:
    """Say what works for each."""
    assert words in told(lambda: CLIENT.encrypt_frame({"x": x}))


def test_columns_of_polars() -> None:
    """The same of what comes by Arrow."""
    polars = pytest.importorskip("polars")
    values: list[tuple[list[Any], str]] = [
        ([dt.date(2020, 1, 1)], DAYS),
        ([dt.time(1)], HOURS),
        ([dt.timedelta(1)], DURATIONS),
        ([[1], [2]], EACH),
        ([b"a"], BYTES),
        ([Decimal("1.5")], "round them to whole numbers"),
    ]
    for x, words in values:
        assert words in told(partial(CLIENT.encrypt_frame, {"x": polars.Series("x", x)}))
        assert words in told(partial(CLIENT.encrypt, polars.Series("x", x)))


def test_columns_of_pandas() -> None:
    """The same, and what is missing: arrays with NA are no masked arrays of NumPy."""
    pandas = pytest.importorskip("pandas")
    for x, words in (
        (pandas.Series([pandas.Timedelta(1, "D")]), DURATIONS),
        ([1, pandas.NA], "1 value is missing, first in row 1"),
        (pandas.DataFrame({"a": [1], "b": [2]}), "is a table of 2 columns: give them by their names"),
    ):
        assert words in told(partial(CLIENT.encrypt_frame, {"x": x}))
    assert "fill or drop first" in told(lambda: CLIENT.encrypt(pandas.array([1, None], "Int64")))


def test_what_is_encrypted_already() -> None:
    """Frames and arrays are no numbers, and no products."""
    x = FRAME["a"]
    assert "a frame that is encrypted already" in told(lambda: CLIENT.encrypt(FRAME))  # type: ignore[arg-type]  # as it is refused
    for call in (lambda: CLIENT.encrypt(x), lambda: x @ x):
        assert 'Server.run("x*y", x=x, y=y)' in told(call)
    assert CLIENT.decrypt(SERVER.run("x*y", x=x, y=x)).tolist() == [1, 4, 9]
    with pytest.raises(TypeError, match="ColumnName"):
        bootes.concatenate(FRAME)  # type: ignore[arg-type]  # as it is refused
    other = CLIENT.encrypt_frame({"b": [3, 2, 1]}).assign(a=x)
    assert CLIENT.decrypt_frame(other)["a"].tolist() == [1, 2, 3]


def test_masked_values() -> None:
    """Those of NumPy are filled, or left out."""
    assert ".filled(0)" in told(lambda: CLIENT.encrypt(np.ma.array([1, 2], mask=[False, True])))


def test_steps_of_decimals() -> None:
    """Take decimals and fractions for the numbers that they are."""
    for step in (Decimal("0.5"), Fraction(1, 2), 0.5):
        frame = CLIENT.encrypt_frame({"x": [1.5, 2]}, steps={"x": step})  # type: ignore[dict-item]  # as it is refused
        assert frame.steps("x", Decimal("1.5")) == 3  # type: ignore[arg-type]  # as it is refused
    line = told(lambda: CLIENT.encrypt_frame({"x": [1.5]}, steps={"x": 10**400}))
    assert "a number of 1329 bits" in line


def test_categories_beside_integers() -> None:
    """Codes that are encrypted are equal or not; nothing else is said of them."""
    for sign in ("<", "<=", ">", ">="):
        refusal = told(partial(SERVER.run, f"q = town {sign} a", FRAME))
        assert "town has categories, which are compared and chosen alone" in refusal
    equal = CLIENT.decrypt_frame(SERVER.run("q = town == a", FRAME))["q"]
    assert equal.tolist() == [False, False, False]
    ordered = CLIENT.decrypt_frame(SERVER.run(f"q = town < {FRAME.code('town', 'v')}", FRAME))["q"]
    assert ordered.tolist() == [True, False, True]


def test_lines_are_short(tmp_path: Path) -> None:
    """Names with line breaks, and long texts."""
    path = str(tmp_path / "no\nsuch")
    for call in (lambda: bootes.Encrypted.load(path), lambda: FRAME["a"].save(f"{path}/x")):
        assert "no\\nsuch" in told(call)
    assert "…" in told(lambda: SERVER.run("q = " + "a" * 100_000, FRAME))
