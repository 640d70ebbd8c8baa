"""Arrays in and out, and what is done with them, beside plain NumPy."""

from __future__ import annotations

import errno
import io
import os
import pickle
import re
import stat
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

import bootes
import hypothesis.extra.numpy as hnp
import numpy as np
import numpy.typing as npt
import pytest
from conftest import refused
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Pair

Array = npt.NDArray[Any]

INTEGERS = [np.dtype(order + kind + size) for order in "<>" for kind in "iu" for size in "1248"]
FEW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def layouts(a: Array) -> list[Array]:
    """Give the same values in other layouts."""
    doubled = np.repeat(a, 2, axis=-1)[..., ::2] if a.ndim else a
    read_only = a.copy()
    read_only.flags.writeable = False
    return [a, np.asfortranarray(a), doubled, read_only, a[::-1][::-1] if a.ndim else a]


def arrays(modulus: int) -> st.SearchStrategy[Array]:
    """Give arrays of all types of integers and all shapes."""
    shapes = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)
    values = st.integers(0, min(modulus, 128) - 1)
    found: st.SearchStrategy[Array] = st.sampled_from(INTEGERS).flatmap(
        lambda dtype: hnp.arrays(dtype, shapes, elements=values)
    )
    return found.flatmap(lambda a: st.sampled_from(layouts(a)))


@FEW
@given(x=arrays(16))
def test_arrays_come_back_as_they_were(fhew: Pair, x: Array) -> None:
    """Keep values and shape."""
    encrypted = fhew.client.encrypt(x)
    assert (encrypted.shape, encrypted.size, encrypted.ndim) == (x.shape, x.size, x.ndim)
    found = fhew.client.decrypt(encrypted)
    assert found.dtype == np.int64
    np.testing.assert_array_equal(found, x)
    if x.ndim:
        assert len(encrypted) == len(x)


@FEW
@given(x=hnp.arrays(np.int64, (3, 4), elements=st.integers(0, 15)), c=st.integers(-40, 40))
def test_sums_are_those_of_numpy(fhew: Pair, x: Array, c: int) -> None:
    """Add, subtract and multiply modulo 16."""
    e, decrypt = fhew.client.encrypt(x), fhew.client.decrypt
    row = np.arange(4)
    for found, expected in [
        (e + e, x + x),
        (e - e[::-1], x - x[::-1]),
        (e + c, x + c),
        (c - e, c - x),
        (row + e, row + x),
        (e - row, x - row),
        (-e, -x),
        (e * 3, x * 3),
        (np.int16(-2) * e, -2 * x),
    ]:
        np.testing.assert_array_equal(decrypt(found), expected % 16)


@FEW
@given(data=st.data())
def test_indexes_are_those_of_numpy(fhew: Pair, data: st.DataObject) -> None:
    """Cut and pick as NumPy does."""
    x = np.arange(24).reshape(2, 3, 4) % 16
    index = data.draw(hnp.basic_indices(x.shape, allow_newaxis=True))
    found = fhew.client.encrypt(x)[index]
    assert found.shape == x[index].shape
    np.testing.assert_array_equal(fhew.client.decrypt(found), x[index])


def test_arrays_are_indexes(fhew: Pair) -> None:
    """Pick by numbers and truths."""
    x = np.arange(12).reshape(3, 4)
    e = fhew.client.encrypt(x)
    indexes: list[Any] = [[2, 0, 0], (np.array([1, 2]), 3), x > 6, ..., (..., None, -1)]
    for index in indexes:
        np.testing.assert_array_equal(fhew.client.decrypt(e[index]), x[index])
    with pytest.raises(IndexError):
        e.__getitem__(3)


def test_matrices(fhew: Pair, ckks: Pair) -> None:
    """Multiply by matrices from both sides."""
    x, a = np.arange(6).reshape(2, 3), np.array([[1, -1], [0, 2], [3, 1]])
    e, decrypt = fhew.client.encrypt(x), fhew.client.decrypt
    for found, expected in [
        (a @ e, a @ x),
        (e @ a, x @ a),
        (e[1] @ a, x[1] @ a),
        (a.T @ e[0], a.T @ x[0]),
        ([1, 2, 3] @ e[1], np.array([1, 2, 3]) @ x[1]),
        (e @ [1, 2, 3], x @ [1, 2, 3]),
    ]:
        assert found.shape == expected.shape
        np.testing.assert_array_equal(decrypt(found), expected % 16)
    # A matrix across vectors is there with every engine.
    n = ckks.client.params.capacity
    x = np.arange(2 * n).reshape(2, n) % 16
    np.testing.assert_array_equal(ckks.client.decrypt(a @ ckks.client.encrypt(x)), a @ x % 16)
    with pytest.raises(bootes.UnsupportedError):
        ckks.client.encrypt(x[0]).__matmul__(np.ones((n, 1), np.int64))


