"""Functions of encrypted arrays, beside plain NumPy."""

from __future__ import annotations

import multiprocessing
import pickle
import re
import sys
import sysconfig
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

import bootes
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Pair

FEW = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def test_functions_of_several_values() -> None:
    """Take functions of several arguments, and arrays of several axes."""
    client = bootes.Client("toy_4")
    server = bootes.Server(client.server_key())
    x, y = (axis.ravel() for axis in np.meshgrid(np.arange(4), np.arange(4), indexing="ij"))
    a, b = client.encrypt(x, bits=2), client.encrypt(y, bits=2)
    image = (3 * x + y * y) % 4
    for table in (lambda x, y: (3 * x + y * y) % 4, image.reshape(4, 4), image.reshape(4, 4).tolist()):
        np.testing.assert_array_equal(client.decrypt(server.evaluate(table, a, b)), image)
    larger = server.evaluate(lambda x, y: 3 * x + y, a, b, out_modulus=16)
    np.testing.assert_array_equal(client.decrypt(larger), 3 * x + y)
    np.testing.assert_array_equal(client.decrypt(server.evaluate(np.maximum, a, b)), np.maximum(x, y))
    plan = server.plan(np.minimum, a, b)
    np.testing.assert_array_equal(client.decrypt(server.evaluate(plan, a, b)), np.minimum(x, y))
    for wrong, words in (
        (np.arange(16), "an axis for each input"),
        (lambda x, y: x / 2, "expected an integer"),
        (lambda x, y: 4 * x, "expected residues modulo 4"),
    ):
        with pytest.raises(bootes.Error, match=words):
            server.evaluate(wrong, a, b)


def test_the_largest_of_an_array_is_that_of_its_halves() -> None:
    """Take the largest of one value for itself, and that of an array by its halves, and by its values."""
    client = bootes.Client("toy_int16")
    server = bootes.Server(client.server_key())
    values = [3, -9, 14, 7, 2, 11, 0]
    x = client.encrypt(values, integers=8)
    assert client.decrypt(server.run("max(x)", x=x)).tolist() == values
    assert client.decrypt(server.run("max(a, b, c)", a=x[0], b=x[1], c=x[2])) == 14
    while len(x) > 1:
        half = (len(x) + 1) // 2
        x = server.run("max(a, b)", a=x[:half], b=x[-half:])
    assert client.decrypt(x).tolist() == [max(values)]


def test_tables_of_every_kind(each: Pair) -> None:
    """Take functions, arrays, lists, dictionaries and universal functions."""
    p = each.modulus
    x = np.arange(p)
    image = (x * x + 1) % p
    e = each.client.encrypt(x)
    kinds = [
        lambda x: (x * x + 1) % p,
        image,
        image.tolist(),
        dict(zip(x.tolist(), image.tolist(), strict=True)),
    ]
    for table in kinds if p == 16 else kinds[:2]:
        np.testing.assert_array_equal(each.client.decrypt(each.server.evaluate(table, e)), image)
    np.testing.assert_array_equal(each.client.decrypt(each.server.evaluate(np.negative, e)), -x % p)


@FEW
@given(table=st.lists(st.integers(0, 15), min_size=16, max_size=16), data=st.data())
def test_any_table(fhew: Pair, ckks: Pair, table: list[int], data: st.DataObject) -> None:
    """Evaluate any table."""
    x = np.array(data.draw(st.lists(st.integers(0, 15), min_size=1, max_size=6)))
    for client, server, _ in [fhew, ckks]:
        np.testing.assert_array_equal(
            client.decrypt(server.evaluate(table, client.encrypt(x))), np.array(table)[x]
        )


