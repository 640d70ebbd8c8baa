"""Names of columns, and codecs: rows and scores go to the model that they belong to, or are refused."""

from __future__ import annotations

import pickle
from typing import Any

import bootes
import numpy as np
import pytest

pytest.importorskip("sklearn")  # An extra: without it there is nothing to test.

import bootes.sklearn
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from test_boosters import changed, stored
from test_sklearn import keys

# Few bits and toy sets, on purpose.
pytestmark = pytest.mark.filterwarnings("ignore::bootes.AccuracyWarning")

NAMES = ["sepal length", "sepal width", "petal length", "petal width"]
X, Y = load_iris(return_X_y=True)


class Table:
    """A table whose columns have names, as those of Polars and pyarrow, which need not be there."""

    def __init__(self, names: list[str], values: Any, kind: str = "columns") -> None:
        setattr(self, kind, names)
        self.names, self.values, self.kind = names, values, kind

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """Give the values alone."""
        return np.asarray(self.values, dtype)

    def __getitem__(self, names: list[str]) -> Table:
        """Give some columns, in this order."""
        return Table(names, self.values[:, [self.names.index(name) for name in names]], self.kind)


def tables() -> list[Any]:
    """Give the rows of iris as tables with names."""
    found: list[Any] = [Table(NAMES, X), Table(NAMES, X, "column_names")]
    for name in ("pandas", "polars"):
        try:
            module: Any = __import__(name)
        except ImportError:
            continue
        found.append(module.DataFrame(dict(zip(NAMES, X.T, strict=True))))
    return found


@pytest.mark.parametrize(
    "model",
    [
        DecisionTreeClassifier(max_depth=3, random_state=0),
        make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
        make_pipeline("passthrough", StandardScaler(), LogisticRegression(max_iter=1000)),
        MLPClassifier((3,), max_iter=20, random_state=0),
        KNeighborsClassifier(1),
    ],
)
@pytest.mark.filterwarnings("ignore")  # A network that is hardly fitted, and rows without names.
def test_names_of_fitted_models(model: Any) -> None:
    """Refuse columns in another order, others and fewer, at compile and later; what it advises is taken."""
    if isinstance(model, KNeighborsClassifier):
        model.fit(X[::10], Y[::10])
    else:
        model.fit(X, Y)
    steps = getattr(model, "named_steps", {"": model}).values()
    last: Any = next(step for step in steps if step != "passthrough")
    backwards, message = tables()[0][NAMES[::-1]], ""
    last.feature_names_in_ = np.array(NAMES, object)  # As fit does where pandas is.
    client = bootes.Client("toy_int16")
    for table in tables():
        backwards = table[NAMES[::-1]]
        compiled = bootes.sklearn.compile(model, table, bits=4)
        codec = pickle.loads(pickle.dumps(compiled.codec))
        assert codec.names == tuple(NAMES)
        calls: list[Any] = [
            lambda x: bootes.sklearn.compile(model, x),
            compiled.plain,
            codec.encode,
            lambda x, codec=codec: codec.encrypt(client, x),
        ]
        for call in calls:
            with pytest.raises(
                bootes.ArgumentError, match="column 0 is 'petal width' and was 'sepal length' when the model"
            ) as refused:
                call(backwards)
            message = str(refused.value)
            assert "\n" not in message
            with pytest.raises(bootes.ArgumentError, match="column 'petal width' is absent: expected the 4"):
                call(table[NAMES[:3]])
        expected = compiled.plain(X)
        with pytest.raises(bootes.ArgumentError) as refused:
            bootes.sklearn.compile(model, backwards)
        for line in (message, str(refused.value)):
            advised = line.partition(": take ")[2]
            found = eval(advised, {"x": backwards, "codec": codec, "fitted": model})
            np.testing.assert_array_equal(compiled.plain(found), expected)
    # Names that only the rows of compile have.
    del last.feature_names_in_
    only = bootes.sklearn.compile(model, tables()[0], bits=4)
    with pytest.raises(bootes.ArgumentError, match=r"take x\[list\(codec.names\)\]"):
        only.plain(backwards)
    assert bootes.sklearn.compile(model, X).codec.names == ()