def test_minus_one_is_the_largest_residue(fhew: Pair, ckks: Pair, bfv: Pair) -> None:
    """Take negative residues where a modulus is said, or vectors have one, as the command does."""
    for client, p in ((fhew.client, 11), (ckks.client, 11), (bfv.client, 257)):
        x = client.encrypt([-1, 3, 1 - p], modulus=p)
        np.testing.assert_array_equal(client.decrypt(x), [p - 1, 3, 1])
        y = client.public_key().encrypt([-1], modulus=p)
        np.testing.assert_array_equal(client.decrypt(y), [p - 1])
        refused(bootes.ArgumentError, f"number 1 is {-p}", partial(client.encrypt, [0, -p], modulus=p))
    for client, p in ((bfv.client, 257), (bootes.Client("toy_4", modulus=11), 11)):
        np.testing.assert_array_equal(client.decrypt(client.encrypt([-1])), [p - 1])
    refused(bootes.ArgumentError, "value number 0 is -1", lambda: fhew.client.encrypt([-1]))


def test_pieces_are_put_together(each: Pair) -> None:
    """Concatenate as NumPy does."""
    n = each.client.params.capacity
    x = np.arange(2 * n) % each.modulus
    e = each.client.encrypt(x)
    both = bootes.concatenate([e[:n], e[n:]])
    np.testing.assert_array_equal(each.client.decrypt(both), x)
    rows = bootes.concatenate([e.reshape(2, n), e.reshape((2, -1))])
    assert rows.shape == (4, n)
    for wrong in [[], [e, e.reshape(2, n)], [e[0].reshape(())] if n == 1 else []]:
        with pytest.raises(bootes.ArgumentError):
            bootes.concatenate(wrong)


def test_files_and_pickles(each: Pair, tmp_path: Path) -> None:
    """Go to bytes, files and pickles, and back."""
    client, server, modulus = each
    x = np.arange(6).reshape(2, 3) % modulus
    e = client.encrypt(x)
    e.save(tmp_path / "x")
    client.save(tmp_path / "client")
    key = client.server_key()
    key.save(str(tmp_path / "key"))
    again = bootes.Client.load(tmp_path / "client")
    assert again.key_id == client.key_id == server.key_id == key.key_id == e.key_id
    for found in [
        bootes.Encrypted.load(tmp_path / "x", (2, 3)),
        bootes.Encrypted.from_bytes(e.to_bytes(), shape=[2, 3]),
        bootes.Encrypted.load(tmp_path / "x").reshape(2, 3),
        bootes.Encrypted.load(io.BytesIO(e.to_bytes()), (2, 3)),
        bootes.Encrypted.from_bytes(bytearray(e.to_bytes()), (2, 3)),
        pickle.loads(pickle.dumps(e)),
    ]:
        assert found.nbytes == len(e.to_bytes())
        np.testing.assert_array_equal(again.decrypt(found), x)
    for thing in (key, e):
        file = io.BytesIO()
        thing.save(file)
        assert file.getvalue() == thing.to_bytes()
    assert bootes.ServerKey.load(io.BytesIO(key.to_bytes())).key_id == client.key_id
    assert pickle.loads(pickle.dumps(key)).key_id == client.key_id
    assert pickle.loads(pickle.dumps(client.params)) == client.params
    with pytest.raises(TypeError):
        pickle.dumps(client)
    assert bootes.Client.from_bytes(client.export_secret_bytes()).key_id == client.key_id
    with pytest.raises(bootes.ArgumentError, match="7 values in shape"):
        bootes.Encrypted.load(tmp_path / "x", (7,))
    (tmp_path / "x").write_bytes(e.to_bytes()[:-1])
    with pytest.raises(bootes.DataError) as refused:
        bootes.Encrypted.load(tmp_path / "x")
    assert refused.value.filename == str(tmp_path / "x")


