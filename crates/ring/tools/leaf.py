#!/usr/bin/env python3
"""Writes the assembly of the transforms' leaves, `src/simd/{avx512,avx2}/{forward,backward}_leaf.s`.

    crates/ring/tools/leaf.py avx512|avx2 forward|backward [SECONDS]

The operations are those of `src/fft/transform.rs`, rounding for rounding (`tests/fft.rs` compares the bits). Their order is a
question of how far the processor sees ahead: it is improved for SECONDS by moving instructions at random and keeping what
measures faster, beginning with the order in the listing's last line, or, if there is no listing, with list schedules of many
tastes. With 0 seconds, the listing is written again. Needs gcc and a processor that has the instructions.

With AVX2, a leaf is two halves of two parts each, with a square in memory between them. The loop does the first half of a leaf
and the second half of the leaf before, which wait for nothing of each other; what has no register waits in memory.
"""
import bisect
import os
import random
import re
import subprocess
import sys
import tempfile
import time

SIMD = os.path.join(os.path.dirname(__file__), "..", "src", "simd")
WIDTH = {"avx512": 8, "avx2": 4}
LANE_ORDER = [0, 4, 1, 5, 2, 6, 3, 7]
# Where operands are. With AVX2 there are two squares: a first half writes the next one, a second half reads the last.
BASES = {"leaf": "rdi", "row": "rsi", "lane": "rdx", "constant": "rcx", "square": "r9", "next": "r10", "scratch": "r11"}
FUSED = ("fmadd", "fmsub", "fnmadd")
PIPES = dict.fromkeys(FUSED + ("mul",), "fma") | {"add": "add", "sub": "add", "store": "store"}
LATENCY = dict.fromkeys(FUSED, 4) | {"add": 3, "sub": 3, "mul": 3, "perm2f128": 3, "load": 8, "broadcast": 8, "store": 12}
# Chances that a schedule leaves these operands in memory.
FOLDED = {"lane": 0.8, "constant": 0.5, "leaf": 0.1, "square": 0.1}
# A value in memory that is needed again within NEAR instructions is loaded. One that must be stored first leaves its
# register to another if it is needed DEAR times as late.
NEAR, DEAR, NEVER = 24, 2, 1 << 20


