#!/usr/bin/env python3
"""The client's programs, one by each name that this file is linked to."""

from __future__ import annotations

import sys
from pathlib import Path

import bootes
import numpy as np
from shared import HERE, columns, io, load, params, save


def key_generation(size: int) -> None:
    """Make keys: a secret one, and the server's."""
    client = bootes.Client(params(size))
    for name in ("public_keys", "secret_key"):
        (io(size) / name).mkdir(exist_ok=True)
    client.save(io(size) / "secret_key" / "client.key")
    client.server_key().save(io(size) / "public_keys" / "server.key")


def client_of(size: int) -> bootes.Client:
    """Read the client of the keys made."""
    return bootes.Client.load(io(size) / "secret_key" / "client.key")


def preprocess_input(size: int) -> None:
    """Make columns of pixels."""
    pixels = np.loadtxt(Path("datasets") / io(size).name / "intermediate" / "test_pixels.txt", ndmin=2)
    np.save(io(size) / "columns.npy", columns(pixels))


def encode_encrypt_input(size: int) -> None:
    """Encrypt the columns."""
    codec = load(HERE / "client.codec")["codec"]
    rows = codec.encrypt(client_of(size), np.load(io(size) / "columns.npy"))
    save(io(size) / "ciphertexts_upload" / "rows.pickle", rows)


def decrypt_decode(size: int) -> None:
    """Decrypt the scores."""
    codec = load(HERE / "client.codec")["codec"]
    scores = load(io(size) / "ciphertexts_download" / "scores.pickle")
    np.save(io(size) / "scores.npy", codec.decrypt(client_of(size), scores))


def postprocess(size: int) -> None:
    """Write the digits of the highest scores."""
    labels = load(HERE / "client.codec")["codec"].labels(np.load(io(size) / "scores.npy"))
    np.savetxt(io(size) / "encrypted_model_predictions.txt", labels, fmt="%d")


PROGRAMS = {
    "client_key_generation": key_generation,
    "client_preprocess_input": preprocess_input,
    "client_encode_encrypt_input": encode_encrypt_input,
    "client_decrypt_decode": decrypt_decode,
    "client_postprocess": postprocess,
}

if __name__ == "__main__":
    PROGRAMS[Path(sys.argv[0]).name](int(sys.argv[1]))
