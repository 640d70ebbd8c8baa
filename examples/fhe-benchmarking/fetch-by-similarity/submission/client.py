#!/usr/bin/env python3
"""The client's programs, one by each name that this file is linked to."""

from __future__ import annotations

import sys
from pathlib import Path

import bootes
import numpy as np
from shared import LIMIT, PAYLOAD, PAYLOAD_BITS, WORDS, Instance, params, scale, unpack


def quantised(vectors: np.ndarray) -> np.ndarray:
    """Round unit vectors to integers of norm² at most LIMIT: those rounded up most are moved towards 0."""
    scaled = scale(vectors.shape[1]) * vectors.astype(np.float64)
    integers = np.rint(scaled).astype(np.int64)
    for i in np.flatnonzero((integers**2).sum(1) > LIMIT):
        for j in np.argsort(np.abs(scaled[i]) - np.abs(integers[i])):
            if (integers[i] ** 2).sum() <= LIMIT:
                break
            integers[i, j] -= np.sign(integers[i, j])
    return integers


def key_generation(instance: Instance) -> None:
    """Make keys: a secret one, and the server's."""
    client = bootes.Client(params())
    for name in ("keys", "secret_key"):
        (instance.io / name).mkdir(exist_ok=True)
    client.save(instance.io / "secret_key" / "client.key")
    client.server_key().save(instance.io / "keys" / "server.key")


def load(instance: Instance) -> bootes.Client:
    """Read the client of the keys made."""
    return bootes.Client.load(instance.io / "secret_key" / "client.key")


def rolled(vector: np.ndarray, by: int) -> np.ndarray:
    """Rotate both rows of slots to the right."""
    return np.roll(vector.reshape(2, -1), by, axis=1).reshape(-1)


def encode_encrypt_db(instance: Instance) -> None:
    """Encrypt the records, one a slot, by diagonals; and their payloads.

    With b baby steps, diagonal d = k·b + j holds x_i[(i + d) mod dim] in slot i, moved to the right by k·b.
    """
    client, slots = load(instance), params().capacity
    instance.upload.mkdir(exist_ok=True)
    records = np.fromfile(instance.data / "db.bin", np.float32).reshape(-1, instance.dim)
    payloads = np.fromfile(instance.data / "payloads.bin", np.int16).reshape(-1, PAYLOAD)
    places, (baby, _) = np.arange(slots), instance.steps
    for block in range(instance.blocks(slots)):
        part = np.zeros((slots, instance.dim), np.int64)
        here = quantised(records[block * slots : (block + 1) * slots])
        part[: len(here)] = here
        for diagonal in range(instance.dim):
            values = part[places, (places + diagonal) % instance.dim]
            moved = rolled(values, diagonal // baby * baby)
            client.encrypt(moved).save(instance.upload / f"db.{block}.{diagonal}.ct")
        if not instance.count_only:
            numbers = payloads[block * slots : (block + 1) * slots].astype(np.uint64)
            words = np.zeros((slots, WORDS), np.int64)
            shifts = np.arange(PAYLOAD, dtype=np.uint64) * np.uint64(PAYLOAD_BITS)
            whole = (numbers << shifts).sum(1, dtype=np.uint64) | np.uint64(1 << 63)
            words[: len(numbers)] = whole.astype("<u8").view("<u2").reshape(-1, WORDS)
            for word in range(WORDS):
                client.encrypt(words[:, word]).save(instance.upload / f"payload.{block}.{word}.ct")


def encode_encrypt_query(instance: Instance) -> None:
    """Encrypt the query, again and again in all slots."""
    query = quantised(np.fromfile(instance.data / "query.bin", np.float32).reshape(1, -1))[0]
    load(instance).encrypt(np.resize(query, params().capacity)).save(instance.upload / "query.bin")


def decrypt_decode(instance: Instance) -> None:
    """Decrypt how many records are similar, or the payloads of those."""
    client = load(instance)
    values = [client.decrypt(array) for array in unpack(instance.results.read_bytes())]
    if instance.count_only:
        values[0][:1].astype(np.int_).tofile(instance.io / "results.bin")
        return
    words = np.concatenate([np.stack(values[i : i + WORDS], 1) for i in range(0, len(values), WORDS)])
    found = words[words[:, WORDS - 1] >> 15 == 1].astype("<u2").view("<u8")
    shifts = np.arange(PAYLOAD, dtype=np.uint64) * np.uint64(PAYLOAD_BITS)
    payloads = (found >> shifts & np.uint64((1 << PAYLOAD_BITS) - 1)).astype(np.int16)
    payloads[np.lexsort(payloads.T[::-1])].tofile(instance.io / "results.bin")


PROGRAMS = {
    "client_key_generation": key_generation,
    "client_encode_encrypt_db": encode_encrypt_db,
    "client_encode_encrypt_query": encode_encrypt_query,
    "client_decrypt_decode": decrypt_decode,
}

if __name__ == "__main__":
    PROGRAMS[Path(sys.argv[0]).name](Instance.of_arguments())
