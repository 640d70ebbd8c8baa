"""Columns of integers by Arrow's C data interface, without a library of Arrow: in and out.

The structures are those of the specification; capsules free what they hold when they go.
"""

from __future__ import annotations

import ctypes
import itertools
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ._errors import ArgumentError, DtypeError
from ._integers import are_integers, exact, narrowest

# What is taken for dates, times and what is between two.
OF_TIMES = (
    "count days from one, as (dates - np.datetime64('2020-01-01')) // np.timedelta64(1, 'D') of NumPy, "
    "(dates - epoch).dt.days of pandas, .dt.total_days() of Polars"
)

_OF_DURATIONS = (
    "count units of one, as x // np.timedelta64(1, 'h') of NumPy and pandas, .dt.total_hours() of Polars"
)
_OF_HOURS = "count seconds of the day, as 3600*t.hour + 60*t.minute + t.second"

# What to do with other columns, by how their formats begin.
_CURES = {
    "tD": _OF_DURATIONS,
    "tt": _OF_HOURS,
    "t": OF_TIMES,
    "d:": "round them to whole numbers, and cast those to int64",
    "+": "give each position a column of its own",
    "z": "take numbers of their bytes, as np.frombuffer(x, np.uint8)",
    "Z": "take numbers of their bytes, as np.frombuffer(x, np.uint8)",
    "w:": "take numbers of their bytes, as np.frombuffer(x, np.uint8)",
    "vz": "take numbers of their bytes, as np.frombuffer(x, np.uint8)",
}
_OF_OBJECTS = {
    "time": _OF_HOURS,
    "timedelta": _OF_DURATIONS,
    "timedelta64": _OF_DURATIONS,
    "Timedelta": _OF_DURATIONS,
    **dict.fromkeys(("date", "datetime", "Timestamp", "datetime64"), OF_TIMES),
    "Decimal": "round them, as int(round(x)), or take float(x) and a step",
    "Fraction": "round them, as int(round(x)), or take float(x) and a step",
    **dict.fromkeys(("list", "tuple", "ndarray", "dict"), "give each position a column of its own"),
    "bytes": "take numbers of their bytes, as np.frombuffer(x, np.uint8)",
}


def cure_of(form: str, otherwise: str) -> str:
    """Give what to do with a column of this format of Arrow, which is none of numbers."""
    return next((cure for start, cure in _CURES.items() if form.startswith(start)), otherwise)


def cure_of_objects(dtype: np.dtype[Any], kind: str) -> str:
    """Give what to do with a column of this dtype, with objects of this kind, which are no numbers."""
    units = {"m": _OF_DURATIONS, "M": OF_TIMES}
    return units.get(dtype.kind) or _OF_OBJECTS.get(kind, "cast it, or leave it out")


Numbers = npt.NDArray[Any]

# Formats of integers, and of truths, which are bits.
_TYPES = {"c": "i1", "C": "u1", "s": "i2", "S": "u2", "i": "i4", "I": "u4", "l": "i8", "L": "u8"}
_TRUTHS = "b"


# They hold pointers to each other, so their fields come later.
_Schema: Any = type("_Schema", (ctypes.Structure,), {})
_Array: Any = type("_Array", (ctypes.Structure,), {})
_Stream: Any = type("_Stream", (ctypes.Structure,), {})
_Release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(_Schema))),
    ("dictionary", ctypes.POINTER(_Schema)),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]
_Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(_Array))),
    ("dictionary", ctypes.POINTER(_Array)),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]
_Stream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]

_pointer_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)


def numbers(column: Any) -> Numbers:
    """Give the integers of a column, or of a table of one column, as an array of their own."""
    parts: list[Numbers] = []

    def take(schema: Any, array: Any) -> None:
        parts.append(_copied(schema, array, sum(map(len, parts))))

    if hasattr(column, "__arrow_c_array__"):
        _of_each_part(column, take)
        return parts[0]
    try:
        dtype = _of_each_part(column, take, lambda schema: _dtype(_of_one(schema)[0]))
    except ImportError:  # pandas takes pyarrow for it.
        return np.asarray(column)
    return np.concatenate(parts) if parts else np.empty(0, dtype)


