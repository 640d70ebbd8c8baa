"""Integers of frames at the ends of 64 bits, and beyond: all of them exact."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import bootes
import numpy as np
import pytest

if TYPE_CHECKING:
    from bootes._integers import Numbers
    from conftest import Pair


def typed(found: Numbers) -> tuple[list[object], str]:
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
