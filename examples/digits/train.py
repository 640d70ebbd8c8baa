#!/usr/bin/env python3
"""Trains the 64-30-10 network of `cargo run --release -p bootes --example digits` and writes model.json.

    pip install scikit-learn
    OMP_NUM_THREADS=1 python examples/digits/train.py

The float model is scikit-learn's MLPClassifier. From its weights the integer model is trained on, with quantisation in
the forward pass and straight-through gradients in the backward pass:

    pixels       0..7 (3 bits)
    hidden       z = W1 x + b1 modulo 2^8, then a = min(max(z, 0) >> shift, 5): one table, 8 bits to 7
    scores       s = W2 a + b2 modulo 2^7; the digit is the argmax of the ten
    weights      -1, 0 or 1 in both layers

Results of tables carry noise, and sums of n of them n times its variance: at most 18 weights of a score are not 0, and
scores have 7 bits, not 8. A penalty sees to that, and keeps even the extreme sums (every input chosen to make z or s
largest or smallest) within the range, so that no image at all can wrap. The sizes were chosen by 4-fold
cross-validation on the training rows, where the float model had 96.9 % and this one 97.0 %.
"""

import csv
import json
import warnings
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier

HERE = Path(__file__).parent
SEED = 1
PIXEL_BITS = 3
PIXEL_MAX = 2**PIXEL_BITS - 1
ACTIVATION_MAX = 5
SUM_BITS, SCORE_BITS = 8, 7
MAX_WEIGHTS = 18  # of a score that are not 0
EPOCHS, BATCH, RATE, PULL = 300, 64, 4e-3, 3e-3


def data():
    """Pixels 0..16 (1797 x 64) and digits, from digits.csv, which is made from scikit-learn's copy if missing."""
    path = HERE / "digits.csv"
    if not path.exists():
        digits = load_digits()
        with path.open("w", newline="") as file:
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow([*(f"p{i}" for i in range(64)), "digit"])
            rows.writerows([*x, y] for x, y in zip(digits.data.astype(int).tolist(), digits.target.tolist()))
    table = np.loadtxt(path, delimiter=",", skiprows=1, dtype=int)
    return table[:, :-1], table[:, -1]


def extremes(w, b, top):
    """The least and the largest value of x @ w + b over all x in 0..top."""
    return np.minimum(w, 0).sum(0) * top + b, np.maximum(w, 0).sum(0) * top + b


def wrap(v, bits):
    """v modulo 2^bits, from -2^(bits-1) to 2^(bits-1) - 1."""
    half = 2 ** (bits - 1)
    return (v + half) % (2 * half) - half


def infer(x, w1, b1, w2, b2, shift):
    """The scores by the integer model, in the arithmetic of the ciphertexts."""
    z = wrap(x @ w1 + b1, SUM_BITS)
    return wrap(np.minimum(np.maximum(z, 0) >> shift, ACTIVATION_MAX) @ w2 + b2, SCORE_BITS)


