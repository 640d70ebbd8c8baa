"""Tables by columns: encrypted, evaluated by the names of columns, summed, decrypted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

import numpy as np

from ._bootes import MAX_WIDTH
from ._errors import ArgumentError, DtypeError, Error, MismatchError
from ._integers import Numbers, exact
from ._integers import joined as put_together
from ._tables import (
    Field,
    bits_of,
    checked_step,
    checked_within,
    columns_of,
    counted,
    encoded,
    listed,
    one_line,
    plural,
    refuse_missing,
)
from ._versions import Versioned

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from ._bootes import Client, Encrypted, Params, PublicKey

# What a step is: a number, categories, or a word.
Step: TypeAlias = float | str | tuple[Any, ...]

# By how many bits the room is more than the values take.
SPARE_BITS = 2


@dataclass(frozen=True)
class Schema:
    """What all columns of a frame hold, which is public: to encrypt more rows alike."""

    fields: Mapping[str, Field]
    public: tuple[str, ...]
    # The bits that integers have room for.
    room: int


def _refused(sign: str) -> Any:
    """Give an operator that frames have not."""

    def refuse(self: Frame, *_: object) -> NoReturn:
        one = next(iter(self.columns), "x")
        cure = f"frame.assign({one}=…)" if sign == "frame[…] =" else f"Server.run('{one} > 3', frame)"
        raise DtypeError(f"{sign} on a frame: take an expression of its columns, or assign, as {cure}")

    return refuse


class ColumnName(str):
    """The name of a column, which Python's own sum of a frame meets."""

    __slots__ = ()

    def __radd__(self, other: object) -> str:
        """Refuse what is no text."""
        if isinstance(other, str):
            return str.__add__(other, self)
        raise DtypeError("the sum of a frame is that of its names: take Server.sum(frame) for its columns")


