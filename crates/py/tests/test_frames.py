"""Encrypted tables by columns, beside the same in the clear."""

from __future__ import annotations

import ctypes
import doctest
import pickle
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bootes
import numpy as np
import pytest
from bootes import _arrow
from conftest import refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Pair

TABLE: dict[str, Any] = {
    "age": [36, 41, 75, 22],
    "income": [50.5, 70.0, 30.0, 12.25],
    "town": ["Bonn", "Ulm", "Bonn", "Kleinkleckersdorf"],
    "member": [True, False, True, True],
}


@pytest.fixture(scope="module")
def many() -> tuple[bootes.Client, bootes.Server]:
    """Give integers of 8 bits, many at once."""
    client = bootes.Client("toy_batch_9bit")
    return client, bootes.Server(client.server_key())


def tables() -> list[Any]:
    """Give the table as whatever there is to hold one."""
    found: list[Any] = [TABLE, {name: np.array(values) for name, values in TABLE.items()}]
    for name in ["pandas", "polars", "pyarrow"]:
        try:
            module: Any = __import__(name)
        except ImportError:
            continue
        if name == "pandas":
            pandas = module.DataFrame(TABLE)
            found += [pandas, pandas.astype({"town": "category", "age": "Int64", "member": "boolean"})]
        elif name == "polars":
            polars = module.DataFrame(TABLE)
            found += [polars, polars.with_columns(module.col("town").cast(module.Categorical))]
            found += [module.concat([polars[:1], polars[1:]], rechunk=False), dict(polars.to_dict())]
        else:
            whole = module.table(TABLE)
            towns = [part["town"].combine_chunks().dictionary_encode() for part in (whole[:1], whole[1:])]
            coded = whole.set_column(2, "town", module.chunked_array(towns))
            found += [whole, coded, whole.to_batches()[0]]
            large = whole.set_column(2, "town", whole["town"].cast(module.large_string()))
            found += [module.concat_tables([large[1:], large[1:]])[2:], large]
    return found


class ArrowTable:
    """A table of Arrow made by hand, as of libraries that need not be there: all formats, from row 1 on."""

    def __init__(self) -> None:
        self.kept: list[Any] = []
        bits, four = np.packbits([0, 1, 1, 1], bitorder="little"), np.arange(4)
        ends, text = np.array([0, 0, 4, 7, 11], np.int32), np.frombuffer(b"BonnUlmBonn", np.uint8)
        views = np.zeros((4, 4), np.int32)
        for i, word in enumerate([b"", b"Bonn", b"Kleinkleckersdorf", b"Bonn"]):
            views[i, 0] = len(word)
            views[i].view(np.uint8)[4 : 4 + len(word[:12])] = np.frombuffer(word[:12], np.uint8)
        views[2, 1:] = (0, 0, 3)
        long = np.frombuffer(b"...Kleinkleckersdorf", np.uint8)
        words = self.column(b"u", [None, np.array([0, 4, 7], np.int32), np.frombuffer(b"BonnUlm", np.uint8)])
        words[1].length = 2
        self.children = {
            "int": self.column(b"l", [bits, four * 10]),
            "small": self.column(b"C", [None, four.astype(np.uint8)]),
            "float": self.column(b"f", [None, four.astype(np.float32) / 2]),
            "truth": self.column(b"b", [None, np.packbits([0, 1, 0, 1], bitorder="little")]),
            "text": self.column(b"u", [None, ends, text]),
            "long": self.column(b"U", [None, ends.astype(np.int64), text]),
            "view": self.column(b"vu", [None, views, long]),
            "kind": self.column(b"c", [None, np.array([9, 1, 0, 1], np.int8)], words),
        }

    def column(self, form: bytes, buffers: list[Any], words: Any = None) -> tuple[Any, Any]:
        """Make a schema and an array."""
        schema, array = (
            _arrow._Schema(format=form),
            _arrow._Array(length=4, null_count=int(buffers[0] is not None)),
        )
        pointers = [None if buffer is None else buffer.ctypes.data for buffer in buffers]
        array.buffers, array.n_buffers = (ctypes.c_void_p * len(pointers))(*pointers), len(pointers)
        if words is not None:
            schema.dictionary, array.dictionary = (ctypes.pointer(one) for one in words)
        self.kept += [buffers, schema, array, words]
        return schema, array

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        """Give the rows from 1 on."""
        schema, array = self.column(b"+s", [None])
        array.length, array.offset = 3, 1
        for name, (of_schema, _) in self.children.items():
            of_schema.name = name.encode()
        for held, side in ((schema, 0), (array, 1)):
            pointers = [ctypes.pointer(child[side]) for child in self.children.values()]
            held.children, held.n_children = (type(pointers[0]) * len(pointers))(*pointers), len(pointers)
        names = (_arrow._SCHEMA_NAME, _arrow._ARRAY_NAME)
        release = (_arrow._free_schema, _arrow._free_array)
        return tuple(map(_arrow._capsule, (schema, array), names, release))  # type: ignore[return-value]  # two capsules


