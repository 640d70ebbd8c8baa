"""The server's part of a model, in integers."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from math import log2
from typing import TYPE_CHECKING

import numpy as np

from ._bootes import Client, Encrypted, Params, Server
from ._bootes import plan as _plan
from ._checks import whole
from ._codec import Codec, Integers, Rows, Scores, batch, listed_arrays, of_engine
from ._errors import ArgumentError, DtypeError, Error, MismatchError, NoiseError
from ._forest import Circuit, Tree, values
from ._neighbours import Comparing, Plain, nearest
from ._network import LATER_BITS, Layer, activated, linear, stacked
from ._trees import Room, Tables, Ways, entries_of
from ._versions import Versioned

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from ._bootes import Choice


# As of plans.
MOST_ROWS = 10**12


@dataclass(frozen=True)
class Plan:
    """What the server has to do: printed, it tells all."""

    engine: str
    # What is done, with how many tables, and the seconds for the rows that were asked for.
    steps: tuple[tuple[str, int, float], ...]
    log2_p_fail: float
    # For how many rows the seconds are, on the threads of the server, and how many take as long as one.
    rows: int
    capacity: int
    # Bytes of the server at most, keys among them.
    memory: int

    @property
    def tables(self) -> int:
        """How many tables there are."""
        return sum(tables for _, tables, _ in self.steps)

    def seconds(self, rows: int | None = None) -> float:
        """Predicted seconds for so many rows, or for those of the plan, on the threads of the server."""
        pieces, own = (-(-some // self.capacity) for some in (self.rows if rows is None else rows, self.rows))
        return sum(seconds for *_, seconds in self.steps) * pieces / own

    def __str__(self) -> str:
        """Tell all."""
        lines = [f"  {what}: {_count(tables, 'table')}, {time:.3g} s" for what, tables, time in self.steps]
        failure = f"a row is wrong with 2^{self.log2_p_fail:.0f} at most"
        time = f"{self.seconds():.3g} s for {_count(self.rows, 'row')} on the server's threads"
        memory = f", {self.memory / 1e9:.2g} GB of memory" if self.memory else ""
        head = f"engine {self.engine}, {_count(self.tables, 'table')}, {time}, {failure}{memory}"
        return "\n".join([head, *(lines or ["  sums alone, which take no key"])])


@dataclass(eq=False, repr=False)
class Model(Versioned):
    """What the server has: a model in integers, which scores encrypted rows. It is pickled.

    The server learns how many rows there are, and which of them belong to whom; of what they hold, nothing.
    Who decrypts scores learns them, which many rows together may tell about the model.
    """

    codec: Codec
    # Of linear models, and of the last layer of networks.
    weights: Integers = field(default_factory=lambda: np.zeros((0, 0), np.int64))
    constants: Integers = field(default_factory=lambda: np.zeros(0, np.int64))
    # Of trees.
    trees: tuple[Tree, ...] = ()
    # Of networks.
    layers: tuple[Layer, ...] = ()
    # Of neighbours: how many there are to find.
    nearest: int = 0
    _circuits: dict[str, Circuit] = field(default_factory=dict, repr=False)
    # By parameters: which of the ways to cut trees is taken, and into how many digits values are cut. And
    # which tables are evaluated one by one.
    _ways: dict[str, tuple[int, int]] = field(default_factory=dict, repr=False)
    _alone: set[tuple[str, int, int]] = field(default_factory=set, repr=False)

    def __repr__(self) -> str:
        """Tell what it is of, in one line."""
        if self.nearest:
            what = f"{_count(self.nearest, 'neighbour')} of {_count(len(self.constants), 'point')}"
        elif self.layers:
            what = f"a network of {_count(len(self.layers) + 1, 'layer')}"
        else:
            what = "a linear model" if self.is_linear else _count(len(self.trees), "tree")
        sizes = f"{_count(self.codec.columns, 'column')}, {_count(self.codec.outputs, 'output')}"
        return f"<bootes.sklearn.Model of {what}: {sizes}>"

    @property
    def is_linear(self) -> bool:
        """Whether scores are sums alone, for which a server needs no key."""
        return not (self.codec.leaf_bits or self.layers or self.nearest)

    def params(self, rows: int = 1, *, failure: int = -128) -> Params:
        """Give parameters for a client with so many rows at a time: of engine ckks from some hundreds on."""
        rows = whole("rows", rows, 1, MOST_ROWS)
        if self.is_linear:
            return Params(integers=16, many=rows, failure=failure)
        if self.nearest:
            bits = self.codec.sum_bits
            pairs = 2 * len(self.constants)
            plan = partial(_plan, "min", integers=bits, failure=failure)
            return Params(integers=16, failure=failure) if _one_by_one(plan, pairs, rows) else batch(bits + 1)
        if self.layers:
            bits, neurons = self.codec.sum_bits, sum(len(layer.constants) for layer in self.layers)
            plan = partial(_plan, bits=bits, failure=failure)
            return Params(integers=16, failure=failure) if _one_by_one(plan, neurons, rows) else batch(bits)
        choice = _plan(bits=8, count=rows, failure=failure)
        longest = self.codec.longest
        if choice.engine == "fhew":
            terms = len(self._ways_of(choice.params).usual.bins)
            fits = terms <= 8 and longest < choice.params.bits
            return choice.params if fits else Params(integers=16, failure=failure)
        return Params(bits=8, many=rows, failure=failure) if longest <= 8 else batch(longest)

    def plain(self, x: npt.ArrayLike) -> Integers:
        """Give scores of rows that are not encrypted: exactly what :meth:`Codec.decrypt` gives."""
        cells = self.codec.encode(x)
        for layer in self.layers:
            cells = layer.plain(cells)
        if self.nearest:
            keys = cells @ self.weights.T + self.constants
            return np.asarray(np.sort(keys, axis=1)[:, : self.nearest] % self._class_count)
        if not self.trees:
            return np.asarray(cells @ self.weights.T + self.constants)
        return np.asarray(sum(values(tree, cells) for tree in self.trees))

    def evaluate(self, server: Server | None, rows: Sequence[Encrypted]) -> Scores:
        """Score encrypted rows: for :meth:`Codec.decrypt`. A linear model takes None for a server.

        Rows of another codec, as of a model that was fitted or compiled anew, are refused.
        """
        return Scores(self._scored(server, self._checked(server, rows)), self.codec.fingerprint)

    def _scored(self, server: Server | None, columns: list[Encrypted]) -> list[Encrypted]:
        if self.is_linear:
            return self._sums(columns)
        if server is None:
            raise ArgumentError("no server, which tables take: make one of the client's key, Server(key)")
        if self.nearest:
            return self._neighbours(server, columns)
        if self.layers:
            return self._network(server, columns)
        return self._forest(server, columns)

    def plan(
        self, server: Server | None = None, rows: Sequence[Encrypted] | None = None, count: int | None = None
    ) -> Plan:
        """Tell what rows like these take, or `count` of them: tables, time, memory, how often a row is wrong.

        Before a client has sent any, without `server` and `rows`, keys of :meth:`params` for `count` rows are
        made for it and forgotten, which takes as long as a client takes for its own.

        Of trees one table is evaluated, of one column: what it gives is like the sums of the others. Into how
        many digits values are cut is known after an evaluation, and taken for one before.
        """
        count = None if count is None else whole("count", count, 1, MOST_ROWS)
        if rows is None:
            if server is not None:
                raise ArgumentError("a server without rows of its client: give both, or neither")
            count = 1 if count is None else count
            client = Client(self.params(count))
            rows = self.codec.encrypt(client, np.zeros((1, self.codec.columns)))
            server = None if self.is_linear else Server(client.server_key())
        columns = self._checked(server, rows)
        promise = columns[0].params.log2_p_fail
        if self.is_linear or server is None:
            scores = self.evaluate(server, rows)  # It refuses what has no room.
            held, params = columns[0].size, columns[0].params
            return Plan(params.engine, (), promise + log2(len(scores)), count or held, params.capacity, 0)
        if self.layers or self.nearest:
            count = columns[0].size if count is None else count
            return (self._network_plan if self.layers else self._neighbours_plan)(server, columns, count)
        way, parts = self._ways.get(server.params.name, (0, 1))
        width = -(-self.codec.leaf_bits // parts)
        engine = Tables(server, self, self._ways_of(server.params)[way], width)
        count = columns[0].size if count is None else count
        # Rows beyond a value are of the same kind, and planning takes one.
        column = columns[0] if engine.is_ckks else columns[0].reshape(-1)[:1]
        steps, memory = [], 0
        sum_of_tables = None
        # Tables of one value share most of the work with engine ckks.
        share = 0.15 if engine.is_ckks else 1.0
        for what, x, tables, rotations, together in engine.steps(columns):
            if x is None:
                if sum_of_tables is None:
                    zeros = np.zeros(self.codec.sizes[0], np.int64)
                    sum_of_tables = engine.total(engine.parts(column, [zeros + 1]), 2)
                x = sum_of_tables
            bits, modulus = engine.room(x, engine.bits)
            one = server.plan(np.arange(entries_of(x)) % 2, x, out_bits=bits, out_modulus=modulus)
            # What is evaluated together is as so many values.
            seconds = one.seconds(count * together) / together * (1 + share * (rotations - 1))
            steps.append((what, tables, seconds))
            memory = max(memory, one.memory(count * max(together, tables)))
        promise += log2(sum(tables for _, tables, _ in steps) + self.codec.outputs * engine.count)
        return _plan_of(server, steps, promise, count, memory)

    def _ways_of(self, params: Params) -> Ways:
        """Give the ways to cut trees for an engine and its limit, the fastest first."""
        if params.engine == "bfv":
            raise of_engine(params)
        return Ways(self, params)

    def _checked(self, server: Server | None, rows: Sequence[Encrypted]) -> list[Encrypted]:
        """Refuse what is no rows of this model, or of another client."""
        if isinstance(rows, Scores):
            raise MismatchError("scores, expected the rows of Codec.encrypt")
        if isinstance(rows, Rows) and rows.codec != self.codec.fingerprint:
            raise MismatchError(
                f"rows of another codec ({rows.codec}, expected {self.codec.fingerprint}): encrypt them with "
                "the codec of this model"
            )
        if server is not None and not hasattr(server, "evaluate_all"):
            raise DtypeError(
                f"a server of type {type(server).__name__}, expected a Server: make one of the client's key, "
                "Server(key)"
            )
        columns = listed_arrays(rows, "rows that are not encrypted: expected the list of Codec.encrypt")
        sizes = self.codec.sizes
        if not columns or len(columns) % len(sizes) or (len(columns) > len(sizes) and not self.is_linear):
            raise ArgumentError(
                f"{len(columns)} columns of rows: expected {len(sizes)}, as Codec.encrypt gives them"
            )
        key = columns[0].key_id if server is None else server.key_id
        other = next((one for one in columns if one.key_id != key), None)
        if other is not None:
            raise MismatchError(
                f"rows of another client (key {other.key_id}, expected {key}): take the server of its key"
            )
        if self.codec.sum_bits:
            bits = self.codec.sum_bits
            modulus = 1 << (bits if columns[0].params.engine == "ckks" and self.layers else bits + 1)
            others = [one.modulus for one in columns if one.modulus != modulus]
            if others:
                raise ArgumentError(
                    f"columns modulo {others[0]}, expected {modulus}: encrypt rows with the codec of this "
                    "model"
                )
        elif not self.is_linear:
            for one, size in zip(columns, sizes, strict=True):
                entries = entries_of(one)
                if entries != max(2, size):
                    raise ArgumentError(
                        f"a column of {entries} integers and the model has {size}: encrypt with its codec"
                    )
        return columns

    def _sums(self, columns: list[Encrypted]) -> list[Encrypted]:
        count = len(self.codec.sizes)
        many = len(columns) // count
        groups = [columns[i * count : (i + 1) * count] for i in range(many)]
        if any(group[0].modulus is None for group in groups):
            raise ArgumentError("columns of integers: encrypt rows with the codec of this model")
        sums = [linear(stacked(group), self.weights, self.constants) for group in groups]
        return [some[k] for k in range(self.codec.outputs) for some in sums]

    def _network(self, server: Server, columns: Sequence[Encrypted]) -> list[Encrypted]:
        found = stacked(columns)
        bits = min(self.codec.sum_bits, LATER_BITS)
        try:
            for layer in self.layers:
                sums = linear(found, layer.weights, layer.constants)
                found = activated(server, sums, layer.table, bits)
            scores = linear(found, self.weights, self.constants)
        except NoiseError as error:
            raise _no_room(server, self.codec.sum_bits, "sums of a network") from error
        return [scores[k] for k in range(self.codec.outputs)]

    @property
    def _class_count(self) -> int:
        return len(self.codec.classes) if self.codec.classes is not None else 1

    def _keys(self, columns: Sequence[Encrypted], some: slice = slice(None)) -> list[Encrypted]:
        """Give the keys of these points."""
        found = linear(stacked(columns), self.weights[some], self.constants[some])
        last = (1 << self.codec.sum_bits) - 1
        return [found[k].as_integers(0, last) for k in range(len(self.constants[some]))]

    def _neighbours(self, server: Server, columns: Sequence[Encrypted]) -> list[Encrypted]:
        try:
            found = nearest(self._keys(columns), self.nearest, Comparing(server))
            return [server.run(f"x % {self._class_count}", x=key) for key in found]
        except NoiseError as error:
            raise _no_room(server, self.codec.sum_bits, "comparisons of neighbours") from error

    def _neighbours_plan(self, server: Server, columns: Sequence[Encrypted], count: int) -> Plan:
        counted = Plain()
        nearest([np.zeros(1)] * len(self.constants), self.nearest, counted)
        x, y = (self._keys(columns, slice(2)) * 2)[:2]
        steps, memory = [], 0
        for what, number, text, inputs in [
            ("minima", counted.minima, Comparing.LEAST, (x, y)),
            ("exchanges", counted.exchanges, Comparing.BOTH, (x, y)),
            ("classes", self.nearest, f"x % {self._class_count}", (x,)),
        ]:
            if number:
                one = server.plan(text, *inputs)
                together = server.params.engine == "fhew"
                seconds = one.seconds(count * number) if together else one.seconds(count) * number
                steps.append((what, number, seconds))
                memory = max(memory, one.memory(count * (number if together else 1)))
        # Each of them may take two tables that make its operands less noisy.
        promise = columns[0].params.log2_p_fail + log2(3 * sum(number for _, number, _ in steps))
        return _plan_of(server, steps, promise, count, memory)

    def _network_plan(self, server: Server, columns: Sequence[Encrypted], count: int) -> Plan:
        is_ckks = server.params.engine == "ckks"
        first, steps, tables, memory = self.layers[0], [], 0, 0
        bits = min(self.codec.sum_bits, LATER_BITS)
        # The sums of one neuron, of one row where rows are apart.
        x = linear(stacked(columns), first.weights[:1], first.constants[:1])[0]
        x = x if is_ckks else x[:1]
        for number, layer in enumerate(self.layers, 1):
            neurons = len(layer.constants)
            if is_ckks:
                one, at_once = server.plan(layer.table, x, out_modulus=1 << bits), count
                seconds = one.seconds(count) * neurons
            else:
                sums, at_once = x.as_integers(0, len(layer.table) - 1), count * neurons
                one = server.plan(layer.table, sums, out_bits=bits)
                seconds = one.seconds(at_once)
            memory = max(memory, one.memory(at_once))
            steps.append((f"layer {number}", neurons, seconds))
            tables += neurons
            if number < len(self.layers):
                # One of its entries, with the noise of a sum of them.
                found = activated(server, [x] if is_ckks else x, layer.table, bits)
                norm = np.linalg.norm(self.layers[number].weights, axis=1).max()
                x = int(norm + 1) * (found[0] if isinstance(found, list) else found)
        promise = columns[0].params.log2_p_fail + log2(tables + self.codec.outputs)
        return _plan_of(server, steps, promise, count, memory)

    def _forest(self, server: Server, columns: list[Encrypted]) -> list[Encrypted]:
        name, leaf_bits = server.params.name, self.codec.leaf_bits
        refused: Error | None = None
        first, parts_before = self._ways.get(name, (0, 1))
        ways = self._ways_of(server.params)
        for way in range(first, len(ways)):
            circuit = ways[way]
            for parts in range(parts_before, leaf_bits + 1):
                try:
                    found = circuit.evaluate(columns, Tables(server, self, circuit, -(-leaf_bits // parts)))
                except Room:
                    continue
                except NoiseError as error:
                    refused = error
                    break
                self._ways[name] = way, parts
                none = [0 * columns[0].as_residues()] * parts
                terms = [
                    zip(*found[k], strict=True) if k in found else ((x,) for x in none) for k in self._all
                ]
                return [sum(some[1:], some[0]) for output in terms for some in output]
        raise NoiseError(
            f"tables whose results are added up, and parameter set {name} has no room for their noise: "
            "take Model.params(), fewer trees, or a set for more bits"
        ) from refused

    @property
    def _all(self) -> range:
        return range(self.codec.outputs)


def _plan_of(
    server: Server, steps: Sequence[tuple[str, int, float]], promise: float, rows: int, memory: int
) -> Plan:
    return Plan(server.params.engine, tuple(steps), promise, rows, server.params.capacity, memory)


# Values of a batch, at least.
BATCH = 1 << 15


def _one_by_one(plan: Callable[..., Choice], tables: int, rows: int) -> bool:
    """Whether so many tables of each row take less time one by one than a batch for each table."""
    few, many = plan(count=16), plan(count=BATCH)
    if many.engine == "fhew" or few.engine != "fhew":
        return many.engine == "fhew"
    keys = many.job_seconds - many.evaluation_seconds
    batches = -(-rows // BATCH)
    return tables * rows * few.evaluation_seconds / 16 < tables * batches * many.evaluation_seconds + keys


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _no_room(server: Server, bits: int, what: str) -> NoiseError:
    return NoiseError(
        f"{what}, and parameter set {server.params.name} has no room for their noise: take Model.params(), "
        f"or compile with sums= less than {bits}"
    )