@dataclass(frozen=True, eq=False)
class Frame(Versioned):
    """A table of encrypted columns, from :meth:`Client.encrypt_frame`.

    It is pickled, and has no secrets: names of columns, categories, steps, ranges and public columns travel
    in the clear.

    Examples
    --------
    >>> client = bootes.Client("toy_int16")                 # integers=16 in earnest
    >>> server = bootes.Server(client.server_key())
    >>> table = {"age": [36, 41, 75], "income": [50, 70, 30], "town": ["Bonn", "Ulm", "Bonn"]}
    >>> frame = client.encrypt_frame(table, public=["town"])
    >>> frame
    <bootes.Frame of 3 rows: age, income; public: town>
    >>> scores = server.run("score = 3*age + income; high = score > 170", frame)
    >>> client.decrypt_frame(scores[["score"]])
    {'town': array(['Bonn', 'Ulm', 'Bonn'], dtype='<U4'), 'score': array([158, 193, 255])}

    """

    schema: Schema
    columns: Mapping[str, Encrypted]
    public: Mapping[str, Numbers]

    @property
    def names(self) -> list[str]:
        """The names of the encrypted columns."""
        return list(self.columns)

    @property
    def params(self) -> Params:
        """The parameters."""
        return self._first.params

    @property
    def key_id(self) -> str:
        """The public identifier of the keys."""
        return self._first.key_id

    @property
    def nbytes(self) -> int:
        """The bytes of the files of its columns."""
        return sum(x.nbytes for x in self.columns.values())

    @property
    def _first(self) -> Encrypted:
        return next(iter(self.columns.values()))

    def __len__(self) -> int:
        """Give the number of rows."""
        return len(self._first)

    def __contains__(self, name: object) -> bool:
        """Tell whether there is an encrypted column of this name."""
        return name in self.columns

    __add__ = __radd__ = _refused("+")
    __sub__ = __rsub__ = __neg__ = _refused("-")
    __mul__ = __rmul__ = _refused("*")
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = _refused("/")
    __mod__ = __rmod__ = _refused("%")
    __pow__ = __rpow__ = _refused("**")
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __invert__ = _refused("&, | and ^")
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = _refused("a comparison")
    # None compares frames, and so none hashes them.
    __hash__ = None  # type: ignore[assignment]  # as of lists
    __matmul__ = __rmatmul__ = _refused("@")
    __setitem__ = _refused("frame[…] =")

    def __iter__(self) -> Iterator[str]:
        """Give the names of the encrypted columns."""
        return map(ColumnName, self.columns)

    def __getitem__(self, name: Any) -> Any:
        """Give a column, a frame of some columns, or of some rows, as far as the engine keeps values apart.

        They are ``frame["age"]``, ``frame[["age", "income"]]``, and ``frame[:5]`` or ``frame[mask]``.
        """
        if isinstance(name, str):
            return column(self, name)
        rows = _rows(self, name)
        if rows is not None:
            columns = {one: x[rows] for one, x in self.columns.items()}
            return replace(self, columns=columns, public={one: x[rows] for one, x in self.public.items()})
        if isinstance(name, tuple) or not isinstance(name, Iterable):
            raise DtypeError(
                f"frame[{name!r}], expected the name of a column, a list of them, a slice of rows, or an "
                "array of truths"
            )
        names = list(name)
        if not names:
            raise ArgumentError("frame[[]]: expected one column at least, or no rows, as frame[:0]")
        if not all(isinstance(one, str) for one in names):
            one = next(one for one in names if not isinstance(one, str))
            raise DtypeError(
                f"frame[…] of {type(one).__name__}: expected names of columns, numbers of rows, or an array "
                "of truths, one for each row"
            )
        columns = {one: column(self, one) for one in names}
        fields = {one: self.schema.fields[one] for one in names}
        return replace(self, schema=replace(self.schema, fields=fields), columns=columns)

    def head(self, rows: int = 5) -> Frame:
        """Give the first rows: ``frame[:rows]``."""
        found: Frame = self[:rows]
        return found

    def assign(self, **columns: Encrypted) -> Frame:
        """Give the frame with other columns besides, of the same client and as many rows.

        Columns of frames, and what :meth:`Server.run` made of them, stand for what they did. Others are
        integers of which nobody knows what a step is: :meth:`as_numbers` says it.
        """
        refuse_hidden(self, columns)
        for name, x in columns.items():
            _check_encrypted(name, x)
            if x.shape != (len(self),):
                raise ArgumentError(
                    f"{name}= of shape {x.shape}: expected {(len(self),)}, a value for each row"
                )
            if x.key_id != self.key_id:
                raise MismatchError(
                    f"{name}= is of another client (key {x.key_id}, expected {self.key_id}): "
                    "expected columns that one client encrypted"
                )
        fields = {name: x._field or Field("array", *x.range) for name, x in columns.items()}
        return _with_fields(self, {**self.columns, **columns}, {**self.schema.fields, **fields})

    def as_numbers(self, **steps: float) -> Frame:
        """Give the frame with what a step of these columns is, where it does not know: as of tables."""
        for name in steps:
            column(self, name)
        return replace(self, schema=replace(self.schema, fields=in_steps(self.schema.fields, steps)))

    def code(self, name: str, category: object) -> int:
        """Give the integer of a category, for expressions: ``f"town == {frame.code('town', 'Ulm')}"``."""
        column(self, name)
        categories = self.schema.fields[name].categories
        if category not in categories:
            raise ArgumentError(
                f"column {name!r} has no category {category!r}: expected {listed(categories) or 'categories'}"
            )
        return categories.index(category)

    def steps(self, name: str, number: float | np.integer[Any] | np.floating[Any]) -> int:
        """Give how many steps a number is, for expressions: ``f"income > {frame.steps('income', 60)}"``.

        A number that is between two steps is refused.
        """
        column(self, name)
        field = self.schema.fields[name]
        if field.kind in ("category", "boolean"):
            instead = "take Frame.code" if field.kind == "category" else "they are 0 and 1"
            raise ArgumentError(f"column {name!r} holds {plural(field.kind)}, which have no steps: {instead}")
        return counted(name, number, field.step)

    def __repr__(self) -> str:
        """Give the names."""
        public = f"; public: {', '.join(map(one_line, self.public))}" if self.public else ""
        return f"<bootes.Frame of {len(self)} rows: {', '.join(map(one_line, self.columns))}{public}>"