def test_arrow_by_hand(integers: Pair) -> None:
    """Read each format of Arrow's, with an offset and what is missing outside of it."""
    frame = integers.client.encrypt_frame(ArrowTable(), steps={"float": 0.5})
    found = {name: values.tolist() for name, values in integers.client.decrypt_frame(frame).items()}
    assert found == {
        "int": [10, 20, 30],
        "small": [1, 2, 3],
        "float": [0.5, 1.0, 1.5],
        "truth": [True, False, True],
        "text": ["Bonn", "Ulm", "Bonn"],
        "long": ["Bonn", "Ulm", "Bonn"],
        "view": ["Bonn", "Kleinkleckersdorf", "Bonn"],
        "kind": ["Ulm", "Bonn", "Ulm"],
    }
    table = ArrowTable()
    bits = np.packbits([1, 1, 0, 1], bitorder="little")
    table.children["int"][1].buffers[0] = bits.ctypes.data
    with pytest.raises(bootes.ArgumentError, match="'int': 1 value is missing, first in row 1"):
        integers.client.encrypt_frame(table, steps={"float": 0.5})


def test_tables_of_every_kind(integers: Pair, many: tuple[bootes.Client, bootes.Server]) -> None:
    """Take all of them, and give the columns back."""
    for table in tables():
        for client in (integers.client, many[0]):
            frame = pickle.loads(pickle.dumps(client.encrypt_frame(table, steps={"income": 0.5})))
            rows = len(frame)
            assert frame.names == list(TABLE)
            expected = {name: np.array(values)[-rows:] for name, values in TABLE.items()}
            found = client.decrypt_frame(frame)
            for name in ("age", "town", "member"):
                np.testing.assert_array_equal(found[name][-1:], expected[name][-1:])
                assert found[name].dtype.kind == expected[name].dtype.kind
            np.testing.assert_array_equal(found["income"][-1:], [12.0])
            kinds = {name: (f.kind, f.low, f.high) for name, f in frame.schema.fields.items()}
            assert kinds["member"] == ("boolean", 0, 1)
            assert kinds["income"][0] == "number"
            assert kinds["town"][0] == "category"
    town = integers.client.encrypt_frame(TABLE, steps={"income": 1})
    assert [town.code("town", name) for name in TABLE["town"]] == [0, 2, 0, 1]


