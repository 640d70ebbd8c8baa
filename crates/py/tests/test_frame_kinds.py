"""What columns and results stand for: answers, categories, arrays, and what a step of each is."""

from __future__ import annotations

import pickle
import re
from functools import partial
from typing import TYPE_CHECKING, Any

import bootes
import numpy as np
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Pair


def refused(words: str, *calls: Callable[[], object]) -> str:
    """Give the refusal, of one line, of all of these."""
    message = ""
    for call in calls:
        with pytest.raises(bootes.ArgumentError, match=words) as caught:
            call()
        message = str(caught.value)
        assert "\n" not in message
    return message


def test_integers_of_0_and_1_are_integers(integers: Pair) -> None:
    """Give them a step of 1, whatever is in them."""
    client, server, _ = integers
    for k in ([1], [2]):
        frame = client.encrypt_frame({"x": [70.0], "k": k}, steps={"x": 0.5})
        for text in ("x + k", "x - k", "min(x, k)", "x > k", "select(k, x, k)"):
            refused("in steps of .* beside .* in steps of", partial(server.run, text, frame))
        frame = client.encrypt_frame({"x": [70.0], "k": k}, steps={"x": 0.5, "k": 0.5})
        found = client.decrypt_frame(server.run("x + k; x - k; m = min(x, k)", frame))
        assert [found[name].tolist() for name in found] == [[70.0 + k[0]], [70.0 - k[0]], [k[0]]]
    frame = client.encrypt_frame({"x": [70.0, 3.0], "k": [1, 0]}, steps={"x": 0.5})
    assert client.decrypt_frame(server.run("k*x", frame))["k*x"].tolist() == [70, 0]


def test_answers_beside_steps(integers: Pair) -> None:
    """Refuse a sum of 0 or 1 and of steps, and say what does; the same in one run and in two."""
    client, server, _ = integers
    table = {"x": [2.0, 3.0], "n": [1, 2], "flag": [True, False]}
    frame = client.encrypt_frame(table, steps={"x": 0.5})
    staged = server.run(
        "hit = n > 1; two = 2*(n > 1); x; flag; hits = (n > 1) + flag; no = not(n > 1)", frame
    )
    for text, alone in (
        ("x + (n > 1)", "x + hit"),
        ("x - not(n > 1)", "x - no"),
        ("max(x, n > 1)", "max(x, hit)"),
        ("x > (n == 2)", "x > hit"),
        ("select(flag, x, n > 1)", "select(flag, x, hit)"),
        ("x + flag", "x + flag"),
        ("x + ((n > 1) + flag)", "x + hits"),
        ("x % flag", "x % flag"),
    ):
        words = (
            "0 or 1 of .*beside|beside 0 or 1 of|beside a count of n, flag: say how|beside hits in steps of 1"
        )
        refused(words, partial(server.run, text, frame), partial(server.run, alone, staged))
    message = refused("0 or 1", lambda: server.run("x + (n > 1)", frame))
    assert message == "x in steps of 0.5 beside 0 or 1 of n: say how many steps an answer is, as 2*(…)"
    for text, expected in (
        ("x + 2*(n > 1)", [2.0, 4.0]),
        ("x + select(n > 1, 2, 0)", [2.0, 4.0]),
        ("x + 2*(n > 1) + 2*flag", [3.0, 4.0]),
        ("x*(n > 1)", [0.0, 3.0]),
        ("x*flag*not(n > 1)", [2.0, 0.0]),
        ("select(and(flag, n < 2), x, 2)", [2.0, 1.0]),
    ):
        assert client.decrypt_frame(server.run(text, frame))[text].tolist() == expected
    assert client.decrypt_frame(server.run("x + two", staged))["x + two"].tolist() == [2.0, 4.0]
    assert client.decrypt_frame(server.run("n + (n > 1)", frame))["n + (n > 1)"].tolist() == [1, 3]


