"""Nearest neighbours of encrypted rows, beside the same in plain integers and in floats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bootes
import numpy as np
import pytest

pytest.importorskip("sklearn")

import bootes.sklearn
from bootes._neighbours import Plain, nearest
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from test_sklearn import DATA, check, keys

if TYPE_CHECKING:
    from collections.abc import Callable


# Few bits and toy sets, on purpose.
pytestmark = pytest.mark.filterwarnings("ignore::bootes.AccuracyWarning")


def fitted(data: str, model: Any, count: int) -> tuple[Any, Any, Any, Any]:
    """Fit a model to some points, and give what shows the ranges, other rows, and what they are."""
    x, y = DATA[data](return_X_y=True)
    train, test, of_train, of_test = train_test_split(x, y, random_state=0)
    return model.fit(train[:count], of_train[:count]), train, test, of_test


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("points", [1, 7, 8, 29])
def test_the_network_finds_the_least(count: int, points: int) -> None:
    """Give the least keys in order, whatever their order was."""
    if count > points:
        return
    random = np.random.default_rng(points)
    for _ in range(20):
        found = random.integers(0, 20, (points, 5))
        engine = Plain()
        np.testing.assert_array_equal(nearest(list(found), count, engine), np.sort(found, axis=0)[:count])
        assert engine.minima >= 0
        if count == 1:
            assert (engine.minima, engine.exchanges) == (points - 1, 0)


@pytest.mark.parametrize(
    ("data", "model", "count"),
    [
        ("iris", KNeighborsClassifier(3), 30),
        ("cancer", make_pipeline(StandardScaler(), KNeighborsClassifier(3)), 40),
        ("digits", KNeighborsClassifier(1), 100),
        ("digits", make_pipeline(MinMaxScaler(), KNeighborsClassifier(3)), 60),
    ],
)
def test_neighbours(data: str, model: Any, count: int) -> None:
    """Stay within a point of the model in floats, and find of encrypted rows what plain ones have."""
    model, train, test, of_test = fitted(data, model, count)
    compiled = bootes.sklearn.compile(model, train)
    codec = compiled.codec
    labels = codec.labels(compiled.plain(test))
    assert (labels == of_test).mean() > model.score(test, of_test) - 0.01
    assert labels.dtype == of_test.dtype
    found = codec.probabilities(compiled.plain(test))
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert np.abs(found - model.predict_proba(test)).mean() < 0.03
    ends = np.where(test[:1] > np.median(train, axis=0), 1e6, -1e6)
    check(compiled, np.concatenate([test[:2], ends]), "toy_int16")


def test_many_rows() -> None:
    """Find neighbours of many rows at once."""
    model, train, test, _ = fitted("iris", KNeighborsClassifier(3), 6)
    check(bootes.sklearn.compile(model, train, sums=8), test, "toy_batch_9bit")


def test_plans_and_refusals() -> None:
    """Tell how many comparisons there are, and what is not there."""
    model, train, test, of_test = fitted("iris", KNeighborsClassifier(3), 10)
    compiled = bootes.sklearn.compile(model, train, sums=8)
    for name in ("toy_int16", "toy_batch_9bit"):
        client, server = keys(name)
        columns = compiled.codec.encrypt(client, test[:2])
        plan = compiled.plan(server, columns)
        assert [what for what, _, _ in plan.steps] == ["minima", "exchanges", "classes"]
        assert compiled.plan(server, columns, 5000).seconds() > plan.seconds() > 0
        assert plan.seconds(5000) >= plan.seconds()
        assert plan.memory > 1000
        assert server.params.log2_p_fail < plan.log2_p_fail < -50
    assert [compiled.params(rows).engine for rows in (1, 60000)] == ["fhew", "ckks"]
    for sums in (8, 14, 15):
        compiled_so = bootes.sklearn.compile(model, train, sums=sums)
        assert compiled_so.params(60000).bits >= sums + 1
    client, server = keys("toy_int16")
    columns = compiled.codec.encrypt(client, test[:2])
    weighted = KNeighborsClassifier(3, weights="distance").fit(test, of_test)
    far = KNeighborsClassifier(3, metric="manhattan").fit(test, of_test)
    both = KNeighborsClassifier(3).fit(test, np.stack([of_test, of_test], axis=1))
    cases: list[tuple[type[Exception], str, Callable[[], object]]] = [
        (bootes.UnsupportedError, "weights='distance'", lambda: bootes.sklearn.compile(weighted, train)),
        (bootes.UnsupportedError, "metric 'manhattan'", lambda: bootes.sklearn.compile(far, train)),
        (bootes.UnsupportedError, "several outputs", lambda: bootes.sklearn.compile(both, train)),
        (
            bootes.ArgumentError,
            "3 classes take 2 of sums=5 bits",
            lambda: bootes.sklearn.compile(model, train, sums=5),
        ),
        (bootes.ArgumentError, "no server", lambda: compiled.evaluate(None, columns)),
        (
            bootes.ArgumentError,
            "sums of 8 bits, and parameter set toy_batch_4bit",
            lambda: compiled.codec.encrypt(keys("toy_batch_4bit")[0], test),
        ),
    ]
    for kind, words, call in cases:
        with pytest.raises(kind, match=words) as refused:
            call()
        assert "\n" not in str(refused.value)
    assert bootes.sklearn.compile(model, train, sums=6)  # What the refusal advises.


def test_more_neighbours_than_points_are_refused() -> None:
    """Say how many there may be, where scikit-learn fits more; and rows by their name."""
    x, y = np.array([[0.0, 1.0], [3.0, 2.0]]), [0, 1]
    with pytest.raises(bootes.ArgumentError, match=r"3 neighbours of 2 points: .* n_neighbors=2"):
        bootes.sklearn.compile(KNeighborsClassifier(3).fit(x, y), x)
    model = bootes.sklearn.compile(KNeighborsClassifier(2).fit(x, y), x)
    assert model.plain(x).shape == (2, 2)
    for rows in (-1, 0, 10**20):
        with pytest.raises(bootes.ArgumentError, match=f"rows={rows}, expected 1 to"):
            model.params(rows)
        with pytest.raises(bootes.ArgumentError, match=f"count={rows}, expected 1 to"):
            model.plan(count=rows)
