"""Tables have an entry for each value, and results as they are asked for."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import bootes
import numpy as np
import pytest
from conftest import refused

if TYPE_CHECKING:
    from conftest import Pair


def test_entries_that_there_are_not_are_no_zeros(fhew: Pair, ckks: Pair) -> None:
    """Refuse lists and arrays that end before the integers do."""
    short, words = [1, 0, 1, 0, 1], "a table of 5 entries on integers from 0 to 7: "
    client, server, _ = fhew
    x = client.encrypt(np.arange(8), integers=3, signed=False)
    frame = client.encrypt_frame({"x": np.arange(8)})
    for table in (short, tuple(short), np.array(short), np.array(short, np.uint8)):
        refused(bootes.ArgumentError, words, partial(server.evaluate, table, x))
        refused(bootes.ArgumentError, words, partial(server.evaluate, table, x, out_bits=3))
        refused(bootes.ArgumentError, words, partial(server.evaluate_all, [[0] * 8, table], x))
        refused(bootes.ArgumentError, words, partial(server.plan, table, x))
        refused(bootes.ArgumentError, words, partial(server.run, "f(x)", x=x, tables={"f": table}))
        refused(bootes.ArgumentError, words, partial(server.run, "f(x)", frame, tables={"f": table}))
        refused(bootes.ArgumentError, words, partial(server.evaluate_all, "f(x)", x, tables={"f": table}))
    refused(bootes.ArgumentError, "a table of 1 entry on", partial(server.evaluate, [3], x))
    refused(bootes.ArgumentError, "a table of 4 entries on", partial(server.evaluate, [1] * 4, x))
    of_four = partial(server.run, "f(x)", x=x, tables={"f": [1] * 4})
    refused(bootes.ArgumentError, "expected values that each have an entry, from 0 on", of_four)
    refused(bootes.ArgumentError, "a table without entries", partial(server.evaluate, [], x))
    signed = client.encrypt([-2, 1], integers=2)
    refused(bootes.ArgumentError, "may be negative", partial(server.evaluate, [1, 2, 3], signed))
    # As it says: a table for all of them, or the integers that it has entries for.
    np.testing.assert_array_equal(client.decrypt(server.evaluate([*short, 0, 1, 1], x)), [*short, 0, 1, 1])
    np.testing.assert_array_equal(
        client.decrypt(server.run("f(x % 5)", x=x, tables={"f": short})), [short[v % 5] for v in range(8)]
    )
    few = client.encrypt(np.arange(5), integers=3, signed=False, within=(0, 4))
    np.testing.assert_array_equal(client.decrypt(server.evaluate(short, few)), short)
    client, server, _ = ckks
    x = client.encrypt(np.arange(5), integers=3, signed=False)
    refused(bootes.ArgumentError, "a table of 5 entries", partial(server.evaluate, short, x))


def test_tables_are_planned_for_what_they_have_entries_for() -> None:
    """Refuse the others before there are keys, too."""
    plans: list[tuple[str, Any]] = [
        ("a table of 3 entries: expected 256", {"bits": 8}),
        ("a table of 3 entries: expected 4", {"modulus": 4}),
        ("a table of 3 entries on integers from -4 to 3", {"integers": 3}),
    ]
    for words, values in plans:
        refused(bootes.ArgumentError, words, partial(bootes.plan, [1, 2, 0], **values))
    refused(
        bootes.ArgumentError, "a table of 4 entries: expected 8", partial(bootes.plan, [1, 2, 0, 0], bits=3)
    )
    assert bootes.plan([1, 2, 0], modulus=3).engine == "bfv"
    assert bootes.plan(abs, integers=3).engine == "fhew"


def test_results_are_those_of_tables_alone(fhew: Pair) -> None:
    """Refuse sizes of results that nothing would take."""
    client, server, _ = fhew
    x = client.encrypt([1, 2])
    plan = server.plan(lambda x: x, x)
    tables = {"f": lambda x: x}
    sizes: list[dict[str, Any]] = [{"out_bits": 3}, {"out_modulus": 8}]
    for size in sizes:
        for act in (
            partial(server.evaluate_all, "f(x)", x, tables=tables, **size),
            partial(server.evaluate_all, "x + 1", x, **size),
            partial(server.evaluate_all, plan, x, **size),
            partial(server.evaluate, plan, x, **size),
        ):
            refused(bootes.ArgumentError, "out_bits= and out_modulus= are for tables", act)
    refused(bootes.ArgumentError, "a plan has its own", partial(server.evaluate_all, plan, x, tables=tables))


def test_larger_results_are_taken_as_they_say(fhew: Pair) -> None:
    """Name no arguments that there are not."""
    client, server, _ = fhew
    x = client.encrypt([1, 5], bits=3)
    tables = {"f": lambda x: 2 * x}
    words = "the function gives 8 for x = 4, expected residues modulo 8: take % 8, or "
    of_expression = words + "for larger results Server.evaluate with out_modulus= or out_bits= in place of"
    refused(bootes.ArgumentError, of_expression, partial(server.run, "f(x)", x=x, tables=tables))
    own = words + "out_modulus= or out_bits= for larger results"
    refused(bootes.ArgumentError, own, partial(server.evaluate, tables["f"], x))
    sizes: list[dict[str, Any]] = [{"out_bits": 4}, {"out_modulus": 16}]
    for size in sizes:
        np.testing.assert_array_equal(client.decrypt(server.evaluate(tables["f"], x, **size)), [2, 10])
    planned = refused(bootes.ArgumentError, "take % 8", partial(bootes.plan, tables["f"], bits=3))
    assert "out_" not in str(planned)


def test_integers_beside_residues_give_integers(integers: Pair) -> None:
    """Give negative results, whatever residues the other values are."""
    client, server, _ = integers
    i = client.encrypt([0, 1, 2], integers=4, signed=False, within=(0, 2))
    x, y = (client.encrypt([0, 1, 2], modulus=p) for p in (7, 8))
    expected = [0, -2, -4]
    for other in (x, y):
        np.testing.assert_array_equal(
            client.decrypt(server.evaluate(lambda a, b: -a - b, i, other)), expected
        )
    both = client.encrypt([0, 1, 2], integers=4, signed=False, within=(0, 6))
    np.testing.assert_array_equal(client.decrypt(server.evaluate(lambda a, b: -a - b, i, both)), expected)
    residues = server.evaluate(lambda a, b: (-a - b) % 11, i, x, out_modulus=11)
    np.testing.assert_array_equal(client.decrypt(residues), [0, 9, 7])


def test_results_are_of_one_kind(integers: Pair) -> None:
    """Take room for results or a modulus, and name what there is."""
    client, server, _ = integers
    x = client.encrypt([1, 2], modulus=7)
    both = partial(server.evaluate, lambda x: x, x, out_bits=3, out_modulus=8)
    refused(bootes.ArgumentError, "out_bits=3 and out_modulus=8: expected one of them", both)
    words = "take % 7, or out_modulus= or out_bits= for larger results"
    refused(bootes.ArgumentError, words, partial(server.evaluate, lambda x: -x - 1, x))
    np.testing.assert_array_equal(client.decrypt(server.evaluate(lambda x: -x - 1, x, out_bits=3)), [-2, -3])


@pytest.mark.parametrize("kind", ["fhew", "integers", "ckks"])
def test_results_of_residues_modulo_any_number_are_integers(
    kind: str, request: pytest.FixtureRequest
) -> None:
    """Give integers with room, of functions, lists and dictionaries of one value and of several."""
    client, server, _ = request.getfixturevalue(kind)
    values = np.array([1, 6, 0])
    x = client.encrypt(values, modulus=7)
    functions: list[Any] = [lambda v: 3 * v, [3 * v for v in range(7)], {v: 3 * v for v in range(7)}]
    for f in functions:
        y = server.evaluate(f, x, out_bits=5)
        np.testing.assert_array_equal(client.decrypt(y), 3 * values)
    some, less = server.evaluate_all([lambda v: v // 2, lambda v: 2 - v], x, out_bits=4)
    np.testing.assert_array_equal(client.decrypt(some), values // 2)
    np.testing.assert_array_equal(client.decrypt(less), 2 - values)
    if kind != "ckks":
        np.testing.assert_array_equal(client.decrypt(some + some), values // 2 * 2)
    if kind != "integers":
        return  # No room for both.
    other = client.encrypt([2, 0, 1], modulus=3)
    both = server.evaluate(lambda a, b: a - 2 * b, x, other, out_bits=4)
    np.testing.assert_array_equal(client.decrypt(both), values - [4, 0, 2])


def test_results_are_as_long_as_tables_have_them(integers: Pair) -> None:
    """Take results that have no room in one ciphertext, and say what to do with longer ones."""
    client, server, _ = integers
    x = client.encrypt([0, 1, 255], integers=8, signed=False)
    values = np.array([0, 1, 255])
    functions: list[Any] = [lambda v: 2**16 + v, lambda v: -300 * v]
    for f in functions:
        np.testing.assert_array_equal(client.decrypt(server.evaluate(f, x)), f(values))
        np.testing.assert_array_equal(
            client.decrypt(server.run("f(x) - x", x=x, tables={"f": f})), f(values) - values
        )
    longer = "gives 4177920 for x = 255, results of 22 bits: expected at most 20; take a table of each part"
    refused(bootes.ArgumentError, longer, partial(server.evaluate, lambda v: v << 14, x))
    parts = {"f": lambda v: (v << 14) % 2**16, "g": lambda v: (v << 14) // 2**16}
    np.testing.assert_array_equal(
        client.decrypt(server.run("f(x) + 2^16*g(x)", x=x, tables=parts)), values << 14
    )
    parts = {
        "f": lambda v: (v << 54) % 2**16,
        "g": lambda v: (v << 54) // 2**16 % 2**16,
        "h": lambda v: (v << 54) // 2**32 % 2**16,
        "k": lambda v: (v << 54) // 2**48,
    }
    longer = (
        "as v % 2**16, v // 2**16 % 2**16, v // 2**32 % 2**16 and v // 2**48, for an expression, as f(x) + "
        "2^16*g(x) + 2^32*h(x) + 2^48*k(x)"
    )
    refused(bootes.ArgumentError, longer, partial(server.evaluate, lambda v: v << 54, x))
    found = server.run(longer.rpartition("as ")[2], x=x, tables=parts)
    np.testing.assert_array_equal(client.decrypt(found), values << 54)
    for least in (0, 5):
        within = client.encrypt([5, 2**20 - 1], integers=20, signed=False, within=(least, 2**20 - 1))
        sevens = client.decrypt(server.evaluate(lambda v: v % 7, within))
        np.testing.assert_array_equal(sevens, np.array([5, 2**20 - 1]) % 7)
    long = client.encrypt([1, 2**17 - 1], integers=17, signed=False)
    found = server.run("f(x)", x=long, tables={"f": lambda v: v & 3})
    np.testing.assert_array_equal(client.decrypt(found), [1, 3])


def test_tables_of_one_integer(integers: Pair) -> None:
    """Residues or integers, of what is known."""
    client, server, _ = integers
    for x in (
        server.evaluate(lambda v: 1, client.encrypt([3, 9], integers=8, signed=False)),
        client.encrypt([-1, -1], integers=4, within=(-1, -1)),
    ):
        value = client.decrypt(x)[0]
        found = server.evaluate(lambda v: v + 3, x, out_modulus=7)
        assert (found.modulus, client.decrypt(found).tolist()) == (7, [value + 3] * 2)


def test_tables_of_integers_in_limbs(integers: Pair) -> None:
    """Results have the room that is asked for, also of negative integers and what fills its circle."""
    client, server, _ = integers
    values = np.array([-3, 0, 4000])
    x = client.encrypt(values, integers=31, within=(-3, 4000))
    few = server.evaluate(lambda v: v % 16, x, out_bits=8)
    np.testing.assert_array_equal(client.decrypt(few + 200), values % 16 + 200)
    refused(
        bootes.ArgumentError,
        "output of 18 bits, expected 1 to 17",
        partial(server.evaluate, lambda v: v % 16, x, out_bits=18),
    )
    full = server.evaluate(lambda v: 25 * v - 3, client.encrypt([0, 1, 4000], within=(0, 4000), integers=12))
    np.testing.assert_array_equal(client.decrypt(server.run("r % 7", r=full)), np.array([-3, 22, 99_997]) % 7)
    np.testing.assert_array_equal(client.decrypt(server.evaluate(lambda v: v % 7, full)), [4, 1, 99_997 % 7])
    refused(
        bootes.ArgumentError, 'or take the program "relu(x)" (Server.run(…, x=x))', partial(server.relu, full)
    )
    np.testing.assert_array_equal(client.decrypt(server.run("relu(x)", x=full)), [0, 22, 99_997])


def test_tables_that_are_too_large_advise_what_is_done(integers: Pair) -> None:
    """No table of 26 bits is advised, and what is advised works."""
    client, server, _ = integers
    x = client.encrypt([5, 8191], within=(0, 8191), integers=13)
    tables: dict[str, Any] = {"f": lambda v, w: (v + w) % 7}
    words = "a table of [8192, 8192] values: expected 2^16 combinations at most"
    refused(bootes.ArgumentError, words, partial(server.run, "f(x, y)", x=x, y=x, tables=tables))
    shorter = server.run("f(x % 256, y % 256)", x=x, y=x, tables=tables)
    np.testing.assert_array_equal(client.decrypt(shorter), [10 % 7, (255 + 255) % 7])
    one: dict[str, Any] = {"f": lambda v: v % 7, "g": lambda v: v % 5}
    words = "a table of each part, as f(x % 1024) and g(x / 1024 % 1024)"
    refused(
        bootes.ArgumentError, words, partial(server.run, "f(8192*x + y)", x=x, y=x, tables={"f": one["f"]})
    )
    found = server.run("f(x % 1024) + g(x / 1024 % 1024)", x=x, tables=one)
    np.testing.assert_array_equal(client.decrypt(found), [5, 1023 % 7 + 7 % 5])
    words = "take inputs of fewer values (within=), or an expression in place of a table"
    refused(bootes.ArgumentError, words, partial(server.evaluate, lambda v, w: v, x, x))
    wide = client.encrypt([5, 1023], within=(0, 1023), integers=19)
    words = "room for all, a width of 16 or less, or for tables of up to 20 bits with engine ckks"
    refused(bootes.ArgumentError, words, partial(server.evaluate, lambda v, w: v, wide, wide))
    narrow = client.encrypt([5, 63], within=(0, 63), integers=12)
    found = server.evaluate(lambda v, w: (v + w) % 7, narrow, narrow)
    np.testing.assert_array_equal(client.decrypt(found), [10 % 7, 126 % 7])


def test_tables_of_residues_in_expressions(fhew: Pair) -> None:
    """Give what they give alone: residues modulo the first one's number, and nothing larger."""
    client, server, _ = fhew
    a, b, c = np.array([0, 1, 2]), np.array([2, 2, 1]), np.array([3, 1, 0])
    x, y, z = client.encrypt(a, modulus=3), client.encrypt(b, modulus=3), client.encrypt(c, modulus=4)

    def difference(u: int, v: int) -> int:
        return u - v

    for table in (difference, np.subtract.outer(np.arange(3), np.arange(3))):
        tables = {"T": table}
        alone = server.evaluate(table, x, y)
        within = server.run("T(x, y)", tables=tables, x=x, y=y)
        assert alone.modulus == within.modulus == 3
        np.testing.assert_array_equal(client.decrypt(alone), (a - b) % 3)
        np.testing.assert_array_equal(client.decrypt(within), (a - b) % 3)
        above = server.run("T(x, y) > 1", tables=tables, x=x, y=y)
        np.testing.assert_array_equal(client.decrypt(above), (a - b) % 3 > 1)

    def remainder(u: int, v: int) -> int:
        return (u * v) % 3

    products = [server.evaluate(remainder, x, z), server.run("T(x, z)", tables={"T": remainder}, x=x, z=z)]
    for found in products:
        assert found.modulus == 3
        np.testing.assert_array_equal(client.decrypt(found + x), (a * c % 3 + a) % 3)

    def total(u: int, v: int) -> int:
        return u + v

    words = "gives 3 for (1, 2), expected residues modulo 3: take % 3, or "
    argument = partial(refused, bootes.ArgumentError)
    argument(words + "out_modulus= or", lambda: server.evaluate(total, x, y))
    within_one = partial(server.run, "T(x, y)", tables={"T": total}, x=x, y=y)
    argument(words + "for larger results Server.evaluate", within_one)
    larger = server.evaluate(total, x, y, out_bits=3)
    np.testing.assert_array_equal(client.decrypt(larger), a + b)


def test_constants_of_more_bits_are_integers(fhew: Pair) -> None:
    """Give integers where all entries are one number, as tables of other entries do."""
    client, server, _ = fhew
    x = client.encrypt([0, 1, 9], modulus=10)
    for constant, bits in ((12, 4), (-1, 4), (12, 8), (300, 9), (1000, 10)):
        found = server.evaluate([constant] * 10, x, out_bits=bits)
        assert found.modulus is None
        np.testing.assert_array_equal(client.decrypt(found), [constant] * 3)
        assert "messages modulo 10 to integers" in str(server.plan([constant] * 10, x, out_bits=bits))
    words = "output of 8 bits, expected 1 to 4; take a set for integers of more (Params(integers=…))"
    refused(bootes.ArgumentError, words, lambda: server.evaluate([-1] * 10, x, out_bits=8))