def test_answers_are_booleans(integers: Pair) -> None:
    """Decrypt what is known to be an answer as truths, which choose rows."""
    client, server, _ = integers
    frame = client.encrypt_frame({"n": [1, 2, 3], "flag": [True, False, True]})
    texts = {
        "n > 1": [False, True, True],
        "n != 2": [True, False, True],
        "not(n > 1)": [True, False, False],
        "(n > 1)*flag": [False, False, True],
        "and(n > 1, flag)": [False, False, True],
        "or(n == 2, flag)": [True, True, True],
        "xor(n > 2, flag)": [True, False, False],
        "select(flag, n > 1, 0)": [False, False, True],
        "min(flag, n > 1)": [False, False, True],
        "flag": [True, False, True],
        "sign(n - 2)": [True, False, False],
    }
    found = client.decrypt_frame(server.run("; ".join(texts), frame))
    for name, expected in texts.items():
        assert found[name].dtype == np.bool_, name
        assert found[name].tolist() == expected, name
    rows = client.decrypt_frame(frame[found["n > 1"]])
    assert rows["n"].tolist() == [2, 3]
    numbers = client.decrypt_frame(server.run("(n > 1) + flag; 2*(n > 1); select(n > 1, 1, 0); 1 - n", frame))
    assert all(values.dtype == np.int64 for values in numbers.values())
    assert numbers["(n > 1) + flag"].tolist() == [1, 1, 2]
    # Of arrays, too.
    both = frame.assign(s=server.run("n > 2", n=frame["n"]), less=server.less(frame["n"], frame["n"]))
    assert client.decrypt_frame(both)["s"].tolist() == [False, False, True]
    assert client.decrypt_frame(both)["less"].dtype == bool
    assert client.decrypt_frame(server.sum(both, "s"))["s"].tolist() == [1]


def test_categories_are_compared_and_chosen(integers: Pair) -> None:
    """Refuse to count with them; those of two lists are not compared."""
    client, server, _ = integers
    table = {"town": ["b", "a", "c"], "home": ["b", "c", "a"], "other": ["c", "d", "e"], "x": [1.5, 2, 3]}
    frame = client.encrypt_frame({**table, "flag": [True, False, True]}, steps={"x": 0.5})
    for text in (
        "x + town",
        "town + 1",
        "2*town",
        "x*town",
        "town/2",
        "abs(town)",
        "select(town, x, 0)",
        "-town",
    ):
        message = refused("town has categories", partial(server.run, text, frame))
    assert message == (
        "town has categories, which are compared and chosen alone: take conditions, as "
        "f\"town == {frame.code('town', …)}\", or a table, as f(town)"
    )
    for text in ("town == other", "select(flag, town, other)", "town < x"):
        refused("has categories", partial(server.run, text, frame))
    assert "make both of one list" in refused("has cat", lambda: server.run("town == other", frame))
    found = client.decrypt_frame(
        server.run("town == home; select(flag, town, home); max(town, 1); town < 2", frame)
    )
    assert found["town == home"].tolist() == [True, False, False]
    assert found["select(flag, town, home)"].tolist() == ["b", "c", "c"]
    assert found["max(town, 1)"].tolist() == ["b", "b", "c"]
    staged = server.run("t = select(flag, town, 0); x", frame)
    refused("t has categories", lambda: server.run("x + t", staged))
    beyond = server.run("t = select(flag, town, 7)", frame)
    words = "column 't' has 7 in row 1, and 3 categories: choose from"
    refused(words, lambda: client.decrypt_frame(beyond))
    codes = client.encrypt_frame({"code": [1, 1, 1]})["code"]
    assert client.decrypt_frame(server.run("town == code", frame, code=codes))["town == code"].tolist() == [
        True,
        False,
        False,
    ]
    table_of = server.run("f(town) + x", frame, tables={"f": [1, 2, 3]})
    assert client.decrypt_frame(table_of)["f(town) + x"].tolist() == [2.5, 2.5, 4.5]


