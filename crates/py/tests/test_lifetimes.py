"""What clients and servers do when they are closed, forked or interrupted."""

from __future__ import annotations

import _thread
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import bootes
import numpy as np
import pytest
from conftest import refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Pair


def test_what_is_closed() -> None:
    """Refuse it in one line, and let go of its memory."""
    with bootes.Client("toy_4") as client, bootes.Server(client.server_key()) as server:
        e = client.encrypt([1])
        assert not client.closed
        assert not server.closed
        data = client.export_secret_bytes()
    assert client.closed
    assert server.closed
    uses: list[Callable[[], object]] = [
        lambda: client.encrypt([1]),
        lambda: client.decrypt(e),
        client.server_key,
        client.export_secret_bytes,
        lambda: client.save("nowhere"),
        lambda: client.params,
        client.__enter__,
    ]
    for use in uses:
        found = refused(bootes.ClosedError, "the client is closed, and its keys are wiped", use)
        assert (found.code, isinstance(found, ValueError)) == ("closed", True)
    uses = [
        lambda: server.evaluate(lambda x: x, e),
        lambda: server.evaluate("relu", e),
        lambda: server.plan([0] * 16, e),
        lambda: server.key_id,
        server.__enter__,
    ]
    for use in uses:
        refused(bootes.ClosedError, "the server is closed: make another of its key", use)
    client.close()
    assert (repr(client), repr(server)) == ("<bootes.Client, closed>", "<bootes.Server, closed>")
    assert bootes.Client.from_bytes(data).decrypt(e) == [1]


def test_an_evaluation_outlives_the_end(fhew: Pair) -> None:
    """Go on with what was begun, when the server is closed."""
    server = bootes.Server(fhew.client.server_key())
    begun = threading.Event()
    e = fhew.client.encrypt(np.arange(16).repeat(100))
    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(server.evaluate, lambda x: x ^ 1, e, progress=lambda _: begun.set())
        begun.wait(10)
        server.close()
        np.testing.assert_array_equal(fhew.client.decrypt(found.result()), np.arange(16).repeat(100) ^ 1)
    refused(bootes.ClosedError, "", lambda: server.evaluate(lambda x: x, e))


def first_of(key: bootes.ServerKey, x: bootes.Encrypted) -> bootes.Encrypted:
    """Make a server in another process."""
    return bootes.Server(key).evaluate(lambda x: x, x[:1])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")  # that is what it is about
def test_forks_say_what_to_use(fhew: Pair) -> None:
    """Refuse to work in a fork, whose threads are gone; the parent goes on."""
    client, server, _ = fhew
    key, x = client.server_key(), client.encrypt([1, 2])
    words = 'are gone: start processes with multiprocessing.get_context("spawn") or ("forkserver")'
    with multiprocessing.get_context("fork").Pool(1) as pool:
        refused(bootes.ResourceError, words, lambda: pool.apply(first_of, (key, x)))
    np.testing.assert_array_equal(client.decrypt(server.evaluate(lambda x: x, x)), [1, 2])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_forks_of_who_did_nothing_work() -> None:
    """Let a process be forked before there is work, as a fork server is."""
    code = """
import bootes, os
child = os.fork()
client = bootes.Client("toy_4")
assert client.decrypt(client.encrypt([3])) == [3]
assert child == 0 or os.waitpid(child, 0)[1] == 0
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_interrupt_ends_an_evaluation() -> None:
    """Give the keyboard a second; what comes after works."""
    # A process in the background may have been told to ignore it.
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    client = bootes.Client("toy_8")
    server = bootes.Server(client.server_key())
    e = client.encrypt(np.zeros(30_000, np.int64))
    timer = threading.Timer(0.5, _thread.interrupt_main)
    begun = time.monotonic()
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            server.evaluate(lambda x: (x * x + x // 3) % 256, e)
    finally:
        signal.signal(signal.SIGINT, handler)
    assert 0.4 < time.monotonic() - begun < 1.5
    found = client.decrypt(server.evaluate(lambda x: x ^ 1, e[:2]))
    np.testing.assert_array_equal(found, [1, 1])


def test_an_interrupt_ends_a_plan() -> None:
    """Give the keyboard a second while something is planned that takes many."""
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    client = bootes.Client("toy_int16")
    server = bootes.Server(client.server_key())
    e = client.encrypt([1], integers=14)
    products = " + ".join(f"x{i}*y{i}*z" for i in range(400))
    inputs: dict[str, Any] = {f"{name}{i}": e for name in "xy" for i in range(400)} | {"z": e}
    plans: list[Callable[[], object]] = [
        lambda: bootes.plan(products, integers=14),
        lambda: server.plan(products, **inputs),
        lambda: server.run(products, **inputs),
    ]
    try:
        for plan in plans:
            timer = threading.Timer(0.5, _thread.interrupt_main)
            begun = time.monotonic()
            timer.start()
            with pytest.raises(KeyboardInterrupt):
                plan()
            assert 0.4 < time.monotonic() - begun < 1.5
    finally:
        signal.signal(signal.SIGINT, handler)
    assert server.plan("x + y", e, e).engine == "fhew"


def test_an_interrupt_ends_what_a_client_does() -> None:
    """Give the keyboard a second while a client encrypts, decrypts, adds up or makes keys; the rest works."""
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    client, large = bootes.Client(bits=8), bootes.Client("batch_4bit")
    values, ones = np.zeros(3_000_000, np.int64), np.ones(1_000_000, np.int64)
    few, some = client.encrypt([1, 2]), client.encrypt(values[:50_000])
    many = bootes.concatenate([some] * 20)
    public = client.public_key()
    jobs: list[Callable[[], object]] = [
        lambda: client.encrypt(values),
        lambda: public.encrypt(values),
        lambda: client.decrypt(many),
        lambda: some[::-1],
        lambda: many.sum(),
        lambda: ones @ many,
        lambda: some + some,
        lambda: some - some,
        lambda: 3 * some,
        lambda: large.server_key(),
    ]
    try:
        for job in jobs:
            timer = threading.Timer(0.2, _thread.interrupt_main)
            begun = time.monotonic()
            timer.start()
            with pytest.raises(KeyboardInterrupt):
                job()
            # Half a second, and what a busy machine needs.
            assert 0.15 < time.monotonic() - begun < 5.0
    finally:
        signal.signal(signal.SIGINT, handler)
    np.testing.assert_array_equal(client.decrypt(few), [1, 2])
