"""Values that are refused, with what to take instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bootes
import numpy as np
from conftest import refused

if TYPE_CHECKING:
    from conftest import Pair


def test_residues_of_long_products() -> None:
    """Refuse products that no set has as residues with integers, which wrap where they are told to."""
    client = bootes.Client("toy_8", modulus=250)
    x = client.encrypt([249, 3])
    run = bootes.Server(client.server_key()).run
    words = "take integers from 0 to 249 instead (Client.encrypt(…, integers=…, within=…))"
    refusal = refused(bootes.UnsupportedError, words, lambda: run("x*y", x=x, y=x))
    assert str(refusal).endswith("each result modulo 250, as x*y % 250")
    client = bootes.Client("toy_int16")
    x = client.encrypt([249, 3], integers=8, within=(0, 249))
    product = bootes.Server(client.server_key()).run("x*y % 250", x=x, y=x)
    np.testing.assert_array_equal(client.decrypt(product), [1, 9])


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