class Graph:
    """Operations (name, sources, immediate); a value is ("value", number of its operation).

    Other operands are in memory: the leaf's blocks, the square, the twiddles by row and by lane, the constants of
    `leaf.rs`. AVX-512 takes the latter three from there; AVX2 by operations of their own, and an order that omits a load
    leaves it in memory.
    """

    def __init__(self, width):
        # Which half and part of the leaf each operation belongs to.
        self.width, self.ops, self.at, self.here = width, [], [], (0, 0)

    def op(self, name, *sources, imm=None):
        self.ops.append((name, sources, imm))
        self.at.append(self.here)
        return "value", len(self.ops) - 1

    def memory(self, kind, at):
        if self.width == 8:
            return kind, at
        return self.op("broadcast" if kind == "row" else "load", (kind, at))

    def row(self, k):
        return tuple(self.memory("row", 16 * (k - 1) + 8 * c) for c in (0, 1))

    def lane(self, k):
        return tuple(self.memory("lane", 128 * (k - 1) + 64 * c + 32 * self.here[1]) for c in (0, 1))

    def constant(self, i):
        return self.memory("constant", 8 * i if self.width == 8 else 32 * i)

    def load(self, k, swap=False, kind="leaf"):
        return tuple(self.op("load", (kind, 128 * k + 64 * (c ^ swap) + 32 * self.here[1])) for c in (0, 1))

    def store(self, k, a, swap=False):
        for c in (0, 1):
            self.op("store", a[c], ("leaf", 128 * k + 64 * (c ^ swap) + 32 * self.here[1]))

    # The butterflies of `src/fft/butterfly.rs`, on pairs (real, imaginary).

    def add_sub(self, a, b):
        plus = tuple(self.op("add", a[p], b[p]) for p in (0, 1))
        return plus, tuple(self.op("sub", a[p], b[p]) for p in (0, 1))

    def add_sub_i(self, a, b):
        plus = self.op("sub", a[0], b[1]), self.op("add", a[1], b[0])
        return plus, (self.op("add", a[0], b[1]), self.op("sub", a[1], b[0]))

    def add_sub_eighth(self, a, b):
        half = self.constant(1)
        re, im = self.op("sub", b[0], b[1]), self.op("add", b[0], b[1])
        plus = self.op("fmadd", re, half, a[0]), self.op("fmadd", im, half, a[1])
        return plus, (self.op("fnmadd", re, half, a[0]), self.op("fnmadd", im, half, a[1]))

    def add_sub_three_eighths(self, a, b):
        half = self.constant(1)
        minus_re, im = self.op("add", b[0], b[1]), self.op("sub", b[0], b[1])
        plus = self.op("fnmadd", minus_re, half, a[0]), self.op("fmadd", im, half, a[1])
        return plus, (self.op("fmadd", minus_re, half, a[0]), self.op("fnmadd", im, half, a[1]))

    def twiddle(self, a, w):
        re = self.op("fmsub", a[0], w[0], self.op("mul", a[1], w[1]))
        return re, self.op("fmadd", a[0], w[1], self.op("mul", a[1], w[0]))

    def add_sub_twiddle(self, a, b, w):
        re = self.op("fnmadd", b[1], w[1], self.op("fmadd", b[0], w[0], a[0]))
        im = self.op("fmadd", b[1], w[0], self.op("fmadd", b[0], w[1], a[1]))
        two = self.constant(0)
        return (re, im), (self.op("fmsub", a[0], two, re), self.op("fmsub", a[1], two, im))

    def forward(self, a, w):
        s0, d0 = self.add_sub_twiddle(a[0], a[4], w(4))
        s2, d2 = self.add_sub(self.twiddle(a[2], w(2)), self.twiddle(a[6], w(6)))
        (e0, e2), (e1, e3) = self.add_sub(s0, s2), self.add_sub_i(d0, d2)
        s1, d1 = self.add_sub(self.twiddle(a[1], w(1)), self.twiddle(a[5], w(5)))
        s3, d3 = self.add_sub(self.twiddle(a[3], w(3)), self.twiddle(a[7], w(7)))
        (o0, o2), (o1, o3) = self.add_sub(s1, s3), self.add_sub_i(d1, d3)
        r = [None] * 8
        r[0], r[4] = self.add_sub(e0, o0)
        r[2], r[6] = self.add_sub_i(e2, o2)
        r[1], r[5] = self.add_sub_eighth(e1, o1)
        r[3], r[7] = self.add_sub_three_eighths(e3, o3)
        return r

    def backward(self, a, w):
        (s0, d0), (s2, d2) = self.add_sub(a[0], a[4]), self.add_sub(a[2], a[6])
        (s1, d1), (s3, d3) = self.add_sub(a[1], a[5]), self.add_sub(a[3], a[7])
        (e0, e2), (o0, o2) = self.add_sub(s0, s2), self.add_sub(s1, s3)
        (e1, e3), (o1, o3) = self.add_sub_i(d0, d2), self.add_sub_i(d1, d3)
        r = [None] * 8
        r[0], r[4] = self.add_sub(e0, o0)
        r[2], r[6] = self.add_sub_i(e2, o2)
        r[1], r[5] = self.add_sub_eighth(e1, o1)
        r[3], r[7] = self.add_sub_three_eighths(e3, o3)
        return [r[0]] + [self.twiddle(r[k], w(k)) for k in range(1, 8)]

    def transpose_pairs(self, a):
        """Pair j of lanes of vector i becomes pair i of vector j, i, j < 4."""
        columns = [[], [], [], []]
        for part in (0, 1):
            x = [v[part] for v in a]
            even, odd = ([self.op("shuf", x[i], x[i + 1], imm=imm) for i in (0, 2)] for imm in (0x88, 0xDD))
            for j, (half, imm) in enumerate([(even, 0x88), (odd, 0x88), (even, 0xDD), (odd, 0xDD)]):
                columns[j].append(self.op("shuf", *half, imm=imm))
        return columns

    def unpack(self, a, b):
        return [[self.op(name, a[p], b[p]) for p in (0, 1)] for name in ("unpckl", "unpckh")]

    def to_square(self, a, rows):
        """The four lanes of eight vectors become parts of four rows of the square."""
        for c in (0, 1):
            for part in (0, 1):
                x = [v[c] for v in a[4 * part :][:4]]
                (p, q), (r, t) = ([self.op(name, *pair) for name in ("unpckl", "unpckh")] for pair in (x[:2], x[2:]))
                columns = [self.op("insertf128", *pair, imm=1) for pair in ((p, r), (q, t))]
                columns += [self.op("perm2f128", *pair, imm=0x31) for pair in ((p, r), (q, t))]
                for row, column in zip(rows[4 * self.here[1] :], columns):
                    self.op("store", column, ("square", 128 * row + 64 * c + 32 * part))


