#!/usr/bin/env python3
"""The client's programs, one by each name that this file is linked to."""

from __future__ import annotations

import sys
from pathlib import Path

import bootes
import numpy as np
from shared import CHUNK, LIMB_BITS, LIMBS, WHOLE, inputs, io, outputs, params


def key_generation(instance: str) -> None:
    """Make keys: a secret one, and the server's."""
    client = bootes.Client(params())
    (io(instance) / "public_keys").mkdir(parents=True, exist_ok=True)
    (io(instance) / "secret_key").mkdir(exist_ok=True)
    client.save(io(instance) / "secret_key" / "client.key")
    client.server_key().save(io(instance) / "public_keys" / "server.key")


def load(instance: str) -> bootes.Client:
    """Read the client of the keys made."""
    return bootes.Client.load(io(instance) / "secret_key" / "client.key")


def limbs(words: np.ndarray) -> list[np.ndarray]:
    """Split 64-bit words into limbs, lowest first."""
    mask = np.uint64((1 << LIMB_BITS) - 1)
    return [(words >> np.uint64(LIMB_BITS * i)) & mask for i in range(LIMBS)]


def encode_encrypt_input(instance: str) -> None:
    """Encrypt the pairs, a chunk after the other."""
    client = load(instance)
    sides = [
        np.loadtxt(Path("datasets") / instance / f"{side}.txt", np.uint64, ndmin=1) for side in ("lhs", "rhs")
    ]
    upload = io(instance) / "ciphertexts_upload"
    upload.mkdir(exist_ok=True)
    for chunk, start in enumerate(range(0, len(sides[0]), CHUNK)):
        words = [side[start : start + CHUNK] for side in sides]
        if WHOLE:
            arrays = [client.encrypt(side, integers=64, signed=False) for side in words]
        else:
            arrays = [client.encrypt(limb) for side in words for limb in limbs(side)]
        for name, array in zip(inputs(), arrays, strict=True):
            array.save(upload / f"{chunk}.{name}.ct")


def decrypt_decode(instance: str) -> None:
    """Decrypt the products; carries of limbs are the client's, and words wrap."""
    client = load(instance)
    download = io(instance) / "ciphertexts_download"
    words = []
    for chunk in range(len(list(download.glob(f"*.{outputs()[0]}.ct")))):
        parts = [client.decrypt(bootes.Encrypted.load(download / f"{chunk}.{name}.ct")) for name in outputs()]
        shifted = [part.astype(np.uint64) << np.uint64(LIMB_BITS * k) for k, part in enumerate(parts)]
        words.append(np.sum(shifted, axis=0, dtype=np.uint64))
    (io(instance) / "cleartext_output").mkdir(exist_ok=True)
    np.savetxt(io(instance) / "cleartext_output" / "out.txt", np.concatenate(words), fmt="%u")


PROGRAMS = {
    "client_key_generation": key_generation,
    "client_encode_encrypt_input": encode_encrypt_input,
    "client_decrypt_decode": decrypt_decode,
}

if __name__ == "__main__":
    PROGRAMS[Path(sys.argv[0]).name](sys.argv[1])
