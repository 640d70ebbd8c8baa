"""Fitted models of scikit-learn, XGBoost and LightGBM that score encrypted rows.

Examples
--------
>>> from sklearn.datasets import load_iris
>>> from sklearn.tree import DecisionTreeClassifier
>>> x, y = load_iris(return_X_y=True)
>>> model = bootes.sklearn.compile(DecisionTreeClassifier(max_depth=2, random_state=0).fit(x, y), x, bits=3)
>>> client = bootes.Client("toy_4")                         # model.params() in earnest
>>> server = bootes.Server(client.server_key())
>>> rows = model.codec.encrypt(client, x[[0, 75, 140]])     # the client has model.codec
>>> scores = model.evaluate(server, rows)                   # the server has the model
>>> model.codec.labels(model.codec.decrypt(client, scores))
array([0, 1, 2])

"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ._boosters import read_booster
from ._codec import LINEAR_BITS, Codec, Floats, Rows, Scores, finite, names_of, refuse_others
from ._errors import ArgumentError, UnsupportedError
from ._forest import Leaf, Node, Tree, leaves, simplified
from ._models import read
from ._neighbours import keys
from ._network import Layer, quantised
from ._scoring import Model, Plan

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

__all__ = ["Codec", "Model", "Plan", "Rows", "Scores", "compile"]

# Scores of trees are integers of so many bits.
TREE_BITS = 10
MAX_BITS, MAX_SUMS = 12, 16
# Of columns, unless it is said.
DEFAULT_BITS, NETWORK_BITS = 6, 4
# Of sums, unless it is said.
NETWORK_SUMS, NEIGHBOUR_SUMS = 14, 15


def compile(  # noqa: A001 - what it does.
    fitted: Any,
    x: npt.ArrayLike,
    *,
    bits: int | None = None,
    sums: int | None = None,
    grid: Literal["uniform", "thresholds"] = "uniform",
    probabilities: bool = False,
) -> Model:
    """Make a model of integers of a fitted one.

    Parameters
    ----------
    fitted : estimator
        LinearRegression, Ridge, Lasso, ElasticNet, LogisticRegression, RidgeClassifier, LinearSVC, LinearSVR;
        DecisionTree, ExtraTree, RandomForest, ExtraTrees, GradientBoosting and HistGradientBoosting, as
        classifiers and regressors; MLPClassifier and MLPRegressor; KNeighborsClassifier of some points; or a
        Pipeline of one of them with StandardScaler, MinMaxScaler or MaxAbsScaler before it. Models of XGBoost
        and LightGBM, or what they write: the dictionary that XGBoost's ``save_model("model.json")`` writes as
        JSON, or that LightGBM's ``dump_model()`` gives.
    x : array_like
        Rows that show the range of each column, as those of training: values beyond it count as its ends.
        Names of columns are compared with those that the model was fitted with. They, or the model's, are
        those that rows have to have later, where they have names.
    bits : int, optional
        Of the integers that a column is made of: 6, and 4 of networks and neighbours.
    sums : int, optional
        Of networks: the bits of a neuron's sum, of which its activation is a table, 14. Of neighbours: the
        bits of a distance and a class together, 15.
    grid : {"uniform", "thresholds"}
        Of trees: whether columns are cut evenly, or at the thresholds of the trees. Then trees compare as
        they did, what regressors and probabilities lose is the rounding of leaves, and the client knows these
        thresholds.
    probabilities : bool, default False
        Whether a single tree gives probabilities. Otherwise it gives classes, which takes fewer tables;
        forests give probabilities anyway.

    """
    if bits is not None and not 1 <= bits <= MAX_BITS:
        raise ArgumentError(f"bits={bits}, expected 1 to {MAX_BITS}")
    if sums is not None and not 4 <= sums <= MAX_SUMS:
        raise ArgumentError(f"sums={sums}, expected 4 to {MAX_SUMS}")
    if grid not in ("uniform", "thresholds"):
        raise ArgumentError(f"grid={grid!r}, expected 'uniform' or 'thresholds'")
    model = read_booster(fitted) or read(fitted, probabilities=probabilities)
    refuse_others(x, model.names, model.named_by)
    names = names_of(x) or model.names
    rows = finite(x, model.columns)
    low, high = rows.min(axis=0), rows.max(axis=0)
    is_even = bool(model.layers) or model.points is not None
    if sums is None:
        sums = NETWORK_SUMS if model.layers else NEIGHBOUR_SUMS
    if bits is None:
        bits = NETWORK_BITS if is_even else DEFAULT_BITS
    step = (high - low) / ((1 << bits) - 1)
    if is_even:
        used = [j for j in range(model.columns) if step[j] > 0] or [0]
        cuts = tuple(low[j] + step[j] * (np.arange((1 << bits) - 1) + 0.5) for j in used)
        largest = np.full(len(used), (1 << bits) - 1)
        if model.points is not None and model.labels is not None:
            factors = np.ones(model.columns) if model.factors is None else model.factors
            count = len(model.classes if model.classes is not None else ())
            last = keys(model.points, model.labels, count, factors, low, step, used, largest, sums)
            layers: list[Layer] = []
        else:
            (first, base), *others = model.layers
            # What does not change is a constant.
            inputs = [(first[used], base + np.delete(low, used) @ np.delete(first, used, axis=0)), *others]
            layers, last = quantised(
                inputs, model.activation, rows[:, used], low[used], step[used], largest, sums
            )
        codec = Codec(
            columns=model.columns,
            cuts=cuts,
            used=tuple(used),
            outputs=model.outputs,
            scale=1.0 if model.nearest else last.scale,
            offsets=np.zeros(model.outputs) if model.nearest else last.offsets,
            leaf_bits=0,
            link=model.link,
            classes=model.classes,
            sum_bits=sums if layers or model.nearest else 0,
            names=names,
        )
        return Model(codec, last.weights, last.constants, layers=tuple(layers), nearest=model.nearest)
    if model.weights is not None:
        used = [j for j in range(model.columns) if step[j] > 0 and model.weights[:, j].any()] or [0]
        cuts = tuple(low[j] + step[j] * (np.arange((1 << bits) - 1) + 0.5) for j in used)
        # What a step of a column does to each score, and the middle of all scores.
        effects = model.weights[:, used] * step[used]
        spans = np.abs(effects).sum(axis=1) * ((1 << bits) - 1)
        middle = model.base + model.weights @ low + effects.sum(axis=1) * ((1 << bits) - 1) / 2
        # Classes are compared with 0, which stays 0 where that takes a bit at most.
        offsets, reach = middle, float(spans.max()) / 2
        if model.classes is not None and np.abs(middle).max() <= reach:
            offsets, reach = np.zeros_like(middle), float((np.abs(middle) + spans / 2).max())
        # Roundings move a score by half a step for each of a column's at most.
        room = (1 << (LINEAR_BITS - 1)) - 2 - (len(used) << (bits - 1))
        scale = reach / room or 1.0
        weights = np.rint(effects / scale).astype(np.int64)
        constants = np.rint((model.base + model.weights @ low - offsets) / scale).astype(np.int64)
        codec = Codec(
            model.columns,
            cuts,
            tuple(used),
            len(weights),
            scale,
            offsets,
            0,
            model.link,
            model.classes,
            names=names,
        )
        return Model(codec, weights, constants)

    thresholds = _thresholds(model.trees, model.columns)
    used = [j for j in range(model.columns) if thresholds[j]] or [0]
    if grid == "uniform":
        steps = np.arange(1, 1 << bits) / (1 << bits)
        cuts = tuple(
            low[j] + (high[j] - low[j]) * steps if high[j] > low[j] else low[j : j + 1] for j in used
        )
    else:
        cuts = tuple(np.array(sorted(thresholds[j]), np.float64) for j in used)
        most = max(len(some) + 1 for some in cuts)
        if most > 1 << bits:
            raise ArgumentError(
                f"{most - 1} thresholds of a column are {most} integers, and bits={bits} has {1 << bits}: "
                f"compile with bits={(most - 1).bit_length()}, or grid='uniform'"
            )
    leaf_values = [np.array(list(_leaf_values(tree))) for tree in model.trees]
    least = np.array([some.min(axis=0) for some in leaf_values])
    span = sum((some.max(axis=0) - some.min(axis=0) for some in leaf_values), np.zeros(model.outputs)).max()
    scale = 1.0 if model.link == "index" else float(span) / ((1 << TREE_BITS) - 1 - len(model.trees)) or 1.0
    if scale < 0:
        raise UnsupportedError(f"{len(model.trees)} trees, expected {(1 << TREE_BITS) - 2} at most")
    place = {j: i for i, j in enumerate(used)}

    def tree_of(node: Any, least: Floats) -> Tree:
        if isinstance(node, tuple):
            column, threshold, left, right = node
            i = place[column]
            # The cut that is nearest: of those of thresholds it is the threshold.
            cut = int(np.abs(cuts[i] - threshold).argmin())
            return Node(i, cut, tree_of(left, least), tree_of(right, least))
        return Leaf(tuple(int(v) for v in np.rint((node - least) / scale)))

    ranges = {i: (0, len(some)) for i, some in enumerate(cuts)}
    trees = tuple(simplified(tree_of(tree, least[i]), ranges) for i, tree in enumerate(model.trees))
    bits_of_leaves = max(1, *(v.bit_length() for tree in trees for leaf in leaves(tree) for v in leaf.values))
    offsets = model.base + least.sum(axis=0)
    codec = Codec(
        model.columns,
        cuts,
        tuple(used),
        model.outputs,
        scale,
        offsets,
        bits_of_leaves,
        model.link,
        model.classes,
        names=names,
    )
    return Model(codec, trees=trees)


def _thresholds(trees: Sequence[Any], columns: int) -> list[set[float]]:
    """Give the thresholds of each column."""
    found: list[set[float]] = [set() for _ in range(columns)]
    stack = [tree for tree in trees if isinstance(tree, tuple)]
    while stack:
        column, threshold, *below = stack.pop()
        found[column].add(threshold)
        stack += [node for node in below if isinstance(node, tuple)]
    return found


def _leaf_values(tree: Any) -> list[Floats]:
    if not isinstance(tree, tuple):
        return [tree]
    return [*_leaf_values(tree[2]), *_leaf_values(tree[3])]
