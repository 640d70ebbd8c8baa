"""What a refusal names works: residues that are long, shapes, names, and what other languages write."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import bootes
import numpy as np
import pytest
from conftest import refused

if TYPE_CHECKING:
    from conftest import Pair


def test_long_products_are_taken_modulo_what_results_have(integers: Pair) -> None:
    """Name the largest power of two that results are taken modulo."""
    client, server, _ = integers
    values = [2**62 - 1, 5]
    x = client.encrypt(values, integers=62, signed=False)
    run = partial(server.run, x=x)
    cure = "modulo a power of two up to 2^65, as x*y % 2^64 is"
    refused(bootes.ArgumentError, cure, lambda: run("x*x"))
    refused(bootes.ArgumentError, cure, lambda: run("x*x % 2^111"))
    refused(bootes.UnsupportedError, "results modulo 2^65, as (x*y) % 2^65 is", lambda: run("x*x % 2^66"))
    for k in (64, 65):
        assert client.decrypt(run(f"x*x % 2^{k}")).tolist() == [v * v % 2**k for v in values]
    y = client.encrypt([2**64 - 1], integers=64, signed=False)
    assert client.decrypt(server.run("y + y", y=y)).tolist() == [2**65 - 2]
    refused(bootes.UnsupportedError, "modulo 2^65", lambda: server.run("y + y + y", y=y))


@pytest.mark.parametrize("p", [70_000, 2**20, 2**32])
def test_longer_residues_are_integers(integers: Pair, p: int) -> None:
    """Name integers, and an engine where one has as many residues."""
    client, server, _ = integers
    bits = (p - 1).bit_length()
    modulus = f"2^{bits}" if p == 2**bits else str(p)
    program = f"(x + y) % {modulus}"
    words = [f"integers of {bits} bits without a sign", f'as "{program}" (Server.run(…, x=x))']
    ways: list[dict[str, Any]] = [{"modulus": p}]
    if p == 2**bits:
        ways.append({"bits": bits})
    for asked in ways:
        error = refused(bootes.ArgumentError, words[0], partial(client.encrypt, [1], **asked))
        assert words[1] in str(error)
        assert ("engine ckks" in str(error)) == (p <= 2**20)
    x, y = (client.encrypt([v], integers=bits, signed=False, within=(0, p - 1)) for v in (p - 1, 3))
    np.testing.assert_array_equal(client.decrypt(server.run(program, x=x, y=y)), [2])
    if p > 2**20:
        for act in (partial(bootes.Client, modulus=p), partial(bootes.Params, bits=bits)):
            refused(bootes.ArgumentError, f"or take integers={bits}, with signed=False", act)
    else:
        assert bootes.Params(modulus=p).engine == "ckks"


def test_one_value_is_put_beside_many(integers: Pair) -> None:
    """Say how one value becomes as many as there are others."""
    client, server, _ = integers
    x, one = client.encrypt([3, 5, 9], integers=8), client.encrypt([5], integers=8)
    cure = "; one value x for all is bootes.concatenate([x]*3)"
    refused(bootes.ArgumentError, cure, partial(server.run, "y < q", y=x, q=one))
    refused(bootes.ArgumentError, cure, partial(server.run, "q < y", y=x, q=one))
    all_of_it = server.run("y < q", y=x, q=bootes.concatenate([one] * 3))
    np.testing.assert_array_equal(client.decrypt(all_of_it), [1, 0, 0])
    square = client.encrypt([[1, 2], [8, 9]], integers=8)
    cure = "bootes.concatenate([x.reshape(1)]*4).reshape(2, 2)"
    refused(bootes.ArgumentError, cure, partial(server.less, square, one[0]))
    other = bootes.concatenate([one[0].reshape(1)] * 4).reshape(2, 2)
    np.testing.assert_array_equal(client.decrypt(server.less(square, other)), [[1, 1], [0, 0]])
    shapes = refused(bootes.ArgumentError, "shapes [3] and [2]", partial(server.less, x, x[:2]))
    assert "concatenate" not in str(shapes)


def test_tables_of_long_results_name_their_set(fhew: Pair, integers: Pair) -> None:
    """Name the set that holds results of so many bits."""
    client, server, _ = fhew
    table = [v * 300 % 2**16 for v in range(16)]
    cure = "take a set for 16 bits (Params(bits=16))"
    refused(
        bootes.UnsupportedError, cure, partial(server.evaluate, table, client.encrypt([3]), out_modulus=2**16)
    )
    assert bootes.Params(bits=16).name.startswith("fhew_int16")
    client, server, _ = integers  # Its toy.
    images = server.evaluate(table, client.encrypt([3, 15], bits=4), out_modulus=2**16)
    np.testing.assert_array_equal(client.decrypt(images), [900, 4500])


def test_integers_are_encrypted_within_what_a_table_has(integers: Pair) -> None:
    """Name the range that a list has entries for."""
    client, server, _ = integers
    table = [3 * v % 256 for v in range(200)]
    x = client.encrypt([0, 199], integers=8, signed=False)
    refused(
        bootes.ArgumentError,
        "bring them there (within=(0, 199), signed=False",
        partial(server.evaluate, table, x),
    )
    within = client.encrypt([0, 199], integers=8, signed=False, within=(0, 199))
    np.testing.assert_array_equal(client.decrypt(server.evaluate(table, within)), [0, 597 % 256])


def test_tables_of_categories_are_of_codes(integers: Pair) -> None:
    """Say what keys of a dictionary are."""
    client, server, _ = integers
    frame = client.encrypt_frame({"town": ["Ulm", "Bonn", "Ulm"]})

    def run(table: dict[Any, int]) -> bootes.Frame:
        return server.run("fee = T(town)", frame, tables={"T": table})

    words = (
        "one for each of 0 to 1: texts and categories are their codes, as {frame.code('town', 'Ulm'): 5, …}"
    )
    refused(bootes.ArgumentError, words, partial(run, {"Ulm": 5, "Bonn": 6}))
    codes = {frame.code("town", "Ulm"): 5, frame.code("town", "Bonn"): 6}
    np.testing.assert_array_equal(client.decrypt_frame(run(codes))["fee"], [5, 6, 5])


def test_sums_of_frames_are_those_of_the_server(integers: Pair) -> None:
    """Name the sum of a frame, in Python's words and in those of an expression."""
    client, server, _ = integers
    frame = client.encrypt_frame({"age": [36, 41, 75]})
    refused(bootes.DtypeError, "take Server.sum(frame) for its columns", lambda: sum(frame))  # type: ignore[arg-type]  # refused
    assert ["of " + name for name in frame] == ["of age"]
    words = "integers of a vector are added up by x.sum(), and columns of a frame by Server.sum(frame)"
    refused(bootes.ArgumentError, words, partial(server.run, "s = sum(age)", frame))
    assert client.decrypt_frame(server.sum(frame))["age"] == [152]
    assert client.decrypt(frame["age"].sum()) == 152


