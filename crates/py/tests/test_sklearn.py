"""Fitted models of scikit-learn on encrypted rows, beside the same in plain integers and in floats."""

from __future__ import annotations

import doctest
import pickle
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bootes
import numpy as np
import pytest

pytest.importorskip("sklearn")  # An extra: without it there is nothing to test.

import bootes.sklearn
from bootes._forest import Circuit, Leaf, Node, Tree, simplified, values
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris
from sklearn.ensemble import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import r2_score
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, PolynomialFeatures, StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

if TYPE_CHECKING:
    from collections.abc import Callable

# Few bits and toy sets, on purpose.
pytestmark = pytest.mark.filterwarnings("ignore::bootes.AccuracyWarning")

DATA = {
    "iris": load_iris,
    "cancer": load_breast_cancer,
    "digits": load_digits,
    "diabetes": load_diabetes,
}
KEYS: dict[str, tuple[bootes.Client, bootes.Server]] = {}


def keys(name: str) -> tuple[bootes.Client, bootes.Server]:
    """Give a client and its server of a set."""
    if name not in KEYS:
        client = bootes.Client(name)
        KEYS[name] = client, bootes.Server(client.server_key())
    return KEYS[name]


def fitted(data: str, model: Any) -> tuple[Any, Any, Any, Any]:
    """Fit a model to three quarters of the rows: itself, these rows, and the others with what they are."""
    x, y = DATA[data](return_X_y=True)
    train, test, of_train, of_test = train_test_split(x, y, random_state=0)
    return model.fit(train, of_train), train, test, of_test


def check(model: bootes.sklearn.Model, rows: Any, *sets: str) -> None:
    """Compare encrypted scores with plain ones, of the model and of a copy that was sent."""
    plain = model.plain(rows)
    for name in sets:
        client, server = keys(name)
        columns = model.codec.encrypt(client, rows)
        copies = pickle.loads(pickle.dumps(columns))
        scores = pickle.loads(pickle.dumps(model)).evaluate(None if model.is_linear else server, copies)
        codec = pickle.loads(pickle.dumps(model.codec))
        np.testing.assert_array_equal(codec.decrypt(client, scores), plain)


LINEAR = [
    ("diabetes", LinearRegression()),
    ("diabetes", make_pipeline(MaxAbsScaler(), LinearRegression())),
    ("iris", LogisticRegression(max_iter=1000)),
    ("cancer", make_pipeline(StandardScaler(), LogisticRegression())),
    ("cancer", make_pipeline(MinMaxScaler(), LinearSVC())),
    ("digits", make_pipeline(MinMaxScaler(), LogisticRegression())),
]
TREES = [
    ("iris", DecisionTreeClassifier(max_depth=3, random_state=0)),
    ("cancer", DecisionTreeClassifier(max_depth=4, random_state=0)),
    ("diabetes", make_pipeline(StandardScaler(), DecisionTreeRegressor(max_depth=3, random_state=0))),
    ("iris", RandomForestClassifier(5, max_depth=3, random_state=0)),
    ("digits", RandomForestClassifier(30, max_depth=6, random_state=0)),
    ("diabetes", RandomForestRegressor(10, max_depth=4, random_state=0)),
    ("cancer", GradientBoostingClassifier(n_estimators=20, max_depth=2, random_state=0)),
    ("iris", GradientBoostingClassifier(n_estimators=5, max_depth=2, random_state=0)),
    ("diabetes", GradientBoostingRegressor(n_estimators=20, max_depth=2, random_state=0)),
    ("cancer", HistGradientBoostingClassifier(max_iter=10, max_depth=3)),
    ("iris", HistGradientBoostingClassifier(max_iter=5, max_depth=2)),
    ("diabetes", HistGradientBoostingRegressor(max_iter=10, max_depth=3)),
]


