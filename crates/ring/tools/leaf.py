#!/usr/bin/env python3
"""Writes the assembly of the transforms' leaves, `src/simd/avx512/{forward,backward}_leaf.s`.

    crates/ring/tools/leaf.py forward|backward [SECONDS]

The operations are those of `src/fft/transform.rs`, rounding for rounding (`tests/fft.rs` compares the bits). Their order is a
question of how far the processor sees ahead: it is improved for SECONDS by moving instructions at random and keeping what
measures faster, beginning with the order in the listing's last line. With 0 seconds, the listing is written again.
Needs gcc and a processor with AVX-512.
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
LANE_ORDER = [0, 4, 1, 5, 2, 6, 3, 7]
FUSED = ("fmadd", "fmsub", "fnmadd")
BASES = {"leaf": "rdi", "row": "rsi", "lane": "rdx", "constant": "rcx", "square": "r9", "next": "r10", "scratch": "r11"}
NEVER, NEAR, DEAR = 1 << 20, 24, 0.5
PIPES = dict.fromkeys(FUSED + ("mul",), "fma") | {"add": "add", "sub": "add", "store": ""}
FOLDED = {"lane": 0.8, "constant": 0.5, "leaf": 0.1, "square": 0.1}
LATENCY = {"load": 8, "broadcast": 8, "add": 3, "sub": 3, "mul": 3, "fmadd": 4, "fmsub": 4, "fnmadd": 4, "store": 12, "perm2f128": 3}


class Graph:
    """Operations (name, sources, immediate); a value is ("value", number of its operation).

    Other operands are in memory: the leaf's blocks, the square, the twiddles by row and by lane, the constants of `leaf.rs`. AVX-512
    takes them from there, one number for all lanes where need be; AVX2 in operations of their own, which the order may leave out.
    """

    def __init__(self, width):
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

    def foldable(self, op):
        """Sources that the instruction can read from memory."""
        name, sources, _ = self.ops[op]
        if name == "store":
            return []
        return sources if name in FUSED or name in ("add", "mul") else sources[1:]

    def taste(self, rng, old=None):
        """What a schedule prefers: at random, or a little unlike another's."""
        draw = {
            "wait": lambda: rng.uniform(0.2, 2),
            "tall": lambda: rng.uniform(0, 1),
            "few": lambda: rng.uniform(0, 8),
            "limit": lambda: rng.randint(6, 16),
            "rate": lambda: rng.uniform(3, 5.5),
            "pipe": lambda: rng.uniform(0.3, 0.7),
            "shuffle": lambda: rng.uniform(0, 0.5),
            "ahead": lambda: rng.choice([0, 1, 2, 4, 8]),
            "jitter": lambda: rng.choice([0, 0, 1, 3]),
            "seed": lambda: rng.random(),
            "lag": lambda: [part * rng.uniform(0, 60) + half * rng.uniform(-80, 80) for half in (0, 1) for part in (0, 1)],
            "folded": lambda: [kind for kind, often in FOLDED.items() if rng.random() < often],
        }
        return {k: draw[k]() if old is None or rng.random() < 0.15 else old[k] for k in draw}

    def seed(self, taste):
        """A list schedule."""
        t, rng = taste, random.Random(taste["seed"])
        height = [0] * len(self.ops)
        for i in reversed(range(len(self.ops))):
            height[i] = LATENCY.get(self.ops[i][0], 1) + max((height[j] for j in self.after[i]), default=0)
        worth = [t["tall"] * height[i] - t["lag"][2 * self.at[i][0] + self.at[i][1]] + rng.uniform(0, t["jitter"]) for i in range(len(self.ops))]
        left = [len(after) for after in self.after]
        needs = [[v for v in values if not self.fetched[v]] for values in self.values]
        missing = [len(n) for n in needs]
        ready = {i: 0.0 for i in range(len(self.ops)) if not self.fetched[i] and not missing[i]}
        finish, live, order, clock, pipes = {}, 0, [], 0.0, {"fma": 0.0, "add": 0.0, "": 0.0, "shuffle": 0.0}
        while ready:
            best = None
            for i, at in ready.items():
                name = self.ops[i][0]
                pipe = PIPES.get(name, "shuffle")
                start = max(at, pipes[pipe])
                grown = (name != "store") - sum(left[v] == 1 for v in needs[i])
                score = worth[i] - t["wait"] * max(0, start - clock) - grown * t["few"] * (4 if live >= t["limit"] else 1)
                if best is None or score > best[0]:
                    best = score, i, grown, start, pipe
            _, i, grown, start, pipe = best
            del ready[i]
            order.append(i)
            live += grown
            start = max(start, clock)
            if pipe:
                pipes[pipe] = max(pipes[pipe], clock - 2) + t["pipe"]
            if pipe == "shuffle":
                for p in ("fma", "add"):
                    pipes[p] += t["shuffle"] / 2
            finish[i] = start + LATENCY.get(self.ops[i][0], 1)
            clock += 1 / t["rate"]
            for v in self.values[i]:
                left[v] -= 1
            for j in self.after[i]:
                missing[j] -= 1
                if not missing[j]:
                    ready[j] = max(finish[v] for v in needs[j])
        place = {op: p for p, op in enumerate(order)}
        loads = [[] for _ in order]
        for load in (i for i in range(len(self.ops)) if self.fetched[i]):
            if self.ops[load][1][0][0] not in t["folded"] or self.ops[load][0] == "broadcast":
                loads[max(0, min(place[j] for j in self.after[load]) - t["ahead"])].append(load)
        return [op for p, i in enumerate(order) for op in loads[p] + [i]]

    def moved(self, order, rng):
        """The order with a few operations elsewhere between their sources and their users."""
        order = order[:]
        for _ in range(rng.choice([1, 1, 2, 3, 6])):
            absent = [i for i in range(len(self.ops)) if self.fetched[i] and i not in order] if self.width == 4 else []
            op = rng.choice(order + absent)
            if op in absent:
                at = rng.choice([order.index(i) for i in self.after[op]])
            else:
                at = order.index(op)
                order.pop(at)
                if self.width == 4 and self.ops[op][0] == "load" and rng.random() < 0.2:
                    continue
            place = {op: p for p, op in enumerate(order)}
            first = max([place[i] + 1 for i in self.before[op] if i in place], default=0)
            last = min([place[i] for i in self.after[op]], default=len(order))
            reach = rng.choice([5, 15, 40, 200])
            order.insert(min(last, max(first, at + rng.randint(-reach, reach))), op)
        return order

    def assembly(self, order, which="r"):
        """The instructions in this order, or None if the registers are too few."""
        uses = [[] for _ in self.ops]
        for p, op in enumerate(order):
            for v in self.values[op]:
                uses[v].append(p)
        present, later = set(order), lambda v, p: next((use for use in uses[v] if use > p), NEVER)
        free, register, slot, slots, lines = list(range(31 if self.width == 8 else 15, -1, -1)), {}, {}, list(range(63, -1, -1)), []
        vector = "zmm" if self.width == 8 else "ymm"

        def text(operand, name=None):
            half = name == "insertf128"
            kind, at = operand
            if kind == "value" and at in register:
                return f"{'xmm' if half else vector}{register[at]}"
            if kind == "value":
                kind, at = self.ops[at][1][0] if self.fetched[at] else ("scratch", 32 * slot[at])
            if self.width == 8 and kind in ("row", "constant"):
                return f"qword ptr [{BASES[kind]} + {at}]{{1to8}}"
            base = BASES["next"] if (kind, name) == ("square", "store") else BASES[kind]
            at -= 1024 if self.width == 4 and (kind, name) == ("leaf", "store") else 0
            size = "qword" if name == "broadcast" else f"{'xmm' if half else vector}word"
            return f"{size} ptr [{base} {'-' if at < 0 else '+'} {abs(at)}]"

        def take(p, keep):
            """A free register; if there is none, that of the value whose use is farthest."""
            if not free:
                if self.width == 8:
                    return None
                kept = lambda v: self.fetched[v] or v in slot
                victim = max((v for v in register if v not in keep), key=lambda v: (later(v, p) - p) * (1 if kept(v) else DEAR))
                if not kept(victim):
                    slot[victim] = slots.pop()
                    lines.append(f"vmovapd ymmword ptr [{BASES['scratch']} + {32 * slot[victim]}], ymm{register[victim]}")
                free.append(register.pop(victim))
            return free.pop()

        def fetch(v, p, keep):
            name = self.ops[v][0] if self.fetched[v] else "load"
            where, to = text(("value", v), name), take(p, keep)
            if to is None:
                return False
            register[v] = to
            lines.append(f"vbroadcastsd ymm{to}, {where}" if name == "broadcast" else f"vmovupd {vector}{to}, {where}")
            return True

        for p, op in enumerate(order):
            name, sources, imm = self.ops[op]
            values = self.values[op]
            if self.fetched[op]:
                if not fetch(op, p, values):
                    return None
                continue
            # At most one operand stays in memory.
            folded = None
            for v in values:
                if v in register:
                    continue
                can = ("value", v) in (sources if name in FUSED + ("add", "mul") else sources[1:]) and sources.count(("value", v)) == 1
                can = can and name != "store" and self.ops[v][0] != "broadcast" and folded is None
                if can and (v not in present or later(v, p) - p > NEAR):
                    folded = "value", v
                elif not fetch(v, p, values):
                    return None
            dying = [register[v] for v in values if uses[v][-1] == p and v in register]
            if name == "store":
                lines.append(f"vmovupd {text(sources[1], 'store')}, {text(sources[0])}")
            elif name in FUSED:
                # The result takes the place of a source that is needed no more, or of a copy of the summand.
                a, b, c = sources
                taken = next((s for s in (c, a, b) if s[0] == "value" and register.get(s[1]) in dying), None)
                if taken is None:
                    to = take(p, values)
                    if to is None:
                        return None
                    taken = folded or c
                    lines.append(f"vmov{'u' if folded else 'a'}pd {vector}{to}, {text(taken)}")
                    folded = None if folded == taken else folded
                else:
                    to = register[taken[1]]
                    dying.remove(to)
                one, other = [s for s in (a, b, c) if s != taken] if a != b else [b, c]
                if taken == c:
                    one, other, form = *((b, a) if folded == a else (a, b)), 231
                elif folded == c:
                    form = 213
                else:
                    one, other, form = c, one, 132
                x = text(one), text(other)
                for v in values:
                    if register.get(v) == to:
                        del register[v]
                register[op] = to
                lines.append(f"v{name}{form}pd {vector}{to}, {x[0]}, {x[1]}")
            else:
                x = sources[::-1] if folded == sources[0] else sources
                x = text(x[0]), text(x[1], name)
                free += dying
                dying = []
                for v in values:
                    if uses[v][-1] == p:
                        register.pop(v, None)
                to = take(p, values)
                if to is None:
                    return None
                register[op] = to
                pattern = {"shuf": "vshuff64x2 {d}, {0}, {1}, {imm}", "insertf128": "vinsertf128 {d}, {0}, {1}, {imm}"}
                pattern["perm2f128"] = "vperm2f128 {d}, {0}, {1}, {imm}"
                pattern = pattern.get(name, "v" + name + "pd {d}, {0}, {1}")
                lines.append(pattern.format(*x, d=f"{vector}{to}", imm=imm))
            free += dying
            for v in values:
                if uses[v][-1] == p:
                    register.pop(v, None)
                    if v in slot:
                        slots.append(slot.pop(v))
        return lines

    def listing(self, order):
        if self.width == 8:
            lines = ["2:", *self.assembly(order), "add rdi, 1024", "add rsi, 112", "add rdx, 896", "dec r8", "jnz 2b"]
        else:
            first, last = ([op for op in order if self.at[op][0] == half] for half in (0, 1))
            rows_first = any(self.ops[op][0] == "broadcast" for op in first)
            moves = ["add rsi, 112", "add rdx, 896"] if rows_first else ["add rdx, 896", "add rsi, 112"]
            turn = ["add rdi, 1024", "xchg r9, r10", "dec r8"]
            lines = ["lea r10, [r9 + 1024]", "lea r11, [r9 + 2048]", *self.assembly(first), moves[0], *turn, "jz 3f"]
            lines += ["2:", *self.assembly(order), *moves, *turn, "jnz 2b", "3:", *self.assembly(last)]
        return "\n".join(lines) + f"\n# order {' '.join(map(str, order))}\n"


