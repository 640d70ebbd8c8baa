"""Integers of frames at the ends of 64 bits, and beyond: all of them exact."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import bootes
import numpy as np
import pytest
from conftest import refused

if TYPE_CHECKING:
    import numpy.typing as npt
    from conftest import Pair


def typed(found: npt.NDArray[Any]) -> tuple[list[object], str]:
    """Give values and their type."""
    return found.tolist(), found.dtype.name


def test_sums_are_exact_beyond_64_bits(integers: Pair) -> None:
    """Add up what no int64 holds, nor uint64: in one sum, by labels, and beside each other."""
    client, server = integers.client, integers.server
    frame = client.encrypt_frame({"v": np.array([2**62] * 5), "w": np.array([-(2**63)] * 5), "n": [1] * 5})
    found = client.decrypt_frame(server.sum(frame))
    assert [found[name].tolist() for name in "vwn"] == [[5 * 2**62], [-5 * 2**63], [5]]
    assert [found[name].dtype.name for name in "vwn"] == ["object", "object", "int64"]
    found = client.decrypt_frame(server.sum(frame, by=[0, 0, 0, 1, 2]))
    assert typed(found["v"]) == ([3 * 2**62, 2**62, 2**62], "uint64")
    assert found["w"].tolist() == [-3 * 2**63, -(2**63), -(2**63)]
    wide = client.encrypt(np.array([2**64 - 1] * 5, np.uint64), integers=64, signed=False)
    found = client.decrypt_frame(server.sum(frame.assign(w=wide)[["w"]], by=[0, 0, 0, 1, 2]))
    assert found["w"].tolist() == [3 * (2**64 - 1), 2**64 - 1, 2**64 - 1]
    # Ends that are reached, from both sides.
    some = client.encrypt_frame({"v": np.array([2**62, 2**62 - 1]), "w": np.array([-(2**62)] * 2)})
    found = client.decrypt_frame(server.sum(some))
    assert [typed(found[name]) for name in "vw"] == [([2**63 - 1], "int64"), ([-(2**63)], "int64")]
    assert client.decrypt_frame(server.sum(some, by=[3, 3]))["v"].tolist() == [2**63 - 1]


@pytest.mark.filterwarnings("error")
def test_sums_of_steps_are_the_nearest_floats(integers: Pair) -> None:
    """Multiply sums beyond 64 bits by their step, and warn of nothing."""
    client, server = integers.client, integers.server
    frame = client.encrypt_frame({"v": [2.0**61] * 9, "w": [1e308] * 9}, steps={"v": 0.5, "w": 1e308})
    found = client.decrypt_frame(server.sum(frame))
    assert typed(found["v"]) == ([9 * 2.0**61], "float64")
    assert found["w"].tolist() == [np.inf]


def test_labels_and_categories_stay_integers(integers: Pair) -> None:
    """Give public columns and labels back as they were, where NumPy would make floats of them."""
    client, server = integers.client, integers.server
    first = client.encrypt_frame({"v": [1], "id": np.array([2**63 + 1], np.uint64)}, public=["id"])
    second = client.encrypt_frame({"v": [1], "id": np.array([-1])}, schema=first.schema)
    both = pickle.loads(pickle.dumps(bootes.concatenate([first, second])))
    assert client.decrypt_frame(both)["id"].tolist() == [2**63 + 1, -1]
    assert client.decrypt_frame(server.sum(both, by="id"))["id"].tolist() == [-1, 2**63 + 1]
    labels = [2**64 - 1, 2**64 - 2, -1]
    frame = client.encrypt_frame({"v": [1, 2, 3], "id": labels}, public=["id"])
    assert client.decrypt_frame(frame)["id"].tolist() == labels
    assert client.decrypt_frame(server.sum(frame, "v", by=labels))["by"].tolist() == sorted(labels)


def test_ranges_are_exact(integers: Pair) -> None:
    """Take what is within integers to the last one, and nothing beyond."""
    client = integers.client
    cases: list[tuple[Any, tuple[Any, Any], dict[str, Any]]] = [
        ([2**53 + 1], (0, 2**53 + 1), {}),
        ([2**60 + 3], (2**60 + 1, 2**60 + 5), {}),
        ([2**63 - 1, 0], (0, 2**63 - 1), {}),
        ([2**60 - 1], (0, 2**60 - 1), {"room": 60}),
        ([2**64 - 1, 2**63], (np.uint64(2**63), 2**64 - 1), {}),
        ([-(2**63)], (-(2**63), 2**63 - 1), {}),
        ([5], (Fraction(9, 2), Fraction(11, 2)), {}),
    ]
    for values, within, options in cases:
        frame = client.encrypt_frame({"v": values}, within={"v": within}, **options)
        assert client.decrypt_frame(frame)["v"].tolist() == values
        field = frame.schema.fields["v"]
        assert (field.low, field.high) == (math.floor(within[0]), math.ceil(within[1]))
    for value, within in ((2**60, (0, 2**60 - 1)), (2**60 + 6, (2**60 + 1, 2**60 + 5))):
        words = f"'v': {value} in row 0, expected {within[0]} to {within[1]}: clip it"
        with pytest.raises(bootes.ArgumentError, match=words):
            client.encrypt_frame({"v": [value]}, within={"v": within})


def test_columns_without_a_sign(integers: Pair) -> None:
    """Take integers up to 2^64 - 1, of NumPy's arrays, lists and objects, and give uint64 back."""
    client = integers.client
    values = [2**64 - 1, 1, 2**63]
    for given in (np.array(values, np.uint64), values, np.array(values, object), tuple(values)):
        frame = client.encrypt_frame({"v": given})
        assert typed(client.decrypt_frame(frame)["v"]) == (values, "uint64")
        more = client.encrypt_frame({"v": [3]}, schema=frame.schema)
        assert client.decrypt_frame(bootes.concatenate([frame, more]))["v"].tolist() == [*values, 3]
    column: Any = bootes.to_arrow
    assert repr(column(np.array(values, np.uint64))) == "<bootes.Column of 3 uint64>"
    assert client.decrypt(client.encrypt(column(values), integers=64, signed=False)).tolist() == values


