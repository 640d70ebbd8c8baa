"""What a cluster of Ray's takes and gives: `python benches/cluster.py --set batch_8bit` prints lines of JSON.

First the pieces that docs/guide/cluster.md plans with. Then two workers beside one, of a thread each, by
turns: `ratio` is that of their ciphertexts a second, the middle of the rounds, and `cpu_ratio` the same by
the time of processors alone. A round waits until other programs take little of these (`--others`), and does
not count where they took more meanwhile.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import statistics
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bootes
import bootes.ray
import numpy as np
import ray

if TYPE_CHECKING:
    from collections.abc import Callable

HERTZ = os.sysconf("SC_CLK_TCK")


def processors() -> list[float]:
    """Give the seconds that all processors were busy, and that there were."""
    numbers = [int(word) for word in Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
    idle = numbers[3] + numbers[4]
    return [(sum(numbers) - idle) / HERTZ, sum(numbers) / HERTZ]


def on_actors(servers: list[Any], f: Callable[[], float]) -> float:
    """Sum up what is true of each worker."""
    found: list[float] = []
    for server in servers:
        with server._workers as workers:
            found += ray.get([worker.actor.__ray_call__.remote(lambda _self: f()) for worker in workers])
    return sum(found)


def of_processors(work: Callable[[], Any]) -> tuple[float, Any]:
    """Give the seconds of processors that some work of this process takes, and its result."""
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Give the seconds of some work, and its result."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def quiet(others: float) -> None:
    """Wait until other programs take less of the processors."""
    while True:
        before = processors()
        time.sleep(2)
        busy, there = (b - a for a, b in zip(before, processors(), strict=True))
        if busy / there < others:
            return


def main() -> None:
    """Measure."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--set", default="batch_8bit")
    arguments.add_argument("--ciphertexts", type=int, default=4, help="for each worker, in a round")
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--others", type=float, default=0.05)
    chosen = arguments.parse_args()

    def tell(row: str, **fields: Any) -> None:
        rounded = {name: round(x, 4) if isinstance(x, float) else x for name, x in fields.items()}
        print(json.dumps({"bench": "py-cluster", "row": row, "params": chosen.set, **rounded}), flush=True)

    machine = {"cores": os.cpu_count(), "system": f"{platform.system()} {platform.machine()}".lower()}
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    machine["cpu"] = next((line.split(":")[1].strip() for line in lines if "model name" in line), "?")
    today = str(datetime.datetime.now(tz=datetime.timezone.utc).date())
    print(json.dumps({"bench": "py-cluster", "date": today, "machine": machine}), flush=True)

    # As many processors as there are workers in all; one server at a time works.
    ray.init(
        "local", num_cpus=3, object_store_memory=500 * 10**6, include_dashboard=False, log_to_driver=False
    )
    client = bootes.Client(chosen.set)
    seconds, key = of_processors(client.server_key)
    tell("server key", cpu_seconds=seconds, key_bytes=key.nbytes)
    tell("key to bytes", cpu_seconds=of_processors(key.to_bytes)[0])
    capacity = client.params.capacity
    values = np.arange(capacity * chosen.ciphertexts * 2) % 2
    seconds, x = of_processors(lambda: client.encrypt(values))
    count = 2 * chosen.ciphertexts
    tell("encrypt a ciphertext", cpu_seconds=seconds / count, bytes=x.nbytes // count)
    table = np.arange(x.modulus or 2)[::-1]

    start = time.perf_counter()
    one = bootes.ray.Server(key, threads=1, workers=1)
    put = time.perf_counter() - start
    y = one.evaluate(table, x[:capacity])
    tell("first answer of a worker", seconds=time.perf_counter() - start, put_seconds=put)
    seconds, decrypted = of_processors(lambda: client.decrypt(y))
    tell(
        "decrypt a ciphertext",
        cpu_seconds=seconds,
        bytes=y.nbytes,
        correct=bool((decrypted == table[values[:capacity]]).all()),
    )
    two = bootes.ray.Server(key, threads=1, workers=2)
    two.evaluate(table, x)
    peak = on_actors([one], lambda: float(__import__("resource").getrusage(0).ru_maxrss) * 1024)
    tell("memory of a worker", peak_bytes=int(peak))

    def worked() -> list[float]:
        return [time.process_time(), *(on_actors([server], time.process_time) for server in (one, two))]

    rates: list[tuple[float, float, float]] = []
    rounds = 0
    while len(rates) < chosen.rounds and rounds < 20 * chosen.rounds:
        quiet(chosen.others)
        before, own = processors(), worked()
        alone, y = timed(lambda: one.evaluate(table, x[: capacity * chosen.ciphertexts]))
        both, z = timed(lambda: two.evaluate(table, x))
        own = [b - a for a, b in zip(own, worked(), strict=True)]
        busy, there = (b - a for a, b in zip(before, processors(), strict=True))
        right = (client.decrypt(z) == table[values]).all() and (
            client.decrypt(y) == table[values[: y.size]]
        ).all()
        ratio, cpu_ratio, others = 2 * alone / both, 4 * own[1] / own[2], (busy - sum(own)) / there
        times = {"seconds_one": alone / chosen.ciphertexts, "seconds_two": both / (2 * chosen.ciphertexts)}
        fields = times | {"ratio": ratio, "cpu_ratio": cpu_ratio, "others": others}
        tell("a ciphertext", **fields, correct=bool(right), counts=others < chosen.others)
        if others < chosen.others:
            rates.append((ratio, cpu_ratio, times["seconds_one"]))
        rounds += 1
    if rates:
        ratio, cpu_ratio, seconds = (statistics.median(column) for column in zip(*rates, strict=True))
        tell("two workers beside one", ratio=ratio, cpu_ratio=cpu_ratio, seconds=seconds, rounds=len(rates))
    ray.shutdown()


if __name__ == "__main__":
    main()
