"""Models in integers of any bits and any number of columns are as accurate as in floats, or say so."""

from __future__ import annotations

import warnings
from typing import Any

import bootes
import numpy as np
import pytest

pytest.importorskip("sklearn")

import bootes.sklearn
from sklearn.datasets import load_breast_cancer, load_digits, make_classification, make_regression
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier, RandomForestRegressor
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import r2_score
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from test_sklearn import check

Rows = tuple[Any, Any, Any, Any]


def numbers(columns: int) -> Rows:
    """Give rows of numbers to fit to, others, and what they are."""
    x: Any
    x, y, *_ = make_regression(3000, columns, n_informative=min(columns, 100), noise=5, random_state=0)
    return halves(x, y)


def classes(columns: int, count: int) -> Rows:
    """Give rows of classes."""
    x, y = make_classification(3000, columns, n_informative=20, n_classes=count, class_sep=2, random_state=0)
    return halves(x, y)


def halves(x: Any, y: Any) -> Rows:
    """Give two thirds to fit to, and a third."""
    train, test, of_train, of_test = train_test_split(x, y, random_state=0, test_size=1 / 3)
    return train, test, of_train, of_test


def compiled(fitted: Any, x: Any, **how: Any) -> tuple[bootes.sklearn.Model, str]:
    """Compile, and give what is said of the accuracy."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        model = bootes.sklearn.compile(fitted, x, **how)
    assert all(one.category is bootes.AccuracyWarning for one in found)
    assert all(one.filename == __file__ for one in found)
    return model, str(found[0].message) if found else ""


def lost(fitted: Any, model: bootes.sklearn.Model, x: Any, y: Any) -> float:
    """Give how much less accurate a model is than in floats."""
    labels = model.codec.labels(model.plain(x))
    if model.codec.classes is None:
        return float(fitted.score(x, y) - r2_score(y, labels))
    return float(fitted.score(x, y) - (labels == y).mean())


@pytest.mark.parametrize("columns", [30, 500, 2000])
@pytest.mark.parametrize("count", [0, 2, 3])
def test_linear_models_of_any_bits(columns: int, count: int) -> None:
    """Keep the accuracy with columns of 6 bits and more, however many there are, and say what 4 bits lose."""
    train, test, of_train, of_test = classes(columns, count) if count else numbers(columns)
    scaled = make_pipeline(StandardScaler(), LogisticRegression(max_iter=200))
    model = (scaled if count else Ridge()).fit(train, of_train)
    spread = of_test.std()
    for bits in (None, 2, 4, 6, 8, 10, 12):
        found, said = compiled(model, train, bits=bits)
        assert said or lost(model, found, test, of_test) < 0.01
        assert ("compile with bits=6" in said) if bits == 2 else (not said or bits == 4)
        assert found.codec.scale > 0
        # No score of any row leaves its bits.
        reach = np.abs(2 * found.constants + found.weights.sum(axis=1) * max(found.codec.sizes))
        reach = reach + np.abs(found.weights).sum(axis=1) * max(found.codec.sizes)
        assert reach.max() < 2 << found.codec.score_bits
        if not count:
            # What is rounded adds nothing to all rows alike.
            mean = (found.codec.labels(found.plain(test)) - model.predict(test)).mean()
            assert abs(mean) < 0.02 * spread


@pytest.mark.parametrize("name", ["toy_int16", "toy_8", "toy_batch_6bit"])
def test_long_scores_are_decrypted(name: str) -> None:
    """Give of encrypted rows what plain ones have, where scores are longer than one ciphertext has."""
    train, test, of_train, _ = numbers(300)
    model, said = compiled(Ridge().fit(train, of_train), train, bits=10)
    assert model.codec.score_bits > 21
    assert not said
    check(model, np.concatenate([test[:2], test[:1] * 1e3, test[:1] * -1e3]), name)


def test_ten_thousand_rows() -> None:
    """Stay within a point on 3,334 of them, by make_classification(10000, 20, random_state=0)."""
    x, y = make_classification(10_000, 20, n_informative=8, n_classes=3, class_sep=1.5, random_state=0)
    train, test, of_train, of_test = halves(x, y)
    models = [
        DecisionTreeClassifier(max_depth=6, random_state=0),
        RandomForestClassifier(10, max_depth=6, random_state=0),
        LogisticRegression(max_iter=1000),
        make_pipeline(StandardScaler(), MLPClassifier(16, max_iter=60, random_state=0)),
    ]
    for fitted in models:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # it need not end
            fitted.fit(train, of_train)
        model, said = compiled(fitted, train)
        assert not said
        assert lost(fitted, model, test, of_test) < 0.01


@pytest.mark.parametrize("columns", [30, 200])
def test_networks_and_neighbours_of_any_bits(columns: int) -> None:
    """Keep the accuracy, or say which bits do."""
    train, test, of_train, of_test = classes(columns, 3)
    network = make_pipeline(StandardScaler(), MLPClassifier((16,), max_iter=40, random_state=0))
    models = [KNeighborsClassifier(3).fit(train[:200], of_train[:200])]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it stopped early
        models.append(network.fit(train, of_train))
    for model in models:
        for bits in (None, 4, 6, 10, 12):
            found, said = compiled(model, train, bits=bits)
            assert said or lost(model, found, test, of_test) < 0.01
            assert said or bits not in (10, 12)
            assert not said or "compile with bits=" in said or "fit to fewer columns" in said
            if "compile with" in said and "for less" not in said:
                words = said.rsplit("compile with ")[1].split(", ")
                found, said = compiled(model, train, **{w.split("=")[0]: int(w.split("=")[1]) for w in words})
                assert not said
                assert lost(model, found, test, of_test) < 0.01


def test_digits_of_any_bits() -> None:
    """Say that columns of so many bits leave nothing for weights, and keep what is accurate."""
    x, y = load_digits(return_X_y=True)
    train, test, of_train, of_test = train_test_split(x, y, random_state=0)
    models = [
        MLPClassifier((32,), max_iter=300, random_state=0).fit(train, of_train),
        KNeighborsClassifier(1).fit(train[:300], of_train[:300]),
    ]
    for model in models:
        for bits in range(4, 13):
            found, said = compiled(model, train, bits=bits)
            assert said or lost(model, found, test, of_test) < 0.01
            assert "compile with bits=4" in said if bits > 9 else not said or bits > 6


def test_neighbours_in_columns_that_are_not_scaled() -> None:
    """Say that labels differ, where a few distances are so large that scores do not tell."""
    x, y = load_breast_cancer(return_X_y=True)
    train, test, of_train, of_test = train_test_split(x, y, random_state=0)
    model = KNeighborsClassifier(3).fit(train[:200], of_train[:200])
    for bits in (None, 4, 6, 8):
        found, said = compiled(model, train, bits=bits)
        assert "of the rows given get other labels" in said or lost(model, found, test, of_test) < 0.01


def test_too_many_columns_for_a_network() -> None:
    """Say what loses least, and that it is not enough."""
    random = np.random.default_rng(0)
    x = random.normal(size=(200, 3000))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it stopped early
        model = MLPRegressor(hidden_layer_sizes=(2,), max_iter=5, random_state=0).fit(x, x[:, 0])
    _, said = compiled(model, x, bits=10)
    assert "fit to fewer columns" in said
    assert "sums=16 for less" in said


def test_trees_and_outliers() -> None:
    """Advise thresholds, or bits, and cut columns finer than usual where nobody said how fine."""
    x = np.random.default_rng(0).normal(size=(500, 4))
    y = 10 * (x[:, 0] > 0.1) + x[:, 1]
    model = RandomForestRegressor(5, max_depth=6, random_state=0).fit(x, y)
    found, said = compiled(model, x, bits=2)
    assert "compile with bits=" in said
    found, said = compiled(model, x)
    assert not said
    # A column of a few outliers has the rest in one cell.
    x[0] = 1e6
    found, said = compiled(model, x)
    assert "compile with grid='thresholds'" in said
    found, said = compiled(model, x, grid="thresholds", bits=8)
    assert not said
    linear = Ridge().fit(x[1:], y[1:])
    found, said = compiled(linear, x)
    assert not said or "fit to columns without outliers" in said
    assert found.codec.scale > 0
    # Which column, and how many integers it has.
    wide, what = np.ones((9000, 2)), np.arange(9000) % 5000
    wide[:, 0], wide[0, 0] = what, 1e9
    _, said = compiled(DecisionTreeRegressor(random_state=0).fit(wide, what), wide)
    assert "of column 0 100.0% of the rows are one of 64 integers" in said


def test_a_network_without_hidden_layers() -> None:
    """Take it as the linear model that it is."""
    x = np.random.default_rng(0).normal(size=(300, 5))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it stopped early
        model = MLPRegressor(hidden_layer_sizes=(), max_iter=300, random_state=0).fit(x, x.sum(axis=1))
    found, said = compiled(model, x)
    assert not said
    assert found.is_linear
    assert lost(model, found, x, x.sum(axis=1)) < 0.01


def test_labels_that_begin_above_the_first() -> None:
    """Compare trees that give no row the first class, and give that of models which have one."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(400, 3))
    y = (rng.random(400) < 0.9).astype(int)
    with warnings.catch_warnings():
        warnings.simplefilter("error", bootes.AccuracyWarning)
        for fitted in (
            DecisionTreeClassifier(max_depth=1, min_samples_leaf=100).fit(x, y),
            DecisionTreeClassifier(max_depth=2).fit(x[y == 1], y[y == 1]),
            RandomForestClassifier(n_estimators=3).fit(x, np.full(400, 7)),
        ):
            model = bootes.sklearn.compile(fitted, x)
            np.testing.assert_array_equal(model.codec.labels(model.plain(x)), fitted.predict(x))
        model = bootes.sklearn.compile(fitted, x)
        np.testing.assert_array_equal(model.codec.probabilities(model.plain(x)), fitted.predict_proba(x))


