"""Steps of columns: compared, carried to results; rows of frames; sums of columns with a sign."""

from __future__ import annotations

import pickle
import re
from typing import TYPE_CHECKING, Any

import bootes
import numpy as np
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Pair

TABLE: dict[str, Any] = {
    "x": [10.0, 3.0, 8.0],
    "y": [9.0, 4.5, 8.0],
    "n": [1, 2, 3],
    "flag": [True, False, True],
    "town": ["a", "b", "a"],
}
STEPS = {"x": 1, "y": 0.1}


def test_columns_of_other_steps_are_refused(integers: Pair) -> None:
    """Refuse to add, compare and choose from them, and say what does."""
    client, server, _ = integers
    frame = client.encrypt_frame(TABLE, steps=STEPS)
    several = frame.assign(w=frame["y"] + 0).as_numbers(w=0.2)
    refused = [
        "x > y", "x == y", "x + y", "x - y", "max(x, y)", "min(y, x)", "select(flag, x, y)", "2*x >= 10*y",
        "x % y", "n < y", "select(town == 1, 2*x + 1, -y)", "z = y + 1; z < x", "flag*x - y",
    ]  # fmt: skip
    message = ""
    for text in refused:
        for call in (server.run, server.plan):
            with pytest.raises(bootes.ArgumentError, match=r"in steps of .* beside .* in steps of") as caught:
                call(text, frame)
            message = str(caught.value)
            assert "\n" not in message
    assert message == (
        "flag, x in steps of 1 beside y in steps of 0.1: encrypt them with one step, "
        "steps={'x': 0.1, 'y': 0.1}"
    )
    # What it advises.
    advised = eval(re.search(r"steps=(.*)$", message)[1])  # type: ignore[index]  # it is there
    again = client.encrypt_frame({name: TABLE[name] for name in "xy"}, steps=advised)
    found = client.decrypt_frame(server.run("x > y", again))
    assert found["x > y"].tolist() == [1, 0, 0]
    # Products are of other steps than their columns: a table says nothing.
    with pytest.raises(bootes.ArgumentError, match=r"0.1 beside y in steps of 0.01: .* by a table"):
        server.run("y*y > y", frame)
    square = server.run("f(y*y) > y", frame.assign(y=(frame["y"])).as_numbers(y=0.1), tables={"f": abs})
    assert square.names == ["f(y*y) > y"]
    with pytest.raises(bootes.ArgumentError, match=r"w in steps of 0.2 beside y in steps of 0.1"):
        server.run("w + y", several)


