"""Networks of scikit-learn on encrypted rows, beside the same in plain integers and in floats."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import bootes
import numpy as np
import pytest

pytest.importorskip("sklearn")

import bootes.sklearn
from sklearn.metrics import r2_score
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from test_sklearn import check, fitted, keys

if TYPE_CHECKING:
    from collections.abc import Callable

# Few bits and toy sets, on purpose.
pytestmark = pytest.mark.filterwarnings("ignore::bootes.AccuracyWarning")

NETWORKS = [
    ("digits", MLPClassifier((32,), max_iter=300, random_state=0)),
    ("cancer", make_pipeline(StandardScaler(), MLPClassifier((8, 6), "tanh", max_iter=500, random_state=0))),
    ("iris", make_pipeline(StandardScaler(), MLPClassifier((6,), max_iter=2000, random_state=0))),
    (
        "diabetes",
        make_pipeline(
            MinMaxScaler(),
            MLPRegressor(
                hidden_layer_sizes=(8,),
                activation="logistic",
                learning_rate_init=0.05,
                max_iter=3000,
                random_state=0,
            ),
        ),
    ),
]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(("data", "model"), NETWORKS)
def test_networks(data: str, model: Any) -> None:
    """Stay within a point of the network in floats, and score encrypted rows as plain ones."""
    model, train, test, of_test = fitted(data, model)
    compiled = bootes.sklearn.compile(model, train)
    labels = compiled.codec.labels(compiled.plain(test))
    if data == "diabetes":
        assert r2_score(of_test, labels) > model.score(test, of_test) - 0.01
    else:
        assert (labels == of_test).mean() > model.score(test, of_test) - 0.01
        found = compiled.codec.probabilities(compiled.plain(test))
        assert np.abs(found - model.predict_proba(test)).mean() < 0.03
    # Rows that no sum may leave its range for: the ends of all columns.
    ends = np.where(test[:2] > np.median(train, axis=0), 1e6, -1e6)
    check(compiled, np.concatenate([test[:2], ends]), "toy_int16")
    if data != "digits":
        check(bootes.sklearn.compile(model, train, sums=9), test[:5], "toy_batch_9bit", "toy_int16")


@pytest.mark.parametrize("data", ["digits", "cancer", "iris"])
def test_no_row_leaves_the_sums(data: str) -> None:
    """Keep all sums within their bits, for the worst cells that there can be."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it stopped early
        model, train, _, _ = fitted(data, MLPClassifier((12, 7), max_iter=20, random_state=1))
    for sums in (6, 11, 16):
        compiled = bootes.sklearn.compile(model, train, sums=sums)
        largest = np.array(compiled.codec.sizes) - 1
        for layer in compiled.layers:
            least = np.minimum(layer.weights, 0) @ largest + layer.constants
            most = np.maximum(layer.weights, 0) @ largest + layer.constants
            assert least.min() >= 0
            assert most.max() < len(layer.table)
            largest = np.full(len(layer.weights), layer.table.max())
        half = 1 << (min(sums, 12) - 1)
        reach = np.abs(compiled.weights) @ largest
        assert (np.maximum(compiled.weights, 0) @ largest + compiled.constants).max() < 1 << (
            min(sums, 12) - 1
        )
        assert reach.max() < 2 * half


def test_networks_are_planned() -> None:
    """Tell the tables of each layer, and choose parameters by the number of rows."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it stopped early
        model, train, test, _ = fitted("iris", MLPClassifier((6, 4), max_iter=50, random_state=0))
    compiled = bootes.sklearn.compile(model, train, sums=6)
    for name in ("toy_int16", "toy_batch_6bit"):
        client, server = keys(name)
        columns = compiled.codec.encrypt(client, test[:2])
        plan = compiled.plan(server, columns)
        assert [(what, tables) for what, tables, _ in plan.steps] == [("layer 1", 6), ("layer 2", 4)]
        assert compiled.plan(server, columns, 5000).seconds() > plan.seconds() > 0
        assert plan.seconds(5000) >= plan.seconds()
        assert plan.memory > 1000
        assert server.params.log2_p_fail < plan.log2_p_fail < -55
    # A batch is of the rows for each neuron: it pays from some hundred rows on, and not of a dozen.
    assert [compiled.params(rows).engine for rows in (1, 15, 60000)] == ["fhew", "fhew", "ckks"]
    for sums in (8, 14, 15):
        compiled_so = bootes.sklearn.compile(model, train, sums=sums)
        assert compiled_so.params(60000).bits >= sums
    client, server = keys("toy_int16")
    other = bootes.sklearn.compile(model, train, sums=7).codec.encrypt(client, test[:2])
    cases: list[tuple[type[Exception], str, Callable[[], object]]] = [
        (
            bootes.ArgumentError,
            "columns modulo 256, expected 128",
            lambda: compiled.evaluate(server, list(other)),
        ),
        (bootes.ArgumentError, "no server, which tables take", lambda: compiled.evaluate(None, columns)),
        (
            bootes.ArgumentError,
            "sums of 14 bits, and parameter set toy_batch_6bit has no tables",
            lambda: bootes.sklearn.compile(model, train).codec.encrypt(keys("toy_batch_6bit")[0], test),
        ),
        (
            bootes.ArgumentError,
            "sums=17, expected 4 to 16",
            lambda: bootes.sklearn.compile(model, train, sums=17),
        ),
        (
            bootes.UnsupportedError,
            "bfv",
            lambda: compiled.codec.encrypt(bootes.Client("toy_slots_257"), test),
        ),
    ]
    columns = compiled.codec.encrypt(client, test[:2])
    for kind, words, call in cases:
        with pytest.raises(kind, match=words) as refused:
            call()
        assert "\n" not in str(refused.value)
