"""Writes the arrays of this directory (`python make.py`, here), as NumPy does; those here are NumPy 2.4's."""

import numpy as np
from numpy.lib import format

values = np.arange(16)[::-1]

# Every integer and byte order, with its extremes.
for kind in "iu":
    for size in (1, 2, 4, 8):
        for order in "<>":
            dtype = np.dtype(f"{order}{kind}{size}")
            limits = np.iinfo(dtype)
            extremes = [limits.min, -1, 0, 1, limits.max] if kind == "i" else [0, 1, limits.max]
            if size > 1:
                np.save(f"{kind}{size}_{'little' if order == '<' else 'big'}.npy", np.array(extremes, dtype))
            elif order == "<":
                np.save(f"{kind}{size}.npy", np.array(extremes, dtype))
np.save("bool.npy", np.array([False, True, True]))

# Shapes.
np.save("reversed.npy", values)
np.save("scalar.npy", np.int64(7))
np.save("row.npy", values.reshape(1, 16))
np.save("column.npy", values.reshape(16, 1))
np.save("cube.npy", values.reshape(1, 16, 1))
np.save("empty.npy", values[:0])
np.save("matrix.npy", values.reshape(2, 8))
np.save("fortran.npy", np.asfortranarray(values.reshape(2, 8)))

# Versions.
for major in (1, 2, 3):
    with open(f"version_{major}.npy", "wb") as file:
        format.write_array(file, values, version=(major, 0))

# No integers.
np.save("float16.npy", values.astype(np.float16))
np.save("float32.npy", values.astype(np.float32))
np.save("float64.npy", values.astype(np.float64))
np.save("complex.npy", values.astype(np.complex128))
np.save("bytes.npy", np.array([b"1", b"20"]))
np.save("strings.npy", np.array(["1", "20"]))
np.save("objects.npy", np.array([1, 2**70], dtype=object))
np.save("dates.npy", np.array(["2001-01-01"], "datetime64[D]"))
np.save("spans.npy", np.array([1], "timedelta64[s]"))
np.save("raw.npy", np.array([b"12"], "V2"))
np.save("fields.npy", np.array([(1, 2)], [("a", "<i4"), ("b", "<i8")]))

# Two arrays in one file.
with open("two.npy", "wb") as file:
    np.save(file, values)
    np.save(file, values)