def columns(table: Any) -> list[tuple[str, Found]]:
    """Give the columns of a table, or the one without a name of a column."""
    parts: list[list[Found]] = []

    def take(schema: Any, array: Any) -> None:
        if schema.format != b"+s":
            parts.append([_found("", schema, array, array.offset, array.length)])
            return
        of_rows = (array.offset, array.length)
        inner = zip(_children(schema), _children(array), strict=True)
        parts.append([_found(_name(s), s, a, a.offset + of_rows[0], of_rows[1]) for s, a in inner])

    def names_of(schema: Any) -> list[str]:
        return [_name(s) for s in _children(schema)] if schema.format == b"+s" else [""]

    names = _of_each_part(table, take, names_of)
    if not parts:
        none = np.empty(0, np.int64), np.empty(0, bool), None
        return [(name, none) for name in names]
    return [(name, _joined([part[i] for part in parts])) for i, name in enumerate(names)]


def _of_each_part(column: Any, take: Any, look: Any = lambda schema: None) -> Any:
    """Give each part with its schema to `take`, and the schema to `look`, whose result is given back."""
    if hasattr(column, "__arrow_c_array__"):
        schema, array = column.__arrow_c_array__()
        found = look(_at(_Schema, schema, b"arrow_schema"))
        take(_at(_Schema, schema, b"arrow_schema"), _at(_Array, array, b"arrow_array"))
        return found
    capsule = column.__arrow_c_stream__()
    stream = _at(_Stream, capsule, b"arrow_array_stream")
    address = ctypes.addressof(stream)

    def filled(ask: Any, into: Any) -> None:
        if ask(address, ctypes.addressof(into)):
            message = (stream.get_last_error(address) or b"no more is known").decode()
            raise ArgumentError(f"a column that cannot be read: {' '.join(message.split())}")

    schema = _Schema()
    filled(stream.get_schema, schema)
    try:
        while True:
            part = _Array()
            filled(stream.get_next, part)
            if not part.release:
                break
            try:
                take(schema, part)
            finally:
                _release(part)
        return look(schema)
    finally:
        _release(schema)


def _at(kind: Any, capsule: object, name: bytes) -> Any:
    return kind.from_address(_pointer_of(capsule, name))


def _release(held: Any) -> None:
    if held.release:
        _Release(held.release)(ctypes.addressof(held))


def _of_one(schema: Any) -> tuple[Any, bool]:
    """Give the schema of the column, and whether it is that of a table."""
    if schema.format != b"+s":
        return schema, False
    if schema.n_children != 1:
        names = ", ".join(
            (schema.children[i].contents.name or b"?").decode() for i in range(schema.n_children)
        )
        raise ArgumentError(f"a table of {schema.n_children} columns ({names[:60]}): give one of them")
    return schema.children[0].contents, True


def _dtype(schema: Any) -> str:
    form = schema.format.decode()
    if schema.dictionary or form not in {*_TYPES, _TRUTHS}:
        if form in {"e", "f", "g"} and not schema.dictionary:
            raise DtypeError(
                "a column of floats, expected integers: fill or drop what is missing, round it, and cast it "
                "to int64"
            )
        shown = "categories" if schema.dictionary else f"Arrow's format {form!r}"
        cure = "Client.encrypt_frame takes a frame of it"
        cure = cure if schema.dictionary else cure_of(form, cure)
        raise DtypeError(f"a column of {shown}, expected integers: {cure}")
    return "?" if form == _TRUTHS else _TYPES[form]


