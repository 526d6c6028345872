"""Tests with the releases of today, which scripts/install-solvers.sh data installs: python -m unittest current, with OCTGEN naming the program."""

import logging
import os
import re
import shutil
import tempfile
import unittest

import dtreeviz
import matplotlib
import nbclient
import nbformat
import numpy as np
import pandas as pd
import polars as pl
import shap
import sklearn
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.ensemble import BaggingClassifier
from sklearn.model_selection import cross_val_score
from sklearn.tree import plot_tree
from sklearn.utils.estimator_checks import check_estimator

from octgen import OptimalTreeClassifier, OptimalTreeRegressor

matplotlib.use("agg")
logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)  # dtreeviz asks for fonts that are not everywhere
ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))

# The checks that scikit-learn itself skips, and why.
SKIPPED = {"check_array_api_input"}  # unless SCIPY_ARRAY_API is set: arrays of other libraries than numpy


class TestCurrent(unittest.TestCase):
    def test_check_estimator(self):
        for model in (OptimalTreeClassifier(), OptimalTreeRegressor()):
            checks = check_estimator(model, on_fail=None, on_skip=None)
            self.assertGreater(len(checks), 50)
            self.assertEqual({c["check_name"]: str(c["exception"]) for c in checks if c["status"] != "passed" and c["check_name"] not in SKIPPED}, {})

    def test_to_sklearn(self):
        for X, y, kinds in ((*load_breast_cancer(return_X_y=True), (OptimalTreeClassifier,)), (*load_iris(return_X_y=True), (OptimalTreeClassifier, OptimalTreeRegressor)),
                            (*load_diabetes(return_X_y=True), (OptimalTreeRegressor,))):
            for kind in kinds:
                model = kind(max_depth=3).fit(X, y)
                own = model.to_sklearn(X)
                np.testing.assert_array_equal(own.predict(X), model.predict(X))
                self.assertEqual((own.get_depth(), own.get_n_leaves()), (model.get_depth(), model.get_n_leaves()))
                plot_tree(own)
                self.assertEqual(shap.TreeExplainer(own).shap_values(X[:3]).shape[:2], X[:3].shape)
        probabilities = OptimalTreeClassifier(max_depth=2).fit(X[:100], y[:100] > 100)
        np.testing.assert_allclose(probabilities.to_sklearn(X).predict_proba(X), probabilities.predict_proba(X))
        close = np.array([[1.0], [1 + 1e-12], [2.0], [3.0]])
        with self.assertRaisesRegex(ValueError, "float32"):
            OptimalTreeClassifier(max_depth=1).fit(close, [0, 1, 1, 1]).to_sklearn(close)
        with self.assertRaisesRegex(ValueError, "one feature in a split"):
            OptimalTreeClassifier(max_depth=1, method="oc1").fit(X, X[:, 0] + X[:, 1] > 0).to_sklearn(X)
        tree = dtreeviz.model(OptimalTreeClassifier(max_depth=2).fit(X[:, :2], y > 150).to_sklearn(X[:, :2]), X[:, :2], (y > 150).astype(int), feature_names=["a", "b"],
                              target_name="y", class_names=["no", "yes"])
        tree.ctree_feature_space()

    def test_shown(self):
        frame = pd.DataFrame({"colour": ["red", "blue", "green", "blue"] * 10, "size": range(40)})
        model = OptimalTreeClassifier(max_depth=2).fit(frame, (frame["colour"] == "blue") & (frame["size"] > 10))
        shown = [text.get_text() for text in model.plot().texts]
        self.assertEqual(shown.count("yes"), 2)
        self.assertTrue(any(text.startswith("colour is blue") for text in shown))
        self.assertTrue(any(re.match(r"size < \d", text) for text in shown))
        self.assertIn("srcdoc", model._repr_html_())
        self.assertIn("colour", model._repr_mimebundle_()["text/html"])
        self.assertIn("OptimalTreeClassifier", OptimalTreeClassifier()._repr_mimebundle_()["text/html"])
        for target, begins in {"svg": b"<svg", "dot": b"digraph", "html": b"<!DOCTYPE html>", "json": b"{", "sql": b"/*"}.items():
            self.assertEqual(model.export(target)[: len(begins)], begins)
        with self.assertRaisesRegex(ValueError, "cobol"):
            model.export("cobol")

    def test_polars(self):
        X, y = load_iris(return_X_y=True)
        at = pl.datetime_range(pl.datetime(2020, 1, 1), pl.datetime(2020, 1, 7, 5), "1h", eager=True)
        frame = pl.DataFrame({"a": X[:, 0], "s": ["u", "v", None] * 50, "d": pl.Series([None, *range(149)]), "b": [True, False] * 75,
                              "c": pl.Series(["p", "q", "r"] * 50, dtype=pl.Categorical), "t": at})
        model = OptimalTreeClassifier(max_depth=2, missing="category").fit(frame, y)
        self.assertEqual(list(model.feature_names_in_), frame.columns)
        other = OptimalTreeClassifier(max_depth=2, missing="category").fit(frame.to_pandas(), y)
        np.testing.assert_array_equal(model.predict(frame), other.predict(frame.to_pandas()))
        numbers = OptimalTreeClassifier(max_depth=2).fit(pl.DataFrame(X), y)
        self.assertEqual((numbers.predict(pl.DataFrame(X)) != y).sum(), 6)

    def test_together(self):
        X, y = load_iris(return_X_y=True)
        self.assertGreater(BaggingClassifier(OptimalTreeClassifier(max_depth=2), n_jobs=2).fit(X, y).score(X, y), 0.9)
        group = np.where(X[:, 1] > 3, "wide", "narrow")
        with sklearn.config_context(enable_metadata_routing=True):
            model = OptimalTreeClassifier(max_depth=2, options={"fair": "statistical-parity:group<=0.2", "positive": "1"}).set_fit_request(groups=True)
            self.assertEqual(len(cross_val_score(model, X, (y == 2).astype(int), cv=3, params={"groups": group})), 3)

    def test_notebook(self):
        notebook = nbformat.read(os.path.join(ROOT, "examples", "tutorial.ipynb"), 4)
        nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": os.path.join(ROOT, "examples")}}).execute()
        printed = "".join(o.get("text", "") for cell in notebook.cells if cell.cell_type == "code" for o in cell.outputs)
        for want in ("errors on the training rows: CART 281  optimal 258", "no tree of depth 3 costs less", "optimal - no tree of depth 2 that holds the constraints has fewer errors",
                     "CASE WHEN", "NotProvedWarning"):
            self.assertIn(want, printed)

    def test_page(self):
        """The Python of docs/python.md."""
        with open(os.path.join(ROOT, "docs", "python.md"), encoding="utf-8") as f:
            blocks = re.findall(r"```python\n(.*?)```", f.read(), re.S)
        self.assertEqual(len(blocks), 1)
        before = os.getcwd()
        os.chdir(tempfile.mkdtemp())
        try:
            exec(blocks[0], {})
            self.assertTrue(os.path.exists("tree.sql"))
        finally:
            shutil.rmtree(os.getcwd())
            os.chdir(before)


if __name__ == "__main__":
    unittest.main()
