"""scikit-learn's base classes and checks, of any release since 1.2, or what stands in for them."""

import inspect

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
    _FINITE = "ensure_all_finite" if "ensure_all_finite" in inspect.signature(check_array).parameters else "force_all_finite"
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


def numbers_of(estimator, X, reset, strict, y=None):
    """X, an array or a frame of numbers, as scikit-learn checks it; with y both."""
    finite = {_FINITE: True if strict else "allow-nan"}
    given = (X,) if y is None else (X, y)
    return validate_data(estimator, *given, dtype=np.float64, accept_sparse=True, reset=reset, **finite)


def target_of(y):
    """y as an array of one dimension."""
    return column_or_1d(y, warn=True) if HAS_SKLEARN else np.ravel(np.asarray(y))


def weights_of(sample_weight, rows):
    """The weights of rows, 1 without any."""
    if HAS_SKLEARN:
        weight = _check_sample_weight(sample_weight, np.empty((rows, 1)), dtype=np.float64)
    else:
        weight = np.ones(rows) if sample_weight is None else np.asarray(sample_weight, dtype=float)
    if weight.shape != (rows,) or not np.isfinite(weight).all() or (weight < 0).any():
        raise ValueError("sample_weight must have a finite number of at least 0 for every row")
    return weight


def check_classes(y):
    """y, whose values must be those of classes."""
    if HAS_SKLEARN and y.dtype.kind not in "biu":  # whole numbers always are
        check_classification_targets(y)
    return y
