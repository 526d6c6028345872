"""Tests of the estimator: python3 -m unittest test_octgen, with OCTGEN naming the program."""

import csv
import json
import os
import pickle
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.ensemble import AdaBoostClassifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeRegressor
from sklearn.utils.estimator_checks import check_estimator

from octgen import OctgenNotFoundError, OptimalHyperplaneClassifier, OptimalPolicyTree, OptimalTreeClassifier, OptimalTreeRegressor, decode, formulate


def shop(rows=120, seed=1):
    """Rows of numbers and texts, with odd names and texts."""
    r = np.random.RandomState(seed)
    frame = pd.DataFrame({
        "age": r.randint(18, 70, rows),
        "it's, \"odd\"\nname": r.choice(["red", "it's, \"quoted\"", "two\nlines", "naïve"], rows),
        "member": r.choice(["yes", "no"], rows),
        "spent": r.gamma(2, 30, rows).round(2),
    })
    y = np.where((frame["member"] == "yes") & (frame["spent"] > 50), "buys", np.where(frame["age"] > 50, "may be", "leaves"))
    return frame, y


class TestEstimator(unittest.TestCase):
    def test_check_estimator(self):
        check_estimator(OptimalTreeClassifier())

    def test_iris(self):
        X, y = load_iris(return_X_y=True)
        model = OptimalTreeClassifier(max_depth=2).fit(X, y)
        self.assertEqual((model.predict(X) != y).sum(), 6)  # no tree of depth 2 has fewer
        self.assertEqual(model.status_, "optimal")
        self.assertEqual((model.get_depth(), model.get_n_leaves()), (2, 3))
        np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
        self.assertIn("class: 0", model.export_text())
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))

    def test_parameters(self):
        X, y = load_breast_cancer(return_X_y=True)
        self.assertEqual(OptimalTreeClassifier(max_depth=3, max_leaf_nodes=2, time_limit=20).fit(X, y).get_n_leaves(), 2)
        self.assertEqual(OptimalTreeClassifier(ccp_alpha=1).fit(X, y).get_n_leaves(), 1)
        self.assertEqual(OptimalTreeClassifier(max_depth="none", alpha=0.1).fit(X, y).status_, "optimal")
        least = min(n["count"][0] + n["count"][1] for n in OptimalTreeClassifier(max_depth=2, min_samples_leaf=100).fit(X, y).tree_["nodes"])
        self.assertGreaterEqual(least, 100)
        least = min(sum(n["count"]) for n in OptimalTreeClassifier(max_depth=2, min_samples_leaf=0.2).fit(X, y).tree_["nodes"])
        self.assertGreaterEqual(least, 0.2 * len(y))
        self.assertEqual(OptimalTreeClassifier(method="cart", options={"criterion": "entropy"}).fit(X, y).result_["method"], "cart")
        with self.assertRaisesRegex(ValueError, "alpha"):
            OptimalTreeClassifier(alpha=0.1, ccp_alpha=0.1).fit(X, y)
        with self.assertRaisesRegex(ValueError, "no-such"):
            OptimalTreeClassifier(method="no-such").fit(X, y)

    def test_methods(self):
        """Every method that learns from classes works with the parameters as they are, and with one thread."""
        X = np.array([[1.0, 5], [2, 3], [3, 4], [4, 1], [5, 2], [6, 6], [7, 1], [8, 3]] * 2)
        y = (X[:, 0] > 4).astype(int)
        listed = subprocess.run([os.environ["OCTGEN"], "methods"], check=True, capture_output=True, encoding="utf-8").stdout
        methods = [line.split()[0] for line in listed.split("formulations of")[0].splitlines()[1:]]
        self.assertGreater(len(methods), 20)
        with self.assertRaisesRegex(ValueError, "rewards"):
            OptimalTreeClassifier(method="policy").fit(X, y)
        with self.assertRaisesRegex(ValueError, "method ort predicts numbers"):
            OptimalTreeClassifier(method="ort").fit(X, y)
        methods = [m for m in methods if m not in ("policy", "ort", "ort-tuned")]
        for method in methods:
            for jobs in (None, 1):
                with self.subTest(method=method, n_jobs=jobs):
                    model = OptimalTreeClassifier(method=method, n_jobs=jobs).fit(X, y)
                    self.assertEqual(len(model.predict(X)), len(y))
        none = OptimalTreeClassifier(ccp_alpha=None, time_limit=None, min_samples_leaf=None).fit(X, y)
        self.assertEqual(none.score(X, y), 1)
        with self.assertRaisesRegex(ValueError, "alpha"):
            OptimalTreeClassifier(method="oct-tuned", alpha=0.1).fit(X, y)

    def test_wrong_kinds(self):
        X, y = [[1.0], [2.0]], [0, 1]
        wrong = [("random_state", "x", ValueError), ("n_jobs", 0, ValueError), ("options", ["foo"], TypeError), ("class_weight", {7: 2}, ValueError)]
        wrong += [("options", {key: "x"}, ValueError) for key in ("output", "help", "json", "quiet", "decimal", "na_values")]
        for name, value, kind in wrong:
            with self.subTest(name=name, value=value), self.assertRaisesRegex(kind, name):
                OptimalTreeClassifier(**{name: value}).fit(X, y)

    def test_names(self):
        """Odd names of columns are kept, so exports ask for them."""
        frame = pd.DataFrame({"a, b": ["p", "q"] * 4, " pad ": range(8), "two\nlines": ["u", "u", "v", "v"] * 2, "x=?": range(8)})
        model = OptimalTreeClassifier().fit(frame, frame["a, b"] == "p")
        self.assertEqual([c["name"] for c in model.tree_["encoder"]["columns"]], ["a, b", "pad", "two\nlines", "x=?"])
        self.assertIn("a, b", model.export("sql").decode())
        self.assertEqual(model.score(frame, frame["a, b"] == "p"), 1)

    def test_gap_is_not_unknown(self):
        frame = pd.DataFrame({"colour": ["red", "blue", "green"] * 3})
        model = OptimalTreeClassifier(missing="category", unknown="other").fit(frame, ["p", "q", "q"] * 3)
        self.assertEqual(model.predict(pd.DataFrame({"colour": ["pink"]})), ["q"])
        with self.assertRaisesRegex(ValueError, "colour.*none in training"):
            model.predict(pd.DataFrame({"colour": ["red", None]}))

    def test_weights(self):
        X, y = load_iris(return_X_y=True)
        keep = np.arange(len(y)) % 2
        few = OptimalTreeClassifier(max_depth=2).fit(X[keep == 1], y[keep == 1])
        weighted = OptimalTreeClassifier(max_depth=2).fit(X, y, sample_weight=keep)
        np.testing.assert_array_equal(few.predict(X), weighted.predict(X))
        heavy = OptimalTreeClassifier(max_depth=1, class_weight={1: 100}).fit(X, y)
        self.assertTrue((heavy.predict(X[y == 1]) == 1).all())
        with self.assertRaisesRegex(ValueError, "sample_weight"):
            OptimalTreeClassifier().fit(X, y, sample_weight=-keep)

    def test_frame(self):
        frame, y = shop()
        model = OptimalTreeClassifier(max_depth=3).fit(frame, y)
        self.assertEqual(model.score(frame, y), 1)
        self.assertEqual(list(model.classes_), ["buys", "leaves", "may be"])
        self.assertIn("member", model.export_text())
        lists = OptimalTreeClassifier(max_depth=3).fit(frame.values.tolist(), y)
        self.assertEqual(list(lists.predict(frame.values)), list(y))
        strange = frame.assign(member="perhaps")
        with self.assertRaisesRegex(ValueError, "perhaps"):
            model.predict(strange)
        self.assertEqual(len(OptimalTreeClassifier(unknown="other").fit(frame, y).predict(strange)), len(y))
        with self.assertRaisesRegex(ValueError, "feature names"):
            model.predict(frame[frame.columns[::-1]])
        with self.assertRaises(ValueError):
            model.predict(frame[["age"]])

    def test_agrees_with_octgen(self):
        """What the module predicts is what octgen predicts and what an export answers."""
        frame, y = shop(200, 3)
        frame = frame.rename(columns={frame.columns[1]: "colour"})
        for missing in ("mean", "category"):
            for method in ("oct", "oct-h"):
                gaps = frame.astype(object).mask(np.random.RandomState(5).rand(*frame.shape) < 0.15, None)
                model = OptimalTreeClassifier(max_depth=2, missing=missing, method=method, time_limit=3).fit(gaps, y)
                with tempfile.TemporaryDirectory() as folder:
                    data, tree = os.path.join(folder, "d.csv"), os.path.join(folder, "tree.json")
                    gaps.to_csv(data, index=False)
                    with open(tree, "w", encoding="utf-8") as f:
                        json.dump(model.tree_, f)
                    out = subprocess.run([os.environ["OCTGEN"], "predict", tree, data], check=True, capture_output=True, encoding="utf-8").stdout
                    rows = list(csv.DictReader(out.splitlines()))
                self.assertEqual([r["class"] for r in rows], list(model.predict(gaps)))
                np.testing.assert_allclose([[float(r["share_" + c]) for c in model.classes_] for r in rows], model.predict_proba(gaps), atol=1e-5)
                scope = {}
                exec(model.export("python").decode(), scope)
                self.assertEqual([scope["predict"](row) for row in gaps.to_dict("records")], list(model.predict(gaps)))

    def test_missing(self):
        X = np.array([[1.0], [2], [np.nan], [4]])
        with self.assertRaisesRegex(ValueError, "NaN"):
            OptimalTreeClassifier().fit(X, [0, 0, 1, 1])
        model = OptimalTreeClassifier(missing="category").fit(X, [0, 0, 1, 1])
        self.assertEqual(list(model.predict(X)), [0, 0, 1, 1])

    def test_search(self):
        X, y = load_iris(return_X_y=True)
        search = GridSearchCV(OptimalTreeClassifier(), {"max_depth": [1, 2], "ccp_alpha": [0, 0.01]}, cv=3).fit(X, y)
        self.assertEqual(search.best_params_["max_depth"], 2)
        self.assertGreater(search.best_score_, 0.9)

    def test_pipeline(self):
        frame, y = shop()
        texts = [c for c in frame if not pd.api.types.is_numeric_dtype(frame[c])]
        columns = ColumnTransformer([("texts", OneHotEncoder(handle_unknown="ignore"), texts)], remainder=StandardScaler(), sparse_threshold=0)
        model = make_pipeline(columns, OptimalTreeClassifier())
        self.assertGreater(cross_val_score(model, frame, y, cv=3).mean(), 0.9)

    def test_odd_classes(self):
        X = np.arange(12.0).reshape(-1, 1)
        for classes in (["", "?"], ["a\nb", "a,b"], [True, False], [1.5, -2.5], ["NA", "nan"], [" a", "a"]):
            y = np.array([classes[k >= 6] for k in range(12)])
            if y.dtype.kind == "f":
                y = y.astype(object).astype(str)
            model = OptimalTreeClassifier(max_depth=1).fit(X, y)
            np.testing.assert_array_equal(model.predict(X), y)
        constant = OptimalTreeClassifier().fit(X, ["one"] * 12)
        self.assertEqual(set(constant.predict(X)), {"one"})

    def test_not_fitted(self):
        with self.assertRaises(NotFittedError):
            OptimalTreeClassifier().predict([[1.0]])

    def test_no_binary(self):
        before = dict(os.environ)
        try:
            os.environ["OCTGEN"] = "/no/such/octgen"
            with self.assertRaisesRegex(OctgenNotFoundError, "/no/such/octgen"):
                OptimalTreeClassifier().fit([[1.0], [2.0]], [0, 1])
        finally:
            os.environ.update(before)

    def test_numpy_alone(self):
        """Without scikit-learn all but its own exceptions is the same."""
        script = """
import sys
sys.modules["sklearn"] = None
import numpy as np
from octgen import OptimalTreeClassifier, NotFittedError
model = OptimalTreeClassifier(max_depth=1)
try:
    model.predict([[1.0]])
except NotFittedError:
    pass
X, y = np.array([[1.0], [2], [3], [4]]), np.array([0, 0, 1, 1])
assert model.set_params(max_depth=2).get_params()["max_depth"] == 2
assert model.fit(X, y).score(X, y) == 1
assert list(model.fit([["a"], ["b"]], ["p", "q"]).predict([["b"], ["a"]])) == ["q", "p"]
"""
        subprocess.run([sys.executable, "-W", "ignore", "-c", script], check=True, cwd=os.path.dirname(os.path.abspath(__file__)))


