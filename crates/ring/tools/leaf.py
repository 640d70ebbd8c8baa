#!/usr/bin/env python3
"""Writes the assembly of the transforms' leaves, `src/simd/avx512/{forward,backward}_leaf.s`.

    crates/ring/tools/leaf.py forward|backward [SECONDS]

The operations are those of `src/fft/transform.rs`, rounding for rounding (`tests/fft.rs` compares the bits). Their order is a
question of how far the processor sees ahead: it is improved for SECONDS by moving instructions at random and keeping what
measures faster, beginning with the order in the listing's last line. With 0 seconds, the listing is written again.
Needs gcc and a processor with AVX-512.
"""
import os
import random
import re
import subprocess
import sys
import tempfile
import time

LISTINGS = os.path.join(os.path.dirname(__file__), "..", "src", "simd", "avx512")
LANE_ORDER = [0, 4, 1, 5, 2, 6, 3, 7]
# Operands in memory: the leaf's blocks, the twiddles by row and by lane, and the constants of `leaf.rs`.
TWO, HALF_ROOT = ("constant", 0), ("constant", 8)


def row(k):
    return ("row", 16 * (k - 1)), ("row", 16 * (k - 1) + 8)


def lane(k):
    return ("lane", 128 * (k - 1)), ("lane", 128 * (k - 1) + 64)


class Graph:
    """Operations (name, sources, immediate); a value is ("value", number of its operation)."""

    def __init__(self):
        self.ops = []

    def op(self, name, *sources, imm=None):
        self.ops.append((name, sources, imm))
        return "value", len(self.ops) - 1

    def load(self, k, swap=False):
        return tuple(self.op("load", ("leaf", 128 * k + 64 * part)) for part in ([1, 0] if swap else [0, 1]))

    def store(self, k, a, swap=False):
        for part in (0, 1):
            self.op("store", a[part], ("leaf", 128 * k + 64 * (part ^ swap)))

    # The butterflies of `src/fft/butterfly.rs`, on pairs (real, imaginary).

    def add_sub(self, a, b):
        plus = tuple(self.op("add", a[p], b[p]) for p in (0, 1))
        return plus, tuple(self.op("sub", a[p], b[p]) for p in (0, 1))

    def add_sub_i(self, a, b):
        plus = self.op("sub", a[0], b[1]), self.op("add", a[1], b[0])
        return plus, (self.op("add", a[0], b[1]), self.op("sub", a[1], b[0]))

    def add_sub_eighth(self, a, b):
        re, im = self.op("sub", b[0], b[1]), self.op("add", b[0], b[1])
        plus = self.op("fmadd", re, HALF_ROOT, a[0]), self.op("fmadd", im, HALF_ROOT, a[1])
        return plus, (self.op("fnmadd", re, HALF_ROOT, a[0]), self.op("fnmadd", im, HALF_ROOT, a[1]))

    def add_sub_three_eighths(self, a, b):
        minus_re, im = self.op("add", b[0], b[1]), self.op("sub", b[0], b[1])
        plus = self.op("fnmadd", minus_re, HALF_ROOT, a[0]), self.op("fmadd", im, HALF_ROOT, a[1])
        return plus, (self.op("fmadd", minus_re, HALF_ROOT, a[0]), self.op("fnmadd", im, HALF_ROOT, a[1]))

    def twiddle(self, a, w):
        re = self.op("fmsub", a[0], w[0], self.op("mul", a[1], w[1]))
        return re, self.op("fmadd", a[0], w[1], self.op("mul", a[1], w[0]))

    def add_sub_twiddle(self, a, b, w):
        re = self.op("fnmadd", b[1], w[1], self.op("fmadd", b[0], w[0], a[0]))
        im = self.op("fmadd", b[1], w[0], self.op("fmadd", b[0], w[1], a[1]))
        return (re, im), (self.op("fmsub", a[0], TWO, re), self.op("fmsub", a[1], TWO, im))

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


