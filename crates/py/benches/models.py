"""Models of scikit-learn on encrypted rows: `python benches/models.py` prints lines of JSON.

On one thread, in time of processors: the rows whole, as a batch of engine ckks, or one. Beside it how many
held-out rows are right in floats and in integers, whether every score is that of the plain integers, and what
was predicted. `--rows tree,logistic` takes models by name, `--count 1` one row; a batch takes 5 GB of memory
and up to half an hour a model.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from typing import Any

import bootes
import bootes.sklearn
import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

CANCER: Any = load_breast_cancer(return_X_y=True)
DIGITS: Any = load_digits(return_X_y=True)
# The first ten columns are means, of which the others are errors and extremes.
TEN = (CANCER[0][:, :10], CANCER[1])

# What is scored: the model, its rows, the bits of a column.
MODELS: dict[str, tuple[Any, tuple[Any, Any], int]] = {
    "tree": (DecisionTreeClassifier(max_depth=5, random_state=0), TEN, 6),
    "forest": (RandomForestClassifier(50, max_depth=5, random_state=0), TEN, 6),
    "boosting": (GradientBoostingClassifier(n_estimators=50, max_depth=4, random_state=0), TEN, 6),
    "logistic": (make_pipeline(StandardScaler(), LogisticRegression()), CANCER, 6),
    "network": (make_pipeline(StandardScaler(), MLPClassifier(32, max_iter=500, random_state=0)), DIGITS, 4),
}


def measured(name: str, count: int) -> dict[str, Any]:
    """Fit a model, score so many rows under encryption, and say what came."""
    fitted, (x, y), bits = MODELS[name]
    train, test, of_train, of_test = map(np.asarray, train_test_split(x, y, random_state=0))
    fitted.fit(train, of_train)
    model = bootes.sklearn.compile(fitted, train, bits=bits)
    codec, plain = model.codec, model.codec.labels(model.plain(test))
    # Held-out rows again and again.
    given = np.resize(test, (count, test.shape[1]))

    client = bootes.Client(model.params(rows=count))
    begun = time.process_time()
    key = None if model.is_linear else client.server_key(threads=1)
    keygen = time.process_time() - begun
    server = None if key is None else bootes.Server(key, threads=1)
    rows = codec.encrypt(client, given)
    predicted = None if model.is_linear else model.plan(server, rows).seconds()
    if count == 1:
        # The first row of a model is planned.
        model.evaluate(server, rows)
    before, clock = time.process_time(), time.perf_counter()
    scores = model.evaluate(server, rows)
    spent, taken = time.process_time() - before, time.perf_counter() - clock
    return {
        "params": client.params.name,
        "rows": count,
        "keygen_cpu_s": keygen,
        "keys_mbytes": 0.0 if key is None else len(key.to_bytes()) / 1e6,
        "row_kbytes": sum(column.nbytes for column in rows) / 1e3 / count,
        "scores_kbytes": sum(score.nbytes for score in scores) / 1e3 / count,
        "cpu_ms": 1e3 * spent / count,
        "ms": 1e3 * taken / count,
        "predicted_ms": None if predicted is None else 1e3 * predicted / count,
        "gbytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
        "right_in_floats": float(fitted.score(test, of_test)),
        "right_in_integers": float((plain == of_test).mean()),
        "correct": bool(np.array_equal(codec.decrypt(client, scores), model.plain(given))),
    }


def main() -> None:
    """Measure."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rows", default=",".join(MODELS))
    arguments.add_argument("--count", type=int, default=65536)
    chosen = arguments.parse_args()
    for name in chosen.rows.split(","):
        found = measured(name, chosen.count).items()
        rounded = {name: round(x, 4) if isinstance(x, float) else x for name, x in found}
        print(json.dumps({"bench": "py-models", "row": name, **rounded}), flush=True)


if __name__ == "__main__":
    main()