def test_arrays_of_frames_keep_their_steps(integers: Pair) -> None:
    """Carry steps from a frame to what is given by name, through slices, files and other frames."""
    client, server, _ = integers
    table = {"my price": [9.0, 7.0], "his price": [8.5, 6.75], "n": [8, 8], "town": ["a", "b"]}
    frame = client.encrypt_frame(table, steps={"my price": 0.5, "his price": 0.25})
    mine, his = frame["my price"], frame["his price"]
    kept: list[Any] = [
        mine,
        mine[:],
        mine.reshape(2, 1).reshape(2),
        pickle.loads(pickle.dumps(mine)),
        bootes.concatenate([mine[:1], mine[1:]]),
        frame.assign(m=mine)["m"],
        server.run("x", x=mine),
    ]
    for x in kept:
        words = r"in steps of 0.5 beside y in steps of 0.25|in steps of 0.25 beside x in steps of 0.5"
        refused(words, partial(server.run, "x > y", frame, x=x, y=his))
        calls = (partial(call, "x > y", x=x, y=his) for call in (server.run, server.plan))
        refused("in steps of", *calls)
    table = {name: table[name] for name in ("my price", "his price")}
    frame = client.encrypt_frame(table, steps=dict.fromkeys(table, 0.25))
    found = server.run("x > y; x - y", frame, x=frame["my price"], y=frame["his price"])
    assert client.decrypt_frame(found)["x > y"].tolist() == [True, True]
    assert client.decrypt_frame(found)["x - y"].tolist() == [0.5, 0.25]
    # Those that nobody knows go with integers, and else are refused until somebody says it.
    frame = client.encrypt_frame({"x": [2.0, 3.0], "n": [1, 2]}, steps={"x": 0.5})
    limit = client.encrypt([5, 5], integers=8)
    assert client.decrypt_frame(server.run("n > limit", frame, limit=limit))["n > limit"].tolist() == [0, 0]
    message = refused("nobody has said", lambda: server.run("x > 2*limit", frame, limit=limit))
    assert message == (
        "limit in steps that nobody has said beside x in steps of 0.5: say it, as "
        "frame.assign(limit=limit).as_numbers(limit=0.5)"
    )
    advised = eval(re.search(r"frame\..*$", message)[0])  # type: ignore[index]  # it is there
    assert client.decrypt_frame(server.run("x > limit", advised))["x > limit"].tolist() == [False, True]
    for call in (
        lambda: frame.as_numbers(x=0.25),
        lambda: frame.as_numbers(n=0.25),
        lambda: server.sum(frame).as_numbers(n=0.5),
    ):
        refused("is in steps of .*, which is known: leave it out", call)
    flags = client.encrypt_frame({"flag": [True], "town": ["a"]})
    refused("'flag' holds booleans, which is known", lambda: flags.as_numbers(flag=2))
    refused("'town' holds categories", lambda: flags.as_numbers(town=2))
    assert frame.as_numbers(x=0.5).schema == frame.schema


def test_a_private_limit_has_a_step(integers: Pair) -> None:
    """Compare with a constant that is encrypted in steps."""
    client, server, _ = integers
    frame = client.encrypt_frame({"income": [50.5, 30.0]}, steps={"income": 0.5})
    limit = client.encrypt_frame({"limit": [40.0] * 2}, steps={"limit": 0.5}, within={"limit": (0, 100)})
    found = server.run("rich = income > limit", frame, limit=limit["limit"])
    assert client.decrypt_frame(found)["rich"].tolist() == [True, False]
    limit = client.encrypt_frame({"limit": [40] * 2}, within={"limit": (0, 100)})
    words = "limit in steps of 1 beside income in steps of 0.5: encrypt them with one step"
    refused(words, lambda: server.run("income > limit", frame, limit=limit["limit"]))


def test_names_of_results(integers: Pair) -> None:
    """Refuse two results of one name, and those that hide a public column, before anything is evaluated."""
    client, server, _ = integers
    frame = client.encrypt_frame({"age": [1, 2], "town": ["a", "b"]}, public=["town"])
    heard: list[float] = []
    for text in ("score = 3*age; score", "age+1; age+1"):
        calls: list[Callable[[], object]] = [
            partial(server.run, text, frame, progress=heard.append),
            partial(server.plan, text, frame),
            partial(server.plan, text, frame["age"]),
            partial(server.evaluate_all, text, frame["age"]),
            partial(server.evaluate_all, text, frame["age"], tables={}),
        ]
        refused(r"another result: one before is called or written so", *calls)
    refused(
        "column 'town' is public, and another of its name would hide it",
        lambda: server.run("town = age > 1", frame, progress=heard.append),
        lambda: server.plan("town = age > 1", frame),
        lambda: frame.assign(town=frame["age"]),
    )
    assert not heard
    by = client.encrypt_frame({"by": [1, 2], "n": [1, 2]})
    message = refused("a column to sum is called 'by', as labels", lambda: server.sum(by, by=[1, 1]))
    assert "columns=" in message
    assert client.decrypt_frame(server.sum(by, columns="n", by=[1, 1]))["by"].tolist() == [1]
    renamed = server.run("other = by", by)
    assert client.decrypt_frame(server.sum(renamed, by=[1, 1]))["other"].tolist() == [3]