TIMER = """
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <x86intrin.h>
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
int main(void) {
    char path[256]; int n; double *d = aligned_alloc(4096, 1 << 17), c[8] = C, best[64];
    double tick = now(); long ticks = __rdtsc(); while (now() < tick + 0.1); tick = (now() - tick) / (__rdtsc() - ticks);
    double *k = aligned_alloc(64, 64); for (int i = 0; i < 8; i++) k[i] = c[i];
    for (int i = 0; i < 1 << 14; i++) d[i] = 0;
    while (scanf("%255s %d", path, &n) == 2) {
        void *so = dlopen(path, RTLD_NOW); void (*leaves[64])(double *, double *, double *, double *, long, double *);
        for (int i = 0; i < n; i++) {
            char name[16]; sprintf(name, "leaves%d", i); *(void **)&leaves[i] = dlsym(so, name); best[i] = 1;
        }
        for (int run = 0; run < 400; run++) for (int i = 0; i < n; i++) {
            ticks = __rdtsc();
            for (int j = 0; j < 3; j++) leaves[i](d, d + 4096, d + 8192, k, 12, d + 3360);
            double t = (__rdtsc() - ticks) * tick / 36;
            if (t < best[i]) best[i] = t;
        }
        for (int i = 0; i < n; i++) printf("%.9g ", best[i]);
        printf("\\n"); fflush(stdout); dlclose(so);
    }
}
"""