def test_words_of_other_languages_have_their_functions(integers: Pair) -> None:
    """Name what is written instead."""
    client, server, _ = integers
    frame = client.encrypt_frame({"member": [True, False], "age": [36, 41]})
    cases: list[tuple[str, str, str, list[Any]]] = [
        ("not member", "not(x) in place of not x", "not(member)", [False, True]),
        ("if member then age else 0", "select(c, x, y) in place of if c", "select(member, age, 0)", [36, 0]),
        ("member == true", "the frame has member, age; write 1 for it", "member == 1", [True, False]),
        ("member == False", "write 0 for it", "member == 0", [False, True]),
    ]
    for written, words, instead, expected in cases:
        refused(bootes.ArgumentError, words, partial(server.run, f"r = {written}", frame))
        found = client.decrypt_frame(server.run(f"r = {instead}", frame))["r"]
        assert found.tolist() == expected
    x = client.encrypt([0, 1], integers=1, signed=False)
    refused(bootes.ArgumentError, "give true=, or write 1", partial(server.run, "x == true", x=x))


def test_products_with_public_vectors(bfv: Pair, ckks: Pair) -> None:
    """Multiply slots by numbers, and name a program where values have one factor."""
    client, server, p = bfv
    x = np.arange(12)
    w = x - 5
    encrypted = client.encrypt(x)
    for product in (w * encrypted, encrypted * w, encrypted.reshape(3, 4) * w[:4]):
        factors = w if product.shape == (12,) else np.tile(w[:4], (3, 1))
        expected = x.reshape(product.shape) * factors % p
        np.testing.assert_array_equal(client.decrypt(product) % p, expected)
    np.testing.assert_array_equal(client.decrypt(server.evaluate("x*x", encrypted * w)) % p, (x * w) ** 2 % p)
    client, server, _ = ckks
    encrypted = client.encrypt(x % 3, modulus=3)
    cure = 'take Server.run("x*y", x=x, y=y) with the array encrypted by the client, y (Client.encrypt), or'
    refused(bootes.ArgumentError, cure, lambda: w * encrypted)
    others = [client.encrypt(w % 3, modulus=3), 0 * encrypted + w]
    for other in others:
        product = server.run("x*y", x=encrypted, y=other)
        np.testing.assert_array_equal(client.decrypt(product), x * w % 3)


def test_expressions_take_arrays_as_their_names_appear(integers: Pair) -> None:
    """Take the first array for the first name."""
    client, server, _ = integers
    x, y = (client.encrypt([v], integers=4) for v in (1, 5))
    assert client.decrypt(server.evaluate("y - x", y, x)) == [4]
    assert client.decrypt(server.run("y - x", x=x, y=y)) == [4]


def test_what_residues_have_tables_for(bfv: Pair, ckks: Pair) -> None:
    """Name a table where an engine has no function of residues."""
    for client, server, p in (bfv, ckks):
        x = client.encrypt([1, 2]) if p == 257 else client.encrypt([1, 2], modulus=3)
        for act, table in (
            (lambda v: v < 2, "with a constant Server.evaluate(lambda x: x < c, x)"),
            (lambda v: v % 2, "with a number c Server.evaluate(lambda x: x % c, x)"),
            (lambda v: v / 2, "with a number c Server.evaluate(lambda x: x // c, x)"),
            (abs, "Server.evaluate(lambda x: min(x, p - x), x)"),
        ):
            refused(bootes.DtypeError, table, partial(act, x))
        np.testing.assert_array_equal(client.decrypt(server.evaluate(lambda v: v < 2, x)), [1, 0])
        np.testing.assert_array_equal(client.decrypt(server.evaluate(lambda v: v % 2, x)), [1, 0])