def test_decimals_are_exact(integers: Pair) -> None:
    """Give the decimals that were encrypted."""
    client = integers.client
    cents = np.arange(-150, 350)
    for step, values in ((0.01, cents / 100), (0.1, cents / 10), (0.3, 3 * cents / 10), (0.05, cents / 20)):
        frame = client.encrypt_frame({"x": values}, steps={"x": step})
        assert client.decrypt_frame(frame)["x"].tolist() == values.tolist()
    thirds = cents / 3
    frame = client.encrypt_frame({"x": thirds}, steps={"x": 1 / 3})
    assert client.decrypt_frame(frame)["x"].tolist() == thirds.tolist()
    frame = client.encrypt_frame({"x": [100, 2500]}, steps={"x": 100})
    assert client.decrypt_frame(frame)["x"].tolist() == [100.0, 2500.0]


def test_progress_of_frames(integers: Pair) -> None:
    """Tell how far expressions and sums are."""
    client, server, _ = integers
    frame = client.encrypt_frame({"n": np.arange(60), "m": np.arange(60)})
    calls: list[Callable[[Callable[[float], object]], object]] = [
        lambda hears: server.run("n*m", frame, progress=hears),
        lambda hears: server.run("n*m", n=frame["n"], m=frame["m"], progress=hears),
        lambda hears: server.sum(frame, progress=hears),
    ]
    for call in calls:
        heard: list[float] = []
        call(heard.append)
        assert heard == sorted(heard)
        assert heard[-1] == 1
    with pytest.raises(bootes.ArgumentError, match="progress is no function"):
        server.sum(frame, progress=3)  # type: ignore[arg-type]  # on purpose


def test_pickles_have_a_version(integers: Pair) -> None:
    """Refuse frames that another version has written."""
    frame = integers.client.encrypt_frame({"n": [1, 2]})
    wholes: list[Any] = [frame, integers.server.sum(frame)]
    for whole in wholes:
        state = whole.__getstate__()
        assert "version" in state
        for other in ({**state, "version": 1}, {name: state[name] for name in state if name != "version"}):
            with pytest.raises(bootes.DataError, match=r"version (1|None), and this package reads 2"):
                object.__new__(type(whole)).__setstate__(other)


class Nullable(list[Any]):
    """A mask as pandas has it, where truths may be missing."""

    def isna(self) -> list[bool]:
        """Give which of them are missing."""
        return [one is None for one in self]


def test_masks_of_every_kind(integers: Pair) -> None:
    """Take truths of objects, and no rows; refuse what is missing, and what selects no columns."""
    client = integers.client
    frame = client.encrypt_frame({"n": [1, 2, 3], "m": [4, 5, 6]})
    masks: list[Any] = [
        np.array([True, False, True], object),
        Nullable([True, False, True]),
        np.array([np.True_, np.False_, np.True_], object),
    ]
    for mask in masks:
        assert client.decrypt_frame(frame[mask])["n"].tolist() == [1, 3]
    nothing: list[Any] = [np.array([], int), np.zeros(3, bool), slice(0, 0)]
    for none in nothing:
        assert client.decrypt_frame(frame[none])["n"].tolist() == []
    cases: list[tuple[str, Any]] = [
        (r"frame\[\[\]\]: expected one column at least, or no rows, as frame\[:0\]", []),
        ("0 truths for 3 rows: expected one for each", np.array([], bool)),
        ("some of which are missing: fill them, as mask.fillna", Nullable([True, None, True])),
        ("some of which are missing: say False", [True, None, False]),
        ("some of which are missing: say False", np.array([True, None, False], object)),
        (r"rows by an array of shape \(3, 2\): expected one axis", np.ones((3, 2), bool)),
    ]
    for words, index in cases:
        refused(words, partial(frame.__getitem__, index))
    with pytest.raises(bootes.DtypeError, match="of float: expected names of columns, numbers of rows, or"):
        frame[[1.0, 2.0]]
    assert len(frame[:0]) == 0


