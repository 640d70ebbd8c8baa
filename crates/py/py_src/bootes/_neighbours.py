"""The nearest of some points, in integers.

Squared distances of a row x to points t have |x|² in common. What is left, |t|² + (-2t)·x, is a sum. It is
a *key* with the class of the point in its lowest digit, and the least keys are found by a network of
comparisons: lists of sorted keys are merged, two by two, to the least of both, as bitonic sorting does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from ._bootes import Encrypted, Server, concatenate
from ._codec import LEAST_BITS
from ._errors import ArgumentError, NoiseError
from ._network import Means, Rounded, rounded

if TYPE_CHECKING:
    from collections.abc import Sequence

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

_T = TypeVar("_T")


class Engine(Protocol[_T]):
    """Who compares, many pairs at once."""

    def least(self, pairs: Sequence[tuple[_T, _T]]) -> list[_T]:
        """Give the smaller one of each pair."""
        ...

    def exchanged(self, pairs: Sequence[tuple[_T, _T]]) -> list[tuple[_T, _T]]:
        """Give the smaller and the larger one of each pair."""
        ...


def keys(
    points: Floats,
    labels: Integers,
    classes: int,
    factors: Floats,
    rows: Floats,
    cells: Integers,
    step: Floats,
    used: Sequence[int],
    largest: Integers,
    bits: int,
) -> Rounded:
    """Give weights and constants of keys of so many bits, of cells which these rows have, in such steps.

    Distances are of columns times these factors. Points are moved to their mean, where weights are small.
    Columns that are not used do not change, and are a part of distances.
    """
    digit = (classes - 1).bit_length()
    if bits - digit < LEAST_BITS:
        raise ArgumentError(
            f"{classes} classes take {digit} of sums={bits} bits, expected {LEAST_BITS} more at least: "
            f"compile with sums={digit + LEAST_BITS} or more"
        )
    mean = points.mean(axis=0)
    moved = (points - mean) * factors
    effects = (-2 * moved * factors)[:, used] * step
    sums = (moved**2).sum(axis=1) - 2 * moved @ (factors * (rows.mean(axis=0) - mean))
    found = rounded(effects, largest, Means(cells.mean(axis=0), sums), (1 << bits) // classes, centred=False)
    return found._replace(weights=found.weights * classes, constants=found.constants * classes + labels)


def nearest(found: Sequence[_T], count: int, engine: Engine[_T]) -> list[_T]:
    """Give the least keys in order."""
    size = 1 << (count - 1).bit_length()
    lists: list[list[Any]] = [[key, *[None] * (size - 1)] for key in found]
    while len(lists) > 1:
        pairs = list(zip(lists[::2], lists[1::2], strict=False))
        merged = [_apart([(a[i], b[size - 1 - i]) for i in range(size)]) for a, b in pairs]
        smaller = iter(engine.least([pair for _, both in merged for pair in both]))
        new = [[next(smaller) if one is _BOTH else one for one in alone] for alone, _ in merged]
        stride = size // 2
        while stride:
            places = [(row, i) for row in new for i in range(size) if not i & stride]
            there = [(row, i) for row, i in places if row[i + stride] is not None]
            swaps = [(row, i) for row, i in there if row[i] is not None]
            for row, i in there:
                if row[i] is None:
                    row[i], row[i + stride] = row[i + stride], None
            results = engine.exchanged([(row[i], row[i + stride]) for row, i in swaps]) if swaps else []
            for (row, i), (less, more) in zip(swaps, results, strict=True):
                row[i], row[i + stride] = less, more
            stride //= 2
        lists = new + lists[len(pairs) * 2 :]
    return lists[0][:count]


# Stands where the smaller one of two is to be.
_BOTH: Any = object()


def _apart(pairs: list[tuple[Any, Any]]) -> tuple[list[Any], list[tuple[Any, Any]]]:
    """Give what is known, of keys beside none, and the pairs that are to be compared."""
    alone = [_BOTH if a is not None and b is not None else b if a is None else a for a, b in pairs]
    return alone, [(a, b) for a, b in pairs if a is not None and b is not None]


class Plain:
    """Compares integers, and counts."""

    def __init__(self) -> None:
        self.minima, self.exchanges = 0, 0

    def least(self, pairs: Sequence[tuple[Any, Any]]) -> list[Any]:
        """Give the smaller ones."""
        self.minima += len(pairs)
        return [np.minimum(a, b) for a, b in pairs]

    def exchanged(self, pairs: Sequence[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
        """Give both in order."""
        self.exchanges += len(pairs)
        return [(np.minimum(a, b), np.maximum(a, b)) for a, b in pairs]


class Comparing:
    """Compares encrypted integers: all pairs together where values are apart."""

    LEAST, BOTH = "min(x, y)", "min(x, y); max(x, y)"

    def __init__(self, server: Server) -> None:
        self.server = server
        self.is_apart = server.params.engine == "fhew"

    def _evaluated(self, text: str, pairs: Sequence[tuple[Encrypted, Encrypted]]) -> list[list[Encrypted]]:
        if not pairs:
            return []
        if not self.is_apart:
            return [self._one(text, x, y) for x, y in pairs]
        x, y = (concatenate([pair[side] for pair in pairs]) for side in (0, 1))
        rows = len(pairs[0][0])
        results = self._one(text, x, y)
        return [[one[i * rows : (i + 1) * rows] for one in results] for i in range(len(pairs))]

    def _one(self, text: str, x: Encrypted, y: Encrypted) -> list[Encrypted]:
        try:
            return self.server.evaluate_all(text, x, y)
        except NoiseError:
            return self.server.evaluate_all(text, self.refreshed(x), self.refreshed(y))

    def refreshed(self, x: Encrypted) -> Encrypted:
        """Give the same with the noise of a table, where comparisons have added up theirs."""
        last = x.range[1]
        found = self.server.evaluate(np.arange(last + 1), x, out_bits=last.bit_length())
        return found.as_residues().as_integers(0, last)

    def least(self, pairs: Sequence[tuple[Encrypted, Encrypted]]) -> list[Encrypted]:
        """Give the smaller ones."""
        return [one for (one,) in self._evaluated(self.LEAST, pairs)]

    def exchanged(self, pairs: Sequence[tuple[Encrypted, Encrypted]]) -> list[tuple[Encrypted, Encrypted]]:
        """Give both in order."""
        return [(less, more) for less, more in self._evaluated(self.BOTH, pairs)]