class TestRegressor(unittest.TestCase):
    def test_check_estimator(self):
        check_estimator(OptimalTreeRegressor())

    def test_diabetes(self):
        X, y = load_diabetes(return_X_y=True)
        model = OptimalTreeRegressor(max_depth=2).fit(X, y)
        cart = DecisionTreeRegressor(max_depth=2).fit(X, y)
        self.assertEqual(model.status_, "optimal")
        self.assertGreaterEqual(model.score(X, y), cart.score(X, y) - 1e-12)
        self.assertAlmostEqual(model.objective_, 1 - model.score(X, y), places=9)
        self.assertAlmostEqual(model.bound_, model.objective_)
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))
        median = OptimalTreeRegressor(max_depth=1, quantile=0.5).fit(X, y)
        self.assertTrue(np.isin(median.predict(X), y).all())
        for method in ("ort-tuned", "cart", "cart-tuned", "local-search"):
            self.assertEqual(len(OptimalTreeRegressor(max_depth=2, method=method).fit(X, y).predict(X)), len(y))

    def test_frame(self):
        frame, _ = shop()
        frame["age"] = frame["age"].astype(float).where(frame["age"] > 30)
        y = frame["spent"] * 2 + (frame["member"] == "yes") * 10
        for options in ({}, {"categorical": "subsets"}):
            model = OptimalTreeRegressor(max_depth=3, missing="route", options=options).fit(frame, y)
            self.assertEqual(model.status_, "optimal")
            self.assertGreater(model.score(frame, y), 0.8)

    def test_wrong(self):
        with self.assertRaisesRegex(ValueError, "Input y contains NaN"):
            OptimalTreeRegressor().fit([[1.0], [2.0]], [1.0, float("nan")])
        with self.assertRaisesRegex(ValueError, "leaf-purity"):
            OptimalTreeRegressor(options={"leaf_purity": 0.5}).fit([[1.0], [2.0]], [1.0, 2.5])
        with self.assertRaises(NotFittedError):
            OptimalTreeRegressor().predict([[1.0]])


