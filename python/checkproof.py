#!/usr/bin/env python3
"""Checks a proof that no decision tree is better: checkproof.py FILE DATA.csv. docs/proof.md is the specification.

Whole numbers and the standard library only. It reads CSV files with a header, commas and decimal points.
"""

import csv
import gzip
import hashlib
import json
import math
import struct
import sys
from fractions import Fraction
from itertools import accumulate

MOST = 1 << 60
NONE = MOST * 4  # no tree


class Refused(Exception):
    """The file proves nothing."""


def need(condition, text):
    if not condition:
        raise Refused(text)


class Tokens:
    def __init__(self, data):
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
        self.text, self.at = data.decode("utf-8"), 0

    def next(self):
        text, at = self.text, self.at
        while at < len(text) and text[at] in " \n\r":
            at += 1
        need(at < len(text), "the file ends too early")
        end = at + 1
        if text[at] == '"':
            while end < len(text) and text[end] != '"':
                end += 2 if text[end] == "\\" else 1
            need(end < len(text), "a text does not end")
            end += 1
        else:
            while end < len(text) and text[end] not in " \n\r":
                end += 1
        self.at = end
        return text[at:end]

    def word(self, want):
        got = self.next()
        need(got == want, f"{got[:40]!r}, expected {want!r}")

    def number(self, below=MOST + 1, token=None):
        token = self.next() if token is None else token
        need(token.isascii() and token.isdigit() and len(token) < 20 and (token == "0" or token[0] != "0"), f"{token[:40]!r}, expected a whole number")
        need(int(token) < below, f"{token}, expected a number below {below}")
        return int(token)

    def string(self, token=None):
        token = self.next() if token is None else token
        need(token[:1] == '"', f"{token[:40]!r}, expected a text in quotes")
        try:
            return json.loads(token)
        except ValueError:
            raise Refused(f"the text {token[:40]} is written in a way this checker does not read") from None


class Head:
    """What the file claims."""

    def __init__(self, t):
        t.word("octproof"), t.word("1")
        t.word("rows")
        self.n = t.number(1 << 31)
        t.word("features")
        self.p = t.number(1 << 31)
        t.word("answers")
        self.answers = [t.string() for _ in range(t.number(1 << 20))]
        self.lines, token = [], t.next()
        while token != "scale":
            if token in ("lines", "column", "class", "target", "reward", "weight", "times", "cost", "other", "gap"):
                self.lines.append([token])
            else:
                need(self.lines, f"{token[:40]!r}, expected a column")
                self.lines[-1].append(token)
            token = t.next()
        self.scale, self.leaf_scale, self.squares = int(t.next()), int(t.next()), None
        token = t.next()
        if token == "squares":
            self.squares, token = (t.number(), t.number()), t.next()
            need(min(self.squares) > 0, "squares are counted in parts of a positive number")
        need(token == "digest", f"{token[:40]!r}, expected 'digest'")
        self.digest = t.next()
        self.depth = self.splits = None
        self.leaf = self.price = 0
        self.forbidden, token = [], t.next()
        for name, limit in (("depth", 65), ("splits", 1 << 31), ("leaf", MOST + 1), ("price", MOST + 1)):
            if token == name:
                setattr(self, name, t.number(limit))
                token = t.next()
        while token == "forbid":
            self.forbidden.append(t.number(self.p))
            need(self.forbidden == sorted(set(self.forbidden)), "forbidden features are not in order")
            token = t.next()
        need(token == "value", f"{token[:40]!r}, expected 'value'")
        self.value = t.number()
        t.word("bound")
        self.bound = t.number()
        need(self.bound <= self.value, "the bound is above the value of the tree")
        need(self.depth is not None or self.price or self.splits is not None, "nothing limits the trees")


def decimal(v):
    return Fraction(repr(v))


