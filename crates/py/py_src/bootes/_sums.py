"""Sums of the columns of frames, and what is decrypted of both."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ._errors import ArgumentError, DtypeError, Error, MismatchError, NoiseError
from ._frames import Frame, column, in_steps
from ._integers import Numbers, exact, sums_by
from ._progress import listener
from ._tables import Field, bits_of, listed
from ._versions import Versioned

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    import numpy.typing as npt

    from ._bootes import Client, Encrypted, Server

# The longest integers of one ciphertext.
LONGEST = 16
# The bits of a digit of what is in one ciphertext.
DIGIT = 8


@dataclass(frozen=True, eq=False)
class Sums(Versioned):
    """Encrypted sums of columns, from :meth:`Server.sum`, for :meth:`Client.decrypt_frame`.

    What the server does not add up, as engine ckks does not, are parts of sums: whoever decrypts sees them.
    """

    # What they are called by: the name of the column, its labels, and how many rows have each of them.
    by: str | None
    labels: Numbers
    rows: npt.NDArray[np.int64]
    fields: Mapping[str, Field]
    # The parts of all sums, and the number of the sum for each.
    columns: Mapping[str, tuple[Encrypted, npt.NDArray[np.int64]]]

    def as_numbers(self, **steps: float) -> Sums:
        """Give the sums with what a step of these columns is, as :meth:`Frame.as_numbers`."""
        for name in steps:
            if name not in self.fields:
                raise ArgumentError(f"no column is called {name!r}: there are {listed(self.fields)}")
        return replace(self, fields=in_steps(self.fields, steps))

    def __repr__(self) -> str:
        """Give the names, how many parts there are, and what is not added up."""
        rows, groups = int(self.rows.sum()), int(np.count_nonzero(self.rows))
        parts = ", ".join(
            f"{name} in {len(x)}{' (not added up)' if len(x) == rows > groups else ''}"
            for name, (x, _) in self.columns.items()
        )
        by = f" by {self.by}" if self.by else ""
        return f"<bootes.Sums{by}, {len(self.labels)} of each column: parts of {parts}>"


def sums(
    server: Server,
    frame: Frame,
    columns: str | Iterable[str] | None,
    by: Any,
    progress: bool | Callable[[float], object] | None = None,
) -> Sums:
    """Add up the rows of a frame."""
    hears = listener(progress)
    if not isinstance(frame, Frame):
        column(frame, "")
    encrypted = frame.columns
    if columns is not None:
        frame = frame[[columns] if isinstance(columns, str) else columns]
    if frame.key_id != server.key_id:
        raise MismatchError(
            f"a frame of another client (key {frame.key_id}, expected {server.key_id}): take the server of "
            "its key"
        )
    rows = len(frame)
    if isinstance(by, str):
        if by not in frame.public:
            why = "is encrypted" if by in encrypted else "is absent"
            there = "name it in public= of Client.encrypt_frame"
            if frame.public:
                there = f"there are {listed(frame.public)}"
            raise ArgumentError(f"by={by!r} {why}, expected a public column: {there}")
        name, labels = by, frame.public[by]
    elif by is not None:
        known = {*frame.public, *encrypted}
        if isinstance(by, (list, tuple)) and by and all(isinstance(one, str) and one in known for one in by):
            raise ArgumentError(
                f"by={by!r} has names of columns, expected one, as by={by[0]!r}, or an array of labels, one "
                "for each row: make one column of several"
            )
        name, labels = "by", exact(by)
        if labels.shape != (rows,):
            raise ArgumentError(f"by= of shape {labels.shape}: expected {(rows,)}, a label for each row")
    else:
        name, labels = None, np.zeros(rows, np.int64)
    if name in frame.columns:
        raise ArgumentError(
            f"a column to sum is called {name!r}, as labels are: take others by columns=, or call it "
            "otherwise before, as an expression does"
        )
    try:
        kinds, numbers = np.unique(labels, return_inverse=True)
    except TypeError as error:
        raise DtypeError("by= has labels of several types, or none: make all of them texts") from error
    numbers = numbers.reshape(-1).astype(np.int64)
    if by is None:
        kinds = np.zeros(1, np.int64)  # There is one sum, of no rows too.
    for one, field in frame.schema.fields.items():
        if field.kind == "category":
            raise ArgumentError(f"column {one!r} holds categories, which have no sum: sum other columns")
        p = frame.columns[one].modulus if server.params.engine == "fhew" else None
        if p is not None:
            raise ArgumentError(
                f"column {one!r} holds residues modulo {p}, whose sums wrap: take {one} % {p} in Server.run, "
                "which gives integers"
            )
    added = {}
    for i, (one, x) in enumerate(frame.columns.items()):
        part = None if hears is None else _part(hears, i, len(frame.columns))
        added[one] = _added(server, x, numbers, part)
    if hears is not None:
        hears(1.0)
    fields = {
        one: replace(field, kind="integer") if field.kind == "boolean" else field
        for one, field in frame.schema.fields.items()
    }
    return Sums(name, kinds, np.bincount(numbers, minlength=len(kinds)), fields, added)


def _part(hears: Callable[[float], object], i: int, count: int) -> Callable[[float], object]:
    """Give who hears of a part of what is done."""
    return lambda done: hears((i + done) / count)


def _added(
    server: Server,
    x: Encrypted,
    numbers: npt.NDArray[np.int64],
    progress: Callable[[float], object] | None = None,
) -> tuple[Encrypted, npt.NDArray[np.int64]]:
    """Give the parts of the sums of values by their numbers, as few as have room, and their numbers."""
    if server.params.engine != "fhew" or x.is_compressed or np.bincount(numbers).max(initial=0) <= 1:
        return x, numbers
    if x._limb_bits is not None:
        x = _in_one(server, x, progress and _part(progress, 0, 2))
        progress = progress and _part(progress, 1, 2)
    whole, of_whole = _parts(x, numbers)
    if np.bincount(of_whole).max(initial=0) <= 1:
        return whole, of_whole
    if x._limb_bits is not None:
        return whole, of_whole  # Those of several ciphertexts have no sums.
    # Some together, up to half of their room, which tables have more room for.
    half = (x.as_residues().modulus or 2) // 2
    low, high = min(x.range[0], 0), max(x.range[1], 0)
    some, of_some = _parts(x, numbers, max(1, half // (high - low or 1)))
    wider = _widened(server, some, int(np.bincount(of_some).max()), progress)
    return (whole, of_whole) if wider is None else _parts(wider, of_some)


def _in_one(server: Server, x: Encrypted, progress: Callable[[float], object] | None) -> Encrypted:
    """Give values of several ciphertexts, or of one that has no bit free, in one that has, if they are short.

    Of a frame all columns have room for the widest. Tables of long integers take those that leave a bit free.
    """
    low, high = x.range
    bits, base = bits_of(low, high), min(low, 0)
    if bits > LONGEST:
        return x
    first, second = (_part(progress, i, 2) if progress else False for i in range(2))
    try:
        # What fits one limb has it for little or nothing.
        one = x if x._limb_bits is None else server.run("x", x=x, progress=False)
        if _is_roomy(one):
            return one
        # Others have two digits, of which the upper one is said to be as long as makes bits free.
        digit = x._limb_bits or DIGIT
        text = f"(x - {base}) % 2^{digit}; (x - {base}) / 2^{digit}"
        lower, upper = server.evaluate_all(text, x, progress=first)
        end = 2 ** min(bits + 1, LONGEST - 1 if base < 0 else LONGEST)
        top = max(upper.range[1], (end - base >> digit) - 1)
        if (upper.as_residues().modulus or 0) <= top:
            upper = server.evaluate(lambda value: value, upper, out_bits=bits_of(0, top), progress=False)
        upper = upper.as_integers(0, top)
        both = server.run(f"x + 2^{digit}*y + {base}", x=lower, y=upper, progress=second)
        return both.as_residues().as_integers(low, high)
    except Error:
        return x


def _is_roomy(x: Encrypted) -> bool:
    """Tell whether values are in one ciphertext, and leave a bit of it free."""
    low, high = x.range
    return x._limb_bits is None and 2 * (high - min(low, 0) + 1) <= (x.as_residues().modulus or 0)


def _parts(
    x: Encrypted, numbers: npt.NDArray[np.int64], size: int | None = None
) -> tuple[Encrypted, npt.NDArray[np.int64]]:
    """Add up values of one number, as many as there is room for, and no more than the size."""
    groups = [np.flatnonzero(numbers == k) for k in np.unique(numbers)]
    most = max(map(len, groups), default=0)
    size = most if size is None else min(size, most)
    while size > 1:
        parts = [all_[i : i + size] for all_ in groups for i in range(0, len(all_), size)]
        weights = np.zeros((len(parts), len(numbers)), np.int64)
        for row, part in enumerate(parts):
            weights[row, part] = 1
        try:
            return weights @ x, numbers[[part[0] for part in parts]]
        except (ArgumentError, NoiseError):
            size = -(-size // 2)
    return x, numbers


def _widened(
    server: Server, x: Encrypted, count: int, progress: Callable[[float], object] | None
) -> Encrypted | None:
    """Give the same values with room for a sum of so many, or for as many as there can be."""
    low, high = x.range
    bits = min(bits_of(count * min(low, 0), count * high), LONGEST)
    if high - low >= 2**DIGIT and not _is_roomy(x):
        x = _in_one(server, x, progress and _part(progress, 0, 2))
        progress = progress and _part(progress, 1, 2)
    try:
        return server.evaluate(lambda value: value, x, out_bits=bits, progress=progress or False)
    except Error:
        return None


def decrypt(client: Client, frame: Frame | Sums) -> dict[str, Numbers]:
    """Decrypt all columns of a frame, or of sums, which are exact.

    Sums of integers are of ``int64`` where that holds all of a column, else of ``uint64``, else Python's.
    """
    if isinstance(frame, Frame):
        found: dict[str, Numbers] = dict(frame.public)
        for name, x in frame.columns.items():
            found[name] = frame.schema.fields[name].decoded(name, client.decrypt(x))
        return found
    if not isinstance(frame, Sums):
        raise DtypeError(
            f"a frame of type {type(frame).__name__}, expected a Frame or Sums: an array takes Client.decrypt"
        )
    found = {} if frame.by is None else {frame.by: frame.labels}
    for name, (x, numbers) in frame.columns.items():
        total = sums_by(numbers, len(frame.labels), client.decrypt(x))
        found[name] = frame.fields[name].decoded(name, total)
    return found
