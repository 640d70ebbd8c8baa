"""How far a model in integers is from the fitted one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._network import ACTIVATIONS

if TYPE_CHECKING:
    from ._codec import Floats
    from ._models import Read
    from ._scoring import Model

# What is measured on so many rows at most, evenly taken of those given.
MEASURED = 512
# Scores may be off by so much, of how they spread: what they explain changes by a point then.
TOLERANCE = 0.1


def deviation(fitted: Read, model: Model, rows: Floats) -> float:
    """Give the root of the mean square of what scores of rows are off by, over that of how they spread.

    Scores of classes are compared among each other, and so are the distances of a row: what they have in
    common does not count. Where labels alone are told, it is the root of the share of those that differ.
    """
    rows = rows[:: -(-len(rows) // MEASURED)]
    exact = _sums(fitted, rows)
    if fitted.link == "index":
        return float(np.sqrt((model.plain(rows) != exact).mean()))
    if fitted.points is None:
        found = model.codec.scores(model.plain(rows)).reshape(len(rows), -1)
    else:
        count = len(fitted.classes) if fitted.classes is not None else 1
        # In floats, which these integers are exact in, products are faster.
        keys = model.codec.encode(rows).astype(np.float64) @ model.weights.T.astype(np.float64)
        found = (keys + model.constants) // count
    if exact.shape[1] > 1:
        exact, found = exact - exact.mean(axis=1, keepdims=True), found - found.mean(axis=1, keepdims=True)
    if fitted.points is not None:
        # The unit of keys does not matter.
        found = found * ((found * exact).sum() / max((found**2).sum(), 1))
    spread = float(exact.var(axis=0).mean())
    return float(np.sqrt(((found - exact) ** 2).mean() / spread)) if spread > 0 else 0.0


def _sums(fitted: Read, rows: Floats) -> Floats:
    """Give scores of rows, an axis for outputs; of neighbours distances, but for a part that all have."""
    if fitted.weights is not None:
        return np.asarray(rows @ fitted.weights.T + fitted.base)
    if fitted.points is not None:
        factors = np.ones(fitted.columns) if fitted.factors is None else fitted.factors
        mean = fitted.points.mean(axis=0)
        points, moved = (fitted.points - mean) * factors, (rows - mean) * factors
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
