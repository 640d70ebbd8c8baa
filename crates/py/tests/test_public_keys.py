"""What anybody encrypts with a public key."""

from __future__ import annotations

import io
import pickle
from typing import TYPE_CHECKING, Any

import bootes
import numpy as np
import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Pair


def test_anybody_encrypts(each: Pair, tmp_path: Path) -> None:
    """Encrypt arrays with a key that was sent, which are evaluated and added as the client's."""
    key = each.client.public_key()
    assert (key.key_id, key.params.name) == (each.client.key_id, each.client.params.name)
    assert len(key.to_bytes()) == key.nbytes
    key.save(tmp_path / "public.key")
    file = io.BytesIO()
    key.save(file)
    file.seek(0)
    x = np.array([[3, 5], [7, 2]])
    kind: Any = {} if each.client.params.engine == "bfv" else {"modulus": each.modulus}
    for again in (
        bootes.PublicKey.load(tmp_path / "public.key", **kind),
        bootes.PublicKey.load(file, **kind),
        bootes.PublicKey.from_bytes(key.to_bytes(), **kind),
        pickle.loads(pickle.dumps(key)),
    ):
        assert again.to_bytes() == key.to_bytes()
        e = again.encrypt(x)
        np.testing.assert_array_equal(each.client.decrypt(pickle.loads(pickle.dumps(e))), x)
    y = each.server.evaluate(lambda x: x * x % each.modulus, e)
    np.testing.assert_array_equal(each.client.decrypt(y), x * x % each.modulus)
    np.testing.assert_array_equal(each.client.decrypt(e + each.client.encrypt(x)), 2 * x % each.modulus)
    assert "PublicKey" in repr(key)


def test_it_encrypts_what_its_client_does() -> None:
    """Keep bits, moduli and integers, where it is pickled as well, unless something else is said."""
    for client, x in (
        (bootes.Client("toy_4", bits=3), 9),
        (bootes.Client("toy_4", modulus=10), 10),
        (bootes.Client("toy_int16", integers=4), 8),
    ):
        for key in (client.public_key(), pickle.loads(pickle.dumps(client.public_key()))):
            assert client.decrypt(key.encrypt([1])) == [1]
            with pytest.raises((bootes.DtypeError, bootes.ArgumentError), match=str(x)):
                key.encrypt([x])
    for name in ("toy_4", "toy_bits", "toy_int16", "toy_batch_6bit", "toy_slots_257"):
        own = bootes.Client(name)
        again = pickle.loads(pickle.dumps(own.public_key()))
        assert again.encrypt([1]).modulus == own.encrypt([1]).modulus
    integers = bootes.Client("toy_int16", integers=8).public_key()
    assert client.params.name == integers.params.name


def test_kinds_that_files_do_not_tell(tmp_path: Path) -> None:
    """Decrypt with a key from a file, and encrypt what is said, where it is read or each time: no guess."""
    client = bootes.Client("toy_int16", integers=16)
    client.save(tmp_path / "client.key")
    public = client.public_key()
    public.save(tmp_path / "public.key")
    secret = client.export_secret_bytes()
    x = client.encrypt([40])
    without: list[Any] = [
        bootes.Client.load(tmp_path / "client.key"),
        bootes.Client.from_bytes(secret),
        bootes.PublicKey.load(tmp_path / "public.key"),
        bootes.PublicKey.from_bytes(public.to_bytes()),
        pickle.loads(pickle.dumps(bootes.PublicKey.from_bytes(public.to_bytes()))),
    ]
    for key in without:
        with pytest.raises(
            bootes.ArgumentError, match="say bits=, modulus= or integers=, here or"
        ) as refused:
            key.encrypt([40])
        assert "\n" not in str(refused.value)
        y = key.encrypt([40], integers=16)
        assert client.decrypt(y + x) == [80]
        assert client.decrypt_frame(key.encrypt_frame({"a": [40]}))["a"] == [40]
        if isinstance(key, bootes.Client):
            assert key.decrypt(x) == [40]
            with pytest.raises(bootes.ArgumentError, match="say bits="):
                bootes.Client(key.params).encrypt([40])
    said: list[Any] = [
        bootes.Client.load(tmp_path / "client.key", integers=16),
        bootes.Client.from_bytes(secret, integers=16),
        bootes.PublicKey.load(tmp_path / "public.key", integers=16),
        bootes.PublicKey.from_bytes(public.to_bytes(), integers=16),
    ]
    for key in said:
        y = key.encrypt([40])
        assert client.decrypt(y + y) == [80]
    # Vectors are of one kind.
    slots = bootes.Client("toy_slots_257")
    assert slots.decrypt(bootes.Client.from_bytes(slots.export_secret_bytes()).encrypt([256])) == [256]


def test_bad_keys_are_refused(each: Pair) -> None:
    """Refuse in one line what is no public key, or another client's."""
    key = each.client.public_key().to_bytes()
    for wrong in (b"", key[:-1], key + b"0", each.client.encrypt([1]).to_bytes()):
        with pytest.raises(bootes.DataError) as caught:
            bootes.PublicKey.from_bytes(wrong)
        assert "\n" not in str(caught.value)
    other = bootes.Client(each.client.params.name).public_key()
    with pytest.raises(bootes.MismatchError):
        each.client.decrypt(other.encrypt([1]))
