"""Tables as octgen takes them: columns of numbers, of texts or of dates."""

import numbers
from collections import Counter

import numpy as np

MISSING = "?"  # of texts, and as the name of a category
MOST_DENSE = 1 << 27  # numbers that a sparse matrix may have once it is dense: 1 GiB


def is_frame(X):
    """Whether X is a data frame: of pandas, polars or the like."""
    return hasattr(X, "columns") and hasattr(X, "__getitem__") and not isinstance(X, np.ndarray)


def dense(X):
    """A sparse matrix as an array."""
    if not hasattr(X, "toarray"):
        return X
    if X.shape[0] * X.shape[1] > MOST_DENSE:
        raise ValueError(f"X is sparse, and {X.shape[0]} x {X.shape[1]} numbers are too many without that (at most {MOST_DENSE}): leave out columns")
    return X.toarray()


def has_texts(X):
    """Whether a column holds texts or dates, or a name is there twice: what scikit-learn's checks do not take."""
    if is_frame(X):
        return len(set(X.columns)) < len(X.columns) or any(not _is_numeric(series) for series in _series(X))
    if hasattr(X, "toarray"):
        return False
    if isinstance(X, (list, tuple)):
        X = np.array(X, dtype=object)
    if isinstance(X, np.ndarray) and X.dtype.kind in "OU" and X.ndim == 2:
        return X.dtype.kind == "U" or any(isinstance(v, str) for v in X.flat)
    return False


def _series(X):
    """The columns of a frame, also of one with names that are there twice."""
    return (X.iloc[:, i] for i in range(X.shape[1])) if hasattr(X, "iloc") else (X[name] for name in X.columns)


def _is_numeric(series):
    kind = getattr(series.dtype, "kind", None)
    if kind is None:  # polars
        return series.dtype.is_numeric() or str(series.dtype) == "Boolean"
    return kind in "biuf" and not hasattr(series, "cat")


def columns_of(X):
    """The names of the columns, None without any, and the columns: arrays of float, of datetime64[s] or of objects."""
    if is_frame(X):
        return np.asarray(X.columns, dtype=object), [_of_series(series) for series in _series(X)]
    X = np.asarray(X, dtype=object if isinstance(X, (list, tuple)) else None)
    if X.ndim != 2:
        raise ValueError(f"Expected 2D array, got {X.ndim}D array instead. Reshape your data.")
    return None, [_of_values(c) for c in X.T]


def _of_series(series):
    if type(getattr(series, "dtype", None)).__name__ == "CategoricalDtype":  # pandas, also of numbers: their names are what counts
        names = np.array([*(text_of(c) for c in series.cat.categories), None], dtype=object)
        return names[series.cat.codes.to_numpy()]
    if getattr(series.dtype, "tz", None) is not None:
        series = series.dt.tz_convert("UTC").dt.tz_localize(None)
    if _is_numeric(series):
        try:
            return np.asarray(series, dtype=float)
        except (TypeError, ValueError):  # nullable
            return np.array([np.nan if is_gap(v) else v for v in series], dtype=float)
    return _of_values(series.to_numpy())


def _of_values(values):
    """The values as numbers or dates where all of them are, else as objects."""
    kind = values.dtype.kind
    if kind == "M":
        return values.astype("datetime64[s]")
    if kind not in "OU":
        return values.astype(float)
    if kind == "O" and all(is_gap(v) or isinstance(v, numbers.Real) for v in values):
        return np.array([np.nan if is_gap(v) else v for v in values], dtype=float)
    return values.astype(object)


def is_gap(value):
    """Whether a value is missing."""
    if isinstance(value, str):
        return value.strip() in ("", MISSING)
    return value is None or type(value).__name__ in ("NAType", "NaTType") or value != value


def text_of(value):
    """The value as a text; a missing one is empty."""
    if isinstance(value, (float, np.floating)):
        return "" if value != value else repr(float(value))
    return "" if is_gap(value) else str(value).replace("\r\n", "\n").strip()


def codes_of(values, texts=None):
    """The places (n,) of the values in a list of texts, -1 where missing, and the list. With texts given, others have -2."""
    fixed, place, codes = texts is not None, {}, np.empty(len(values), dtype=np.int32)
    known = {text: k for k, text in enumerate(texts or [])}
    for i, value in enumerate(values):
        key = value if type(value) is str else (type(value), value)
        try:
            code = place.get(key)
        except TypeError:
            raise TypeError(f"a cell of X is a {type(value).__name__}: the argument must be a string or a number") from None
        if code is None:
            if is_gap(value):
                code = -1
            else:
                text = text_of(value)
                code = known.get(text, -2) if fixed else known.setdefault(text, len(known))
            place[key] = code
        codes[i] = code
    return codes, list(known)


def written(column):
    """A column for the worker: what it is, its bytes, and the form of its dates, None where it has none."""
    if column.dtype == float:
        return {}, np.ascontiguousarray(column), None
    if column.dtype.kind == "M":
        gaps = np.isnat(column)
        moments, codes = np.unique(column[~gaps], return_inverse=True)
        days = (moments == moments.astype("datetime64[D]")).all()
        texts = [str(t).replace("T", " ") for t in np.datetime_as_string(moments, unit="D" if days else "s")]
        of = np.full(len(gaps), -1, dtype=np.int32)
        of[~gaps] = codes
        return {"texts": texts}, of, "YYYY-MM-DD" if days else "YYYY-MM-DD hh:mm:ss"
    codes, texts = codes_of(column)
    return {"texts": texts}, codes, None


def file_names(names, letter):
    """The names, each replaced by a letter and its place where it can be no name of a
    column (letter x) or class in a file."""
    known = [str(n) if isinstance(n, str) else "" for n in names]
    if letter == "x":
        known = [n.replace("\r\n", "\n").strip() for n in known]
    used, out, times = set(known), [], Counter(known)
    for i, name in enumerate(known):
        usable = name and name == name.strip() and times[name] == 1
        if letter == "x":
            usable = usable and not _is_number(name) and not set(name) & set("\r\0") and "\\," not in name and not name.endswith("\\")
        else:
            usable = usable and not set(name) & set("\r\n\0,?=")
        out.append(name if usable else free(f"{letter}{i}", used))
    return out


def _is_number(name):
    try:
        float(name)
    except ValueError:
        return False
    return True


def free(name, taken):
    """The name, with underscores where it is taken."""
    while name in taken:
        name += "_"
    taken.add(name)
    return name