def test_names_of_boosters() -> None:
    """Read them from what XGBoost and LightGBM write."""
    for name in ("xgboost_iris", "lightgbm_iris"):
        model = stored(name)[0]
        place = ("learner", "feature_names") if name.startswith("xgboost") else ("feature_names",)
        named = [one.replace(" ", "_") for one in NAMES]  # As LightGBM writes them.
        named = named if name.startswith("lightgbm") else NAMES
        with_names = changed(model, *place, to=named)
        table = tables()[0]
        compiled = bootes.sklearn.compile(with_names, table)
        assert compiled.codec.names == tuple(NAMES)
        with pytest.raises(bootes.ArgumentError, match=r"take x\[fitted\[") as refused:
            bootes.sklearn.compile(with_names, Table(named[::-1], X[:, ::-1]))
        where = str(refused.value).partition("take x[")[2].removesuffix("]")
        assert eval(where, {"fitted": with_names}) == named
        with pytest.raises(
            bootes.ArgumentError, match=r"column 0 is 'petal.width' and was 'sepal.length' when"
        ):
            bootes.sklearn.compile(with_names, table[NAMES[::-1]])
        with pytest.raises(bootes.ArgumentError, match=r"take x\[list\(codec.names"):
            compiled.plain(table[NAMES[::-1]])
        bootes.sklearn.compile(with_names, X).plain(table)
        without = changed(model, *place, to=[f"Column_{i}" for i in range(4)])
        if name.startswith("lightgbm"):
            bootes.sklearn.compile(without, table).plain(table)


def test_rows_and_scores_of_another_codec() -> None:
    """Refuse them: of another compile, or of what was fitted anew."""
    client, server = keys("toy_4")
    tree = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, Y)
    first = bootes.sklearn.compile(tree, X, bits=3)
    same = bootes.sklearn.compile(tree, X, bits=3)
    assert first.codec.fingerprint == same.codec.fingerprint
    linear = LogisticRegression(max_iter=1000).fit(X, Y)
    one = bootes.sklearn.compile(linear, X)
    fitted_anew = LogisticRegression(max_iter=1000, C=0.01).fit(X, Y)
    for compiled, other in (
        (first, bootes.sklearn.compile(tree, X * 1.5, bits=3)),
        (first, bootes.sklearn.compile(tree, tables()[0], bits=3)),
        (one, bootes.sklearn.compile(fitted_anew, X)),
    ):
        assert compiled.codec.fingerprint != other.codec.fingerprint
        rows = pickle.loads(pickle.dumps(compiled.codec.encrypt(client, X[:2])))
        for call in (other.evaluate, other.plan):
            with pytest.raises(
                bootes.MismatchError, match=r"rows of another codec .*: encrypt them with the"
            ):
                call(server, rows)
        scores = pickle.loads(pickle.dumps(compiled.evaluate(server, rows)))
        with pytest.raises(bootes.MismatchError, match="scores of another codec"):
            other.codec.decrypt(client, scores)
        with pytest.raises(bootes.MismatchError, match="rows, expected the scores"):
            compiled.codec.decrypt(client, rows)
        with pytest.raises(bootes.MismatchError, match="scores, expected the rows"):
            compiled.evaluate(server, scores)
        plain = compiled.plain(X[:2])
        np.testing.assert_array_equal(compiled.codec.decrypt(client, scores), plain)
        # A list is taken by its columns.
        np.testing.assert_array_equal(
            compiled.codec.decrypt(client, list(compiled.evaluate(server, list(rows)))), plain
        )


def test_what_is_unpickled_is_not_believed() -> None:
    """Compute fingerprints anew, refuse other versions, and keep rows as they were encrypted."""
    model = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, Y)
    compiled = bootes.sklearn.compile(model, X, bits=3)
    client, server = keys("toy_int16")
    first = compiled.codec.fingerprint
    codec: Any = pickle.loads(pickle.dumps(compiled.codec))
    assert "fingerprint" not in codec.__dict__
    state = {**compiled.codec.__getstate__(), "fingerprint": "0" * 16}
    forged = object.__new__(type(codec))
    forged.__setstate__(state)
    assert forged.fingerprint == codec.fingerprint == first
    wholes: list[Any] = [compiled, codec]
    for whole in wholes:
        state = whole.__getstate__()
        for other in ({**state, "version": 9}, {k: v for k, v in state.items() if k != "version"}):
            with pytest.raises(bootes.DataError, match=r"in version (9|None), and this package reads 2"):
                object.__new__(type(whole)).__setstate__(other)
    rows: Any = pickle.loads(pickle.dumps(codec.encrypt(client, X[:2])))
    assert isinstance(rows, bootes.sklearn.Rows)
    assert rows.codec == first
    changed_rows: Any = rows
    with pytest.raises(TypeError):
        changed_rows[0] = rows[0]
    assert not any(hasattr(rows, change) for change in ("append", "reverse", "sort", "extend", "pop"))
    assert not hasattr(rows[:1] + rows[1:], "codec")
    scores = compiled.evaluate(server, rows)
    assert isinstance(pickle.loads(pickle.dumps(scores)), bootes.sklearn.Scores)
    masked: Any = np.ma.masked_greater(X[:2], 4.9)
    for call in (codec.encode, compiled.plain, lambda x: bootes.sklearn.compile(model, x)):
        with pytest.raises(bootes.ArgumentError, match=r"a masked value in row 0, column 0: .*impute"):
            call(masked)
    assert len(codec.encode(np.ma.masked_greater(X[:2], 99))) == 2