def started(file):
    """The rows of a CSV file with a header, each with the line on which it begins."""
    reader, names, at = csv.reader(file, skipinitialspace=True), None, 0
    for row in reader:
        begin, at = at + 1, reader.line_num
        if row and names is not None:
            yield begin, dict(zip(names, row))
        elif row:
            names = row


class Table:
    """The rows of a CSV file as the head describes them."""

    def __init__(self, head, path, t):
        columns, gaps, rewards, target, weight, part = [], set(), [], None, None, None
        times, costs, quantile = {}, {}, None
        for line in head.lines:
            kind, rest = line[0], line[1:]
            need(kind != "other", "the data were read in a way that this checker does not know; use octgen proof check")
            if kind == "lines":
                ends = [t.number(token=token) for token in rest]
                need(part is None and ends and len(ends) % 2 == 0 and all(a <= b for a, b in zip(ends[::2], ends[1::2])), "the lines of the file are no ranges")
                part = {line for a, b in zip(ends[::2], ends[1::2]) for line in range(a, b + 1)}
            elif kind == "column":
                need(rest[1] in ("number", "onehot", "ordinal"), f"the column {rest[0]} was read in a way that this checker does not know; use octgen proof check")
                options = rest[2:]
                missing = options[options.index("missing") + 1] if "missing" in options else None
                columns.append((t.string(rest[0]), rest[1], options, missing))
            elif kind == "gap":
                gaps.add(t.string(rest[0]))
            elif kind == "class":
                target = t.string(rest[0])
            elif kind == "target":
                target = t.string(rest[0])
                need((len(rest) == 1) == (head.squares is not None), "squares go with means")
                quantile = decimal(float(rest[2])) if len(rest) == 3 and rest[1] == "quantile" else None
            elif kind == "reward":
                rewards.append(t.string(rest[0]))
            elif kind == "weight":
                weight = t.string(rest[0])
            elif kind == "times":
                times[t.string(rest[0])] = float(rest[1])
            else:
                costs[t.string(rest[0]), t.string(rest[1])] = decimal(float(rest[2]))
        self.x, self.loss, self.weight = [], [], []
        self.single = not rewards and not costs and quantile is None and head.squares is None
        answers = [decimal(float(a)) for a in head.answers] if quantile is not None else []
        with open(path, encoding="utf-8-sig", newline="") as f:
            for begin, row in started(f):
                if part is not None and begin not in part:
                    continue
                cells = {name: cell.strip() for name, cell in row.items()}
                for name in [*(c[0] for c in columns), *rewards, *([] if rewards else [target]), *([weight] if weight else [])]:
                    need(name in cells, f"the data have no column {name!r}, or a row without it")
                x = self.features(cells, columns, gaps, t)
                if x is None:
                    continue
                w = float(cells[weight]) if weight else 1.0
                if rewards:
                    r = [decimal(float(cells[name])) for name in rewards]
                    loss = [decimal(w) * (max(r) - v) for v in r]
                elif head.squares is not None:
                    loss = [Fraction(math.floor(decimal(float(cells[target]) + 0.0) * head.scale + Fraction(1, 2)), head.scale)]
                elif quantile is not None:
                    y = decimal(float(cells[target]) + 0.0)
                    need(y in answers, f"the number {cells[target]} is none of the proof's answers")
                    loss = [decimal(w) * (quantile * (y - a) if y >= a else (1 - quantile) * (a - y)) for a in answers]
                else:
                    label = cells[target]
                    need(label in head.answers, f"the class {label!r} is none of the proof's")
                    w *= times.get(label, 1.0)
                    loss = [decimal(w) * costs.get((label, a), Fraction(a != label)) for a in head.answers]
                self.x.append(x)
                self.loss.append([self.whole(v, head.scale) for v in loss])
                self.weight.append(self.whole(decimal(w), head.leaf_scale))
        need(len(self.x) == head.n and all(len(x) == head.p for x in self.x), f"the data have {len(self.x)} rows, the proof {head.n}, or other features")
        if head.squares is None:
            need(all(v >= 0 for loss in self.loss for v in loss) and sum(map(max, self.loss)) <= MOST, "sums above 2^60")
        need(sum(self.weight) <= MOST, "sums above 2^60")
        digest = hashlib.sha256()
        for x, loss, w in zip(self.x, self.loss, self.weight):
            digest.update(struct.pack(f"<{len(x)}d{len(loss)}qq", *x, *loss, w))
        need(digest.hexdigest() == head.digest, "the proof is about other data: the digest differs")

    @staticmethod
    def whole(v, scale):
        v *= scale
        need(v.denominator == 1 and abs(v) <= MOST, "a loss or weight is no whole number after scaling")
        return int(v)

    @staticmethod
    def features(cells, columns, gaps, t):
        x = []
        if any(missing is None and '"?"' not in options and (cells[name] == "" or cells[name] in gaps) for name, _, options, missing in columns):
            return None
        for name, kind, options, missing in columns:
            cell = cells[name]
            gap = cell == "" or cell in gaps
            if kind == "number":
                v = float(missing if gap else cell) + 0.0
                x.append(v)
                if "indicator" in options:
                    x.append(float(gap))
                continue
            texts = [t.string(o) for o in options[: options.index("missing")]] if "missing" in options else [t.string(o) for o in options]
            if gap:
                cell = "?" if missing is None else t.string(missing)
            need(cell in texts, f"the category {cell!r} of {name!r} is none of the proof's")
            place = texts.index(cell)
            if kind == "ordinal":
                x.append(float(place))
            elif len(texts) == 2:
                x.append(float(place == 1))
            else:
                x += [float(k == place) for k in range(len(texts))]
        return x