def forward_leaf(width):
    g, b = Graph(width), [None] * 8
    if width == 8:
        a = g.forward([g.load(k) for k in range(8)], g.row)
        halves = [g.unpack(a[LANE_ORDER[2 * c]], a[LANE_ORDER[2 * c + 1]]) for c in range(4)]
        for odd in (0, 1):
            b[odd::2] = g.transpose_pairs([half[odd] for half in halves])
        for k, a in enumerate(g.forward(b, g.lane)):
            g.store(k, a)
        return g
    for g.here in ((0, 0), (0, 1)):
        a = g.forward([g.load(k) for k in range(8)], g.row)
        g.to_square([a[k] for k in LANE_ORDER], range(8))
    for g.here in ((1, 0), (1, 1)):
        for k, a in enumerate(g.forward([g.load(k, kind="square") for k in range(8)], g.lane)):
            g.store(k, a)
    return g


def backward_leaf(width):
    g, b = Graph(width), [None] * 8
    if width == 8:
        a = g.backward([g.load(k, swap=True) for k in range(8)], g.lane)
        halves = zip(g.transpose_pairs(a[0::2]), g.transpose_pairs(a[1::2]))
        for c, half in enumerate(halves):
            b[LANE_ORDER[2 * c]], b[LANE_ORDER[2 * c + 1]] = g.unpack(*half)
        for k, a in enumerate(g.backward(b, g.row)):
            g.store(k, a, swap=True)
        return g
    for g.here in ((0, 0), (0, 1)):
        g.to_square(g.backward([g.load(k, swap=True) for k in range(8)], g.lane), LANE_ORDER)
    for g.here in ((1, 0), (1, 1)):
        for k, a in enumerate(g.backward([g.load(k, kind="square") for k in range(8)], g.row)):
            g.store(k, a, swap=True)
    return g


class Full(Exception):
    """There are too few registers, or too little scratch."""


