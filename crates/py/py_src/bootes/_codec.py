"""The client's part of a model: integers of rows, and labels of scores."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from math import gcd
from typing import Any, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from ._bootes import Client, Encrypted, Params, PublicKey
from ._checks import short
from ._errors import ArgumentError, DtypeError, Error, MismatchError, UnsupportedError
from ._integers import even
from ._versions import Versioned

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]

# Scores of linear models are integers of so many bits, with a sign, what a set for integers has in one
# ciphertext; or of more, to some, where their weights would be lost.
LINEAR_BITS, LONGEST_BITS = 17, 48
# Of sums of networks and of distances, at least.
LEAST_BITS = 4


class Rows(Sequence[Encrypted]):
    """Encrypted rows, from :meth:`Codec.encrypt`: arrays that know of which codec they are.

    It is pickled. A list or a tuple, as of some of its arrays, is taken by its number of columns alone.
    """

    def __init__(self, arrays: Iterable[Encrypted], codec: str) -> None:
        self._arrays = tuple(arrays)
        self.codec = codec

    @overload
    def __getitem__(self, index: int) -> Encrypted: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Encrypted, ...]: ...
    def __getitem__(self, index: int | slice) -> Encrypted | tuple[Encrypted, ...]:
        """Give an array, or some."""
        return self._arrays[index]

    def __len__(self) -> int:
        """Give the number of arrays."""
        return len(self._arrays)

    def __repr__(self) -> str:
        """Tell how many arrays there are, in one line."""
        return f"<bootes.sklearn.{type(self).__name__} of {len(self)} arrays, codec {self.codec}>"


class Scores(Rows):
    """Encrypted scores, from :meth:`Model.evaluate`, for :meth:`Codec.decrypt`: as :class:`Rows`."""


@dataclass(frozen=True, eq=False, repr=False)
class Codec(Versioned):
    """What the client has of a model: it makes integers of rows, and labels of scores.

    It tells where each column is cut into integers, which is by the range of the calibration rows, or with
    ``grid="thresholds"`` at the thresholds of the trees; which columns are used; the classes; and what one
    step of a score is and what 0 is. No weights, no trees, no leaves. It is pickled.
    """

    columns: int
    cuts: tuple[Floats, ...]
    used: tuple[int, ...]
    outputs: int
    # What a step of a score is: of several numbers one for each.
    scale: float | Floats
    offsets: Floats
    # Bits of the values of a leaf; 0 of linear models.
    leaf_bits: int
    # One of number, index, margin, logistic, softmax, probability, votes.
    link: str
    classes: npt.NDArray[Any] | None
    # Bits of a neuron's sum; 0 of what is no network.
    sum_bits: int = 0
    # The names of the columns, in order, where the model or the rows for compile have some.
    names: tuple[str, ...] = ()
    # Bits of the scores of linear models.
    score_bits: int = LINEAR_BITS

    def __repr__(self) -> str:
        """Tell how many columns and outputs there are, in one line."""
        used = f"{self.columns} columns, {len(self.used)} of them used"
        return f"<bootes.sklearn.Codec of {used}: link={self.link}, outputs={self.outputs}>"

    @property
    def sizes(self) -> list[int]:
        """How many integers there are for each column that is used."""
        return [len(cuts) + 1 for cuts in self.cuts]

    @property
    def longest(self) -> int:
        """The bits of the longest column."""
        return max(1, *((size - 1).bit_length() for size in self.sizes))

    @cached_property
    def fingerprint(self) -> str:
        """What rows and scores have of it: a codec with other cuts, names, classes or scales has another."""
        arrays = [some.astype("<f8").tobytes() for some in (*self.cuts, self.offsets)]
        classes = None if self.classes is None else self.classes.tolist()
        others = (
            self.columns,
            self.used,
            self.outputs,
            np.asarray(self.scale).tolist(),
            self.leaf_bits,
            self.link,
        )
        content = repr((arrays, classes, others, self.sum_bits, self.names, self.score_bits))
        return sha256(content.encode()).hexdigest()[:16]

    def encode(self, x: npt.ArrayLike) -> Integers:
        """Give the integers of rows, a column for each that is used.

        Names of columns, where rows have them, are those of the codec, in order, as with scikit-learn; rows
        without names are taken as they are.
        """
        refuse_others(x, self.names, "list(codec.names)")
        rows = finite(x, self.columns)
        cells = [np.searchsorted(c, rows[:, j], "left") for j, c in zip(self.used, self.cuts, strict=True)]
        return np.stack(cells, axis=1).astype(np.int64)

    def encrypt(self, client: Client | PublicKey, x: npt.ArrayLike) -> Rows:
        """Encrypt rows, each column for itself.

        Columns of a linear model are encrypted modulo so many numbers that scores are known from the
        residues.
        """
        if not isinstance(client, (Client, PublicKey)):
            raise DtypeError(
                f"a client of type {type(client).__name__}, expected a Client or a PublicKey: rows are "
                "encrypted by who has them"
            )
        return Rows(self._encrypted(client, self.encode(x)), self.fingerprint)

    def _encrypted(self, client: Client | PublicKey, cells: Integers) -> list[Encrypted]:
        if self.sum_bits:
            sizes = zip(cells.T, self.sizes, strict=True)
            whole = self.link == "votes"
            # Of keys of neighbours some are of the class.
            count = len(self.classes) if whole and self.classes is not None else 1
            least = LEAST_BITS + (count - 1).bit_length()
            return [
                _term(client, column, size, self.sum_bits, whole=whole, least=least) for column, size in sizes
            ]
        if not self.leaf_bits:
            return _residues(client, cells, max(self.sizes), self.score_bits)
        if client.params.engine == "ckks":
            if self.longest > client.params.bits:
                raise _long_columns(self.longest, client.params, client.params.bits, batch(self.longest))
            sizes = zip(cells.T, self.sizes, strict=True)
            return [client.encrypt(column, modulus=max(2, size)) for column, size in sizes]
        if client.params.engine == "bfv":
            raise of_engine(client.params)
        return [_whole(client, c, size) for c, size in zip(cells.T, self.sizes, strict=True)]

    def decrypt(self, client: Client, scores: Sequence[Encrypted]) -> Integers:
        """Give scores as integers, a column for each output: what :meth:`Model.plain` gives."""
        if not isinstance(client, Client):
            raise DtypeError(f"a client of type {type(client).__name__}, expected a Client: it has the key")
        if isinstance(scores, Rows) and not isinstance(scores, Scores):
            raise MismatchError("rows, expected the scores of Model.evaluate")
        if isinstance(scores, Scores) and scores.codec != self.fingerprint:
            raise MismatchError(
                f"scores of another codec ({scores.codec}, expected {self.fingerprint}): take the codec that "
                "encrypted their rows"
            )
        scores = listed_arrays(scores, "scores that are not encrypted: expected those of Model.evaluate")
        if not scores or len(scores) % self.outputs:
            raise ArgumentError(
                f"{len(scores)} arrays of scores: expected those of Model.evaluate, some for each of "
                f"{self.outputs} outputs"
            )
        count = len(scores) // self.outputs
        found = [client.decrypt(one) for one in scores]
        if self.link == "votes":
            return np.stack(found, axis=1)
        columns = []
        for k in range(self.outputs):
            own = found[k * count : (k + 1) * count]
            if self.leaf_bits:
                width = -(-self.leaf_bits // count)
                columns.append(
                    sum((part << (width * i) for i, part in enumerate(own)), np.zeros_like(own[0]))
                )
            else:
                moduli = [one.modulus or 0 for one in scores[k * count : (k + 1) * count]]
                columns.append(_from_residues(own, moduli))
        return np.stack(columns, axis=1)

    def scores(self, integers: Integers) -> Floats:
        """Give what the model has: numbers, a decision function, or probabilities.

        There is one axis where there is one output.
        """
        found = self.scale * self._checked(integers) + self.offsets
        return found[:, 0] if self.outputs == 1 else found

    def probabilities(self, integers: Integers) -> Floats:
        """Give a probability for each class, where the model has them."""
        if self.link == "votes":
            return self._votes(self._checked(integers)) / self.outputs
        scores = self.scores(integers)
        if self.link == "probability":
            if self._is_of_one_class:
                return scores.reshape(-1, 1)
            return np.stack([1 - scores, scores], axis=1) if scores.ndim == 1 else scores
        if self.link == "logistic":
            positive = np.exp(-np.logaddexp(0, -scores))
            return np.stack([1 - positive, positive], axis=1)
        if self.link == "softmax":
            powers = np.exp(scores - scores.max(axis=1, keepdims=True))
            return np.asarray(powers / powers.sum(axis=1, keepdims=True))
        raise UnsupportedError(
            "this model has no probabilities: take labels or scores"
            + (", or compile it with probabilities=True" if self.link == "index" else "")
        )

    def labels(self, integers: Integers) -> npt.NDArray[Any]:
        """Give what the model predicts: classes, or numbers."""
        if self.link == "votes" and self.classes is not None:
            return np.asarray(self.classes[self._votes(self._checked(integers)).argmax(axis=1)])
        return self.labels_of(self.scores(integers))

    def labels_of(self, scores: Floats) -> npt.NDArray[Any]:
        """Give what the model predicts of what :meth:`scores` gives, but for neighbours."""
        if self.classes is None:
            return scores
        if self.link == "index":
            index = np.rint(scores).astype(np.int64)
        elif self._is_of_one_class:
            index = np.zeros(len(scores), dtype=np.int64)
        elif scores.ndim == 1:
            index = (scores > (0.5 if self.link == "probability" else 0.0)).astype(np.int64)
        else:
            index = scores.argmax(axis=1)
        return np.asarray(self.classes[index])

    def _checked(self, integers: Any) -> Integers:
        """Refuse what no scores are."""
        found = even(integers)
        if found.dtype.kind not in "iu":
            raise DtypeError(
                f"scores of dtype {found.dtype}, expected integers: give what Codec.decrypt or Model.plain "
                "gives"
            )
        if found.ndim != 2 or found.shape[1] != self.outputs:
            raise ArgumentError(
                f"scores of shape {found.shape}, expected (rows, {self.outputs}): give what Codec.decrypt or "
                "Model.plain gives"
            )
        if self.link in ("index", "votes") and self.classes is not None:
            classes = found + (np.rint(self.offsets).astype(np.int64) if self.link == "index" else 0)
            wrong = (classes < 0) | (classes >= len(self.classes))
            if wrong.any():
                row, k = np.argwhere(wrong)[0]
                raise ArgumentError(
                    f"{found[row, k]} in row {row} stands for no class: give what Model.plain or "
                    "Codec.decrypt gives"
                )
        return found.astype(np.int64)

    @property
    def _is_of_one_class(self) -> bool:
        return self.classes is not None and len(self.classes) == 1

    def _votes(self, integers: Integers) -> Integers:
        """Give how many neighbours have each class."""
        classes = np.arange(len(self.classes) if self.classes is not None else 0)
        return np.asarray((integers[:, :, None] == classes).sum(axis=1))


def listed_arrays(arrays: Any, refusal: str) -> list[Encrypted]:
    """Give encrypted arrays that are several; refuse others in these words."""
    found = list(arrays) if isinstance(arrays, Iterable) else [arrays]
    if isinstance(arrays, Encrypted) or not all(isinstance(one, Encrypted) for one in found):
        raise DtypeError(refusal)
    return found


def batch(bits: int) -> Params:
    """Give the least set of engine ckks whose tables have so many bits as a whole."""
    found = [Params(name) for name in Params.names() if re.fullmatch(r"batch_\d+bit", name)]
    return min((params for params in found if params.bits >= bits), key=lambda params: params.bits)


def _long_columns(bits: int, params: Params, most: int, instead: Params) -> ArgumentError:
    cure = f"compile with bits={most}, or take" if most > 0 else "take"
    return ArgumentError(
        f"columns of {bits} bits, and parameter set {params.name} has no tables of them: {cure} "
        f"Params({instead.name!r})"
    )


def of_engine(params: Params) -> UnsupportedError:
    return UnsupportedError(
        f"parameter set {params.name} is of engine {params.engine}, expected fhew or ckks: "
        "take Model.params()"
    )


def _whole(client: Client | PublicKey, column: Integers, size: int) -> Encrypted:
    """Encrypt integers of one ciphertext each."""
    bits = max(1, (size - 1).bit_length())
    try:
        found = client.encrypt(column, integers=bits, signed=False, within=(0, max(1, size - 1)))
        _ = -found[:1]  # Those of several ciphertexts have no sums.
    except Error as error:
        raise _long_columns(bits, client.params, client.params.bits - 1, Params(integers=16)) from error
    return found


def _term(
    client: Client | PublicKey, column: Integers, size: int, bits: int, *, whole: bool, least: int
) -> Encrypted:
    """Encrypt a column with room for sums of so many bits."""
    params = client.params
    if params.engine == "bfv":
        raise of_engine(params)
    ends = 0, max(1, size - 1)

    def encrypted(values: npt.ArrayLike, bits: int) -> Encrypted:
        if params.engine == "ckks" and params.bits < bits + whole:
            raise UnsupportedError("longer than its tables")
        if params.engine == "ckks" and not whole:
            return client.encrypt(values, modulus=1 << bits)
        return client.encrypt(values, integers=bits, within=ends).as_residues()

    def is_there(bits: int) -> bool:
        try:
            return len(encrypted([0], bits)) == 1
        except Error:
            return False

    try:
        return encrypted(column, bits)
    except Error as error:
        fitting = next((n for n in range(bits - 1, least - 1, -1) if is_there(n)), None)
        cure = "" if fitting is None else f", or compile with sums={fitting}"
        raise ArgumentError(
            f"sums of {bits} bits, and parameter set {params.name} has no tables of them: take "
            f"Model.params(){cure}"
        ) from error


def _residues(client: Client | PublicKey, cells: Integers, size: int, bits: int) -> list[Encrypted]:
    """Encrypt columns modulo numbers whose product tells all scores, those of one modulus after another."""
    if client.params.engine == "bfv":
        raise of_engine(client.params)
    try:
        # Of a set for integers: one modulus, 2^17.
        found = [
            client.encrypt(column, integers=LINEAR_BITS - 1, signed=False, within=(0, size)).as_residues()
            for column in cells.T
        ]
        _ = 2 * found[0]  # Those of several ciphertexts have no sums.
    except Error:
        found = []
    moduli = _coprime(min(client.params.bits, LINEAR_BITS), bits, LINEAR_BITS if found else 0)
    return found + [client.encrypt(column % p, modulus=p) for p in moduli for column in cells.T]


def _coprime(bits: int, wanted: int, before: int) -> list[int]:
    """Give numbers of so many bits without common divisors, which tell integers of so many wanted.

    Before them there is a power of two.
    """
    moduli: list[int] = []
    found = 1 << before
    for p in range(1 << bits, 1, -1):
        if found >= 1 << wanted:
            return moduli
        if gcd(p, found) == 1:
            moduli.append(p)
            found *= p
    if found >= 1 << wanted:
        return moduli
    raise UnsupportedError(
        f"scores of {wanted} bits, and residues of {bits} bits do not tell them: take Model.params()"
    )


def _from_residues(residues: Sequence[Integers], moduli: Sequence[int]) -> Integers:
    """Give the integers of these residues, around 0."""
    x, product = np.zeros_like(residues[0]), 1
    for residue, p in zip(residues, moduli, strict=True):
        x = x + product * ((residue - x) * pow(product, -1, p) % p)
        product *= p
    return np.where(x >= product - product // 2, x - product, x)


def names_of(x: Any) -> tuple[str, ...]:
    """Give the names of the columns of a table, where it has them and all are texts."""
    # The first is pyarrow's.
    found: Any = getattr(x, "column_names", getattr(x, "columns", ()))
    names = () if callable(found) else tuple(found)
    return names if all(isinstance(name, str) for name in names) else ()


def refuse_others(x: Any, names: Sequence[str], named_by: str) -> None:
    """Refuse rows whose columns are called otherwise, or are in another order."""
    found, cure = names_of(x), f"take x[{named_by}]"
    with_underscores = tuple(name.replace(" ", "_") for name in found)
    if set(found) != set(names) == set(with_underscores):
        # LightGBM writes them for blanks.
        found, cure = with_underscores, "put them into its order"
    if not found or not names or found == tuple(names):
        return
    absent = next((name for name in names if name not in found), None)
    other = next((name for name in found if name not in names), None)
    if absent is not None:
        why = f"expected the {len(names)} that the model was fitted with" + (
            f", and {other!r} is none of them" if other is not None else ""
        )
        raise ArgumentError(f"column {absent!r} is absent: {why}")
    if other is not None:
        raise ArgumentError(f"column {other!r}, which the model was not fitted with: {cure}")
    place = next(i for i, (one, name) in enumerate(zip(found, names, strict=False)) if one != name)
    raise ArgumentError(
        f"column {place} is {found[place]!r} and was {names[place]!r} when the model was fitted: {cure}"
    )


def _no_number(found: npt.NDArray[Any]) -> tuple[int, int, Any] | None:
    """Give the row and the column of what is the first text, or no number, in two axes, and what it is."""
    if found.ndim != 2:
        return None
    for row, cells in enumerate(found.tolist()):
        for column, cell in enumerate(cells):
            if isinstance(cell, (str, bytes)):
                return row, column, cell
            try:
                float(cell)
            except (TypeError, ValueError):
                return row, column, cell
    return None


def finite(x: Any, columns: int) -> Floats:
    """Give rows as numbers, all of them finite."""
    if hasattr(x, "toarray"):
        raise DtypeError("rows of a sparse matrix, expected an array: give x.toarray()")
    gone: Any = np.ma.getmaskarray(x) if isinstance(x, np.ma.MaskedArray) else False
    if isna := getattr(x, "isna", None):  # A table of pandas, where NumPy has no NaN for some.
        gone = np.asarray(isna())
    if np.ndim(gone) and np.any(gone):
        row, column = np.argwhere(np.reshape(gone, (len(gone), -1)))[0]
        what = "masked" if isinstance(x, np.ma.MaskedArray) else "missing"
        raise ArgumentError(f"a {what} value in row {row}, column {column}: expected numbers; impute it")
    found = even(x)
    if found.dtype.kind in "cmM":
        cure = "x.real" if found.dtype.kind == "c" else "numbers of one unit of time"
        raise DtypeError(f"rows of dtype {found.dtype}, expected real numbers: take {cure}")
    try:
        if found.dtype.kind in "SUTV":
            raise TypeError("texts, though some are numbers")
        rows = found.astype(np.float64)
    except OverflowError as error:
        raise ArgumentError("rows of integers that no float holds: expected numbers up to 1e308") from error
    except (TypeError, ValueError) as error:
        cure = "encode categories before, and cast texts"
        if (place := _no_number(found)) is not None:
            row, column, cell = place
            what = f"{short.repr(cell)} in row {row}, column {column}: expected numbers"
            raise DtypeError(f"{what}; {cure}") from error
        raise DtypeError(f"rows that are no numbers: {cure}") from error
    if rows.ndim != 2:
        raise ArgumentError(f"rows of shape {rows.shape}: expected two axes, (rows, {columns})")
    if rows.shape[1] != columns:
        raise ArgumentError(f"rows of {rows.shape[1]} columns, and the model was fitted with {columns}")
    if len(rows) == 0:
        raise ArgumentError("no rows: expected one at least")
    if not np.isfinite(rows).all():
        row, column = np.argwhere(~np.isfinite(rows))[0]
        raise ArgumentError(
            f"{rows[row, column]} in row {row}, column {column}: expected finite numbers; impute it"
        )
    return rows