def test_files_take_no_other_place(fhew: Pair, tmp_path: Path) -> None:
    """Write through links, pipes and devices, and leave them what they are."""
    client = fhew.client
    e, file, link, pipe = client.encrypt([1, 2]), tmp_path / "file", tmp_path / "link", tmp_path / "pipe"
    os.mkfifo(pipe)
    things: list[tuple[Callable[[Path], None], bytes]] = [
        (thing.save, thing.to_bytes()) for thing in (e, client.public_key(), client.server_key())
    ]
    for save, expected in [*things, (client.save, client.export_secret_bytes())]:
        file.write_text("old")
        link.symlink_to("file")
        save(link)
        assert link.is_symlink()
        assert file.read_bytes() == expected
        link.unlink()
        with ThreadPoolExecutor() as pool:
            read = pool.submit(pipe.read_bytes)
            save(pipe)
        assert read.result() == expected
        assert pipe.is_fifo()
    # The keys are the owner's, and nothing else takes their place.
    assert file.stat().st_mode & 0o777 == 0o600
    refused(bootes.FileError, "it is a client key", lambda: e.save(file))
    assert bootes.Client.load(file).key_id == client.key_id
    other = tmp_path / "server.key"
    client.server_key().save(other)
    refused(bootes.FileError, "it is a key, which only keys replace", lambda: e.save(other))
    client.public_key().save(other)
    # What is full says so, as to any writer.
    full = tmp_path / "full"
    try:
        os.mknod(full, stat.S_IFCHR | 0o600, os.makedev(1, 7))
        full.open("ab").close()
    except OSError:
        return
    for save in (e.save, client.save):
        with pytest.raises(OSError, match="full") as found:
            save(full)
        assert found.value.errno == errno.ENOSPC
        assert full.is_char_device()


def test_reprs_have_no_secrets(each: Pair) -> None:
    """Say set, size and noise."""
    e = each.client.encrypt([1, 2])
    texts = [
        repr(thing) for thing in (each.client, each.server, e, each.client.params, each.client.server_key())
    ]
    assert all(each.client.params.name in text for text in texts)
    assert "(2,)" in texts[2]
    assert "noise budget" in texts[2]
    secret = each.client.export_secret_bytes()[-48:]
    assert all(secret[i : i + 4].hex() not in text for text in texts for i in range(0, 44, 4))


@FEW
@given(data=st.data())
def test_universal_functions_and_sums_are_those_of_numpy(fhew: Pair, data: st.DataObject) -> None:
    """Add, subtract, multiply and negate by NumPy's functions, and add up over each axis."""
    x = data.draw(hnp.arrays(np.int64, (2, 3, 2), elements=st.integers(0, 15)))
    # To NumPy's types it is no array.
    e: Any = fhew.client.encrypt(x)
    one: Any = fhew.client.encrypt(x[0, 0])
    row, decrypt = np.arange(2), fhew.client.decrypt
    found: list[tuple[Any, Array]] = [
        (np.add(e, 1), x + 1),
        (np.add(row, e), row + x),
        (np.subtract(3, e), 3 - x),
        (np.subtract(e, row), x - row),
        (np.multiply(-2, e), -2 * x),
        (np.negative(e), -x),
        (np.positive(e), x),
        (np.matmul(row, one), row @ x[0, 0]),
        (np.sum(e), np.sum(x)),
        (e.sum(), x.sum()),
        (fhew.client.encrypt(5).sum(), np.array(5)),
    ]
    found += [(e.sum(axis), x.sum(axis)) for axis in (-3, -2, -1, 0, 1, 2)]
    found += [(np.sum(e, axis=1), x.sum(axis=1)), (e[0].sum(axis=1), x[0].sum(axis=1))]
    for ours, theirs in found:
        assert ours.shape == theirs.shape
        np.testing.assert_array_equal(decrypt(ours), theirs % 16)


