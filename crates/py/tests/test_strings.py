"""Strings under encryption, as the example has them."""

from __future__ import annotations

import sys
from pathlib import Path

import bootes
import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
import strings

PLACES = 4
ONE = ["", "a", "ab", "Abab", "zZ{", "[`ab", "aaab", "b"]
OTHER = ["", "b", "ab", "abab", "zZ{", "x", "", "aaaa"]


@pytest.fixture(scope="module")
def keys() -> tuple[bootes.Client, bootes.Server]:
    """Toy keys."""
    client = bootes.Client("toy_int16")
    return client, bootes.Server(client.server_key())


def test_strings_are_those_of_python(keys: tuple[bootes.Client, bootes.Server]) -> None:
    """Lengths, letters, equality, searches and strings put together, of every length."""
    client, server = keys
    one, other = (strings.encrypt(client, texts, PLACES) for texts in (ONE, OTHER))
    assert strings.decrypt(client, one) == ONE
    assert np.array_equal(client.decrypt(strings.length(server, one)), [len(text) for text in ONE])
    pairs = list(zip(ONE, OTHER, strict=True))
    assert np.array_equal(client.decrypt(strings.equal(server, one, other)), [a == b for a, b in pairs])
    for pattern in ["a", "ab", "bab", "{", "Abab"]:
        assert np.array_equal(
            client.decrypt(strings.contains(server, one, pattern)), [pattern in a for a in ONE]
        )
        assert np.array_equal(
            client.decrypt(strings.find(server, one, pattern)), [a.find(pattern) for a in ONE]
        )
    assert strings.decrypt(client, strings.upper(server, one)) == [text.upper() for text in ONE]
    assert strings.decrypt(client, strings.lower(server, one)) == [text.lower() for text in ONE]
    assert strings.decrypt(client, strings.concat(server, one, other)) == [a + b for a, b in pairs]


def test_strings_that_are_refused(keys: tuple[bootes.Client, bootes.Server]) -> None:
    """Strings longer than their places, and patterns longer than strings."""
    client, server = keys
    one = strings.encrypt(client, ["ab"], 2)
    with pytest.raises(ValueError, match="at most 2 letters"):
        strings.encrypt(client, ["abc"], 2)
    with pytest.raises(ValueError, match="expected 1 to 2 letters"):
        strings.find(server, one, "abc")
    with pytest.raises(ValueError, match="expected as many"):
        strings.equal(server, one, strings.encrypt(client, ["a"], 3))
