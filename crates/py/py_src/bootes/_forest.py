"""Trees on small integers as tables of sums of tables.

A *cell* is what a column holds: an integer from 0 on. A tree is cut into *fragments*, connected parts whose
comparisons are so few that a number below a limit holds the results of all of them: of a column with m cuts
in the fragment the index of its interval, one of m + 1, and these in mixed radix. So a fragment is a table of
a sum of tables of columns. What a fragment leaves open are fragments of their own, behind a *gate*: their sum
also has the number of the fragment that the row goes to, or 0, and their table is 0 for 0.

Several fragments make one table, a *bin*: at the top whatever their trees are, their values being added;
below, those of one tree, of which the row goes to one at most.

Where all comparisons of a column with cuts cost as much as one table of it, a circuit *compares*: then tables
of columns are sums of comparisons, and bins are small, since what a table costs grows with its entries.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

Integers: TypeAlias = npt.NDArray[np.int64]

# Trees from which on not all ways to cut them are tried.
_MANY = 8

# Entries of a table, beyond which it takes longer; and in the time that as many more take, what each table
# takes beside, and what tables that are evaluated together take once: of fhew_8bit_2m128, predicted.
_SHORT, _TABLE, _TOGETHER = 16, 0.5, 2.8


class Node(NamedTuple):
    """A comparison: left where the cell of the column is at most the cut."""

    column: int
    cut: int
    left: Tree
    right: Tree


class Leaf(NamedTuple):
    """The values of all outputs, none of them negative."""

    values: tuple[int, ...]


Tree: TypeAlias = Node | Leaf
Cuts: TypeAlias = dict[int, tuple[int, ...]]
# What a sum grows by above each cut of a column.
Steps: TypeAlias = dict[tuple[int, int], int]


def simplified(tree: Tree, ranges: Mapping[int, tuple[int, int]]) -> Tree:
    """Give the same tree without what no cell within these ranges reaches, and without idle comparisons."""
    if isinstance(tree, Leaf):
        return tree
    low, high = ranges[tree.column]
    if high <= tree.cut:
        return simplified(tree.left, ranges)
    if low > tree.cut:
        return simplified(tree.right, ranges)
    left = simplified(tree.left, {**ranges, tree.column: (low, tree.cut)})
    right = simplified(tree.right, {**ranges, tree.column: (tree.cut + 1, high)})
    return left if left == right else Node(tree.column, tree.cut, left, right)


def values(tree: Tree, cells: Integers) -> Integers:
    """Give the values of all outputs, a row for each row of cells."""
    if isinstance(tree, Leaf):
        return np.broadcast_to(np.array(tree.values, np.int64), (len(cells), len(tree.values)))
    goes_left = cells[:, tree.column, None] <= tree.cut
    return np.where(goes_left, values(tree.left, cells), values(tree.right, cells))


def leaves(tree: Tree) -> Iterator[Leaf]:
    """Give all leaves from left to right."""
    if isinstance(tree, Leaf):
        yield tree
    else:
        yield from leaves(tree.left)
        yield from leaves(tree.right)


def cuts_of(sums: Iterable[Steps]) -> Cuts:
    """Give the cuts of each column in some sums, in order."""
    pairs = sorted({pair for steps in sums for pair in steps})
    return {column: tuple(cut for other, cut in pairs if other == column) for column, _ in pairs}


def digits(table: Integers, width: int, digit: int, count: int) -> Integers:
    """Give a digit of so many bits of each value: the last has all that is left."""
    rest = table >> (width * digit)
    return rest if digit == count - 1 else rest & ((1 << width) - 1)


@dataclass
class _Fragment:
    """The top of a tree as far as its comparisons are `cuts`, and what it leaves open."""

    root: Node
    cuts: Cuts
    open: list[Node]
    tree: int

    @classmethod
    def grown(cls, root: Node, limit: int, tree: int) -> _Fragment:
        """Take comparisons from the root on, those that add least first, as many as the limit lets."""
        cuts: Cuts = {root.column: (root.cut,)}
        below = [node for node in (root.left, root.right) if isinstance(node, Node)]
        while below:
            sizes = [_size(_joined(cuts, {node.column: (node.cut,)})) for node in below]
            least = min(range(len(below)), key=sizes.__getitem__)
            if sizes[least] > limit:
                break
            node = below.pop(least)
            cuts = _joined(cuts, {node.column: (node.cut,)})
            below += [child for child in (node.left, node.right) if isinstance(child, Node)]
        return cls(root, cuts, below, tree)

    def reached(self, cuts: Cuts, indices: dict[int, int]) -> Tree:
        """Give where a row goes whose cells are in the intervals of these indices between the cuts."""
        node: Tree = self.root
        while isinstance(node, Node) and not any(node is other for other in self.open):
            goes_left = indices[node.column] <= cuts[node.column].index(node.cut)
            node = node.left if goes_left else node.right
        return node


def _joined(cuts: Cuts, others: Cuts) -> Cuts:
    return cuts | {column: tuple(sorted({*cuts.get(column, ()), *more})) for column, more in others.items()}


def _size(cuts: Cuts) -> int:
    """Give how many combinations of intervals there are."""
    return int(np.prod([len(some) + 1 for some in cuts.values()], dtype=np.int64))


@dataclass
class Bin:
    """A table of a sum.

    The sum is of a table of each of its columns, and of `gates` of other bins, or it is the cell of one
    column.
    """

    # Below this the sum stays.
    size: int
    # What each column adds to the sum, for each of its cells.
    columns: dict[int, Integers]
    # Whether the sum is the cell of the one column.
    is_cell: bool
    # The tree that it is of, where it has gates: a row has values of one such bin of a tree at most.
    tree: int | None
    # What the bin adds to each output, for each sum: tables that are 0 are left out.
    values: dict[int, Integers] = field(default_factory=dict)
    # What it adds to the sums of later bins.
    gates: dict[int, Integers] = field(default_factory=dict)


_T = TypeVar("_T")


@dataclass(frozen=True)
class Job(Generic[_T]):
    """Tables of a sum: gates, which are added up to other sums, and values of outputs, by output."""

    x: _T
    gates: list[Integers]
    values: dict[int, Integers]


class Engine(Protocol[_T]):
    """Who evaluates tables, on plain integers or on encrypted ones."""

    def compared(self, cells: Sequence[_T], sums: Sequence[Steps]) -> list[_T]:
        """Give sums of comparisons, 1 where the cell of a column is above a cut, each times a weight."""
        ...

    def parts(self, x: _T, tables: Sequence[Integers]) -> list[_T]:
        """Evaluate tables whose results are added up to a sum for a table."""
        ...

    def total(self, parts: Sequence[_T], size: int) -> _T:
        """Add them up to less than the size."""
        ...

    def evaluated(self, jobs: Sequence[Job[_T]]) -> tuple[list[list[_T]], dict[int, list[_T]]]:
        """Evaluate the gates of each of these sums, and values: what is to be added up for each output."""
        ...


@dataclass
class Circuit:
    """Trees as bins, in an order in which gates come before what they are for."""

    bins: list[Bin]
    # Of the values of a leaf.
    value_bits: int
    # Whether columns are compared with cuts, instead of tables for each bin.
    compares: bool = False

    @classmethod
    def of(
        cls, trees: Sequence[Tree], cells: Sequence[int], limit: int, share: float, *, compares: bool = False
    ) -> Circuit:
        """Cut trees into tables of at most so many entries, with the least cost.

        A table of a value that has others is counted as `share` of the first.
        """
        largest = max(4, min(limit, _SHORT) if compares else limit)
        # What stands behind a gate has half of the entries at most.
        tops = [largest >> i for i in range(largest.bit_length() - 2)]
        below = [top // 2 for top in tops]
        if len(trees) > _MANY:
            tops, below = tops[:2], below[:2]
        choices = [_cut(trees, largest, a, b) for a in tops for b in below]
        groups, ungated = min(
            choices, key=lambda one: _time(one[0]) if compares else _cost(one[0], one[1], share)
        )
        bases = [_size(_all_cuts(group)) for group in groups]
        gates = {
            id(one.root): (i, bases[i] * number)
            for i, group in enumerate(groups)
            for number, one in enumerate(group, 1)
        }
        bits = max(
            1, *(value.bit_length() for tree in trees for leaf in leaves(tree) for value in leaf.values)
        )
        bins = [_bin(group, cells, gates, gated=i >= ungated) for i, group in enumerate(groups)]
        return cls(bins, bits, compares)

    @property
    def size(self) -> int:
        """What all sums stay below."""
        return max((one.size for one in self.bins if not one.is_cell), default=2)

    def most(self, width: int, digit: int) -> int:
        """Give what a row has at most in this digit of values, the outputs' largest."""
        top: Counter[int] = Counter()
        behind: dict[tuple[int, int], int] = {}
        for one in self.bins:
            for output, table in one.values.items():
                value = int(digits(table, width, digit, self.digit_count(width)).max())
                if one.tree is None:
                    top[output] += value
                else:
                    behind[output, one.tree] = max(value, behind.get((output, one.tree), 0))
        for (output, _), value in behind.items():
            top[output] += value
        return max(top.values(), default=0)

    def digit_count(self, width: int) -> int:
        """Give how many digits of so many bits the values of a tree have."""
        return -(-self.value_bits // width)

    @property
    def steps(self) -> dict[int, Steps]:
        """The sums of bins, as sums of comparisons: those of cells are none."""
        found: dict[int, Steps] = {}
        for i, one in enumerate(self.bins):
            if not one.is_cell:
                own = found[i] = {}
                for column, table in one.columns.items():
                    steps = np.diff(table)
                    own.update({(column, cut): int(steps[cut]) for cut in np.flatnonzero(steps).tolist()})
        return found

    @property
    def cuts(self) -> Cuts:
        """What columns are compared with."""
        return cuts_of(self.steps.values())

    @property
    def levels(self) -> list[list[int]]:
        """The bins whose sums are known together, one level after the other."""
        level = [0] * len(self.bins)
        for i, one in enumerate(self.bins):
            for later in one.gates:
                level[later] = max(level[later], level[i] + 1)
        return [[i for i, own in enumerate(level) if own == k] for k in range(max(level, default=-1) + 1)]

    def evaluate(self, cells: Sequence[_T], engine: Engine[_T]) -> dict[int, list[_T]]:
        """Give what is to be added up for each output."""
        parts: list[list[_T]] = [[] for _ in self.bins]
        for i, one in enumerate(self.bins):
            if one.is_cell:
                parts[i] = [cells[next(iter(one.columns))]]
        if self.compares:
            steps = self.steps
            sums = engine.compared(cells, list(steps.values())) if steps else []
            for i, part in zip(steps, sums, strict=True):
                parts[i].append(part)
        else:
            for column, x in enumerate(cells):
                takers = [i for i, one in enumerate(self.bins) if column in one.columns and not one.is_cell]
                if takers:
                    tables = [self.bins[i].columns[column] for i in takers]
                    for i, part in zip(takers, engine.parts(x, tables), strict=True):
                        parts[i].append(part)
        outputs: dict[int, list[_T]] = {}
        for some in self.levels:
            jobs = []
            for i in some:
                one = self.bins[i]
                x = parts[i][0] if one.is_cell else engine.total(parts[i], one.size)
                jobs.append(Job(x, list(one.gates.values()), one.values))
            gates, values = engine.evaluated(jobs)
            for i, found in zip(some, gates, strict=True):
                for later, part in zip(self.bins[i].gates, found, strict=True):
                    parts[later].append(part)
            for output, own in values.items():
                outputs.setdefault(output, []).extend(own)
        return outputs


_Groups: TypeAlias = list[list[_Fragment]]


def _cut(trees: Sequence[Tree], limit: int, top: int, below: int) -> tuple[_Groups, int]:
    """Cut trees with these limits for fragments: those of each bin, and how many bins have no gates."""
    groups: _Groups = []
    level = [_Fragment.grown(tree, top, i) for i, tree in enumerate(trees) if isinstance(tree, Node)]
    _pack(groups, level, limit, gated=False)
    ungated = len(groups)
    while level:
        level = [_Fragment.grown(node, below, one.tree) for one in level for node in one.open]
        _pack(groups, level, limit, gated=True)
    return groups, ungated


def _cost(groups: _Groups, ungated: int, share: float) -> float:
    """Give what all tables cost, those of a bin's results aside, which are the same however trees are cut."""
    place = {id(one.root): i for i, group in enumerate(groups) for one in group}
    tables = [len({place[id(node)] for one in group for node in one.open}) + 1 for group in groups]
    of_columns = Counter(
        column
        for i, group in enumerate(groups)
        if i >= ungated or len(_all_cuts(group)) > 1
        for column in _all_cuts(group)
    )
    return sum(1 + share * (count - 1) for count in [*tables, *of_columns.values()])


def _time(groups: _Groups) -> float:
    """Give what the tables of sums take, where they are evaluated together."""
    place = {id(one.root): i for i, group in enumerate(groups) for one in group}
    level, total = [1] * len(groups), 0.0
    for i, group in enumerate(groups):
        later = {place[id(node)] for one in group for node in one.open}
        for j in later:
            level[j] = max(level[j], level[i] + 1)
        # Numbers of fragments, where there are gates.
        entries = _size(_all_cuts(group)) * (len(group) + 1 if level[i] > 1 else 1)
        total += (len(later) + 1) * (_TABLE + max(1, entries / _SHORT))
    return total + _TOGETHER * max(level, default=0)


def _all_cuts(group: Sequence[_Fragment]) -> Cuts:
    cuts: Cuts = {}
    for one in group:
        cuts = _joined(cuts, one.cuts)
    return cuts


def _pack(groups: _Groups, fragments: list[_Fragment], limit: int, *, gated: bool) -> None:
    """Put fragments together, the largest first, each where it fits first."""
    new: list[tuple[list[_Fragment], Cuts]] = []
    for one in sorted(fragments, key=lambda one: -_size(one.cuts)):
        for i, (group, cuts) in enumerate(new):
            joined = _joined(cuts, one.cuts)
            gates = len(group) + 2 if gated else 1
            if (not gated or group[0].tree == one.tree) and gates * _size(joined) <= limit:
                new[i] = ([*group, one], joined)
                break
        else:
            new.append(([one], one.cuts))
    groups += [group for group, _ in new]


def _bin(
    group: Sequence[_Fragment], cells: Sequence[int], gates: dict[int, tuple[int, int]], *, gated: bool
) -> Bin:
    """Make the tables of fragments."""
    cuts = _all_cuts(group)
    size = _size(cuts)
    columns: dict[int, Integers] = {}
    radix = 1
    for column, some in reversed(cuts.items()):
        columns[column] = radix * np.searchsorted(some, np.arange(cells[column]), "left")
        radix *= len(some) + 1
    is_cell = not gated and len(columns) == 1
    made = Bin(size * (len(group) + 1) if gated else size, columns, is_cell, group[0].tree if gated else None)
    sums: dict[int, Integers] = {}
    for i, intervals in enumerate(product(*(range(len(some) + 1) for some in cuts.values()))):
        indices = dict(zip(cuts, intervals, strict=True))
        for number, one in enumerate(group, 1):
            x = size * number + i if gated else i
            end = one.reached(cuts, indices)
            if isinstance(end, Leaf):
                for output, value in enumerate(end.values):
                    if value:
                        sums.setdefault(output, np.zeros(made.size, np.int64))[x] += value
            else:
                later, gate = gates[id(end)]
                made.gates.setdefault(later, np.zeros(made.size, np.int64))[x] = gate
    made.values = dict(sorted(sums.items()))
    if is_cell:
        # As tables of the cells themselves.
        index = columns[next(iter(columns))]
        made.values = {output: table[index] for output, table in made.values.items()}
        made.gates = {later: table[index] for later, table in made.gates.items()}
        made.size = len(index)
    return made