def test_what_numpy_cannot_do_with_encrypted_values(each: Pair) -> None:
    """Refuse in one line what would be an array of objects, or takes a key, and do what the line says."""
    e = each.client.encrypt([1, 2, 3])
    numpy: Any = np
    acts: list[tuple[str, Callable[[], object]]] = [
        ("bootes.concatenate", lambda: numpy.concatenate([e, e])),
        ("a @ x of an array a of numbers for np.dot", lambda: numpy.dot([1, 2, 3], e)),
        ("decrypt them first", lambda: numpy.asarray(e)),
        ("Server.evaluate(lambda x: x < c, x)", lambda: numpy.less(e, 1)),
        ("Server.evaluate(lambda x: x > c, x)", lambda: numpy.less(1, e)),
        ("Server.maximum(x, y)", lambda: numpy.maximum(e, 1)),
        ("lambda v: int(np.sqrt(v))", lambda: numpy.sqrt(e)),
        ("Server.run(", lambda: numpy.hypot(e, 1)),
        ("x.sum(axis=", lambda: numpy.add.reduce(e)),
        ("leave dtype= out", lambda: numpy.add(e, 1, dtype=np.int64)),
        ("write a = a + x", lambda: numpy.add(numpy.arange(3), e, out=numpy.arange(3))),
    ]
    for words, act in acts:
        with pytest.raises(bootes.DtypeError) as refused:
            act()
        assert words in str(refused.value)
        assert "\n" not in str(refused.value)
    root = each.server.evaluate(lambda v: int(np.sqrt(v)), e) if each.modulus == 16 else None
    if root is not None:
        np.testing.assert_array_equal(each.client.decrypt(root), [1, 1, 1])
    for index in (1.5, "a", 3, -4, (0, 0), [0.5]):
        with pytest.raises(IndexError):
            e[index]
    with pytest.raises(bootes.ArgumentError, match="axis=1, expected one of 1 axes: -1 to 0"):
        e.sum(axis=1)


def test_sums_of_engines_that_add_up_elsewhere(ckks: Pair, bfv: Pair) -> None:
    """Say where sums of values in one ciphertext are."""
    for some in (ckks, bfv):
        with pytest.raises(bootes.UnsupportedError) as refused:
            some.client.encrypt([1, 2, 3]).sum()
        assert "\n" not in str(refused.value)
    e = bfv.client.encrypt(np.arange(bfv.client.params.capacity) % 7)
    total = int(bfv.client.decrypt(bfv.server.run("sum(x)", x=e))[0])
    assert total == int((np.arange(bfv.client.params.capacity) % 7).sum()) % bfv.modulus


def test_integers_of_64_bits(integers: Pair) -> None:
    """Take and give arrays of ``uint64``, and Python's integers where neither type holds the range."""
    client, server, _ = integers
    x = np.array([2**64 - 1, 0, 2**63, 77], np.uint64)
    y = np.array([1, 2**64 - 1, 2**63 + 5, 78], np.uint64)
    e, f = (client.encrypt(column, integers=64, signed=False) for column in (x, y))
    found = client.decrypt(bootes.Encrypted.from_bytes(e.to_bytes()))
    assert found.dtype == np.uint64
    np.testing.assert_array_equal(found, x)
    total = client.decrypt(server.run("(x + y) % 2^64", x=e, y=f))
    assert total.dtype == np.uint64
    np.testing.assert_array_equal(total, x + y)
    difference = client.decrypt(server.run("x - y", x=e, y=f))
    assert difference.tolist() == [int(a) - int(b) for a, b in zip(x, y, strict=True)]
    small = client.decrypt(server.run("x < y", x=e, y=f))
    assert small.dtype == np.int64
    np.testing.assert_array_equal(small, x < y)


