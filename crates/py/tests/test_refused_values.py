"""Values that are refused, with what to take instead."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import bootes
import numpy as np
import pytest
from conftest import refused

if TYPE_CHECKING:
    from conftest import Pair


def test_residues_of_long_products() -> None:
    """Refuse products that sets have of residues which are kept as integers."""
    client = bootes.Client("toy_8", modulus=250)
    x = client.encrypt([249, 3])
    run = bootes.Server(client.server_key()).run
    words = "take parameter set fhew_int16_2m64"
    refused(bootes.UnsupportedError, words, lambda: run("x*y", x=x, y=x))
    client = bootes.Client("toy_int16", modulus=250)
    x = client.encrypt([249, 3])
    np.testing.assert_array_equal(
        client.decrypt(bootes.Server(client.server_key()).run("x*y", x=x, y=x)), [1, 9]
    )
    client = bootes.Client("toy_int16")
    x = client.encrypt([249, 3], integers=8, within=(0, 249))
    product = bootes.Server(client.server_key()).run("x*y % 250", x=x, y=x)
    np.testing.assert_array_equal(client.decrypt(product), [1, 9])
    inside = bootes.Server(client.server_key()).run("x*y % 250 == 9", x=x, y=x)
    np.testing.assert_array_equal(client.decrypt(inside), [0, 1])


def test_residues_of_two_moduli(fhew: Pair) -> None:
    """Refuse their sum in words of this package."""
    x, y = fhew.client.encrypt([1], modulus=5), fhew.client.encrypt([1], modulus=6)
    refused(bootes.ArgumentError, "encrypt both modulo 6 (Client.encrypt(…, modulus=…))", lambda: x + y)


def test_masked_values(fhew: Pair) -> None:
    """Refuse what a mask hides, in values and in tables."""
    hidden = np.ma.masked_array(np.arange(16), np.arange(16) == 3)
    x = fhew.client.encrypt([1, 3])
    for act in (
        lambda: fhew.client.encrypt(hidden),
        lambda: fhew.client.encrypt([hidden, hidden]),
        lambda: x + hidden[2:4],
        lambda: hidden[2:4] @ x,
        lambda: x @ hidden[2:4],
        lambda: fhew.server.evaluate(hidden, x),
        lambda: fhew.server.evaluate(hidden.reshape(4, 4), x, x),
        lambda: bootes.table_from(hidden, bits=4),
    ):
        refused(bootes.ArgumentError, "masked here and there: take .filled(0)", act)


def test_columns_that_are_no_tables(integers: Pair) -> None:
    """Take what has a name as a table of one column, and refuse what has none."""
    client = integers.client
    words = "a column without a name: expected a table, as {'age': column}"
    for module, values in (("pandas", "data"), ("polars", "values")):
        series = pytest.importorskip(module).Series
        frame = client.encrypt_frame(series(**{values: [36, 41], "name": "age"}))
        assert frame.names == ["age"]
        np.testing.assert_array_equal(client.decrypt_frame(frame)["age"], [36, 41])
        refused(bootes.ArgumentError, words, partial(client.encrypt_frame, series([36])))
    pyarrow = pytest.importorskip("pyarrow")
    refused(bootes.ArgumentError, words, lambda: client.encrypt_frame(pyarrow.array([36])))
    assert client.encrypt_frame({"age": pyarrow.array([36])}).names == ["age"]


def test_what_public_columns_are_for(integers: Pair) -> None:
    """Say it where an expression, or a code, is to have one; both are done."""
    client, server, _ = integers
    frame = client.encrypt_frame({"age": [36, 41, 75], "town": ["Bonn", "Ulm", "Bonn"]}, public=["town"])
    words = "is public, and not encrypted: take rows by it, as frame[frame.public['town'] == …], or sums"
    for call in (
        lambda: frame.code("town", "Bonn"),
        lambda: frame["town"],
        lambda: server.run("r = town == 1", frame),
    ):
        refused(bootes.ArgumentError, words, call)
    of_bonn = frame[frame.public["town"] == "Bonn"]
    np.testing.assert_array_equal(client.decrypt_frame(of_bonn)["age"], [36, 75])
    np.testing.assert_array_equal(client.decrypt_frame(server.sum(frame, by="town"))["age"], [111, 41])


def test_powers_are_told_as_they_are_written() -> None:
    """Leave no parentheses out, without which a power would be another one."""
    client = bootes.Client("slots_4294967296_depth_1")
    z = client.encrypt([3])
    run = bootes.Server(client.server_key()).run
    refused(bootes.Error, "(2*z)^3", lambda: run("(2*z)^3", z=z))
    refused(bootes.Error, "z^3", lambda: run("z^3", z=z))
