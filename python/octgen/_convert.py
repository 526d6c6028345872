"""scikit-learn's trees made of octgen's."""

import numpy as np
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from ._shown import from_left

_LEAF = -1


def converted(model, features):
    """scikit-learn's tree with the answers of the model for features (n_samples, n_features) of its encoder."""
    nodes = model.tree_["nodes"]
    order = [at for at, _ in from_left([[node["left"], node["right"]] if "split" in node else [] for node in nodes])]
    place = {at: k for k, at in enumerate(order)}
    regression = "value" in nodes[0]
    kind = DecisionTreeRegressor if regression else DecisionTreeClassifier
    few = kind(max_depth=1).fit(np.zeros((1, features.shape[1])), [0.0] if regression else model.classes_[:1])
    state = few.tree_.__getstate__()
    rows = np.zeros(len(order), dtype=state["nodes"].dtype)
    values = np.zeros((len(order), 1, 1 if regression else len(model.classes_)))
    thresholds = _thresholds(model, features)
    for k, at in enumerate(order):
        node, row = nodes[at], rows[k]
        weight = np.array(node["weight"], dtype=float)
        row["n_node_samples"], row["weighted_n_node_samples"] = sum(node["count"]), weight.sum()
        row["left_child"] = row["right_child"] = _LEAF
        row["feature"], row["threshold"] = -2, -2
        if "split" in node:
            row["left_child"], row["right_child"] = place[node["left"]], place[node["right"]]
            row["feature"], row["threshold"] = node["split"]["terms"][0]["feature"], thresholds[at]
        if regression:
            values[k, 0, 0] = node["value"]
            continue
        shares = np.zeros(len(model.classes_))
        shares[model._class_of] = weight / weight.sum() if weight.sum() > 0 else 0
        row["impurity"] = 1 - (shares**2).sum() if weight.sum() > 0 else 0
        answer = model._class_of[node["class"]]
        if shares.argmax() != answer:  # one of several as frequent ones, or one that costs less
            if shares[answer] < shares.max():
                raise ValueError("a leaf answers with a class that is not its most frequent one, as scikit-learn's trees do: there were costs or constraints")
            shares[answer] = np.nextafter(shares[answer], 2)
        values[k, 0] = shares
    out = kind(max_depth=max(1, model.get_depth()))
    out.n_features_in_, out.n_outputs_, out.max_features_ = features.shape[1], 1, features.shape[1]
    classes = np.array([1], dtype=np.intp)
    if not regression:
        out.classes_, out.n_classes_ = model.classes_, len(model.classes_)
        classes = np.array([out.n_classes_], dtype=np.intp)
    out.tree_ = type(few.tree_)(features.shape[1], classes, 1)
    out.tree_.__setstate__({**state, "max_depth": model.get_depth(), "node_count": len(order), "nodes": rows, "values": values})
    leaf = out.tree_.apply(np.asarray(features, dtype=np.float32))
    if not np.array_equal(leaf, [place[at] for at in _leaves(model, features)]):
        raise ValueError("the rows end in other leaves of scikit-learn's tree, which is a mistake of octgen's")
    return out


def _leaves(model, features):
    leaf = np.zeros(len(features), dtype=np.intp)
    for at, node in enumerate(model.tree_["nodes"]):
        if "split" in node:
            here = np.flatnonzero(leaf == at)
            term = node["split"]["terms"][0]
            leaf[here] = np.where(term["weight"] * features[here, term["feature"]] < node["split"]["threshold"], node["left"], node["right"])
    return leaf


def _thresholds(model, features):
    """A threshold for each split, by its node, that divides the rows in float32 as octgen's does in float64."""
    thresholds, here = {}, {0: np.arange(len(features))}
    for at, node in enumerate(model.tree_["nodes"]):
        split = node.get("split")
        if split is None:
            continue
        term = split["terms"][0]
        if len(split["terms"]) > 1 or term["weight"] <= 0:
            raise ValueError("scikit-learn's trees have one feature in a split, and this tree has more")
        values = features[here[at], term["feature"]]
        left = term["weight"] * values < split["threshold"]
        here[node["left"]], here[node["right"]] = here[at][left], here[at][~left]
        rounded = values.astype(np.float32).astype(float)
        bound = split["threshold"] / term["weight"]
        low, high = (rounded[left].max() if left.any() else -np.inf), (rounded[~left].min() if (~left).any() else np.inf)
        if low >= high:
            name = model.tree_["features"][term["feature"]]
            raise ValueError(f"the split {name} < {bound!r} divides values that are both {low!r} in float32, which scikit-learn's trees round to: scale the column")
        if not low <= bound < high:
            bound = low if np.isinf(high) else high if np.isinf(low) else (low + high) / 2
        thresholds[at] = bound
    return thresholds
