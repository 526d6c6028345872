"""The estimators."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _columns
from ._columns import file_names
from ._sklearn import ClassifierMixin, RegressorMixin, check_classes
from ._tree import OptimalTree, groups_of


class OptimalTreeClassifier(ClassifierMixin, OptimalTree):
    """A decision tree that is proved to make the fewest errors, or close to it.

    Parameters
    ----------
    max_depth : int or None, default=3
        Most splits on a path, up to 16; 0 is a single leaf. None is no limit and needs ccp_alpha, alpha or max_leaf_nodes. Methods of
        one split (rlp, fm and the like) have no depth and do not look at the default.
    min_samples_leaf : int or float, default=1
        Fewest training rows of a leaf, whatever they weigh; a float below 1 is a share of the rows. None is 1. Regression, policies and
        hyperplanes refuse other numbers than 1 where weights differ: see min_weight_fraction_leaf.
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
    cost_matrix : array (n_classes, n_classes), default=None
        What an answer costs, with true classes in rows and answers in columns, both in the order of classes_; None is 1 for each error.
    method : str, default="oct"
        What octgen fits: "oct" (univariate splits, optimal), "oct-tuned" (ccp_alpha chosen on validation rows), "cart",
        "local-search" and the others that `octgen methods` lists, but for those of numbers and rewards, which have estimators of their own.
    time_limit : float, default=60
        Seconds; the best tree until then is taken, with a NotProvedWarning, and status_ says "feasible". None is 60.
    missing : {"error", "mean", "category", "route"}, default="error"
        What becomes of missing values (NaN, None, NaT): an error, the mean or most frequent
        category, a category of their own, or on the side that each split chooses. A text "?" is missing, too.
    unknown : {"error", "other"}, default="error"
        What becomes of texts that training did not have: an error, or none of them.
    random_state : int, RandomState or None, default=None
        Seed of methods that draw.
    n_jobs : int, default=None
        Threads; octgen's choice where it is None or negative, but 1 in the processes of joblib and multiprocessing. 1 suits every method.
    options : dict, default=None
        Other flags of `octgen fit` by their names, such as {"encoding": "bigm"} or {"fair": "statistical-parity:sex<=0.05", "positive": "yes"};
        True is a flag without a value, a list one that is repeated. Flags of the data that the estimator itself
        hands over, such as target, output and decimal, are a ValueError.
    min_weight_fraction_leaf : float, default=0.0
        Least training weight of a leaf as a share of all weight, besides min_samples_leaf; where weights differ, one of the two.
    verbose : bool, default=None
        Whether a fit that takes long shows its progress (with tqdm); None is on a terminal and in notebooks.

    Attributes
    ----------
    classes_, n_classes_, n_features_in_, feature_names_in_ : as scikit-learn has them
    tree_ : dict
        tree.json, with the names of your columns, but without blanks around them;
        columns whose names are no texts, numbers, empty or there twice are x0, x1, ...
        Classes have their texts, or c0, c1, ... where these are no texts of a file.
    certificate_ : dict
        What is proved, and by whom: status ("optimal", or "feasible" for a tree without a proof), claim, objective, bound, gap, engine,
        prover, limit (what ended the fit, "" for nothing), seconds, proof (the checked file of options={"proof": FILE}, else None; docs/proof.md).
    status_, objective_, bound_ : str, float or None, float or None
        Those of certificate_. The objective is in octgen's unit: errors (or costs) as a part of those of the single leaf, and alpha for each split; without
        alpha or ccp_alpha a share of the rows or weight.
    result_ : dict
        What `octgen fit --json` says.
    feature_importances_ : array (n_features_in_,)

    Notes
    -----
    Ctrl-C ends a fit early, with the best tree until then; once more it is a KeyboardInterrupt. A parameter that the method does not have is a
    ValueError. Predicting needs no octgen program; fitting and export do. Several threads may fit at the same time.
    The optimal trees are those of Bertsimas & Dunn (2017); the proof is an exact search or a solver's.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from octgen import OptimalTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = OptimalTreeClassifier(max_depth=2).fit(X, y)
    >>> model.status_, int((model.predict(X) != y).sum())
    ('optimal', 6)
    """

    _counts_rows = True

    def __init__(self, max_depth: int | None = 3, min_samples_leaf: float | None = 1, max_leaf_nodes: int | None = None, ccp_alpha: float | None = 0.0, alpha: float | None = None,
                 class_weight: dict | str | None = None, method: str = "oct", time_limit: float | None = 60, missing: str = "error", unknown: str = "error",
                 random_state: Any = None, n_jobs: int | None = None, options: dict[str, Any] | None = None, min_weight_fraction_leaf: float = 0.0, cost_matrix: Any = None, verbose: bool | None = None):
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
        self.cost_matrix = cost_matrix
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> OptimalTreeClassifier:
        """Fit the tree.

        Parameters
        ----------
        X : array, sparse matrix or data frame (n_samples, n_features)
            Numbers; columns of data frames may also be texts, categories, dates and times.
        y : array (n_samples,)
            Classes.
        sample_weight : array (n_samples,), default=None
            Weights of at least 0.
        groups : array, Series, dict or data frame with n_samples rows, default=None
            Groups for constraints of fairness (options={"fair": "statistical-parity:NAME<=0.05", "positive": "yes"}), no features but where a feature has
            the name: several by their names; an array is named "group".

        Returns
        -------
        self
        """
        self._check_parameters()
        columns, y, weight = self._training(X, y, sample_weight)
        self.classes_, label = np.unique(y, return_inverse=True)
        self.n_classes_ = len(self.classes_)
        weight = weight * self._class_factors(label, weight)
        kept = weight > 0
        if not kept.any():
            raise ValueError("all sample weights are zero")
        if not kept.all():
            columns, label, weight = [c[kept] for c in columns], label[kept], weight[kept]
            groups = {name: values[kept] for name, values in groups_of(groups)}
        self._names = file_names(getattr(self, "feature_names_in_", [None] * len(columns)), "x")
        labels = file_names([str(c) for c in self.classes_], "c")
        if self.cost_matrix is not None and any(":" in text for text in labels):
            labels = [f"c{k}" for k in range(len(labels))]
        self._costs = self._cost_flag(labels)
        self._fit_table(columns, [("class", ({"texts": labels}, label))], weight, self._price(label, weight), groups)
        self._class_of = np.array([labels.index(c) for c in self.tree_["classes"]])
        return self

    def _flags(self, weight, alpha):
        return {**super()._flags(weight, alpha), "cost-matrix": self._costs}

    def _cost_flag(self, labels):
        """The cost matrix as octgen takes it, None without one."""
        if self.cost_matrix is None:
            return None
        costs, k = np.asarray(self.cost_matrix, dtype=float), len(labels)
        if costs.shape != (k, k):
            raise ValueError(f"cost_matrix has the shape {costs.shape}, expected {(k, k)}: a row and a column for each class")
        if not (np.isfinite(costs).all() and (costs >= 0).all() and (np.diag(costs) == 0).all()):
            raise ValueError("cost_matrix must have finite numbers of at least 0, and 0 for right answers")
        return ",".join(f"{labels[i]}:{labels[j]}={float(costs[i, j])!r}" for i in range(k) for j in range(k) if i != j) or None

    _labels = staticmethod(check_classes)

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

    def predict(self, X: Any) -> np.ndarray:
        """The class of each row (n_samples,)."""
        leaf = self.apply(X)
        of = np.array([self._class_of[node["class"]] for node in self.tree_["nodes"]])
        return self.classes_[of[leaf]]

    def predict_proba(self, X: Any) -> np.ndarray:
        """The share of each class in the training weight of each row's leaf (n_samples, n_classes)."""
        leaf = self.apply(X)
        shares = np.zeros((len(self.tree_["nodes"]), self.n_classes_))
        for at, node in enumerate(self.tree_["nodes"]):
            weight = np.array(node["weight"], dtype=float)
            if weight.sum() > 0:
                shares[at, self._class_of] = weight / weight.sum()
            else:
                shares[at, self._class_of[node["class"]]] = 1
        return shares[leaf]

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """The logarithm of predict_proba."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))


class OptimalHyperplaneClassifier(OptimalTreeClassifier):
    """A decision tree with splits on several features (OCT-H of Bertsimas & Dunn, 2017), proved to be optimal where that is possible.

    Proofs are rare: small data, or trees without errors. See OptimalTreeClassifier for parameters, attributes and methods; other are these.

    Parameters
    ----------
    max_depth : int, default=2
        Most splits on a path.
    alpha : float, default=None
        Price of a feature in a split, in octgen's unit, the errors of the single leaf.
    method : str, default="oct-h"
        "oct-h", "oct-h-tuned" (alpha chosen on validation rows), or the heuristics "alternating" and "oc1".
    """

    _counts_rows = False

    def __init__(self, max_depth: int | None = 2, min_samples_leaf: float | None = 1, max_leaf_nodes: int | None = None, ccp_alpha: float | None = 0.0, alpha: float | None = None,
                 class_weight: dict | str | None = None, method: str = "oct-h", time_limit: float | None = 60, missing: str = "error", unknown: str = "error",
                 random_state: Any = None, n_jobs: int | None = None, options: dict[str, Any] | None = None, min_weight_fraction_leaf: float = 0.0, cost_matrix: Any = None, verbose: bool | None = None):
        super().__init__(max_depth, min_samples_leaf, max_leaf_nodes, ccp_alpha, alpha, class_weight, method, time_limit, missing, unknown,
                         random_state, n_jobs, options, min_weight_fraction_leaf, cost_matrix, verbose)


class OptimalTreeRegressor(RegressorMixin, OptimalTree):
    """A regression tree that is proved to have the least squared error, or the least loss of a quantile.

    Parameters
    ----------
    max_depth, min_samples_leaf, min_weight_fraction_leaf, max_leaf_nodes, time_limit, missing, unknown, random_state, n_jobs, options, verbose :
        as of OptimalTreeClassifier; of options all that `octgen fit --method ort` takes, such as {"monotone": "age=+1"}
    alpha : float, default=None
        Price of a split, as a part of the squared error of the mean alone (SSE / SST + alpha x splits).
    quantile : float, default=None
        What leaves predict: None the mean, 0.5 the median (the least absolute error), else this quantile.
    method : str, default="ort"
        "ort" (optimal), "ort-tuned" (alpha chosen on validation rows), "cart", "cart-tuned" or "local-search".

    Attributes
    ----------
    tree_, certificate_, result_, status_, objective_, bound_, feature_importances_, n_features_in_, feature_names_in_ :
        as of OptimalTreeClassifier; "optimal" is to within 1e-9 of the squared error of the mean alone
    """

    _task = "regression"

    def __init__(self, max_depth: int | None = 3, min_samples_leaf: float | None = 1, max_leaf_nodes: int | None = None, alpha: float | None = None, quantile: float | None = None, method: str = "ort",
                 time_limit: float | None = 60, missing: str = "error", unknown: str = "error", random_state: Any = None, n_jobs: int | None = None, options: dict[str, Any] | None = None, min_weight_fraction_leaf: float = 0.0, verbose: bool | None = None):
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
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> OptimalTreeRegressor:
        """Fit the tree. X is as of OptimalTreeClassifier; y (n_samples,) has finite numbers."""
        self._check_parameters()
        columns, y, weight = self._training(X, y, sample_weight)
        kept = weight > 0
        if not kept.any():
            raise ValueError("all sample weights are zero")
        self._names = file_names(getattr(self, "feature_names_in_", [None] * len(columns)), "x")
        self._fit_table([c[kept] for c in columns], [("y", ({}, y[kept]))], weight[kept], self.alpha)
        return self

    @staticmethod
    def _labels(y):
        y = np.asarray(y, dtype=float)
        if not np.isfinite(y).all():
            raise ValueError("Input y contains NaN or infinity.")
        return y

    def predict(self, X: Any) -> np.ndarray:
        """The number of each row (n_samples,)."""
        leaf = self.apply(X)
        return np.array([node["value"] for node in self.tree_["nodes"]])[leaf]


class OptimalPolicyTree(OptimalTree):
    """A tree that chooses an action for each row, proved to earn the highest reward (Zhou, Athey & Wager, 2023).

    Parameters
    ----------
    max_depth, min_samples_leaf, min_weight_fraction_leaf, max_leaf_nodes, time_limit, missing, unknown, random_state, n_jobs, options, verbose :
        as of OptimalTreeClassifier, of options all that `octgen fit --method policy` takes
    alpha : float, default=None
        Price of a split, in units of the total reward.

    Attributes
    ----------
    actions_ : array (n_actions,)
        Names of the columns of rewards, or their places where they have none.
    tree_, certificate_, result_, status_, objective_, bound_, feature_importances_, n_features_in_, feature_names_in_ :
        as of OptimalTreeClassifier
    """

    method = "policy"

    def __init__(self, max_depth: int | None = 2, min_samples_leaf: float | None = 1, max_leaf_nodes: int | None = None, alpha: float | None = None, time_limit: float | None = 60, missing: str = "error", unknown: str = "error",
                 random_state: Any = None, n_jobs: int | None = None, options: dict[str, Any] | None = None, min_weight_fraction_leaf: float = 0.0, verbose: bool | None = None):
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.alpha = alpha
        self.time_limit = time_limit
        self.missing = missing
        self.unknown = unknown
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.options = options
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> OptimalPolicyTree:
        """Fit the tree.

        Parameters
        ----------
        X : as of OptimalTreeClassifier
        y : array or data frame (n_samples, n_actions)
            The reward of each action in each row, two actions at least: estimates such as doubly robust scores.
        sample_weight : array (n_samples,), default=None

        Returns
        -------
        self
        """
        self._check_parameters()
        names = list(y.columns) if _columns.is_frame(y) else None
        columns, rewards, weight = self._training(X, y, sample_weight, several=True)
        kept = weight > 0
        if not kept.any():
            raise ValueError("all sample weights are zero")
        self.actions_ = np.arange(rewards.shape[1]) if names is None else np.asarray(names)
        self._names = file_names(getattr(self, "feature_names_in_", [None] * len(columns)), "x")
        labels = file_names([f"action {a}" if names is None else str(a) for a in self.actions_], "x")
        targets = [(label, ({}, rewards[kept, k])) for k, label in enumerate(labels)]
        self._fit_table([c[kept] for c in columns], targets, weight[kept], self.alpha)
        return self

    def _labels(self, y):
        if y.ndim != 2 or y.shape[1] < 2:
            raise ValueError(f"y has the shape {y.shape}, expected (n_samples, n_actions) with two actions at least: the reward of each action in each row")
        if not np.isfinite(y).all():
            raise ValueError("Input y contains NaN or infinity.")
        return y

    def predict(self, X: Any) -> np.ndarray:
        """The action of each row (n_samples,)."""
        leaf = self.apply(X)
        return self.actions_[np.array([node["class"] for node in self.tree_["nodes"]])[leaf]]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The mean reward of the actions of the rows, of which y has all rewards (n_samples, n_actions)."""
        leaf = self.apply(X)
        taken = np.array([node["class"] for node in self.tree_["nodes"]])[leaf]
        return float(np.average(np.asarray(y, dtype=float)[np.arange(len(leaf)), taken], weights=sample_weight))

    @staticmethod
    def _impurity(node):
        """What is lost by one action for all rows of the node, against the best of all."""
        return -max(node["reward"])