def column(frame: object, name: str) -> Encrypted:
    """Give the column of this name."""
    if not isinstance(frame, Frame):
        kind = type(frame).__name__
        instead = "arrays by name, as Server.run(text, x=x); the sum of an array x is x.sum()"
        raise DtypeError(f"a frame of type {kind}, expected a Frame: take Client.encrypt_frame, or {instead}")
    found = frame.columns.get(name)
    if found is None:
        if name in frame.public:
            raise ArgumentError(
                f"column {name!r} is public, and not encrypted: take rows by it, as "
                f"frame[frame.public[{name!r}] == …], or sums, as Server.sum(frame, by={name!r}); "
                f"encrypted are {listed(frame.columns)}"
            )
        truth = {"true": "; write 1 for it", "false": "; write 0 for it"}.get(name.lower(), "")
        cure = truth or unnamed(frame, name)
        raise ArgumentError(f"column {name!r} is absent: the frame has {listed(frame.columns)}{cure}")
    return found._with_field(frame.schema.fields[name])


def unnamed(frame: object, text: str) -> str:
    """Give what to do where a column that a text may mean has no name for expressions."""
    for name in frame.columns if isinstance(frame, Frame) else ():
        if not re.fullmatch(r"[^\W\d]\w*", name) and (name in text or (text and text in name)):
            new = re.sub(r"\W", "_", name).strip("_") or "x"
            new = new if not new[0].isdigit() else f"x{new}"
            return (
                f"; column {name!r} has a name that no expression has: take "
                f"frame.assign({new}=frame[{name!r}]), and {new} in it"
            )
    return ""


def step_of(field: Field | None) -> Step:
    """Give what a step of a column or an array is: a number, the categories, or the kind of what has none."""
    if field is None:
        return "array"
    if field.kind == "category":
        return field.categories
    return field.step if field.kind in ("integer", "number") else field.kind


def results(frame: Frame, named: Iterable[tuple[str, Encrypted]], steps: Iterable[Step]) -> Frame:
    """Give the frame of what came of a frame, in these steps."""
    columns = dict(named)
    fields = {name: _field_of(x, step) for (name, x), step in zip(columns.items(), steps, strict=True)}
    return _with_fields(frame, columns, fields)


def told(x: Encrypted, step: Step) -> Encrypted:
    """Give an array that knows what a step of it is."""
    return x if step == "array" else x._with_field(_field_of(x, step))


def _field_of(x: Encrypted, step: Any) -> Field:
    if isinstance(step, tuple):
        return Field("category", *x.range, categories=step)
    if isinstance(step, str):
        kind: Any = step
        return Field(kind, *x.range)
    return Field("integer", *x.range) if step == 1.0 else Field("number", *x.range, step=step)


def read_array(data: bytes, shape: tuple[int, ...], field: Field) -> Encrypted:
    """Give a pickled array of which is known what it stands for."""
    from ._bootes import Encrypted

    return Encrypted.from_bytes(data, shape)._with_field(field)


def field_of_all(fields: Sequence[Field | None]) -> Field | None:
    """Give what arrays that are put together stand for, if it is the same."""
    first = fields[0]
    if first is None or any(field is None or _content(field) != _content(first) for field in fields):
        return None
    low = min(field.low for field in fields if field is not None)
    return replace(first, low=low, high=max(field.high for field in fields if field is not None))


def _content(field: Field) -> tuple[object, ...]:
    return field.kind, field.step, field.categories


def _place(frame: Frame, name: str) -> str:
    return "encrypted" if name in frame.columns else "public" if name in frame.public else "absent"


def refuse_hidden(frame: Frame, names: Iterable[str]) -> None:
    """Refuse new columns that are called as public ones."""
    for name in names:
        if name in frame.public:
            raise ArgumentError(
                f"column {name!r} is public, and another of its name would hide it: give it another name"
            )


def in_steps(fields: Mapping[str, Field], steps: Mapping[str, float]) -> dict[str, Field]:
    """Give what columns hold, with steps where nobody knows them."""
    found = dict(fields)
    for name, given in steps.items():
        field, step = fields[name], checked_step(name, given)
        if not field.is_open and not (field.kind == "number" and field.step == step):
            what = f"is in steps of {field.step:g}"
            if field.kind in ("boolean", "category"):
                what = f"holds {plural(field.kind)}"
            raise ArgumentError(
                f"column {name!r} {what}, which is known: leave it out, or encrypt it anew with steps="
            )
        found[name] = replace(field, kind="number", step=step)
    return found


