"""Columns of tables, whatever they are of, as integers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor, inf, isfinite, log10
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _arrow
from ._bootes import MAX_WIDTH
from ._errors import ArgumentError, DtypeError
from ._integers import Numbers, are_integers, exact, narrowest, shown

# Floats are all integers up to here.
EXACT = 1 << 53

# Numbers of expressions.
MOST_BITS = 112


@dataclass(frozen=True)
class Field:
    """What a column holds, which is public: integers from `low` to `high`, and what they stand for."""

    # In steps that nobody knows are numbers of a text, images of tables, and arrays.
    kind: Literal["integer", "boolean", "category", "number", "literal", "image", "array"]
    low: int
    high: int
    # Of numbers: k stands for k * step.
    step: float = 1.0
    # Of categories: k stands for the one of this index.
    categories: tuple[Any, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether nobody knows what a step is."""
        return self.kind in ("literal", "image", "array")

    def decoded(self, name: str, integers: Numbers) -> Numbers:
        """Give what integers stand for: the nearest floats of numbers; long ones in steps of 1 are exact."""
        if self.kind == "boolean":
            return integers.astype(bool)
        if self.kind == "category":
            outside = (integers < 0) | (integers >= len(self.categories))
            if outside.any():
                row = int(outside.argmax())
                raise ArgumentError(
                    f"column {name!r} has {integers[row]} in row {row}, and {len(self.categories)} "
                    "categories: choose from numbers that Frame.code gives"
                )
            return exact(self.categories)[integers]
        if self.kind != "number":
            return integers
        above, below = _ratio(self.step)
        largest = max(abs(int(integers.min())), abs(int(integers.max()))) if len(integers) else 0
        if below == 1 and above == 1 and largest > EXACT:
            return exact([int(k) for k in integers])  # Whole numbers that no float holds.
        if largest > EXACT:
            return np.array([_float(int(k) * Fraction(above) / below) for k in integers])
        with np.errstate(over="ignore"):  # What no float holds is infinite.
            return integers * above / below if below != 1 else integers * above


def _float(exact: Fraction) -> float:
    try:
        return float(exact)
    except OverflowError:
        return inf if exact > 0 else -inf


def _ratio(step: float) -> tuple[float, int]:
    """Give a step as a quotient, of whole numbers if they are short: three tenths are 0.3 then."""
    exact = Fraction(str(step))
    if max(exact.numerator, exact.denominator) < 1 << 20:
        return float(exact.numerator), exact.denominator
    below = round(1 / step) if step > 1e-15 else 1
    return (1.0, below) if below > 0 and 1 / below == step else (step, 1)


def one_line(name: object) -> str:
    """Give a name, as Python writes it where it would break the line, and the beginning of a long one."""
    text = str(name)
    text = text if text.isprintable() else repr(text)
    return text if len(text) <= 60 else f"{text[:57]}..."


def listed(names: Iterable[object]) -> str:
    shown = [one_line(name) for name in names]
    return ", ".join(shown[:8]) + (f" and {len(shown) - 8} more" if len(shown) > 8 else "")


# From tables to columns.


@dataclass
class Found:
    """A column as it was found; values of categories are their numbers."""

    values: Numbers
    missing: npt.NDArray[np.bool_]
    categories: list[Any] | None


def columns_of(data: Any) -> dict[str, Found]:
    """Read what is a table to somebody."""
    named: Iterable[tuple[Any, Any]]
    if isinstance(data, Mapping):
        _refuse_twice(data)
        named = data.items()
    elif hasattr(data, "isna") and hasattr(data, "columns"):  # pandas
        _refuse_twice(data.columns)
        named = [(name, data[name]) for name in data.columns]
    elif hasattr(data, "isna") and hasattr(data, "name"):  # A series of pandas
        named = [(_name_of(data), data)]
    elif hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__"):
        columns = _arrow.columns(data)
        if len(columns) == 1 and not columns[0][0]:
            columns = [(_name_of(data), columns[0][1])]
        _refuse_twice(name for name, _ in columns)
        return _same_length({name: Found(*found) for name, found in columns})
    else:
        raise DtypeError(
            f"a table of type {type(data).__name__}: expected a DataFrame of pandas or Polars, a table of "
            "Arrow, or a dictionary of arrays"
        )
    named = list(named)
    for name, _ in named:
        if not isinstance(name, str):
            texts = "{str(name): x for name, x in columns.items()}"
            if not isinstance(data, Mapping):
                texts = "table.set_axis([str(name) for name in table.columns], axis=1)"
            raise DtypeError(
                f"a column is called {name!r}, of type {type(name).__name__}: expected texts, as of {texts}"
            )
    return _same_length({name: _of_any(name, x) for name, x in named})