def test_sums_of_residues_wrap_and_those_of_integers_do_not(integers: Pair, fhew: Pair) -> None:
    """Tell which they are, of a set for integers and of another."""
    for (client, _, _), most in [(integers, 104), (fhew, 16)]:
        for modulus in (2, 13, 16, most):
            x = client.encrypt([modulus - 1], modulus=modulus)
            assert (x.modulus, x.range) == (modulus, (0, modulus - 1))
            assert client.decrypt(x + 1) == [0]
            assert client.decrypt(bootes.Encrypted.from_bytes((x + 1).to_bytes()) - x) == [1]
    x = integers.client.encrypt([103], integers=8)
    assert x.modulus is None
    assert integers.client.decrypt(x + 1) == [104]
    # What is chosen above 8 bits is a set for integers.
    assert [bootes.Params(bits=bits).bits for bits in (8, 9, 12)] == [8, 6, 6]
    assert [bootes.Params(modulus=modulus).bits for modulus in (256, 257)] == [8, 6]
    assert bootes.Params(bits=12, many=65536).bits == 12


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(modulus=st.sampled_from([10, 64, 100, 128, 777, 1024]), data=st.data())
def test_residues_are_residues(integers: Pair, modulus: int, data: st.DataObject) -> None:
    """Wrap in sums, products, tables and functions as numbers modulo p do, kept as integers or not."""
    client, server, _ = integers
    numbers = st.lists(st.integers(0, modulus - 1), min_size=3, max_size=3).map(np.array)
    a, b = data.draw(numbers), data.draw(numbers)
    x, y = client.encrypt(a, modulus=modulus), client.encrypt(b, modulus=modulus)
    difference = x - y
    for found, expected in [
        (difference, a - b),
        (x + y, a + b),
        (server.run("3*x - 5*y + 2", x=x, y=y), 3 * a - 5 * b + 2),
        (server.evaluate(lambda v: v * v % modulus, difference), (a - b) ** 2),
        (server.maximum(difference, y), np.maximum((a - b) % modulus, b)),
        (server.run("x + max(x, y)", x=x, y=y), a + np.maximum(a, b)),
    ]:
        np.testing.assert_array_equal(client.decrypt(found), expected % modulus)
    signed = client.decrypt(server.run("signed(x, 5)", x=difference))
    np.testing.assert_array_equal(signed, ((a - b) % modulus + 16) % 32 - 16)
    of_answer = server.run("f(x < y) + x", x=x, y=y, tables={"f": lambda v: 5 + 4 * v})
    np.testing.assert_array_equal(client.decrypt(of_answer), (5 + 4 * (a < b) + a) % modulus)
    few = np.array([3, 12, 0])
    short = client.encrypt(few, modulus=16)
    all_of = server.evaluate_all("f(s, s); x + 1", short, x, tables={"f": lambda v, w: (2 * v + w) % 16})
    np.testing.assert_array_equal(client.decrypt(all_of[0]), 3 * few % 16)


def test_integers_of_another_range_are_the_same(integers: Pair, fhew: Pair) -> None:
    """Take residues as integers that are congruent; refuse to change integers, with what does."""
    client, server, _ = integers
    x = fhew.client.encrypt([9, 3]).as_integers(-8, 7)
    np.testing.assert_array_equal(fhew.client.decrypt(x), [-7, 3])
    messages, signed = client.encrypt([4095, 5], bits=12), client.encrypt([100, 3], integers=8)
    for x, low, high, expected in [
        (messages, -2048, 2047, [-1, 5]),
        (client.encrypt([255, 5], bits=8), -128, 127, [-1, 5]),
        (client.encrypt([200, 5], integers=8, signed=False), -128, 127, [-56, 5]),
        (signed, 0, 3, [0, 3]),
    ]:
        words = "which do not wrap; take integers of that range"
        found = refused(bootes.ArgumentError, words, partial(x.as_integers, low, high))
        program = re.search(r'the program "(.*)" \(Server.run\(…, x=x\)\)', str(found))
        assert program
        y = server.run(program[1], x=x)
        np.testing.assert_array_equal(client.decrypt(y), expected)
        assert y.range == y.as_integers(low, high).range == (low, high)
        np.testing.assert_array_equal(client.decrypt(server.sign(y)), np.less(expected, 0))
    wider = signed.as_integers(-200, 200)
    assert wider.range == (-200, 200)
    np.testing.assert_array_equal(client.decrypt(wider), [100, 3])


def test_rows_of_unlike_lengths(integers: Pair) -> None:
    """Refuse them in one line, as values and as entries of tables."""
    client, server, _ = integers
    x = client.encrypt([1, 2], integers=8)
    for act in (
        lambda: client.encrypt([[1, 2], [3]], integers=8),
        lambda: server.evaluate([[1, 2], [3]], x),
        lambda: client.encrypt_frame({"x": [[1, 2], [3]]}),
    ):
        with pytest.raises(bootes.ArgumentError, match=r"^[^\n]*(unlike lengths|one axis)[^\n]*$"):
            act()


def test_functions_of_any_number_of_values(integers: Pair) -> None:
    """Take one value or more, as Python's."""
    client, server, _ = integers
    x, y = client.encrypt([1, 6, 3], integers=8), client.encrypt([5, 2, 3], integers=8)
    for text, expected in [
        ("max(x, y, 4)", [5, 6, 4]),
        ("min(x, 2, y) + max(x)", [2, 8, 5]),
        ("sum(x, y, 1)", [7, 9, 7]),
        ("xor(x, y, 1)", [5, 5, 1]),
        ("or(x, y, 8) - and(y)", [8, 12, 8]),
    ]:
        assert client.decrypt(server.run(text, x=x, y=y)).tolist() == expected, text