class Checker:
    def __init__(self, table, head, tokens):
        self.t, self.h, self.tokens = table, head, tokens
        self.k, self.squares = len(head.answers), head.squares
        columns = [list(column) for column in zip(*table.loss)]  # what sums over rows are of
        if self.squares:
            numbers, reach = columns[0], (max(columns[0]) - min(columns[0])) ** 2
            mean = sum(map(int.__mul__, table.weight, numbers)) // sum(table.weight)
            square = sum(w * (a - mean) ** 2 for w, a in zip(table.weight, numbers))
            need(sum(table.weight) < 1 << 31 and square < 1 << 62 and self.squares[1] < 1 << 31 and square * self.squares[0] // self.squares[1] < 1 << 58,
                 "the squares are counted in parts that are too small or too large")
            columns = [table.weight, list(map(int.__mul__, table.weight, numbers)), [w * a * a for w, a in zip(table.weight, numbers)]]
        self.columns = columns
        all_ranks = []
        for j in range(head.p):
            values = sorted({x[j] for x in table.x})
            place = {v: r for r, v in enumerate(values)}
            all_ranks.append([place[x[j]] for x in table.x])
        self.all, self.ranks = all_ranks, []
        for j, rank in enumerate(all_ranks):
            m = max(rank, default=0)
            mirrored = [m - r for r in rank]
            if m > 0 and j not in head.forbidden and rank not in self.ranks and mirrored not in self.ranks:
                self.ranks.append(rank)
        groups = {}
        for i, x in enumerate(table.x):
            groups.setdefault(tuple(x), []).append(i)
        self.forced = [0] * head.n
        for rows in groups.values():
            self.forced[rows[0]] = self.one_leaf(rows)

        self.two = {id(rank): rank for rank in self.ranks if max(rank) == 1}
        self.dearest = [w * reach * self.squares[0] // self.squares[1] + 1 for w in table.weight] if self.squares else [max(loss) for loss in table.loss]

    def sums(self, rows):
        """What each answer costs for the rows; of squared errors their weight, and that times number and squared number."""
        return [sum(map(column.__getitem__, rows)) for column in self.columns]

    def least(self, sums):
        """What the best answer costs for rows with such sums."""
        if not self.squares:
            return min(sums)
        w, m, q = sums
        return self.squares[0] * (w * q - m * m) // (self.squares[1] * w) if w else 0

    def one_leaf(self, rows):
        return self.least(self.sums(rows))

    def tree(self, rows, depth):
        token = self.tokens.next()
        if token == "=":
            answer = self.tokens.number(self.k)
            need(rows, "the tree has a leaf without rows")
            need(sum(self.t.weight[i] for i in rows) >= self.h.leaf, "a leaf is too light")
            return self.one_leaf(rows) if self.squares else sum(self.t.loss[i][answer] for i in rows), 0
        j, r = self.tokens.number(self.h.p, token), self.tokens.number(1 << 31)
        need(depth < 65 and (self.h.depth is None or depth < self.h.depth), "the tree is too deep")
        need(j not in self.h.forbidden, "the tree splits on a forbidden feature")
        left, s = self.tree([i for i in rows if self.all[j][i] < r], depth + 1)
        right, u = self.tree([i for i in rows if self.all[j][i] >= r], depth + 1)
        return left + right, s + u + 1

    def check(self):
        h, rows = self.h, list(range(self.h.n))
        self.tokens.word("tree")
        loss, splits = self.tree(rows, 0)
        need(h.splits is None or splits <= h.splits, "the tree has too many splits")
        need(loss + splits * h.price == h.value, f"the tree has the value {loss + splits * h.price}, not {h.value}")
        self.tokens.word("proof")
        splits = NONE if h.splits is None else h.splits
        self.lemma(rows, min(64, splits) if h.depth is None else h.depth, splits, h.leaf, h.bound)
        self.tokens.word("end")
        need(not self.tokens.text[self.tokens.at:].strip(" \n\r"), "text after the end")

    def lemma(self, rows, d, splits, least, v):
        price, weight = self.h.price, sum(self.t.weight[i] for i in rows)
        if v <= 0 or weight < least:
            return
        leaf = self.one_leaf(rows)
        need(leaf >= v, f"one answer for {len(rows)} rows costs {leaf}, less than {v}")
        forced = sum(self.forced[i] for i in rows)
        if price:
            d = min(d, max(0, v - 1 - forced) // price)
        d = min(d, splits)
        if d == 0 or weight < 2 * least or self.base(rows, d, splits, forced) >= v:
            return
        if d <= 2:
            need(self.best(rows, d, splits, least, v) >= v, f"a tree of {d} levels for {len(rows)} rows costs less than {v}")
            return
        if not any(rank[i] != rank[rows[0]] for rank in self.ranks for i in rows):
            return  # all covers are empty, however many there are
        full = 2 ** (d - 1) - 1
        if splits - 1 >= 2 * full:
            self.cover(rows, d, full, full, least, v)
            return
        for left in range(max(0, splits - 1 - full), min(splits - 1, full) + 1):
            self.cover(rows, d, left, splits - 1 - left, least, v)

    def base(self, rows, d, splits, forced):
        if not self.t.single:
            return self.h.price + forced
        by = [0] * self.k
        for i in rows:
            by[self.t.loss[i].index(0)] += max(self.t.loss[i])
        by.sort(reverse=True)
        return min(s * self.h.price + max(forced, sum(by[s + 1:])) for s in range(1, min(splits, 2**d - 1, max(1, self.k - 1)) + 1))

    def cuts(self, rows, rank):
        """The rows in the order of a feature, and the places of its cuts."""
        if rank is self.two.get(id(rank)):
            zeros, ones = [i for i in rows if not rank[i]], [i for i in rows if rank[i]]
            return zeros + ones, [len(zeros)] if zeros and ones else []
        order = sorted(rows, key=rank.__getitem__)
        return order, [e for e in range(1, len(order)) if rank[order[e]] != rank[order[e - 1]]]

    def cover(self, rows, d, left, right, least, v):
        for rank in self.ranks:
            order, cuts = self.cuts(rows, rank)
            at = 0
            while at < len(cuts):
                length, low = self.tokens.number(1 << 31), self.tokens.number()
                need(1 <= length <= len(cuts) - at, "an interval is longer than the cuts that are left")
                own = least if length == 1 else 0
                self.lemma(order[: cuts[at]], d - 1, left, own, low)
                self.lemma(order[cuts[at + length - 1]:], d - 1, right, own, v - self.h.price - low)
                at += length

    def best(self, rows, d, splits, least, v):
        """The least value of a tree with one or two levels and a split, or of one below v."""
        if d == 1 or splits == 1:
            return self.h.price + self.stump(rows, least)
        best = NONE
        for rank in self.ranks:
            order, cuts = self.cuts(rows, rank)
            most = [0]
            for i in order:
                most.append(most[-1] + self.dearest[i])
            todo = [(0, len(cuts) - 1, 0, 0)]
            while todo:
                a, b, low, high = todo.pop()
                if a > b or self.h.price + low + high >= v:
                    continue
                mid = (a + b) // 2
                left, right = order[: cuts[mid]], order[cuts[mid]:]
                l, r = self.side(left, 3, 0), self.side(right, 3, 0)
                if splits == 2:
                    value = min(self.side(left, 0, least) + self.side(right, 1, least), self.side(left, 1, least) + self.side(right, 0, least))
                else:
                    value = l + r if not least else self.side(left, 1, least) + self.side(right, 1, least)
                best = min(best, value + self.h.price)
                slack, x, y = self.h.price + l + r - v, mid - 1, mid + 1
                while slack >= 0 and x >= a and most[cuts[mid]] - most[cuts[x]] <= slack:
                    x -= 1
                while slack >= 0 and y <= b and most[cuts[y]] - most[cuts[mid]] <= slack:
                    y += 1
                todo += [(a, x, low, max(high, r)), (y, b, max(low, l), high)]
                if best < v:
                    return best
        return best

    def side(self, rows, splits, least):
        if sum(self.t.weight[i] for i in rows) < least:
            return NONE
        leaf = self.one_leaf(rows)
        return leaf if splits == 0 else min(leaf, self.h.price + self.stump(rows, least))

    def stump(self, rows, least):
        """The least loss of two leaves."""
        best, weight, everything = NONE, self.t.weight, self.sums(rows)
        total = sum(map(weight.__getitem__, rows))
        for rank in self.ranks:
            order, cuts = self.cuts(rows, rank)
            if not cuts:
                continue
            if len(cuts) == 1:
                sides = [(self.sums(order[: cuts[0]]), sum(map(weight.__getitem__, order[: cuts[0]])))]
            else:
                losses = zip(*(accumulate(map(column.__getitem__, order)) for column in self.columns))
                upto = list(zip(losses, accumulate(map(weight.__getitem__, order))))
                sides = [upto[e - 1] for e in cuts]
            for left, w in sides:
                if w >= least and total - w >= least:
                    best = min(best, self.least(left) + self.least(list(map(int.__sub__, everything, left))))
        return best


def main(arguments):
    if len(arguments) != 2:
        print("usage: checkproof.py FILE DATA.csv", file=sys.stderr)
        return 2
    try:
        with open(arguments[0], "rb") as f:
            tokens = Tokens(f.read())
        head = Head(tokens)
        Checker(Table(head, arguments[1], tokens), head, tokens).check()
    except Refused as e:
        print(f"refused: {e}", file=sys.stderr)
        return 1
    except (OSError, ValueError, KeyError, IndexError, EOFError, csv.Error, RecursionError) as e:
        print(f"refused: {type(e).__name__}: {e}", file=sys.stderr)
        return 1
    unit = Fraction(1, head.scale)
    if head.squares:
        unit *= Fraction(head.squares[1], head.squares[0] * head.scale * head.leaf_scale)
    what = "no tree has a smaller value" if head.bound == head.value else f"no tree has a value below {float(head.bound * unit):.12g}"
    print(f"holds: {what}; the tree has {float(head.value * unit):.12g}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