def _name_of(column: Any) -> str:
    """Give the name of a column that is no table."""
    name = getattr(column, "name", None)
    if not isinstance(name, str) or not name:
        raise ArgumentError("a column without a name: expected a table, as {'age': column}")
    return name


def _refuse_twice(names: Iterable[object]) -> None:
    seen = set()
    for name in map(str, names):
        if name in seen:
            raise ArgumentError(f"two columns are called {name!r}: rename one, or leave it out")
        seen.add(name)


def _same_length(columns: dict[str, Found]) -> dict[str, Found]:
    if not columns:
        raise ArgumentError("a table without columns: expected one at least")
    first = next(iter(columns))
    rows = len(columns[first].values)
    for name, found in columns.items():
        if len(found.values) != rows:
            raise ArgumentError(
                f"column {name!r} has {len(found.values)} values, and column {first!r} {rows}: "
                "expected as many"
            )
        _refuse_nul(name, found.values if found.values.dtype.kind == "O" else ())
        _refuse_nul(name, found.categories or ())
    return columns


def _refuse_nul(name: str, values: Iterable[Any]) -> None:
    if any(isinstance(v, str) and v.endswith("\0") for v in values):
        raise ArgumentError(
            f"column {name!r} has a text that ends with the character 0, which NumPy leaves out: "
            r"take it off, as text.rstrip('\0') does"
        )


def _of_any(name: str, x: Any) -> Found:
    if hasattr(x, "key_id"):  # Encrypted, or a frame of such.
        raise DtypeError(
            f"column {name!r} is encrypted already, expected numbers, categories or truths: add it to the "
            f"frame of the others, as frame.assign({name if name.isidentifier() else 'x'}=…)"
        )
    if hasattr(x, "isna") and hasattr(x, "columns"):
        raise ArgumentError(
            f"column {name!r} is a table of {len(x.columns)} columns: give them by their names"
        )
    if hasattr(x, "isna"):  # A series of pandas, or its categories.
        missing = np.asarray(x.isna(), bool)
        if hasattr(x.dtype, "categories"):
            codes = np.asarray(getattr(x, "cat", x).codes, np.int64)
            return Found(np.where(missing, 0, codes), missing, x.dtype.categories.tolist())
        if missing.any():
            return Found(np.zeros(len(missing), np.int64), missing, None)
        return _of_array(name, x.to_numpy(getattr(x.dtype, "numpy_dtype", None)))
    if hasattr(x, "__arrow_c_stream__") or hasattr(x, "__arrow_c_array__"):
        found = _arrow.columns(x)
        if len(found) != 1:
            raise ArgumentError(
                f"column {name!r} is a table of {len(found)} columns: give them by their names"
            )
        return Found(*found[0][1])
    if isinstance(x, np.ma.MaskedArray):
        return Found(np.asarray(x.filled()), np.ma.getmaskarray(x), None)
    if isinstance(x, (list, tuple)):
        _refuse_nul(name, x)
    values = exact(x)
    if isinstance(x, (list, tuple)) and values.dtype.kind == "U" and not all(isinstance(v, str) for v in x):
        values = np.array(x, object)  # Else a number, or what is missing, would be a text.
    return _of_array(name, values)


def _is_missing(value: Any) -> bool:
    """Tell whether it is None, NaN, NaT or the NA of pandas, which is neither equal to itself nor not."""
    if value is None or type(value).__name__ == "NAType":
        return True
    unequal = value != value
    return isinstance(unequal, (bool, np.bool_)) and bool(unequal)


def _of_array(name: str, values: Numbers) -> Found:
    values = exact(values)
    if values.ndim != 1:
        raise ArgumentError(f"column {name!r} of shape {values.shape}: expected one axis")
    if len(values) == 0 and values.dtype.kind == "f":
        values = values.astype(np.int64)
    if values.dtype.kind != "O":
        return Found(values, np.zeros(len(values), bool), None)
    missing = np.array([_is_missing(v) for v in values], bool)
    others = [row for row, v in enumerate(values) if not missing[row] and not isinstance(v, str)]
    if others and len(others) < len(values) - missing.sum():
        row = others[0]
        raise DtypeError(
            f"column {name!r} has texts, and {values[row]!r} in row {row}: make all of them texts, or none"
        )
    return Found(np.where(missing, "", values) if missing.any() else values, missing, None)


# From columns to integers.


def checked_step(name: str, step: object) -> float:
    step = float(step) if isinstance(step, (Decimal, Fraction)) else step
    if isinstance(step, (int, float, np.integer, np.floating)):
        try:
            found = float(step)
        except OverflowError:
            found = inf
        if isfinite(found) and found > 0:
            if isinstance(step, (int, np.integer)) and int(step) != found:
                raise ArgumentError(
                    f"a step of {step} for column {name!r}, which no float holds: take {int(found)}"
                )
            return found
    raise ArgumentError(f"a step of {shown(step)} for column {name!r}: expected a finite number above 0")