@pytest.mark.parametrize(("data", "model"), LINEAR + TREES)
def test_accuracy(data: str, model: Any) -> None:
    """Stay within a point of the model in floats, on rows that it was not fitted to."""
    model, train, test, of_test = fitted(data, model)
    # A single tree of numbers jumps where a threshold was moved.
    is_tree = isinstance(model[-1] if isinstance(model, Pipeline) else model, DecisionTreeRegressor)
    compiled = bootes.sklearn.compile(model, train, bits=8, grid="thresholds" if is_tree else "uniform")
    labels = compiled.codec.labels(compiled.plain(test))
    if data == "diabetes":
        assert r2_score(of_test, labels) > model.score(test, of_test) - 0.01
    else:
        assert (labels == of_test).mean() > model.score(test, of_test) - 0.01
        assert labels.dtype == of_test.dtype
    assert labels.shape == of_test.shape


@pytest.mark.parametrize(("data", "model"), TREES)
def test_thresholds_change_nothing(data: str, model: Any) -> None:
    """Cut columns at the thresholds: what the trees predict is as it was, but for roundings of leaves."""
    model, train, test, _ = fitted(data, model)
    compiled = bootes.sklearn.compile(model, train, bits=10, grid="thresholds", probabilities=True)
    integers = compiled.plain(test)
    if data == "diabetes":
        np.testing.assert_allclose(compiled.codec.scores(integers), model.predict(test), atol=4)
    else:
        np.testing.assert_allclose(
            compiled.codec.probabilities(integers), model.predict_proba(test), atol=0.01
        )
        assert (compiled.codec.labels(integers) == model.predict(test)).mean() > 0.98


@pytest.mark.parametrize(("data", "model"), LINEAR)
def test_linear_models(data: str, model: Any) -> None:
    """Score encrypted rows by sums alone, with sets for integers and with others."""
    model, train, test, _ = fitted(data, model)
    compiled = bootes.sklearn.compile(model, train)
    # Beyond the range of a column it counts as its end.
    rows = np.concatenate([test[:3], test[:1] * 1e3, test[:1] * -1e3])
    check(compiled, rows, "toy_int16", "toy_batch_4bit")
    scores = compiled.codec.scores(compiled.plain(test))
    if hasattr(model, "decision_function"):
        np.testing.assert_allclose(scores, model.decision_function(test), atol=2.5)
    if hasattr(model, "predict_proba"):
        found = compiled.codec.probabilities(compiled.plain(test))
        np.testing.assert_allclose(found.sum(axis=1), 1)
        assert np.abs(found - model.predict_proba(test)).mean() < 0.02


@pytest.mark.parametrize(
    ("number", "sets"),
    [
        (0, ["toy_4", "toy_batch_4bit"]),
        (1, ["toy_4", "toy_int16", "toy_batch_6bit"]),
        (2, ["toy_8", "toy_batch_4bit"]),
        (3, ["toy_8", "toy_batch_6bit"]),
        (6, ["toy_8"]),
        (8, ["toy_int16"]),
        (10, ["toy_8", "toy_batch_6bit"]),
    ],
)
def test_trees(number: int, sets: list[str]) -> None:
    """Score encrypted rows by trees, forests and boosting."""
    data, model = TREES[number]
    model, train, test, _ = fitted(data, model)
    check(bootes.sklearn.compile(model, train, bits=3), test[:2], *sets)


class Plain:
    """Evaluates tables on plain integers."""

    def compared(self, cells: Any, sums: Any) -> Any:
        """Compare columns with their cuts."""
        return [sum(step * (cells[column] > cut) for (column, cut), step in own.items()) for own in sums]

    def parts(self, x: Any, tables: Any) -> list[Any]:
        """Look them up."""
        return [table[x] for table in tables]

    def total(self, parts: Any, size: int) -> Any:
        """Add them up."""
        found = np.sum(parts, axis=0)
        assert found.max() < size
        return found

    def evaluated(self, jobs: Any) -> Any:
        """Look up gates and values."""
        found: dict[int, list[Any]] = {}
        for one in jobs:
            for output, table in one.values.items():
                found.setdefault(output, []).append(table[one.x])
        return [self.parts(one.x, one.gates) for one in jobs], found


