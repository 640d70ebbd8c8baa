#!/usr/bin/env python3
"""The server: the lower 64 bits of each product."""

from __future__ import annotations

import sys
import time

import bootes
from shared import LIMBS, WHOLE, inputs, io, outputs


def products() -> str:
    """Write a product as an expression, or each of its limbs, whose sum of products is relinearised once."""
    if WHOLE:
        return "x*y % 2^64"
    return "; ".join(" + ".join(f"x{i}*y{k - i}" for i in range(k + 1)) for k in range(LIMBS))


def main() -> None:
    """Multiply what was uploaded, a chunk after the other."""
    instance = sys.argv[1]
    upload, download = io(instance) / "ciphertexts_upload", io(instance) / "ciphertexts_download"
    download.mkdir(exist_ok=True)
    started = time.perf_counter(), time.process_time()
    server = bootes.Server(bootes.ServerKey.load(io(instance) / "public_keys" / "server.key"))
    ready = time.perf_counter(), time.process_time()
    text = products()
    for chunk in range(len(list(upload.glob(f"*.{inputs()[0]}.ct")))):
        arrays = {name: bootes.Encrypted.load(upload / f"{chunk}.{name}.ct") for name in inputs()}
        # Inputs are in the order in which the expression names them.
        names = sorted(arrays, key=text.index)
        results = server.evaluate_all(text, *(arrays[name] for name in names))
        for name, result in zip(outputs(), results, strict=True):
            result.save(download / f"{chunk}.{name}.ct")
    done = time.perf_counter(), time.process_time()
    for what, (a, b) in {"keys": (started, ready), "products, files read and written": (ready, done)}.items():
        print(f"         [server] {what}: {b[0] - a[0]:.3f} s, {b[1] - a[1]:.3f} s of processors")


if __name__ == "__main__":
    main()