def _bits(address: int, offset: int, length: int) -> Numbers:
    data = np.frombuffer(ctypes.string_at(address, -(-(offset + length) // 8)), np.uint8)
    return np.unpackbits(data, count=offset + length, bitorder="little")[offset:].astype(bool)


def _copied(schema: Any, array: Any, before: int) -> Numbers:
    schema, is_table = _of_one(schema)
    dtype, offset, length = _dtype(schema), array.offset, array.length
    if is_table:
        # A table has no buffers of its own but that of missing rows, which no one writes.
        array = array.children[0].contents
        offset += array.offset
    if length == 0:
        return np.empty(0, dtype)
    if array.null_count and array.buffers[0]:
        there = _bits(array.buffers[0], offset, length)
        if not there.all():
            first = before + int(there.argmin())
            raise DtypeError(
                f"value number {first} of the column is null, expected integers: fill or drop nulls"
            )
    if dtype == "?":
        return _bits(array.buffers[1], offset, length)
    size = np.dtype(dtype).itemsize
    return np.frombuffer(ctypes.string_at(array.buffers[1] + offset * size, length * size), dtype)


# The values of a column, integers, truths, floats or texts; where they are missing; and categories, where the
# values are their numbers.
Found: TypeAlias = tuple[Numbers, npt.NDArray[np.bool_], list[Any] | None]
_FLOATS = {"e": "f2", "f": "f4", "g": "f8"}
# Formats of texts: the type of where they begin, or none of views.
_TEXTS = {"u": "i4", "U": "i8", "vu": None}


def _name(schema: Any) -> str:
    return (schema.name or b"").decode()


def _children(held: Any) -> list[Any]:
    return [held.children[i].contents for i in range(held.n_children)]


def _found(name: str, schema: Any, array: Any, offset: int, length: int) -> Found:
    form = schema.format.decode()
    missing = np.zeros(length, bool)
    if form == "n":
        return np.zeros(length, np.int64), ~missing, None
    if length and array.null_count and array.buffers[0]:
        missing = ~_bits(array.buffers[0], offset, length)
    if schema.dictionary:
        held = array.dictionary.contents
        kinds, gone, _ = _found(name, schema.dictionary.contents, held, held.offset, held.length)
        codes = _words(array, offset, length, _TYPES[form]).astype(np.int64)
        codes[missing] = 0
        outside = ~missing & ((codes < 0) | (codes >= len(kinds)))
        if outside.any():
            row = int(outside.argmax())
            raise ArgumentError(
                f"column {name!r} has the index {codes[row]} in row {row}, and {len(kinds)} categories: "
                f"make it anew, as of its texts"
            )
        if len(kinds):
            missing = missing | gone[codes]
        return codes, missing, kinds.tolist()
    if form == _TRUTHS:
        return _bits(array.buffers[1], offset, length) if length else np.zeros(0, bool), missing, None
    if form in _TEXTS:
        return _texts(array, offset, length, _TEXTS[form], missing), missing, None
    dtype = (_TYPES | _FLOATS).get(form)
    if dtype is None:
        cure = cure_of(form, "cast it, or leave it out")
        raise DtypeError(
            f"column {name!r} of Arrow's format {form!r}, expected integers, booleans, categories, texts, or "
            f"floats: {cure}"
        )
    return _words(array, offset, length, dtype), missing, None


def _words(array: Any, offset: int, length: int, dtype: str) -> Numbers:
    if length == 0:
        return np.empty(0, dtype)
    size = np.dtype(dtype).itemsize
    return np.frombuffer(ctypes.string_at(array.buffers[1] + offset * size, length * size), dtype)


def _texts(array: Any, offset: int, length: int, dtype: str | None, missing: Numbers) -> Numbers:
    found = np.full(length, "", object)
    if dtype is not None:
        ends = _words(array, offset, length + 1, dtype) if length else np.empty(0, dtype)
        for i in np.flatnonzero(~missing):
            found[i] = ctypes.string_at(array.buffers[2] + int(ends[i]), int(ends[i + 1] - ends[i])).decode()
        return found
    # A view is its length, and twelve bytes, or four of them, a buffer and where it begins there.
    views = _words(array, 4 * offset, 4 * length, "i4").reshape(-1, 4)
    for i in np.flatnonzero(~missing):
        size, _, buffer, start = map(int, views[i])
        inside = array.buffers[1] + 16 * (offset + int(i)) + 4
        found[i] = ctypes.string_at(
            inside if size <= 12 else array.buffers[2 + buffer] + start, size
        ).decode()
    return found


def _joined(parts: list[Found]) -> Found:
    """Put parts together, whose categories may be others or in another order."""
    values, missing, kinds = zip(*parts, strict=True)
    if kinds[0] is None:
        return np.concatenate(values), np.concatenate(missing), None
    place: dict[Any, int] = {}
    of_all = []
    for part, own in zip(values, kinds, strict=True):
        numbers = np.array([place.setdefault(kind, len(place)) for kind in own], np.int64)
        of_all.append(numbers[part] if len(numbers) else part)
    return np.concatenate(of_all), np.concatenate(missing), list(place)


# What was given away and is not freed yet, by a number that the structure carries.
_kept: dict[int, object] = {}
_keys = itertools.count(1)


def _for_ever(call: Any) -> Any:
    """Give a function to C, which calls it when this module may be gone already."""
    function = _Release(call)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(function))
    return function


def _freed(kind: Any, kept: dict[int, object] = _kept) -> Any:
    def release(address: int) -> None:
        held = kind.from_address(address)
        kept.pop(held.private_data, None)
        held.release = None

    return _for_ever(release)


_free_schema, _free_array = _freed(_Schema), _freed(_Array)


@_for_ever
def _forget(capsule: int) -> None:
    """Free what a capsule has, unless it was taken out."""
    name = _name_of(capsule)
    held = (_Schema if name == b"arrow_schema" else _Array).from_address(_address_of(capsule, name))
    _release(held)
    _kept.pop(-ctypes.addressof(held), None)


_name_of = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)(("PyCapsule_GetName", ctypes.pythonapi))
_address_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
_new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
    ("PyCapsule_New", ctypes.pythonapi)
)
_SCHEMA_NAME, _ARRAY_NAME = ctypes.c_char_p(b"arrow_schema"), ctypes.c_char_p(b"arrow_array")