@pytest.mark.parametrize("compares", [False, True])
@pytest.mark.parametrize("limit", [4, 8, 32, 256])
@pytest.mark.parametrize(
    ("trees", "depth", "columns", "cells"), [(1, 6, 9, 16), (3, 4, 5, 7), (20, 3, 4, 64)]
)
def test_circuits(limit: int, trees: int, depth: int, columns: int, cells: int, compares: bool) -> None:
    """Cut random trees into tables of any size: what they give is what the trees are."""
    random = np.random.default_rng(limit)

    def tree(depth: int) -> Tree:
        if depth == 0 or random.random() < 0.1:
            return Leaf(tuple(random.integers(0, 9, 2).tolist()))
        column, cut = int(random.integers(columns)), int(random.integers(cells - 1))
        return Node(column, cut, tree(depth - 1), tree(depth - 1))

    ranges = dict.fromkeys(range(columns), (0, cells - 1))
    all_trees = [tree(depth) for _ in range(trees)]
    grown = [one for one in (simplified(one, ranges) for one in all_trees) if isinstance(one, Node)]
    circuit = Circuit.of(grown, [cells] * columns, limit, 0.5, compares=compares)
    assert circuit.size <= limit
    rows = random.integers(0, cells, (500, columns))
    found = circuit.evaluate(list(rows.T), Plain())
    expected = np.sum([values(one, rows) for one in grown], axis=0)
    for output in range(2):
        np.testing.assert_array_equal(np.sum(found[output], axis=0), expected[:, output])
    assert expected.max() <= circuit.most(4, 0)


def test_a_tree_that_is_a_leaf() -> None:
    """Give the one value of a tree without comparisons."""
    x = np.arange(6.0).reshape(3, 2)
    model = bootes.sklearn.compile(DecisionTreeClassifier().fit(x, ["a", "a", "a"]), x, bits=2)
    check(model, x, "toy_4", "toy_batch_4bit")
    assert model.codec.labels(model.plain(x)).tolist() == ["a", "a", "a"]


def test_comparisons() -> None:
    """Compare a column with all its cuts at once, and add up the values of many trees in few digits."""
    x = np.random.default_rng(0).normal(size=(500, 6))
    y = np.digitize(x @ [3, 1, 2, 1, 2, 1] + x[:, 0] * x[:, 1], [-4, -2, 0, 2, 4])
    tree = bootes.sklearn.compile(DecisionTreeClassifier(max_depth=5, random_state=0).fit(x, y), x, bits=3)
    forest = GradientBoostingClassifier(n_estimators=10, max_depth=2, random_state=0).fit(x, y > 1)
    client, server = keys("toy_8")
    for model in (tree, bootes.sklearn.compile(forest, x, bits=3)):
        # Rows side by side, and more than there are together.
        for rows in (x[:1], x[:20]):
            check(model, rows, "toy_8")
        columns = model.codec.encrypt(client, x[:1])
        model.evaluate(server, columns)
        assert model._ways["toy_8"][0] == 0
        plan, ways = model.plan(server, columns), model._ways_of(server.params)
        found = {what: tables for what, tables, _ in plan.steps if what.startswith("comparisons of column")}
        assert list(found.values()) == [len(cuts) for cuts in ways[0].cuts.values()]
        one_by_one = sum(len(one.columns) for one in ways[0].bins)
        assert len(found) < one_by_one
        # As long as a table each, where they were one by one.
        table = server.plan(np.arange(8), columns[0], out_modulus=32).seconds(1)
        assert plan.seconds() < table * (one_by_one + plan.tables - sum(found.values()))


