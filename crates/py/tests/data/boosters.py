"""Write the boosters of this folder, and what they score of held-out rows: `python boosters.py`.

It takes xgboost and lightgbm, which tests do not.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import xgboost
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.model_selection import train_test_split

# The data, rounds, depth and learning rate.
MODELS: dict[str, tuple[Any, int, int, float]] = {
    "iris": (load_iris, 6, 2, 0.5),
    "cancer": (load_breast_cancer, 12, 2, 0.5),
    "diabetes": (load_diabetes, 20, 2, 0.2),
}
# What is read of trees and of models.
KEPT = {
    *("left_children", "right_children", "split_indices", "split_conditions", "split_type"),
    *(
        "split_feature",
        "threshold",
        "decision_type",
        "missing_type",
        "leaf_value",
        "left_child",
        "right_child",
    ),
}
LEFT_OUT = {
    "feature_infos",
    "feature_importances",
    "feature_names",
    "monotone_constraints",
    "pandas_categorical",
}


def shortened(tree: dict[str, Any]) -> dict[str, Any]:
    """Leave out what is not read."""
    return {
        key: shortened(value) if isinstance(value, dict) else value
        for key, value in tree.items()
        if key in KEPT
    }


def write(name: str, model: dict[str, Any], scores: Any) -> None:
    """Write a model with its scores."""
    rows = [[float(f"{value:.9g}") for value in np.atleast_1d(row)] for row in scores]
    path = Path(__file__).parent / f"{name}.json"
    path.write_text(json.dumps({"model": model, "scores": rows}, separators=(",", ":")) + "\n")


for name, (load, rounds, depth, rate) in MODELS.items():
    x, y = load(return_X_y=True)
    train, test, of_train, _ = train_test_split(x, y, random_state=0)
    how = {"n_estimators": rounds, "max_depth": depth, "learning_rate": rate}
    suffix = "Regressor" if name == "diabetes" else "Classifier"
    one = getattr(xgboost, f"XGB{suffix}")(**how).fit(train, of_train)
    model = json.loads(one.get_booster().save_raw("json"))
    forest = model["learner"]["gradient_booster"]["model"]
    forest["trees"] = [shortened(tree) for tree in forest["trees"]]
    write(f"xgboost_{name}", model, one.predict(test, output_margin=True))
    one = getattr(lightgbm, f"LGBM{suffix}")(verbose=-1, **how).fit(train, of_train)
    model = {key: value for key, value in one.booster_.dump_model().items() if key not in LEFT_OUT}
    for tree in model["tree_info"]:
        tree["tree_structure"] = shortened(tree["tree_structure"])
    write(f"lightgbm_{name}", model, one.predict(test, raw_score=True))
