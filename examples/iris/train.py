#!/usr/bin/env python3
"""Trains the decision tree of `cargo run --release -p bootes --example iris` and writes tree.json.

    pip install scikit-learn
    python examples/iris/train.py

Quantisation: the four lengths of a flower are known to a millimetre, 1 to 79 of them, so that "millimetres minus the
smallest in the training rows, clamped to 0..63" loses nothing here and fits 6 bits. Thresholds become integers too.
"""

import csv
import json
from pathlib import Path

import numpy as np
from sklearn.datasets import load_iris
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

HERE = Path(__file__).parent
SEED = 1
BITS = 6  # of a quantised feature
MAX_NODES = 6  # the bits of all nodes together index the last table, which has BITS input bits too


def data():
    """Lengths in mm (150 x 4) and species (150), from iris.csv, which is made from scikit-learn's copy if missing."""
    path = HERE / "iris.csv"
    if not path.exists():
        iris = load_iris()
        with path.open("w", newline="") as file:
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow(["sepal_length_cm", "sepal_width_cm", "petal_length_cm", "petal_width_cm", "species"])
            rows.writerows([*x, iris.target_names[y]] for x, y in zip(iris.data.tolist(), iris.target))
    with path.open() as file:
        header, *rows = csv.reader(file)
    classes = sorted({row[-1] for row in rows})
    x = np.array([[float(v) for v in row[:-1]] for row in rows])
    y = np.array([classes.index(row[-1]) for row in rows])
    return [name.removesuffix("_cm") for name in header[:-1]], classes, x, y


def to_json(out):
    """A line for each key, and for each entry of a list of objects: differences can be read."""
    def value(v):
        objects = isinstance(v, list) and isinstance(v[0], dict)
        return "[\n  " + ",\n  ".join(map(json.dumps, v)) + "\n ]" if objects else json.dumps(v)

    return "{\n " + ",\n ".join(f'"{k}": {value(v)}' for k, v in out.items()) + "\n}\n"


def main():
    features, classes, x, y = data()
    train, test = train_test_split(np.arange(len(y)), train_size=100, stratify=y, random_state=SEED)
    train, test = np.sort(train), np.sort(test)

    # The float model: centimetres as they are.
    model = DecisionTreeClassifier(max_leaf_nodes=MAX_NODES + 1, random_state=SEED).fit(x[train], y[train])
    tree = model.tree_

    # The integer model: mm - offset, and x > threshold with an integer threshold.
    mm = np.rint(x * 10).astype(int)
    offsets = mm[train].min(axis=0)
    quantised = np.clip(mm - offsets, 0, 2**BITS - 1)

    nodes, leaves, number = [], [], {}
    inner = [i for i in range(tree.node_count) if tree.children_left[i] >= 0]
    for i in range(tree.node_count):
        if i in inner:
            number[i] = {"node": inner.index(i)}
        else:
            number[i] = {"leaf": len(leaves)}
            leaves.append(int(np.argmax(tree.value[i])))
    for i in inner:
        feature = int(tree.feature[i])
        nodes.append({
            "feature": feature,
            "threshold": int(np.floor(round(tree.threshold[i] * 10, 6))) - int(offsets[feature]),
            "if_not_greater": number[tree.children_left[i]],
            "if_greater": number[tree.children_right[i]],
        })
    assert all(0 <= node["threshold"] < 2**BITS - 1 for node in nodes)

    def infer(row):
        at = {"node": 0}
        while "node" in at:
            node = nodes[at["node"]]
            at = node["if_greater"] if row[node["feature"]] > node["threshold"] else node["if_not_greater"]
        return leaves[at["leaf"]]

    float_accuracy = float((model.predict(x[test]) == y[test]).mean())
    quantised_accuracy = float(np.mean([infer(row) == label for row, label in zip(quantised[test], y[test])]))
    print(f"{len(nodes)} nodes, test rows {len(test)}: float {float_accuracy:.4f}, quantised {quantised_accuracy:.4f}")

    out = {
        "classes": classes,
        "features": features,
        "quantisation": {"bits": BITS, "units_per_cm": 10, "offsets": offsets.tolist()},
        "nodes": nodes,
        "leaves": leaves,
        "float_test_accuracy": float_accuracy,
        "test_rows": test.tolist(),
    }
    (HERE / "tree.json").write_text(to_json(out))


if __name__ == "__main__":
    main()
