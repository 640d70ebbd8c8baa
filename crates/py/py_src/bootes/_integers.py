"""Arrays of integers of any size, exactly: NumPy makes floats of some lists of them, and its sums wrap."""

from __future__ import annotations

from collections.abc import Sized
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ._bootes import Encrypted
from ._errors import ArgumentError, DtypeError

Numbers: TypeAlias = npt.NDArray[Any]

# Numbers of a range that are made into an array.
MOST = 1 << 32


def even(x: Any) -> Numbers:
    """Give the array of what NumPy takes for one; refuse rows of unlike lengths and masked values."""
    refuse_encrypted(x)
    rows = x if isinstance(x, (list, tuple)) and x and not isinstance(x[0], int) else ()
    if any(isinstance(row, np.ma.MaskedArray) and np.ma.is_masked(row) for row in (x, *rows)):
        raise ArgumentError("values masked here and there: take .filled(0), or .compressed() without those")
    # Its len() ends at 2^63.
    if isinstance(x, range) and abs(x.stop - x.start) // abs(x.step) >= MOST:
        raise ArgumentError(
            "a range of more than 2^32 numbers: expected as many as there is memory for, take some"
        )
    try:
        return np.asarray(x)
    except ValueError as error:
        if "inhomogeneous" not in str(error):
            raise
        raise ArgumentError("rows of unlike lengths: expected as many values in each row") from None


def refuse_encrypted(x: object) -> None:
    """Refuse what is encrypted already, where numbers are expected."""
    if isinstance(x, Encrypted):
        raise DtypeError(
            "an array that is encrypted already, expected numbers: it goes to a server as it is, where "
            'products of two are Server.run("x*y", x=x, y=y), or decrypt it first'
        )
    if hasattr(x, "schema") and hasattr(x, "key_id"):
        raise DtypeError("a frame that is encrypted already, expected numbers: decrypt it first")


def exact(x: Any) -> Numbers:
    """Give an array of what NumPy takes for one; integers alone stay what they are, in the type of narrowest.

    NumPy takes ``[2**64 - 1, 1]`` for floats, and has objects for what is beyond 64 bits.
    """
    array = even(x)
    # Floats of an array are floats; those of a list may have been integers.
    if array.dtype.kind != "O" and not (array.dtype.kind == "f" and isinstance(x, (list, tuple))):
        return array
    objects = array if array.dtype.kind == "O" else np.array(x, object)
    if objects.size and all(isinstance(one, (bool, np.bool_)) for one in objects.flat):
        return objects.astype(bool)
    # Nothing has no other type.
    return narrowest(objects) if are_integers(objects) or not objects.size else array


def are_integers(array: Numbers) -> bool:
    """Tell whether there are objects, all of them integers: truths beside integers, too, as 0 and 1."""
    if array.dtype.kind != "O" or not array.size:
        return False
    if not all(isinstance(one, (int, np.integer, np.bool_)) for one in array.flat):
        return False
    return not all(isinstance(one, (bool, np.bool_)) for one in array.flat)


def shown(number: object) -> str:
    """Give a number, or a pair of them, in few words: long ones by their length."""
    if isinstance(number, (int, np.integer)) and not isinstance(number, bool):
        bits = int(number).bit_length()
        sign = "-" if number < 0 else ""
        return str(number) if bits <= 128 else f"{sign}(a number of {bits} bits)"
    if isinstance(number, tuple) and len(number) == 2:
        return f"({shown(number[0])}, {shown(number[1])})"
    try:
        text = repr(number)
    except ValueError:  # Of a number with more digits than Python writes.
        text = ""
    if text and len(text) <= 100:
        return text
    length = f" of {len(number)}" if isinstance(number, Sized) else ""
    return f"a {type(number).__name__}{length}"


def narrowest(integers: Numbers) -> Numbers:
    """Give integers as int64 where that holds all of them, else as uint64, else as Python's."""
    if not integers.size:
        return integers.astype(np.int64)
    low, high = int(integers.min()), int(integers.max())
    for dtype in (np.int64, np.uint64):
        if np.iinfo(dtype).min <= low and high <= np.iinfo(dtype).max:
            return integers.astype(dtype)
    return np.array([int(one) for one in integers.flat], object).reshape(integers.shape)


def joined(arrays: list[Numbers]) -> Numbers:
    """Put arrays together: those of integers with and without a sign too, which NumPy makes floats of."""
    if len({array.dtype.kind for array in arrays} & set("iuO")) > 1:
        return exact(np.concatenate([array.astype(object) for array in arrays]))
    return np.concatenate(arrays)


def sums_by(numbers: npt.NDArray[np.int64], count: int, values: Numbers) -> Numbers:
    """Add up integers of one number, from 0 to `count` - 1: a sum for each, in the type of narrowest."""
    most = int(np.bincount(numbers).max(initial=0))
    farthest = max(map(abs, (int(values.min()), int(values.max())))) if len(values) else 0
    # In 64 bits where no sum leaves them.
    small = most * farthest <= np.iinfo(np.int64).max
    total = np.zeros(count, np.int64 if small else object)
    np.add.at(total, numbers, values.astype(total.dtype))
    return total if small else narrowest(total)