class Clock:
    def __init__(self, folder, width):
        self.folder, self.count = folder, 0
        two, half = ", ".join(["2"] * (8 // width) * (width == 4) * 2 or ["2"]), "0.70710678118654752"
        constants = f"{{{two}{', ' + half if width == 8 else (', ' + half) * 4}}}"
        with open(f"{folder}/timer.c", "w") as file:
            file.write(TIMER.replace("= C", "= " + constants))
        subprocess.run(["gcc", "-O1", "-o", f"{folder}/timer", f"{folder}/timer.c", "-ldl"], check=True)
        self.timer = subprocess.Popen(
            [f"{folder}/timer"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def seconds(self, listings):
        """Least times of a leaf, alternating."""
        self.count += 1
        path = f"{self.folder}/{self.count}"
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


def improve(leaf, order, seconds, folder):
    clock, rng, end = Clock(folder, leaf.width), random.Random(), time.time() + seconds
    first = best = leaf.listing(order)
    rounds = 0
    while time.time() < end:
        tried = []
        while len(tried) < 12:
            o = leaf.moved(order, rng)
            if leaf.assembly(o) is not None:
                tried.append(o)
        listings = [leaf.listing(o) for o in tried]
        rounds += 1
        old, *times = clock.seconds([best, *listings])
        fastest = min(range(len(times)), key=times.__getitem__)
        if times[fastest] < 0.9995 * old:
            pairs = [clock.seconds([best, listings[fastest], first]) for _ in range(4)]
            if all(b < 0.9997 * a for a, b, _ in pairs):
                order, best = tried[fastest], listings[fastest]
                _, b, c = map(min, zip(*pairs))
                print(f"{rounds} {c * 1e9:.2f} -> {b * 1e9:.2f} ns, {b / c:.4f}", flush=True)
    return order


def begin(leaf, seconds, folder):
    clock, rng, start = Clock(folder, leaf.width), random.Random(), time.time()
    best = taste = None
    rounds = 0
    while time.time() < start + seconds:
        tastes = [leaf.taste(rng, taste if time.time() > start + seconds / 3 else None) for _ in range(8)]
        listings = [leaf.listing(leaf.seed(t)) for t in tastes]
        old, *times = clock.seconds([best or listings[0], *listings])
        rounds += 1
        fastest = min(range(len(times)), key=times.__getitem__)
        if best is None or times[fastest] < old:
            if best:
                a, b = clock.seconds([best, listings[fastest]])
                if a <= b: continue
            taste, best = tastes[fastest], listings[fastest]
            print(f"{rounds} {old * 1e9:.2f} -> {times[fastest] * 1e9:.2f} {len(leaf.assembly(leaf.seed(taste)))}", taste, flush=True)
    return leaf.seed(taste)


def main():
    isa, which, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3]) if len(sys.argv) > 3 else 0
    leaf = Leaf({"forward": forward_leaf, "backward": backward_leaf}[which]({"avx512": 8, "avx2": 4}[isa]))
    order, path = list(range(len(leaf.ops))), os.path.join(SIMD, isa, which + "_leaf.s")
    if os.path.exists(path):
        with open(path) as file:
            found = re.search("^# order (.*)$", file.read(), re.MULTILINE)
        order = [int(op) for op in found[1].split()] if found else order
    if seconds:
        with tempfile.TemporaryDirectory() as folder:
            if "seed" in sys.argv: order = begin(leaf, seconds, folder)
            else: order = improve(leaf, order, seconds, folder)
    with open(path, "w") as file:
        file.write(leaf.listing(order))


if __name__ == "__main__":
    main()
