"""Boosters of XGBoost and LightGBM on encrypted rows, by what they wrote (tests/data/boosters.py)."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bootes
import numpy as np
import pytest

pytest.importorskip("sklearn")

import bootes.sklearn
from bootes._boosters import read_booster
from sklearn.metrics import r2_score
from sklearn.model_selection import train_test_split
from test_sklearn import DATA, check

if TYPE_CHECKING:
    from collections.abc import Callable

# Few bits and toy sets, on purpose.
pytestmark = pytest.mark.filterwarnings("ignore::bootes.AccuracyWarning")

BOOSTERS = [f"{kind}_{data}" for kind in ("xgboost", "lightgbm") for data in ("iris", "cancer", "diabetes")]


def stored(name: str) -> tuple[dict[str, Any], Any, Any, Any, Any]:
    """Give a model, the rows that it was fitted to, others with what they are, and what it scores of them."""
    found = json.loads((Path(__file__).parent / f"data/{name}.json").read_text())
    x, y = DATA[name.partition("_")[2]](return_X_y=True)
    train, test, _, of_test = train_test_split(x, y, random_state=0)
    return found["model"], train, test, of_test, np.array(found["scores"])


def walked(tree: Any, row: Any) -> Any:
    """Give the value of a tree as it is read."""
    while isinstance(tree, tuple):
        column, threshold, left, right = tree
        tree = left if row[column] <= threshold else right
    return tree


@pytest.mark.parametrize("name", BOOSTERS)
def test_what_is_read(name: str) -> None:
    """Score rows in floats as the booster did."""
    model, _, test, _, scores = stored(name)
    read = read_booster(model)
    assert read is not None
    found = [read.base + sum(walked(tree, row) for tree in read.trees) for row in test]
    np.testing.assert_allclose(found, scores, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", BOOSTERS)
def test_accuracy(name: str) -> None:
    """Stay within a point of the booster in floats, on rows that it was not fitted to."""
    model, train, test, of_test, scores = stored(name)
    compiled = bootes.sklearn.compile(model, train, bits=8)
    codec = compiled.codec
    labels = codec.labels(compiled.plain(test))
    if name.endswith("diabetes"):
        assert r2_score(of_test, labels) > r2_score(of_test, scores[:, 0]) - 0.01
        return
    of_floats = scores.argmax(axis=1) if scores.shape[1] > 1 else scores[:, 0] > 0
    assert (labels == of_test).mean() > (of_floats == of_test).mean() - 0.01
    probabilities = codec.probabilities(compiled.plain(test))
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    # Cut at the thresholds, trees compare as they did.
    exact = bootes.sklearn.compile(model, train, bits=8, grid="thresholds")
    found = exact.codec.scores(exact.plain(test)).reshape(scores.shape)
    np.testing.assert_allclose(found, scores, atol=len(scores) * float(exact.codec.scale))
    assert np.abs(found - scores).max() < 0.05


@pytest.mark.parametrize(
    ("name", "sets"),
    [
        ("xgboost_iris", ["toy_int16", "toy_batch_6bit"]),
        ("lightgbm_iris", ["toy_int16"]),
        ("xgboost_cancer", ["toy_int16"]),
        ("lightgbm_cancer", ["toy_int16", "toy_batch_6bit"]),
        ("xgboost_diabetes", ["toy_int16"]),
        ("lightgbm_diabetes", ["toy_int16"]),
    ],
)
def test_encrypted_rows(name: str, sets: list[str]) -> None:
    """Score them as plain ones."""
    model, train, test, _, _ = stored(name)
    check(bootes.sklearn.compile(model, train, bits=3), test[:3], *sets)


def changed(model: dict[str, Any], *path: Any, to: object) -> dict[str, Any]:
    """Give another model with something else at a place."""
    found: Any = copy.deepcopy(model)
    at = found
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = to
    return found  # type: ignore[no-any-return]  # JSON has no types


def test_refusals() -> None:
    """Say in one line what is not read."""
    first, train, *_ = stored("xgboost_cancer")
    second = stored("lightgbm_cancer")[0]
    tree = ("learner", "gradient_booster", "model", "trees", 0)
    root = ("tree_info", 0, "tree_structure")
    cases: list[tuple[dict[str, Any], str]] = [
        (
            changed(first, "learner", "gradient_booster", "name", to="dart"),
            "booster 'dart', expected 'gbtree'",
        ),
        (
            changed(first, "learner", "objective", "name", to="count:poisson"),
            "objective 'count:poisson', whose",
        ),
        (changed(first, *tree, "split_type", to=[1]), "categories in XGBoost"),
        (changed(first, "learner", "learner_model_param", "num_target", to="2"), "several outputs"),
        (changed(second, "objective", to="poisson"), "LightGBM with objective 'poisson', whose"),
        (changed(second, "objective", to="regression sqrt"), "LightGBM with reg_sqrt"),
        (changed(second, *root, "decision_type", to="=="), "categories in LightGBM"),
        (changed(second, *root, "missing_type", to="Zero"), "zero_as_missing"),
        (changed(second, *root, "leaf_coeff", to=[]), "linear_tree"),
        (changed(first, "version", to=[9, 0, 1]), "of XGBoost in version '9.0.1', whose JSON is not known"),
        (changed(second, "version", to="v9"), "of LightGBM in version 'v9', whose JSON is not known"),
    ]
    refusals: list[Callable[[], object]] = [
        lambda model=model: bootes.sklearn.compile(model, train)  # type: ignore[misc]  # a lambda with a default
        for model, _ in cases
    ]
    for call, (_, words) in zip(refusals, cases, strict=True):
        with pytest.raises(bootes.UnsupportedError, match=words) as refused:
            call()
        assert "\n" not in str(refused.value)
    for model in (first, second):
        with pytest.raises(bootes.DataError, match="has no 'version'"):
            bootes.sklearn.compile({key: model[key] for key in model if key != "version"}, train)
    with pytest.raises(bootes.ArgumentError, match="a dictionary that is no booster"):
        bootes.sklearn.compile({"trees": []}, train)
    with pytest.raises(bootes.ArgumentError, match="as XGBoost's get_dump gives it"):
        bootes.sklearn.compile([{"nodeid": 0, "leaf": 0.5}], train)


def test_boosters_themselves() -> None:
    """Take them as they are fitted, where the packages are there."""
    x, y = DATA["iris"](return_X_y=True)
    names = np.array(["a", "b", "c"])[y]
    for package, kind, labels in [("xgboost", "XGBClassifier", y), ("lightgbm", "LGBMClassifier", names)]:
        module: Any = pytest.importorskip(package)
        options = {"verbose": -1} if package == "lightgbm" else {}
        one = getattr(module, kind)(n_estimators=5, max_depth=2, **options).fit(x, labels)
        for booster in (one, one.get_booster() if package == "xgboost" else one.booster_):
            compiled = bootes.sklearn.compile(booster, x, bits=8, grid="thresholds")
            found = compiled.codec.probabilities(compiled.plain(x))
            np.testing.assert_allclose(found, one.predict_proba(x), atol=0.02)
        compiled = bootes.sklearn.compile(one, x, bits=8, grid="thresholds")
        assert (compiled.codec.labels(compiled.plain(x)) == one.predict(x)).mean() > 0.98
