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

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from ._accuracy import Deviation, deviation, of_columns
from ._boosters import read_booster
from ._checks import whole
from ._codec import (
    LEAST_BITS,
    LINEAR_BITS,
    LONGEST_BITS,
    Codec,
    Floats,
    Integers,
    Rows,
    Scores,
    finite,
    names_of,
    refuse_others,
)
from ._errors import AccuracyWarning, ArgumentError, UnsupportedError
from ._forest import Leaf, Node, Tree, leaves, simplified
from ._models import Read, read
from ._neighbours import keys
from ._network import Layer, Means, quantised, rounded
from ._scoring import Model, Plan
from ._units import take_units

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

__all__ = ["Codec", "Model", "Plan", "Rows", "Scores", "compile"]

# Scores of trees are integers of so many bits.
TREE_BITS = 10
MAX_BITS, MAX_SUMS = 12, 16
# What roundings of weights may add to scores, of how they spread.
ROUNDING = 1 / 64
# The share of rows in one integer from which on others are called outliers.
CROWDED = 0.9
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
        Of the integers that a column is made of: 6, and 4 of networks and neighbours, or where they cost
        accuracy (as told below), the next that do not.
    sums : int, optional
        Of networks: the bits of a neuron's sum, of which its activation is a table, 14. Of neighbours: the
        bits of a distance and a class together, 15. Or 16, where that is not enough.
    grid : {"uniform", "thresholds"}
        Of trees: whether columns are cut evenly, or at the thresholds of the trees. Then trees compare as
        they did, what regressors and probabilities lose is the rounding of leaves, and the client knows these
        thresholds.
    probabilities : bool, default False
        Whether a single tree gives probabilities. Otherwise it gives classes, which takes fewer tables;
        forests give probabilities anyway.

    Warns
    -----
    AccuracyWarning
        Where the scores of the rows given are off by more than a tenth of how they spread (root mean
        squares), or of single trees more than a hundredth of these rows get another label, of neighbours two
        or three, of other classes ten. The line says what does better. R² of these rows changes by a point
        at most without it.

    """
    bits = None if bits is None else whole("bits", bits, 1, MAX_BITS)
    sums = None if sums is None else whole("sums", sums, LEAST_BITS, MAX_SUMS)
    if not isinstance(grid, str) or grid not in ("uniform", "thresholds"):
        raise ArgumentError(f"grid={grid!r}, expected 'uniform' or 'thresholds'")
    model = read_booster(fitted) or read(fitted, probabilities=probabilities)
    refuse_others(x, model.names, model.named_by)
    names = names_of(x) or model.names
    rows = finite(x, model.columns)
    units = take_units(model, rows)
    found = _fitting(model, rows, names, bits, sums, grid)
    if found.off.size > 1:
        line = f"{found.off}, which may cost more than a point of accuracy: {found.advice}"
        warnings.warn(line, AccuracyWarning, stacklevel=2)
    codec = found.model.codec
    scales, several = codec.scale * units, model.link == "number" and model.outputs > 1
    codec = replace(codec, scale=scales if several else float(scales[0]), offsets=codec.offsets * units)
    return replace(found.model, codec=codec)


class _Found(NamedTuple):
    """A model, what it is off by, and what to do where that is much."""

    model: Model
    off: Deviation
    advice: str = ""


def _fitting(
    fitted: Read, rows: Floats, names: tuple[str, ...], bits: int | None, sums: int | None, grid: str
) -> _Found:
    """Make a model with these bits, or where there are none with those next to the usual ones that fit."""
    is_even = bool(fitted.layers) or fitted.points is not None

    def made(bits: int, sums: int) -> _Found:
        if fitted.weights is not None:
            model = _linear(fitted, rows, bits, names)
        elif is_even:
            model = _tables(fitted, rows, bits, sums, names)
        else:
            model = _trees(fitted, rows, bits, grid, names)
        return _Found(model, deviation(fitted, model, rows))

    usual = NETWORK_BITS if is_even else DEFAULT_BITS
    first = (
        usual if bits is None else bits,
        (NETWORK_SUMS if fitted.layers else NEIGHBOUR_SUMS) if sums is None else sums,
    )
    best = made(*first)
    if best.off.size <= 1:
        return best
    # Longer columns leave less of a sum to weights. Elsewhere they lose less.
    counts = sorted(range(2, 7), key=lambda n: abs(n - usual)) if is_even else range(usual, MAX_BITS + 1)
    ways = [(n, s) for s in sorted({first[1], MAX_SUMS} if is_even else {first[1]}) for n in counts]
    if fitted.trees and grid == "thresholds":
        ways = []

    def is_free(way: tuple[int, int]) -> bool:
        return bits in (None, way[0]) and sums in (None, way[1])

    least, instead = best.off, first
    for way in sorted(set(ways) - {first}, key=lambda way: (not is_free(way), ways.index(way))):
        other = made(*way)
        if is_free(way) and other.off.size < best.off.size:
            best = other
        if other.off.size < least.size:
            least, instead = other.off, way
        if least.size <= 1:
            break
    said = f"compile with bits={instead[0]}" + (f", sums={instead[1]}" if instead[1] != first[1] else "")
    if least.size <= 1:
        return best._replace(advice=said)
    if grid == "uniform" and fitted.trees:
        # All thresholds of a column, where there are so many integers.
        needed = max(1, *(len(some).bit_length() for some in _thresholds(fitted.trees, fitted.columns)))
        if (
            needed <= MAX_BITS
            and deviation(fitted, _trees(fitted, rows, needed, "thresholds", names), rows).size <= 1
        ):
            more = f", bits={needed}" if needed > first[0] else ""
            return best._replace(advice=f"compile with grid='thresholds'{more}")
    crowded = _crowded(best.model.codec, rows, names)
    cure = f"fit to columns without outliers{crowded}"
    if fitted.trees:
        cure = (
            "fit fewer trees"
            if len(fitted.trees) > 1
            else f"fit a smaller tree, or to numbers without outliers{crowded}"
        )
    elif is_even:
        one = fitted.columns == 1
        it = "the column" if one else "columns"
        spread = f"transform {it} so that values spread evenly (np.log, QuantileTransformer)"
        cure = f"fit to fewer columns, or {spread}"
        if one or of_columns(fitted, made(*instead).model, rows).size > 1:
            cure = f"{spread}, and fit to that"
    return best._replace(advice=cure if best.off.size <= least.size else f"{said} for less, or {cure}")


class _Even(NamedTuple):
    """Columns cut evenly over the range of some rows, which have these cells."""

    used: list[int]
    cuts: tuple[Floats, ...]
    step: Floats
    largest: Integers
    cells: Integers


def _even(rows: Floats, bits: int, counts: npt.NDArray[np.bool_]) -> _Even:
    """Cut the columns that change, of those that count."""
    low, high = rows.min(axis=0), rows.max(axis=0)
    last = (1 << bits) - 1
    step = (high - low) / last
    used = [j for j in range(rows.shape[1]) if step[j] > 0 and counts[j]] or [0]
    cuts = tuple(low[j] + step[j] * (np.arange(last) + 0.5) for j in used)
    cells = np.stack(
        [np.searchsorted(c, rows[:, j], "left") for j, c in zip(used, cuts, strict=True)], axis=1
    )
    return _Even(used, cuts, step[used], np.full(len(used), last), cells.astype(np.int64))


def _linear(model: Read, rows: Floats, bits: int, names: tuple[str, ...]) -> Model:
    weights = np.zeros((0, 0)) if model.weights is None else model.weights
    even = _even(rows, bits, np.asarray(weights.any(axis=0)))
    effects = weights[:, even.used] * even.step
    means = Means(even.cells.mean(axis=0), model.base + weights @ rows.mean(axis=0))
    # The middle of all scores. Classes are compared with 0, which stays 0 where that takes a bit at most.
    spans = np.abs(effects) @ even.largest
    middle = means.sums + effects @ (even.largest / 2 - means.cells)
    origin = model.classes is not None and bool(np.abs(middle).max() <= spans.max() / 2)
    score_bits = _score_bits(effects, even, rows @ weights.T, each=model.classes is None)
    size = 1 << score_bits
    last = rounded(effects, even.largest, means, size, centred=True, origin=origin)
    codec = Codec(
        columns=model.columns,
        cuts=even.cuts,
        used=tuple(even.used),
        outputs=len(weights),
        scale=last.scale,
        offsets=last.offsets,
        leaf_bits=0,
        link=model.link,
        classes=model.classes,
        names=names,
        score_bits=score_bits,
    )
    return Model(codec, last.weights, last.constants)


def _score_bits(effects: Floats, even: _Even, scores: Floats, *, each: bool) -> int:
    """Give the bits of scores that keep what roundings of weights add small beside how scores spread.

    Beside how each of them spreads, or all together.
    """
    variances = even.cells.var(axis=0)
    # Scores of the rows that a model was fitted to may spread more than those of others.
    spreads = np.minimum(scores.var(axis=0), effects**2 @ variances)
    spread = np.sqrt(spreads[spreads > 0].min(initial=spreads.max()) if each else spreads.mean())
    added = np.sqrt(variances.sum() / 12)
    # What a step of scores may be, and how many there are.
    step = ROUNDING * spread / added if added else 0.0
    reach = 2 * float((np.abs(effects) @ even.largest).max())
    wanted = int(np.ceil(np.log2(reach / step))) if step > 0 else LINEAR_BITS
    return min(max(wanted, LINEAR_BITS), LONGEST_BITS)


def _tables(model: Read, rows: Floats, bits: int, sums: int, names: tuple[str, ...]) -> Model:
    """Give networks and neighbours."""
    even = _even(rows, bits, np.ones(model.columns, np.bool_))
    if model.points is not None and model.labels is not None:
        factors = np.ones(model.columns) if model.factors is None else model.factors
        count = len(model.classes if model.classes is not None else ())
        last = keys(
            model.points,
            model.labels,
            count,
            factors,
            rows,
            even.cells,
            even.step,
            even.used,
            even.largest,
            sums,
        )
        layers: list[Layer] = []
    else:
        (first, base), *others = model.layers
        # What does not change is a constant.
        base = base + np.delete(rows[0], even.used) @ np.delete(first, even.used, axis=0)
        inputs = [(first[even.used], base), *others]
        layers, last = quantised(
            inputs, model.activation, rows[:, even.used], even.cells, even.step, even.largest, sums
        )
    codec = Codec(
        columns=model.columns,
        cuts=even.cuts,
        used=tuple(even.used),
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


def _called(column: int, names: tuple[str, ...]) -> str:
    return repr(names[column]) if names else str(column)


def _crowded(codec: Codec, rows: Floats, names: tuple[str, ...]) -> str:
    """Tell of which column almost all rows are one integer, though there are others."""
    cells = codec.encode(rows)
    counts = [np.unique(column, return_counts=True)[1] for column in cells.T]
    share, place = max(
        (count.max() / len(cells) if len(count) > 1 else 0.0, i) for i, count in enumerate(counts)
    )
    if share < CROWDED:
        return ""
    column = _called(codec.used[place], names)
    return f" (of column {column} {share:.1%} of the rows are one of {codec.sizes[place]} integers)"


def _trees(model: Read, rows: Floats, bits: int, grid: str, names: tuple[str, ...]) -> Model:
    low, high = rows.min(axis=0), rows.max(axis=0)
    thresholds = _thresholds(model.trees, model.columns)
    used = [j for j in range(model.columns) if thresholds[j]] or [0]
    if grid == "uniform":
        steps = np.arange(1, 1 << bits) / (1 << bits)
        cuts = tuple(
            low[j] + (high[j] - low[j]) * steps if high[j] > low[j] else low[j : j + 1] for j in used
        )
    else:
        cuts = tuple(np.array(sorted(thresholds[j]), np.float64) for j in used)
        most, column = max((len(some) + 1, j) for some, j in zip(cuts, used, strict=True))
        if most > 1 << bits:
            raise ArgumentError(
                f"{most - 1} thresholds of column {_called(column, names)} are {most} integers, and "
                f"bits={bits} has {1 << bits}: compile with bits={(most - 1).bit_length()}, or grid='uniform'"
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
    whole = [simplified(tree_of(tree, least[i]), ranges) for i, tree in enumerate(model.trees)]
    # Of the leaves that are left the least of each output is 0: a tree that is one leaf takes no table.
    lowest = [np.array([leaf.values for leaf in leaves(tree)]).min(axis=0) for tree in whole]
    trees = tuple(_lowered(tree, low) for tree, low in zip(whole, lowest, strict=True))
    bits_of_leaves = max(1, *(v.bit_length() for tree in trees for leaf in leaves(tree) for v in leaf.values))
    offsets = model.base + least.sum(axis=0) + scale * np.sum(lowest, axis=0)
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


def _lowered(tree: Tree, by: Integers) -> Tree:
    """Give the same tree with values that are less by these."""
    if isinstance(tree, Leaf):
        return Leaf(tuple((np.array(tree.values) - by).tolist()))
    return tree._replace(left=_lowered(tree.left, by), right=_lowered(tree.right, by))


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
