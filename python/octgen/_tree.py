"""What the estimators share: a fit by the worker, and a tree that answers by itself."""

from __future__ import annotations

import json
import math
import multiprocessing
import numbers
import os
import warnings
from typing import Any

import numpy as np

from . import _columns, _worker
from ._columns import columns_of, has_texts, is_gap
from ._shown import Shown
from ._sklearn import HAS_SKLEARN, BaseEstimator, NotFittedError, numbers_of, target_of, weights_of

_DEFAULT_DEPTH, _DEFAULT_LIMIT = 3, 60
_ONE_SPLIT = frozenset(("fm", "fm-rlp", "fm-rlp-p", "lfm", "rlp", "rlp-p", "sbe"))  # methods without a depth
_ONE_THREAD = frozenset(("alternating", "c45", "cart", "cart-tuned", "epts", "frank-wolfe", "local-search", "msmt", "oc1", "sbe"))
_RESERVED = frozenset((  # flags that the estimator's own tables and answers need as it sets them
    "help", "h", "json", "quiet", "output", "o", "log", "verbose", "target", "weight", "class-weight", "ignore", "missing", "unknown", "rewards",
    "na-values", "decimal", "delimiter", "sheet", "header", "no-header", "categorical-columns", "code", "dates", "task", "test", "holdout",
    "group", "group-as-feature"))


class NotProvedWarning(UserWarning):
    """A fit ended before its tree was proved to be optimal."""


