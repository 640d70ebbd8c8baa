"""What refusals advise, followed."""

from __future__ import annotations

import operator
from functools import partial
from typing import TYPE_CHECKING, Any

import bootes
import numpy as np
import pytest
from conftest import refused

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Pair


def test_remedies_are_in_words_of_python(fhew: Pair, integers: Pair, bfv: Pair) -> None:
    """Name what there is here."""
    client, server, _ = fhew
    x, y = client.encrypt([1], integers=3), client.encrypt([1], integers=2)
    refused(bootes.ArgumentError, "take Params(integers=4)", lambda: (x + x) + (x + x))
    refused(bootes.ArgumentError, "Server.run", lambda: x + y)
    assert client.decrypt(server.run("x + y", x=x, y=y))[0] == 2
    refused(bootes.ArgumentError, "as_residues", lambda: x + client.encrypt([1]))
    refused(bootes.ArgumentError, "width", lambda: server.maximum(x, y))
    refused(bootes.ArgumentError, "signed=False", lambda: client.encrypt([5], integers=3))
    refused(bootes.ArgumentError, "Params(slots=", lambda: bfv.client.encrypt([1], modulus=7))
    refused(
        bootes.ArgumentError,
        "out_modulus=257",
        lambda: bfv.server.evaluate([1] * 257, bfv.client.encrypt([1]), out_modulus=5),
    )
    refused(
        bootes.ArgumentError,
        "Server.evaluate_all",
        lambda: bfv.server.evaluate("x*x; x", bfv.client.encrypt([1])),
    )
    long = integers.client.encrypt([1], integers=32)
    sums: list[Callable[[], object]] = [lambda: long + long, lambda: 3 * long, lambda: long - 1]
    for act in sums:
        words = 'Server.run("x + y", x=x, y=y), and so x - 1, or 3*x of a narrower range'
        refused(bootes.ArgumentError, words, act)
    run, decrypt = integers.server.run, integers.client.decrypt
    narrow = integers.client.encrypt([1], integers=32, within=(-1000, 1000))
    found = [run("x + y", x=long, y=long), run("x - 1", x=long), run("3*x", x=narrow)]
    assert [decrypt(x) for x in found] == [[2], [0], [3]]
    both = integers.client.encrypt([1, 2], integers=32)
    words = 'of parts of an array Server.run("sum(a, b)", a=x[:n], b=x[n:])'
    refused(bootes.ArgumentError, words, both.sum)
    assert decrypt(run("sum(a, b)", a=both[:1], b=both[1:])) == [3]
    # Of a factor for each, which broadcast.
    few, factors = integers.client.encrypt([1, 2], bits=4), np.array([3, 4])
    assert decrypt(few * factors).tolist() == [3, 8]
    square = integers.client.encrypt([[1, 2], [3, 4]], integers=10, within=(0, 9))
    for each in ([2, 3], [[2], [-3]], [[0, 1], [2, 3]]):
        expected = np.array([[1, 2], [3, 4]]) * each
        assert decrypt(square * np.array(each)).tolist() == expected.tolist()
    wide = integers.client.encrypt([1, 2], integers=16)
    refused(bootes.ArgumentError, '"x*y" (Server.run(…, x=x, y=y)) of them encrypted', lambda: wide * factors)
    encrypted = integers.client.encrypt(factors, integers=4)
    assert decrypt(run("x*y", x=wide, y=encrypted)).tolist() == [3, 8]
    # Tables of numbers among vectors.
    squares = [u * u % 257 for u in range(257)]
    slots = bfv.client.encrypt([1, 2])
    words = "write the entry of the table in its place"
    refused(bootes.ArgumentError, words, lambda: bfv.server.run("x + F(7)", x=slots, tables={"F": squares}))
    refused(
        bootes.ArgumentError, words, lambda: bfv.server.run("x + F(300)", x=slots, tables={"F": [1] * 301})
    )
    assert bfv.client.decrypt(bfv.server.run("x + 49", x=slots)).tolist() == [50, 51]
    words = "expected single values, with keys of engine fhew or ckks"
    refused(bootes.ArgumentError, words, lambda: bfv.server.run("G(x, 2)", x=slots, tables={"G": max}))
    # What mypy refuses is refused when it runs, too.
    refused(bootes.DtypeError, "the sum of an array x is x.sum()", lambda: bfv.server.sum(square))  # type: ignore[arg-type]
    # Several expressions are one text.
    words = 'expected one text of all, as "x + 1; x + 2"'
    refused(bootes.ArgumentError, words, lambda: integers.server.evaluate_all(["x + 1", "x + 2"], few))
    results = integers.server.evaluate_all("x + 1; x + 2", few)
    assert [decrypt(one).tolist() for one in results] == [[2, 3], [3, 4]]
    # A name is of one thing.
    frame = integers.client.encrypt_frame({"age": [10, 50]})
    words = "age is a column of the frame, and age= is given"
    refused(bootes.ArgumentError, words, lambda: run("age + 1", frame, age=few))
    for product in (slots * factors, bfv.server.multiply(slots, bfv.client.encrypt(factors))):
        assert bfv.client.decrypt(product).tolist() == [3, 8]
    words = "several results: less, r2 = server.evaluate_all(expression, x, y) gives them"
    refused(bootes.ArgumentError, words, lambda: server.run("less = x < y; y - x", x=x, y=x))
    less, difference = server.evaluate_all("less = x < y; y - x", x, x)
    assert [client.decrypt(found) for found in (less, difference)] == [[0], [0]]
    # What would be left aside is refused.
    refused(
        bootes.ArgumentError, "signed= is for integers=: give both", lambda: client.encrypt([1], signed=False)
    )
    words = "within= is for integers=: give that in place of bits= or modulus="
    refused(bootes.ArgumentError, words, lambda: client.encrypt([1], bits=3, within=(0, 5)))
    refused(bootes.ArgumentError, words, lambda: client.encrypt([1], modulus=3, within=(0, 5)))
    assert client.decrypt(client.encrypt([1], integers=3, within=(0, 3))) == [1]
    words = "for integers with a sign take signed=True"
    refused(bootes.ArgumentError, words, lambda: client.encrypt([-1], integers=3, signed=False))
    assert client.decrypt(client.encrypt([-1], integers=3, signed=True)) == [-1]
    words = "tables of more, up to 20 bits, are of residues"
    refused(bootes.ArgumentError, words, lambda: integers.server.evaluate([0] * 16, long))


