"""The tables of trees on encrypted rows, as the server evaluates them."""

from __future__ import annotations

from collections import Counter
from math import inf, log2
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from ._bootes import Encrypted, Params, Server, concatenate
from ._errors import ArgumentError, UnsupportedError
from ._forest import Circuit, Integers, Job, Steps, cuts_of, digits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ._scoring import Model

# Gates for each sum, and for each output lists of digits.
_Evaluated: TypeAlias = tuple[list[list[Encrypted]], dict[int, list[Any]]]

# Of so few rows columns are evaluated together: of more each column has enough values.
_FEW = 16
# So many tables are one expression at most.
_MANY = 32
# A gate with less of a noise budget would make the tables of sums with it longer.
_QUIET = 0.5


def entries_of(x: Encrypted) -> int:
    """Give how many values there may be, from 0 on."""
    return x.modulus or x.range[1] + 1


class Ways:
    """The ways to cut trees: with comparisons, where columns have them; else with less and less bits."""

    # How many bits tables may have less than parameters have.
    LESS = 6

    def __init__(self, model: Model, params: Params) -> None:
        self.model, self.is_ckks = model, params.engine == "ckks"
        self.bits = min(params.bits, 8) if self.is_ckks else params.bits - 1
        # Columns that take one rotation give all comparisons by it.
        self.compared = 0 if self.is_ckks or model.codec.longest > self.bits else 1

    @property
    def usual(self) -> Circuit:
        """The one of the longest tables, which has the fewest."""
        return self[self.compared]

    def __len__(self) -> int:
        """Give how many there are."""
        return self.compared + self.LESS

    def __getitem__(self, way: int) -> Circuit:
        """Make a circuit, or give the one that was made."""
        compares = way < self.compared
        bits = max(2, self.bits - max(0, way - self.compared))
        key = f"{'ckks' if self.is_ckks else 'fhew'} {bits}{' compared' if compares else ''}"
        circuits, trees, sizes = self.model._circuits, self.model.trees, self.model.codec.sizes
        if key not in circuits:
            share = 0.15 if self.is_ckks else 0.7
            circuits[key] = Circuit.of(trees, sizes, 1 << bits, share, compares=compares)
        return circuits[key]


class Room(Exception):  # noqa: N818 - it goes no further than this file.
    """Values are to be cut into more parts."""


