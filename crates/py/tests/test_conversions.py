"""Arrays that move between engines."""

from __future__ import annotations

import operator
import pickle
from functools import partial
from typing import TYPE_CHECKING

import bootes
import numpy as np
import pytest
from conftest import refused

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Pair


def test_there_and_back(fhew: Pair, ckks: Pair, tmp_path: Path) -> None:
    """Pick values of a batch, and evaluate a table on them."""
    key = ckks.client.conversion_key(fhew.client)
    assert (key.source_key_id, key.target_key_id) == (ckks.client.key_id, fhew.client.key_id)
    assert (key.source_params.name, key.target_params.name) == ("toy_batch_4bit", "toy_4")
    key.save(tmp_path / "key")
    assert (
        bootes.ConversionKey.load(tmp_path / "key").to_bytes() == pickle.loads(pickle.dumps(key)).to_bytes()
    )
    assert key.nbytes == (tmp_path / "key").stat().st_size
    x = np.arange(12).reshape(3, 4)
    sent = ckks.client.encrypt(x)
    y = key.convert(sent)
    assert y.shape == (3, 4)
    np.testing.assert_array_equal(fhew.client.decrypt(y), x)
    for index in (np.s_[1], np.s_[:, 2], np.s_[2, -1], [2, 0], x % 5 == 3):
        picked = key.convert(sent, index)
        np.testing.assert_array_equal(fhew.client.decrypt(picked), x[index])
    squares = fhew.server.evaluate(lambda x: x * x % 16, key.convert(sent, np.s_[::-1, 0]))
    np.testing.assert_array_equal(fhew.client.decrypt(squares), x[::-1, 0] ** 2 % 16)


def test_the_way_back(fhew: Pair, ckks: Pair) -> None:
    """Make a batch of single values, for a table on all."""
    key = fhew.client.conversion_key(ckks.client)
    assert (key.source_params.name, key.target_params.name) == ("toy_4", "toy_batch_4bit")
    x = np.arange(12).reshape(3, 4)
    y = key.convert(fhew.client.encrypt(x), np.s_[:, ::-1])
    squares = ckks.server.evaluate(lambda x: x * x % 16, y)
    np.testing.assert_array_equal(ckks.client.decrypt(squares), x[:, ::-1] ** 2 % 16)


def test_who_watches(fhew: Pair, ckks: Pair) -> None:
    """Hear which part is done, and end it, with any number of threads."""
    x = np.arange(2000) % 16
    for one, other in ((fhew.client, ckks.client), (ckks.client, fhew.client)):
        key, encrypted, told = one.conversion_key(other), one.encrypt(x), list[float]()
        y = key.convert(encrypted, np.s_[:300], threads=1, progress=told.append)
        np.testing.assert_array_equal(other.decrypt(y), x[:300])
        assert told[-1] == 1.0

        def stop(_: float) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            key.convert(encrypted, progress=stop)
        with pytest.raises(bootes.ArgumentError, match="thread"):
            key.convert(encrypted, threads=0)
        with pytest.raises(bootes.Error, match="threads"):
            key.convert(encrypted, threads=-1)


def test_the_way_around() -> None:
    """Follow what a plan says of few values of a batch."""
    table = (np.arange(4) + 1) % 4
    client = bootes.Client("toy_batch_6bit", modulus=4)
    server = bootes.Server(client.server_key(), threads=1)
    x = client.encrypt(np.arange(4))
    plan = server.plan(table, x)
    assert plan.detour(1024) is None
    detour = plan.detour(1)
    assert detour is not None
    params, seconds = detour
    assert params.engine == "fhew"
    assert seconds < plan.seconds(1)
    single = bootes.Client(params.name, modulus=4)
    picked = client.conversion_key(single).convert(x, [3, 1])
    y = bootes.Server(single.server_key()).evaluate(table, picked)
    np.testing.assert_array_equal(single.decrypt(y), [0, 2])


def test_integers_stay_integers(integers: Pair, ckks: Pair) -> None:
    """Refuse sums that have no room, in a batch as before; an expression has it."""
    client, server, _ = integers
    x = client.encrypt([1, 1, 5], integers=8)
    e = server.run("x == 1", x=x)
    z = client.conversion_key(ckks.client).convert(e)
    assert (z.range, z.modulus) == (e.range, None)
    for one in (e, z):
        refused(bootes.ArgumentError, "there is room for 2^1 of them", partial(operator.add, one, one))
    twice = ckks.server.run("z + z", z=z)
    np.testing.assert_array_equal(ckks.client.decrypt(twice), [2, 2, 0])
    np.testing.assert_array_equal(ckks.client.decrypt(ckks.server.evaluate(lambda z: 7 - z, z)), [6, 6, 7])


def test_sums_that_are_not_reduced(integers: Pair) -> None:
    """Reduce sums of residues with integers, as a refusal says, and convert them."""
    client, server, _ = integers
    batch = bootes.Client("toy_batch_integers")
    key = client.conversion_key(batch)
    i = np.array([-3, 5, 0])
    for p in (2, 7, 16):
        x = np.array([1, p - 1, 0])
        a, b = client.encrypt(x, modulus=p), client.encrypt(i, integers=6)
        np.testing.assert_array_equal(batch.decrypt(key.convert(a)), x)
        for text, expected in (
            ("x + i", x + i),
            ("x + max(x, i)", x + np.maximum(x, i)),
            ("select(i < 0, x, i)", np.where(i < 0, x, i)),
        ):
            found = server.run(text, x=a, i=b)
            np.testing.assert_array_equal(client.decrypt(found), expected % p)
            words = f'take the program "x % {p}" (Server.run('
            refused(bootes.ArgumentError, words, partial(key.convert, found))
            reduced = server.run(f"x % {p}", x=found)
            np.testing.assert_array_equal(batch.decrypt(key.convert(reduced)), expected % p)


def test_vectors(fhew: Pair) -> None:
    """Take products of vectors through a table of single values, and back."""
    client = bootes.Client("toy_slots_7")
    server = bootes.Server(client.server_key())
    out, back = client.conversion_key(fhew.client), fhew.client.conversion_key(client)
    x = np.array([[0, 1, 2], [6, 5, 3]])
    squares = server.evaluate(lambda x: x * x % 7, client.encrypt(x))
    y = fhew.server.evaluate(lambda x: 6 - x, out.convert(squares, np.s_[:, ::2], server=server))
    z = server.run("z*z", z=back.convert(y, server=server))
    np.testing.assert_array_equal(client.decrypt(z), (6 - x[:, ::2] ** 2 % 7) ** 2 % 7)
    words = "give the server of parameters toy_slots_7 to the key, with convert(…, server=…)"
    refused(bootes.ArgumentError, words, partial(back.convert, y))
    refused(bootes.MismatchError, "engine fhew", partial(back.convert, y, server=fhew.server))


def test_refusals(fhew: Pair, ckks: Pair) -> None:
    """Name what is wrong."""
    key = ckks.client.conversion_key(fhew.client)
    with pytest.raises(bootes.UnsupportedError, match="from engine fhew to engine fhew"):
        fhew.client.conversion_key(fhew.client)
    with pytest.raises(bootes.MismatchError, match="engine fhew"):
        key.convert(fhew.client.encrypt([1]))
    with pytest.raises(bootes.MismatchError, match="another key"):
        key.convert(bootes.Client("toy_batch_4bit").encrypt([1]))
    with pytest.raises(IndexError):
        key.convert(ckks.client.encrypt([1]), 1)
    with pytest.raises(bootes.DataError):
        bootes.ConversionKey.from_bytes(key.to_bytes()[:-1])
