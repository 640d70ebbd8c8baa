"""What fitted models of scikit-learn compute, in plain numbers."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ._checks import finite_numbers, grown, numbers, refuse_loops
from ._errors import ArgumentError, DataError, DtypeError, Error, UnsupportedError
from ._network import ACTIVATIONS

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

            def threshold_of(column: int, at: float) -> float:
                return float((at - shifts[column]) / factors[column])

            self.trees = [mapped(tree, threshold_of, lambda value: value) for tree in self.trees]
        return self


def mapped(tree: Any, threshold_of: Any, value_of: Any) -> Any:
    """Give the same tree with what these give of thresholds, by columns, and of values."""
    if not isinstance(tree, tuple):
        return value_of(tree)
    column, threshold, *below = tree
    return (column, threshold_of(column, threshold), *(mapped(one, threshold_of, value_of) for one in below))


def read(fitted: Any, *, probabilities: bool) -> Read:
    """Read a fitted model."""
    if isinstance(fitted, type):
        raise DtypeError(
            f"{fitted.__name__} is a class, expected a fitted model of it: {fitted.__name__}(…).fit(x, y)"
        )
    name = type(fitted).__name__
    try:
        return _read(fitted, probabilities=probabilities)
    except Error:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # What was fitted may have been replaced by anything.
        why = " ".join(str(error).split())[:100]
        raise DataError(
            f"a {name} that is not as scikit-learn fits it ({type(error).__name__}: {why}): fit it anew"
        ) from error


def _read(fitted: Any, *, probabilities: bool) -> Read:
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
    _refuse_classes(found, f"{name}.classes_")
    # A pipeline that begins with steps that do nothing has none of its own.
    steps = [step for _, step in fitted.steps] if name == "Pipeline" else []
    first = next((i for i, step in enumerate(steps) if step not in (None, "passthrough")), None)
    named, named_by = (fitted, "fitted") if not first else (steps[first], f"fitted[{first}]")
    names = getattr(named, "feature_names_in_", ())
    found.names, found.named_by = tuple(map(str, names)), f"list({named_by}.feature_names_in_)"
    return found


def _refuse_classes(found: Read, name: str) -> None:
    """Refuse classes that are no array of as many as there are scores."""
    if found.classes is None:
        return
    if not isinstance(found.classes, np.ndarray) or found.classes.ndim != 1:
        kind = type(found.classes).__name__
        raise DtypeError(f"{name} of type {kind}, expected an array of one axis: fit the model anew")
    count = len(found.classes)
    if found.labels is not None:
        least = most = int(found.labels.max()) + 1
        most = max(most, count)
    elif found.link == "index":
        values: list[float] = []
        for tree in found.trees:
            mapped(tree, lambda _, at: at, lambda value: values.append(float(value[0])))
        least = int(max(values)) + 1
        most = max(least, count)
    else:
        least, most = (1, 2) if found.outputs == 1 else (found.outputs, found.outputs)
    if not least <= count <= most:
        raise ArgumentError(f"{name} has {count} classes, and scores are of {most}: fit the model anew")


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
        if name not in _SCALERS:
            raise UnsupportedError(
                f"a {name} in a pipeline: expected StandardScaler, MinMaxScaler or MaxAbsScaler, and a model "
                "at the end"
            )
        if getattr(step, "clip", False):
            raise UnsupportedError(
                f"a {name} with clip=True: fit it with clip=False, as columns end where the rows for compile "
                "do anyway"
            )
        for part in ("mean_", "min_", "scale_"):
            if getattr(step, part, None) is not None:
                found = finite_numbers(getattr(step, part), f"{name}.{part}", positive=part == "scale_")
                if found.shape != (model.columns,):
                    raise ArgumentError(
                        f"{name}.{part} of shape {found.shape}, and the model has {model.columns} columns: "
                        "fit the pipeline anew"
                    )
        scale = np.ones(model.columns)
        if getattr(step, "scale_", None) is not None:
            scale = finite_numbers(step.scale_, f"{name}.scale_", positive=True)
        # Else a 0 of its own would be divided by.
        with np.errstate(all="ignore"):
            moved = step.transform(np.zeros((1, model.columns)))[0]
            factors = scale if name == "MinMaxScaler" else 1 / scale
        shifts = finite_numbers(
            moved, f"what {name} makes of 0, from its {'min_' if name == 'MinMaxScaler' else 'mean_'},"
        )
        factors = finite_numbers(factors, f"1 / {name}.scale_")
        model = model.scaled(factors, shifts)
    return model


def _linear(fitted: Any, link: str) -> Read:
    weights = np.atleast_2d(numbers(fitted, "coef_"))
    if weights.ndim != 2 or not weights.size:
        raise ArgumentError(
            f"{type(fitted).__name__}.coef_ of shape {weights.shape}, expected a number for each column: fit "
            "the model anew"
        )
    base = np.broadcast_to(numbers(fitted, "intercept_").ravel(), (len(weights),))
    classes = getattr(fitted, "classes_", None)
    # RidgeClassifier takes several labels for as many classes.
    kind = getattr(getattr(fitted, "_label_binarizer", None), "y_type_", "")
    if classes is not None and (np.ndim(classes) != 1 or kind.startswith("multilabel")):
        raise UnsupportedError(
            "several outputs of a linear model: expected one label a row, compile a model for each"
        )
    if link == "logistic" and len(weights) > 1:
        link = "softmax"
    if getattr(fitted, "multi_class", None) in ("ovr", "multinomial"):
        # Versions before 1.8 have other probabilities then.
        link = "margin"
    return Read(weights.shape[1], len(weights), link, classes, np.array(base), weights)


def _network(fitted: Any) -> Read:
    weights, bases = (
        [
            finite_numbers(one, f"{type(fitted).__name__}.{name}[{i}]")
            for i, one in enumerate(getattr(fitted, name))
        ]
        for name in ("coefs_", "intercepts_")
    )
    if not isinstance(fitted.activation, str) or fitted.activation not in ACTIVATIONS:
        raise UnsupportedError(
            f"a network with activation={fitted.activation!r}: expected one of {', '.join(ACTIVATIONS)}; "
            "fit it anew"
        )
    layers = list(zip(weights, bases, strict=True))
    columns = int(fitted.n_features_in_)
    for i, (one, base) in enumerate(layers):
        if one.ndim != 2 or base.shape != one.shape[1:] or len(one) != columns:
            raise DataError(
                f"{type(fitted).__name__}.coefs_[{i}] of shape {one.shape} beside intercepts_[{i}] of shape "
                f"{base.shape} does not take the {columns} numbers before it: fit it anew"
            )
        columns = len(base)
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
    points = finite_numbers(fitted._fit_X, "the points that KNeighborsClassifier was fitted to: _fit_X")
    count = int(fitted.n_neighbors)
    labels = np.asarray(fitted._y, np.int64)
    if count < 1:
        raise ArgumentError(f"n_neighbors={count}, expected 1 to {len(points)}: fit it with one of these")
    if count > len(points):
        raise ArgumentError(
            f"{count} neighbours of {len(points)} points: expected {len(points)} at most; fit it to more "
            f"points, or with n_neighbors={len(points)}"
        )
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
        part = "_predictors" if kind == "HistGradientBoosting" else "estimators_"
        if not len(stages) or not len(stages[0]):
            raise ArgumentError(f"{name}.{part} has no trees, expected one at least: fit it anew")
        outputs = len(stages[0])
        unit = np.eye(outputs) * rate
        trees = []
        for i, stage in enumerate(stages):
            for k, one in enumerate(stage):
                value, called = partial(_scaled_unit, unit[k]), f"{name}.{part}[{i}][{k}]"
                if kind == "HistGradientBoosting":
                    trees.append(_histogram_tree(one.nodes, value, called, columns))
                else:
                    trees.append(_tree(one.tree_, value, f"{called}.tree_", columns))
        link = "number" if classes is None else "logistic" if outputs == 1 else "softmax"
        if fitted.loss == "exponential":
            link = "margin"
        return Read(columns, outputs, link, classes, _start(fitted, columns, trees), trees=trees)
    estimators = [fitted] if kind in _TREES else fitted.estimators_
    if not len(estimators):
        raise ArgumentError(f"{name}.estimators_ has no trees, expected one at least: fit it anew")
    share = 1 / len(estimators)

    def read_all(value_of: Any) -> list[Any]:
        called = [
            f"{name}.tree_" if kind in _TREES else f"{name}.estimators_[{i}].tree_"
            for i in range(len(estimators))
        ]
        return [_tree(one.tree_, value_of, called[i], columns) for i, one in enumerate(estimators)]

    if classes is None:
        trees = read_all(lambda value: value[0] * share)
        return Read(columns, 1, "number", None, np.zeros(1), trees=trees)
    if kind in _TREES and not probabilities:
        return Read(columns, 1, "index", classes, np.zeros(1), trees=read_all(_class))
    # Of two classes one probability tells both.
    first = 1 if len(classes) == 2 else 0

    def value_of(value: Floats) -> Floats:
        return np.asarray(value[0, first:] / value[0].sum() * share)

    trees = read_all(value_of)
    outputs = len(classes) - first
    return Read(columns, outputs, "probability", classes, np.zeros(outputs), trees=trees)


def _scaled_unit(unit: Floats, value: Floats) -> Floats:
    return np.asarray(value[0, 0] * unit)


def _class(value: Floats) -> Floats:
    return np.array([float(value[0].argmax()) if np.isfinite(value).all() else np.nan])


def _tree(tree: Any, value_of: Any, name: str, columns: int) -> Any:
    """Read a tree from its arrays."""
    left, right, feature = tree.children_left, tree.children_right, tree.feature
    threshold, value = tree.threshold, tree.value
    refuse_loops(left, right, name)

    def look(i: int) -> Any:
        if left[i] < 0:
            with np.errstate(all="ignore"):  # What is not finite is refused.
                return value_of(value[i])
        return feature[i], _of_floats(threshold[i]), left[i], right[i]

    return grown(0, look, name, columns)


def _histogram_tree(nodes: Any, value_of: Any, name: str, columns: int) -> Any:
    """Read a tree of HistGradientBoosting, whose nodes are rows of an array."""
    if nodes["is_categorical"].any():
        raise UnsupportedError(
            "categories in HistGradientBoosting: expected columns of numbers, encode them before"
        )
    left, right = (np.where(nodes["is_leaf"], -1, nodes[side].astype(np.int64)) for side in ("left", "right"))
    refuse_loops(left, right, name)

    def look(i: int) -> Any:
        if left[i] < 0:
            return value_of(np.full((1, 1), nodes["value"][i]))
        return nodes["feature_idx"][i], nodes["num_threshold"][i], left[i], right[i]

    return grown(0, look, name, columns)


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