class Sums(NamedTuple):
    """How values of one output are added up: within expressions, or of their results."""

    # How many tables are one result, their bits, and how many results there are of an output at most.
    size: int
    bits: int
    parts: int

    @classmethod
    def of(cls, circuit: Circuit, width: int, most: int) -> Sums:
        """Choose what leaves more room for noise.

        Noise of what is added within an expression is independent, and that of its results counts as if it
        were not. But sums of tables, of which a row has values of one alone, have more bits.
        """
        count = circuit.digit_count(width)
        largest, parts = most, 0
        terms = Counter(output for one in circuit.bins for output in one.values)
        for some in circuit.levels:
            of_level: dict[int, list[Integers]] = {}
            for i in some:
                for output, table in circuit.bins[i].values.items():
                    of_level.setdefault(output, []).append(table)
            for tables in of_level.values():
                sums = [sum(int(digits(t, width, i, count).max()) for t in tables) for i in range(count)]
                largest = max(largest, *sums)
            parts += max((-(-len(tables) // _MANY) for tables in of_level.values()), default=0)
        alone = cls(1, most.bit_length(), max(terms.values(), default=1))
        added = cls(_MANY, largest.bit_length(), max(1, parts))
        of_noise = [
            alone.bits + log2(alone.parts),
            added.bits + log2(added.parts) + log2(min(_MANY, alone.parts)) / 2,
        ]
        return alone if of_noise[0] <= of_noise[1] else added


class Tables:
    """Evaluates tables on encrypted integers, values in digits of some bits."""

    def __init__(self, server: Server, model: Model, circuit: Circuit, width: int) -> None:
        self.server, self.model, self.circuit, self.width = server, model, circuit, width
        self.is_ckks = server.params.engine == "ckks"
        # Sums of engine fhew leave half of their residues free, which makes their tables cheap.
        self.bits = max(2, (circuit.size - 1).bit_length())
        self.count = circuit.digit_count(width)
        self.most = max(circuit.most(width, i) for i in range(self.count))
        self.sums = Sums.of(circuit, width, self.most)

    def room(self, x: Encrypted, bits: int) -> tuple[int | None, int | None]:
        """Give `out_bits` and `out_modulus` that make results of x residues modulo a power of two."""
        if self.is_ckks:
            return None, 1 << bits
        is_long = x.range[1] >= 1 << (self.server.params.bits - 1)
        # Of integers that are evaluated on their digits results are integers, with a bit for the sign.
        return (max(bits, 3), None) if is_long else (None, 2 << max(bits, 3))

    def _evaluated(self, x: Encrypted, tables: Sequence[Integers], bits: int, terms: int) -> list[Encrypted]:
        """Evaluate tables together, where their sums have room for it then."""
        room, modulus = self.room(x, bits)
        key = self._key(tables, terms)
        if len(tables) > 1 and key not in self.model._alone:
            found = self.server.evaluate_all(list(tables), x, out_bits=room, out_modulus=modulus)
            if min(one.noise_budget for one in found) >= log2(terms) + (0 if self.is_ckks else 1):
                return found
            self.model._alone.add(key)
        return [self.server.evaluate(table, x, out_bits=room, out_modulus=modulus) for table in tables]

    def _key(self, tables: Sequence[Integers], terms: int) -> tuple[str, int, int]:
        """Give a name for tables together, whose results are added up to so many."""
        return self.server.params.name, hash(b"".join(t.tobytes() for t in tables)), terms

    def parts(self, x: Encrypted, tables: Sequence[Integers]) -> list[Encrypted]:
        """Evaluate tables whose results are added up to a sum for a table."""
        terms = max(len(one.columns) for one in self.circuit.bins)
        padded = [self._padded(table, x) for table in tables]
        return [one.as_residues() for one in self._evaluated(x, padded, self.bits, terms)]

    def _padded(self, table: Integers, x: Encrypted) -> Integers:
        return np.pad(table, (0, max(0, entries_of(x) - len(table))))

    def total(self, parts: Sequence[Encrypted], size: int) -> Encrypted:
        """Add them up to less than the size."""
        found = sum(parts[1:], parts[0])
        return found if self.is_ckks else found.as_integers(0, (1 << self.bits) - 1)

    def compared(self, cells: Sequence[Encrypted], sums: Sequence[Steps]) -> list[Encrypted]:
        """Give sums of comparisons, each of a column with a cut, times a weight.

        Few rows have columns of one size side by side, and all cuts for each of them: so keys are read once.
        """
        cuts, shape = cuts_of(sums), cells[0].shape
        groups: dict[object, list[int]] = {}
        for column in cuts:
            few = cells[column].size < _FEW
            groups.setdefault(entries_of(cells[column]) if few else -column, []).append(column)
        found: list[Encrypted] = []
        pairs: list[tuple[int, int]] = []
        for columns in groups.values():
            size = entries_of(cells[columns[0]])
            x = concatenate([cells[column].reshape(-1) for column in columns])
            all_cuts = sorted({cut for column in columns for cut in cuts[column]})
            tables = [(np.arange(size) > cut).astype(np.int64) for cut in all_cuts]
            room, modulus = self.room(x, self.bits)
            found += self.server.evaluate_all(tables, x, out_bits=room, out_modulus=modulus)
            pairs += [(column, cut) for cut in all_cuts for column in columns]
        weights = np.array([[steps.get(pair, 0) for pair in pairs] for steps in sums], np.int64)
        all_sums = weights @ concatenate(found).reshape(len(pairs), -1)
        return [all_sums[i].reshape(*shape) for i in range(len(sums))]

    def evaluated(self, jobs: Sequence[Job[Encrypted]]) -> _Evaluated:
        """Evaluate the gates of each of these sums, and their values, each as the list of its digits."""
        if self.circuit.compares:
            return self._together(jobs)
        gates: list[list[Encrypted]] = []
        values: dict[int, list[Any]] = {}
        for one in jobs:
            gates.append(self.parts(one.x, one.gates) if one.gates else [])
            if one.values:
                found = self._values(one.x, list(one.values.values()))
                for output, part in zip(one.values, found, strict=True):
                    values.setdefault(output, []).append(part)
        return gates, values

    def _digits(self, x: Encrypted, table: Integers) -> list[Integers]:
        """Give the tables of all digits."""
        padded = self._padded(table, x)
        return [digits(padded, self.width, i, self.count) for i in range(self.count)]

    def _values(self, x: Encrypted, tables: Sequence[Integers]) -> list[list[Encrypted]]:
        """Evaluate tables of outputs, each as the list of its digits."""
        count, terms = self.count, len(self.circuit.bins)
        try:
            bits = max(1, self.most.bit_length())
            own = [digit for table in tables for digit in self._digits(x, table)]
            found = [one.as_residues() for one in self._evaluated(x, own, bits, terms)]
        except (ArgumentError, UnsupportedError) as error:
            raise Room from error
        if min(one.noise_budget for one in found) < log2(terms):
            raise Room
        return [found[i * count : (i + 1) * count] for i in range(len(tables))]

    def _together(self, jobs: Sequence[Job[Encrypted]]) -> _Evaluated:
        """Evaluate the tables of sums as expressions, of some at a time, for which keys are read once."""
        bits, size = self.sums.bits, self.sums.size
        wanted = [([(one.x, self._padded(table, one.x))], self.bits) for one in jobs for table in one.gates]
        gate_count, outputs = len(wanted), sorted({output for one in jobs for output in one.values})
        pieces: list[tuple[int, int]] = []
        for output in outputs:
            own = [(one.x, self._digits(one.x, one.values[output])) for one in jobs if output in one.values]
            for start in range(0, len(own), size):
                piece = own[start : start + size]
                wanted += [([(x, tables[i]) for x, tables in piece], bits) for i in range(self.count)]
                pieces.append((output, self.count))
        found = self._by_one_rotation(jobs) or []
        while len(found) < len(wanted):
            end, tables = len(found), 0
            while end < len(wanted) and (end == len(found) or tables + len(wanted[end][0]) <= _MANY):
                tables += len(wanted[end][0])
                end += 1
            found += self._expression(wanted[len(found) : end])
        if min((one.noise_budget for one in found[gate_count:]), default=inf) < log2(self.sums.parts):
            raise Room
        rest = iter(found)
        gates = [[next(rest) for _ in one.gates] for one in jobs]
        values: dict[int, list[Any]] = {}
        for output, count in pieces:
            values.setdefault(output, []).append([next(rest) for _ in range(count)])
        return gates, values

    def _gates(self, jobs: Sequence[Job[Any]]) -> tuple[str, int, int] | None:
        """Give a name for the gates of a sum that is alone, where these may come from one rotation."""
        if len(jobs) != 1 or jobs[0].values or len(jobs[0].gates) < 2:
            return None
        key = self._key(jobs[0].gates, 0)
        return None if key in self.model._alone else key

    def _by_one_rotation(self, jobs: Sequence[Job[Encrypted]]) -> list[Encrypted] | None:
        """Evaluate the gates of one sum together, if they are quiet enough for the sums of others."""
        key = self._gates(jobs)
        if key is None:
            return None
        x = jobs[0].x
        room, modulus = self.room(x, self.bits)
        tables = [self._padded(table, x) for table in jobs[0].gates]
        found = self.server.evaluate_all(tables, x, out_bits=room, out_modulus=modulus)
        if min(one.noise_budget for one in found) >= _QUIET:
            return [one.as_residues() for one in found]
        self.model._alone.add(key)
        return None

    def _expression(self, wanted: Sequence[tuple[list[tuple[Encrypted, Integers]], int]]) -> list[Encrypted]:
        """Evaluate sums of tables, each of its array, and with room for sums of so many bits."""
        arrays = list({id(x): x for terms, _ in wanted for x, _ in terms}.values())
        names = {id(x): f"x{i}" for i, x in enumerate(arrays)}
        tables: dict[str, Integers] = {}
        texts, more = [], []
        for terms, bits in wanted:
            # Results have as much room as their largest one takes: so much is added.
            more.append((1 << max(bits, 3)) - 1 - sum(int(table.max()) for _, table in terms))
            calls = []
            for i, (x, table) in enumerate(terms):
                name = f"f{len(tables)}"
                tables[name] = table if i else table + more[-1]
                calls.append(f"{name}({names[id(x)]})")
            texts.append(" + ".join(calls))
        if min(more) < 0:
            raise Room
        try:
            found = self.server.evaluate_all("; ".join(texts), *arrays, tables=tables)
            return [one.as_residues() - top for one, top in zip(found, more, strict=True)]
        except (ArgumentError, UnsupportedError) as error:
            raise Room from error

    def steps(self, columns: Sequence[Encrypted]) -> list[tuple[str, Encrypted | None, int, int, int]]:
        """Tell what is evaluated.

        Of which array, where it is a column, how many tables, by how many rotations, and how many rotations
        there are together.
        """
        bins, cuts = self.circuit.bins, self.circuit.cuts
        compares = self.circuit.compares
        steps: list[tuple[str, Encrypted | None, int, int, int]] = []
        for j, (column, number) in enumerate(zip(columns, self.model.codec.used, strict=True)):
            if compares and j in cuts:
                steps.append((f"comparisons of column {number}", column, len(cuts[j]), 1, len(cuts)))
            elif tables := sum(j in one.columns and not one.is_cell for one in bins):
                steps.append((f"column {number}", column, tables, tables, 1))
        for some in self.circuit.levels:
            all_tables = sum(len(bins[i].gates) + len(bins[i].values) * self.count for i in some)
            together = min(all_tables, _MANY) if compares else 1
            for i in some:
                one = bins[i]
                first = next(iter(one.columns))
                x = columns[first] if one.is_cell else None
                what = f"column {self.model.codec.used[first]}" if one.is_cell else f"sum {i}"
                job = Job(None, list(one.gates.values()), one.values)
                shared = compares and len(some) == 1 and self._gates([job]) is not None
                for kind, tables in (("gates", len(one.gates)), ("leaves", len(one.values) * self.count)):
                    if tables and shared:
                        steps.append((f"{kind} of {what}", x, tables, 1, 1))
                    elif tables:
                        steps.append((f"{kind} of {what}", x, tables, tables, together))
        return steps
