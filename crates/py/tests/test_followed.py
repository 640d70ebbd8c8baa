"""Refusals of arguments, tables and columns: what is said, and that what they advise works."""

from __future__ import annotations

import tracemalloc
from functools import partial
from typing import TYPE_CHECKING, Any

import bootes
import numpy as np
import pytest
from conftest import refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Pair

TABLE: dict[str, Any] = {
    "age": [36, 41, 75],
    "income": [50, 200, 30],
    "town": ["Bonn", "Ulm", "Bonn"],
    "flag": [True, False, True],
    "less": [-5, 3, 7],
    "half": [1.5, 2.5, 3.0],
}


def test_tables_of_several_columns(integers: Pair) -> None:
    """Evaluate a function of columns of all kinds, and of what packs them; refuse sums of categories else."""
    client, server, _ = integers
    frame = client.encrypt_frame(TABLE, steps={"half": 0.5})
    codes = {"town": [0, 1, 0], "half": [3, 5, 6], "flag": [1, 0, 1], "age": TABLE["age"]}

    def f(x: int, y: int) -> int:
        return (3 * x + y) % 50

    def run(text: str, **tables: Any) -> list[int]:
        found: list[int] = client.decrypt_frame(server.run(text, frame, tables=tables))[text].tolist()
        return found

    for one, two in [("age", "town"), ("town", "age"), ("town", "flag"), ("half", "age"), ("town", "town")]:
        assert run(f"T({one}, {two})", T=f) == [f(*both) for both in zip(codes[one], codes[two], strict=True)]
    entries = np.array([[f(x, y) for y in range(256)] for x in range(128)])
    for table in (f, entries):
        assert run("T(age, income)", T=table) == [
            f(*both) for both in zip(TABLE["age"], TABLE["income"], strict=True)
        ]
    assert run("T(age, 3)", T=f) == [f(x, 3) for x in TABLE["age"]]
    assert run("T(age > 40, town)", T=f) == [0, 4, 3]
    # A code that columns make together is for a table.
    assert run("T(2*age + town)", T=lambda v: v % 50) == [22, 33, 0]
    for text in ("2*age + town", "town*town", "2*town > 1", "town + 1 == 2", "-town"):
        refused(bootes.ArgumentError, "which are compared and chosen alone", partial(run, text))
    words = "add 8 to it, as f(x + 8, y), and take that off in f"
    refused(bootes.ArgumentError, words, lambda: run("T(less, age)", T=f))
    found = run("T(less + 8, flag)", T=lambda x, y: x - 8 + 10 * y)
    assert found == [5, 3, 17]
    # Each value that the columns may have, and no other; beside what they are added to.
    within = {"month": (3, 12), "day": (0, 365), "room": (0, 149)}
    frame = client.encrypt_frame({"month": [3, 12], "day": [365, 10], "room": [149, 2]}, within=within)
    seen = []

    def g(month: int, room: int) -> int:
        seen.append((month, room))
        return 60 // month + room

    assert run("T(month, room) + day", T=g) == [365 + 20 + 149, 10 + 5 + 2]
    assert seen == [(month, room) for month in range(3, 13) for room in range(150)]
    # 54,900 pairs.
    assert run("T(day, room)", T=lambda day, room: (day + room) % 7) == [3, 5]
    words = "expected 2^16 combinations at most; take inputs of fewer values (within=), or parts of them"
    refused(bootes.ArgumentError, words, lambda: run("T(day, day)", T=f))
    assert run("T(day % 256, day % 256)", T=f) == [f(109, 109), f(10, 10)]
    frame = client.encrypt_frame(TABLE, steps={"half": 0.5})
    plan = server.plan("T(age, town)", frame, tables={"T": f})
    assert plan.seconds(3) > 0


def test_columns_without_a_name_and_room(integers: Pair) -> None:
    """Name columns anew that no expression names; tell room= by its name."""
    client, server, _ = integers
    for name, text in [("a b", "a b"), ("1a", "1a"), ("a-b", "a-b")]:
        frame = client.encrypt_frame({name: [1, 2]})
        with pytest.raises(bootes.ArgumentError, match="has a name that no expression has") as caught:
            server.run(text, frame)
        advice = str(caught.value).split(": take ")[1].split(", and ")
        new = advice[1].removesuffix(" in it")
        again = eval(advice[0], {"frame": frame})
        assert client.decrypt_frame(server.run(f"{new} + 1", again))[f"{new} + 1"].tolist() == [2, 3]
    words = "room=3, and column 'a' has integers from 0 to 127: take room=7 or more"
    refused(bootes.ArgumentError, words, lambda: client.encrypt_frame({"a": [100]}, room=3))
    assert client.decrypt_frame(client.encrypt_frame({"a": [100]}, room=7))["a"] == [100]
    refused(bootes.DtypeError, "room= of type bool", lambda: client.encrypt_frame({"a": [1]}, room=True))


