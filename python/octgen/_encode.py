"""The features of a tree, made of columns as the encoder in tree.json has it."""

import numpy as np

from ._columns import MISSING, codes_of


def features_of(known, columns, unknown):
    """The features, arrays (n,)."""
    features = []
    for column, encoder in zip(columns, known):
        if encoder["kind"] == "numeric":
            features += _numbers(column, encoder)
        else:
            features += _texts(column, encoder, unknown)
    return features


def width(column):
    """The number of features of a column of the encoder."""
    if column["kind"] == "numeric":
        return 2 if column.get("indicator") or column.get("route") else 1
    n = len(column["categories"])
    if column["kind"] == "subsets":
        return max(1, n - 1 if column.get("order") else 2 ** (n - 1) - 1)
    return n if column["kind"] == "onehot" and n != 2 else 1


def _numbers(column, known):
    if column.dtype.kind == "M" and "date" in known:
        since = (column - np.datetime64(known["date"]["first"], "s")).astype(float)
        if "ss" not in known["date"]["format"]:  # days, as training had them
            since = np.floor(since / 86400) * 86400
        values = np.where(np.isnat(column), np.nan, since / 86400)
    else:
        try:
            values = column.astype(float)
        except (TypeError, ValueError) as e:
            raise ValueError(f"column {known['name']!r} held numbers in training: {e}") from None
    gaps = np.isnan(values)
    if gaps.any():
        if "impute" not in known:
            raise ValueError(f"Input X contains NaN in column {known['name']!r}, which had none in training")
        values = np.where(gaps, known["impute"], values)
    if known.get("route"):
        values = np.where(gaps, values, np.clip(values, known["impute"] / 4, -known["impute"] / 4))
        return [values, np.where(gaps, -known["impute"], values)]
    return [values, gaps.astype(float)] if known.get("indicator") else [values]


def _texts(column, known, unknown):
    categories = known["categories"]
    fill = known.get("impute_category", MISSING)
    codes, _ = codes_of(column, categories)
    gaps, strange = codes == -1, codes == -2
    if gaps.any() and fill not in categories:
        raise ValueError(f"Input X contains NaN in column {known['name']!r}, which had none in training")
    if strange.any() and unknown != "other":
        value = column[np.flatnonzero(strange)[0]]
        raise ValueError(f"column {known['name']!r} holds {value!r}, which training did not have (unknown='other' takes it as none)")
    index = np.where(gaps, categories.index(fill) if fill in categories else -1, np.maximum(codes, -1)).astype(float)
    if known["kind"] == "ordinal":
        return [index]
    if known["kind"] == "subsets":
        return _sets(index, known)
    if len(categories) == 2:
        return [(index == 1).astype(float)]
    return [(index == k).astype(float) for k in range(len(categories))]


def _sets(index, known):
    """The features of sets of categories."""
    n, order = len(known["categories"]), known.get("order")
    if order:
        place = np.empty(n)
        place[order] = np.arange(n)
        place = np.where(index < 0, -1, place[index.astype(int)])
        return [(place >= k).astype(float) for k in range(1, n)]
    bits = np.where(index > 0, 2.0 ** (index - 1), 0).astype(int)
    return [(bits & mask > 0).astype(float) for mask in range(1, max(2, 2 ** (n - 1)))]
