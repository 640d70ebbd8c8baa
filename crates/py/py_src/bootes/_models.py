"""What fitted models of scikit-learn compute, in plain numbers."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ._errors import ArgumentError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Sequence

Floats: TypeAlias = npt.NDArray[np.float64]

_LINEAR: dict[str, str] = {
    "LinearRegression": "number",
    "Ridge": "number",
    "Lasso": "number",
    "ElasticNet": "number",
    "LinearSVR": "number",
    "LogisticRegression": "logistic",
    "RidgeClassifier": "margin",
    "LinearSVC": "margin",
}
_TREES = ("DecisionTree", "ExtraTree")
_FORESTS = ("RandomForest", "ExtraTrees")
_BOOSTING = ("GradientBoosting", "HistGradientBoosting")
_NEIGHBOURS = "KNeighborsClassifier"
_NETWORKS = ("MLPClassifier", "MLPRegressor")
_SCALERS = ("StandardScaler", "MinMaxScaler", "MaxAbsScaler")


@dataclass
class Read:
    """A model: scores are weights · row + base, or the sum of trees + base.

    A tree is (column, threshold, left, right), left where the value is at most the threshold, or an array of
    a value for each output.
    """

    columns: int
    outputs: int
    link: str
    classes: npt.NDArray[Any] | None
    base: Floats
    weights: Floats | None = None
    trees: Sequence[Any] = ()
    # Of networks: weights and constants of each layer, and what is between them.
    layers: Sequence[tuple[Floats, Floats]] = ()
    activation: str = "identity"
    # Of neighbours: points, their classes, how many count, and what columns are multiplied by.
    points: Floats | None = None
    labels: npt.NDArray[np.int64] | None = None
    nearest: int = 0
    factors: Floats | None = None
    # The names of the columns, where it has them, and what gives them, for refusals.
    names: tuple[str, ...] = ()
    named_by: str = ""

    def scaled(self, factors: Floats, shifts: Floats) -> Read:
        """Give the model of rows x of which this one has factors · x + shifts."""
        if self.weights is not None:
            self.base = self.base + self.weights @ shifts
            self.weights = self.weights * factors
        elif self.points is not None:
            self.points = (self.points - shifts) / factors
            self.factors = factors if self.factors is None else self.factors * factors
        elif self.layers:
            (weights, base), *others = self.layers
            self.layers = [(weights * factors[:, None], base + shifts @ weights), *others]
        else:
            self.trees = [_scaled(tree, factors, shifts) for tree in self.trees]
        return self


def _scaled(tree: Any, factors: Floats, shifts: Floats) -> Any:
    if not isinstance(tree, tuple):
        return tree
    column, threshold, left, right = tree
    at = (threshold - shifts[column]) / factors[column]
    left, right = _scaled(left, factors, shifts), _scaled(right, factors, shifts)
    return (column, float(at), left, right)


def read(fitted: Any, *, probabilities: bool) -> Read:
    """Read a fitted model."""
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    name = type(fitted).__name__
    known = type(fitted).__module__.startswith("sklearn.")
    if not known or not (name in ("Pipeline", _NEIGHBOURS, *_LINEAR, *_NETWORKS) or _kind(name)):
        raise UnsupportedError(
            f"a model of type {name}: expected linear models, LogisticRegression, LinearSVC, DecisionTree, "
            "RandomForest, ExtraTrees, (Hist)GradientBoosting, MLP, KNeighborsClassifier, or a Pipeline of "
            "scalers and one of them; or a booster of XGBoost or LightGBM"
        )
    try:
        check_is_fitted(fitted)
    except NotFittedError as error:
        raise ArgumentError(f"a {name} that is not fitted: call fit before") from error
    with warnings.catch_warnings():
        # Of rows without names of columns, which are asked for what models do with 0.
        warnings.simplefilter("ignore", UserWarning)
        if name == "Pipeline":
            found = _of_pipeline(fitted, probabilities=probabilities)
        elif name in _LINEAR:
            found = _linear(fitted, _LINEAR[name])
        elif name in _NETWORKS:
            found = _network(fitted)
        elif name == _NEIGHBOURS:
            found = _neighbours(fitted)
        else:
            found = _trees(fitted, probabilities=probabilities)
    # A pipeline that begins with steps that do nothing has none of its own.
    steps = [step for _, step in fitted.steps] if name == "Pipeline" else []
    first = next((i for i, step in enumerate(steps) if step not in (None, "passthrough")), None)
    named, named_by = (fitted, "fitted") if not first else (steps[first], f"fitted[{first}]")
    names = getattr(named, "feature_names_in_", ())
    found.names, found.named_by = tuple(map(str, names)), f"list({named_by}.feature_names_in_)"
    return found


def _kind(name: str) -> str | None:
    """Give the family of a model of trees."""
    family = name.removesuffix("Classifier").removesuffix("Regressor")
    return family if family != name and family in (*_TREES, *_FORESTS, *_BOOSTING) else None


def _of_pipeline(fitted: Any, *, probabilities: bool) -> Read:
    *before, (_, last) = fitted.steps
    model = read(last, probabilities=probabilities)
    for _, step in reversed(before):
        if step is None or step == "passthrough":
            continue
        name = type(step).__name__
        if name not in _SCALERS or getattr(step, "clip", False):
            raise UnsupportedError(
                f"a {name} in a pipeline{' with clip=True' if name in _SCALERS else ''}: expected "
                "StandardScaler, MinMaxScaler or MaxAbsScaler, and a model at the end"
            )
        zero = np.zeros((1, model.columns))
        shifts = np.asarray(step.transform(zero), np.float64)[0]
        scale = getattr(step, "scale_", None)
        scale = np.ones(model.columns) if scale is None else np.asarray(scale, np.float64)
        model = model.scaled(scale if name == "MinMaxScaler" else 1 / scale, shifts)
    return model


def _linear(fitted: Any, link: str) -> Read:
    weights = np.atleast_2d(np.asarray(fitted.coef_, np.float64))
    base = np.broadcast_to(np.asarray(fitted.intercept_, np.float64).ravel(), (len(weights),))
    classes = getattr(fitted, "classes_", None)
    if classes is not None and np.ndim(classes) != 1:
        raise UnsupportedError("several labels a row: expected one, compile a model for each")
    if link == "logistic" and len(weights) > 1:
        link = "softmax"
    if getattr(fitted, "multi_class", None) in ("ovr", "multinomial"):
        # Versions before 1.8 have other probabilities then.
        link = "margin"
    return Read(weights.shape[1], len(weights), link, classes, np.array(base), weights)


def _network(fitted: Any) -> Read:
    layers = list(zip(fitted.coefs_, fitted.intercepts_, strict=True))
    outputs = len(layers[-1][1])
    links = {"identity": "number", "logistic": "logistic", "softmax": "softmax"}
    link = links.get(fitted.out_activation_)
    if link is None:
        raise UnsupportedError(
            f"a network that ends with {fitted.out_activation_!r}, whose sums are no predictions: expected "
            "loss='squared_error'"
        )
    if link != "softmax" and outputs > 1:
        raise UnsupportedError("several outputs of a network: expected one, compile a model for each")
    classes = getattr(fitted, "classes_", None)
    base = np.zeros(outputs)
    columns = int(fitted.n_features_in_)
    if len(layers) == 1:
        return Read(columns, outputs, link, classes, layers[0][1], layers[0][0].T)
    return Read(columns, outputs, link, classes, base, layers=layers, activation=fitted.activation)


def _neighbours(fitted: Any) -> Read:
    if fitted.weights != "uniform" or fitted.effective_metric_ != "euclidean":
        raise UnsupportedError(
            f"neighbours with weights={fitted.weights!r} and metric {fitted.effective_metric_!r}: expected "
            "'uniform' and 'euclidean'"
        )
    if np.ndim(fitted._y) != 1 or not isinstance(fitted._fit_X, np.ndarray):
        raise UnsupportedError(
            "neighbours of several outputs, or of sparse rows: expected one output, and arrays"
        )
    points = np.asarray(fitted._fit_X, np.float64)
    count = int(fitted.n_neighbors)
    labels = np.asarray(fitted._y, np.int64)
    return Read(
        points.shape[1],
        count,
        "votes",
        fitted.classes_,
        np.zeros(count),
        points=points,
        labels=labels,
        nearest=count,
    )


def _trees(fitted: Any, *, probabilities: bool) -> Read:
    name = type(fitted).__name__
    kind = _kind(name)
    classes = getattr(fitted, "classes_", None)
    if getattr(fitted, "n_outputs_", 1) != 1:
        raise UnsupportedError("several outputs of trees: expected one, compile a model for each")
    columns = int(fitted.n_features_in_)
    if kind in _BOOSTING:
        if kind == "HistGradientBoosting":
            stages, rate = fitted._predictors, 1.0
        else:
            stages, rate = fitted.estimators_, fitted.learning_rate
        outputs = len(stages[0])
        unit = np.eye(outputs) * rate
        trees = []
        for stage in stages:
            for k, one in enumerate(stage):
                value = partial(_scaled_unit, unit[k])
                is_histogram = kind == "HistGradientBoosting"
                trees.append(_histogram_tree(one.nodes, value) if is_histogram else _tree(one.tree_, value))
        link = "number" if classes is None else "logistic" if outputs == 1 else "softmax"
        if fitted.loss == "exponential":
            link = "margin"
        return Read(columns, outputs, link, classes, _start(fitted, columns, trees), trees=trees)
    estimators = [fitted] if kind in _TREES else fitted.estimators_
    share = 1 / len(estimators)
    if classes is None:
        trees = [_tree(one.tree_, lambda value: value[0] * share) for one in estimators]
        return Read(columns, 1, "number", None, np.zeros(1), trees=trees)
    if kind in _TREES and not probabilities:
        trees = [_tree(fitted.tree_, _class)]
        return Read(columns, 1, "index", classes, np.zeros(1), trees=trees)
    # Of two classes one probability tells both.
    first = 1 if len(classes) == 2 else 0

    def value_of(value: Floats) -> Floats:
        return np.asarray(value[0, first:] / value[0].sum() * share)

    trees = [_tree(one.tree_, value_of) for one in estimators]
    outputs = len(classes) - first
    return Read(columns, outputs, "probability", classes, np.zeros(outputs), trees=trees)


def _scaled_unit(unit: Floats, value: Floats) -> Floats:
    return np.asarray(value[0, 0] * unit)


def _class(value: Floats) -> Floats:
    return np.array([float(value[0].argmax())])


def _tree(tree: Any, value_of: Any) -> Any:
    """Read a tree from its arrays, the last node first: children come after their parents."""
    nodes: list[Any] = [None] * tree.node_count
    for i in reversed(range(tree.node_count)):
        left, right = int(tree.children_left[i]), int(tree.children_right[i])
        if left < 0:
            nodes[i] = np.asarray(value_of(tree.value[i]), np.float64)
        else:
            nodes[i] = (int(tree.feature[i]), _of_floats(tree.threshold[i]), nodes[left], nodes[right])
    return nodes[0]


def _histogram_tree(nodes: Any, value_of: Any) -> Any:
    """Read a tree of HistGradientBoosting, whose nodes are rows of an array."""
    if nodes["is_categorical"].any():
        raise UnsupportedError(
            "categories in HistGradientBoosting: expected columns of numbers, encode them before"
        )

    def of(i: int) -> Any:
        node = nodes[i]
        if node["is_leaf"]:
            return np.asarray(value_of(np.full((1, 1), node["value"])), np.float64)
        if np.isposinf(node["num_threshold"]):
            return of(node["left"])  # All but what is missing goes there.
        return int(node["feature_idx"]), float(node["num_threshold"]), of(node["left"]), of(node["right"])

    return of(0)


def _of_floats(threshold: float) -> float:
    """Give the threshold of what is rounded to 32 bits before, between the last such number and the next."""
    last = np.float32(threshold)
    if last > threshold:
        last = np.nextafter(last, np.float32(-np.inf))
    middle = (float(last) + float(np.nextafter(last, np.float32(np.inf)))) / 2
    # What is between both as well is rounded to the even one.
    return middle if np.float32(middle) == last else float(np.nextafter(middle, -np.inf))


def _start(fitted: Any, columns: int, trees: Sequence[Any]) -> Floats:
    """Give what boosting starts from: what the model has beyond its trees, the same for all rows."""
    if getattr(fitted, "init", None) not in (None, "zero"):
        raise UnsupportedError("GradientBoosting with init=: expected None or 'zero', a constant")
    if fitted.loss in ("poisson", "gamma"):
        raise UnsupportedError(
            f"boosting with loss={fitted.loss!r}, whose scores are no predictions: take another"
        )
    row = np.zeros((1, columns))
    score = fitted.decision_function(row) if hasattr(fitted, "classes_") else fitted.predict(row)
    reached = []
    for tree in trees:
        node = tree
        while isinstance(node, tuple):
            node = node[2] if row[0, node[0]] <= node[1] else node[3]
        reached.append(node)
    return np.asarray(np.ravel(score) - np.sum(reached, axis=0), np.float64)