def _rows(frame: Frame, index: Any) -> Any:
    """Give an index of rows; None of what has names of columns."""
    from ._bootes import Encrypted

    if isinstance(index, slice):
        ends = index.start, index.stop, index.step
        if not all(end is None or isinstance(end, (int, np.integer)) for end in ends):
            raise DtypeError(f"frame[{ends[0]!r}:{ends[1]!r}]: expected numbers of rows, as frame[:5]")
        return index
    if isna := getattr(index, "isna", None):  # A mask of pandas.
        if np.asarray(isna()).any():
            raise ArgumentError("truths, some of which are missing: fill them, as mask.fillna(False)")
    elif isinstance(index, (list, tuple)) and not all(
        one is None or isinstance(one, (bool, int, np.bool_, np.integer)) for one in index
    ):
        return None
    if isinstance(index, (Encrypted, int, np.integer)):
        cure = "take frame[i : i + 1]"
        if isinstance(index, Encrypted):
            cure = "mask its values, as Server.run('select(mask, x, 0)', frame, mask=mask)"
        raise DtypeError(f"rows by {type(index).__name__}, expected a slice, or an array of truths: {cure}")
    found = np.asarray(index)
    if found.dtype.kind == "O" and found.ndim == 1 and len(found):
        if any(one is None or one != one for one in found):
            raise ArgumentError("truths, some of which are missing: say False for them")
        if all(isinstance(one, (bool, np.bool_)) for one in found):
            found = found.astype(bool)
    if found.ndim > 1:
        raise ArgumentError(
            f"rows by an array of shape {found.shape}: expected one axis, a truth for each row"
        )
    if found.ndim == 0 or found.dtype.kind not in "biu" or (len(found) == 0 and isinstance(index, list)):
        return None
    if found.dtype.kind == "b" and len(found) != len(frame):
        raise ArgumentError(f"{len(found)} truths for {len(frame)} rows: expected one for each")
    return found


def concatenate(frames: Sequence[Frame]) -> Frame:
    """Put the rows of frames together."""
    from ._bootes import concatenate as joined

    first = frames[0]
    for frame in frames:
        if not isinstance(frame, Frame):
            raise DtypeError(f"frames, and one of type {type(frame).__name__}: expected frames alone")
        for name in dict.fromkeys((*first.columns, *first.public, *frame.columns, *frame.public)):
            kinds = [_place(one, name) for one in (first, frame)]
            if kinds[0] != kinds[1]:
                raise ArgumentError(
                    f"column {name!r} is {kinds[0]} in one frame, and {kinds[1]} in another: encrypt all "
                    "with one schema, schema="
                )
        for name, field in first.schema.fields.items():
            if _content(field) != _content(frame.schema.fields[name]):
                raise ArgumentError(
                    f"column {name!r} holds something else in each of the frames: encrypt all with one "
                    "schema, schema="
                )
    columns = {}
    for name in first.columns:
        try:
            columns[name] = joined([frame.columns[name] for frame in frames])
        except ArgumentError as error:
            ranges = dict.fromkeys("{} to {}".format(*frame.columns[name].range) for frame in frames)
            why = (
                f"may have {listed(ranges)} in these frames"
                if len(ranges) > 1
                else "has another room in each"
            )
            raise ArgumentError(f"column {name!r} {why}: encrypt all with one schema, schema=") from error
    fields = {
        name: replace(field, low=columns[name].range[0], high=columns[name].range[1])
        for name, field in first.schema.fields.items()
    }
    public = {name: put_together([frame.public[name] for frame in frames]) for name in first.public}
    return Frame(replace(first.schema, fields=fields), columns, public)


def _with_fields(frame: Frame, columns: Mapping[str, Encrypted], fields: Mapping[str, Field]) -> Frame:
    return replace(frame, schema=replace(frame.schema, fields=fields), columns=dict(columns))


def _check_encrypted(name: str, x: object) -> None:
    from ._bootes import Encrypted

    if not isinstance(x, Encrypted):
        raise DtypeError(f"{name}= is of type {type(x).__name__}, expected an encrypted array: encrypt it")