def forward_leaf():
    g, b = Graph(), [None] * 8
    a = g.forward([g.load(k) for k in range(8)], row)
    halves = [g.unpack(a[LANE_ORDER[2 * c]], a[LANE_ORDER[2 * c + 1]]) for c in range(4)]
    for odd in (0, 1):
        b[odd::2] = g.transpose_pairs([half[odd] for half in halves])
    for k, a in enumerate(g.forward(b, lane)):
        g.store(k, a)
    return g.ops


def backward_leaf():
    g, b = Graph(), [None] * 8
    a = g.backward([g.load(k, swap=True) for k in range(8)], lane)
    halves = zip(g.transpose_pairs(a[0::2]), g.transpose_pairs(a[1::2]))
    for c, half in enumerate(halves):
        b[LANE_ORDER[2 * c]], b[LANE_ORDER[2 * c + 1]] = g.unpack(*half)
    for k, a in enumerate(g.backward(b, row)):
        g.store(k, a, swap=True)
    return g.ops


class Leaf:
    def __init__(self, ops):
        self.ops = ops
        loads = {sources[0]: i for i, (name, sources, _) in enumerate(ops) if name == "load"}
        self.before = []
        for name, sources, _ in ops:
            before = [number for kind, number in sources if kind == "value"]
            self.before.append(before + [loads[sources[1]]] if name == "store" else before)
        self.after = [[j for j, before in enumerate(self.before) if i in before] for i in range(len(ops))]

    def moved(self, order, rng):
        """The order with a few operations elsewhere between their sources and their users."""
        order = order[:]
        for _ in range(rng.choice([1, 1, 2, 3, 6])):
            op = rng.choice(order)
            at = order.index(op)
            order.pop(at)
            first = max([order.index(i) + 1 for i in self.before[op]], default=0)
            last = min([order.index(i) for i in self.after[op]], default=len(order))
            reach = rng.choice([5, 15, 40, 200])
            order.insert(min(last, max(first, at + rng.randint(-reach, reach))), op)
        return order

    def assembly(self, order):
        """The instructions in this order, or None if 32 registers are too few."""
        place = {op: p for p, op in enumerate(order)}
        uses = lambda op, i: ("value", op) in self.ops[i][1]
        last = [max((place[i] for i in self.after[op] if uses(op, i)), default=-1) for op in range(len(order))]
        free, register, lines = list(range(31, -1, -1)), {}, []

        def text(operand):
            kind, at = operand
            if kind == "value":
                return f"zmm{register[at]}"
            base = {"leaf": "rdi", "row": "rsi", "lane": "rdx", "constant": "rcx"}[kind]
            same = kind in ("row", "constant")
            return f"qword ptr [{base} + {at}]{{1to8}}" if same else f"zmmword ptr [{base} + {at}]"

        for p, op in enumerate(order):
            name, sources, imm = self.ops[op]
            values = [number for kind, number in sources if kind == "value"]
            dying = list(dict.fromkeys(register[v] for v in values if last[v] == p))
            x = [text(operand) for operand in sources]
            if name == "store":
                lines.append(f"vmovupd {x[1]}, {x[0]}")
            elif name in ("fmadd", "fmsub", "fnmadd"):
                # The result takes the place of a source that is needed no more, or of a copy of the summand.
                a, b, c = sources
                taken = next((s for s in (c, a) if s[0] == "value" and register[s[1]] in dying), None)
                if taken is None:
                    if not free:
                        return None
                    register[op] = free.pop()
                    lines.append(f"vmovapd zmm{register[op]}, {x[2]}")
                else:
                    register[op] = register[taken[1]]
                    dying.remove(register[op])
                form, rest = (231, x[:2]) if taken in (None, c) else (132, [x[2], x[1]])
                lines.append(f"v{name}{form}pd zmm{register[op]}, {rest[0]}, {rest[1]}")
            else:
                free += dying
                dying = []
                if not free:
                    return None
                register[op] = free.pop()
                pattern = {"load": "vmovupd {d}, {0}", "shuf": "vshuff64x2 {d}, {0}, {1}, {imm}"}
                pattern = pattern.get(name, "v" + name + "pd {d}, {0}, {1}")
                lines.append(pattern.format(*x, d=f"zmm{register[op]}", imm=imm))
            free += dying
        return lines

    def listing(self, order):
        lines = ["2:", *self.assembly(order)]
        lines += ["add rdi, 1024", "add rsi, 112", "add rdx, 896", "dec r8", "jnz 2b"]
        return "\n".join(lines) + f"\n# order {' '.join(map(str, order))}\n"