def train_quantised(model, x, y):
    """Integer weights (w1, b1, w2, b2) and the shift, from the float model's and further training on x, y."""
    rng = np.random.default_rng(SEED)
    w1, b1, w2, b2 = (a.copy() for a in (model.coefs_[0], model.intercepts_[0], model.coefs_[1], model.intercepts_[1]))
    # To the units of the integer model; `unit` is what one step of an integer score means to the float model.
    scale1, scale2 = 3 * w1.std(), 3 * w2.std()
    w1, b1 = w1 / scale1, b1 / scale1 * PIXEL_MAX
    shift = max(0, int(np.ceil(np.log2(np.percentile(x @ w1 + b1, 99) / (ACTIVATION_MAX + 1)))))
    step = 2**shift
    unit = scale1 / PIXEL_MAX * step * scale2
    w2, b2 = w2 / scale2, b2 / unit

    latent = [w1, b1, w2, b2]
    bound = [1, np.inf, 1, np.inf]
    first, second = [np.zeros_like(a) for a in latent], [np.zeros_like(a) for a in latent]  # Adam's moments
    labels, updates = np.eye(10)[y], 0
    for epoch in range(EPOCHS):
        for rows in np.array_split(rng.permutation(len(x)), len(x) // BATCH):
            # Forward, in integers.
            q1, c1, q2, c2 = quantised = [np.clip(np.rint(a), -m, m) for a, m in zip(latent, bound)]
            z = x[rows] @ q1 + c1
            a = np.clip(np.floor(z / step), 0, ACTIVATION_MAX)
            scores = (a @ q2 + c2) * unit
            p = np.exp(scores - scores.max(1, keepdims=True))
            p /= p.sum(1, keepdims=True)
            # Backward: cross-entropy, as if rounding were the identity.
            ds = (p - labels[rows]) / len(rows) * unit
            dz = ds @ q2.T * ((z > 0) & (z < (ACTIVATION_MAX + 1) * step)) / step
            gradients = [x[rows].T @ dz, dz.sum(0), a.T @ ds, ds.sum(0)]
            # Columns whose extremes leave the range are pulled back, and so are those with too many weights.
            for k, top, bits in ((0, PIXEL_MAX, SUM_BITS), (2, ACTIVATION_MAX, SCORE_BITS)):
                w, half = quantised[k], 2 ** (bits - 1)
                low, high = extremes(w, quantised[k + 1], top)
                gradients[k] += PULL * unit * ((w > 0) * (high > half - 1) - 1.0 * (w < 0) * (low < -half))
            gradients[2] += PULL * unit * q2 * ((q2 != 0).sum(0) > MAX_WEIGHTS)
            updates += 1
            for k, gradient in enumerate(gradients):
                first[k] = 0.9 * first[k] + 0.1 * gradient
                second[k] = 0.999 * second[k] + 0.001 * gradient**2
                rate = RATE * (1 - epoch / EPOCHS) * (5 if k in (0, 2) else 10)
                momentum, spread = first[k] / (1 - 0.9**updates), second[k] / (1 - 0.999**updates)
                moved = latent[k] - rate * momentum / (np.sqrt(spread) + 1e-12)
                latent[k] = np.clip(moved, -bound[k] - 0.49, bound[k] + 0.49)
    return [np.clip(np.rint(a), -m, m).astype(int) for a, m in zip(latent, bound)], shift


def to_json(out):
    """A line for each key, and for each row of a matrix: differences can be read."""
    def value(v):
        rows = isinstance(v, list) and isinstance(v[0], list)
        return "[\n  " + ",\n  ".join(map(json.dumps, v)) + "\n ]" if rows else json.dumps(v)

    return "{\n " + ",\n ".join(f'"{k}": {value(v)}' for k, v in out.items()) + "\n}\n"


def main():
    pixels, y = data()
    train, test = train_test_split(np.arange(len(y)), test_size=360, stratify=y, random_state=SEED)
    test = np.sort(test)

    warnings.filterwarnings("ignore", category=ConvergenceWarning)  # 300 epochs are enough here
    model = MLPClassifier((30,), alpha=1e-3, max_iter=300, random_state=SEED).fit(pixels[train] / 16, y[train])
    float_accuracy = float(model.score(pixels[test] / 16, y[test]))

    x = (pixels * PIXEL_MAX + 8) // 16  # to 0..7, rounded
    (w1, b1, w2, b2), shift = train_quantised(model, x[train], y[train])
    right = infer(x, w1, b1, w2, b2, shift).argmax(1) == y
    print(f"float: test {float_accuracy:.4f}; integer: train {right[train].mean():.4f}, test {right[test].mean():.4f}")
    layers = ("hidden", w1, b1, PIXEL_MAX, SUM_BITS), ("scores", w2, b2, ACTIVATION_MAX, SCORE_BITS)
    for name, w, b, top, bits in layers:
        low, high = extremes(w, b, top)
        print(f"{name}: extremes {low.min()} .. {high.max()}, up to {(w != 0).sum(0).max()} weights are not 0")
        assert low.min() >= -(2 ** (bits - 1)) and high.max() < 2 ** (bits - 1), "some image could wrap"
    assert (w2 != 0).sum(0).max() <= MAX_WEIGHTS
    assert right[test].mean() >= float_accuracy - 0.01

    (HERE / "model.json").write_text(to_json({
        "pixel_bits": PIXEL_BITS,
        "sum_bits": SUM_BITS,
        "score_bits": SCORE_BITS,
        "shift": shift,
        "activation_max": ACTIVATION_MAX,
        "weights_1": w1.T.tolist(),
        "biases_1": b1.tolist(),
        "weights_2": w2.T.tolist(),
        "biases_2": b2.tolist(),
        "float_test_accuracy": float_accuracy,
        "test_rows": test.tolist(),
    }))


if __name__ == "__main__":
    main()