def test_expressions_and_sums(integers: Pair, many: tuple[bootes.Client, bootes.Server]) -> None:
    """Score, mask and add up, by a public column and in all, with both engines."""
    random = np.random.default_rng(0)
    for client, server, rows in [(*integers[:2], 9), (*many, 1030)]:
        table = {
            "age": random.integers(18, 80, rows),
            "income": random.integers(0, 100, rows),
            "town": random.choice(["Bonn", "Kiel", "Ulm"], rows),
        }
        age, income, town = table.values()
        frame = client.encrypt_frame(table, public=["town"])
        text = "score = 3*age + f(income); hit = age > 40; select(hit, income, 0)"
        found = server.run(text, frame, tables={"f": lambda x: x // 10})
        assert found.names == ["score", "hit", "select(hit, income, 0)"]
        plain = client.decrypt_frame(found)
        masked = np.where(age > 40, income, 0)
        np.testing.assert_array_equal(plain["score"], 3 * age + income // 10)
        np.testing.assert_array_equal(plain["hit"], age > 40)
        np.testing.assert_array_equal(plain["select(hit, income, 0)"], masked)
        both = frame.assign(masked=found["select(hit, income, 0)"], hit=found["hit"])
        sums = pickle.loads(pickle.dumps(server.sum(both, ["masked", "hit"], by="town")))
        totals = client.decrypt_frame(sums)
        np.testing.assert_array_equal(totals["town"], np.unique(town))
        for i, name in enumerate(np.unique(town)):
            there = town == name
            assert totals["masked"][i] == masked[there].sum()
            assert totals["hit"][i] == (age > 40)[there].sum()
            assert sums.rows[i] == there.sum()
        whole = client.decrypt_frame(server.sum(both, by=np.zeros(rows)))
        assert (whole["age"][0], whole["masked"][0]) == (age.sum(), masked.sum())
        assert client.decrypt_frame(
            server.sum(both.assign(masked=both["masked"] + 0).as_numbers(masked=0.5), "masked")
        )["masked"][0] == (masked.sum() / 2)
        # One value is added up by the server where its engine does, and else by the client.
        assert {len(x) for x, _ in server.sum(both).columns.values()} == {1 if rows < 100 else rows}
    other = integers.server.run(
        "x + age", frame := integers.client.encrypt_frame({"age": [1, 2]}), x=frame["age"]
    )
    np.testing.assert_array_equal(integers.client.decrypt_frame(other)["x + age"], [2, 4])


def test_sums_without_room_are_parts(integers: Pair) -> None:
    """Add up as many as there is room for, and leave the rest to the client."""
    x = np.arange(20) * 3276
    sums = integers.server.sum(integers.client.encrypt_frame({"x": x}))
    assert 1 < len(sums.columns["x"][0]) < 20
    assert integers.client.decrypt_frame(sums)["x"][0] == x.sum()


def test_each_column_is_added_up_by_its_own_range(integers: Pair) -> None:
    """Add up short columns where all have room for a wide one, so that a value has several ciphertexts."""
    client, server, _ = integers
    ends = [(0, 3), (0, 600), (0, 5000), (-5, 10), (-300, 300), (-5000, 4000), (60_000, 65_535), (-5, -5)]
    rows = 6
    for wide in (2**17 - 1, 2**20 - 1, 2**40):
        table = {"wide": [wide, *range(rows - 1)]}
        table |= {f"x{i}": [low, high, high, low, high, high] for i, (low, high) in enumerate(ends)}
        within = {f"x{i}": one for i, one in enumerate(ends)}
        frame = client.encrypt_frame(table, within=within, steps={"x2": 1})
        sums = server.sum(frame)
        # Two of the longest have 17 bits.
        assert [len(sums.columns[name][0]) for name in table] == [rows, 1, 1, 1, 1, 1, 1, 3, 1], wide
        assert "wide in 6 (not added up), x0 in 1, x1 in 1" in repr(sums)
        found = client.decrypt_frame(sums)
        assert {name: found[name].tolist() for name in table} == {name: [sum(table[name])] for name in table}
    # By labels, of masks, and where nothing is to add.
    masks = server.run("few = select(x2 > 10, x2, 0)", frame)
    sums = server.sum(masks.assign(x3=frame["x3"]), by=[0, 1, 1, 0, 0, 2])
    assert [len(x) for x, _ in sums.columns.values()] == [3, 3]
    assert "not added" not in repr(sums)
    found = client.decrypt_frame(sums)
    assert [found[name].tolist() for name in ("few", "x3")] == [[5000, 10_000, 5000], [0, 20, 10]]
    assert "not added" not in repr(server.sum(frame, by=range(rows)))


def test_no_rows_and_long_integers(integers: Pair) -> None:
    """Take frames without rows, and integers of two ciphertexts, which the client adds up."""
    client, server, _ = integers
    none = client.encrypt_frame({"x": [], "town": []}, public=["town"])
    assert client.decrypt_frame(none)["x"].tolist() == []
    assert client.decrypt_frame(server.sum(none))["x"].tolist() == [0]
    assert client.decrypt_frame(server.sum(none, by="town"))["x"].tolist() == []
    x = np.arange(9) * 100_000
    frame = client.encrypt_frame({"x": x})
    assert client.decrypt_frame(server.sum(frame))["x"].tolist() == [x.sum()]
    found = client.decrypt_frame(server.run("high = x > 300000", frame))
    np.testing.assert_array_equal(found["high"], x > 300000)
    # Negative ones take the bits of their complement.
    assert client.encrypt_frame({"x": [-8]}).schema.fields["x"].low == -8
    # As much room as there is.
    x = np.array([2**45 + 3, -7, 2**40])
    frame = client.encrypt_frame({"x": x}, room=bootes.MAX_WIDTH)
    assert frame.schema.room == bootes.MAX_WIDTH
    found = client.decrypt_frame(server.run("y = x + x; low = x < 5", frame))
    np.testing.assert_array_equal(found["y"], 2 * x)
    np.testing.assert_array_equal(found["low"], x < 5)
    with pytest.raises(bootes.ArgumentError, match=f"from 1 to {bootes.MAX_WIDTH}"):
        client.encrypt_frame({"x": x}, room=bootes.MAX_WIDTH + 1)


def test_anybody_encrypts_frames(integers: Pair) -> None:
    """Encrypt with a public key, alike."""
    frame = integers.client.encrypt_frame(TABLE, steps={"income": 0.25}, public=["town"])
    more = integers.client.public_key().encrypt_frame(TABLE, schema=frame.schema)
    for name, column in integers.client.decrypt_frame(more).items():
        np.testing.assert_array_equal(column, TABLE[name])
    assert (more.key_id, more.schema) == (frame.key_id, frame.schema)
    assert bootes.concatenate([frame["age"], more["age"]]).shape == (8,)


def test_refusals(integers: Pair, fhew: Pair) -> None:
    """Say in one line which column it is, and what to do."""
    client, server, _ = integers
    good = {"age": [1, 2, 3], "town": ["a", "b", "a"]}
    frame = client.encrypt_frame(good)
    other = bootes.Client("toy_int16").encrypt_frame(good)
    of = client.encrypt_frame
    plain: Any = good
    days = np.array(["2024-02-29", "2025-01-01"], "datetime64[D]")
    argument, dtype, mismatch = bootes.ArgumentError, bootes.DtypeError, bootes.MismatchError
    cases: list[tuple[type[Exception], str, Callable[[], object]]] = [
        (argument, "'b': 2 values are missing, first in row 1: fill", lambda: of({"b": [1, None, np.nan]})),
        (argument, "'b': 1 value is missing, first in row 1", lambda: of({"b": [2.0, np.nan]})),
        (argument, "'b': 1 value is missing", lambda: of({"b": np.ma.masked_equal([1, 2], 2)})),
        (argument, "'b': 1 value is missing", lambda: of({"b": ["x", None]})),
        (argument, "'b': 1 value is missing", lambda: of({"a": [1, 2], "b": ["x", None]}, public=["b"])),
        (argument, "inf in row 1, expected finite", lambda: of({"b": [0.5, np.inf]}, steps={"b": 1})),
        (dtype, r"has floats, .* as steps={'b': 0.1}", lambda: of({"b": [0.5, 20.25]})),
        (dtype, "'b' of dtype complex128, expected", lambda: of({"b": [1j]})),
        (dtype, r"datetime64\[D\], .*: count days from one, as \(dates - np.d", lambda: of({"b": days})),
        (dtype, "'b' of dtype timedelta64.*: count units", lambda: of({"b": days - days})),
        (dtype, "'b' of dtype object, with a date, .*: count days", lambda: of({"b": days.tolist()})),
        (dtype, "'b' of dtype object, with a list", lambda: of({"b": np.array([[1], [1, 2]], object)})),
        (argument, r"'b' of shape \(1, 2\): expected one axis", lambda: of({"b": [[1, 2]]})),
        (argument, "'b' has 2 values, and column 'a' 3", lambda: of({"a": [1, 2, 3], "b": [1, 2]})),
        (argument, "without columns", lambda: of({})),
        (dtype, "a table of type int", lambda: of(3)),
        (argument, "'c' of public= is absent: the table has age, town", lambda: of(good, public=["c"])),
        (argument, "'c' of steps= is absent", lambda: of(good, steps={"c": 1})),
        (argument, "'c' of within= is absent", lambda: of(good, within={"c": (0, 1)})),
        (argument, "within= of column 'town', which holds", lambda: of(good, within={"town": (0, 1)})),
        (argument, "steps= of column 'town', which holds", lambda: of(good, steps={"town": 1})),
        (argument, r"is \(3, 1\): expected \(least, largest\)", lambda: of(good, within={"age": (3, 1)})),
        (argument, "a step of 0 for column 'age'", lambda: of(good, steps={"age": 0})),
        (argument, "'age': 3 in row 2, expected 0 to 2: clip", lambda: of(good, within={"age": (0, 2)})),
        (argument, "all columns are public", lambda: of(good, public=["age", "town"])),
        (argument, "a schema and other options", lambda: of(good, room=9, schema=frame.schema)),
        (
            argument,
            "column 'town' is absent: the table has age",
            lambda: of({"age": [1]}, schema=frame.schema),
        ),
        (
            argument,
            "'x' is not in the schema: leave it out",
            lambda: of({**good, "x": [1, 2, 3]}, schema=frame.schema),
        ),
        (
            argument,
            "'town': 2 values are of no category of the schema, first 'c' in row 1: expected a, b",
            lambda: of({**good, "town": ["a", "c", "c"]}, schema=frame.schema),
        ),
        (
            dtype,
            "'town' holds integers, and the schema has categories",
            lambda: of({**good, "town": [1, 2, 3]}, schema=frame.schema),
        ),
        (argument, "'age': 9 in row 0", lambda: of({**good, "age": [9, 1, 1]}, schema=frame.schema)),
        (
            argument,
            "column 'age': integers of 64 bits, and parameter set toy_4 holds those of 1 to 48",
            lambda: fhew.client.encrypt_frame({"age": np.array([1 << 63], np.uint64)}),
        ),
        (argument, "'height' is absent: the frame has age, town", lambda: server.run("age + height", frame)),
        (argument, "'height' is absent", lambda: frame[["age", "height"]]),
        (argument, "y= is not in the expression", lambda: server.run("age + 1", frame, y=frame["age"])),
        (dtype, "a frame of type dict, expected a Frame", lambda: server.run("age + 1", plain)),
        (mismatch, "another key", lambda: server.run("age + 1", other)),
        (mismatch, "'s rows|of another client", lambda: server.sum(other)),
        (mismatch, "town= is of another client", lambda: frame.assign(town=other["town"])),
        (argument, r"of shape \(2,\): expected \(3,\)", lambda: frame.assign(x=frame["age"][:2])),
        (dtype, "x= is of type dict, expected an encrypted", lambda: frame.assign(x=plain)),
        (argument, "'town' holds categories, which have no sum", lambda: server.sum(frame)),
        (argument, "by='town' is encrypted", lambda: server.sum(frame, "age", by="town")),
        (argument, "by='x' is absent", lambda: server.sum(frame, "age", by="x")),
        (argument, r"by= of shape \(2,\): expected \(3,\)", lambda: server.sum(frame, "age", by=[1, 2])),
        (
            argument,
            r"by=\['town', 'age'\] has names of columns, expected one, as by='town'",
            lambda: server.sum(frame, "age", by=["town", "age"]),
        ),
        (argument, "1 value is missing, first in row 1", lambda: of({"b": ["x", float("nan")]})),
        (
            argument,
            "1 value is missing, first in row 0",
            lambda: of({"a": [1, 2], "b": [np.nan, "x"]}, public=["b"]),
        ),
        (dtype, "'b' has texts, and 1 in row 0: make all", lambda: of({"b": [1, "x"]})),
        (
            dtype,
            "'b' has texts, and True in row 1",
            lambda: of({"a": [1, 2], "b": ["no", True]}, public=["b"]),
        ),
        (dtype, "'b' has texts, and 2 in row 1", lambda: of({"b": np.array(["x", 2], object)})),
        (argument, "character 9: expected a whole number, without", lambda: server.run("age > 60.5", frame)),
        (argument, "'town' holds categories, which have no steps: take", lambda: frame.steps("town", 1)),
        (argument, "1.5 is no multiple of 1, the step of column 'age'", lambda: frame.steps("age", 1.5)),
        (argument, "nan for column 'age': expected a finite", lambda: frame.steps("age", np.nan)),
        (dtype, "'1' for column 'age': expected a number", lambda: frame.steps("age", "1")),  # type: ignore[arg-type]  # on purpose
        (argument, "no category 'c': expected a, b", lambda: frame.code("town", "c")),
        (dtype, "expected a Frame or Sums", lambda: client.decrypt_frame(plain)),
        (mismatch, "another key", lambda: client.decrypt_frame(other)),
    ]
    for kind, words, call in cases:
        with pytest.raises(kind, match=words) as refused:
            call()
        assert "\n" not in str(refused.value)
    # What the refusal of floats advises.
    client.encrypt_frame({"b": [0.5, 20.25]}, steps={"b": 0.1})


def test_numbers_in_steps(integers: Pair) -> None:
    """Count steps of decimals exactly."""
    frame = integers.client.encrypt_frame({"x": [0.1, 0.7], "n": [1, 2]}, steps={"x": 0.1})
    assert [frame.steps("x", number) for number in (0.3, 0.7, -0.7, 2, np.float32(1.1))] == [3, 7, -7, 20, 11]
    assert frame.steps("n", 1 << 60) == 1 << 60
    above = integers.server.run(f"above = x > {frame.steps('x', 0.3)}", frame)
    assert integers.client.decrypt_frame(above)["above"].tolist() == [0, 1]
    assert frame.assign(n=frame["n"] + 0).as_numbers(n=1 / 3).steps("n", 1) == 3
    # Labels that are called as columns, in an array.
    sums = integers.server.sum(frame, "n", by=np.array(["x", "n"]))
    assert integers.client.decrypt_frame(sums)["n"].tolist() == [2, 1]


def test_the_page_of_the_guide() -> None:
    """Run its examples."""
    page = Path(__file__).parents[3] / "docs/guide/frames.md"
    as_wrapped = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    found = doctest.testfile(str(page), module_relative=False, optionflags=as_wrapped)
    assert (found.failed, found.attempted >= 20) == (0, True)


def test_whole_numbers_and_texts_that_numpy_would_change(integers: Pair) -> None:
    """Give whole numbers that no float holds as integers, and refuse texts whose end NumPy leaves out."""
    client, server, _ = integers
    frame = client.encrypt_frame({"a": [2**53, 1]}, steps={"a": 1})
    assert client.decrypt_frame(server.sum(frame))["a"] == 2**53 + 1
    tables: list[dict[str, Any]] = [{"t": ["x", "x\0"]}, {"t": np.array(["x\0", "y"], object)}]
    for table in tables:
        refused(bootes.ArgumentError, "ends with the character 0", partial(client.encrypt_frame, table))
    names: dict[Any, Any] = {3: [1]}
    cure = "{str(name): x for name, x in columns.items()}"
    refused(bootes.DtypeError, cure, lambda: client.encrypt_frame(names))