TIMER = """
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
int main(void) {
    char path[2][256]; double *d = aligned_alloc(4096, 1 << 17), c[2] = {2, 0.70710678118654752};
    for (int i = 0; i < 1 << 14; i++) d[i] = 0;
    while (scanf("%255s %255s", path[0], path[1]) == 2) {
        void *so[2]; void (*leaves[2])(double *, double *, double *, double *, long); double best[2] = {1, 1};
        for (int i = 0; i < 2; i++) { so[i] = dlopen(path[i], RTLD_NOW); *(void **)&leaves[i] = dlsym(so[i], "leaves"); }
        for (int run = 0; run < 240; run++) {
            double t = now();
            for (int j = 0; j < 10; j++) leaves[run % 2](d, d + 4096, d + 8192, c, 14);
            if ((t = (now() - t) / 140) < best[run % 2]) best[run % 2] = t;
        }
        printf("%.9g %.9g\\n", best[0], best[1]); fflush(stdout);
        dlclose(so[0]); dlclose(so[1]);
    }
}
"""


class Clock:
    def __init__(self, folder):
        self.folder, self.count = folder, 0
        with open(f"{folder}/timer.c", "w") as file:
            file.write(TIMER)
        subprocess.run(["gcc", "-O1", "-o", f"{folder}/timer", f"{folder}/timer.c", "-ldl"], check=True)
        self.timer = subprocess.Popen(
            [f"{folder}/timer"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def build(self, listing):
        self.count += 1
        path = f"{self.folder}/{self.count}"
        with open(path + ".s", "w") as file:
            file.write(f".intel_syntax noprefix\n.globl leaves\n.p2align 6\nleaves:\n{listing}vzeroupper\nret\n")
        subprocess.run(["gcc", "-shared", "-nostdlib", "-o", path + ".so", path + ".s"], check=True)
        os.unlink(path + ".s")
        return path + ".so"

    def seconds(self, one, other):
        """Least times of a leaf, alternating."""
        self.timer.stdin.write(f"{one} {other}\n")
        return [float(x) for x in self.timer.stdout.readline().split()]


def improve(leaf, order, seconds, folder):
    clock, rng, end = Clock(folder), random.Random(), time.time() + seconds
    first = best = clock.build(leaf.listing(order))
    while time.time() < end:
        tried = leaf.moved(order, rng)
        if leaf.assembly(tried) is None:
            continue
        built = clock.build(leaf.listing(tried))
        if all(b < 0.9995 * a for a, b in (clock.seconds(best, built) for _ in range(2))):
            order, best = tried, built
            a, b = clock.seconds(first, best)
            print(f"{a * 1e9:.2f} -> {b * 1e9:.2f} ns, {b / a:.3f}", flush=True)
        else:
            os.unlink(built)
    return order


def main():
    which, seconds = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 0
    leaf = Leaf({"forward": forward_leaf, "backward": backward_leaf}[which]())
    order, path = list(range(len(leaf.ops))), os.path.join(LISTINGS, which + "_leaf.s")
    if os.path.exists(path):
        with open(path) as file:
            found = re.search("^# order (.*)$", file.read(), re.MULTILINE)
        order = [int(op) for op in found[1].split()] if found else order
    if seconds:
        with tempfile.TemporaryDirectory() as folder:
            order = improve(leaf, order, seconds, folder)
    with open(path, "w") as file:
        file.write(leaf.listing(order))


if __name__ == "__main__":
    main()