def test_plans() -> None:
    """Tell what there is to do, and choose parameters by the number of rows."""
    model, train, test, _ = fitted("cancer", TREES[1][1])
    compiled = bootes.sklearn.compile(model, train, bits=3)
    for name in ("toy_4", "toy_batch_4bit"):
        client, server = keys(name)
        columns = compiled.codec.encrypt(client, test[:2])
        plan = compiled.plan(server, columns)
        assert (plan.rows, compiled.plan(server, columns, 5000).rows) == (2, 5000)
        assert " s for 2 rows on the server's threads, a row is wrong with 2^-" in str(plan)
        for thing, kind in ((compiled, "Model of "), (compiled.codec, "Codec of ")):
            assert repr(thing).startswith(f"<bootes.sklearn.{kind}")
            assert len(repr(thing).splitlines()) == 1
            assert len(repr(thing)) < 110
        assert plan.tables == sum(tables for _, tables, _ in plan.steps) > 4
        assert compiled.plan(server, columns, 5000).seconds() > plan.seconds() > 0
        assert plan.seconds(5000) >= plan.seconds()
        assert plan.memory > 1000
        assert server.params.log2_p_fail < plan.log2_p_fail < -55
        assert "leaves of" in str(plan)
        assert plan.engine == server.params.engine
    assert [compiled.params(rows).engine for rows in (1, 60000)] == ["fhew", "ckks"]
    linear = bootes.sklearn.compile(fitted("cancer", LINEAR[3][1])[0], train)
    assert [linear.params(rows).engine for rows in (1, 60000)] == ["fhew", "ckks"]
    columns = linear.codec.encrypt(keys("toy_int16")[0], test[:2])
    assert "sums alone" in str(linear.plan(None, columns))
    # Before there are keys.
    assert "sums alone" in str(linear.plan())
    before = compiled.plan(count=3)
    assert (before.rows, before.tables) == (3, sum(tables for _, tables, _ in before.steps))
    assert before.seconds() > 0
    with pytest.raises(bootes.ArgumentError, match="give both, or neither"):
        compiled.plan(server)


def test_parameters_for_columns_of_any_bits() -> None:
    """Choose sets that take the columns, one by one and many at once; the refusal of others names one."""
    model, train, test, _ = fitted("iris", DecisionTreeClassifier(max_depth=3, random_state=0))
    clients: dict[str, bootes.Client] = {}
    for bits in (1, 7, 8, 9, 10, 12):
        compiled = bootes.sklearn.compile(model, train, bits=bits)
        for rows in (1, 60000):
            params = compiled.params(rows)
            client = clients.setdefault(params.name, bootes.Client(params))
            assert len(compiled.codec.encrypt(client, test[:2])) == len(compiled.codec.used)
        for name, most in (("toy_4", 3), ("toy_8", 7), ("toy_batch_4bit", 4)):
            if bits <= most:
                continue
            with pytest.raises(bootes.ArgumentError, match=f"columns of {bits} bits") as refused:
                compiled.codec.encrypt(keys(name)[0], test[:2])
            said = re.search(r"compile with bits=(\d+), or take Params\('(\w+)'\)", str(refused.value))
            assert said is not None
            client = clients.setdefault(said[2], bootes.Client(said[2]))
            compiled.codec.encrypt(client, test[:2])
            fewer = bootes.sklearn.compile(model, train, bits=int(said[1]))
            fewer.codec.encrypt(keys(name)[0], test[:2])
    check(bootes.sklearn.compile(model, train, bits=12), test[:2], "toy_int16")
    check(bootes.sklearn.compile(model, train, bits=9), test[:2], "toy_batch_9bit")


