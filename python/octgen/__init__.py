"""Optimal decision trees in scikit-learn's manner.

OptimalTreeClassifier, OptimalHyperplaneClassifier, OptimalTreeRegressor and OptimalPolicyTree have the octgen program fit a tree and prove that none is
better; formulate and decode write models for solvers and read their solutions. numpy alone is needed; scikit-learn's base classes and checks
are used where they are. The program is in the wheel; else it is the one that the environment variable OCTGEN names, or octgen on PATH.
"""

from ._estimators import OptimalHyperplaneClassifier, OptimalPolicyTree, OptimalTreeClassifier, OptimalTreeRegressor
from ._models import decode, formulate
from ._sklearn import NotFittedError
from ._tree import NotProvedWarning
from ._worker import OctgenError, OctgenNotFoundError

try:
    from importlib.metadata import version as _version

    __version__ = _version("octgen")
except Exception:  # not installed: run from its folder
    __version__ = "0"

__all__ = ["OptimalTreeClassifier", "OptimalTreeRegressor", "OptimalHyperplaneClassifier", "OptimalPolicyTree", "formulate", "decode",
           "NotFittedError", "NotProvedWarning", "OctgenError", "OctgenNotFoundError"]