class Assembler:
    """The instructions in an order: which values are in registers, and which in memory."""

    def __init__(self, leaf, order):
        self.leaf, self.order, self.present = leaf, order, set(order)
        self.vector, registers = ("zmm", 32) if leaf.width == 8 else ("ymm", 16)
        self.free, self.slots = list(range(registers - 1, -1, -1)), list(range(31, -1, -1))
        self.register, self.slot, self.lines = {}, {}, []
        self.uses = [[] for _ in leaf.ops]
        for p, op in enumerate(order):
            for v in leaf.values[op]:
                self.uses[v].append(p)
        for p, op in enumerate(order):
            self.emit(p, op)

    def wait(self, v, p):
        """How long until the first use after p."""
        i = bisect.bisect_right(self.uses[v], p)
        return self.uses[v][i] - p if i < len(self.uses[v]) else NEVER

    def text(self, operand, user=None):
        (kind, at), vector = operand, "xmm" if user == "insertf128" else self.vector
        if kind == "value" and at in self.register:
            return f"{vector}{self.register[at]}"
        if kind == "value":
            kind, at = self.leaf.ops[at][1][0] if self.leaf.fetched[at] else ("scratch", 32 * self.slot[at])
        if self.leaf.width == 8 and kind in ("row", "constant"):
            return f"qword ptr [{BASES[kind]} + {at}]{{1to8}}"
        base = BASES["next" if (kind, user) == ("square", "store") else kind]
        if self.leaf.width == 4 and (kind, user) == ("leaf", "store"):
            at -= 1024
        size = "qword" if user == "broadcast" else f"{vector}word"
        return f"{size} ptr [{base} {'-' if at < 0 else '+'} {abs(at)}]"

    def take(self, p, keep):
        """A free register; if there is none, that of the value that waits longest."""
        if not self.free:
            if self.leaf.width == 8:
                raise Full
            kept = lambda v: self.leaf.fetched[v] or v in self.slot
            rank = lambda v: self.wait(v, p) * (DEAR if kept(v) else 1)
            victim = max((v for v in self.register if v not in keep), key=rank)
            if not kept(victim):
                if not self.slots:
                    raise Full
                value, self.slot[victim] = self.text(("value", victim)), self.slots.pop()
                self.lines.append(f"vmovapd ymmword ptr [{BASES['scratch']} + {32 * self.slot[victim]}], {value}")
            self.free.append(self.register.pop(victim))
        return self.free.pop()

    def fetch(self, v, p, keep):
        name = "broadcast" if self.leaf.ops[v][0] == "broadcast" else "load"
        where = self.text(("value", v), name)
        self.register[v] = self.take(p, keep)
        name = "vbroadcastsd" if name == "broadcast" else "vmovupd"
        self.lines.append(f"{name} {self.text(('value', v))}, {where}")

    def emit(self, p, op):
        (name, sources, imm), values = self.leaf.ops[op], self.leaf.values[op]
        if self.leaf.fetched[op]:
            return self.fetch(op, p, values)
        folded = None
        for v in (v for v in values if v not in self.register):
            can = folded is None and self.leaf.foldable(op, v)
            if can and (v not in self.present or self.wait(v, p) > NEAR):
                folded = "value", v
            else:
                self.fetch(v, p, values)
        last = [v for v in values if self.uses[v][-1] == p]
        dying = [self.register[v] for v in last if v in self.register]
        if name == "store":
            self.lines.append(f"vmovupd {self.text(sources[1], 'store')}, {self.text(sources[0])}")
        elif name in FUSED:
            # The result takes the place of a source that is needed no more, or of a copy of another.
            a, b, c = sources
            taken = next((s for s in (c, a, b) if s[0] == "value" and self.register.get(s[1]) in dying), None)
            if taken is None:
                to, taken = self.take(p, values), folded or c
                self.lines.append(f"vmov{'u' if folded else 'a'}pd {self.vector}{to}, {self.text(taken)}")
            else:
                to = self.register[taken[1]]
                dying.remove(to)
            one, other = (s for s in sources if s != taken)
            if taken == c:
                form, rest = 231, (b, a) if folded == a else (a, b)
            else:
                form, rest = (213, (one, c)) if folded == c else (132, (c, one))
            self.lines.append(f"v{name}{form}pd {self.vector}{to}, {self.text(rest[0])}, {self.text(rest[1])}")
            self.register[op] = to
        else:
            one, other = sources[::-1] if folded == sources[0] else sources
            operands = f"{self.text(one)}, {self.text(other, name)}"
            self.free += dying
            dying = []
            for v in last:
                self.register.pop(v, None)
            self.register[op] = self.take(p, values)
            mnemonic = {"shuf": "vshuff64x2", "insertf128": "vinsertf128", "perm2f128": "vperm2f128"}.get(name, f"v{name}pd")
            operands += "" if imm is None else f", {imm}"
            self.lines.append(f"{mnemonic} {self.text(('value', op))}, {operands}")
        self.free += dying
        for v in last:
            self.register.pop(v, None)
            if v in self.slot:
                self.slots.append(self.slot.pop(v))


