"""Optimal decision trees in scikit-learn's manner.

OptimalTreeClassifier and OptimalTreeRegressor have the octgen program fit the tree; numpy alone is needed
beside it, and scikit-learn's base classes and exceptions are used where they are. The
program is the one that the environment variable OCTGEN names, or octgen on PATH.
"""

import csv
import inspect
import json
import numbers
import os
import shutil
import subprocess
import tempfile

import numpy as np

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
    from sklearn.exceptions import NotFittedError
    from sklearn.utils import check_array, column_or_1d
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import _check_sample_weight

    try:
        from sklearn.utils.validation import validate_data
    except ImportError:  # before 1.6

        def validate_data(estimator, *args, **kwargs):
            return estimator._validate_data(*args, **kwargs)

    HAS_SKLEARN = True
except ImportError:
    HAS_SKLEARN = False

    class NotFittedError(ValueError, AttributeError):
        """The estimator is used before fit."""

    class BaseEstimator:
        """Parameters are those of __init__, as scikit-learn has it."""

        @classmethod
        def _names(cls):
            return [p for p in inspect.signature(cls.__init__).parameters if p != "self"]

        def get_params(self, deep=True):
            return {name: getattr(self, name) for name in self._names()}

        def set_params(self, **params):
            for name, value in params.items():
                if name not in self._names():
                    raise ValueError(f"Invalid parameter {name!r} for estimator {self!r}")
                setattr(self, name, value)
            return self

    class ClassifierMixin:
        """A score for classifiers."""

        _estimator_type = "classifier"

        def score(self, X, y, sample_weight=None):
            return float(np.average(np.asarray(y) == self.predict(X), weights=sample_weight))

    class RegressorMixin:
        """A score for regressors: R2."""

        _estimator_type = "regressor"

        def score(self, X, y, sample_weight=None):
            y = np.asarray(y, dtype=float)
            off = np.average((y - self.predict(X)) ** 2, weights=sample_weight)
            return float(1 - off / np.average((y - np.average(y, weights=sample_weight)) ** 2, weights=sample_weight))


__all__ = ["OptimalTreeClassifier", "OptimalTreeRegressor", "OctgenError", "OctgenNotFoundError"]

_MISSING = "?"  # of texts, in files and as the name of a category
_RESERVED = frozenset((  # flags that the estimator's own files and answers need as it sets them
    "help", "h", "json", "quiet", "output", "o", "target", "weight", "class-weight", "ignore", "missing", "unknown",
    "na-values", "decimal", "delimiter", "no-header", "categorical-columns", "code", "dates"))


class OctgenError(RuntimeError):
    """octgen failed."""


class OctgenNotFoundError(OctgenError):
    """There is no octgen program."""


def _binary():
    named = os.environ.get("OCTGEN")
    found = shutil.which(named or "octgen")
    if found is None:
        where = f"$OCTGEN is {named!r}, which is no program" if named else "there is no octgen on PATH, and $OCTGEN is not set"
        raise OctgenNotFoundError(f"octgen was not found: {where}. Build it (make build) and set OCTGEN to bin/octgen.")
    return found