def test_tables_of_long_integers(integers: Pair) -> None:
    """Refuse them with what works: fewer values, or parts in an expression."""
    client, server, _ = integers
    x = client.encrypt([1, 3], integers=64)
    with pytest.raises(bootes.ArgumentError, match=r"fewer values \(within=\), or in an expression a"):
        server.evaluate(lambda v: v + 1, x)
    assert client.decrypt(server.evaluate(lambda v: v + 1, client.encrypt([1, 3], integers=8))).tolist() == [
        2,
        4,
    ]
    within = client.encrypt([1, 3], integers=64, within=(0, 7))
    assert client.decrypt(server.run("f(x)", x=within, tables={"f": lambda v: v + 1})).tolist() == [2, 4]
    parts: dict[str, Any] = {"f": lambda v: v + 1, "g": lambda v: v % 7}
    found = server.run(
        "f(x % 1024) + g(x / 1024 % 1024)", x=client.encrypt([1, 9 << 10], integers=64), tables=parts
    )
    assert client.decrypt(found).tolist() == [2, 3]


@pytest.mark.parametrize("name", ["toy_int16", "toy_batch_integers"])
@pytest.mark.parametrize("kind", [{"bits": 3}, {"integers": 4}, {"integers": 4, "within": [0, 7]}])
def test_shapes_of_all_kinds_are_kept(name: str, kind: dict[str, Any]) -> None:
    """Keep two axes, whatever the values are and whatever is done with them."""
    client = bootes.Client(name)
    server = bootes.Server(client.server_key())
    values = np.arange(45).reshape(9, 5) % 5
    x = client.encrypt(values, **kind)
    results = [
        (x, values),
        (client.public_key().encrypt(values, **kind), values),
        (server.evaluate(lambda x: (x + 1) % 8, x), values + 1),
        (server.evaluate(server.plan(lambda x: (x + 1) % 8, x), x), values + 1),
        (server.evaluate_all([lambda x: x % 8, lambda x: 0], x)[1], 0 * values),
        (server.run("x + 1", x=x), values + 1),
        (x + 1, values + 1),
    ]
    if "integers" in kind:
        results.append((server.relu(x), values))
    for found, expected in results:
        assert found.shape == (9, 5)
        np.testing.assert_array_equal(client.decrypt(found), expected)


def test_whole_numbers_are_asked_for() -> None:
    """Refuse what is none by saying what to give: what is said is taken."""
    x = bootes.Client("toy_4").encrypt([1, 2], bits=2)
    for wrong in (0.0, np.float64(0)):
        with pytest.raises(bootes.DtypeError, match=r"expected a whole number: take int\("):
            x.as_integers(wrong, 3)  # type: ignore[arg-type]  # which is refused
    with pytest.raises(bootes.DtypeError, match=r"0\.5 of type float, expected a whole number"):
        x.as_integers(0.5, 3)  # type: ignore[arg-type]  # which is refused
    # NumPy's integers are whole numbers, too, which stubs do not say.
    assert x.as_integers(int(0.0), np.int8(3)).range == (0, 3)  # type: ignore[arg-type]
    encrypt: Any = bootes.Client("toy_4").encrypt
    for ends in ((0, 1, 3), 7, "ab"):
        with pytest.raises(bootes.DtypeError, match=r"expected (the least and the largest|a whole number)"):
            encrypt([1], integers=3, within=ends)
    assert encrypt([1], integers=3, within=np.array([0, 3])).range == (0, 3)
    with pytest.raises(
        bootes.ArgumentError, match="a space of residues takes integers in one ciphertext each"
    ):
        bootes.Client("toy_int16").encrypt([1], integers=40).as_residues()


def test_refusals_are_short() -> None:
    """Leave out what is long in what somebody wrote."""
    client = bootes.Client("toy_4")
    server = bootes.Server(client.server_key())
    text = "+".join(["x"] * 25_000)
    with pytest.raises(bootes.ArgumentError) as found:
        server.run(f"{text}; {text} + 1", x=client.encrypt([1]))
    assert len(str(found.value)) < 1100
    assert "has several results" in str(found.value)
