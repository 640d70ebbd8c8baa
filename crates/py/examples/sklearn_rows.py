"""Breast cancers by logistic regression and by a tree, on encrypted rows.

    python sklearn_rows.py              # toy parameters, which hide nothing, in seconds
    python sklearn_rows.py --earnest

The hospital has rows, the server has models. The server sees ciphertexts; the hospital sees scores.
"""

from __future__ import annotations

import pickle
import sys
import time
from typing import Any

import bootes
import bootes.sklearn
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier


def score(name: str, fitted: Any, toy: str | None, train: Any, test: Any, of_test: Any) -> None:
    """Score the first rows under encryption, and all of them in plain."""
    model = bootes.sklearn.compile(fitted, train)
    codec = pickle.loads(pickle.dumps(model.codec))  # what the hospital is sent

    client = bootes.Client(toy or model.params(rows=4))
    server = None if model.is_linear else bootes.Server(client.server_key())
    rows = codec.encrypt(client, test[:4])

    start = time.perf_counter()
    scores = model.evaluate(server, rows)  # on the server
    seconds = time.perf_counter() - start

    integers = codec.decrypt(client, scores)
    assert np.array_equal(integers, model.plain(test[:4]))
    right = (codec.labels(model.plain(test)) == of_test).mean()
    print(f"{name}: {codec.labels(integers)} in {seconds:.3g} s with {client.params.name}")
    print(f"  of all {len(test)} rows {right:.3f} are right, in floats {fitted.score(test, of_test):.3f}")


def main() -> None:
    """Score rows of both models."""
    x, y = load_breast_cancer(return_X_y=True)
    train, test, of_train, of_test = train_test_split(x, y, random_state=0)
    linear = make_pipeline(StandardScaler(), LogisticRegression()).fit(train, of_train)
    tree = DecisionTreeClassifier(max_depth=4, random_state=0).fit(train, of_train)
    toys = (None, None) if "--earnest" in sys.argv[1:] else ("toy_int16", "toy_8")
    score("logistic regression", linear, toys[0], train, test, of_test)
    score("tree", tree, toys[1], train, test, of_test)


if __name__ == "__main__":
    main()
