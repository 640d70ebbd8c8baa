"""What client and server agree on: how words of 64 bits are encrypted, and where files lie."""

from __future__ import annotations

import atexit
import os
import sys
import time
from pathlib import Path

# What each program takes in all, Python and all, is said at its end.
atexit.register(
    lambda: print(f"         [{Path(sys.argv[0]).name}] {time.process_time():.3f} s of processors")
)

# Words as limbs of 16 bits, x = Σ x_i·2^(16i), modulo a prime above 4·(2^16 - 1)^2, so that the limbs of a
# product, z_k = Σ_(i + j = k) x_i·y_j, are integers. 2^16 divides p - 1: as many slots as the ring's degree.
LIMBS, LIMB_BITS = 4, 16
MODULUS = 17179410433

# Pairs that are in memory together.
CHUNK = 1 << 16


# Words whole, as integers of 64 bits that are operands again, in place of limbs.
WHOLE = os.environ.get("BOOTES_WHOLE") == "1"

# Parameters for tests, which hide nothing.
TOY = os.environ.get("BOOTES_TOY") == "1"


def params() -> str:
    """Name the parameters."""
    if WHOLE:
        return "toy_int16" if TOY else "fhew_int16_2m128"
    return f"{'toy_' if TOY else ''}slots_{MODULUS}_depth_1"


def io(instance: str) -> Path:
    """Where client and server exchange files."""
    return Path("io") / instance


def inputs() -> list[str]:
    """Name what is uploaded for each chunk of pairs."""
    return ["x", "y"] if WHOLE else [f"{name}{i}" for name in "xy" for i in range(LIMBS)]


def outputs() -> list[str]:
    """Name what is downloaded for each chunk of pairs."""
    return ["z"] if WHOLE else [f"z{k}" for k in range(LIMBS)]
