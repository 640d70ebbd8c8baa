"""Models that are none, and rows that are none, are refused; numbers of any size are taken, or refused."""

from __future__ import annotations

import copy
import pickle
import random
import re
import warnings
from functools import partial
from typing import TYPE_CHECKING, Any

import bootes
import numpy as np
import pytest

pytest.importorskip("sklearn")

import bootes.sklearn
from bootes._boosters import read_booster
from bootes._checks import MAX_DEPTH
from conftest import refused
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingRegressor, RandomForestRegressor
from sklearn.linear_model import (
    ElasticNet,
    Lasso,
    LinearRegression,
    LogisticRegression,
    Ridge,
    RidgeClassifier,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, QuantileTransformer, StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from test_accuracy import compiled
from test_boosters import changed, stored, walked
from test_sklearn import check, keys

if TYPE_CHECKING:
    from collections.abc import Iterator

COMPILE = bootes.sklearn.compile
X = np.random.default_rng(0).normal(size=(300, 3))
Y = X @ np.array([1.0, 2, 3])
TREES = ("learner", "gradient_booster", "model")
TREE = (*TREES, "trees", 0)
SHAPE = ("learner", "learner_model_param")
ROOT = ("tree_info", 0, "tree_structure")


def test_several_labels_of_a_row() -> None:
    """Refuse them by name, where there is a class for each column."""
    labels = (X > 0).astype(int)
    words = "several outputs of a linear model: expected one label a row, compile a model for each"
    for columns in (2, 3):
        model = RidgeClassifier().fit(X[:, :columns], labels[:, :columns])
        refused(bootes.UnsupportedError, words, partial(COMPILE, model, X[:, :columns]))
    for k in range(3):
        model = RidgeClassifier().fit(X, labels[:, k])
        one = COMPILE(model, X)
        assert (one.codec.labels(one.plain(X)) == model.predict(X)).mean() > 0.95


@pytest.mark.parametrize("model", [LinearRegression(), Ridge(), Lasso(0.01), ElasticNet(0.01)])
def test_several_numbers_of_a_row(model: Any) -> None:
    """Give each of them as it spreads, however unlike they are."""
    targets = np.stack([Y * 1e6, X[:, 0], Y * 1e-9 + 1e3, np.zeros(300)], axis=1)
    model.fit(X, targets)
    found, said = compiled(model, X)
    assert not said
    labels, expected = found.codec.labels(found.plain(X)), model.predict(X)
    spread = expected.std(axis=0)
    assert labels.shape == expected.shape
    assert (np.sqrt(((labels - expected) ** 2).mean(axis=0))[spread > 0] < 0.1 * spread[spread > 0]).all()
    check(found, X[:3], "toy_int16")
    # What one of them loses is not lost among others.
    _, said = compiled(model, np.concatenate([X, [[0, 1e4, 0]]]), bits=2)
    assert "scores are off" in said


def damaged() -> Iterator[tuple[dict[str, Any], str]]:
    """Give models that are none, and what is said."""
    first, second = stored("xgboost_cancer")[0], stored("lightgbm_cancer")[0]
    empty = {"learner": {}, "version": [3, 0, 0]}
    yield empty, "fitted['learner'] has no 'gradient_booster': give the whole of what save_model"
    yield {"learner": {}}, "fitted has no 'version': give the whole of what save_model"
    yield changed(first, "learner", "objective", to={}), "fitted['learner']['objective'] has no 'name'"
    for name in ("split_conditions", "right_children", "split_indices"):
        yield changed(first, *TREE, name, to=[0]), f"[{name!r}] has 1 entries, expected "
    for column in (-1, 99):
        yield changed(first, *TREE, "split_indices", 0, to=column), f"compares column {column}, expected 0 to"
    for child in (0, 1, 99, -7):
        yield changed(first, *TREE, "right_children", 0, to=child), "['trees'][0] is no tree: expected each"
    yield changed(first, *TREE, "left_children", 0, to=True), "expected a list of whole numbers"
    yield changed(first, *TREE, "split_conditions", -1, to=float("nan")), "has a leaf of [nan], expected fin"
    yield changed(first, *TREE, "split_conditions", -1, to=1e39), "has a leaf of [inf], expected finite"
    yield changed(first, *TREE, "split_conditions", 0, to=float("nan")), "has a threshold of nan"
    for start in ("0", "1E0", "-3", "nan", "", "a", "[0.5,0.5]"):
        yield changed(first, *SHAPE, "base_score", to=start), f"['base_score'] is {start!r}, expected "
    yield changed(first, *SHAPE, "num_class", to="3"), "['num_class'] is '3', expected 1 with this objective"
    yield changed(first, *SHAPE, "num_feature", to="1" + "0" * 18), "['num_feature'] is '1000"
    yield changed(first, *TREES, "tree_info", 0, to=-1), "expected numbers of outputs, 0 to 0"
    yield changed(first, *TREES, "trees", to=[]), "['trees'] is [], expected a tree at least"
    fewer = changed(first, *TREES, "trees", to=first["learner"]["gradient_booster"]["model"]["trees"][1:])
    yield (
        changed(
            fewer, *TREES, "tree_info", to=[0] * len(fewer["learner"]["gradient_booster"]["model"]["trees"])
        ),
        ("['num_trees'] is "),
    )
    yield changed(first, "learner", "feature_names", to=["a"]), "expected 30 names, one for each column"
    yield changed(second, "num_tree_per_iteration", to=0), "['num_tree_per_iteration'] is 0, expected a whole"
    yield changed(second, "tree_info", to=[]), "fitted['tree_info'] is [], expected a tree at least"
    yield changed(second, "tree_info", 0, to={}), "fitted['tree_info'][0] has no 'tree_structure'"
    yield changed(second, "max_feature_idx", to=10**20), "['max_feature_idx'] is 100000"
    yield changed(second, "objective", to="binary sigmoid:0"), "expected a finite number above 0 as sigmoid"
    yield changed(second, *ROOT, "threshold", to="0"), "['threshold'] is '0', expected a finite number"
    yield changed(second, *ROOT, "split_feature", to=30), "['split_feature'] is 30, expected a whole"
    yield changed(second, *ROOT, "missing_type", to="any"), "['missing_type'] is 'any', expected 'None'"
    yield changed(second, *ROOT, "left_child", to={"leaf_value": float("inf")}), "expected a finite number"
    three = stored("lightgbm_iris")[0]
    yield changed(three, "tree_info", to=three["tree_info"][:-1]), "expected a multiple of 3 trees"


@pytest.mark.parametrize("number", range(len(list(damaged()))))
def test_damaged_boosters(number: int) -> None:
    """Say where, and what was expected."""
    model, words = list(damaged())[number]
    line = str(refused(bootes.Error, words, partial(COMPILE, model, np.ones((2, 30)))))
    assert len(line) < 300


def test_boosters_that_have_no_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse trees in circles, and such as are too deep, in JSON and of scikit-learn."""
    model, train, *_ = stored("lightgbm_cancer")
    circle = copy.deepcopy(model)
    root = circle["tree_info"][0]["tree_structure"]
    root["left_child"] = root
    shared: dict[str, Any] = {"leaf_value": 1.0}
    for _ in range(40):
        shared = {**root, "left_child": shared, "right_child": shared}
    words = f"is deeper than {MAX_DEPTH}: fit it with max_depth="
    refused(bootes.UnsupportedError, words, partial(COMPILE, circle, train))
    many = changed(model, *ROOT, to=shared)
    monkeypatch.setattr("bootes._checks.MAX_NODES", 10**4)
    refused(bootes.UnsupportedError, "is of more nodes than 10000", partial(COMPILE, many, train))
    xgboost, chain = stored("xgboost_cancer")[0], 900
    tree = {
        "left_children": [*range(1, 2 * chain, 2), *[-1] * (chain + 1)],
        "right_children": [*range(2, 2 * chain + 1, 2), *[-1] * (chain + 1)],
        "split_indices": [0] * (2 * chain + 1),
        "split_conditions": [float(i) for i in range(2 * chain + 1)],
    }
    for i in range(chain):
        at = 2 * i
        tree["left_children"][at : at + 2], tree["right_children"][at : at + 2] = [at + 1, -1], [at + 2, -1]
    tree = {name: some[: 2 * chain + 1] for name, some in tree.items()}
    tree["left_children"][-1] = tree["right_children"][-1] = -1
    refused(bootes.UnsupportedError, words, partial(COMPILE, changed(xgboost, *TREE, to=tree), train))
    x = np.arange(1100.0)[:, None]
    y = 2.0 ** np.minimum(np.arange(1100), 1000)
    for fitted in (DecisionTreeRegressor().fit(x, y), RandomForestRegressor(2, random_state=0).fit(x, y)):
        found = refused(bootes.UnsupportedError, "tree_ is deeper than ", partial(COMPILE, fitted, x))
        assert type(fitted).__name__ in str(found)


def test_the_deepest_tree() -> None:
    """Take trees as deep as is told: compile, score, send them."""
    x = np.arange(300.0)[:, None]
    fitted = DecisionTreeRegressor(max_depth=MAX_DEPTH).fit(x, 3.0 ** np.arange(300))
    assert fitted.get_depth() == MAX_DEPTH
    for grid in ("uniform", "thresholds"):
        model, _ = compiled(fitted, x, bits=9, grid=grid)
        sent = pickle.loads(pickle.dumps(model))
        np.testing.assert_array_equal(sent.plain(x), model.plain(x))


SPECIAL: list[Any] = [
    *(
        None,
        True,
        0,
        1,
        -1,
        3,
        99,
        10**20,
        10**400,
        2**31,
        1.5,
        float("nan"),
        float("inf"),
        1e39,
        1e300,
        5e-324,
    ),
    *("", "a", "0", "1", "1E0", "nan", "[1,2]", "<=", "Zero", "binary sigmoid:2", "multi:softprob", "dart"),
    *([], {}, [1], [[1]], [None], {"a": 1}, ()),
]


def mutated(random: random.Random, model: dict[str, Any]) -> dict[str, Any]:
    """Give a model with something else in a place or two."""
    found = copy.deepcopy(model)
    for _ in range(random.choice([1, 1, 2])):
        at: Any = found
        while True:
            key = random.choice(list(at) if isinstance(at, dict) else range(len(at)))
            if not (isinstance(at[key], (dict, list)) and at[key] and random.random() < 0.85):
                break
            at = at[key]
        how = random.random()
        if how < 0.15:
            del at[key]
        elif how < 0.3 and isinstance(at[key], list):
            at[key] = at[key][: random.randrange(len(at[key]) + 1)]
        elif how < 0.5 and isinstance(at[key], (int, float)):
            at[key] += random.choice([1, -1, 0.5])
        else:
            at[key] = copy.deepcopy(random.choice(SPECIAL))
        if not found:
            break
    return found


def score(model: dict[str, Any], row: Any) -> Any:
    """Read JSON as plainly as can be: the sums of trees for a row."""
    if "tree_info" in model:
        sums = [0.0] * model["num_tree_per_iteration"]
        for i, tree in enumerate(model["tree_info"]):
            node = tree["tree_structure"]
            while "split_feature" in node:
                goes_left = row[int(node["split_feature"])] <= node["threshold"]
                node = node["left_child" if goes_left else "right_child"]
            sums[i % len(sums)] += node["leaf_value"]
        share = re.search("sigmoid:(.*)", model["objective"])
        average = len(sums) / len(model["tree_info"]) if model.get("average_output") else 1.0
        return np.array(sums) * (float(share[1]) if share else 1.0) * average
    learner = model["learner"]
    start = [float(one) for one in learner["learner_model_param"]["base_score"].strip("[]").split(",")]
    if learner["objective"]["name"].startswith("binary:logi"):
        start = [float(np.log(p / (1 - p))) for p in start]
    total = np.zeros(max(1, int(learner["learner_model_param"]["num_class"]))) + start
    forest = learner["gradient_booster"]["model"]
    for tree, k in zip(forest["trees"], forest["tree_info"], strict=True):
        i = 0
        while tree["left_children"][i] != -1:
            is_less = np.float32(row[tree["split_indices"][i]]) < np.float32(tree["split_conditions"][i])
            i = tree["left_children" if is_less else "right_children"][i]
        total[k] += tree["split_conditions"][i]
    return total


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.filterwarnings("error::RuntimeWarning", "ignore::bootes.AccuracyWarning")
def test_mutated_boosters(seed: int) -> None:
    """Refuse what is changed here and there, or read it as it is: nothing else comes of it."""
    source = random.Random(seed)
    names = [f"{kind}_{data}" for kind in ("xgboost", "lightgbm") for data in ("iris", "cancer", "diabetes")]
    models = {name: stored(name) for name in names}
    taken = 0
    for _ in range(150):
        model, train, test, *_ = models[source.choice(names)]
        other = mutated(source, model)
        try:
            read = read_booster(other)
            one = COMPILE(other, train[::5], bits=4)
            one.codec.labels(one.plain(test[:2]))
        except bootes.Error:
            continue
        assert read is not None
        taken += 1
        for row in test[:3]:
            found = read.base + sum(walked(tree, row) for tree in read.trees)
            with np.errstate(over="ignore"):
                np.testing.assert_allclose(found, score(other, row), rtol=1e-4, atol=1e-4)
    assert taken > 20


def with_number(model: Any, attribute: str, value: float) -> Any:
    """Give a model with a number in the first place of what it was fitted."""
    found = copy.deepcopy(model)
    *path, last = attribute.split(".")
    owner = found
    for name in path:
        owner = owner[int(name)] if name.isdigit() else getattr(owner, name)
    numbers = owner[int(last)] if last.isdigit() else getattr(owner, last)
    if np.ndim(numbers):
        numbers.reshape(-1)[0] = value
    else:
        setattr(owner, last, value)
    return found


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning", "error::RuntimeWarning")
def test_numbers_that_are_not_finite(value: float) -> None:
    """Refuse them by the name of what has them."""
    classes = (Y > 0).astype(int)
    network = MLPRegressor(hidden_layer_sizes=(3,), max_iter=5)
    tree = DecisionTreeRegressor(max_depth=2)
    cases: list[tuple[Any, str, str]] = [
        (Ridge().fit(X, Y), "coef_", "Ridge.coef_[0]"),
        (Ridge().fit(X, Y), "intercept_", "Ridge.intercept_"),
        (LogisticRegression().fit(X, classes), "coef_", "LogisticRegression.coef_[0, 0]"),
        (LinearSVC().fit(X, classes), "intercept_", "LinearSVC.intercept_[0]"),
        (network.fit(X, Y), "coefs_.1", "MLPRegressor.coefs_[1][0, 0]"),
        (network.fit(X, Y), "intercepts_.0", "MLPRegressor.intercepts_[0][0]"),
        (KNeighborsClassifier(1).fit(X[:5], [0, 1, 0, 1, 0]), "_fit_X", "_fit_X[0, 0]"),
        (tree.fit(X, Y), "tree_.threshold", "DecisionTreeRegressor.tree_ has a threshold of"),
        (
            RandomForestRegressor(2, max_depth=1).fit(X, Y),
            "estimators_.1.tree_.threshold",
            "estimators_[1].tree_",
        ),
    ]
    for scaler, attribute in ((StandardScaler(), "mean_"), (MinMaxScaler(), "min_")):
        pipeline = make_pipeline(scaler, Ridge()).fit(X, Y)
        cases.append((pipeline, f"0.{attribute}", attribute))
    for scaler in (StandardScaler(), MinMaxScaler(), MaxAbsScaler()):
        pipeline = make_pipeline(scaler, Ridge()).fit(X, Y)
        cases.append((pipeline, "0.scale_", f"{type(scaler).__name__}.scale_[0] is "))
    for model, attribute, name in cases:
        if attribute.endswith("threshold") and value == np.inf:
            continue  # All that is no NaN is below.
        refused(bootes.ArgumentError, name, partial(COMPILE, with_number(model, attribute, value), X))
    for model in (tree, HistGradientBoostingRegressor(max_iter=2).fit(X, Y)):
        other: Any = copy.deepcopy(model)
        values = other.tree_.value if model is tree else other._predictors[0][0].nodes["value"]
        values[:] = value
        refused(bootes.ArgumentError, "has a leaf of [", partial(COMPILE, other, X))


def test_scales_that_are_none() -> None:
    """Refuse what would be divided by, and sides that would be exchanged."""
    for value in (0.0, -1.0):
        for last in (Ridge(), DecisionTreeRegressor(max_depth=2)):
            pipeline = make_pipeline(StandardScaler(), last).fit(X, Y)
            words = f"StandardScaler.scale_[0] is {value}, expected finite numbers above 0"
            refused(
                bootes.ArgumentError, words, partial(COMPILE, with_number(pipeline, "0.scale_", value), X)
            )
    clipped = make_pipeline(MinMaxScaler(clip=True), Ridge()).fit(X, Y)
    refused(bootes.UnsupportedError, "with clip=True: fit it with clip=False", partial(COMPILE, clipped, X))
    model, said = compiled(clipped.set_params(minmaxscaler__clip=False), X)
    assert not said
    np.testing.assert_allclose(
        model.codec.labels(model.plain(X * 9)),
        model.codec.labels(model.plain(np.clip(X * 9, X.min(axis=0), X.max(axis=0)))),
    )


def test_sparse_coefficients() -> None:
    """Take them as they were."""
    model = LogisticRegression().fit(X, Y > 0)
    expected = COMPILE(model, X).plain(X)
    np.testing.assert_array_equal(COMPILE(model.sparsify(), X).plain(X), expected)


@pytest.mark.parametrize("factor", [1e200, 1e-200, 2.0**900])
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_numbers_of_any_size(factor: float) -> None:
    """Score them as those of usual size, and say the same of how accurate they are."""
    for model, attributes in (
        (Ridge().fit(X, Y), ("coef_", "intercept_")),
        (LogisticRegression().fit(X, Y > 0), ("coef_", "intercept_")),
    ):
        usual, _ = compiled(model, X)
        for name in attributes:
            setattr(model, name, getattr(model, name) * factor)
        other, said = compiled(model, X)
        assert not said
        if model.__class__ is Ridge:
            labels = [one.codec.labels(one.plain(X)) for one in (usual, other)]
            np.testing.assert_allclose(labels[1], labels[0] * factor, rtol=1e-2, atol=0.01 * factor)
        else:
            assert (usual.codec.labels(usual.plain(X)) == other.codec.labels(other.plain(X))).mean() > 0.99
    tree = DecisionTreeRegressor(max_depth=4).fit(X, Y)
    usual, of_usual = compiled(tree, X, bits=2)
    tree.tree_.value[:] *= factor
    other, said = compiled(tree, X, bits=2)
    assert said
    assert said == of_usual
    np.testing.assert_allclose(
        other.codec.labels(other.plain(X)), usual.codec.labels(usual.plain(X)) * factor
    )
    points = KNeighborsClassifier(3).fit(X[:40] * 1e100, Y[:40] > 0)
    other, said = compiled(points, X * 1e100)
    assert (other.codec.labels(other.plain(X * 1e100)) == points.predict(X * 1e100)).mean() > 0.97


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning", "ignore::bootes.AccuracyWarning")
def test_numbers_that_are_too_large() -> None:
    """Refuse what floats do not hold."""
    ridge = Ridge().fit(X, Y)
    for factor in (1e300, 1e-300):
        model = copy.deepcopy(ridge)
        model.coef_ = ridge.coef_ * factor
        model.intercept_ = 0.0
        refused(bootes.ArgumentError, "sums of a model up to ", partial(COMPILE, model, X))
    network = MLPRegressor(hidden_layer_sizes=(3,), max_iter=5).fit(X, Y)
    for k in range(2):
        network.coefs_[k] *= 1e300
        refused(bootes.ArgumentError, "sums of a model up to ", partial(COMPILE, network, X))
    wide = X.copy()
    wide[7, 1] = 1e305
    refused(
        bootes.ArgumentError,
        "1e+305 in row 7, column 1, expected numbers up to",
        partial(COMPILE, ridge, wide),
    )
    # What is too small to be apart is taken as equal.
    network.coefs_[0] *= 1e-320
    network.coefs_[1] *= 1e-299
    assert COMPILE(network, X).plain(X[:2]).shape == (2, 1)


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_leaves_that_no_row_given_reaches() -> None:
    """Say what the scores of all rows lose to a leaf of another size."""
    model = DecisionTreeRegressor(max_depth=3, random_state=0).fit(X, Y)
    rows = X[X[:, 2] < model.tree_.threshold[0]] if model.tree_.feature[0] == 2 else X[:0]
    last = int(np.flatnonzero(model.tree_.children_left < 0)[-1])
    assert len(rows)
    assert last not in model.apply(rows)
    for value in (1e6, 1e200, -1e300):
        model.tree_.value[last] = value
        _, said = compiled(model, rows)
        assert "scores are off by" in said
        assert "or to numbers without outliers" in said


def test_thresholds_that_are_advised() -> None:
    """Name the bits that they take, too."""
    x = X.copy()
    x[0] = 1e6
    model = DecisionTreeRegressor(random_state=0).fit(x, Y)
    _, said = compiled(model, x, bits=4)
    advised = re.search(r"compile with grid='thresholds', bits=(\d+)$", said)
    assert advised is not None
    _, said = compiled(model, x, grid="thresholds", bits=int(advised[1]))
    assert not said


def test_labels_that_a_large_score_hides() -> None:
    """Say that labels differ, where one class spreads so far that others are lost."""
    model = RidgeClassifier().fit(X, np.digitize(Y, [-2, 2]))
    model.coef_[2, 0] = -1e40
    _, said = compiled(model, X)
    assert "of the rows given get other labels" in said


def test_trees_that_were_fitted_to_missing_values() -> None:
    """Go left where all but what is missing does."""
    x = X.copy()
    x[:100, 0] = np.nan
    model = DecisionTreeRegressor(max_depth=6).fit(x, np.where(np.isnan(x[:, 0]), 50, Y))
    assert np.isinf(model.tree_.threshold).any()
    for grid in ("uniform", "thresholds"):
        found = COMPILE(model, X, bits=8, grid=grid)
        np.testing.assert_allclose(found.codec.labels(found.plain(X)), model.predict(X), atol=8)


@pytest.mark.filterwarnings("ignore::bootes.AccuracyWarning")
def test_arguments_of_other_types() -> None:
    """Refuse them as the library does."""
    ridge, tree = Ridge().fit(X, Y), DecisionTreeClassifier(max_depth=2).fit(X, Y > 0)
    model = COMPILE(tree, X, bits=3)
    codec = model.codec
    client, server = keys("toy_4")
    rows = codec.encrypt(client, X[:2])
    for name in ("bits", "sums"):
        for value in (2.5, "6", True, [4]):
            found: Any = {name: value}
            refused(bootes.DtypeError, f"{name}={value!r} of type", partial(COMPILE, ridge, X, **found))
    # Whole numbers of NumPy are taken, though mypy knows them for no int.
    assert COMPILE(ridge, X, bits=np.int64(4)).codec.longest == 4  # type: ignore[arg-type]
    refused(
        bootes.ArgumentError, "expected 'uniform' or", lambda: COMPILE(ridge, X, grid=any_of(["uniform"]))
    )
    cases: list[tuple[type[bootes.Error], str, Any]] = [
        (bootes.ArgumentError, "99999 in row 0 stands for no class", [[99999]]),
        (bootes.ArgumentError, "-1 in row 1 stands for no class", [[0], [-1]]),
        (bootes.DtypeError, "of dtype float64, expected integers", [[0.5]]),
        (bootes.ArgumentError, "scores of shape (1,), expected (rows, 1)", [1]),
        (bootes.ArgumentError, "scores of shape (1, 2), expected (rows, 1)", [[0, 1]]),
        (bootes.DtypeError, "scores of dtype", "a"),
    ]
    for kind, words, integers in cases:
        refused(kind, words, partial(codec.labels, integers))
    near = COMPILE(KNeighborsClassifier(2).fit(X[:9], [0, 1, 2] * 3), X)
    refused(
        bootes.ArgumentError,
        "3 in row 0 stands for no class",
        lambda: near.codec.probabilities(any_of([[0, 3]])),
    )
    calls: list[tuple[str, Any]] = [
        ("a client of type Server, expected a Client", lambda: codec.encrypt(any_of(server), X)),
        ("a client of type Server, expected a Client", lambda: codec.decrypt(any_of(server), rows)),
        ("a server of type Client, expected a Server", lambda: model.evaluate(any_of(client), rows)),
        ("a server of type Client, expected a Server", lambda: model.plan(any_of(client), rows)),
        ("not encrypted: expected those of Model.evaluate", lambda: codec.decrypt(client, any_of(None))),
        ("not encrypted: expected those of Model.evaluate", lambda: codec.decrypt(client, any_of([1]))),
        ("not encrypted: expected those of Model.evaluate", lambda: codec.decrypt(client, any_of(rows[0]))),
        ("not encrypted: expected the list of", lambda: model.evaluate(server, any_of(None))),
    ]
    for words, call in calls:
        refused(bootes.DtypeError, words, call)


def any_of(value: Any) -> Any:
    """Give it as what types take."""
    return value


def test_rows_of_other_types() -> None:
    """Name the cure, which is followed."""
    pandas = pytest.importorskip("pandas")
    sparse = pytest.importorskip("scipy.sparse")
    model = COMPILE(Ridge().fit(X, Y), X)
    rows = X[:3]
    holes = pandas.DataFrame({"a": pandas.array([1, None, 3], "Int64"), "b": rows[:, 1], "c": rows[:, 2]})
    words = "a missing value in row 1, column 0: expected numbers; impute it"
    refused(bootes.ArgumentError, words, partial(model.plain, holes))
    assert len(model.plain(holes.fillna(2))) == 3
    matrix = sparse.csr_matrix(rows)
    refused(bootes.DtypeError, "give x.toarray()", partial(model.plain, matrix))
    refused(bootes.DtypeError, "give x.toarray()", partial(COMPILE, Ridge().fit(X, Y), matrix))
    np.testing.assert_array_equal(model.plain(matrix.toarray()), model.plain(rows))
    refused(bootes.DtypeError, "take x.real", partial(model.plain, rows * 1j))
    np.testing.assert_array_equal(model.plain((rows + 0j).real), model.plain(rows))
    for kind in ("datetime64[s]", "timedelta64[s]"):
        refused(
            bootes.DtypeError, "take numbers of one unit of time", partial(model.plain, rows.astype(kind))
        )
    refused(bootes.DtypeError, "cast texts", lambda: model.plain(any_of([["1", "2", "3"]])))
    assert model.plain(np.array([["1", "2", "3"]]).astype(float)).shape == (1, 1)
    refused(bootes.ArgumentError, "that no float holds", lambda: model.plain(any_of([[10**400, 1, 2]])))
    refused(bootes.ArgumentError, "rows of unlike lengths", lambda: model.plain(any_of([[1, 2, 3], [1]])))


def test_sums_that_a_set_has() -> None:
    """Name the most that there is, or none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        network = MLPClassifier((4,), max_iter=20, random_state=0).fit(X, Y > 0)
        nearest = KNeighborsClassifier(1).fit(X[:6], [0, 1] * 3)
        for fitted, name, sums in (
            (network, "toy_8", "7"),
            (network, "toy_batch_6bit", "6"),
            (nearest, "toy_8", "7"),
            (nearest, "toy_batch_9bit", "8"),
            (network, "toy_4", None),
            (nearest, "toy_4", None),
        ):
            encrypt = partial(COMPILE(fitted, X).codec.encrypt, keys(name)[0], X[:1])
            found = refused(bootes.ArgumentError, "no tables of them: take Model.params()", encrypt)
            advised = re.search(r", or compile with sums=(\d+)$", str(found))
            assert (advised and advised[1]) == sums
            if sums is not None:
                check(COMPILE(fitted, X, sums=int(sums)), X[:1], name)


def test_columns_that_spread_unevenly() -> None:
    """Advise to transform them, which helps."""
    z = np.random.default_rng(1).normal(size=(400, 2))
    classes = (z.sum(axis=1) > 0).astype(int)
    for columns in (1, 2):
        x = np.exp(3 * z[:, :columns])
        one = (z[:, :columns].sum(axis=1) > 0).astype(int) if columns == 1 else classes
        _, said = compiled(KNeighborsClassifier(1).fit(x[:100], one[:100]), x)
        word = "transform the column so" if columns == 1 else "transform columns so"
        assert f"{word} that values spread evenly (np.log, QuantileTransformer), and fit to that" in said
        assert "fewer columns" not in said
        for even in (np.log(x), QuantileTransformer(n_quantiles=100).fit_transform(x)):
            _, said = compiled(KNeighborsClassifier(1).fit(even[:100], one[:100]), even)
            assert not said


def test_boosting_of_a_start_that_is_not_finite() -> None:
    """Refuse it as a leaf, and not as a sum."""
    model = GradientBoostingClassifier(n_estimators=2).fit(X, Y > 0)
    model.learning_rate = np.nan
    refused(bootes.ArgumentError, "has a leaf of [nan]", partial(COMPILE, model, X))


def test_parts_that_are_not_as_fitted() -> None:
    """Refuse by name what was replaced, and what is no model; the model itself is taken."""
    forest = RandomForestRegressor(2, max_depth=1).fit(X, Y)
    boosting = HistGradientBoostingRegressor(max_iter=2).fit(X, Y)
    logistic = LogisticRegression().fit(X, Y > 0)
    tree = DecisionTreeClassifier(max_depth=2).fit(X, Y > 0)
    near = KNeighborsClassifier(2).fit(X[:9], [0, 1, 2] * 3)
    pipeline = make_pipeline(StandardScaler(), Ridge()).fit(X, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        network = MLPRegressor(hidden_layer_sizes=(3,), max_iter=5).fit(X, Y)
    cases: list[tuple[Any, str, Any, str]] = [
        (forest, "estimators_", [], "RandomForestRegressor.estimators_ has no trees, expected one"),
        (forest, "estimators_", [1], "a RandomForestRegressor that is not as scikit-learn fits it"),
        (boosting, "_predictors", [], "HistGradientBoostingRegressor._predictors has no trees"),
        (logistic, "classes_", [0, 1], "LogisticRegression.classes_ of type list, expected an array"),
        (
            logistic,
            "classes_",
            np.arange(3),
            "LogisticRegression.classes_ has 3 classes, and scores are of 2",
        ),
        (tree, "classes_", np.arange(1), "DecisionTreeClassifier.classes_ has 1 classes"),
        (near, "classes_", np.arange(2), "KNeighborsClassifier.classes_ has 2 classes"),
        (near, "n_neighbors", 0, "n_neighbors=0, expected 1 to 9"),
        (logistic, "coef_", logistic.coef_ * 1j, "LogisticRegression.coef_ holds no numbers"),
        (logistic, "coef_", np.zeros((0, 3)), "LogisticRegression.coef_ of shape (0, 3)"),
        (network, "activation", "gelu", "activation='gelu': expected one of identity, relu, tanh, logistic"),
        (network, "coefs_", network.coefs_[::-1], "MLPRegressor.coefs_[0] of shape (3, 1)"),
    ]
    for model, name, value, words in cases:
        other = copy.deepcopy(model)
        setattr(other, name, value)
        refused(bootes.Error, words, partial(COMPILE, other, X))
    for value, words in (
        (np.full(3, np.nan), "StandardScaler.mean_[0] is nan"),
        (np.ones(2), "of shape (2,)"),
    ):
        other = copy.deepcopy(pipeline)
        scaler: Any = other[0]
        scaler.mean_ = value
        refused(bootes.ArgumentError, words, partial(COMPILE, other, X))
    refused(bootes.DtypeError, "Ridge is a class, expected a fitted model of it", lambda: COMPILE(Ridge, X))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for model in (forest, boosting, logistic, tree, near, pipeline, network):
            assert len(COMPILE(model, X).plain(X[:2])) == 2
