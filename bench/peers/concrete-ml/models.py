"""Models of Concrete ML on encrypted rows, on one thread: prints a JSON line a model.

The data, the held-out rows and the models are those of `crates/py/benches/models.py`, as far as Concrete ML
has them. The time of a row is that of its circuit alone: no encryption, no decryption.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import statistics
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from concrete.ml.sklearn import (
    DecisionTreeClassifier,
    LogisticRegression,
    NeuralNetClassifier,
    RandomForestClassifier,
    XGBClassifier,
)
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

if TYPE_CHECKING:
    from collections.abc import Callable

torch.set_num_threads(1)

# Weights and activations of 4 bits are its own default; half of 64 columns are 32 hidden neurons.
NETWORK: dict[str, Any] = {
    "module__n_layers": 2,
    "module__n_hidden_neurons_multiplier": 0.5,
    "module__n_w_bits": 4,
    "module__n_a_bits": 4,
    "max_epochs": 60,
    "verbose": 0,
}

# How to make each model, the columns that it takes (None: the digits), whether they are scaled first.
MODELS: dict[str, tuple[Callable[[], Any], slice | None, bool]] = {
    "tree": (lambda: DecisionTreeClassifier(n_bits=6, max_depth=5, random_state=0), slice(10), False),
    "logistic": (lambda: LogisticRegression(n_bits=6), slice(30), True),
    "network": (lambda: NeuralNetClassifier(**NETWORK), None, True),
    "boosting": (
        lambda: XGBClassifier(
            n_bits=6, n_estimators=50, max_depth=4, learning_rate=0.1, n_jobs=1, random_state=0
        ),
        slice(10),
        False,
    ),
    "forest": (
        lambda: RandomForestClassifier(n_bits=6, n_estimators=50, max_depth=5, n_jobs=1, random_state=0),
        slice(10),
        False,
    ),
}


def held_out(columns: slice | None, scaled: bool) -> tuple[Any, Any, Any, Any]:
    """Rows to fit, rows held out, and the classes of both."""
    x, y = load_digits(return_X_y=True) if columns is None else load_breast_cancer(return_X_y=True)
    train, test, of_train, of_test = train_test_split(x[:, columns or slice(None)], y, random_state=0)
    if scaled:
        scaler = StandardScaler().fit(train)
        train, test = scaler.transform(train), scaler.transform(test)
    if columns is None:
        train, test = train.astype(np.float32), test.astype(np.float32)
    return train, test, of_train, of_test


def clocks() -> tuple[float, float]:
    """Seconds of this process on all processors, and of the wall."""
    return time.process_time(), time.perf_counter()


def since(start: tuple[float, float]) -> tuple[float, float]:
    """Seconds since then, by both clocks."""
    cpu, wall = clocks()
    return cpu - start[0], wall - start[1]


def measured(name: str, log2_failure: float | None, count: int) -> dict[str, Any]:
    """Fit a model, compile it for this failure of a table, score so many held-out rows under encryption."""
    make, columns, scaled = MODELS[name]
    train, test, of_train, of_test = held_out(columns, scaled)
    torch.manual_seed(0)
    # The second is the same model of scikit-learn, XGBoost or torch in floats, fitted to the same rows.
    model, in_floats = make().fit_benchmark(train, of_train)

    start = clocks()
    circuit = model.compile(train, p_error=None if log2_failure is None else 2.0**log2_failure)
    compiling = since(start)
    start = clocks()
    circuit.keygen(force=True)
    keygen = since(start)

    times: list[tuple[float, float]] = []
    sizes: list[tuple[int, int]] = []
    as_clear: list[bool] = []

    def run(row: np.ndarray) -> Any:
        encrypted = circuit.encrypt(row)
        start = clocks()
        result = circuit.run(encrypted)
        times.append(since(start))
        sizes.append((len(encrypted.serialize()), len(result.serialize())))
        decrypted = circuit.decrypt(result)
        as_clear.append(bool(np.array_equal(decrypted, circuit.graph(row))))
        return decrypted

    # What `predict` calls.
    circuit.encrypt_run_decrypt = run
    rows, of_rows = test[:count], of_test[:count]
    labels = model.predict(rows, fhe="execute")
    # The first row expands keys: where there are others, it is told apart.
    later = times[1:] or times
    plain = model.predict(test, fhe="disable")

    # Of one table, the largest among those of the circuit; 0 where it has none.
    tables = circuit.programmable_bootstrap_count
    return {
        "log2_p_fail": math.log2(circuit.p_error) if tables else None,
        "tables": tables,
        "bits": circuit.graph.maximum_integer_bit_width(),
        "compile_cpu_s": compiling[0],
        "keygen_cpu_s": keygen[0],
        "keygen_s": keygen[1],
        "keys_mbytes": len(circuit.client.evaluation_keys.serialize()) / 1e6,
        "expanded_keys_mbytes": (circuit.size_of_bootstrap_keys + circuit.size_of_keyswitch_keys) / 1e6,
        "row_kbytes": sizes[0][0] / 1e3,
        "scores_kbytes": sizes[0][1] / 1e3,
        "first_ms": 1e3 * times[0][0],
        "runs": len(rows),
        "peer_ms": 1e3 * statistics.median(cpu for cpu, _ in later),
        "peer_wall_ms": 1e3 * statistics.median(wall for _, wall in later),
        "gbytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
        "right_in_floats": float((in_floats.predict(test) == of_test).mean()),
        "right_in_integers": float((plain == of_test).mean()),
        "right_encrypted": float((labels == of_rows).mean()),
        "correct": all(as_clear),
        "other_than_clear": as_clear.count(False),
        "other_labels": int((labels != plain[:count]).sum()),
    }


def beside(name: str, found: dict[str, Any], path: str) -> dict[str, Any]:
    """Add what our `models.py` printed of one row by the same model."""
    with open(path, encoding="utf-8") as file:
        for ours in map(json.loads, file):
            if (ours["bench"], ours["row"], ours.get("rows")) == ("py-models", name, 1):
                fields = ("keygen_cpu_s", "keys_mbytes", "row_kbytes", "scores_kbytes", "right_in_integers")
                return {
                    "params": ours["params"],
                    "ours_ms": ours["cpu_ms"],
                    "ours_wall_ms": ours["ms"],
                    "ratio": ours["cpu_ms"] / found["peer_ms"],
                    **found,
                    **{f"ours_{field}": ours[field] for field in fields},
                    "correct": found["correct"] and ours["correct"],
                }
    raise SystemExit(f"{path} has no row by {name}")


def main() -> None:
    """Measure."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rows", default=",".join(MODELS), help="models by name")
    arguments.add_argument("--count", type=int, default=3, help="rows to score under encryption")
    arguments.add_argument("--log2-failure", type=float, help="of a table; Concrete ML's own default is -40")
    arguments.add_argument("--beside", metavar="FILE", help="what our models.py printed with --count 1")
    chosen = arguments.parse_args()
    # Their threads start with the libraries, before this line.
    if any(os.environ.get(name) != "1" for name in ("OMP_NUM_THREADS", "RAYON_NUM_THREADS")):
        raise SystemExit("set OMP_NUM_THREADS=1 and RAYON_NUM_THREADS=1: times are those of one thread")
    for name in chosen.rows.split(","):
        found = measured(name, chosen.log2_failure, chosen.count)
        if chosen.beside is not None:
            found = beside(name, found, chosen.beside)
        asked = "" if not found["tables"] else f", 2^{chosen.log2_failure or -40:.0f}"
        rounded = {key: round(x, 4) if isinstance(x, float) else x for key, x in found.items()}
        print(json.dumps({"bench": "peers-concrete-ml", "row": f"{name}{asked}", **rounded}), flush=True)


if __name__ == "__main__":
    main()