class Leaf:
    def __init__(self, graph):
        self.width, self.ops, self.at = graph.width, graph.ops, graph.at
        self.values = [list(dict.fromkeys(at for kind, at in sources if kind == "value")) for _, sources, _ in self.ops]
        self.fetched = [name in ("load", "broadcast") for name, _, _ in self.ops]
        loads = {sources[0]: i for i, (name, sources, _) in enumerate(self.ops) if name == "load"}
        self.before = [values[:] for values in self.values]
        for i, (name, sources, _) in enumerate(self.ops):
            if name == "store" and self.width == 8:
                self.before[i].append(loads[sources[1]])
        self.after = [[j for j, before in enumerate(self.before) if i in before] for i in range(len(self.ops))]
        self.optional = [i for i, (name, _, _) in enumerate(self.ops) if name == "load" and self.width == 4]

    def foldable(self, op, v):
        """Whether an instruction can read this source from memory."""
        name, sources, _ = self.ops[op]
        places = sources if name in FUSED + ("add", "mul") else sources[1:]
        return name != "store" and self.ops[v][0] != "broadcast" and ("value", v) in places

    def taste(self, rng, old):
        """What a schedule prefers: at random, or a little unlike another's."""
        draw = {
            # An operation's worth: its height above the end, of some parts earlier than of others; less what it must wait,
            # and the registers that it needs, the more so when there are few.
            "height": lambda: rng.uniform(0, 1),
            "lag": lambda: {at: at[1] * rng.uniform(0, 60) + at[0] * rng.uniform(-80, 80) for at in sorted(set(self.at))},
            "noise": lambda: (rng.choice([0, 0, 1, 3]), rng.random()),
            "wait": lambda: rng.uniform(0.2, 2),
            "register": lambda: rng.uniform(0, 8),
            "registers": lambda: rng.randint(6, 16),
            # Instructions a cycle, cycles of a pipe for an instruction, and of other pipes for a shuffle.
            "rate": lambda: rng.uniform(3, 5.5),
            "pipe": lambda: rng.uniform(0.3, 0.7),
            "shuffle": lambda: rng.uniform(0, 0.5),
            # Which operands stay in memory, and how far ahead of their use the others are read.
            "folded": lambda: [kind for kind, often in FOLDED.items() if self.optional and rng.random() < often],
            "ahead": lambda: rng.choice([0, 1, 2, 4, 8]),
        }
        return {key: draw[key]() if old is None or rng.random() < 0.15 else old[key] for key in draw}

    def schedule(self, taste):
        """A list schedule."""
        count, latency = len(self.ops), [LATENCY.get(name, 1) for name, _, _ in self.ops]
        height, rng = [0] * count, random.Random(taste["noise"][1])
        for i in reversed(range(count)):
            height[i] = latency[i] + max((height[j] for j in self.after[i]), default=0)
        worth = [taste["height"] * h - taste["lag"][at] + rng.uniform(0, taste["noise"][0]) for h, at in zip(height, self.at)]
        needs = [[v for v in values if not self.fetched[v]] for values in self.values]
        users, missing = [len(after) for after in self.after], [len(n) for n in needs]
        ready = {i: 0.0 for i in range(count) if not self.fetched[i] and not missing[i]}
        pipe = [PIPES.get(name, "shuffle") for name, _, _ in self.ops]
        finish, order, live, clock, busy = {}, [], 0, 0.0, dict.fromkeys(pipe, 0.0)
        while ready:
            start = {i: max(at, busy[pipe[i]]) for i, at in ready.items()}
            grown = {i: (pipe[i] != "store") - sum(users[v] == 1 for v in needs[i]) for i in ready}
            dear = taste["register"] * (4 if live >= taste["registers"] else 1)
            i = max(ready, key=lambda i: worth[i] - taste["wait"] * max(0, start[i] - clock) - dear * grown[i])
            del ready[i]
            order.append(i)
            live += grown[i]
            finish[i] = max(start[i], clock) + latency[i]
            if pipe[i] != "store":
                busy[pipe[i]] = max(busy[pipe[i]], clock - 2) + taste["pipe"]
            if pipe[i] == "shuffle":
                for other in ("fma", "add"):
                    busy[other] += taste["shuffle"] / 2
            clock += 1 / taste["rate"]
            for v in self.values[i]:
                users[v] -= 1
            for j in self.after[i]:
                missing[j] -= 1
                if not missing[j]:
                    ready[j] = max(finish[v] for v in needs[j])
        place, loads = {op: p for p, op in enumerate(order)}, [[] for _ in order]
        for i in (i for i in range(count) if self.fetched[i]):
            if i not in self.optional or self.ops[i][1][0][0] not in taste["folded"]:
                loads[max(0, min(place[j] for j in self.after[i]) - taste["ahead"])].append(i)
        return [op for p, i in enumerate(order) for op in loads[p] + [i]]

    def moved(self, order, rng):
        """The order with a few operations elsewhere between their sources and their users."""
        order = order[:]
        for _ in range(rng.choice([1, 1, 2, 3, 6])):
            op = rng.choice(order + [i for i in self.optional if i not in order])
            at = order.index(op if op in order else rng.choice(self.after[op]))
            if op in order:
                order.pop(at)
                if op in self.optional and rng.random() < 0.2:
                    continue
            first = max([order.index(i) + 1 for i in self.before[op] if i in order], default=0)
            last = min([order.index(i) for i in self.after[op]], default=len(order))
            reach = rng.choice([5, 15, 40, 200])
            order.insert(min(last, max(first, at + rng.randint(-reach, reach))), op)
        return order

    def listing(self, order):
        """The assembly; None if the registers are too few."""
        first, last = ([op for op in order if self.at[op][0] == half] for half in (0, 1))
        try:
            first, loop, last = (Assembler(self, part).lines for part in (first, order, last))
        except Full:
            return None
        leaf, tables = ["add rdi, 1024"], ["add rsi, 112", "add rdx, 896"]
        if self.width == 8:
            lines = ["2:", *loop, *leaf, *tables, "dec r8", "jnz 2b"]
        else:
            leaf += ["xchg r9, r10", "dec r8"]
            tables = tables[:: 1 if any("rsi" in line for line in first) else -1]
            lines = ["lea r10, [r9 + 1024]", "lea r11, [r9 + 2048]", *first, tables[0], *leaf, "jz 3f"]
            lines += ["2:", *loop, *tables, *leaf, "jnz 2b", "3:", *last]
        return "\n".join(lines) + f"\n# order {' '.join(map(str, order))}\n"