def importances(model, X, impurity):
    """What scikit-learn's definition gives, from the rows at each node."""
    path, gain = model.decision_path(X).toarray().astype(bool), np.zeros(X.shape[1])
    at = lambda node: impurity(np.flatnonzero(path[:, node]))
    for k, node in enumerate(model.tree_["nodes"]):
        if "split" in node:
            gain[node["split"]["terms"][0]["feature"]] += at(k) - at(node["left"]) - at(node["right"])
    return gain / gain.sum()


class TestConventions(unittest.TestCase):
    def test_normalised_weights(self):
        """Weights that add up to 1 forbid no leaf; AdaBoost has such weights."""
        X, y = load_iris(return_X_y=True)
        model = OptimalTreeClassifier(max_depth=2).fit(X, y, sample_weight=np.full(len(y), 1 / len(y)))
        self.assertEqual((model.predict(X) != y).sum(), 6)
        boosted = AdaBoostClassifier(OptimalTreeClassifier(max_depth=1), n_estimators=3).fit(X, y)
        self.assertGreater(boosted.score(X, y), 0.9)

    def test_like_scikit_learn(self):
        X, y = load_breast_cancer(return_X_y=True)
        model = OptimalTreeClassifier(max_depth=2).fit(X, y)
        np.testing.assert_allclose(model.feature_importances_, importances(model, X, lambda rows: len(rows) * (1 - (np.bincount(y[rows]) ** 2).sum() / max(1, len(rows)) ** 2)))
        Z, z = load_diabetes(return_X_y=True)
        numbers = OptimalTreeRegressor(max_depth=2).fit(Z, z)
        np.testing.assert_allclose(numbers.feature_importances_, importances(numbers, Z, lambda rows: len(rows) * z[rows].var()))
        self.assertGreater((numbers.feature_importances_ > 0).sum(), 1)
        path = model.decision_path(X)
        self.assertEqual(path.shape, (len(y), len(model.tree_["nodes"])))
        np.testing.assert_array_equal(path.sum(axis=1).A1.max() - 1, model.get_depth())
        np.testing.assert_array_equal(path[np.arange(len(y)), model.apply(X)], 1)
        np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), model.predict_proba(X))

    def test_single_leaf_and_lists(self):
        X, y = load_iris(return_X_y=True)
        self.assertEqual(OptimalTreeClassifier(max_depth=0).fit(X, y).get_n_leaves(), 1)
        self.assertEqual(OptimalTreeRegressor(max_depth=0).fit(X, y * 1.5).get_n_leaves(), 1)
        model = OptimalTreeClassifier(max_depth=2, options={"recall": ["1>=0.9", "2>=0.9"]}).fit(X, y)
        self.assertEqual(len(model.result_["constraints"]), 2)

    def test_depth(self):
        X, y = load_iris(return_X_y=True)
        with self.assertRaisesRegex(ValueError, "max_depth is None.*max_leaf_nodes"):
            OptimalTreeClassifier(max_depth=None).fit(X, y)
        self.assertEqual(OptimalTreeClassifier(max_depth=None, max_leaf_nodes=4).fit(X, y).get_n_leaves(), 4)
        self.assertEqual(OptimalTreeClassifier(max_depth=None, ccp_alpha=0.01).fit(X, y).status_, "optimal")
        self.assertEqual(OptimalTreeRegressor(max_depth=None, alpha=0.05).fit(X, y + X[:, 0]).status_, "optimal")

    def test_rows_of_leaves(self):
        X, y = load_iris(return_X_y=True)
        same = OptimalTreeClassifier(max_depth=2, min_samples_leaf=30).fit(X, y, sample_weight=np.full(len(y), 0.25))
        self.assertGreaterEqual(min(sum(n["count"]) for n in same.tree_["nodes"]), 30)
        weight = 1 + np.arange(len(y)) % 7
        few = OptimalTreeClassifier(max_depth=2, min_samples_leaf=40).fit(X, y, sample_weight=weight)
        leaves = np.bincount(few.apply(X))
        self.assertGreaterEqual(leaves[leaves > 0].min(), 40)
        self.assertEqual(few.status_, "optimal")
        wrong = few.predict(X) != y
        self.assertEqual((few.result_["train"]["errors"], few.result_["train"]["error_weight"]), (wrong.sum(), weight[wrong].sum()))
        np.testing.assert_allclose(few.predict_proba(X)[0], [weight[(few.apply(X) == few.apply(X)[0]) & (y == k)].sum() / weight[few.apply(X) == few.apply(X)[0]].sum() for k in range(3)])
        for weights in (weight, weight / weight.sum()):
            tenth = OptimalTreeClassifier(max_depth=2, min_samples_leaf=0.3, class_weight={0: 3.0}).fit(X, y, sample_weight=weights)
            leaves = np.bincount(tenth.apply(X))
            self.assertGreaterEqual(leaves[leaves > 0].min(), 45)
        with self.assertRaisesRegex(ValueError, "one of the two"):
            OptimalTreeClassifier(min_samples_leaf=5, min_weight_fraction_leaf=0.1).fit(X, y, sample_weight=weight)
        for other in (OptimalHyperplaneClassifier, OptimalTreeRegressor):
            with self.assertRaisesRegex(ValueError, "min_weight_fraction_leaf"):
                other(min_samples_leaf=5).fit(X, y, sample_weight=weight)

    def test_costs(self):
        X, y = load_iris(return_X_y=True)
        costs = np.array([[0, 1, 1], [9, 0, 9], [1, 1, 0]])
        model = OptimalTreeClassifier(max_depth=1, cost_matrix=costs).fit(X, y)
        self.assertEqual(model.certificate_["claim"], "no tree of depth 1 costs less")
        least = min(sum(np.minimum.reduce([costs[y[side]][:, k].sum() for k in range(3)]) for side in (X[:, j] < t, X[:, j] >= t)) for j in range(4) for t in X[:, j])
        self.assertEqual(costs[y, model.predict(X)].sum(), least)
        texts = np.array(["a:b", "c,d", "e"])[y]
        model = OptimalTreeClassifier(max_depth=1, cost_matrix=costs).fit(X, texts)
        self.assertEqual(costs[y, np.searchsorted(model.classes_, model.predict(X))].sum(), least)
        for wrong in (np.ones((3, 3)), np.zeros((2, 2)), -costs):
            with self.assertRaisesRegex(ValueError, "cost_matrix"):
                OptimalTreeClassifier(cost_matrix=wrong).fit(X, y)

    def test_groups(self):
        X, y = load_iris(return_X_y=True)
        y, group = (y == 2).astype(int), np.where(X[:, 1] > 3, "wide", "narrow")
        options = {"fair": "statistical-parity:group<=0.05", "positive": "1"}
        share = lambda m, g: m.predict(X)[group == g].mean()
        free = OptimalTreeClassifier(max_depth=2).fit(X, y)
        fair = OptimalTreeClassifier(max_depth=2, options=options).fit(X, y, groups=group)
        self.assertGreater(abs(share(free, "wide") - share(free, "narrow")), 0.05)
        self.assertLessEqual(abs(share(fair, "wide") - share(fair, "narrow")), 0.05)
        self.assertEqual(fair.status_, "optimal")
        named = OptimalTreeClassifier(max_depth=2, options={**options, "fair": "statistical-parity:g<=0.05"}).fit(X, y, groups={"g": group})
        np.testing.assert_array_equal(named.predict(X), fair.predict(X))
        with self.assertRaisesRegex(ValueError, "groups has 3 rows"):
            OptimalTreeClassifier(options=options).fit(X, y, groups=["a", "b", "c"])

    def test_frames(self):
        """Dates, categories of numbers, nullable columns, names that are there twice, sparse matrices."""
        from scipy.sparse import csr_matrix

        at = pd.date_range("2020-01-01", periods=60, freq="7h13min")
        frame = pd.DataFrame({"day": at.normalize(), "at": at, "there": at.tz_localize("Europe/Paris"), "k": pd.Categorical([1, 2, 3] * 20),
                              "i": pd.array([1, None, 3] * 20, dtype="Int64"), "s": pd.array(["x", None, "z"] * 20, dtype="string")})
        y = (frame["at"] > "2020-01-10 12:00").to_numpy()
        for column in ("at", "there"):
            model = OptimalTreeClassifier(max_depth=1).fit(frame[[column]], y)
            self.assertEqual(model.score(frame[[column]], y), 1)
            self.assertIn("2020-01-1", model.export_text())
        days = OptimalTreeClassifier(max_depth=1).fit(frame[["day"]], y)
        self.assertEqual(days.score(frame[["day"]], y), (days.predict(frame[["at"]].set_axis(["day"], axis=1)) == y).mean())
        self.assertIn("k is 2", OptimalTreeClassifier(max_depth=1).fit(frame[["k"]], frame["k"] == 2).export_text())
        gaps = frame.assign(at=frame["at"].mask(np.arange(60) % 7 == 0))
        with self.assertRaisesRegex(ValueError, "missing"):
            OptimalTreeClassifier().fit(gaps, y)
        for missing in ("mean", "category", "route"):
            model = OptimalTreeClassifier(max_depth=2, missing=missing).fit(gaps, y)
            self.assertEqual(model.score(gaps, y), 1)
        X, z = load_iris(return_X_y=True)
        twice = pd.DataFrame(X, columns=["a", "b", "a", "c"])
        model = OptimalTreeClassifier(max_depth=2).fit(twice, z)
        self.assertEqual((model.tree_["features"], (model.predict(twice) != z).sum()), (["x0", "b", "x2", "c"], 6))
        sparse = OptimalTreeClassifier(max_depth=2).fit(csr_matrix(X), z)
        np.testing.assert_array_equal(sparse.predict(csr_matrix(X)), model.predict(twice))
        with self.assertRaisesRegex(ValueError, "too many"):
            OptimalTreeClassifier().fit(csr_matrix((3, 10**9)), [0, 1, 0])

    def test_policy(self):
        X, _ = load_iris(return_X_y=True)
        rewards = np.c_[X[:, 0], np.full(len(X), 5.5), 2 * X[:, 1]]
        model = OptimalPolicyTree(max_depth=1).fit(X, rewards)
        best = max(sum(rewards[side].sum(axis=0).max() for side in (X[:, j] < t, X[:, j] >= t)) for j in range(4) for t in X[:, j])
        self.assertAlmostEqual(model.score(X, rewards) * len(X), best)
        self.assertEqual((model.status_, model.feature_importances_.sum().round(9)), ("optimal", 1))
        named = OptimalPolicyTree(max_depth=1).fit(X, pd.DataFrame(rewards, columns=["wait, see", "none", "x\\"]))
        np.testing.assert_array_equal(named.predict(X), np.array(["wait, see", "none", "x\\"])[model.predict(X)])
        for wrong in (rewards[:, :1], rewards[:, 0], rewards * np.nan):
            with self.assertRaises(ValueError):
                OptimalPolicyTree().fit(X, wrong)

    def test_hyperplanes(self):
        X = np.random.RandomState(2).rand(40, 2)
        model = OptimalHyperplaneClassifier(max_depth=1).fit(X, X.sum(axis=1) > 1)
        self.assertEqual((model.status_, model.score(X, X.sum(axis=1) > 1)), ("optimal", 1))
        self.assertEqual(OptimalHyperplaneClassifier().get_params()["max_depth"], 2)

    def test_models(self):
        """A model is written, solved by another program's hand, and read back as the optimal tree."""
        X, y = load_iris(return_X_y=True)
        with tempfile.TemporaryDirectory() as folder:
            for model, form, target, options in (("iris.mps.gz", "oct", y, {"encoding": "flow"}), ("numbers.lp", "ort", (X[:, 0] > 5) * 1.5, {"quantile": 0.5})):
                path = os.path.join(folder, model)
                side = formulate(X, target, path, form=form, max_depth=1, **options)
                subprocess.run([os.environ["OCTGEN"], "mps", side.replace(".octgen.json", ".csv"), "--form", form, "--depth", "1", "-o", os.path.join(folder, "again.mps"),
                                "--start", "treesearch" if form == "oct" else "cart", "--start-output", os.path.join(folder, "start.mst"), "--start-format", "highs",
                                *(f"--{k}={v}" for k, v in options.items()), "--quiet"], check=True)
                tree = decode(os.path.join(folder, "again.octgen.json"), os.path.join(folder, "start.mst"))
                self.assertEqual(tree.get_depth(), 1)
                answers = tree.predict(X)
                self.assertEqual(len(set(answers)), 2)
            with self.assertRaisesRegex(ValueError, "no such file"):
                decode(side, os.path.join(folder, "none.sol"))


if __name__ == "__main__":
    unittest.main()
