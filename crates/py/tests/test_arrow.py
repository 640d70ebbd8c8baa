"""Columns by Arrow's C interface, beside the libraries that are there."""

from __future__ import annotations

import gc
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import bootes
import numpy as np
import pytest
from bootes import _arrow

if TYPE_CHECKING:
    from conftest import Pair


class Arrow:
    """A column that has nothing but Arrow's interface."""

    def __init__(self, column: Any) -> None:
        if hasattr(column, "__arrow_c_array__"):
            self.__arrow_c_array__ = column.__arrow_c_array__
        else:
            self.__arrow_c_stream__ = column.__arrow_c_stream__


def test_columns_of_our_own(fhew: Pair) -> None:
    """Take what we give, and leave nothing behind."""
    columns: list[Any] = [
        np.arange(10),
        np.arange(20)[::-2] % 16,
        np.array([], np.int64),
        [3, 1],
        np.array([True, False]),
    ]
    for x in columns:
        column: Any = bootes.to_arrow(x)
        found = fhew.client.decrypt(fhew.client.encrypt(column))
        np.testing.assert_array_equal(found, x)
        assert len(column) == len(x)
    bootes.to_arrow([1]).__arrow_c_array__()
    gc.collect()
    assert not _arrow._kept
    with pytest.raises(bootes.DtypeError, match="float64, expected integers"):
        bootes.to_arrow([0.5])
    with pytest.raises(bootes.ArgumentError, match=r"take \.ravel\(\)"):
        bootes.to_arrow([[1]])


def test_pyarrow(fhew: Pair) -> None:
    """Take every type, parts, slices and tables; give columns."""
    pa = pytest.importorskip("pyarrow")
    for kind in [
        pa.int8(),
        pa.uint8(),
        pa.int16(),
        pa.uint16(),
        pa.int32(),
        pa.uint32(),
        pa.int64(),
        pa.uint64(),
    ]:
        whole = pa.array(range(12), kind)
        parts = pa.chunked_array([whole[:5], whole[7:7], whole[5:]])
        for column in [whole, whole[3:7], parts, parts[2:9], pa.table({"x": whole}), pa.table({"x": parts})]:
            expected = (column["x"] if isinstance(column, pa.Table) else column).to_pylist()
            np.testing.assert_array_equal(_arrow.numbers(Arrow(column)), expected)
    truths = pa.array([True, False, True] * 5)
    np.testing.assert_array_equal(_arrow.numbers(truths[4:]), truths[4:].to_pylist())
    np.testing.assert_array_equal(
        _arrow.numbers(pa.record_batch({"x": truths})[2:]["x"]), truths[2:].to_pylist()
    )
    batch = pa.record_batch({"x": pa.array(range(9))})
    np.testing.assert_array_equal(_arrow.numbers(batch[2:]), np.arange(2, 9))
    np.testing.assert_array_equal(fhew.client.decrypt(fhew.client.encrypt(parts)), np.arange(12))
    given = pa.array(bootes.to_arrow([5, -3]))
    assert (given.type, given.to_pylist()) == (pa.int64(), [5, -3])
    refusals = [
        (pa.chunked_array([[1, 2], [3, None]]), bootes.DtypeError, "value number 3 of the column is null"),
        (pa.array([1, None]), bootes.DtypeError, "value number 1 of the column is null"),
        (
            pa.array([0.5]),
            bootes.DtypeError,
            "of floats, expected integers: fill or drop what is missing, round",
        ),
        (
            pa.array(["a"]).dictionary_encode(),
            bootes.DtypeError,
            "of categories, expected integers: Client.enc",
        ),
        (pa.table({"x": [1], "y": [2]}), bootes.ArgumentError, r"2 columns \(x, y\): give one"),
    ]
    for column, error, words in refusals:
        with pytest.raises(error, match=words):
            _arrow.numbers(column)
    with pytest.raises(bootes.DtypeError, match="value number 1 of the column is null"):
        fhew.client.encrypt(pa.array([1, None]))


def test_frames(fhew: Pair) -> None:
    """Take columns of whatever frames there are, and give them columns."""
    given: Any = bootes.to_arrow(np.arange(16))
    columns: list[Any] = []
    for name in ["polars", "pandas", "duckdb"]:
        try:
            module = __import__(name)
        except ImportError:
            continue
        if name == "duckdb":
            columns.append(module.sql("select x::int32 as x from range(16) t(x)"))
        else:
            columns.append(module.Series(np.arange(16)))
        if name == "polars":
            columns.append(module.Series(given))
            columns.append(module.Series(given).to_frame())
    for column in columns:
        found = fhew.client.decrypt(fhew.client.encrypt(column))
        np.testing.assert_array_equal(found.ravel(), np.arange(16))


def test_columns_may_outlive_everything() -> None:
    """Free them at the end of the interpreter, too."""
    pytest.importorskip("pyarrow")
    code = """
import bootes, pyarrow
x = pyarrow.array(bootes.to_arrow([1, 2]))
y = bootes.to_arrow([3]).__arrow_c_array__()
"""
    subprocess.run([sys.executable, "-c", code], check=True)