class OptimalTree(Shown, BaseEstimator):
    """The estimators' common part; not to be used by itself."""

    _task = "classification"
    _counts_rows = False  # whether min_samples_leaf can count rows of different weights

    def _more_tags(self):
        return {"allow_nan": self.missing != "error"}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing != "error"
        tags.input_tags.sparse = True
        return tags

    def _check_parameters(self):
        for name, allowed in (("missing", ("error", "mean", "category", "route")), ("unknown", ("error", "other"))):
            if getattr(self, name) not in allowed:
                raise ValueError(f"{name} is {getattr(self, name)!r}, expected one of {allowed}")
        seed, jobs = self.random_state, self.n_jobs
        if seed is not None and not isinstance(seed, numbers.Integral) and not hasattr(seed, "randint"):
            raise ValueError(f"random_state is {seed!r}, expected an int, a RandomState or None")
        if jobs is not None and (not isinstance(jobs, numbers.Integral) or jobs == 0):
            raise ValueError(f"n_jobs is {jobs!r}, expected an int other than 0, or None")
        if self.max_depth is None and self.max_leaf_nodes is None and not self._has_price() and self.method not in _ONE_SPLIT:
            raise ValueError("max_depth is None, which is no limit, and needs a price of splits (ccp_alpha or alpha) or max_leaf_nodes: without, the tree grows until it makes no error")
        if self.options is None:
            return
        if not isinstance(self.options, dict) or not all(isinstance(name, str) for name in self.options):
            raise TypeError(f"options is {self.options!r}, expected a dict of flags by their names")
        for name in self.options:
            if name.replace("_", "-") in _RESERVED:
                raise ValueError(f"options has {name!r}, a flag that the estimator sets itself")

    def _has_price(self):
        return bool(getattr(self, "ccp_alpha", None) or self.alpha)

    def _training(self, X, y, sample_weight, several=False):
        """The columns of X, the target and the weights, all checked. y may have several columns where that is said."""
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None")
        if HAS_SKLEARN and not several and not has_texts(X):
            X, y = numbers_of(self, X, True, self.missing == "error", y)
            columns = list(np.asfortranarray(_columns.dense(X)).T)
        else:
            columns = self._read(X, reset=True)
            y = np.asarray(y, dtype=float) if several else target_of(y)
        y = self._labels(y)
        if len(y) != len(columns[0]):
            raise ValueError(f"X has {len(columns[0])} rows, y has {len(y)}")
        return columns, y, weights_of(sample_weight, len(y))

    def _read(self, X, reset):
        """The columns of X; checks what scikit-learn does not."""
        strict = self.missing == "error"
        if HAS_SKLEARN and not has_texts(X):
            return list(np.asfortranarray(_columns.dense(numbers_of(self, X, reset, strict))).T)
        names, columns = columns_of(_columns.dense(X))
        if not columns or len(columns[0]) == 0:
            raise ValueError("X has no rows or no columns")
        if reset:
            self.n_features_in_ = len(columns)
            if names is not None and all(isinstance(n, str) for n in names):
                self.feature_names_in_ = names
            elif hasattr(self, "feature_names_in_"):
                del self.feature_names_in_
        elif len(columns) != self.n_features_in_:
            raise ValueError(f"X has {len(columns)} features, but {type(self).__name__} is expecting {self.n_features_in_} features as input")
        elif names is not None and hasattr(self, "feature_names_in_") and list(names) != list(self.feature_names_in_):
            raise ValueError("The feature names should match those that were passed during fit.")
        for c in columns:
            infinite = c.dtype == float and np.isinf(c).any()
            if infinite or strict and (np.isnan(c).any() if c.dtype == float else np.isnat(c).any() if c.dtype.kind == "M" else any(map(is_gap, c))):
                raise ValueError("Input X contains NaN or infinity; see the parameter missing.")
        return columns

    def _least_leaf(self, weight):
        """The least size of a leaf, None for octgen's default, 1, and whether it counts rows in place of weight."""
        least, share = self.min_samples_leaf, self.min_weight_fraction_leaf
        if least is not None and not isinstance(least, numbers.Integral) and 0 < least < 1:
            least = math.ceil(least * len(weight))
        if least == 1 or least is None:  # which forbids no leaf of a row, whatever its weight
            least = None if weight.min() >= 1 else 0
        elif (weight == weight[0]).all():
            least = least * weight[0]
        elif least > 1 and not self._counts_rows:
            raise ValueError(f"min_samples_leaf is {self.min_samples_leaf!r}, and {type(self).__name__} bounds rows with different weights by weight: use min_weight_fraction_leaf")
        elif least > 1 and share:
            raise ValueError(f"min_samples_leaf is {self.min_samples_leaf!r} and min_weight_fraction_leaf {share!r}: rows with different weights have one of the two")
        elif least > 1:
            return least, True
        return (max(least or 0, share * weight.sum()) if share else least), False

    def _flags(self, weight, alpha):
        depth = "none" if self.max_depth is None else self.max_depth
        if not isinstance(depth, str) and depth == 0:
            depth, alpha = 1, 2.0  # a price that no split is worth
        if self.method in _ONE_SPLIT and self.max_depth in (None, _DEFAULT_DEPTH):
            depth = None
        least, rows = self._least_leaf(weight)
        flags = {"method": self.method, "min-leaf": least, "count-rows": rows, "alpha": alpha, "depth": depth, "task": self._task,
                 "time-limit": None if self.time_limit == _DEFAULT_LIMIT else self.time_limit,
                 "missing": "drop" if self.missing == "error" else self.missing}
        if getattr(self, "quantile", None) is not None:
            flags["quantile"] = self.quantile
        if self.max_leaf_nodes is not None:
            flags["max-splits"] = self.max_leaf_nodes - 1
        jobs = self.n_jobs
        if jobs is None and multiprocessing.parent_process() is not None:  # one of several processes at work
            jobs = 1
        if jobs is not None and jobs > 0 and not (jobs == 1 and self.method in _ONE_THREAD):
            flags["threads"] = jobs
        if self.random_state is not None:
            seed = self.random_state
            flags["seed"] = seed if isinstance(seed, numbers.Integral) else seed.randint(2**31 - 1)
        return flags

    def _fit_table(self, columns, targets, weight, alpha, groups=None):
        """Fits to the columns. targets are the names and the columns of what is to be learned: codes with their texts, or numbers."""
        table = Table(self._names, columns)
        flags = self._flags(weight, alpha)
        names = [table.add(name, *column) for name, column in targets]
        if len(names) > 1:
            flags["rewards"] = [name.replace(",", "\\,") for name in names]
        else:
            flags["target"] = names[0]
        if (weight != 1).any():
            flags["weight"] = table.add("weight", {}, weight)
        flags["dates"] = ["none"] + [f"{name}={form}" for name, form in table.dates]
        hidden, shown = table.add_groups(groups)
        flags["group"], flags["group-as-feature"] = hidden, shown
        for name, value in (self.options or {}).items():
            flags[name.replace("_", "-")] = os.path.abspath(value) if name == "proof" else value  # the worker has a folder of its own
        limit = self.time_limit or _DEFAULT_LIMIT
        show, end = _worker.bar(limit) if self.verbose or self.verbose is None and _worker.watched() else (None, lambda: None)
        try:
            printed = _worker.run(["fit", table.name, "--json", "--quiet", *arguments(flags)], table=table.request(), progress=show)
        finally:
            end()
        self.result_ = json.loads(printed)
        self._take(self.result_)

    def _take(self, result):
        """Sets what is known of the tree of a result."""
        self.tree_ = result["tree"]
        self.status_, self.objective_, self.bound_ = result["status"], result.get("objective"), result.get("bound")
        self.certificate_ = {key: result.get(key) for key in ("status", "claim", "objective", "bound", "gap", "engine", "prover", "limit", "seconds", "proof")}
        if result["limit"] and result["status"] != "optimal":
            gap = result.get("gap")
            far = "no bound" if gap is None else f"gap {100 * gap:.3g} %"
            warnings.warn(f"the tree is the best one found ({far}): the fit was ended by the limit {result['limit']!r} before a proof", NotProvedWarning, stacklevel=4)

    def _fitted(self):
        if not hasattr(self, "tree_"):
            raise NotFittedError(f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with appropriate arguments before using this estimator.")

    def encode(self, X: Any) -> np.ndarray:
        """The features of the tree, an array (n_samples, n_features): numbers as they are, categories as numbers of features of their own.

        tree_["features"] has their names.
        """
        self._fitted()
        return np.column_stack(self._features(self._read(X, reset=False)))

    def _features(self, columns):
        from ._encode import features_of

        return features_of(self.tree_["encoder"]["columns"], columns, self.unknown)

    def apply(self, X: Any) -> np.ndarray:
        """The node of tree_ that each row (n_samples,) ends in, a leaf."""
        self._fitted()
        features = self._features(self._read(X, reset=False))
        leaf = np.zeros(len(features[0]) if features else 0, dtype=np.intp)
        for at, node in enumerate(self.tree_["nodes"]):  # children come after their parent
            split = node.get("split")
            if split is None:
                continue
            here = np.flatnonzero(leaf == at)
            terms = split["terms"]
            total = terms[0]["weight"] * features[terms[0]["feature"]][here]
            for term in terms[1:]:  # in this order, as octgen adds them
                total = total + term["weight"] * features[term["feature"]][here]
            leaf[here] = np.where(total < split["threshold"], node["left"], node["right"])
        return leaf

    def _paths(self):
        """The nodes from the root to each node."""
        nodes = self.tree_["nodes"]
        above = [[0]] + [None] * (len(nodes) - 1)
        for at, node in enumerate(nodes):
            if "split" in node:
                for child in (node["left"], node["right"]):
                    above[child] = above[at] + [child]
        return above

    def decision_path(self, X: Any) -> Any:
        """The nodes that each row comes by: a sparse matrix (n_samples, n_nodes) of 0 and 1; it needs scipy."""
        from scipy.sparse import csr_matrix

        leaf, above = self.apply(X), self._paths()
        places = [above[at] for at in leaf]
        starts = np.concatenate([[0], np.cumsum([len(p) for p in places])])
        on = np.concatenate(places).astype(np.intp) if len(places) else np.empty(0, dtype=np.intp)
        return csr_matrix((np.ones(len(on), dtype=np.intp), on, starts), shape=(len(leaf), len(above)))

    @property
    def feature_importances_(self) -> np.ndarray:
        """The share of each column (n_features_in_,) in the decrease of impurity (Gini; of numbers and rewards the squares between
        leaves), as scikit-learn has it. A split on several columns counts for each by the size of its weight."""
        from ._encode import width

        self._fitted()
        columns, of = self.tree_["encoder"]["columns"], []
        for at, column in enumerate(columns):
            of += [at] * width(column)
        gain = np.zeros(len(columns))
        for node in self.tree_["nodes"]:
            if "split" not in node:
                continue
            sides = [self.tree_["nodes"][node[side]] for side in ("left", "right")]
            size = np.array([abs(t["weight"]) for t in node["split"]["terms"]], dtype=float)
            lost = self._impurity(node) - sum(self._impurity(side) for side in sides)
            if "value" in node:  # the squares within leaves are not kept: those between them are
                lost = sum(np.sum(side["weight"]) * (side["value"] - node["value"]) ** 2 for side in sides)
            for term, part in zip(node["split"]["terms"], size / size.sum()):
                gain[of[term["feature"]]] += lost * part
        return gain / gain.sum() if gain.sum() > 0 else gain

    @staticmethod
    def _impurity(node):
        weight = np.array(node["weight"], dtype=float)
        return weight.sum() - (weight**2).sum() / weight.sum() if weight.sum() > 0 else 0.0

    def get_depth(self) -> int:
        """The number of splits on the longest path."""
        self._fitted()
        return max(map(len, self._paths())) - 1

    def get_n_leaves(self) -> int:
        """The number of leaves."""
        self._fitted()
        return sum("split" not in node for node in self.tree_["nodes"])


class Table:
    """A table for the worker."""

    name = "X"

    def __init__(self, names, columns):
        self.taken, self.columns, self.buffers, self.dates = set(), [], [], []
        self.rows = len(columns[0])
        for name, column in zip(names, columns):
            what, buffer, form = _columns.written(column)
            self.add(name, what, buffer)
            if form is not None:
                self.dates.append((name, form))

    def add(self, name, what, buffer):
        """Adds a column, whose name is changed where it is taken, and returns the name."""
        name = _columns.free(name, self.taken)
        self.columns.append({"name": name, **what})
        self.buffers.append(np.ascontiguousarray(buffer, dtype="<i4" if "texts" in what else "<f8"))
        return name

    def add_groups(self, groups):
        """Adds columns of groups; returns the names of the new ones, and of those that are features, too."""
        hidden, shown = [], []
        for name, values in groups_of(groups):
            column = values.astype(object)
            if len(column) != self.rows:
                raise ValueError(f"groups has {len(column)} rows, X has {self.rows}")
            codes, texts = _columns.codes_of(column)
            if name in self.taken:
                shown.append(name)
            else:
                hidden.append(self.add(name, {"texts": texts}, codes))
        return hidden, shown

    def request(self):
        """The table as the worker has it."""
        return {"name": self.name, "rows": self.rows, "columns": self.columns, "buffers": self.buffers}


def groups_of(groups):
    """The names and values of groups: an array is the group "group", a Series has its name, a dict or frame has several."""
    if groups is None:
        return []
    if isinstance(groups, dict):
        return [(str(name), np.asarray(values)) for name, values in groups.items()]
    if _columns.is_frame(groups):
        return [(str(name), column) for name, column in zip(*columns_of(groups))]
    return [(str(getattr(groups, "name", None) or "group"), np.asarray(groups))]


def arguments(flags):
    """Flags as arguments: True is a flag without a value, a list one that is repeated, None and False are none."""
    given = [(name, v) for name, value in flags.items() for v in (value if isinstance(value, (list, tuple)) else [value])]
    return [f"--{name}" if value is True else f"--{name}={_columns.text_of(value)}" for name, value in given if value is not False and value is not None]
