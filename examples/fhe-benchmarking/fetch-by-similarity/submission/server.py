#!/usr/bin/env python3
"""The server's programs, one by each name that this file is linked to."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import bootes
import numpy as np
from shared import LIMIT, MODULUS, THRESHOLD, WORDS, Instance, pack, scale


def interpolated(least: float) -> np.ndarray:
    """Find f of degree 2·LIMIT modulo p with f(x) = [x > least] for |x| ≤ LIMIT, by Newton's formula."""
    points = np.arange(-LIMIT, LIMIT + 1)
    differences = (points > least).astype(np.int64)
    for i in range(1, len(points)):
        # Δ^i / i!, as the points are a step apart.
        differences[i:] = np.diff(differences[i - 1 :]) * pow(i, -1, MODULUS) % MODULUS
    coefficients = np.zeros(len(points) + 1, np.int64)
    for i in range(len(points) - 1, -1, -1):
        # f ← f·(x - point) + difference
        raised = np.roll(coefficients, 1)
        raised[0] = 0
        coefficients = (raised - points[i] * coefficients) % MODULUS
        coefficients[0] += differences[i]
    return coefficients[:-1] % MODULUS


def transform(values: np.ndarray, root: int) -> np.ndarray:
    """Transform columns v to Σ_i v_i·w^(ij) for each j, w of the order of the length, 2^k or 3·2^k."""
    length, columns = values.shape
    if length % 2:
        powers = np.array([[pow(root, i * j, MODULUS) for i in range(length)] for j in range(length)])
        found: np.ndarray = powers @ values % MODULUS
        return found
    halves = transform(np.concatenate([values[::2], values[1::2]], axis=1), root * root % MODULUS)
    even, odd = halves[:, :columns], halves[:, columns:] * powers_of(root, length // 2)[:, None] % MODULUS
    return np.concatenate([even + odd, even - odd]) % MODULUS


def powers_of(root: int, count: int) -> np.ndarray:
    """Raise a residue to the powers from 0 on."""
    powers = np.array([1])
    while len(powers) < count:
        powers = np.concatenate([powers, powers * pow(root, len(powers), MODULUS) % MODULUS])
    return powers[:count]


def threshold(dim: int) -> np.ndarray:
    """Make the table of the polynomial: its values at all residues modulo p."""
    coefficients = np.zeros(MODULUS - 1, np.int64)
    found = interpolated(THRESHOLD * scale(dim) ** 2)
    coefficients[: len(found)] = found
    # A generator g of the units: p - 1 = 3·2^18. Values at g^j are a transform.
    generator = next(
        g for g in range(2, MODULUS) if all(pow(g, (MODULUS - 1) // q, MODULUS) != 1 for q in (2, 3))
    )
    table = np.full(MODULUS, found[0])
    table[powers_of(generator, MODULUS - 1)] = transform(coefficients[:, None], generator)[:, 0]
    return table


def preprocess_dataset(instance: Instance) -> None:
    """Make the table of the threshold."""
    (instance.io / "server").mkdir(exist_ok=True)
    np.save(instance.io / "server" / "threshold.npy", threshold(instance.dim))


class Clock:
    """Time and processors' time of each step."""

    def __init__(self) -> None:
        self.steps: dict[str, float] = {}
        self.last = time.perf_counter(), time.process_time()

    def step(self, name: str) -> None:
        """Say what a step took."""
        now = time.perf_counter(), time.process_time()
        wall, spent = (b - a for a, b in zip(self.last, now, strict=True))
        self.steps[name] = round(self.steps.get(name, 0) + wall, 3)
        print(f"         [server] {name}: {wall:.3f} s, {spent:.3f} s of processors", flush=True)
        self.last = now


def encrypted_compute(instance: Instance) -> None:
    """Find the similar records: count them, or give their payloads, and 0 for others."""
    clock = Clock()
    server = bootes.Server(bootes.ServerKey.load(instance.io / "keys" / "server.key"))
    slots, (baby, giant) = server.params.capacity, instance.steps
    clock.step("Loading keys")

    queries = [bootes.Encrypted.load(instance.upload / "query.bin")]
    for j in range(1, baby):
        # Each by the one without its lowest bit: a key switch each.
        queries.append(server.rotate(queries[j & (j - 1)], j & -j))
    clock.step("Rotations of the query")

    table = np.load(instance.io / "server" / "threshold.npy")
    answers: list[bootes.Encrypted] = []
    for block in range(instance.blocks(slots)):
        dots = None
        for k in range(giant):
            pairs = []
            for j, query in enumerate(queries):
                path = instance.upload / f"db.{block}.{k * baby + j}.ct"
                pairs += [bootes.Encrypted.load(path), query]
            part = server.evaluate(" + ".join(f"x{j}*q{j}" for j in range(baby)), *pairs)
            part = server.rotate(part, k * baby) if k else part
            dots = part if dots is None else dots + part
        assert dots is not None
        clock.step("Dot products")

        similar = server.evaluate(table, dots)
        clock.step("Compare to threshold")

        if instance.count_only:
            answers = [answers[0] + similar] if answers else [similar]
        else:
            for word in range(WORDS):
                payload = bootes.Encrypted.load(instance.upload / f"payload.{block}.{word}.ct")
                answers.append(server.multiply(similar, payload))
            clock.step("Payloads")
    if instance.count_only:
        answers = [server.run("sum(x)", x=answers[0])]
        clock.step("Sum")
    instance.results.parent.mkdir(exist_ok=True)
    instance.results.write_bytes(pack(answers))
    clock.step("Writing")
    (instance.io / "server_reported_steps.json").write_text(json.dumps(clock.steps))


PROGRAMS = {"server_preprocess_dataset": preprocess_dataset, "server_encrypted_compute": encrypted_compute}

if __name__ == "__main__":
    PROGRAMS[Path(sys.argv[0]).name](Instance.of_arguments())
