"""Holds the figures of `octgen predict --json` against scikit-learn's.

    figures.py CASES.json

CASES.json is a list of objects: data (a CSV file), target and weight (its columns, weight
may be ""), tree (tree.json), predictions (the CSV of predict), scores (an object such as
that under "test"). Prints how many figures agree; a disagreement ends it.
"""
import csv
import json
import sys
import warnings

import numpy as np
from sklearn import metrics

warnings.simplefilter("ignore", metrics._classification.UndefinedMetricWarning)
agreed = 0


def same(case, what, ours, theirs):
    """One figure of each; None is none."""
    global agreed
    if (ours is None) != (theirs is None) or ours is not None and not abs(ours - theirs) <= 1e-12 * max(1, abs(theirs)):
        sys.exit(f"{case['data']}, {case['tree']}: {what} is {ours}, scikit-learn's {theirs}")
    agreed += 1


def rows(path):
    with open(path, newline="") as f:
        return list(csv.DictReader(f))


def check(case):
    with open(case["tree"]) as f:
        tree = json.load(f)
    classes, scores = tree["classes"], case["scores"]
    data, predictions = rows(case["data"]), rows(case["predictions"])
    true = np.array([classes.index(r[case["target"]]) for r in data])
    predicted = np.array([classes.index(p["class"]) for p in predictions])
    weight = np.array([float(r[case["weight"]]) if case["weight"] else 1.0 for r in data])
    share = np.array([tree["nodes"][int(p["leaf"])]["weight"] for p in predictions], dtype=float)
    share /= share.sum(axis=1, keepdims=True)
    labels = np.arange(len(classes))

    same(case, "accuracy", scores["accuracy"], metrics.accuracy_score(true, predicted))
    matrix = metrics.confusion_matrix(true, predicted, labels=labels)
    for ours, theirs in zip(scores["confusion"]["counts"], matrix):
        for a, b in zip(ours, theirs):
            same(case, "confusion", a, b)
    per_class = metrics.precision_recall_fscore_support(true, predicted, labels=labels, sample_weight=weight, zero_division=0)
    for k, c in enumerate(scores["per_class"]):
        there, guessed = k in true, k in predicted  # where neither, scikit-learn says 0 with a warning
        same(case, "precision", c["precision"], per_class[0][k] if guessed else None)
        same(case, "recall", c["recall"], per_class[1][k] if there else None)
        same(case, "F1", c["f1"], per_class[2][k] if there or guessed else None)
    same(case, "balanced error", scores["balanced_error"], 1 - metrics.balanced_accuracy_score(true, predicted, sample_weight=weight))
    same(case, "AUC", scores["auc"], auc(true, share, weight))
    clipped = np.clip(share, 1e-15, 1 - 1e-15)
    clipped /= clipped.sum(axis=1, keepdims=True)
    same(case, "log loss", scores["log_loss"], metrics.log_loss(true, clipped, sample_weight=weight, labels=labels))


def auc(true, share, weight):
    there = np.unique(true)
    if len(there) < 2:
        return None
    if share.shape[1] == 2:
        return metrics.roc_auc_score(true, share[:, 1], sample_weight=weight)
    if len(there) == share.shape[1]:
        return metrics.roc_auc_score(true, share, sample_weight=weight, multi_class="ovr", average="macro")
    # scikit-learn refuses where a class has no rows; the mean over those that have some.
    return np.mean([metrics.roc_auc_score(true == k, share[:, k], sample_weight=weight) for k in there])


with open(sys.argv[1]) as f:
    for case in json.load(f):
        check(case)
print(agreed)