def test_what_else_there_is_for_integers_of_any_width(integers: Pair, bfv: Pair, ckks: Pair) -> None:
    """Follow the advice of refusals of sums, tables and plans."""
    client, server, _ = integers
    x, y = client.encrypt([5, -3], integers=6), client.encrypt([7, 30], integers=12)
    long = client.encrypt([1 << 30, -9], integers=40)
    argument = partial(refused, bootes.ArgumentError)
    argument('take the program "x + y" (Server.run(…, x=x, y=y))', lambda: x + y)
    argument('take the program "x - y" (Server.run(…, x=x, y=y))', lambda: x - long)
    np.testing.assert_array_equal(client.decrypt(server.run("x + y", x=x, y=long)), [5 + (1 << 30), -12])
    argument('or take the program "max(x, y)"', lambda: server.maximum(x, y))
    np.testing.assert_array_equal(client.decrypt(server.run("max(x, y)", x=x, y=y)), [7, 30])
    argument("carries from one to the next", long.sum)
    # Sums and multiples of the longest that one ciphertext holds.
    full = client.encrypt([1, -32768, 3], integers=16)
    argument('Server.run("sum(a, b)", a=x[:n], b=x[n:])', full.sum)
    total = server.run("sum(a, b, c)", a=full[:1], b=full[1:2], c=full[2:])
    np.testing.assert_array_equal(client.decrypt(total), [-32764])
    argument('a program like "3*x" (Server.run(…, x=x))', lambda: 4 * full)
    np.testing.assert_array_equal(client.decrypt(server.run("4*x", x=full)), [4, -131072, 12])
    few = client.encrypt([5, -3], integers=4)
    argument("as in Server.evaluate(lambda x: x, x, out_bits=…) on results", lambda: 7 * few)
    wide = server.evaluate(lambda x: x, few, out_bits=7)
    np.testing.assert_array_equal(client.decrypt(7 * wide), [35, -21])
    less = server.less(few, few + 1)
    argument('Server.evaluate("widen:3", x)', lambda: 7 * less)
    np.testing.assert_array_equal(client.decrypt(7 * server.evaluate("widen:3", less)), [7, 7])
    total = server.run("x + y", x=long[:1], y=long[1:])
    np.testing.assert_array_equal(client.decrypt(total), [(1 << 30) - 9])
    bring = "(within=(0, 63), signed=False, Server.relu, Server.absolute, x + c)"
    argument(bring, lambda: server.evaluate(list(range(64)), y))
    small = server.evaluate(list(range(64)), x + 32)
    np.testing.assert_array_equal(client.decrypt(small), [37, 29])
    argument("from 0 on, as x % 8 has in a table of 8", lambda: server.run("f(x)", x=x, tables={"f": [1, 2]}))
    # Functions of residues are those of integers.
    assert {bootes.plan("max", bits=4).engine, bootes.plan("x < 3", modulus=257).engine} == {"fhew"}
    some = bfv.client.encrypt([1, 2])
    # Products with public vectors end where nothing could be done with them any more, and go on as a program.
    weights, images = np.array([256, 3]), np.array([1, 2])
    for _ in range(64):
        try:
            some, images = weights * some, weights * images % 257
        except bootes.NoiseError:
            break
    refused(bootes.NoiseError, "x*w, of 0*x + w for w, with Server.evaluate", lambda: weights * some)
    some, images = bfv.server.run("x*w", x=some, w=0 * some + weights), weights * images % 257
    np.testing.assert_array_equal(bfv.client.decrypt(weights * some), weights * images % 257)
    some = bfv.client.encrypt([1, 2])
    refused(bootes.UnsupportedError, 'take the program "sum(x)"', some.sum)
    assert bfv.client.decrypt(bfv.server.run("sum(x)", x=some))[0] == 3
    refused(bootes.UnsupportedError, "take parameters of engine fhew", ckks.client.encrypt([1, 2]).sum)
    # With engine ckks functions are of integers.
    seven = ckks.client.encrypt([1, 2], modulus=7)
    integers_instead = "encrypt them as such (Client.encrypt(…, integers=…))"
    argument(integers_instead, lambda: ckks.server.run("max(x, 3)", x=seven))
    argument("Encrypted.as_integers(…)", lambda: ckks.server.run("x < 3", x=ckks.client.encrypt([1, 2])))
    # What is chosen encrypts what was planned.
    choice = bootes.plan(lambda v: v, slots=9)
    assert bootes.Client(choice.params).encrypt([8]).modulus == 9


