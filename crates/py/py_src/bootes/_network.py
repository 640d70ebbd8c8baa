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

ACTIVATIONS: dict[str, Any] = {
    "identity": lambda x: x,
    "relu": lambda x: np.maximum(x, 0),
    "tanh": np.tanh,
    "logistic": lambda x: 1 / (1 + np.exp(-x)),
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


def rounded(effects: Floats, base: Floats, largest: Integers, size: int, *, centred: bool) -> Rounded:
    """Round sums effects · cells + base, of cells from 0 to these, as finely as so many integers let.

    Centred, each output has an offset of its own, and sums are from -size / 2 on; or else all have one, and
    sums are from 0 on.
    """
    least, most = (np.minimum(effects, 0) @ largest, np.maximum(effects, 0) @ largest)
    if centred:
        offsets, span = base + (least + most) / 2, float((most - least).max())
        room, start = size - 2, -(size // 2)
    else:
        low = float((base + least).min())
        offsets, span = np.full_like(base, low), float((base + most).max()) - low
        room, start = size - 1, 0
    scale = span / room or 1.0
    while True:
        weights = np.rint(effects / scale).astype(np.int64)
        constants = np.rint((base - offsets) / scale).astype(np.int64)
        lowest = (np.minimum(weights, 0) @ largest + constants).min()
        highest = (np.maximum(weights, 0) @ largest + constants).max()
        if lowest >= start and highest < start + size:
            return Rounded(weights, constants, scale, offsets)
        # Roundings have left the range: a little less fine, and a little higher.
        scale *= 1.01
        if lowest < start and not centred:
            offsets = offsets - 0.01 * room * scale


def quantised(
    layers: Sequence[tuple[Floats, Floats]],
    activation: str,
    rows: Floats,
    low: Floats,
    step: Floats,
    largest: Integers,
    sums: int,
) -> tuple[list[Layer], Rounded]:
    """Give the layers in integers, of cells of which each stands for low + step · cell, and the last one."""
    f = ACTIVATIONS[activation]
    found: list[Layer] = []
    for number, (weights, base) in enumerate(layers):
        effects = weights.T * step
        start = base + weights.T @ low
        bits = sums if number == 0 else min(sums, LATER_BITS)
        if number == len(layers) - 1:
            return found, rounded(effects, start, largest, 1 << min(sums, LATER_BITS), centred=True)
        one = rounded(effects, start, largest, 1 << bits, centred=False)
        rows = f(rows @ weights + base)
        # A few that are larger count as the largest.
        ends = float(rows.min()), float(np.quantile(rows, 0.999))
        top = (1 << HIDDEN_BITS) - 1
        width = (ends[1] - ends[0]) / top or 1.0
        values = f(one.offsets[0] + one.scale * np.arange(1 << bits))
        table = np.clip(np.rint((values - ends[0]) / width), 0, top).astype(np.int64)
        found.append(Layer(one.weights, one.constants, table))
        neurons = weights.shape[1]
        low, step = np.full(neurons, ends[0]), np.full(neurons, width)
        largest = np.full(neurons, top)
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
