"""What fitted models have to be before they are compiled: numbers, and trees that end."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from reprlib import Repr
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ._errors import ArgumentError, DataError, DtypeError, UnsupportedError

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]

# What walks trees calls itself, and so do pickles.
MAX_DEPTH = 200
MAX_NODES = 1 << 20
# Counts in JSON.
MAX_COUNT = (1 << 31) - 1

short = Repr()
short.maxlevel, short.maxdict, short.maxlist, short.maxstring, short.maxother = 1, 2, 4, 40, 40


def whole(name: str, value: Any, low: int, high: int) -> int:
    """Give a whole number within these ends, of an argument of this name."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise DtypeError(f"{name}={value!r} of type {type(value).__name__}, expected a whole number")
    if not low <= value <= high:
        raise ArgumentError(f"{name}={value}, expected {low} to {high}")
    return int(value)


def numbers(model: Any, attribute: str) -> Floats:
    """Give the numbers that a fitted model has, all of them finite."""
    return finite_numbers(getattr(model, attribute), f"{type(model).__name__}.{attribute}")


def finite_numbers(value: Any, name: str, *, positive: bool = False) -> Floats:
    """Give numbers that are called so, all of them finite, and above 0 if that is said."""
    try:
        array = np.asarray(value.toarray() if hasattr(value, "toarray") else value)
        if array.dtype.kind == "c":
            raise TypeError("complex numbers")
        found = array.astype(np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise DtypeError(f"{name} holds no numbers: fit the model anew") from error
    wrong = ~np.isfinite(found) | (found <= 0 if positive else False)
    if wrong.any():
        place = np.argwhere(wrong)[0].tolist()
        expected = "finite numbers" + (" above 0" if positive else "")
        raise ArgumentError(
            f"{name}{place or ''} is {found[tuple(place)]}, expected {expected}: fit the model anew"
        )
    return found


def refuse_loops(left: Integers, right: Integers, name: str) -> None:
    """Refuse nodes below that are none, below two, or that are the root; -1 stands for none."""
    inner = (left != -1) | (right != -1)
    below = np.concatenate([left[inner], right[inner]])
    inside = not len(below) or 0 < below.min() <= below.max() < len(left)
    if not inside or len(np.unique(below)) < len(below):
        raise DataError(
            f"{name} is no tree: expected each node below one other, and the first below none; fit it anew, "
            "or read it anew from its file"
        )


def grown(root: Any, look: Callable[[Any], Any], name: str, columns: int) -> Any:
    """Give a tree from its root on: an array of values, or a column, a threshold, what is left and right.

    `look` gives the same of a node, with the nodes below as it takes them. Nothing here calls itself.
    """
    nodes, found = [(root, 0)], list[Any]()
    for node, depth in nodes:  # which grow meanwhile
        one = look(node)
        while isinstance(one, tuple) and one[1] == np.inf and depth <= MAX_DEPTH:
            one, depth = look(one[2]), depth + 1  # All but what is missing goes there.
        if depth > MAX_DEPTH or len(nodes) > MAX_NODES:
            what = "deeper than" if depth > MAX_DEPTH else "of more nodes than"
            most = MAX_DEPTH if depth > MAX_DEPTH else MAX_NODES
            raise UnsupportedError(f"{name} is {what} {most}: fit it with max_depth=, such as 10")
        if not isinstance(one, tuple):
            if not np.isfinite(one).all():
                raise ArgumentError(f"{name} has a leaf of {one}, expected finite numbers: fit it anew")
            found.append(np.asarray(one, np.float64))
            continue
        column, threshold, left, right = one
        if not 0 <= column < columns:
            raise DataError(f"{name} compares column {column}, expected 0 to {columns - 1}: fit it anew")
        if not np.isfinite(threshold):
            raise ArgumentError(
                f"{name} has a threshold of {threshold}, expected a finite number: fit it anew"
            )
        found.append((int(column), float(threshold), len(nodes), len(nodes) + 1))
        nodes += [(left, depth + 1), (right, depth + 1)]
    for i, one in reversed(list(enumerate(found))):
        if isinstance(one, tuple):
            found[i] = (*one[:2], found[one[2]], found[one[3]])
    return found[0]


class At:
    """A place in JSON, which is what it is said to be, or refused with its way from the top."""

    def __init__(self, value: Any, cure: str, above: At | None = None, key: Any = "fitted") -> None:
        self.value, self.cure, self.above, self.key = value, cure, above, key

    def __str__(self) -> str:
        """Give the way, without the middle of a long one."""
        keys: list[Any] = []
        at: At | None = self
        while at is not None and at.above is not None:
            keys.insert(0, f"[{at.key!r}]")
            at = at.above
        shown = keys if len(keys) <= 6 else [*keys[:4], "…", *keys[-1:]]
        return "".join(["fitted", *shown])

    def refused(self, expected: str) -> DataError:
        """Say what is there and what was expected."""
        return DataError(f"{self} is {short.repr(self.value)}, expected {expected}: {self.cure}")

    def get(self, key: Any) -> At | None:
        """Give what has this key, or none."""
        if not isinstance(self.value, Mapping):
            raise self.refused("a dictionary")
        return At(self.value[key], self.cure, self, key) if key in self.value else None

    def __getitem__(self, key: Any) -> At:
        """Give what has this key."""
        found = self.get(key)
        if found is None:
            raise DataError(f"{self} has no {key!r}: {self.cure}")
        return found

    def all(self) -> list[At]:
        """Give what a list has."""
        if not isinstance(self.value, (list, tuple)):
            raise self.refused("a list")
        return [At(one, self.cure, self, i) for i, one in enumerate(self.value)]

    def text(self) -> str:
        """Give a text."""
        if not isinstance(self.value, str):
            raise self.refused("a text")
        return self.value

    def whole(self, low: int, high: int = MAX_COUNT) -> int:
        """Give a whole number within these ends, which XGBoost has as a text."""
        found = self.value
        if isinstance(found, str) and re.fullmatch("-?[0-9]{1,20}", found):
            found = int(found)
        if isinstance(found, bool) or not isinstance(found, int) or not low <= found <= high:
            raise self.refused(f"a whole number, {low} to {high}")
        return found

    def number(self) -> float:
        """Give a finite number."""
        found = self.value
        if isinstance(found, bool) or not isinstance(found, (int, float)) or not abs(found) < np.inf:
            raise self.refused("a finite number")
        try:
            return float(found)
        except OverflowError:
            raise self.refused("a finite number") from None

    def numbers(self, count: int) -> Floats:
        """Give a list of so many numbers."""
        return self._array("iuf", count).astype(np.float64)

    def wholes(self, count: int | None = None) -> Integers:
        """Give a list of whole numbers, so many if that is said."""
        return self._array("i", count).astype(np.int64)

    def _array(self, kinds: str, count: int | None) -> npt.NDArray[Any]:
        what = "whole numbers" if kinds == "i" else "numbers"
        expected = f"a list of {what}" if count is None else f"a list of {count} {what}"
        if not isinstance(self.value, (list, tuple)) or any(isinstance(one, bool) for one in self.value):
            raise self.refused(expected)
        if count is not None and len(self.value) != count:
            raise DataError(f"{self} has {len(self.value)} entries, expected {count}: {self.cure}")
        try:
            found = np.array(self.value)
        except (ValueError, OverflowError):
            raise self.refused(expected) from None
        if len(found) and (found.dtype.kind not in kinds or found.ndim != 1):
            raise self.refused(expected)
        return found