def _run(args):
    done = subprocess.run([_binary(), *args], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8")
    if done.returncode != 0:
        message = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        kind = ValueError if done.returncode == 2 else OctgenError
        raise kind(message[0])
    return done.stdout


class _OptimalTree(BaseEstimator):
    """What the estimators share."""

    _task = "classification"

    def _more_tags(self):
        return {"allow_nan": self.missing != "error"}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing != "error"
        return tags

    def _check_missing(self):
        for name, allowed in (("missing", ("error", "mean", "category", "route")), ("unknown", ("error", "other"))):
            if getattr(self, name) not in allowed:
                raise ValueError(f"{name} is {getattr(self, name)!r}, expected one of {allowed}")

    def _check_kinds(self):
        seed, jobs = self.random_state, self.n_jobs
        if seed is not None and not isinstance(seed, numbers.Integral) and not hasattr(seed, "randint"):
            raise ValueError(f"random_state is {seed!r}, expected an int, a RandomState or None")
        if jobs is not None and (not isinstance(jobs, numbers.Integral) or jobs == 0):
            raise ValueError(f"n_jobs is {jobs!r}, expected an int other than 0, or None")
        if self.options is None:
            return
        if not isinstance(self.options, dict) or not all(isinstance(name, str) for name in self.options):
            raise TypeError(f"options is {self.options!r}, expected a dict of flags by their names")
        for name in self.options:
            if name.replace("_", "-") in _RESERVED:
                raise ValueError(f"options has {name!r}, a flag that the estimator sets itself")

    def _training(self, X, y, sample_weight):
        """The columns of X, the target and the weights, all checked."""
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None")
        texts = _has_texts(X)
        if HAS_SKLEARN and not texts:
            X, y = validate_data(self, X, y, dtype=np.float64, **_finite(self.missing == "error"))
            y = self._labels(y)
            columns = list(X.T)
        else:
            columns = self._columns(X, reset=True)
            y = column_or_1d(y, warn=True) if HAS_SKLEARN else np.ravel(np.asarray(y))
            y = self._labels(y)
            if len(y) != len(columns[0]):
                raise ValueError(f"X has {len(columns[0])} rows, y has {len(y)}")
        if HAS_SKLEARN:
            weight = _check_sample_weight(sample_weight, np.empty((len(y), 1)), dtype=np.float64)
        else:
            weight = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, dtype=float)
        if weight.shape != (len(y),) or not np.isfinite(weight).all() or (weight < 0).any():
            raise ValueError("sample_weight must have a finite number of at least 0 for every row")
        return columns, y, weight

    def _columns(self, X, reset):
        """The columns of X, of float or of texts; checks what scikit-learn does not."""
        if HAS_SKLEARN and not _has_texts(X):
            if reset:
                return list(validate_data(self, X, dtype=np.float64, **_finite(self.missing == "error")).T)
            return list(validate_data(self, X, dtype=np.float64, reset=False, **_finite(self.missing == "error")).T)
        names = None
        if hasattr(X, "columns"):
            names = np.asarray(X.columns, dtype=object)
            columns = [_column(np.asarray(X[name], dtype=object) if not _is_numeric(X[name]) else np.asarray(X[name], dtype=float)) for name in X.columns]
        else:
            X = np.asarray(X, dtype=object if isinstance(X, (list, tuple)) else None)
            if X.ndim != 2:
                raise ValueError(f"Expected 2D array, got {X.ndim}D array instead. Reshape your data.")
            columns = [_column(c) for c in X.T]
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
            bad = np.isinf(c).any() if c.dtype == float else False
            if bad or self.missing == "error" and any(_is_gap(v) for v in c):
                raise ValueError("Input X contains NaN or infinity; see the parameter missing.")
        return columns

    def _flags(self, weight, alpha, texts):
        least = self.min_samples_leaf
        if least is not None and not isinstance(least, numbers.Integral) and 0 < least < 1:
            least = least * weight.sum()
        if least == 1 or least is None:  # which forbids no leaf of a row, whatever its weight
            least = None if weight.min() >= 1 else 0
        if self.min_weight_fraction_leaf:
            least = max(least or 0, self.min_weight_fraction_leaf * weight.sum())
        depth = self.max_depth
        if not isinstance(depth, str) and depth == 0:
            depth, alpha = 1, 2.0  # a price that no split is worth
        flags = {"method": self.method, "min-leaf": least, "alpha": alpha, "depth": depth,
                 "time-limit": None if self.time_limit == 60 else self.time_limit,
                 "missing": "drop" if self.missing == "error" else self.missing, "na-values": _MISSING,
                 # the file is what was written, with nothing to recognise
                 "header": True, "delimiter": ",", "decimal": ".", "dates": "none", "task": self._task}
        if getattr(self, "quantile", None) is not None:
            flags["quantile"] = self.quantile
        if self.max_leaf_nodes is not None:
            flags["max-splits"] = self.max_leaf_nodes - 1
        if texts:
            flags["categorical-columns"] = ",".join(name.replace(",", "\\,") for name in texts)
        if self.n_jobs is not None and self.n_jobs > 0:
            flags["threads"] = self.n_jobs
        if self.random_state is not None:
            seed = self.random_state
            flags["seed"] = seed if isinstance(seed, numbers.Integral) else seed.randint(2**31 - 1)
        for name, value in (self.options or {}).items():
            flags[name.replace("_", "-")] = value
        given = [(name, v) for name, value in flags.items() for v in (value if isinstance(value, (list, tuple)) else [value])]
        return [f"--{name}" if value is True else f"--{name}={_text(value)}" for name, value in given if value is not False and value is not None]

    def _fit_file(self, columns, labels, weight, alpha):
        taken = set(self._names)
        target, weights = (_free(name, taken) for name in ("class", "weight"))
        header = self._names + [target]
        fields = [[_text(v) for v in c.tolist()] for c in columns] + [labels]
        extra = [f"--target={target}"]
        if (weight != 1).any():
            header.append(weights)
            fields.append([repr(w) for w in weight.tolist()])
            extra.append(f"--weight={weights}")
        texts = [name for name, c in zip(self._names, columns) if c.dtype == object]
        with tempfile.TemporaryDirectory(prefix="octgen") as folder:
            data, tree = os.path.join(folder, "data.csv"), os.path.join(folder, "tree.json")
            with open(data, "w", encoding="utf-8", newline="") as f:
                out = csv.writer(f, lineterminator="\n", quoting=csv.QUOTE_ALL)
                out.writerow(header)
                out.writerows(zip(*fields))
            self.result_ = json.loads(self._run_fit([data, "-o", tree, *extra, *self._flags(weight, alpha, texts)]))
            with open(tree, encoding="utf-8") as f:
                self.tree_ = json.load(f)
            self._text = _run(["show", tree])
        self.status_ = self.result_["status"]
        self.objective_, self.bound_ = self.result_.get("objective"), self.result_.get("bound")

    def _run_fit(self, args):
        """What octgen fit prints. One thread is what methods without threads have."""
        try:
            return _run(["fit", "--json", "--quiet", *args])
        except ValueError as e:
            if self.n_jobs != 1 or "--threads" not in str(e):
                raise
        return _run(["fit", "--json", "--quiet", *(a for a in args if a != "--threads=1")])

    def _fitted(self):
        if not hasattr(self, "tree_"):
            raise NotFittedError(f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with appropriate arguments before using this estimator.")

    def apply(self, X):
        """The node of tree.json that each row ends in, a leaf."""
        self._fitted()
        features = self._encode(self._columns(X, reset=False))
        n = len(features[0]) if features else 0
        leaf = np.zeros(n, dtype=np.intp)
        nodes = self.tree_["nodes"]
        for at, node in enumerate(nodes):  # children come after their parent
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

    def _encode(self, columns):
        """The features of the tree, made of the columns as its encoder has it."""
        features = []
        for column, known in zip(columns, self.tree_["encoder"]["columns"]):
            if known["kind"] == "numeric":
                features += self._encode_numbers(column, known)
            else:
                features += self._encode_texts(column, known)
        return features

    def _encode_numbers(self, column, known):
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

    def _encode_texts(self, column, known):
        place = {text: k for k, text in enumerate(known["categories"])}
        fill = place.get(known.get("impute_category", _MISSING))
        index = np.empty(len(column))
        for i, value in enumerate(column):
            if _is_gap(value):
                if fill is None:
                    raise ValueError(f"Input X contains NaN in column {known['name']!r}, which had none in training")
                index[i] = fill
                continue
            k = place.get(_text(value))
            if k is None and self.unknown != "other":
                raise ValueError(f"column {known['name']!r} holds {value!r}, which training did not have (unknown='other' takes it as none)")
            index[i] = -1 if k is None else k
        if known["kind"] == "ordinal":
            return [index]
        if known["kind"] == "subsets":
            return _sets(index, known)
        if len(place) == 2:
            return [(index == 1).astype(float)]
        return [(index == k).astype(float) for k in range(len(place))]

    def decision_path(self, X):
        """The nodes that each row comes by: a sparse matrix (n_samples, n_nodes) of 0 and 1; it needs scipy."""
        from scipy.sparse import csr_matrix

        leaf, nodes = self.apply(X), self.tree_["nodes"]
        above = [[0]] + [None] * (len(nodes) - 1)
        for at, node in enumerate(nodes):
            if "split" in node:
                for child in (node["left"], node["right"]):
                    above[child] = above[at] + [child]
        places = [above[at] for at in leaf]
        starts = np.concatenate([[0], np.cumsum([len(p) for p in places])])
        on = np.concatenate(places).astype(np.intp) if len(places) else np.empty(0, dtype=np.intp)
        return csr_matrix((np.ones(len(on), dtype=np.intp), on, starts), shape=(len(leaf), len(nodes)))

    @property
    def feature_importances_(self):
        """The share of each column in the decrease of impurity (Gini; of numbers the squared error), as scikit-learn has it. A split on
        several columns counts for each by the size of its weight."""
        self._fitted()
        columns, of = self.tree_["encoder"]["columns"], []
        for at, column in enumerate(columns):
            of += [at] * _width(column)
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

    def get_depth(self):
        """The number of splits on the longest path."""
        self._fitted()
        nodes = self.tree_["nodes"]
        depth = [0] * len(nodes)
        for at, node in enumerate(nodes):
            if "split" in node:
                depth[node["left"]] = depth[node["right"]] = depth[at] + 1
        return max(depth)

    def get_n_leaves(self):
        """The number of leaves."""
        self._fitted()
        return sum("split" not in node for node in self.tree_["nodes"])

    def export_text(self):
        """The tree as text."""
        self._fitted()
        return self._text

    def export(self, to, **options):
        """What `octgen export` writes of the tree for a target, as bytes: "sql", "c",
        "onnx" and so on; options are its flags."""
        self._fitted()
        with tempfile.TemporaryDirectory(prefix="octgen") as folder:
            tree, out = os.path.join(folder, "tree.json"), os.path.join(folder, "out")
            with open(tree, "w", encoding="utf-8") as f:
                json.dump(self.tree_, f)
            _run(["export", tree, f"--to={to}", "-o", out, *(f"--{k.replace('_', '-')}={v}" for k, v in options.items())])
            with open(out, "rb") as f:
                return f.read()


class OptimalTreeClassifier(ClassifierMixin, _OptimalTree):
    """A decision tree that is proved to be optimal, or close to it.

    Parameters
    ----------
    max_depth : int or "none", default=None
        0 is a single leaf.
        Greatest number of splits on a path, "none" for no limit (with alpha). None is octgen's
        choice: 3 where the exact search fits (so of "oct"), else 2; methods of one split have no depth.
    min_samples_leaf : int or float, default=1
        Least training weight of a leaf: of rows without weights, their number. A float
        below 1 is a share of all weight. None is 1, and 1 forbids no leaf of a row, whatever its weight.
    max_leaf_nodes : int, default=None
        Most leaves.
    ccp_alpha : float, default=0.0
        Price of a leaf, as a share of all training weight that is misclassified. None
        and 0 are no price, and for the tuned methods, which choose one, their choice.
    alpha : float, default=None
        Price of a split in octgen's own unit, the errors of the single leaf; instead
        of ccp_alpha.
    class_weight : dict, "balanced" or None, default=None
        Factors on the weights of the rows of a class; the classes are those of y.
    method : str, default="oct"
        What octgen fits: "oct" (univariate splits, optimal), "oct-h" (hyperplanes),
        "cart", "local-search" and the others that `octgen methods` lists, but for "policy",
        which learns from rewards.
    time_limit : float, default=60
        Seconds; the best tree until then is taken, and status_ says "feasible". None is 60.
    missing : {"error", "mean", "category", "route"}, default="error"
        What becomes of missing values (NaN, None): an error, the mean or most frequent
        category, a category of their own, or on the side that each split chooses. A text "?" is missing, too.
    unknown : {"error", "other"}, default="error"
        What becomes of texts that training did not have: an error, or none of them.
    random_state : int, RandomState or None, default=None
        Seed of methods that draw.
    n_jobs : int, default=None
        Threads; octgen's choice where it is None or negative. 1 suits every method.
    options : dict, default=None
        Other flags of `octgen fit` by their names, such as {"encoding": "bigm"};
        True is a flag without a value, a list one that is repeated. Flags of the files that the estimator itself
        writes and reads, such as target, output and decimal, are a ValueError.

    min_weight_fraction_leaf : float, default=0.0
        Least training weight of a leaf as a share of all weight, besides min_samples_leaf.

    What a parameter leaves at its default is not sent to octgen, so a method that lacks
    the flag works; a value that is set and that the method cannot take is a ValueError.

    Attributes
    ----------
    classes_, n_classes_, n_features_in_, feature_names_in_ : as scikit-learn has them
    tree_ : dict
        tree.json, with the names of your columns, but without blanks around them;
        columns whose names are no texts, numbers, empty or there twice are x0, x1, ...
        Classes have their texts, or c0, c1, ... where these are no texts of a file.
    result_ : dict
        What `octgen fit --json` says.
    status_ : str
        "optimal" where the tree is proved to be.
    objective_, bound_ : float or None
        Of the tree, and what is proved of all trees, in octgen's units.
    feature_importances_ : array (n_features_in_,)
    """

    def __init__(self, max_depth=None, min_samples_leaf=1, max_leaf_nodes=None, ccp_alpha=0.0, alpha=None,
                 class_weight=None, method="oct", time_limit=60, missing="error", unknown="error",
                 random_state=None, n_jobs=None, options=None, min_weight_fraction_leaf=0.0):
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.ccp_alpha = ccp_alpha
        self.alpha = alpha
        self.class_weight = class_weight
        self.method = method
        self.time_limit = time_limit
        self.missing = missing
        self.unknown = unknown
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.options = options
        self.min_weight_fraction_leaf = min_weight_fraction_leaf

    def fit(self, X, y, sample_weight=None):
        """Fit the tree. X is an array, or a DataFrame, whose columns may be texts."""
        self._check_missing()
        self._check_kinds()
        columns, y, weight = self._training(X, y, sample_weight)
        self.classes_, label = np.unique(y, return_inverse=True)
        self.n_classes_ = len(self.classes_)
        weight = weight * self._class_factors(label, weight)
        kept = weight > 0
        if not kept.any():
            raise ValueError("all sample weights are zero")
        columns = [c[kept] for c in columns]
        label, weight = label[kept], weight[kept]
        self._names = _file_names(getattr(self, "feature_names_in_", [None] * len(columns)), "x")
        labels = _file_names([str(c) for c in self.classes_], "c")
        self._fit_file(columns, [labels[k] for k in label], weight, self._price(label, weight))
        self._class_of = np.array([labels.index(c) for c in self.tree_["classes"]])
        return self

    def _labels(self, y):
        if HAS_SKLEARN:
            check_classification_targets(y)
        return y

    def _class_factors(self, label, weight):
        if self.class_weight is None:
            return np.ones(len(label))
        if isinstance(self.class_weight, str) and self.class_weight == "balanced":
            of = np.bincount(label, weight, self.n_classes_)
            factors = weight.sum() / ((of > 0).sum() * np.where(of > 0, of, 1))
        elif isinstance(self.class_weight, dict):
            strange = [c for c in self.class_weight if c not in self.classes_.tolist()]
            if strange:
                raise ValueError(f"class_weight has {strange}, which are no classes of y")
            factors = np.array([self.class_weight.get(c, 1.0) for c in self.classes_.tolist()], dtype=float)
        else:
            raise ValueError(f"class_weight is {self.class_weight!r}, expected a dict, 'balanced' or None")
        return factors[label]

    def _price(self, label, weight):
        """alpha in octgen's unit, the errors of the single leaf; None where none is given."""
        if self.alpha is not None:
            if self.ccp_alpha:
                raise ValueError("ccp_alpha and alpha are the same price in two units; give one of them")
            return self.alpha
        if self.ccp_alpha is None or self.ccp_alpha == 0:
            return None
        if not self.ccp_alpha > 0:
            raise ValueError(f"ccp_alpha is {self.ccp_alpha}, expected a number of at least 0")
        errors = weight.sum() - np.bincount(label, weight).max()
        return self.ccp_alpha * weight.sum() / errors if errors > 0 else 0.0

    def predict(self, X):
        """The class of each row."""
        leaf = self.apply(X)
        of = np.array([self._class_of[node["class"]] for node in self.tree_["nodes"]])
        return self.classes_[of[leaf]]

    def predict_proba(self, X):
        """The share of each class in the training weight of each row's leaf."""
        leaf = self.apply(X)
        shares = np.zeros((len(self.tree_["nodes"]), self.n_classes_))
        for at, node in enumerate(self.tree_["nodes"]):
            weight = np.array(node["weight"], dtype=float)
            if weight.sum() > 0:
                shares[at, self._class_of] = weight / weight.sum()
            else:
                shares[at, self._class_of[node["class"]]] = 1
        return shares[leaf]

    def predict_log_proba(self, X):
        """The logarithm of predict_proba."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))


class OptimalTreeRegressor(RegressorMixin, _OptimalTree):
    """A regression tree that is proved to have the least squared error, or the least loss of a quantile.

    Parameters
    ----------
    max_depth, min_samples_leaf, min_weight_fraction_leaf, max_leaf_nodes, time_limit, missing, unknown, random_state, n_jobs, options :
        as of OptimalTreeClassifier; of options all that `octgen fit --method ort` takes, such as {"monotone": "age=+1"}
    alpha : float, default=None
        Price of a split, as a part of the squared error of the mean alone (SSE / SST + alpha x splits).
    quantile : float, default=None
        What leaves predict: None the mean, 0.5 the median (the least absolute error), else this quantile.
    method : str, default="ort"
        "ort" (optimal), "ort-tuned" (alpha chosen on validation rows), "cart", "cart-tuned" or "local-search".

    Attributes
    ----------
    tree_, result_, status_, objective_, bound_, feature_importances_, n_features_in_, feature_names_in_ :
        as of OptimalTreeClassifier; "optimal" is to within 1e-9 of the squared error of the mean alone
    """

    _task = "regression"

    def __init__(self, max_depth=None, min_samples_leaf=1, max_leaf_nodes=None, alpha=None, quantile=None, method="ort",
                 time_limit=60, missing="error", unknown="error", random_state=None, n_jobs=None, options=None, min_weight_fraction_leaf=0.0):
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.alpha = alpha
        self.quantile = quantile
        self.method = method
        self.time_limit = time_limit
        self.missing = missing
        self.unknown = unknown
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.options = options
        self.min_weight_fraction_leaf = min_weight_fraction_leaf

    def fit(self, X, y, sample_weight=None):
        """Fit the tree. X is an array, or a DataFrame, whose columns may be texts; y has finite numbers."""
        self._check_missing()
        self._check_kinds()
        columns, y, weight = self._training(X, y, sample_weight)
        kept = weight > 0
        if not kept.any():
            raise ValueError("all sample weights are zero")
        self._names = _file_names(getattr(self, "feature_names_in_", [None] * len(columns)), "x")
        self._fit_file([c[kept] for c in columns], [repr(v) for v in y[kept].tolist()], weight[kept], self.alpha)
        return self

    def _labels(self, y):
        y = np.asarray(y, dtype=float)
        if not np.isfinite(y).all():
            raise ValueError("Input y contains NaN or infinity.")
        return y

    def predict(self, X):
        """The number of each row."""
        values = np.array([node["value"] for node in self.tree_["nodes"]]) if hasattr(self, "tree_") else None
        return values[self.apply(X)] if values is not None else self.apply(X)


def _finite(strict):
    """The argument of scikit-learn that lets NaN pass, whose name changed in 1.6."""
    name = "ensure_all_finite" if "ensure_all_finite" in inspect.signature(check_array).parameters else "force_all_finite"
    return {name: True if strict else "allow-nan"}


def _is_numeric(series):
    kind = getattr(series.dtype, "kind", "O")
    return kind in "biuf" and not hasattr(series, "cat")


def _has_texts(X):
    """Whether a column holds texts: only then are columns told apart."""
    if hasattr(X, "columns") and hasattr(X, "dtypes"):
        return any(not _is_numeric(X[name]) for name in X.columns) if X.columns.is_unique else False
    if isinstance(X, (list, tuple)):
        X = np.array(X, dtype=object)
    if isinstance(X, np.ndarray) and X.dtype.kind in "OU" and X.ndim == 2:
        return X.dtype.kind == "U" or any(isinstance(v, str) for v in X.flat)
    return False


def _column(values):
    """The values as float where none is a text, else as objects."""
    if values.dtype.kind not in "OU":
        return values.astype(float)
    if values.dtype.kind == "U" or any(isinstance(v, str) for v in values):
        return values.astype(object)
    if all(_is_gap(v) or isinstance(v, numbers.Real) for v in values):
        return np.array([np.nan if _is_gap(v) else v for v in values], dtype=float)
    return values.astype(object)


def _sets(index, known):
    """The features of sets of categories, as in the encoder of tree.json."""
    n, order = len(known["categories"]), known.get("order")
    if order:
        place = np.empty(n)
        place[order] = np.arange(n)
        place = np.where(index < 0, -1, place[index.astype(int)])
        return [(place >= k).astype(float) for k in range(1, n)]
    bits = np.where(index > 0, 2.0 ** (index - 1), 0).astype(int)
    return [(bits & mask > 0).astype(float) for mask in range(1, max(2, 2 ** (n - 1)))]


def _width(column):
    """The number of features of a column of the encoder."""
    if column["kind"] == "numeric":
        return 2 if column.get("indicator") or column.get("route") else 1
    n = len(column["categories"])
    if column["kind"] == "subsets":
        return max(1, n - 1 if column.get("order") else 2 ** (n - 1) - 1)
    return n if column["kind"] == "onehot" and n != 2 else 1


def _is_gap(value):
    if isinstance(value, str):
        return value.strip() in ("", _MISSING)
    return value is None or type(value).__name__ in ("NAType", "NaTType") or value != value


def _text(value):
    """The value as a field of a file; a missing one as an empty field."""
    if isinstance(value, (float, np.floating)):
        return "" if value != value else repr(float(value))
    if _is_gap(value):
        return ""
    return str(value).replace("\r\n", "\n").strip()


def _file_names(names, letter):
    """The names, each replaced by a letter and its place where it can be no name of a
    column (letter x) or class in a file."""
    known = [str(n) if isinstance(n, str) else "" for n in names]
    if letter == "x":
        known = [n.replace("\r\n", "\n").strip() for n in known]
    used, out = set(known), []
    for i, name in enumerate(known):
        usable = name and name == name.strip() and known.count(name) == 1
        if letter == "x":
            usable = usable and not _is_number(name) and not set(name) & set("\r\0") and "\\," not in name and not name.endswith("\\")
        else:
            usable = usable and not set(name) & set("\r\n\0,?=")
        out.append(name if usable else _free(f"{letter}{i}", used))
    return out


def _is_number(name):
    try:
        float(name)
    except ValueError:
        return False
    return True


def _free(name, taken):
    while name in taken:
        name += "_"
    taken.add(name)
    return name