def _exactly(number: float | Fraction) -> Fraction:
    """Give a number as it is written: 0.3 is three tenths."""
    return Fraction(number) if isinstance(number, (int, Fraction)) else Fraction(str(float(number)))


def _shown(count: int, step: float) -> str:
    """Give so many steps in words: integers with all of their digits."""
    return str(count * int(step)) if step == int(step) else f"{count * step:g}"


def counted(name: str, number: object, step: float) -> int:
    """Give how many steps a number is."""
    number = float(number) if isinstance(number, (Decimal, Fraction)) else number
    if isinstance(number, bool) or not isinstance(number, (int, float, np.integer, np.floating)):
        raise DtypeError(f"{number!r} for column {name!r}: expected a number, which steps of {step:g} make")
    # Python's integers are finite, however long.
    if not isinstance(number, int) and not isfinite(number):
        raise ArgumentError(f"{number} for column {name!r}: expected a finite number")
    # As decimals, of which 0.3 is three times 0.1.
    exact = _exactly(number if isinstance(number, int) else float(number)) / Fraction(str(step))
    count = round(exact)
    if count.bit_length() > MOST_BITS:
        raise ArgumentError(
            f"a number of {count.bit_length()} bits for column {name!r}, in steps of {step:g}: expected "
            f"{MOST_BITS} at most, which expressions have"
        )
    if abs(exact - count) > Fraction(1, 10**6):
        below, above = (k * step for k in (floor(exact), ceil(exact)))
        raise ArgumentError(
            f"{number} is no multiple of {step:g}, the step of column {name!r}: take {below:g} or {above:g}"
        )
    return count


def bits_of(low: int, high: int) -> int:
    """Give how many bits integers of this range take, one of them for a sign."""
    if low >= 0:
        return max(1, high.bit_length())
    # Of a negative one they are those of its complement: -8 to -1 take three and a sign.
    return max((~end if end < 0 else end).bit_length() for end in (low, high)) + 1


def _range(values: Numbers) -> tuple[int, int]:
    """Give all integers of as many bits as these take."""
    if len(values) == 0:
        return 0, 1
    low, high = int(values.min()), int(values.max())
    bits = bits_of(low, high)
    return (0, (1 << bits) - 1) if low >= 0 else (-1 << (bits - 1), (1 << (bits - 1)) - 1)


def refuse_missing(name: str, missing: npt.NDArray[np.bool_]) -> None:
    if missing.any():
        count = int(missing.sum())
        values = "value is" if count == 1 else "values are"
        raise ArgumentError(
            f"column {name!r}: {count} {values} missing, first in row {int(missing.argmax())}: "
            "fill them, or drop these rows"
        )


def _quantised(name: str, values: Numbers, step: float | None) -> Numbers:
    """Give the integers of a column of numbers: int64, or uint64."""
    if values.dtype.kind == "f":
        finite = np.isfinite(values)
        refuse_missing(name, np.isnan(values))
        if not finite.all():
            row = int(finite.argmin())
            raise ArgumentError(
                f"column {name!r}: {values[row]} in row {row}, expected finite numbers: clip it"
            )
        if step is None:
            largest = float(np.abs(values).max()) if len(values) else 1.0
            # A power of ten with which they take eight bits at most.
            fitting = 10.0 ** ceil(log10(largest / 255)) if largest > 0 else 1.0
            raise DtypeError(
                f"column {name!r} has floats, expected integers: say to which multiples they are rounded, as "
                f"steps={{{name!r}: {fitting:g}}}"
            )
    integers = values if step is None else _in_steps(values, step)
    integers = integers if integers is None else narrowest(integers)
    if integers is not None and integers.dtype.kind != "O":
        return integers
    if step is not None:
        raise ArgumentError(f"column {name!r} has steps beyond 64 bits: expected a larger step than {step:g}")
    low, high = int(values.min()), int(values.max())
    raise ArgumentError(
        f"column {name!r} has integers from {shown(low)} to {shown(high)}, expected 64 bits: -2^63 to "
        "2^63 - 1, or 0 to 2^64 - 1"
    )


def _in_steps(values: Numbers, step: float) -> Numbers | None:
    """Give the nearest multiples of a step, of two that are as near the even one; None far beyond."""
    if values.dtype.kind != "O":
        with np.errstate(over="ignore"):
            scaled = np.rint(values.astype(np.float64) / step)
        farthest = max(np.abs(scaled).max(), np.abs(values.astype(np.float64)).max()) if len(values) else 0
        if farthest < EXACT:
            return scaled.astype(np.int64)
        if not np.isfinite(scaled).all():
            return None
    exact_step = _exactly(step)
    of_integers = values.dtype.kind != "f"
    found = [round(Fraction(int(v) if of_integers else float(v)) / exact_step) for v in values]
    return np.array(found, object)


