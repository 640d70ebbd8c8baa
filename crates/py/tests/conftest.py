"""Clients and servers of toy sets, one of each, and what a refusal looks like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import bootes
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


class Pair(NamedTuple):
    """A client, a server with its key, and the modulus of its residues."""

    client: bootes.Client
    server: bootes.Server
    modulus: int


def pair(name: str, modulus: int) -> Pair:
    """Make both."""
    client = bootes.Client(name)
    return Pair(client, bootes.Server(client.server_key()), modulus)


@pytest.fixture(scope="session")
def fhew() -> Pair:
    """Give residues modulo 16, a value at a time."""
    return pair("toy_4", 16)


@pytest.fixture(scope="session")
def ckks() -> Pair:
    """Give residues modulo 16, many at once."""
    return pair("toy_batch_4bit", 16)


@pytest.fixture(scope="session")
def bfv() -> Pair:
    """Give vectors modulo 257."""
    return pair("toy_slots_257", 257)


@pytest.fixture(scope="session")
def integers() -> Pair:
    """Give integers of up to 16 bits in one ciphertext."""
    return pair("toy_int16", 0)


@pytest.fixture(scope="session", params=["fhew", "ckks", "bfv"])
def each(request: pytest.FixtureRequest) -> Pair:
    """Give each engine."""
    found = request.getfixturevalue(request.param)
    assert isinstance(found, Pair)
    return found


def refused(kind: type[Exception], words: str, act: Callable[[], object]) -> Any:
    """Give the refusal, which is one line."""
    with pytest.raises(kind) as found:
        act()
    line = str(found.value)
    assert words in line
    assert "\n" not in line
    assert "::" not in line
    return found.value