def test_trees_of_one_leaf() -> None:
    """Score what is left of a tree whose thresholds fall on one cut, encrypted as not, alone and in sums."""
    x = np.array([[0.0], [1], [2], [3], [4], [1000]])
    y = np.array([1, 1, 0, 1, 1, 1])
    client = bootes.Client("toy_8")
    server = bootes.Server(client.server_key())
    for fitted in (
        DecisionTreeClassifier(random_state=0).fit(x, y),
        DecisionTreeRegressor(random_state=0).fit(x, y * 2.5),
        RandomForestClassifier(n_estimators=3, max_depth=2, random_state=0).fit(x, y),
        GradientBoostingClassifier(n_estimators=2, random_state=0).fit(x, [0, 1, 2, 0, 1, 2]),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", bootes.AccuracyWarning)
            model = bootes.sklearn.compile(fitted, x, bits=3)
        found = model.codec.decrypt(client, model.evaluate(server, model.codec.encrypt(client, x)))
        np.testing.assert_array_equal(found, model.plain(x))


def test_thresholds_between_floats() -> None:
    """Round as trees do what is half-way between two numbers of 32 bits."""
    for start in (2**24, 2**24 + 2, 2**24 + 4):
        x = np.array([[start], [start + 2.0]])
        fitted = DecisionTreeRegressor().fit(x, [0, 1])
        model = bootes.sklearn.compile(fitted, x, grid="thresholds", bits=2)
        rows = np.array([[start], [start + 1.0], [start + 2.0]])
        np.testing.assert_array_equal(model.codec.labels(model.plain(rows)), fitted.predict(rows))