def test_results_of_other_sizes(fhew: Pair) -> None:
    """Take results modulo something else, or integers."""
    client, server, _ = fhew
    x = np.arange(8)
    e = client.encrypt(x, bits=3)
    three = server.evaluate(lambda x: x % 3, e, out_modulus=3)
    assert (three.modulus, three.range) == (3, (0, 2))
    np.testing.assert_array_equal(client.decrypt(three + three), 2 * (x % 3) % 3)
    halves = server.evaluate(lambda x: x // 2 - 2, e, out_bits=3)
    assert (halves.modulus, halves.range) == (None, (-2, 1))
    np.testing.assert_array_equal(client.decrypt(halves + halves), 2 * (x // 2 - 2))
    np.testing.assert_array_equal(client.decrypt(server.evaluate(np.negative, e)), -x % 8)
    np.testing.assert_array_equal(client.decrypt(server.evaluate(lambda x: x > 3, e)), x > 3)
    np.testing.assert_array_equal(client.decrypt(server.evaluate(lambda x: np.bool_(x > 3), e)), x > 3)
    np.testing.assert_array_equal(client.decrypt(server.evaluate(np.uint8, e)), x)


def test_several_tables(each: Pair) -> None:
    """Evaluate several at once."""
    p = each.modulus
    x = np.arange(4).reshape(2, 2)
    found = each.server.evaluate_all([lambda x: (x + 1) % p, lambda x: -x % p], each.client.encrypt(x))
    for one, expected in zip(found, [x + 1, -x % p], strict=True):
        np.testing.assert_array_equal(each.client.decrypt(one), expected)


def test_several_tables_of_several_values(fhew: Pair) -> None:
    """Make an adder of bits: by expressions with tables, and by functions."""
    client, server, _ = fhew
    bits = np.array([[0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0, 1, 1], [0, 1, 0, 1, 0, 1, 0, 1]])
    x, y, z = (client.encrypt(row, modulus=2) for row in bits)
    total = bits.sum(axis=0)
    carries: list[Any] = [
        lambda x, y, z: int(x + y + z > 1),
        np.array([0, 0, 0, 1, 0, 1, 1, 1]).reshape(2, 2, 2),
    ]
    for carry in carries:
        found = server.evaluate_all("x + y + z; carry(x, y, z)", x, y, z, tables={"carry": carry})
        np.testing.assert_array_equal([client.decrypt(bit) for bit in found], [total % 2, total // 2])
        one = server.run("x + carry(x, y, z)", x=x, y=y, z=z, tables={"carry": carry})
        np.testing.assert_array_equal(client.decrypt(one), (bits[0] + total // 2) % 2)
    found = server.evaluate_all([lambda x, y, z: (x + y + z) % 2, carries[0]], x, y, z)
    np.testing.assert_array_equal([client.decrypt(bit) for bit in found], [total % 2, total // 2])
    words = "r1, r2 = server.evaluate_all(expression, x, y, z, tables=…) gives them"
    with pytest.raises(bootes.ArgumentError, match=re.escape(words)):
        server.run("x; carry(x, y, z)", x=x, y=y, z=z, tables={"carry": carries[0]})
    with pytest.raises(bootes.ArgumentError, match="as many inputs, in this order"):
        server.evaluate_all("x + y; carry(x, y, z)", x, y, tables={"carry": carries[0]})


def test_functions_of_integers(integers: Pair) -> None:
    """Compare, and take the maximum."""
    client, server, _ = integers
    x, y = np.array([[-3, 7], [0, -100]]), np.array([[5, 7], [-1, 100]])
    e, f = (client.encrypt(values, integers=8) for values in (x, y))
    assert (e.modulus, e.range) == (None, (-128, 127))
    for found, expected in [
        (server.maximum(e, f), np.maximum(x, y)),
        (server.minimum(e, f), np.minimum(x, y)),
        (server.less(e, f), x < y),
        (server.equal(e, f), x == y),
        (server.relu(e), np.maximum(x, 0)),
        (server.absolute(e), abs(x)),
        (server.sign(e), x < 0),
        (server.evaluate("floor:2", e), x >> 2),
        (e + f, x + y),
        # What refusals advise: constants take no comparison of two.
        (server.sign(e - 5), x < 5),
        (server.relu(e - 5) + 5, np.maximum(x, 5)),
        (1 - server.sign(5 - e), x <= 5),
        (server.evaluate(lambda x: x != 7, e), x != 7),
    ]:
        assert found.shape == x.shape
        np.testing.assert_array_equal(client.decrypt(found), expected)
    np.testing.assert_array_equal(client.decrypt(e.as_residues()), x % 512)
    low, high = server.evaluate_all("digits:4", client.encrypt(abs(x), integers=8, signed=False))
    np.testing.assert_array_equal(client.decrypt(low), abs(x) % 16)
    np.testing.assert_array_equal(client.decrypt(high), abs(x) // 16)


def test_tables_on_integers_with_a_sign(integers: Pair, fhew: Pair) -> None:
    """Tables of functions and dictionaries have entries for negative integers, too."""
    client, server, _ = fhew
    x = np.arange(-4, 4)
    e = client.encrypt(x, integers=3)
    image = x * x // 2 - 5
    tables: list[Any] = [lambda x: x * x // 2 - 5, dict(zip(x.tolist(), image.tolist(), strict=True))]
    for table in tables:
        found = server.evaluate(table, e)
        assert (found.modulus, found.range) == (None, (-5, 3))
        np.testing.assert_array_equal(client.decrypt(found), image)
    both = server.evaluate_all([lambda x: x + 4, abs], e)
    for one, expected in zip(both, [x + 4, abs(x)], strict=True):
        np.testing.assert_array_equal(client.decrypt(one), expected)
    client, server, _ = integers
    x = np.array([-200, -1, 0, 255])
    found = server.evaluate(lambda x: x // 16, client.encrypt(x, integers=9))
    np.testing.assert_array_equal(client.decrypt(found), x // 16)
    some = client.encrypt([3, 5], integers=9, within=(3, 5))
    np.testing.assert_array_equal(client.decrypt(server.evaluate({3: -1, 4: 0, 5: 1}, some)), [-1, 1])


def test_vectors(bfv: Pair) -> None:
    """Multiply and rotate."""
    client, server, p = bfv
    x, y = np.array([1, 2, 200]), np.array([3, 4, 5])
    e, f = client.encrypt(x), client.encrypt(y)
    np.testing.assert_array_equal(client.decrypt(server.multiply(e, f)), x * y % p)
    np.testing.assert_array_equal(client.decrypt(server.rotate(e, 1))[:2], x[1:])
    for found in [server.evaluate("x*y + 2*x", e, f), server.run("x*y + 2*x", y=f, x=e)]:
        np.testing.assert_array_equal(client.decrypt(found), (x * y + 2 * x) % p)
    found = server.run("T(x) * y", tables={"T": lambda x: (x + 3) % 257}, x=e, y=f)
    np.testing.assert_array_equal(client.decrypt(found), (x + 3) * y % p)
    cases: list[tuple[str, Callable[[], object]]] = [
        ("y is in the expression", lambda: server.run("x*y", x=e)),
        ("y= is not in the expression", lambda: server.run("x*x", x=e, y=f)),
        ("T is no table", lambda: server.run("T(x)", tables={"T": "relu"}, x=e)),
    ]
    for words, act in cases:
        with pytest.raises(bootes.ArgumentError, match=words):
            act()


def test_programs_of_integers(integers: Pair) -> None:
    """Compare, select, multiply and divide; tables by name."""
    client, server, _ = integers
    x, y = np.array([[-8, 3], [7, 0]]), np.array([[5, -2], [7, -8]])
    e, f = client.encrypt(x, integers=4), client.encrypt(y, integers=4)
    found = server.run("select(x > y, x, x*y/2)", x=e, y=f)
    np.testing.assert_array_equal(client.decrypt(found), np.where(x > y, x, x * y // 2))
    found = server.evaluate("max(x, y) + abs(x)", e, f)
    np.testing.assert_array_equal(client.decrypt(found), np.maximum(x, y) + abs(x))
    positive = client.encrypt(abs(x), integers=4, within=(0, 8))
    found = server.run("T(x) % 5 - y", tables={"T": lambda x: x * x % 11}, x=positive, y=f)
    np.testing.assert_array_equal(client.decrypt(found), x * x % 11 % 5 - y)
    # A table has an entry for each value of what it is of, whatever the inputs are, in whatever order.
    orders: list[dict[str, Any]] = [{"x": positive, "y": f}, {"y": f, "x": positive}]
    for inputs in orders:
        found = server.run("T(T(x) - y) + T(y)", tables={"T": lambda x: x * x % 11}, **inputs)
        np.testing.assert_array_equal(client.decrypt(found), (x * x % 11 - y) ** 2 % 11 + y * y % 11)
    with pytest.raises(bootes.ArgumentError, match="no entry for x = -8"):
        server.run("T(x) + T(y)", tables={"T": {i: i for i in range(9)}}, x=positive, y=f)
    with pytest.raises(bootes.ArgumentError, match="0 and 1"):
        server.run("select(x, x, y)", x=e, y=f)


def test_sums_over_slots_without_values_warn(bfv: Pair) -> None:
    """Tell where slots that constants have filled are added or moved; a product with ones empties them."""
    client, server, p = bfv
    x = np.array([1, 2, 3])
    e, ones = client.encrypt(x), client.encrypt([1, 1, 1])
    plan = server.plan("sum(x + 1)", e)
    filled = "125 of the 128 slots have no value, and hold 1 each by .*: sum adds them; .* of 3 ones first"
    unknown = "may hold something other than 0 .*: {} them"
    cases: list[tuple[str, Callable[[], object]]] = [
        (filled, lambda: server.evaluate("sum(x + 1)", e)),
        (filled, lambda: server.run("sum(x + 1)", x=e)),
        (filled, lambda: server.evaluate(plan, e)),
        (filled, lambda: server.evaluate_all("x; sum(x + 1)", e)),
        (unknown.format("sum adds"), lambda: server.evaluate("sum(x)", e + 1)),
        (unknown.format("rot moves"), lambda: server.rotate(e + 1, 1)),
    ]
    for words, act in cases:
        with pytest.warns(bootes.PaddingWarning, match=words) as found:
            act()
        assert [warning.filename for warning in found] == [__file__]
    # Results have no zeros that anybody knows of, whatever their noise, also out of a file.
    for text in ["0*x + 1", f"{p}*x + 1"]:
        y = server.run(text, x=e)
        for z in [y, bootes.Encrypted.from_bytes(y.to_bytes())]:
            for words, act in [
                (unknown.format("sum adds"), partial(server.run, "sum(y)", y=z)),
                (unknown.format("rot moves"), partial(server.rotate, z, -1)),
                (unknown.format("sum adds"), partial(server.run, "sum(y*(x + 1))", y=z, x=e)),
            ]:
                with pytest.warns(bootes.PaddingWarning, match=words):
                    act()
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                np.testing.assert_array_equal(client.decrypt(server.run("sum(m*y)", m=ones, y=z)), [3, 3, 3])
    full = client.encrypt(np.ones(128, np.int64))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for least in [server.evaluate("sum(m*(x + 1))", ones, e), server.evaluate("sum(m*x)", ones, e + 1)]:
            np.testing.assert_array_equal(client.decrypt(least), [9, 9, 9])
        np.testing.assert_array_equal(client.decrypt(server.rotate(e, 1))[:2], x[1:])
        np.testing.assert_array_equal(client.decrypt(server.evaluate("sum(x + 1)", full)), 256 % p)


def test_plans(each: Pair, integers: Pair) -> None:
    """Plan once, and evaluate as often as there are inputs."""
    client, server, p = each
    x = client.encrypt([1, 2])
    plan = server.plan(lambda x: (x + 1) % p, x)
    assert plan.engine == client.params.engine
    assert plan.engine in repr(plan)
    assert len(str(plan)) > 10
    assert plan.log2_p_fail <= -64
    assert plan.seconds(1000) > 0
    assert plan.algorithms
    for values in [[3, 4], [5]]:
        found = server.evaluate(plan, client.encrypt(values))
        np.testing.assert_array_equal(client.decrypt(found), np.array(values) + 1)
        (again,) = server.evaluate_all(plan, client.encrypt(values))
        np.testing.assert_array_equal(client.decrypt(again), np.array(values) + 1)
    with pytest.raises(bootes.MismatchError):
        integers.server.evaluate(plan, x)
    signed = integers.client.encrypt([-3, 3], integers=4)
    plan = integers.server.plan(abs, signed)
    np.testing.assert_array_equal(integers.client.decrypt(integers.server.evaluate(plan, signed)), [3, 3])


def test_tables_are_arrays() -> None:
    """Give the entries of whatever is a table, as residues."""
    kinds: list[Any] = [
        lambda x: x ^ 1,
        [1, 0, -1, 2],
        np.array([1, 0, 3, 2], np.uint8),
        {3: 2, 0: 1, 1: 0, 2: 3},
    ]
    for f in kinds:
        table = bootes.table_from(f, bits=2)
        np.testing.assert_array_equal(table, [1, 0, 3, 2])
        assert table.dtype == np.int64
    np.testing.assert_array_equal(bootes.table_from(np.square, modulus=5, out_modulus=17), [0, 1, 4, 9, 16])
    np.testing.assert_array_equal(bootes.table_from(np.negative, bits=2), [0, 3, 2, 1])


def test_plans_of_any_size(integers: Pair) -> None:
    """Predict for as many values as the limit says, on any number of threads."""
    for kinds in ({"bits": 8}, {"bits": 20}, {"integers": 16}, {"modulus": 1000}):
        for threads in (1, 2**64 - 1):
            assert bootes.plan(count=10**12, threads=threads, **kinds).memory > 0
    plan = integers.server.plan("relu", integers.client.encrypt([1], integers=8))
    assert plan.seconds(10**12) > plan.seconds(1)
    assert plan.memory(10**12) > 0


def test_integers_have_a_range_of_their_own() -> None:
    """Take the range of integers that a client is made for, without their number of bits again."""
    client = bootes.Client("toy_int16", integers=8)
    keys = client, client.public_key()
    for key in keys:
        bytes_ = key.encrypt([0, 255], within=(0, 255))
        assert bytes_.range == (0, 255)
        assert key.encrypt([255], signed=False).range == (0, 255)
        np.testing.assert_array_equal(client.decrypt(bytes_), [0, 255])
    with pytest.raises(bootes.ArgumentError, match="within= is for integers=: give both"):
        bootes.Client("toy_4").encrypt([1], within=(0, 3))


def test_parameters_are_chosen() -> None:
    """Take the set for what there is to hold."""
    assert bootes.Params(bits=4).log2_p_fail <= -128
    assert bootes.Params(bits=4, failure=-64).log2_p_fail > -128
    assert bootes.Params(bits=4, many=65536).engine == "ckks"
    assert bootes.Params(integers=16, many=100_000).engine == "ckks"
    assert bootes.Params(modulus=100).engine == "fhew"
    assert bootes.Params(slots=257).engine == "bfv"
    assert bootes.Params(slots=257).depth is None
    leveled = bootes.Params(slots=65537, depth=1)
    assert (leveled.name, leveled.depth, leveled.capacity) == ("slots_65537_depth_1", 1, 8192)
    assert "toy_4" in bootes.Params.names()
    params = bootes.Params("toy_8", modulus=10)
    assert (params.name, params.security) == ("toy_8", None)
    client = bootes.Client(params)
    assert client.encrypt([9]).modulus == 10
    with pytest.raises(bootes.ArgumentError):
        client.encrypt([10])


def test_parameters_that_say_two_things(integers: Pair) -> None:
    """Refuse what a named set does not hold, what it would ignore, and counts of nothing."""
    named = partial(bootes.Params, "toy_4")
    cases: list[tuple[str, Callable[[], object]]] = [
        ("messages of 9 bits, and parameter set toy_4 holds 1 to 4 bits", partial(named, bits=9)),
        ("messages modulo 17, and parameter set toy_4 holds moduli of 2 to 16", partial(named, modulus=17)),
        ("integers of 64 bits, and parameter set toy_4 holds those of 1 to 48", partial(named, integers=64)),
        ("messages of 9 bits, and", partial(bootes.Client, "toy_4", bits=9)),
        ("messages of 9 bits, and", partial(bootes.Client, named(), bits=9)),
        ("many= beside a parameter set", partial(named, many=5)),
        ("many=0, expected 1 to 10", partial(bootes.Params, bits=4, many=0)),
        ("many=0, expected 1 to 10", partial(bootes.Params, integers=4, many=0)),
        ("0 threads, expected at least 1", partial(bootes.plan, bits=4, threads=0)),
    ]
    for words, act in cases:
        with pytest.raises(bootes.ArgumentError, match=words):
            act()
    for bits in range(1, 21):
        params = bootes.Params(bits=bits)
        assert pickle.loads(pickle.dumps(params)) == params
    for width in range(1, 65):
        params = bootes.Params(integers=width)
        assert pickle.loads(pickle.dumps(params)) == params
    some: list[dict[str, Any]] = [{"bits": bits} for bits in (4, 9, 16, 17, 20)]
    some += [{"integers": 8}, {"integers": 16}, {"modulus": 1000}]
    for options in some:
        params = bootes.Params(**options, many=100_000)
        assert pickle.loads(pickle.dumps(params)) == params
        assert params.bits >= options.get("bits", 0)
    # A table that no expression calls may be one of a name that is misspelt.
    x = integers.client.encrypt([1, 2], integers=4)
    tables: dict[str, Any] = {"f": abs, "g": abs}
    run, plan = integers.server.run, integers.server.plan
    for act in (
        lambda: run("f(x)", x=x, tables=tables),
        lambda: plan("f(x)", x=x, tables=tables),
        lambda: integers.server.evaluate_all("f(x); x", x, tables=tables),
    ):
        with pytest.raises(
            bootes.ArgumentError, match='tables= has "g", and the expression has f: leave it out'
        ):
            act()
    with pytest.raises(bootes.ArgumentError, match='tables= has "f", and the expression has none'):
        run("x + 1", x=x, tables=tables)


def test_vectors_of_a_depth() -> None:
    """Multiply vectors modulo a prime of 26 bits without bootstrapping; follow a refusal."""
    p = 65929217
    client = bootes.Client(slots=p, depth=1)
    server = bootes.Server(client.server_key())
    points = np.array([[0, 8119], [17, 4], [4000, 1]])
    x, y = (client.encrypt(axis) for axis in points.T)
    distances = server.run("(x - 5)^2 + (y - 7)^2", x=x, y=y)
    assert client.decrypt(distances).tolist() == ((points - [5, 7]) ** 2).sum(axis=1).tolist()
    with pytest.raises(bootes.Error, match="make keys of the set slots_65929217_depth_3") as refused:
        server.run("(x*y)^4", x=x, y=y)
    assert bootes.Params(str(refused.value).split()[-1]).depth == 3


def test_values_modulo_a_power_of_two() -> None:
    """Compute modulo 2^16 and 2^40 with a value a ciphertext; be refused what is of slots."""
    for modulus in (2**16, 2**40):
        client = bootes.Client(slots=modulus, depth=1)
        assert (client.params.name, client.params.capacity) == (f"slots_{modulus}_depth_1", 1)
        server = bootes.Server(client.server_key())
        a, b = np.array([modulus - 1, 3, modulus // 2]), np.array([modulus - 2, 12345, 7])
        x, y = client.encrypt(a), client.public_key().encrypt(b)
        found = server.run("x*y + 3*x", x=x, y=y)
        expected = [(int(x) * int(y) + 3 * int(x)) % modulus for x, y in zip(a, b, strict=True)]
        assert client.decrypt(found).tolist() == expected
        assert client.decrypt(x + y - 5).tolist() == ((a + b - 5) % modulus).tolist()
        factors = np.array([2, 0, 5])
        assert client.decrypt(factors * x).tolist() == (factors * a % modulus).tolist()
        for text in ("rot(x, 1)", "sum(x)", "dot(x, x)"):
            with pytest.raises(bootes.UnsupportedError, match="holds one value: add ciphertexts up"):
                server.run(text, x=x)
        with pytest.raises(bootes.Error, match=f"make keys of the set slots_{modulus}_depth_2") as refused:
            server.run("x^4", x=x)
        assert bootes.Params(str(refused.value).split()[-1]).depth == 2


def test_progress_is_heard(fhew: Pair) -> None:
    """Tell which part is done, to the end; what is raised there ends it."""
    client, server, _ = fhew
    heard: list[float] = []
    e = client.encrypt(np.zeros(2000, np.int64))
    server.evaluate(lambda x: x * x % 16, e, progress=heard.append)
    assert heard == sorted(heard)
    assert heard[-1] == 1
    bootes.Server(client.server_key(progress=heard.append), progress=False)

    def stop(_: float) -> None:
        message = "enough"
        raise RuntimeError(message)

    with pytest.raises(RuntimeError, match="enough"):
        server.evaluate(lambda x: x * x % 16, e, progress=stop)
    with pytest.raises(bootes.ArgumentError):
        # What mypy refuses is to be refused when it runs, too.
        server.evaluate(lambda x: x, e, progress=3)  # type: ignore[arg-type]


def test_threads_share_a_server(each: Pair) -> None:
    """Evaluate on eight threads of Python, which is left without its lock where it has none."""
    client, server, p = each
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        # Stubs of older Pythons have it not.
        assert not sys._is_gil_enabled()  # type: ignore[attr-defined, unused-ignore]
    x = np.arange(p)
    e = client.encrypt(x)
    tables = [(x * k + 1) % p for k in range(8)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda table: client.decrypt(server.evaluate(table, e) + e), tables))
    np.testing.assert_array_equal(found, (np.array(tables) + x) % p)


def test_other_threads_go_on(fhew: Pair) -> None:
    """Leave the interpreter to others meanwhile."""
    client, server, _ = fhew
    over, counted = threading.Event(), 0
    e = client.encrypt(np.zeros(3000, np.int64))

    def work() -> None:
        server.evaluate(lambda x: x ^ 1, e)
        over.set()

    worker = threading.Thread(target=work)
    worker.start()
    while not over.wait(0.001):
        counted += 1
    worker.join()
    assert counted > 5


def tripled(key: bootes.ServerKey, x: bootes.Encrypted) -> bootes.Encrypted:
    """Do what another process does."""
    return bootes.Server(key, threads=1).evaluate(lambda x: 3 * x % 16, x)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has spawn alone")
@pytest.mark.parametrize("start", ["spawn", "forkserver"])
def test_processes_share_the_work(fhew: Pair, start: str) -> None:
    """Give keys and arrays to other processes."""
    key, x = fhew.client.server_key(), fhew.client.encrypt([1, 2, 7])
    with multiprocessing.get_context(start).Pool(2) as pool:
        found = pool.starmap(tripled, [(key, x[:2]), (key, x[2:])])
    np.testing.assert_array_equal(fhew.client.decrypt(bootes.concatenate(found)), [3, 6, 5])


def test_results_are_compressed() -> None:
    """Send less, and decrypt the same."""
    client = bootes.Client("toy_4")
    server = bootes.Server(client.server_key(compression=True))
    x = np.arange(64).reshape(8, 8) % 16
    e = client.encrypt(x)
    y = server.evaluate(lambda x: x * x % 16, e)
    done: list[float] = []
    z = server.compress(y, progress=done.append)
    assert (z.shape, z.is_compressed, y.is_compressed) == (y.shape, True, False)
    assert 20 * z.nbytes < y.nbytes
    assert done[-1] == 1
    assert "compressed" in repr(z)
    np.testing.assert_array_equal(client.decrypt(z), x * x % 16)
    again = bootes.Encrypted.from_bytes(z.to_bytes())
    both = bootes.concatenate([again[8:16], again[:8]])
    np.testing.assert_array_equal(client.decrypt(both), (x * x % 16).ravel()[np.r_[8:16, :8]])
    refusals: list[Callable[[], object]] = [
        lambda: z + y,
        lambda: z * 2,
        lambda: server.evaluate(np.negative, z),
        lambda: server.compress(z),
    ]
    for refused in refusals:
        with pytest.raises(bootes.ArgumentError, match="for decryption alone"):
            refused()
    plain = bootes.Server(client.server_key())
    with pytest.raises(bootes.MismatchError, match=r"Client.server_key\(compression=True\)"):
        plain.compress(y)


@pytest.mark.parametrize("name", ["toy_int16", "toy_batch_4bit"])
def test_tables_of_integers_with_negative_results(name: str) -> None:
    """Give the integers that a table has, with each engine: planned or not, of residues too."""
    client = bootes.Client(name)
    server = bootes.Server(client.server_key())

    def down(x: int) -> int:
        return 2 * x - 5

    values = np.arange(-4, 4)
    x = client.encrypt(values, integers=3)
    for result in (
        server.evaluate(down, x),
        server.evaluate(down, x, out_bits=4),
        server.evaluate(server.plan(down, x), x),
        *server.evaluate_all([down, down], x),
    ):
        np.testing.assert_array_equal(client.decrypt(result), 2 * values - 5)
        assert result.modulus is None
    residues = client.encrypt(np.arange(4), bits=2)
    np.testing.assert_array_equal(
        client.decrypt(server.evaluate(down, residues, out_bits=4)), [-5, -3, -1, 1]
    )
    np.testing.assert_array_equal(
        client.decrypt(server.evaluate([3, -1, 0, 2], residues, out_bits=3)), [3, -1, 0, 2]
    )
    wraps = server.evaluate(down, x, out_modulus=16)
    np.testing.assert_array_equal(client.decrypt(wraps), (2 * values - 5) % 16)


def test_integers_and_residues_in_one_table() -> None:
    """Take a table of both, an entry for each integer that there may be."""
    client = bootes.Client("toy_int16")
    server = bootes.Server(client.server_key())
    x, y = np.array([0, 4, 2, 3]), np.array([5, 1, 0, 2])
    few, six = client.encrypt(x, integers=4, within=(0, 4)), client.encrypt(y, modulus=6)
    eight = client.encrypt(y, bits=3)

    def image(x: Any, y: Any) -> Any:
        return (3 * x + y) % 8

    grid = np.fromfunction(image, (5, 6), dtype=int)
    for table in (image, grid, np.fromfunction(image, (8, 6), dtype=int).tolist()):
        np.testing.assert_array_equal(client.decrypt(server.evaluate(table, few, six)), image(x, y))
    np.testing.assert_array_equal(client.decrypt(server.evaluate(image, few, eight)), image(x, y))
    turned = server.evaluate(grid.T, six, few, out_modulus=8)
    np.testing.assert_array_equal(client.decrypt(turned), image(x, y))
    with pytest.raises(bootes.ArgumentError, match=r"shape \[4, 6\], expected \[8, 6\] or \[5, 6\]"):
        server.evaluate(grid[:4], few, six)


def test_functions_of_three_residues() -> None:
    """Take residues of any number of values together, with sets for integers, in limbs beyond 16 bits."""
    client = bootes.Client("toy_int16")
    server = bootes.Server(client.server_key())
    x = [client.encrypt([3, 9, 0], modulus=10) for _ in range(3)]
    found = client.decrypt(server.evaluate(lambda x, y, z: (x * y + z) % 10, *x))
    np.testing.assert_array_equal(found, [2, 0, 0])
    long = [client.encrypt([3, 9, 0], integers=6, signed=False) for _ in range(3)]
    found = client.decrypt(server.evaluate(lambda x, y, z: (x * y + z) % 64, *long))
    np.testing.assert_array_equal(found, [12, 26, 0])
    assert bootes.Params(modulus=64**3, many=1).engine == "ckks"