def test_what_is_no_function(fhew: Pair) -> None:
    """Say what was given for a table, a list of tables, an input."""
    client, server, _ = fhew
    x: Any = client.encrypt([1, 2])
    evaluate: Any = server.evaluate
    evaluate_all: Any = server.evaluate_all
    dtype = partial(refused, bootes.DtypeError)
    dtype("gives None (NoneType) for x = 3, expected", lambda: evaluate(lambda v: None if v == 3 else v, x))
    dtype("a function without return gives None", lambda: evaluate(lambda _: None, x))
    dtype("gives None (NoneType) for (0, 0)", lambda: evaluate(lambda _a, _b: None, x, x))
    dtype(
        "nan (float) for x = 0, expected an integer of 64 bits: take a whole number",
        lambda: evaluate(lambda _: float("nan"), x),
    )
    dtype("as x.item()", lambda: evaluate(lambda v: np.array([v]), x))
    assert client.decrypt(evaluate(lambda v: np.array([v]).item(), x)).tolist() == [1, 2]
    dtype("the table has None (NoneType) for x = 1", lambda: evaluate([0, None] * 8, x))
    for one in (None, 3):
        dtype("in place of a table: expected a function, an array", partial(evaluate, one, x))
        dtype("expected a list of them, as [f, g]", partial(evaluate_all, one, x))
    dtype("or one of one, as [f]", lambda: evaluate_all(abs, x))
    dtype("numbers in place of functions", lambda: evaluate_all(range(16**12), x))
    for act in (evaluate, evaluate_all):
        dtype("the function comes first, as Server.evaluate(f, x)", partial(act, x))
        refused(bootes.ArgumentError, 'the values of x themselves are "(x)"', partial(act, "x", x))
    assert client.decrypt(evaluate("(x)", x)).tolist() == [1, 2]
    dtype("input number 2 is of type ndarray", lambda: evaluate("x*w", x, np.array([3, 4])))
    assert client.decrypt(x * np.array([3, 4])).tolist() == [3, 8]
    takes: list[Any] = [server.compress, client.decrypt]
    for act in takes:
        dtype("it is what Client.encrypt or a server gave", partial(act, 3))
    with pytest.raises(AttributeError, match=r"take server\.relu\("):
        # As bootes.relu, which types know not to be there.
        _ = getattr(bootes, "relu")  # noqa: B009


def test_tables_of_other_lengths(fhew: Pair) -> None:
    """Say how many entries there are, and how many are expected, before they are read."""
    client, server, _ = fhew
    x = client.encrypt([1, 2])
    argument = partial(refused, bootes.ArgumentError)
    words = "a table of 17 entries: expected 16, one for each of 0 to 15; take the first 16, f[:16]"
    argument(words, lambda: server.evaluate(list(range(17)), x))
    argument(words, lambda: server.run("T(x)", x=x, tables={"T": list(range(17))}))
    for table in (list(range(17))[:16], {v: v for v in range(17)}, lambda v: v):
        assert client.decrypt(server.evaluate(table, x)).tolist() == [1, 2]
    argument("a table of 15 entries: expected 16", lambda: server.evaluate([0] * 15, x))
    tracemalloc.start()
    for length in (10**6, 16**12, 10**30):
        argument("expected 16, one for each", partial(server.evaluate, range(length), x))
        whole = client.encrypt([1, 2], integers=3)
        argument(
            "expected 2^20 at most" if length > 10**6 else "entries",
            partial(server.evaluate, range(length + 2**20), whole),
        )
    zeros = np.lib.stride_tricks.as_strided(np.zeros(1, np.int8), (10**6, 10**6), (0, 0))
    argument("factors of shape [1000000, 1000000] beside shape [2]", lambda: x * zeros)
    argument("constants of shape [1000000, 1000000]", lambda: x + zeros)
    argument("a matrix for 1000000 values beside 2", lambda: zeros @ x)
    assert tracemalloc.get_traced_memory()[1] < 1 << 24
    tracemalloc.stop()


def test_values_of_other_types(each: Pair, integers: Pair) -> None:
    """Say what was given, and take truths in objects, and nothing."""
    client = each.client
    encrypt: Any = client.encrypt
    dtype = partial(refused, bootes.DtypeError)
    dtype("np.frombuffer(x, np.uint8)", lambda: encrypt(b"\1\2"))
    assert client.decrypt(encrypt(np.frombuffer(b"\1\2", np.uint8))).tolist() == [1, 2]
    for one in ({"a": 1}, {1}, iter([1])):
        dtype(f"of type {type(one).__name__}, expected integers: take list(x)", partial(encrypt, one))
    dtype("number 1 is None (NoneType)", lambda: encrypt([1, None]))
    for truths in ([True, False], [1, False]):
        assert client.decrypt(encrypt(np.array(truths, object))).tolist() == [1, 0]
    dtype("of type NoneType, expected integers: give a number", lambda: encrypt(None))
    found = integers.client.encrypt_frame({"a": np.array([True, False], object)})
    assert integers.client.decrypt_frame(found)["a"].tolist() == [True, False]
    assert repr(bootes.to_arrow([])) == "<bootes.Column of 0 int64>"


