"""Models for solvers: written from data, read back as trees."""

from __future__ import annotations

import csv
import json
import os
from typing import Any

import numpy as np

from . import _worker
from ._columns import columns_of, dense, file_names, free, text_of
from ._estimators import OptimalTreeClassifier, OptimalTreeRegressor
from ._tree import arguments


def formulate(X: Any, y: Any, path: str, form: str = "oct", max_depth: int | None = None, alpha: float | None = None, min_samples_leaf: float | None = None,
              sample_weight: Any = None, **options: Any) -> str:
    """Write the model of a fit for solvers.

    Parameters
    ----------
    X, y, sample_weight : as of OptimalTreeClassifier.fit; for form="ort" y has numbers
    path : str
        File to write: MPS, or by its name .lp, .mof.json, .opb, .wcnf; with .gz compressed. Beside it, decode's files are written:
        NAME.octgen.json and the data, NAME.csv.
    form : str, default="oct"
        Formulation: "oct", "oct-h", "gto", "ort", "fm", "lfm", "rlp", "rlp-p".
    max_depth, alpha, min_samples_leaf : default=None
        As of OptimalTreeClassifier; None is octgen's default.
    **options
        Other flags of `octgen mps`, such as encoding="bigm", dialect="gurobi" or start="auto".

    Returns
    -------
    str
        The path of NAME.octgen.json.

    Raises
    ------
    ValueError
        For what there is no model for.
    """
    path = os.path.abspath(path)
    bare = path[:-3] if path.endswith(".gz") else path
    base = bare[: -len(".mof.json")] if bare.endswith(".mof.json") else os.path.splitext(bare)[0]
    names, columns = columns_of(dense(X))
    names = file_names([None] * len(columns) if names is None else names, "x")
    target = free("class", set(names))
    header, fields = [*names, target], [*columns, np.asarray(y)]
    flags = {"form": form, "target": target, "depth": max_depth, "alpha": alpha, "min-leaf": min_samples_leaf, "output": path, "header": True,
             "delimiter": ",", "decimal": ".", "task": "regression" if form == "ort" else "classification"}
    if sample_weight is not None:
        flags["weight"] = free("weight", set(header))
        header.append(flags["weight"])
        fields.append(np.asarray(sample_weight, dtype=float))
    for name, value in options.items():
        flags[name.replace("_", "-")] = value
    with open(base + ".csv", "w", encoding="utf-8", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(header)
        out.writerows(zip(*([text_of(v) for v in (c.astype(str) if c.dtype.kind == "M" else c).tolist()] for c in fields)))
    _worker.run(["mps", base + ".csv", "--quiet", *arguments(flags)])
    return base + ".octgen.json"


def decode(model: str, solution: str, **options: Any) -> OptimalTreeClassifier | OptimalTreeRegressor:
    """Read a solver's solution of a model that formulate wrote, check it, and make a tree of it.

    Parameters
    ----------
    model : str
        NAME.octgen.json, with the data beside it.
    solution : str
        The solver's solution file.
    **options
        Flags of `octgen decode`, such as format="gurobi".

    Returns
    -------
    OptimalTreeClassifier or OptimalTreeRegressor
        Fitted; its classes are texts.

    Raises
    ------
    ValueError
        If a file is none of these.
    OctgenError
        If the solution does not satisfy the model, or its tree has another objective.
    """
    flags = {name.replace("_", "-"): value for name, value in options.items()}
    result = json.loads(_worker.run(["decode", os.path.abspath(model), os.path.abspath(solution), "--json", "--quiet", *arguments(flags)]))
    tree = result["tree"]
    out = OptimalTreeRegressor() if "value" in tree["nodes"][0] else OptimalTreeClassifier()
    out.tree_, out.result_, out.status_ = tree, result, result["status"]
    out.objective_, out.bound_ = result.get("objective"), result.get("bound")
    columns = [c["name"] for c in tree["encoder"]["columns"]]
    out.n_features_in_, out.feature_names_in_ = len(columns), np.array(columns, dtype=object)
    if isinstance(out, OptimalTreeClassifier):
        out.classes_ = np.array(tree["classes"])
        out.n_classes_, out._class_of = len(out.classes_), np.arange(len(out.classes_))
    return out