def test_frames_that_do_not_fit_each_other(integers: Pair) -> None:
    """Name the column, and schema=; frames are not compared."""
    of = integers.client.encrypt_frame
    first = of({"n": [1, 2], "t": [1, 2]}, public=["t"])
    cases: list[tuple[str, list[bootes.Frame]]] = [
        (
            "column 'n' may have 0 to 3, 0 to 127 in these frames: .*schema=",
            [of({"n": [1, 2]}), of({"n": [99]})],
        ),
        ("column 'n' has another room in each: .*schema=", [of({"n": [1]}, room=6), of({"n": [1]}, room=8)]),
        ("column 't' is public in one frame, and absent in another: .*schema=", [first, of({"n": [1]})]),
        ("column 't' is absent in one frame, and public in another", [of({"n": [1]}), first]),
        ("column 't' is public in one frame, and encrypted in another", [first, of({"n": [1], "t": [1]})]),
    ]
    for words, frames in cases:
        refused(words, partial(bootes.concatenate, frames))
    more = of({"n": [3], "t": [1]}, schema=first.schema)
    assert integers.client.decrypt_frame(bootes.concatenate([first, more]))["n"].tolist() == [1, 2, 3]
    whole: Any = first
    compared: list[Callable[[], object]] = [
        lambda: whole == 3,
        lambda: whole != first,
        lambda: first == whole,
    ]
    for compare in compared:
        with pytest.raises(bootes.DtypeError, match="a comparison on a frame"):
            compare()
    with pytest.raises(TypeError, match="unhashable"):
        hash(whole)


def test_what_is_too_large(integers: Pair) -> None:
    """Refuse in one line what no integer holds, and options that no set has."""
    encrypt, far = integers.client.encrypt_frame, "steps beyond 64 bits: expected a larger step"
    cases: list[tuple[str, Any, dict[str, Any]]] = [
        (rf"'b' has integers from 0 to {2**64}, expected 64 bits: ", [0, 2**64], {}),
        (rf"'b' has integers from -1 to {2**63}, expected 64 bits: ", [2**63, -1], {}),
        (far, [2**63, -1], {"steps": {"b": 1}}),
        (far, [5], {"steps": {"b": 1e-19}}),
        (far, [5.0], {"steps": {"b": 1e-320}}),
        (r"within= of column 'b' is \(0, 1e\+300\), in steps of 1", [5], {"within": {"b": (0, 1e300)}}),
        (
            "in steps of 0.1: expected a range of 64 bits at most",
            [5.0],
            {"within": {"b": (0, 1e300)}, "steps": {"b": 0.1}},
        ),
        ("expected .least, largest", [5], {"within": {"b": (0, 10**400)}}),
        (f"room=-1: expected a number of bits, from 1 to {bootes.MAX_WIDTH}", [1], {"room": -1}),
        ("room=0: expected", [1], {"room": 0}),
        (f"room={2**70}: expected", [1], {"room": 2**70}),
    ]
    for words, values, options in cases:
        refused(words, partial(encrypt, {"b": values}, **options))
    for names in ([0], [("a", "b")], [None]):
        with pytest.raises(bootes.DtypeError, match=r"a column is called .*: expected texts, as of "):
            encrypt({names[0]: [1]})
    exact = encrypt({"b": [0.7]}, steps={"b": 0.1}, within={"b": (0.3, 1.1)})
    assert (exact.schema.fields["b"].low, exact.schema.fields["b"].high) == (3, 11)


def test_clients_of_what_no_set_holds(tmp_path: Path) -> None:
    """Refuse them where they are made or loaded, not where they encrypt."""
    path = tmp_path / "client.key"
    client = bootes.Client("toy_int16")
    client.save(path)
    client.public_key().save(tmp_path / "public.key")
    cases: list[tuple[str, dict[str, Any]]] = [
        ("integers=65, expected 1 to 64", {"integers": 65}),
        ("integers=0, expected 1 to 64", {"integers": 0}),
        ("modulus=1, expected 2 to 2\\^20", {"modulus": 1}),
        ("bits=0, expected 1 to 20", {"bits": 0}),
    ]
    for words, options in cases:
        calls: list[Callable[[], object]] = [
            partial(bootes.Client, "toy_int16", **options),
            partial(bootes.Client.load, path, **options),
            partial(bootes.PublicKey.load, tmp_path / "public.key", **options),
        ]
        refused(words, *calls)
    refused("integers=0, expected 1 to 64", partial(bootes.Client, integers=0))
