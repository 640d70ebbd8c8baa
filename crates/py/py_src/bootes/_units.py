"""Scores in units of their own, so that their squares are floats, and each of several numbers has its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ._errors import ArgumentError
from ._models import mapped
from ._network import ACTIVATIONS

if TYPE_CHECKING:
    from ._models import Floats, Read

# What columns and scores may be. Floats end at 1e308, and have fewer digits below 1e-308.
LEAST, LARGEST = 1e-290, 1e300


def take_units(model: Read, rows: Floats) -> Floats:
    """Divide scores by powers of two, which are given: one for each number, or one for all classes.

    Of distances none is known, and none is given.
    """
    if np.abs(rows).max() > LARGEST:
        row, column = np.argwhere(np.abs(rows) > LARGEST)[0]
        raise ArgumentError(
            f"{rows[row, column]:g} in row {row}, column {column}, expected numbers up to {LARGEST:g}: fit "
            "the model to columns in other units"
        )
    ones = np.ones(model.outputs)
    with np.errstate(over="ignore", invalid="ignore"):  # What is too large is refused.
        if model.points is not None:
            factors = np.ones(model.columns) if model.factors is None else model.factors
            center = model.points.mean(axis=0)
            both = np.concatenate([model.points, rows]) - center
            model.factors = factors / _power(_checked(np.abs(both * factors).max()))
            return ones
        wide, reach = _reach(model, rows)
    if model.link in ("index", "probability"):
        _checked(reach)
        return ones
    # A number that hardly changes has its own place: scores have offsets.
    unit = _power(np.maximum(wide, 1e-100 * _checked(reach)))
    if model.link != "number":
        unit = np.full_like(unit, unit.max())
    model.base = model.base / unit
    if model.weights is not None:
        model.weights = model.weights / unit[:, None]
    elif model.layers:
        *before, (weights, base) = model.layers
        model.layers = [*before, (weights / unit, base / unit)]
    else:
        model.trees = [mapped(tree, lambda _, at: at, lambda value: value / unit) for tree in model.trees]
    return unit


def _reach(model: Read, rows: Floats) -> tuple[Floats, Floats]:
    """Give how far each score changes at most on rows like these, and how far from 0 it may be."""
    largest = np.abs(rows).max(axis=0)
    if model.weights is not None:
        weights = np.abs(model.weights)
        return weights @ np.ptp(rows, axis=0), weights @ largest + np.abs(model.base)
    reach = np.abs(model.base)
    for number, (weights, base) in enumerate(model.layers, 1):
        reach = _checked(np.abs(rows).max(axis=0) @ np.abs(weights) + np.abs(base))
        if number < len(model.layers):
            rows = ACTIVATIONS[model.activation](rows @ weights + base)
    for tree in model.trees:
        values: list[Floats] = []
        mapped(tree, lambda _, at: at, values.append)
        reach = reach + np.abs(values).max(axis=0)
    return reach, reach


def _checked(reach: Floats) -> Floats:
    """Refuse what floats do not hold."""
    wrong = ~((reach == 0) | ((reach >= LEAST) & (reach <= LARGEST)))
    if wrong.any():
        raise ArgumentError(
            f"sums of a model up to {np.ravel(reach)[np.ravel(wrong)][0]:.3g}, expected 0, or {LEAST:g} to "
            f"{LARGEST:g}: fit it to numbers, or columns, in other units"
        )
    return reach


def _power(x: Floats) -> Floats:
    """Give the power of two that is next below, or 1."""
    return np.asarray(np.where(x > 0, np.ldexp(1.0, np.frexp(x)[1] - 1), 1.0))
