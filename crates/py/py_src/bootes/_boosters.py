"""What XGBoost and LightGBM have fitted, by what they write of it in JSON; neither is imported.

Of XGBoost it is the model that ``save_model("model.json")`` writes, which has all that there is to know; of
LightGBM what ``dump_model()`` gives.
"""

from __future__ import annotations

import json
from functools import partial
from math import isfinite, log
from typing import TYPE_CHECKING, Any

import numpy as np

from ._checks import At, grown, refuse_loops
from ._errors import ArgumentError, UnsupportedError
from ._models import Read

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

# What scores are to each objective.
_XGBOOST = {
    "binary:logistic": "logistic",
    "binary:logitraw": "margin",
    "binary:hinge": "margin",
    "multi:softprob": "softmax",
    "multi:softmax": "softmax",
    "reg:squarederror": "number",
    "reg:absoluteerror": "number",
    "reg:pseudohubererror": "number",
    "reg:quantileerror": "number",
    "rank:ndcg": "number",
    "rank:map": "number",
    "rank:pairwise": "number",
}
_LIGHTGBM = {
    "binary": "logistic",
    "multiclass": "softmax",
    "multiclassova": "margin",
    "regression": "number",
    "regression_l1": "number",
    "huber": "number",
    "fair": "number",
    "quantile": "number",
    "mape": "number",
    "lambdarank": "number",
    "rank_xendcg": "number",
}

# Versions whose JSON is known: the first number of XGBoost's, and LightGBM's of its format.
_XGBOOST_VERSIONS = (1, 2, 3)
_LIGHTGBM_VERSIONS = ("v3", "v4")

# What to do where that is no model.
_OF_XGBOOST = "give the whole of what save_model writes as JSON"
_OF_LIGHTGBM = "give the whole of what dump_model gives"


def read_booster(fitted: Any) -> Read | None:
    """Read a booster, or what is written of it; None of what is neither."""
    module = type(fitted).__module__.partition(".")[0]
    if module == "xgboost":
        booster = _xgboost_booster(fitted)
        named_by = "fitted.feature_names" if booster is fitted else "fitted.get_booster().feature_names"
        return _xgboost(At(json.loads(booster.save_raw("json")), _OF_XGBOOST), named_by)
    if module == "lightgbm":
        booster = getattr(fitted, "booster_", fitted)
        named_by = "fitted.feature_name()" if booster is fitted else "fitted.feature_name_"
        return _lightgbm(At(booster.dump_model(), _OF_LIGHTGBM), getattr(fitted, "classes_", None), named_by)
    if isinstance(fitted, dict):
        if "learner" in fitted:
            return _xgboost(At(fitted, _OF_XGBOOST), 'fitted["learner"]["feature_names"]')
        if "tree_info" in fitted:
            return _lightgbm(At(fitted, _OF_LIGHTGBM), None, 'fitted["feature_names"]')
        raise ArgumentError(
            "a dictionary that is no booster: expected the model that XGBoost's save_model writes as JSON, "
            "or what LightGBM's dump_model gives"
        )
    if isinstance(fitted, list) and fitted:
        raise ArgumentError(
            "a list, as XGBoost's get_dump gives it, which has neither the objective nor what scores start "
            'from: give the dictionary of its save_model("model.json")'
        )
    return None


def _xgboost_booster(fitted: Any) -> Any:
    if not hasattr(fitted, "get_booster"):
        return fitted
    booster = fitted.get_booster()
    best = getattr(fitted, "best_iteration", None)
    return booster if best is None else booster[: best + 1]


def _other_version(kind: str, found: str, known: tuple[Any, ...]) -> UnsupportedError:
    expected = ", ".join(map(str, known))
    return UnsupportedError(
        f"a model of {kind} in version {found[:40]!r}, whose JSON is not known: expected one of {expected}; "
        "fit it anew with such a one"
    )


def _link(kind: str, links: Mapping[str, str], objective: str) -> str:
    if objective not in links:
        raise UnsupportedError(
            f"{kind} with objective {objective!r}, whose scores are no predictions: expected one of "
            f"{', '.join(links)}"
        )
    return links[objective]


