"""The Python package beside the Rust door: `python benches/door.py` prints lines of JSON.

The same key, ciphertexts, table and thread, by turns, in time of processors. It takes the Rust half,
`cargo build --release -p bootes-bench --bin door`, and 8 GB of memory. The import and the wheel are measured,
too.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import bootes
import numpy as np

ROOT = Path(__file__).parents[3]
IMPORT = "import numpy, time; t = time.perf_counter(); import bootes; print(time.perf_counter() - t)"


def beside(door: Path, client: bootes.Client, values: int, rounds: int) -> dict[str, Any]:
    """Evaluate x² + 1 by turns."""
    x = client.encrypt(np.arange(values) % 256, bits=8)
    key = client.server_key()
    with tempfile.TemporaryDirectory() as folder:
        files = [f"{folder}/server.key", f"{folder}/x.ct"]
        key.save(files[0])
        x.save(files[1])
        other = subprocess.Popen([door, *files, "256"], text=True, stdin=-1, stdout=-1)
        server = bootes.Server(key, threads=1)
        plan = server.plan(lambda x: (x * x + 1) % 256, x)
        times: list[tuple[float, float]] = []
        right = True
        assert other.stdin is not None
        assert other.stdout is not None
        for _ in range(rounds + 1):
            other.stdin.write("\n")
            other.stdin.flush()
            rust = float(other.stdout.readline())
            before = time.process_time()
            y = server.evaluate(plan, x)
            times.append((rust, time.process_time() - before))
            right &= bool((client.decrypt(y) == (np.arange(values) ** 2 + 1) % 256).all())
            del y
        other.stdin.close()
        other.wait()
    # The first touches memory.
    rust, python = (statistics.median(column) for column in zip(*times[1:], strict=True))
    ratio = statistics.median(python / rust for rust, python in times[1:])
    return {
        "rust_ms": 1e3 * rust,
        "python_ms": 1e3 * python,
        "ratio": ratio,
        "runs": rounds,
        "correct": right,
    }


def main() -> None:
    """Measure."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--door", type=Path, default=ROOT / "target/release/door")
    arguments.add_argument("--wheel", type=Path)
    arguments.add_argument("--rounds", type=int, default=9)
    chosen = arguments.parse_args()

    def tell(row: str, **fields: Any) -> None:
        rounded = {name: round(x, 4) if isinstance(x, float) else x for name, x in fields.items()}
        print(json.dumps({"bench": "py-door", "row": row, **rounded}), flush=True)

    times = [float(subprocess.check_output([sys.executable, "-c", IMPORT])) for _ in range(9)]
    tell("import, beyond NumPy's own", median_ms=1e3 * statistics.median(times))
    if chosen.wheel:
        tell("wheel", bytes=chosen.wheel.stat().st_size)
    for many, values in ((None, 16), (65536, 65536)):
        client = bootes.Client(bits=8, many=many)
        fields = {"params": client.params.name} | beside(chosen.door, client, values, chosen.rounds)
        tell(f"a table of 8 bits on {values} values", **fields)


if __name__ == "__main__":
    main()
