"""Networks of neurons in integers: sums, and a table of them a layer.

A column is an integer of few bits. A neuron's sum of these is an integer of so many bits that no row leaves
them: weights are rounded for that. The activation of a layer is a table of its sums, whose entries are
integers of few bits again, the columns of the next layer. The last layer is a sum alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ._bootes import Encrypted, Server, concatenate

if TYPE_CHECKING:
    from collections.abc import Sequence

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]
# All columns: an array with a row for each, or apart where the engine does not add within a vector.
Columns: TypeAlias = Encrypted | list[Encrypted]

# Of the entries of tables.
HIDDEN_BITS = 5
# Of the sums of what tables gave, whose noise leaves no more room.
LATER_BITS = 12
# Steps below are none: floats there are not apart by so little.
TINY = 1e-300

ACTIVATIONS: dict[str, Any] = {
    "identity": lambda x: x,
    "relu": lambda x: np.maximum(x, 0),
    "tanh": np.tanh,
    "logistic": lambda x: np.exp(-np.logaddexp(0, -x)),
}


class Layer(NamedTuple):
    """A layer with an activation: the entries of the table of weights · cells + constants."""

    weights: Integers
    constants: Integers
    table: Integers

    def plain(self, cells: Integers) -> Integers:
        """Give what comes of cells that are not encrypted."""
        return np.asarray(self.table[cells @ self.weights.T + self.constants])


class Rounded(NamedTuple):
    """Weights and constants as integers, so that no sum leaves its range."""

    weights: Integers
    constants: Integers
    # A sum of integers stands for scale · sum + offsets.
    scale: float
    offsets: Floats


class Means(NamedTuple):
    """Of some rows: the mean of their cells, and that of each sum before anything is rounded."""

    cells: Floats
    sums: Floats


def rounded(
    effects: Floats, largest: Integers, means: Means, size: int, *, centred: bool, origin: bool = False
) -> Rounded:
    """Round sums effects · cells + base, of cells from 0 to these, as finely as so many integers let.

    Centred, each output has an offset of its own, which is 0 at the origin, and sums are from -size / 2 on;
    or else all have one, and sums are from 0 on. The base is what gives rows of these means their mean sums:
    what roundings of weights and cells add to all rows alike is taken away.
    """
    first = means.sums - effects @ means.cells
    low, high = first + np.minimum(effects, 0) @ largest, first + np.maximum(effects, 0) @ largest
    if origin:
        span = 2 * np.maximum(high, -low).max()
    else:
        span = (high - low).max() if centred else high.max() - low.min()
    start = -(size // 2) if centred else 0
    scale = float(span) / (size - 2)
    if scale < TINY:
        scale = 1.0
    while True:
        weights = np.rint(effects / scale).astype(np.int64)
        least, most = np.minimum(weights, 0) @ largest, np.maximum(weights, 0) @ largest
        base = means.sums / scale - weights @ means.cells
        if origin:
            offsets = np.zeros_like(base)
        elif centred:
            offsets = base + (least + most) // 2
        else:
            offsets = np.full_like(base, np.floor((base + least).min()))
        constants = np.rint(base - offsets).astype(np.int64)
        if (least + constants).min() >= start and (most + constants).max() < start + size:
            return Rounded(weights, constants, scale, scale * offsets)
        # Roundings have left the range: a little less fine.
        scale *= 1.01


def quantised(
    layers: Sequence[tuple[Floats, Floats]],
    activation: str,
    rows: Floats,
    cells: Integers,
    step: Floats,
    largest: Integers,
    sums: int,
) -> tuple[list[Layer], Rounded]:
    """Give the layers in integers, of cells which these rows have, each in such steps, and the last one."""
    f = ACTIVATIONS[activation]
    found: list[Layer] = []
    for number, (weights, base) in enumerate(layers):
        rows = rows @ weights + base
        means = Means(cells.mean(axis=0), rows.mean(axis=0))
        effects = weights.T * step
        bits = sums if number == 0 else min(sums, LATER_BITS)
        if number == len(layers) - 1:
            return found, rounded(effects, largest, means, 1 << min(sums, LATER_BITS), centred=True)
        one = rounded(effects, largest, means, 1 << bits, centred=False)
        rows = f(rows)
        # A few that are larger count as the largest.
        ends = float(rows.min()), float(np.quantile(rows, 0.999))
        top = (1 << HIDDEN_BITS) - 1
        width = (ends[1] - ends[0]) / top or 1.0
        values = f(one.offsets[0] + one.scale * np.arange(1 << bits))
        table = np.clip(np.rint((values - ends[0]) / width), 0, top).astype(np.int64)
        found.append(Layer(one.weights, one.constants, table))
        cells = found[-1].plain(cells)
        step = np.full(weights.shape[1], width)
        largest = np.full(weights.shape[1], top)
    raise AssertionError("a network has a last layer")


def stacked(columns: Sequence[Encrypted]) -> Columns:
    """Give columns as sums take them."""
    if columns[0].params.engine == "fhew":
        return concatenate(columns).reshape(len(columns), -1)
    return list(columns)


def linear(columns: Columns, weights: Integers, constants: Integers) -> Columns:
    """Give weights · columns + constants, modulo what the columns are."""
    p = (columns[0] if isinstance(columns, list) else columns).modulus or 0
    small = (weights + p // 2) % p - p // 2
    if not isinstance(columns, list):
        return small @ columns + (constants % p)[:, None]
    sums = []
    for row, constant in zip(small, constants, strict=True):
        terms = [int(w) * x for w, x in zip(row, columns, strict=True) if w]
        total = sum(terms[1:], terms[0]) if terms else 0 * columns[0]
        sums.append(total + int(constant % p))
    return sums


def activated(server: Server, sums: Columns, table: Integers, bits: int) -> Columns:
    """Evaluate a table of sums, with room for sums of so many bits."""
    if isinstance(sums, list):
        return [server.evaluate(table, x, out_modulus=1 << bits) for x in sums]
    return server.evaluate(table, sums.as_integers(0, len(table) - 1), out_bits=bits).as_residues()