TIMER = """
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
int main(int count, char **width) {
    char path[256]; int n; double *d = aligned_alloc(4096, 1 << 17), *c = d + (1 << 13) + (1 << 12), best[64];
    for (int i = 0; i < 1 << 14; i++) d[i] = 0;
    for (int i = 0; i < 8; i++) c[i] = i < (*width[1] == '8' ? 1 : 4) ? 2 : 0.70710678118654752;
    while (scanf("%255s %d", path, &n) == 2) {
        void *so = dlopen(path, RTLD_NOW); void (*leaves[64])(double *, double *, double *, double *, long, double *);
        for (int i = 0; i < n; i++) {
            char name[16]; sprintf(name, "leaves%d", i); *(void **)&leaves[i] = dlsym(so, name); best[i] = 1;
        }
        for (int run = 0; run < 120; run++) for (int i = 0; i < n; i++) {
            double t = now();
            for (int j = 0; j < 10; j++) leaves[i](d, d + 4096, d + 8192, c, 12, c + 64);
            if ((t = (now() - t) / 120) < best[i]) best[i] = t;
        }
        for (int i = 0; i < n; i++) printf("%.9g ", best[i]);
        puts(""); fflush(stdout); dlclose(so);
    }
}
"""


class Clock:
    def __init__(self, folder, width):
        self.folder = folder
        with open(f"{folder}/timer.c", "w") as file:
            file.write(TIMER)
        subprocess.run(["gcc", "-O1", "-o", f"{folder}/timer", f"{folder}/timer.c", "-ldl"], check=True)
        self.timer = subprocess.Popen(
            [f"{folder}/timer", str(width)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def seconds(self, listings):
        """Least times of a leaf, alternating."""
        path = f"{self.folder}/{time.time_ns()}"
        with open(path + ".s", "w") as file:
            file.write(".intel_syntax noprefix\n")
            for i, listing in enumerate(listings):
                file.write(f".globl leaves{i}\n.p2align 6\nleaves{i}:\n{listing}vzeroupper\nret\n")
        subprocess.run(["as", "-o", path + ".o", path + ".s"], check=True)
        subprocess.run(["ld", "-shared", "-o", path + ".so", path + ".o"], check=True)
        self.timer.stdin.write(f"{path}.so {len(listings)}\n")
        times = [float(x) for x in self.timer.stdout.readline().split()]
        for end in (".s", ".o", ".so"):
            os.unlink(path + end)
        return times

    def faster(self, leaf, order, tried):
        """The number of one of the orders tried that is faster, if there is one."""
        old, listings = leaf.listing(order), [leaf.listing(other) for other in tried]
        some = [i for i, listing in enumerate(listings) if listing]
        if not some:
            return None
        least, *times = self.seconds([old] + [listings[i] for i in some])
        best, i = min(zip(times, some))
        if best >= 0.9995 * least:
            return None
        pairs = [self.seconds([old, listings[i]]) for _ in range(3)]
        if any(b >= 0.9997 * a for a, b in pairs):
            return None
        print("{:.2f} -> {:.2f} ns".format(*(1e9 * min(times) for times in zip(*pairs))), flush=True)
        return i


def search(leaf, order, seconds, folder):
    clock, rng, start, taste = Clock(folder, leaf.width), random.Random(), time.time(), None
    spent = lambda: (time.time() - start) / seconds
    if order is None:
        order = list(range(len(leaf.ops)))
        while spent() < 0.5:
            tastes = [leaf.taste(rng, taste if spent() > 0.2 else None) for _ in range(12)]
            tried = [leaf.schedule(taste) for taste in tastes]
            i = clock.faster(leaf, order, tried)
            if i is not None:
                taste, order = tastes[i], tried[i]
    while spent() < 1:
        tried = [leaf.moved(order, rng) for _ in range(12)]
        i = clock.faster(leaf, order, tried)
        order = order if i is None else tried[i]
    return order


def main():
    isa, which, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3]) if len(sys.argv) > 3 else 0
    leaf = Leaf({"forward": forward_leaf, "backward": backward_leaf}[which](WIDTH[isa]))
    order, path = None, os.path.join(SIMD, isa, which + "_leaf.s")
    if os.path.exists(path):
        with open(path) as file:
            found = re.search("^# order (.*)$", file.read(), re.MULTILINE)
        order = [int(op) for op in found[1].split()] if found else None
    if seconds:
        with tempfile.TemporaryDirectory() as folder:
            order = search(leaf, order, seconds, folder)
    with open(path, "w") as file:
        file.write(leaf.listing(order or list(range(len(leaf.ops)))))


if __name__ == "__main__":
    main()
