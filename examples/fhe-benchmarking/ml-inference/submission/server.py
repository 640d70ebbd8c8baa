#!/usr/bin/env python3
"""The server: the scores of each image."""

from __future__ import annotations

import sys
import time

import bootes
from shared import HERE, io, load, save


def main() -> None:
    """Score the rows."""
    size = int(sys.argv[1])
    started = time.perf_counter(), time.process_time()
    model = load(HERE / "server.model")
    server = bootes.Server(bootes.ServerKey.load(io(size) / "public_keys" / "server.key"))
    rows = load(io(size) / "ciphertexts_upload" / "rows.pickle")
    ready = time.perf_counter(), time.process_time()
    save(io(size) / "ciphertexts_download" / "scores.pickle", model.evaluate(server, rows))
    done = time.perf_counter(), time.process_time()
    for what, (a, b) in {"keys, model, rows": (started, ready), "scores": (ready, done)}.items():
        print(f"         [server] {what}: {b[0] - a[0]:.3f} s, {b[1] - a[1]:.3f} s of processors")


if __name__ == "__main__":
    main()
