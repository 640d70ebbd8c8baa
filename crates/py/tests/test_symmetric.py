"""What is sent by AES."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import bootes
import numpy as np
import pytest

if TYPE_CHECKING:
    from pathlib import Path


def test_there_and_back(tmp_path: Path) -> None:
    """Send arrays by AES, and evaluate what the server makes of them."""
    client = bootes.Client("toy_bits")
    key = client.encrypt_symmetric_key()
    key.save(tmp_path / "key")
    assert bootes.SymmetricKey.load(tmp_path / "key").to_bytes() == pickle.loads(pickle.dumps(key)).to_bytes()
    x = np.arange(6).reshape(2, 3)
    sent = client.encrypt_symmetric(x)
    assert sent.shape == (2, 3)
    assert sent.nbytes < 150 < key.nbytes
    server = bootes.Server(client.server_key())
    told: list[float] = []
    y = server.transcipher(sent, key, progress=told.append)
    assert told[-1] == 1.0
    np.testing.assert_array_equal(client.decrypt(y), x)
    np.testing.assert_array_equal(client.decrypt(server.evaluate(lambda x: x * x % 16, y)), x * x % 16)
    again = bootes.Symmetric.from_bytes(sent.to_bytes())
    assert (again.shape, again.size, again.key_id) == ((6,), 6, client.key_id)
    bits = server.transcipher(client.encrypt_symmetric([1, 0, 1], bits=1), key)
    assert bits.modulus == 2
    np.testing.assert_array_equal(client.decrypt(bits), [1, 0, 1])


def test_refusals() -> None:
    """Name what is wrong, and a set that can."""
    client, other = bootes.Client("toy_bits"), bootes.Client("toy_bits")
    server = bootes.Server(client.server_key())
    with pytest.raises(bootes.MismatchError, match="another key"):
        server.transcipher(client.encrypt_symmetric([1]), other.encrypt_symmetric_key())
    with pytest.raises(bootes.ArgumentError, match="expected 0 to 15"):
        client.encrypt_symmetric(b"A")
    with pytest.raises(bootes.UnsupportedError, match=r'take Params\("fhew_bits_2m128"\)'):
        bootes.Client("toy_4").encrypt_symmetric([1])
