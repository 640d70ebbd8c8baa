"""What XGBoost and LightGBM have fitted, by what they write of it in JSON; neither is imported.

Of XGBoost it is the model that ``save_model("model.json")`` writes, which has all that there is to know; of
LightGBM what ``dump_model()`` gives.
"""

from __future__ import annotations

import json
from math import log
from typing import TYPE_CHECKING, Any

import numpy as np

from ._errors import ArgumentError, UnsupportedError
from ._models import Read

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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


def read_booster(fitted: Any) -> Read | None:
    """Read a booster, or what is written of it; None of what is neither."""
    module = type(fitted).__module__.partition(".")[0]
    if module == "xgboost":
        booster = _xgboost_booster(fitted)
        named_by = "fitted.feature_names" if booster is fitted else "fitted.get_booster().feature_names"
        return _xgboost(json.loads(booster.save_raw("json")), named_by)
    if module == "lightgbm":
        booster = getattr(fitted, "booster_", fitted)
        named_by = "fitted.feature_name()" if booster is fitted else "fitted.feature_name_"
        return _lightgbm(booster.dump_model(), getattr(fitted, "classes_", None), named_by)
    if isinstance(fitted, dict):
        if "learner" in fitted:
            return _xgboost(fitted, 'fitted["learner"]["feature_names"]')
        if "tree_info" in fitted:
            return _lightgbm(fitted, None, 'fitted["feature_names"]')
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


def _link(kind: str, links: Mapping[str, str], objective: str) -> str:
    if objective not in links:
        raise UnsupportedError(
            f"{kind} with objective {objective!r}, whose scores are no predictions: expected one of "
            f"{', '.join(links)}"
        )
    return links[objective]


def _classes(link: str, outputs: int, known: Any) -> npt.NDArray[Any] | None:
    if link == "number":
        return None
    return np.arange(max(2, outputs)) if known is None else np.asarray(known)


def _xgboost(model: Mapping[str, Any], named_by: str) -> Read:
    learner = model["learner"]
    booster, shape = learner["gradient_booster"], learner["learner_model_param"]
    if booster.get("name") != "gbtree":
        raise UnsupportedError(f"XGBoost with booster {booster.get('name')!r}, expected 'gbtree'")
    link = _link("XGBoost", _XGBOOST, learner["objective"]["name"])
    if int(shape.get("num_target", 1)) > 1:
        raise UnsupportedError("several outputs of trees: expected one, compile a model for each")
    outputs = max(1, int(shape["num_class"]))
    # A number, or since version 3 one for each output.
    start = np.array([float(part) for part in shape["base_score"].strip("[]").split(",")])
    if learner["objective"]["name"].startswith("binary:logi"):
        start = np.array([log(p / (1 - p)) for p in start])
    forest = booster["model"]
    trees = [
        _xgboost_tree(tree, np.eye(outputs)[k])
        for tree, k in zip(forest["trees"], forest["tree_info"], strict=True)
    ]
    base = np.broadcast_to(start, (outputs,)).copy()
    classes = _classes(link, outputs, None)
    columns, names = int(shape["num_feature"]), tuple(learner.get("feature_names") or ())
    return Read(columns, outputs, link, classes, base, trees=trees, names=names, named_by=named_by)


def _xgboost_tree(tree: Mapping[str, Any], unit: npt.NDArray[np.float64]) -> Any:
    if any(tree.get("split_type", ())) or tree.get("categories_nodes"):
        raise UnsupportedError("categories in XGBoost: expected columns of numbers, encode them before")
    left, right = tree["left_children"], tree["right_children"]

    def of(i: int) -> Any:
        if left[i] < 0:
            return tree["split_conditions"][i] * unit
        # Left is what is less, rounded to 32 bits: up to the middle of the number and the last before.
        bound = np.float32(tree["split_conditions"][i])
        before = np.nextafter(bound, np.float32(-np.inf))
        at = (float(before) + float(bound)) / 2
        return int(tree["split_indices"][i]), at, of(left[i]), of(right[i])

    return of(0)


def _lightgbm(model: Mapping[str, Any], known: Any, named_by: str) -> Read:
    objective, *options = str(model.get("objective", "none")).split()
    link = _link("LightGBM", _LIGHTGBM, objective)
    if "sqrt" in options:
        raise UnsupportedError("LightGBM with reg_sqrt, whose scores are no predictions: fit it without")
    outputs = int(model["num_tree_per_iteration"])
    # Probabilities are of so many times the score.
    steepness = next((float(o.partition(":")[2]) for o in options if o.startswith("sigmoid:")), 1.0)
    share = steepness if link == "logistic" else 1.0
    if model.get("average_output"):
        share *= outputs / len(model["tree_info"])
    trees = [
        _lightgbm_tree(tree["tree_structure"], share * np.eye(outputs)[i % outputs])
        for i, tree in enumerate(model["tree_info"])
    ]
    columns, names = int(model["max_feature_idx"]) + 1, tuple(model.get("feature_names") or ())
    if names == tuple(f"Column_{i}" for i in range(columns)):
        names = ()  # It calls them so where they have none.
    classes, base = _classes(link, outputs, known), np.zeros(outputs)
    return Read(columns, outputs, link, classes, base, trees=trees, names=names, named_by=named_by)


def _lightgbm_tree(node: Mapping[str, Any], unit: npt.NDArray[np.float64]) -> Any:
    if "leaf_coeff" in node:
        raise UnsupportedError("LightGBM with linear_tree: fit it without")
    if "split_feature" not in node:
        return node["leaf_value"] * unit
    if node["decision_type"] != "<=":
        raise UnsupportedError("categories in LightGBM: expected columns of numbers, encode them before")
    if node["missing_type"] == "Zero":
        raise UnsupportedError("LightGBM with zero_as_missing: fit it without")
    below: Sequence[Any] = [_lightgbm_tree(node[side], unit) for side in ("left_child", "right_child")]
    return int(node["split_feature"]), float(node["threshold"]), *below
