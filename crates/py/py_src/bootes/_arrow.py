"""Columns of integers by Arrow's C data interface, without a library of Arrow: in and out.

The structures are those of the specification; capsules free what they hold when they go.
"""

from __future__ import annotations

import ctypes
import itertools
from typing import Any

import numpy as np
import numpy.typing as npt

from ._errors import ArgumentError, DtypeError

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
    if hasattr(column, "__arrow_c_array__"):
        schema, array = column.__arrow_c_array__()
        return _copied(_at(_Schema, schema, b"arrow_schema"), _at(_Array, array, b"arrow_array"), 0)
    try:
        capsule = column.__arrow_c_stream__()
    except ImportError:  # pandas takes pyarrow for it.
        return np.asarray(column)
    stream = _at(_Stream, capsule, b"arrow_array_stream")
    address = ctypes.addressof(stream)

    def filled(ask: Any, into: Any) -> None:
        if ask(address, ctypes.addressof(into)):
            message = (stream.get_last_error(address) or b"no more is known").decode()
            raise ArgumentError(f"a column that cannot be read: {' '.join(message.split())}")

    schema = _Schema()
    filled(stream.get_schema, schema)
    parts: list[Numbers] = []
    try:
        while True:
            part = _Array()
            filled(stream.get_next, part)
            if not part.release:
                break
            try:
                parts.append(_copied(schema, part, sum(map(len, parts))))
            finally:
                _release(part)
        return np.concatenate(parts) if parts else np.empty(0, _dtype(_of_one(schema)[0]))
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
        shown = "a dictionary" if schema.dictionary else repr(form)
        raise DtypeError(f"a column of Arrow's format {shown}, expected integers: cast it to int64")
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

    def __init__(self, values: npt.NDArray[np.int64]) -> None:
        self._values = values

    def __len__(self) -> int:
        """Give the number of integers."""
        return len(self._values)

    def __repr__(self) -> str:
        """Give the length alone."""
        return f"<bootes.Column of {len(self)} int64>"

    def __arrow_c_schema__(self) -> object:
        """Give the type, int64."""
        return _capsule(_Schema(format=b"l", name=b""), _SCHEMA_NAME, _free_schema)

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
        Integers along one axis.

    Examples
    --------
    >>> column = bootes.to_arrow(np.arange(3))      # pyarrow.array(column), polars.Series(column) ...
    >>> column
    <bootes.Column of 3 int64>

    """
    values = np.asarray(x)
    if values.dtype.kind not in "iub":
        raise DtypeError(f"values of dtype {values.dtype}, expected integers")
    if values.ndim != 1:
        raise ArgumentError(f"values of shape {values.shape}: expected one axis, take .ravel()")
    return Column(np.ascontiguousarray(values, np.int64))