def test_long_numbers_are_told_by_their_length(fhew: Pair) -> None:
    """Keep lines short, and tell the ranges that there are."""
    client, server, _ = fhew
    x = client.encrypt([1, 2])
    far = 10**5000
    for act in (lambda: x + far, lambda: x * -far, lambda: x + np.array([far, 1])):
        found = refused(bootes.ArgumentError, "expected -2^63 to 2^63 - 1", act)
        assert len(str(found)) < 120
    refused(bootes.ArgumentError, "constants: 9223372036854775808, expected", lambda: x + 2**63)
    within: Any = (-far, 5)
    refused(bootes.ArgumentError, "as within=(0, 7)", lambda: client.encrypt([1], integers=3, within=within))
    cases: list[tuple[Any, Any]] = [({"a": [far]}, {}), ({"a": [1]}, {"within": {"a": within}})]
    for table, options in cases:
        found = refused(bootes.ArgumentError, "bits", partial(client.encrypt_frame, table, **options))
        assert len(str(found)) < 200
    for text in ("0x10 + x", "x + 1_000", "1e3 + x"):
        refused(bootes.ArgumentError, "as 16 in place of 0x10", partial(server.run, text, x=x))
    assert client.decrypt(server.run("16 + x", x=x)).tolist() == [1, 2]


def test_operations_are_told_as_they_are_written(fhew: Pair, ckks: Pair) -> None:
    """Name no part that nobody wrote."""
    x, y = fhew.client.encrypt([1, 2]), ckks.client.encrypt([1, 2])
    for text, part in [("shr(x, -1)", "shr(x, -1) is of"), ("select(x, 1, -x)", "select(x, 1, -x) is of")]:
        refused(bootes.ArgumentError, part, partial(fhew.server.run, text, x=x))
    for text, part in [
        ("-x/2", "(-x)/2 is of"),
        ("x % -3", "x % -3 is of"),
        ("max(x + 1, -x)", "max(x + 1, -x) is"),
    ]:
        refused(bootes.ArgumentError, part, partial(ckks.server.run, text, x=y))


def test_slots_without_tables() -> None:
    """Name parameters that have functions where slots have neither these nor tables."""
    client = bootes.Client("slots_65536_depth_1")
    x: Any = client.encrypt([1, 2])
    for act in (
        lambda: x < 3,
        lambda: x % 2,
        lambda: x / 2,
        lambda: abs(x),
        lambda: 2**x,
        lambda: divmod(x, 2),
    ):
        refused(bootes.DtypeError, "a client of modulus=65536 has functions", act)
    assert bootes.Params(modulus=65536).engine == "fhew"


def test_images_are_in_steps_of_what_they_are_beside(integers: Pair) -> None:
    """Refuse columns of other steps, whatever a table adds to one of them."""
    client, server, _ = integers
    table = {"age": [20, 90], "spent": [30.0, 22.25], "visits": [3, 4]}
    frame = client.encrypt_frame(table, steps={"spent": 0.25}, within={"visits": (0, 9)})
    tables = {"bonus": lambda visits: visits}
    for text in [
        "spent + bonus(visits) + age",
        "spent + bonus(visits) > age",
        "max(spent, bonus(visits)) + age",
    ]:
        refused(bootes.ArgumentError, "step", partial(server.run, text, frame, tables=tables))
    found = client.decrypt_frame(server.run("p = spent + bonus(visits)", frame, tables=tables))
    assert found["p"].tolist() == [30.75, 23.25]
    assert client.decrypt_frame(server.run("q = bonus(visits) + age", frame, tables=tables))[
        "q"
    ].tolist() == [23, 94]


def test_names_stay_in_one_line(integers: Pair) -> None:
    """Write names that would break a line as Python does, and long ones in part."""
    client, server, _ = integers
    frame = client.encrypt_frame({"a\nb": [1], "c": ["x\ny"]})
    calls: list[Callable[[], object]] = [
        partial(server.run, "q", frame),
        partial(frame.code, "c", "q"),
        partial(client.encrypt_frame, {"a\nb": [1]}, steps={"q": 1}),
    ]
    for call in calls:
        with pytest.raises(bootes.Error) as caught:
            call()
        assert "\n" not in str(caught.value)
    assert "\n" not in repr(frame)


def test_what_is_no_vector_of_integers(integers: Pair) -> None:
    """Say so of ranges beyond memory, of what is missing, and of arrays in the place of frames."""
    client, server, _ = integers
    for numbers in (range(10**18), range(10**30)):
        refused(bootes.ArgumentError, "a range of more than 2^32 numbers", partial(client.encrypt, numbers))
    for values in (np.array([1.0, np.nan]), np.array(["NaT", "2020-01-05"], "M8[D]")):
        refused(
            bootes.DtypeError,
            "fill or drop first what is missing",
            partial(client.encrypt, values, integers=64),
        )
    words = "take Client.encrypt_frame, or arrays by name, as Server.run(text, x=x)"
    x = client.encrypt([1, 2], integers=6)
    # An array where types have a frame.
    refused(bootes.DtypeError, words, lambda: server.run("x + 1", x))  # type: ignore[call-overload]
    assert client.decrypt(server.run("x + 1", x=x)).tolist() == [2, 3]