def _outputs(shape: At, trees: At, least: int, *, several: bool) -> int:
    """Give how many scores a row has: two or more are those of classes, in turn of one tree each."""
    found = shape.whole(least)
    if several != (found > 1):
        raise shape.refused(f"{'2 or more' if several else '1'} with this objective")
    found = max(1, found)
    if len(trees.all()) < found:
        raise trees.refused("a tree at least" if found == 1 else f"{found} trees at least")
    return found


def _classes(link: str, outputs: int, known: Any) -> npt.NDArray[Any] | None:
    if link == "number":
        return None
    found = np.arange(max(2, outputs)) if known is None else np.asarray(known)
    if found.shape not in ((max(2, outputs),), (1,)):
        raise ArgumentError(f"fitted.classes_ of shape {found.shape}: expected {max(2, outputs)} classes")
    return found


def _names(names: At | None, columns: int) -> tuple[str, ...]:
    found = () if names is None or names.value is None else tuple(one.text() for one in names.all())
    if names is not None and found and len(found) != columns:
        raise names.refused(f"{columns} names, one for each column")
    return found


def _unit(value: float, output: int, outputs: int) -> npt.NDArray[np.float64]:
    found = np.zeros(outputs)
    found[output] = value
    return found


def _xgboost(model: At, named_by: str) -> Read:
    learner, version = model["learner"], model["version"].wholes().tolist()
    if version[:1] not in [[known] for known in _XGBOOST_VERSIONS]:
        raise _other_version("XGBoost", ".".join(map(str, version)), _XGBOOST_VERSIONS)
    booster, shape, objective = (
        learner[key] for key in ("gradient_booster", "learner_model_param", "objective")
    )
    if booster["name"].text() != "gbtree":
        raise UnsupportedError(f"XGBoost with booster {booster['name'].text()!r}, expected 'gbtree'")
    link = _link("XGBoost", _XGBOOST, objective["name"].text())
    targets = shape.get("num_target")
    if targets is not None and targets.whole(0) > 1:
        raise UnsupportedError("several outputs of trees: expected one, compile a model for each")
    forest = booster["model"]
    outputs = _outputs(shape["num_class"], forest["trees"], 0, several=link == "softmax")
    start = _start(shape["base_score"], objective["name"].text(), outputs)
    columns = shape["num_feature"].whole(1)
    trees, places = forest["trees"].all(), forest["tree_info"].wholes(len(forest["trees"].value))
    if places.min() < 0 or places.max() >= outputs:
        raise forest["tree_info"].refused(f"numbers of outputs, 0 to {outputs - 1}")
    sizes = forest.get("gbtree_model_param")
    if sizes is not None:
        sizes["num_trees"].whole(len(trees), len(trees))
    grown_trees = [
        _xgboost_tree(tree, partial(_unit, output=k, outputs=outputs), columns)
        for tree, k in zip(trees, places.tolist(), strict=True)
    ]
    classes, names = _classes(link, outputs, None), _names(learner.get("feature_names"), columns)
    return Read(columns, outputs, link, classes, start, trees=grown_trees, names=names, named_by=named_by)


def _start(written: At, objective: str, outputs: int) -> npt.NDArray[np.float64]:
    """Give what scores start from: a number, or since version 3 one for each output."""
    try:
        found = [float(part) for part in written.text().strip("[]").split(",")]
    except ValueError:
        raise written.refused("numbers") from None
    if not all(map(isfinite, found)) or len(found) not in (1, outputs):
        raise written.refused(f"a finite number, or one for each of {outputs} outputs")
    if objective.startswith("binary:logi"):
        if not all(0 < p < 1 for p in found):
            raise written.refused("a probability above 0 and below 1")
        found = [log(p / (1 - p)) for p in found]
    return np.broadcast_to(np.array(found), (outputs,)).copy()