def _categories(name: str, found: Found) -> tuple[npt.NDArray[np.int64], tuple[Any, ...]]:
    """Give the numbers and the categories of a column of them, or of texts."""
    if found.categories is not None:
        return found.values.astype(np.int64), tuple(found.categories)
    texts = found.values.tolist()
    if not all(isinstance(text, str) for text in texts):
        kind = next(type(value).__name__ for value in texts if not isinstance(value, str))
        shown = found.values.dtype if found.values.dtype.kind != "O" else f"object, with a {kind}"
        raise DtypeError(
            f"column {name!r} of dtype {shown}, expected integers, booleans, categories, texts, or floats "
            f"with a step: {_arrow.cure_of_objects(found.values.dtype, kind)}"
        )
    kinds = tuple(sorted(set(texts)))
    place = {kind: i for i, kind in enumerate(kinds)}
    return np.array([place[text] for text in texts], np.int64), kinds


def encoded(
    name: str,
    found: Found,
    field: Field | None,
    step: float | None,
    within: tuple[float | Fraction, float | Fraction] | None,
) -> tuple[Numbers, Field]:
    """Give the integers of a column, and what they stand for: what `field` says, where there is one."""
    refuse_missing(name, found.missing)
    kind = found.values.dtype.kind
    if found.categories is None and kind == "b":
        integers, new = found.values.astype(np.int64), Field("boolean", 0, 1)
    elif found.categories is None and (kind in "iuf" or are_integers(found.values)):
        step = field.step if field is not None and field.kind == "number" else step
        integers = _quantised(name, found.values, step)
        low, high = _range(integers)
        if within is not None:
            ends = [_exactly(end) / _exactly(step or 1) for end in within]
            low, high = floor(ends[0]), ceil(ends[1])
            if bits_of(low, high) > MAX_WIDTH:
                raise ArgumentError(
                    f"within= of column {name!r} is {shown(within)}, in steps of {step or 1:g}: expected a "
                    f"range of {MAX_WIDTH} bits at most"
                )
        new = Field("integer", low, high) if step is None else Field("number", low, high, step)
    else:
        integers, categories = _categories(name, found)
        new = Field("category", 0, max(1, len(categories) - 1), categories=categories)
        if field is not None and field.kind == "category":
            place = {category: i for i, category in enumerate(field.categories)}
            others = np.array([category not in place for category in categories], bool)
            unseen = others[integers] if len(others) else np.zeros(len(integers), bool)
            if unseen.any():
                first = int(unseen.argmax())
                values = "1 value is" if unseen.sum() == 1 else f"{int(unseen.sum())} values are"
                raise ArgumentError(
                    f"column {name!r}: {values} of no category of the schema, first "
                    f"{categories[integers[first]]!r} in row {first}: expected {listed(field.categories)}"
                )
            integers = np.array([place.get(category, 0) for category in categories], np.int64)[integers]
            new = field
    if within is not None and new.kind in ("category", "boolean"):
        raise ArgumentError(f"within= of column {name!r}, which holds no numbers: leave it out")
    if step is not None and new.kind not in ("number", "integer"):
        raise ArgumentError(f"steps= of column {name!r}, which holds no numbers: leave it out")
    if field is not None:
        if new.kind != field.kind:
            raise DtypeError(
                f"column {name!r} holds {plural(new.kind)}, and the schema has {plural(field.kind)}: cast it"
            )
        new = field
    if len(integers) and not new.low <= int(integers.min()) <= int(integers.max()) <= new.high:
        row = next(i for i, k in enumerate(integers.tolist()) if not new.low <= k <= new.high)
        step = new.step if new.kind == "number" else 1
        raise ArgumentError(
            f"column {name!r}: {found.values[row]} in row {row}, expected {_shown(new.low, step)} to "
            f"{_shown(new.high, step)}: clip it, or encrypt it within more"
        )
    return integers, new


def plural(kind: str) -> str:
    return {"category": "categories"}.get(kind, f"{kind}s")


def _end(end: Any) -> float | Fraction:
    if isinstance(end, (int, np.integer)):
        return int(end)
    return end if isinstance(end, Fraction) else float(end)


def checked_within(name: str, within: Any) -> tuple[float | Fraction, float | Fraction]:
    """Give both ends: integers and fractions as they are, and all others as floats."""
    try:
        low, high = map(_end, within)
        good = low <= high and all(isfinite(end) for end in (low, high))
    except (TypeError, ValueError, OverflowError) as error:
        raise ArgumentError(
            f"within= of column {name!r} is {shown(within)}: expected (least, largest)"
        ) from error
    if not good:
        raise ArgumentError(f"within= of column {name!r} is {shown(within)}: expected (least, largest)")
    return low, high