def _capsule(held: Any, name: ctypes.c_char_p, release: Any, *buffers: object) -> object:
    key = next(_keys)
    held.private_data, held.release = key, ctypes.cast(release, ctypes.c_void_p)
    _kept[key] = buffers
    address = ctypes.addressof(held)
    _kept[-address] = held
    return _new_capsule(address, name, ctypes.cast(_forget, ctypes.c_void_p))


class Column:
    """A column of integers for whoever takes Arrow's C interface: from :func:`bootes.to_arrow`."""

    def __init__(self, values: npt.NDArray[np.int64 | np.uint64]) -> None:
        self._values = values

    def __len__(self) -> int:
        """Give the number of integers."""
        return len(self._values)

    def __repr__(self) -> str:
        """Give the length alone."""
        return f"<bootes.Column of {len(self)} {self._values.dtype}>"

    def __arrow_c_schema__(self) -> object:
        """Give the type, int64 or uint64."""
        form = b"L" if self._values.dtype.kind == "u" else b"l"
        return _capsule(_Schema(format=form, name=b""), _SCHEMA_NAME, _free_schema)

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        """Give the type and the integers, which are not copied."""
        buffers = (ctypes.c_void_p * 2)(None, self._values.ctypes.data)
        array = _Array(length=len(self), n_buffers=2, buffers=buffers)
        return self.__arrow_c_schema__(), _capsule(array, _ARRAY_NAME, _free_array, buffers, self._values)


def to_arrow(x: npt.ArrayLike) -> Column:
    """Give integers, as :meth:`Client.decrypt` has them, to whoever takes Arrow's C interface.

    Parameters
    ----------
    x : array_like of int
        Integers along one axis, of ``int64``, or of ``uint64`` where that does not hold them.

    Examples
    --------
    >>> column = bootes.to_arrow(np.arange(3))      # pyarrow.array(column), polars.Series(column) ...
    >>> column
    <bootes.Column of 3 int64>

    """
    values = exact(x)
    if values.dtype.kind not in "iub":
        cure = ": Arrow's have 64 bits at most" if are_integers(values) else ""
        raise DtypeError(f"values of dtype {values.dtype}, expected integers{cure}")
    if values.ndim != 1:
        raise ArgumentError(f"values of shape {values.shape}: expected one axis, take .ravel()")
    return Column(np.ascontiguousarray(narrowest(values)))