def encrypt(
    key: Client | PublicKey,
    data: object,
    steps: Mapping[str, float] | None,
    within: Mapping[str, tuple[float | Fraction, float | Fraction]] | None,
    public: Iterable[str] | None,
    room: int | None,
    schema: Schema | None,
) -> Frame:
    """Encrypt a table."""
    found = columns_of(data)
    for what, given in (("steps=", steps), ("within=", within)):
        if given is not None and not isinstance(given, Mapping):
            raise DtypeError(f"{what} of type {type(given).__name__}, expected a dictionary by columns")
    if public is not None and not isinstance(public, Iterable):
        raise DtypeError(f"public= of type {type(public).__name__}, expected names of columns")
    if schema is not None and not isinstance(schema, Schema):
        cure = ": take frame.schema" if isinstance(schema, Frame) else ""
        raise DtypeError(f"schema= of type {type(schema).__name__}, expected a Schema{cure}")
    if room is not None and (isinstance(room, bool) or not isinstance(room, (int, np.integer))):
        raise DtypeError(f"room= of type {type(room).__name__}, expected a number of bits")
    if room is not None and not 1 <= room <= MAX_WIDTH:
        raise ArgumentError(f"room={room}: expected a number of bits, from 1 to {MAX_WIDTH}")
    steps, within = steps or {}, within or {}
    open_names = [public] if isinstance(public, str) else list(public or ())
    if schema is not None:
        if steps or within or open_names or room is not None:
            raise ArgumentError("a schema and other options: it has steps, ranges, public columns and room")
        open_names = list(schema.public)
        absent = [name for name in (*schema.fields, *open_names) if name not in found]
        more = [name for name in found if name not in schema.fields and name not in open_names]
        if absent or more:
            why = (
                f"is absent: the table has {listed(found)}"
                if absent
                else "is not in the schema: leave it out"
            )
            raise ArgumentError(f"column {(absent or more)[0]!r} {why}")
    for what, names in (("public=", open_names), ("steps=", steps), ("within=", within)):
        for name in names:
            if name not in found:
                raise ArgumentError(f"column {name!r} of {what} is absent: the table has {listed(found)}")
    names = [name for name in found if name not in open_names] if schema is None else list(schema.fields)
    if not names:
        raise ArgumentError("all columns are public: expected one at least to encrypt")
    integers, fields = {}, {}
    for name in names:
        integers[name], fields[name] = encoded(
            name,
            found[name],
            schema.fields[name] if schema is not None else None,
            checked_step(name, steps[name]) if name in steps else None,
            checked_within(name, within[name]) if name in within else None,
        )
    in_clear = {}
    for name in open_names:
        one = found[name]
        refuse_missing(name, one.missing)
        values = one.values if one.categories is None else exact(one.categories)[one.values]
        in_clear[name] = exact(values.tolist()) if values.dtype.kind == "O" else values
    if schema is not None:
        room = schema.room
    elif room is not None:
        for name, field in fields.items():
            if room < (
                width := max(1, field.high.bit_length(), (~field.low).bit_length() if field.low < 0 else 0)
            ):
                raise ArgumentError(
                    f"room={room}, and column {name!r} has integers from {field.low} to {field.high}: take "
                    f"room={width} or more, or leave it out"
                )
    else:
        room = _room(key, max(bits_of(field.low, field.high) for field in fields.values()))
    columns = {}
    # The widest first: it is the one that may have no room.
    for name in sorted(names, key=lambda name: -bits_of(fields[name].low, fields[name].high)):
        ends = fields[name].low, fields[name].high
        try:
            columns[name] = key.encrypt(integers[name], integers=room, within=ends)
        except Error as error:
            why = str(error).replace("take a width within that", "take room= of as many")
            raise type(error)(f"column {name!r}: {why}", **vars(error)) from error
    return Frame(Schema(fields, tuple(open_names), room), {name: columns[name] for name in names}, in_clear)


def _room(key: Client | PublicKey, bits: int) -> int:
    """Give the bits to have room for: some more than there are, where one ciphertext has them."""
    for room in range(bits + SPARE_BITS, bits, -1):
        try:
            _ = -key.encrypt([0], integers=room, within=(0, 1))  # Those of several ciphertexts have no sums.
        except Error:
            continue
        return room
    return bits