def test_refusals() -> None:
    """Say in one line what is wrong."""
    model, train, test, _ = fitted("iris", DecisionTreeClassifier(max_depth=3, random_state=0))
    compiled = bootes.sklearn.compile(model, train, bits=3)
    linear = bootes.sklearn.compile(fitted("iris", LogisticRegression(max_iter=1000))[0], train)
    client, server = keys("toy_4")
    other = bootes.Client("toy_4")
    columns = compiled.codec.encrypt(client, test[:2])
    numbers: Any = [1, 2]
    holes = test.copy()
    holes[2, 1] = np.nan
    compile_of, encrypt = bootes.sklearn.compile, compiled.codec.encrypt
    cases: list[tuple[type[Exception], str, Callable[[], object]]] = [
        (bootes.ArgumentError, "not fitted: call fit", lambda: compile_of(LogisticRegression(), train)),
        (bootes.ArgumentError, "not fitted", lambda: compile_of(make_pipeline(StandardScaler()), train)),
        (bootes.UnsupportedError, "KNeighborsRegressor", lambda: compile_of(KNeighborsRegressor(), train)),
        (
            bootes.UnsupportedError,
            "PolynomialFeatures in a pipeline",
            lambda: compile_of(fitted("iris", make_pipeline(PolynomialFeatures(), LinearSVC()))[0], train),
        ),
        (bootes.ArgumentError, "bits=13, expected 1 to 12", lambda: compile_of(model, train, bits=13)),
        (bootes.ArgumentError, "bits=1 has 2", lambda: compile_of(model, train, bits=1, grid="thresholds")),
        (bootes.ArgumentError, "nan in row 2, column 1", lambda: encrypt(client, holes)),
        (bootes.ArgumentError, "fitted with 4", lambda: encrypt(client, test[:, :3])),
        (bootes.ArgumentError, "expected two axes", lambda: encrypt(client, test[0])),
        (bootes.ArgumentError, "no rows", lambda: encrypt(client, test[:0])),
        (
            bootes.DtypeError,
            "'a' in row 0, column 0: expected numbers; encode categories",
            lambda: encrypt(client, [["a"] * 4]),
        ),
        (bootes.MismatchError, "another client", lambda: compiled.evaluate(server, encrypt(other, test))),
        (bootes.MismatchError, "another key", lambda: compiled.codec.decrypt(other, list(columns))),
        (bootes.ArgumentError, "1 columns of rows: exp", lambda: compiled.evaluate(server, columns[:1])),
        (bootes.DtypeError, "not encrypted", lambda: compiled.evaluate(server, numbers)),
        (bootes.ArgumentError, "no server", lambda: compiled.evaluate(None, columns)),
        (
            bootes.ArgumentError,
            "columns of 6 bits, and parameter set toy_4",
            lambda: compile_of(model, train).codec.encrypt(client, test),
        ),
        (bootes.UnsupportedError, "engine bfv", lambda: encrypt(bootes.Client("toy_slots_257"), test)),
        (
            bootes.UnsupportedError,
            "probabilities=True",
            lambda: compiled.codec.probabilities(compiled.plain(test)),
        ),
        (bootes.MismatchError, "expected the scores of", lambda: linear.codec.decrypt(client, columns)),
        (
            bootes.ArgumentError,
            "expected those of Model",
            lambda: linear.codec.decrypt(client, list(columns)[:1]),
        ),
    ]
    for kind, words, call in cases:
        with pytest.raises(kind, match=words) as refused:
            call()
        assert "\n" not in str(refused.value)


def test_the_page_of_the_guide() -> None:
    """Run its programs, one after the other."""
    page = Path(__file__).parents[3] / "docs/guide/models.md"
    programs = re.findall(r"^```python\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)
    names: dict[str, Any] = {}
    for program in programs:
        exec(program, names)
    assert len(programs) == 2
    plain = names["model"].plain(names["x"][400:401])
    np.testing.assert_array_equal(names["codec"].decrypt(names["client"], names["scores"]), plain)


def test_examples() -> None:
    """Run those of the module."""
    runner = doctest.DocTestRunner()
    for found in doctest.DocTestFinder(recurse=False).find(bootes.sklearn, globs={"bootes": bootes}):
        runner.run(found)
    assert runner.summarize().attempted > 5
    assert runner.summarize().failed == 0