def test_results_have_their_steps(integers: Pair) -> None:
    """Give numbers of what is in steps, through selections, factors and sums; integers of what counts."""
    client, server, _ = integers
    frame = client.encrypt_frame(TABLE, steps=STEPS)
    x, y, n, flag = (np.array(TABLE[name]) for name in ("x", "y", "n", "flag"))
    texts = {
        "select(y > 85, y, 0)": np.where(y > 8.5, y, 0),
        "3*y + 1": 3 * y + 0.1,
        "flag*y": flag * y,
        "y/2": np.floor(y * 5) / 10,
        "max(y, 50)": np.maximum(y, 5),
        "abs(-y)": y,
        "shl(y, 1)": 2 * y,
        "(y > 85) + flag": (y > 8.5) + flag.astype(int),
        "n*n": n * n,
        "x + n": x + n,
        "town == 1": np.array([0, 1, 0]),
        "y/y": np.ones(3),
    }
    for text, expected in texts.items():
        found = client.decrypt_frame(server.run(text, frame))[text]
        np.testing.assert_allclose(found, expected, err_msg=text)
        kind = "f" if "y" in text and text not in ("(y > 85) + flag", "y/y") else "i"
        assert found.dtype.kind == ("b" if text == "town == 1" else kind), text
    # And on, and in sums.
    first = server.run("spent = select(flag, y, 0); hit = y > 85", frame)
    second = server.run("spent*hit", first)
    np.testing.assert_allclose(client.decrypt_frame(second)["spent*hit"], flag * y * (y > 8.5))
    sums = server.sum(pickle.loads(pickle.dumps(first)))
    np.testing.assert_allclose(client.decrypt_frame(sums)["spent"], [(flag * y).sum()])
    assert client.decrypt_frame(sums)["hit"].tolist() == [1]
    # Of tables and of arrays nobody knows it: they go with all, in steps of these, and are integers alone.
    tables = {"f": lambda v: v // 10}
    beside = server.run("f(y) + x", frame, tables=tables)
    assert client.decrypt_frame(beside)["f(y) + x"].tolist() == [19, 7, 16]
    unknown = server.run("f(y)", frame, tables=tables)
    assert client.decrypt_frame(unknown)["f(y)"].tolist() == np.floor(y).astype(int).tolist()
    assert (
        client.decrypt_frame(unknown.as_numbers(**{"f(y)": 0.5}))["f(y)"].tolist()
        == (np.floor(y) / 2).tolist()
    )
    limit = client.encrypt_frame({"limit": [9, 9, 9]})["limit"]
    assert client.decrypt_frame(server.run("x > limit", frame, limit=limit))["x > limit"].tolist() == [
        1,
        0,
        0,
    ]
    assert unknown.steps("f(y)", 3) == 3


def test_rows_of_frames(integers: Pair) -> None:
    """Take and join rows, with public columns; what is no index is refused."""
    client = integers.client
    table = {"n": [1, 2, 3, 4, 5, 6], "k": list("abcabc"), "p": list("xyzxyz")}
    frame = client.encrypt_frame(table, public=["p"])
    n = np.array(table["n"])
    first = frame[:4]
    assert (len(first), first.public["p"].tolist()) == (4, list("xyzx"))
    assert client.decrypt_frame(first)["n"].tolist() == [1, 2, 3, 4]
    assert len(frame.head()) == 5
    assert len(frame.head(2)) == 2
    assert list(frame) == ["n", "k"]
    indexes: list[Any] = [n > 3, [0, 2], np.array([5, 0]), slice(None, None, 2)]
    for index in indexes:
        found = client.decrypt_frame(frame[index])
        assert found["n"].tolist() == n[index].tolist()
        assert found["p"].tolist() == np.array(table["p"])[index].tolist()
    assert client.decrypt_frame(frame[(n > 3).tolist()])["n"].tolist() == [4, 5, 6]
    both = bootes.concatenate([first, frame[4:]])
    plain = client.decrypt_frame(pickle.loads(pickle.dumps(both)))
    assert {name: values.tolist() for name, values in plain.items()} == table
    # Ciphertexts of many values are taken whole.
    many = bootes.Client("toy_batch_9bit")
    frame = many.encrypt_frame({"n": np.arange(1500) % 8, "p": np.arange(1500)}, public="p")
    assert many.decrypt_frame(frame[1024:])["p"].tolist() == list(range(1024, 1500))
    halves: list[bootes.Frame] = [frame[:1024], frame[1024:]]
    joined = many.decrypt_frame(bootes.concatenate(halves))
    assert (joined["n"] == joined["p"] % 8).all()
    with pytest.raises(bootes.ArgumentError, match="starts at a multiple of 1024"):
        frame.head()
    other = integers.client.encrypt_frame({"m": [1]})
    frame = integers.client.encrypt_frame({"m": ["a", "b"]})
    whole: Any = frame

    def put() -> None:
        whole["m"] = frame["m"]

    encrypt: Any = integers.client.encrypt_frame
    pair, labels = encrypt({"m": [1, 2]}), np.array([None, 1])
    cases: list[tuple[type[Exception], str, Callable[[], object]]] = [
        (bootes.DtypeError, r"\+ on a frame: .*Server.run\('m > 3', frame\)", lambda: whole + 1),
        (bootes.DtypeError, "a comparison on a frame", lambda: whole > 1),
        (bootes.DtypeError, "- on a frame", lambda: -whole),
        (bootes.DtypeError, r"as frame.assign\(m=", put),
        (bootes.DtypeError, r"frame\[1.5\], expected the name", lambda: frame[1.5]),
        (bootes.DtypeError, "expected the name", lambda: frame["m", 1]),
        (bootes.DtypeError, "expected numbers of rows", lambda: frame["m":"n"]),
        (bootes.DtypeError, "steps= of type list", lambda: encrypt({"a": [1]}, steps=["a"])),
        (bootes.DtypeError, "public= of type int", lambda: encrypt({"a": [1]}, public=3)),
        (bootes.DtypeError, "take frame.schema", lambda: encrypt({"m": ["a"]}, schema=frame)),
        (bootes.DtypeError, "room= of type str", lambda: encrypt({"a": [1]}, room="a")),
        (bootes.DtypeError, "by= has labels", lambda: integers.server.sum(pair, by=labels)),
        (bootes.DtypeError, r"rows by int, .*take frame\[i : i", lambda: frame[0]),
        (bootes.DtypeError, "rows by Encrypted, .*mask its values", lambda: frame[frame["m"]]),
        (bootes.ArgumentError, "3 truths for 2 rows", lambda: frame[[True, False, True]]),
        (bootes.ArgumentError, "'m' holds something else", lambda: bootes.concatenate([frame, other])),
        (
            bootes.DtypeError,
            "frames, and one of type Encrypted",
            lambda: bootes.concatenate([frame, frame["m"]]),
        ),
        (bootes.DtypeError, "is a Frame, expected", lambda: bootes.concatenate([frame["m"], frame])),
        (bootes.DtypeError, "is a Frame, expected", lambda: integers.server.relu(frame)),  # type: ignore[arg-type]  # on purpose
        (bootes.DtypeError, "arrays of type int", lambda: bootes.concatenate(3)),  # type: ignore[call-overload]  # on purpose
        (
            bootes.ArgumentError,
            r"frame.code\('town', 'Ulm'\)",
            lambda: integers.server.run("m == 'a'", frame),
        ),
    ]
    for kind, words, call in cases:
        with pytest.raises(kind, match=words) as refused:
            call()
        assert "\n" not in str(refused.value)


def test_plans_of_frames(integers: Pair) -> None:
    """Plan what run does: of a frame, and of arrays by name, with tables."""
    client, server, _ = integers
    frame = client.encrypt_frame(TABLE, steps=STEPS)
    tables = {"f": lambda v: v % 3}
    plan = server.plan("high = x > 3; f(n)", frame, tables=tables)
    assert plan.seconds(100) > 0
    assert plan.memory(100) > 1000
    assert "select" in str(server.plan("select(x > m, x, n)", x=frame["x"], m=frame["n"], n=frame["n"]))
    cases: list[tuple[str, Callable[[], object]]] = [
        ("beside what is no expression", lambda: server.plan([0, 1], frame)),
        ("beside other arguments", lambda: server.plan("x + 1", frame, out_bits=3)),
        ("beside other arguments", lambda: server.plan("x + m", frame["x"], m=frame["n"])),
        ("column 'z' is absent", lambda: server.plan("z + 1", frame)),
    ]
    for words, call in cases:
        with pytest.raises(bootes.ArgumentError, match=words):
            call()


def test_tables_with_a_name_twice(integers: Pair) -> None:
    """Refuse them, of whatever they are."""
    for name in ("pandas", "pyarrow"):
        try:
            module: Any = __import__(name)
        except ImportError:
            continue
        values = [[1, 2], [3, 4]]
        twice = module.DataFrame(values, columns=["a", "a"]) if name == "pandas" else None
        if twice is None:
            twice = module.Table.from_arrays([module.array(v) for v in values], names=["a", "a"])
        with pytest.raises(bootes.ArgumentError, match="two columns are called 'a'"):
            integers.client.encrypt_frame(twice)


def test_sums_of_columns_with_a_sign(integers: Pair) -> None:
    """Give the client as few parts as 16 bits have room for: of columns and masks, in all and by groups."""
    client, server, _ = integers
    random = np.random.default_rng(0)
    for low, high in ((-500, 500), (-3, 200), (-8000, 8000), (-200, 3), (0, 500)):
        for rows in (20, 100, 300):
            w, groups = random.integers(low, high + 1, rows), random.integers(0, 3, rows)
            frame = client.encrypt_frame({"w": w}, within={"w": (low, high)})
            masked = frame.assign(m=server.run("m = select(w > 0, w, 0)", frame)["m"])
            for by in (None, groups):
                sums = server.sum(masked, by=by)
                plain = client.decrypt_frame(sums)
                for name, values in (("w", w), ("m", np.where(w > 0, w, 0))):
                    expected = [values.sum()] if by is None else [values[groups == k].sum() for k in range(3)]
                    assert plain[name].tolist() == expected
                    _, numbers = sums.columns[name]
                    for k, count in enumerate([rows] if by is None else np.bincount(groups)):
                        span = int(count) * (max(high, 0) - min(low, 0))
                        assert (numbers == k).sum() <= -(-span // (1 << 16)), (name, low, high, rows)


def test_numbers_of_any_length_in_steps(integers: Pair) -> None:
    """Give as many steps as expressions have room for, and refuse more in one line."""
    frame = integers.client.encrypt_frame(TABLE, steps=STEPS)
    assert frame.steps("x", 10**30) == 10**30
    for number in (10**400, -(10**5000)):
        with pytest.raises(
            bootes.ArgumentError, match=r"^a number of \d+ bits for column 'y', .* 112 at most"
        ) as caught:
            frame.steps("y", number)
        assert "\n" not in str(caught.value)