def _xgboost_tree(tree: At, value_of: Any, columns: int) -> Any:
    kinds, categories, shape = (tree.get(key) for key in ("split_type", "categories_nodes", "tree_param"))
    if (kinds is not None and kinds.wholes().any()) or (categories is not None and len(categories.wholes())):
        raise UnsupportedError("categories in XGBoost: expected columns of numbers, encode them before")
    if shape is not None and (size := shape.get("size_leaf_vector")) is not None and size.whole(0) > 1:
        raise UnsupportedError("several outputs of trees: expected one, compile a model for each")
    left = tree["left_children"].wholes()
    if not len(left):
        raise tree["left_children"].refused("a node at least")
    right, split = (tree[key].wholes(len(left)) for key in ("right_children", "split_indices"))
    with np.errstate(over="ignore"):  # What is beyond 32 bits is infinite, and refused.
        bounds = tree["split_conditions"].numbers(len(left)).astype(np.float32)
    refuse_loops(left, right, str(tree))

    def look(i: int) -> Any:
        if left[i] < 0:
            return value_of(float(bounds[i]))
        # Left is what is less, rounded to 32 bits: up to the middle of the number and the last before.
        before = np.nextafter(bounds[i], np.float32(-np.inf))
        at = (float(before) + float(bounds[i])) / 2
        return split[i], at if np.isfinite(before) else float(bounds[i]), left[i], right[i]

    return grown(0, look, str(tree), columns)


def _lightgbm(model: At, known: Any, named_by: str) -> Read:
    version = model["version"].text()
    if version not in _LIGHTGBM_VERSIONS:
        raise _other_version("LightGBM", version, _LIGHTGBM_VERSIONS)
    written = model.get("objective")
    objective, *options = ("none" if written is None else written.text()).split() or ["none"]
    link = _link("LightGBM", _LIGHTGBM, objective)
    if "sqrt" in options:
        raise UnsupportedError("LightGBM with reg_sqrt, whose scores are no predictions: fit it without")
    several = objective.startswith("multiclass")
    outputs = _outputs(model["num_tree_per_iteration"], model["tree_info"], 1, several=several)
    written_trees = model["tree_info"].all()
    if len(written_trees) % outputs:
        raise model["tree_info"].refused(f"a multiple of {outputs} trees")
    share = 1.0
    if link == "logistic":
        # Probabilities are of so many times the score.
        share = _steepness(model["objective"], options)
    averages = model.get("average_output")
    if averages is not None and averages.value not in (False, True):
        raise averages.refused("true or false")
    if averages is not None and averages.value:
        share *= outputs / len(written_trees)
    columns = model["max_feature_idx"].whole(0, (1 << 31) - 2) + 1
    trees = [
        _lightgbm_tree(tree["tree_structure"], share, i % outputs, outputs, columns)
        for i, tree in enumerate(written_trees)
    ]
    names = _names(model.get("feature_names"), columns)
    if all(name == f"Column_{i}" for i, name in enumerate(names)):
        names = ()  # It calls them so where they have none.
    classes, base = _classes(link, outputs, known), np.zeros(outputs)
    return Read(columns, outputs, link, classes, base, trees=trees, names=names, named_by=named_by)


def _steepness(objective: At, options: list[str]) -> float:
    texts = [option.partition(":")[2] for option in options if option.startswith("sigmoid:")]
    try:
        found = float(texts[0]) if texts else 1.0
    except ValueError:
        found = 0.0
    if not (isfinite(found) and found > 0):
        raise objective.refused("a finite number above 0 as sigmoid")
    return found


def _lightgbm_tree(root: At, share: float, output: int, outputs: int, columns: int) -> Any:
    def look(node: At) -> Any:
        if node.get("leaf_coeff") is not None:
            raise UnsupportedError("LightGBM with linear_tree: fit it without")
        if node.get("split_feature") is None:
            return _unit(share * node["leaf_value"].number(), output, outputs)
        if node["decision_type"].text() != "<=":
            raise UnsupportedError("categories in LightGBM: expected columns of numbers, encode them before")
        if node["missing_type"].text() == "Zero":
            raise UnsupportedError("LightGBM with zero_as_missing: fit it without")
        if node["missing_type"].text() not in ("None", "NaN"):
            raise node["missing_type"].refused("'None' or 'NaN'")
        column = node["split_feature"].whole(0, columns - 1)
        return column, node["threshold"].number(), node["left_child"], node["right_child"]

    return grown(root, look, str(root), columns)