def followed(act: Callable[[], object]) -> str:
    """Give the line of a refusal."""
    with pytest.raises(bootes.Error) as raised:
        act()
    line = str(raised.value)
    assert "\n" not in line
    return line


def test_comparisons_with_a_constant_are_done_as_they_say(integers: Pair, fhew: Pair) -> None:
    """Follow the advice of residues, and of integers of each length and engine."""
    compare: list[Callable[[Any, Any], object]] = [
        operator.eq,
        operator.ne,
        operator.lt,
        operator.le,
        operator.gt,
        operator.ge,
    ]
    ckks = bootes.Client("toy_batch_integers")
    many = bootes.Server(ckks.server_key())
    values = np.array([3, 5, 0])
    all_kinds: list[tuple[Any, bootes.Server, list[dict[str, int]]]] = [
        (integers.client, integers.server, [{"integers": 8}, {"integers": 64}]),
        (ckks, many, [{"integers": 8}]),
        (fhew.client, fhew.server, [{"bits": 4}]),
    ]
    for client, server, kinds in all_kinds:
        for kind in kinds:
            x = client.encrypt(values, **kind)
            for op in compare:
                line = followed(partial(op, x, 3))
                advice = line.rsplit("or with a constant ", 1)[1]
                found = eval(advice, {"x": x, "Server": server, "c": 3})
                np.testing.assert_array_equal(client.decrypt(found), np.asarray(op(values, 3), int))