def test_steps_of_large_integers_are_exact(integers: Pair) -> None:
    """Round to the nearest multiple without floats between, which have 53 bits."""
    client = integers.client
    for values, step, counts in (
        ([2**53 + 1, 1], 1, [2**53 + 1, 1]),
        ([2**60 + 1, 2**60 + 3], 2, [2**59, 2**59 + 2]),
        ([2**70], 2**20, [2**50]),
        ([2**55 + 1], 0.5, [2**56 + 2]),
        ([-(2**62) - 1], 1.0, [-(2**62) - 1]),
    ):
        frame = client.encrypt_frame({"v": values}, steps={"v": step})
        assert client.decrypt(frame["v"]).tolist() == counts
    with pytest.raises(bootes.ArgumentError, match="which no float holds: take 9007199254740992"):
        client.encrypt_frame({"v": [1]}, steps={"v": 2**53 + 1})


def test_integers_of_lists_are_exact(integers: Pair) -> None:
    """Encrypt what NumPy makes floats or objects of, and refuse what has more than 64 bits by its place."""
    client = integers.client
    lists: list[Any] = [[2**64 - 1, 1], [[2**64 - 1, 1], [2, 3]], np.array([5, 2**64 - 1], object)]
    for values in lists:
        for encrypt in (client.encrypt, client.public_key().encrypt):
            found = client.decrypt(encrypt(values, integers=64, signed=False))
            assert typed(found) == (np.array(values, object).tolist(), "uint64")
    found = client.decrypt(client.encrypt([2**64 - 1, -1], integers=64, within=(-1, 2**64 - 1)))
    assert typed(found) == ([2**64 - 1, -1], "object")
    for value in (2**64, -(2**63) - 1, 10**50):
        with pytest.raises(bootes.ArgumentError, match=r"value number 1 is .*, expected -2\^63 to 2\^64 - 1"):
            client.encrypt([1, value], integers=64)
    for floats in ([0.5, 1], [2.0**63, 1]):
        with pytest.raises(bootes.DtypeError, match="of dtype float64, expected integers: round them"):
            client.encrypt(floats, integers=64)


def test_columns_of_residues_are_made_integers_for_sums(integers: Pair) -> None:
    """Refuse sums of what wraps, with the expression that does not."""
    client, server, _ = integers
    frame = client.encrypt_frame({"one": np.ones(3, int)})
    for p in (1000, 16):
        y = client.encrypt([p - 1, p - 1, 5], modulus=p)
        words = rf"column 'z' holds residues modulo {p}, whose sums wrap: take z % {p} in Server.run"
        refused(bootes.ArgumentError, words, partial(server.sum, server.run("z = y", frame, y=y)))
        sums = server.sum(server.run(f"z = y % {p}", frame, y=y))
        assert client.decrypt_frame(sums)["z"] == [2 * p + 3]
