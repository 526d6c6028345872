"""Trees as texts, pictures, programs and scikit-learn's own."""

from __future__ import annotations

import html
import json
import re
from typing import Any

from . import _worker

_SHOWN = ("text", "dot", "svg", "html", "json")  # by `octgen show`, all else by `octgen export`


class Shown:
    """The part of the estimators that shows a tree and hands it to others."""

    def export(self, target: str, **options: Any) -> bytes:
        """The tree for a target, as bytes.

        Parameters
        ----------
        target : str
            "text", "dot", "svg", "html" or "json", or what `octgen export` writes: "sql", "c", "go", "python", "javascript", "pmml", "onnx",
            "rules" or "page".
        **options
            Flags of `octgen show` and `octgen export`, such as decimals=2 or dialect="postgresql".

        Raises
        ------
        ValueError
            For a target or an option that there is not, and a tree that the target cannot express.
        """
        self._fitted()
        command = ["show", "tree.json", f"--format={target}"] if target in _SHOWN else ["export", "tree.json", f"--to={target}"]
        flags = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
        return _worker.run([*command, *flags], files={"tree.json": json.dumps(self.tree_).encode()})

    def export_text(self, decimals: int | None = None) -> str:
        """The tree as text; numbers have 12 significant digits or so many decimals."""
        return self.export("text", **({} if decimals is None else {"decimals": decimals})).decode()

    def _repr_html_(self):
        """The tree for notebooks, with what scikit-learn shows before fit."""
        if not hasattr(self, "tree_"):
            shown = getattr(super(), "_repr_html_", None)
            return shown() if callable(shown) else shown
        page = self.export("html").decode()
        return f'<iframe srcdoc="{html.escape(page, quote=True)}" style="width:100%;height:32em;border:0" title="{type(self).__name__}"></iframe>'

    def _repr_mimebundle_(self, **kwargs):
        return {"text/plain": repr(self), "text/html": self._repr_html_()}

    def plot(self, ax: Any = None, fontsize: float | None = None) -> Any:
        """Draws the tree by matplotlib: questions and answers, with the training rows of each class.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None is a new figure.
        fontsize : float, default=None
            Of the texts; None is matplotlib's.

        Returns
        -------
        matplotlib Axes
        """
        import matplotlib.pyplot as plt

        texts, children = self._drawing()
        depth, x, y, leaves = self.get_depth() + 1, {}, {}, 0
        for at, level in reversed(from_left(children)):  # sides before their parent, from the right
            if children[at]:
                x[at] = sum(x[child] for child in children[at]) / 2
            else:
                leaves += 1
                x[at] = -leaves + 0.5
            y[at] = -level
        if ax is None:
            _, ax = plt.subplots(figsize=(max(4, 1.5 * leaves), 1.3 * depth))
        for at, text in texts.items():
            for child, answer in zip(children[at], ("yes", "no")):
                ax.plot([x[at], x[child]], [y[at], y[child]], color="0.6", zorder=1)
                ax.text((x[at] + x[child]) / 2, (y[at] + y[child]) / 2, answer, ha="center", va="center", fontsize=fontsize, color="0.4",
                        bbox={"facecolor": "white", "edgecolor": "none", "pad": 1})
            ax.text(x[at], y[at], text, ha="center", va="center", fontsize=fontsize, zorder=2,
                    bbox={"boxstyle": "square" if children[at] else "round", "facecolor": "white" if children[at] else "#e8f1fa", "edgecolor": "0.4"})
        ax.set(xlim=(-max(1, leaves), 0), ylim=(0.5 - depth, 0.5))
        ax.set_axis_off()
        return ax

    def _drawing(self):
        """The texts of the nodes as octgen draws them, and the nodes below each, that of "yes" first."""
        dot = self.export("dot").decode()
        texts = {int(at): re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], text)
                 for at, text in re.findall(r'(?m)^\s*n(\d+) \[label="((?:[^"\\]|\\.)*)"', dot)}
        children = {at: [] for at in texts}
        for parent, child in re.findall(r"n(\d+) -> n(\d+)", dot):
            children[int(parent)].append(int(child))
        return texts, children

    def to_sklearn(self, X: Any) -> Any:
        """scikit-learn's own tree with the same answers for the rows of X, for plot_tree, dtreeviz, SHAP and the like.

        Its features are those of encode(X): for columns of numbers without gaps X itself. scikit-learn rounds features to float32 and
        goes left where they are at most the threshold, so that each threshold is moved between the same two values of X.

        Parameters
        ----------
        X : array or frame (n_samples, n_features)
            The training rows, or others that the answers are to be the same for.

        Returns
        -------
        DecisionTreeClassifier or DecisionTreeRegressor

        Raises
        ------
        ValueError
            If a split has several features, or two values that it divides are the same in float32.
        """
        from ._convert import converted

        self._fitted()
        return converted(self, self.encode(X))


def from_left(children):
    """The nodes with their levels, a parent before its first side and that before the other."""
    order, waiting = [], [(0, 0)]
    while waiting:
        at, level = waiting.pop()
        order.append((at, level))
        waiting += [(child, level + 1) for child in reversed(children[at])]
    return order
