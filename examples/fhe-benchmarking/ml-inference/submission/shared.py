"""What client and server agree on: images, and where files lie."""

from __future__ import annotations

import atexit
import os
import pickle
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bootes

if TYPE_CHECKING:
    import numpy as np

HERE = Path(__file__).resolve().parent

# What each program takes in all, Python and all, is said at its end.
atexit.register(
    lambda: print(f"         [{Path(sys.argv[0]).name}] {time.process_time():.3f} s of processors")
)

# The side of an image, and of the squares whose pixels become one.
SIDE, SQUARE = 28, 2

# Images of an instance, for which parameters are chosen.
IMAGES = [1, 15, 1000, 10000]


def columns(pixels: np.ndarray) -> np.ndarray:
    """Make the columns of the model, means of squares, of rows of 784 pixels."""
    few = SIDE // SQUARE
    means: np.ndarray = pixels.reshape(-1, few, SQUARE, few, SQUARE).mean((2, 4)).reshape(-1, few * few)
    return means


def io(size: int) -> Path:
    """Where client and server exchange files."""
    return Path("io") / ["single", "small", "medium", "large"][size]


def params(size: int) -> bootes.Params:
    """Choose the parameters of an instance; with BOOTES_TOY=1 those for tests, which hide nothing."""
    if os.environ.get("BOOTES_TOY") == "1":
        return bootes.Params("toy_int16")
    found: bootes.Params = load(HERE / "client.codec")["params"][size]
    return found


def load(path: Path) -> Any:
    """Unpickle a file, of who may run programs here."""
    return pickle.loads(path.read_bytes())


def save(path: Path, what: object) -> None:
    """Pickle to a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(pickle.dumps(what))
