"""How far a model in integers is from the fitted one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ._network import ACTIVATIONS, TINY

if TYPE_CHECKING:
    import numpy.typing as npt

    from ._codec import Codec, Floats
    from ._models import Read
    from ._scoring import Model

# What is measured on so many rows at most, evenly taken of those given.
MEASURED = 512
# Scores may be off by so much, of how they spread: what they explain changes by a point then. And so many
# rows may get another label.
TOLERANCE, LABELS = 0.1, 0.01
# And where labels come of scores, of which some may be far larger than others.
MANY = 0.1


# Squared distances of the same row, in parts of what they are differences of.
SAME = 1e-9


class Deviation(NamedTuple):
    """What a model in integers is off by on some rows."""

    # The root of the mean square of what scores are off by, over that of how they spread. Scores of classes
    # are compared among each other, and so are the distances of a row: what they have in common is left out.
    scores: float
    # The share of rows that get another label, where there are no scores beside it.
    labels: float
    # And what it may be.
    most: float = LABELS

    @property
    def size(self) -> float:
        """How much it is: more than 1 is too much."""
        return max(self.scores / TOLERANCE, self.labels / self.most)

    def __str__(self) -> str:
        """Tell the larger of both."""
        if self.scores / TOLERANCE < self.labels / self.most:
            return f"{self.labels:.1%} of the rows given get other labels than in floats"
        many = f"{self.scores:.0%}" if self.scores < 100 else "a hundred times and more"
        return f"scores are off by {many} of how they spread over the rows given"


def deviation(fitted: Read, model: Model, rows: Floats) -> Deviation:
    """Compare a model with the fitted one, on some of these rows."""
    rows = rows[:: -(-len(rows) // MEASURED)]
    exact, integers = _sums(fitted, rows), model.plain(rows)
    if fitted.link == "index":
        classes = np.rint(model.codec.scores(integers)).reshape(exact.shape)
        return Deviation(0.0, float((classes != exact).mean()))
    found, labels = model.codec.scores(integers).reshape(len(rows), -1), 0.0
    if fitted.points is not None:
        count = len(fitted.classes) if fitted.classes is not None else 1
        # In floats, which these integers are exact in, products are faster.
        keys = model.codec.encode(rows).astype(np.float64) @ model.weights.T.astype(np.float64)
        keys += model.constants
        labels, found = _others(fitted, model.codec, rows, exact, keys), keys // count
    elif fitted.classes is not None:
        of_floats = model.codec.labels_of(exact[:, 0] if exact.shape[1] == 1 else exact)
        labels = float((model.codec.labels(integers) != of_floats).mean())
    return _compared(fitted, exact, found, labels)


def of_columns(fitted: Read, model: Model, rows: Floats) -> Deviation:
    """Tell what a network or neighbours are off by for their columns alone, evenly cut as they are."""
    rows, codec = rows[:: -(-len(rows) // MEASURED)], model.codec
    rounded = rows.copy()
    for j, cuts, cells in zip(codec.used, codec.cuts, codec.encode(rows).T, strict=True):
        step = (cuts[-1] - cuts[0]) / max(1, len(cuts) - 1)
        rounded[:, j] = cuts[0] + step * (cells - 0.5)
    exact, found = _sums(fitted, rows), _sums(fitted, rounded)
    labels = 0.0
    if fitted.points is not None:
        labels = _others(fitted, codec, rows, exact, found)
    return _compared(fitted, exact, found, labels)


def _compared(fitted: Read, exact: Floats, found: Floats, labels: float) -> Deviation:
    if fitted.classes is not None and exact.shape[1] > 1:
        exact, found = exact - exact.mean(axis=1, keepdims=True), found - found.mean(axis=1, keepdims=True)
    if fitted.points is not None:
        # The unit of keys does not matter.
        found = found * ((found * exact).sum() / max((found**2).sum(), TINY))
    # In units of how far the rows given reach, which are squared: other scores may be far larger.
    size = np.abs(exact - exact.mean(axis=0)).max(axis=0 if fitted.classes is None else None)
    size = np.where(size > 0, size, 1)
    with np.errstate(over="ignore"):
        spread = ((exact - exact.mean(axis=0)) / size).var(axis=0)
        square = (((found - exact) / size) ** 2).mean(axis=0)
    if fitted.classes is not None:
        spread, square = spread.mean(keepdims=True), square.mean(keepdims=True)
    # Of several numbers that which is off most.
    off = float(np.sqrt((square[spread > 0] / spread[spread > 0]).max(initial=0)))
    # Of neighbours with two standard deviations of so many rows, as they often tie.
    most = LABELS + 2 * float(np.sqrt(LABELS / len(exact))) if fitted.points is not None else MANY
    return Deviation(off, labels, most)


def _others(fitted: Read, codec: Codec, rows: Floats, exact: Floats, found: Floats) -> float:
    """Give the share of rows with other labels by these distances. A point is not its own neighbour."""
    points, moved = _moved(fitted, fitted.points), _moved(fitted, rows)
    sizes = (moved**2).sum(axis=1)[:, None] + (points**2).sum(axis=1)
    own = sizes - 2 * moved @ points.T <= SAME * sizes
    one, other = (_labels(fitted, codec, np.where(own, np.inf, some)) for some in (exact, found))
    return float((one != other).mean())


def _moved(fitted: Read, rows: Any) -> Floats:
    """Give rows from the mean of the points on, in units of distances."""
    factors = np.ones(fitted.columns) if fitted.factors is None else fitted.factors
    return np.asarray((rows - fitted.points.mean(axis=0)) * factors)  # type: ignore[union-attr]  # neighbours have points


def _labels(fitted: Read, codec: Codec, distances: Floats) -> npt.NDArray[Any]:
    """Give the labels that neighbours of these distances have."""
    nearest = np.argsort(distances, axis=1, kind="stable")[:, : fitted.nearest]
    return codec.labels(np.asarray(fitted.labels)[nearest])


def _sums(fitted: Read, rows: Floats) -> Floats:
    """Give scores of rows, an axis for outputs; of neighbours distances, but for a part that all have."""
    if fitted.weights is not None:
        return np.asarray(rows @ fitted.weights.T + fitted.base)
    if fitted.points is not None:
        points, moved = _moved(fitted, fitted.points), _moved(fitted, rows)
        return np.asarray((points**2).sum(axis=1) - 2 * moved @ points.T)
    for number, (weights, base) in enumerate(fitted.layers, 1):
        rows = rows @ weights + base
        rows = rows if number == len(fitted.layers) else ACTIVATIONS[fitted.activation](rows)
    if fitted.layers:
        return rows
    found = np.tile(fitted.base, (len(rows), 1))
    for tree in fitted.trees:
        _add(found, tree, rows, np.arange(len(rows)))
    return found


def _add(found: Floats, tree: Any, rows: Floats, some: Any) -> None:
    """Add what a tree has for some of the rows."""
    if not len(some):
        return
    if not isinstance(tree, tuple):
        found[some] += tree
        return
    column, threshold, left, right = tree
    is_left = rows[some, column] <= threshold
    _add(found, left, rows, some[is_left])
    _add(found, right, rows, some[~is_left])