def test_several_results_are_taken_as_they_say(integers: Pair, fhew: Pair) -> None:
    """Evaluate what is named, whatever it computes."""
    client, server, _ = fhew
    x, y = client.encrypt([5, 3]), client.encrypt([7, 1])
    for text in ("a = x; b = y", "x; y", "x + 0*y; (y)"):
        line = followed(partial(server.run, text, x=x, y=y))
        results, call = line.split(" gives them")[0].split(": ")[1].split(" = ")
        found = eval(call, {"x": x, "y": y, "server": server, "expression": text})
        assert [list(client.decrypt(one)) for one in found] == [[5, 3], [7, 1]]
        assert len(results.split(", ")) == len(found)
    np.testing.assert_array_equal(client.decrypt(server.evaluate("(x)", x)), [5, 3])
    client, server, _ = integers
    long, short = client.encrypt([300], integers=16), client.encrypt([5], integers=8)
    for name, expected in [("add", 305), ("sub", 295), ("max", 300)]:
        line = followed(partial(server.evaluate, name, long, short))
        program = line.split('the program "')[1].split('"')[0]
        assert client.decrypt(server.run(program, x=long, y=short)) == expected
    small = fhew.client.encrypt([5, 3], integers=26)
    line = followed(lambda: fhew.server.run("x*y == 3", x=small, y=small))
    other = bootes.Params(line.split("take parameter set ")[1])
    assert other.name == "fhew_int16_2m64"


def test_what_is_given_instead_of_something_else(fhew: Pair, bfv: Pair, tmp_path: Path) -> None:
    """Say it in one line, as an error of the package."""
    client, server, _ = fhew
    large = partial(bootes.table_from, lambda _: 2**80, bits=2)
    refused(bootes.DtypeError, "take one from -2^63 to 2^63 - 1", large)
    half: Any = lambda _: 1.5  # noqa: E731  (of a type that is refused)
    refused(bootes.DtypeError, "take int(round(…))", lambda: bootes.table_from(half, bits=2))
    plain: Any = np.array([1, 2])
    refused(bootes.DtypeError, "it is what Client.encrypt or a server gave", lambda: client.decrypt(plain))
    number: Any = 5
    refused(bootes.DtypeError, "bits=8 is by its name", lambda: bootes.Client(number))
    nothing: Any = None
    refused(bootes.DtypeError, "expected a path", lambda: bootes.Encrypted.load(nothing))
    x = client.encrypt([1, 2])
    refused(bootes.DtypeError, "expected a path", lambda: x.save(nothing))
    refused(bootes.ArgumentError, "no functions", lambda: server.evaluate_all([], x))
    words = "take values modulo 257, or a set for values modulo 32 (Params(modulus=…))"
    refused(bootes.ArgumentError, words, lambda: bfv.client.encrypt([1], bits=5))
    assert bootes.Client(modulus=32).encrypt([1]).modulus == 32
    refused(bootes.ArgumentError, "take one of these", lambda: client.encrypt([1], modulus=1))
    # Keys of another client are not replaced, and its own are.
    path = tmp_path / "client.key"
    client.save(path)
    client.save(path)
    refused(bootes.ArgumentError, "keys of another client", lambda: bfv.client.save(path))
    np.testing.assert_array_equal(bootes.Client.load(path).decrypt(x), [1, 2])
    path.unlink()
    bfv.client.save(path)


def test_tables_of_limbs(integers: Pair) -> None:
    """Tell which sets have tables of integers that others have in limbs."""
    client = bootes.Client("toy_8")
    server = bootes.Server(client.server_key())
    functions: list[Callable[[int], int]] = [lambda v: int(v >= 3), lambda v: int(v < 0)]
    values = [-5, 100, 0]
    x, y = client.encrypt(values, integers=8), integers.client.encrypt(values, integers=8)
    words = "the set has in one ciphertext each"
    refused(bootes.ArgumentError, words, lambda: server.evaluate_all(functions, x))
    refused(bootes.ArgumentError, words, lambda: server.evaluate(functions[0], x, out_modulus=4))
    found = integers.server.evaluate_all(functions, y)
    found.append(integers.server.evaluate(functions[0], y, out_modulus=4))
    expected = [[f(v) for v in values] for f in (*functions, functions[0])]
    assert [integers.client.decrypt(one).tolist() for one in found] == expected
