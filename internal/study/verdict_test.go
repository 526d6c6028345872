//go:build cgo && !nohighs

package study

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/octgen/octgen/fit"
)

// precision is how far the figures of a linear program may be from the reference's,
// relative to the larger of 1 and the figure: what solvers promise.
const precision = 1e-6

func near(a, b, tolerance float64) bool {
	return math.Abs(a-b) <= tolerance*max(1, math.Abs(a), math.Abs(b))
}

// same is near for figures that may both be unknown.
func same(a, b, tolerance float64) bool {
	return math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= tolerance*max(1, math.Abs(a), math.Abs(b))
}

// tolerance is how far a claim of objective or bound may be off: the precision of a
// solver or, where the least weight is a large part of the baseline error, what 1e-6
// of that weight comes to in each of ten rows.
func (in *instance) tolerance() float64 {
	if in.engine == rlp || in.engine == fm {
		return precision
	}
	return max(precision, 1e-5*slices.Min(in.w)/in.baseline())
}

// verdict is what is wrong with an answer.
type verdict struct {
	kind string // "" where nothing is
	text string
}

// The kinds of verdicts: a claim that the reference refutes; an error or a failed
// check where there is an answer; an answer without the proof that was asked for.
const (
	wrong    = "wrong claim"
	failed   = "no answer"
	unproved = "not proved"
)

func say(kind, format string, args ...any) verdict {
	return verdict{kind, fmt.Sprintf(format, args...)}
}

// judgeInfeasible: there is no tree, or none in the box that the error names.
func (in *instance) judgeInfeasible(a *answer) verdict {
	lowest, optimum := in.optimum()
	if !math.IsInf(optimum, 1) || !math.IsInf(lowest, 1) && !strings.Contains(a.err.Error(), "within the box") {
		return say(wrong, "error: %v, but the optimum is %v (%v in the box)", a.err, lowest, optimum)
	}
	return verdict{}
}

// judge holds the answer against the reference solver.
func (in *instance) judge(a *answer) verdict {
	if in.engine != rlp && in.engine != fm && !enough(in.total(), in.minLeaf) {
		if !a.refused {
			return say(wrong, "all rows are too light for a leaf, but the error is %v, status %s", a.err, a.status)
		}
		return verdict{}
	}
	if errors.Is(a.err, fit.ErrInfeasible) {
		return in.judgeInfeasible(a)
	}
	if a.err != nil {
		return say(failed, "error: %v", a.err)
	}
	if a.problem != "" {
		return say(failed, "check: %s", a.problem)
	}
	if a.nodes == nil {
		return say(failed, "no tree and no error")
	}
	if in.baseline() == 0 || in.constant() {
		return in.judgeTrivial(a)
	}
	if v := in.judgeTree(a); v.kind != "" {
		return v
	}
	return in.judgeClaims(a)
}

func (in *instance) constant() bool {
	low, high := in.extent()
	for j := range low {
		if low[j] < high[j] {
			return false
		}
	}
	return true
}

// judgeTrivial: where one leaf is as good as any tree, the answer is that leaf.
func (in *instance) judgeTrivial(a *answer) verdict {
	if len(a.nodes) != 1 || a.status != "optimal" {
		return say(wrong, "the single leaf is optimal; the answer is %s with %d nodes", a.status, len(a.nodes))
	}
	if heaviest := in.classWeights(); heaviest[a.nodes[0].class] < heaviest[in.heaviest()]*(1-forgiven) {
		return say(wrong, "the single leaf is of class %d", a.nodes[0].class)
	}
	return verdict{}
}

// judgeClaims compares objectives and bounds with the optimum, those of the result as
// a whole and those of the solver.
func (in *instance) judgeClaims(a *answer) verdict {
	lowest, optimum := in.optimum()
	if v := in.judgeClaim(a, a.claim, lowest, optimum); v.kind != "" {
		return v
	}
	if v := in.judgeClaim(a, a.said, lowest, optimum); v.kind != "" {
		return say(v.kind, "%s: %s", a.solver, v.text)
	}
	if a.status != "optimal" {
		return say(unproved, "status %s, objective %v, bound %v, optimum %v", a.status, a.value, a.bound, optimum)
	}
	return verdict{}
}

// judgeClaim compares an objective and a bound with the optimum. A tree that is said
// to be optimal is so exactly where weights are whole multiples of a unit.
func (in *instance) judgeClaim(a *answer, c claim, lowest, optimum float64) verdict {
	about := func(v, w float64) bool { return near(v, w, in.tolerance()) }
	exact := in.unitary && in.engine != rlp && in.engine != fm
	switch {
	case c.bound > optimum && !about(c.bound, optimum):
		return say(wrong, "the bound is %v, the optimum %v", c.bound, optimum)
	case c.value < lowest && !about(c.value, lowest):
		return say(wrong, "the objective is %v, the optimum %v", c.value, lowest)
	case c.status == "optimal" && c.value > optimum && !about(c.value, optimum):
		return say(wrong, "%v is said to be optimal, the optimum is %v", c.value, optimum)
	case c.status == "optimal" && !about(c.value, c.bound):
		return say(wrong, "optimal, with objective %v and bound %v", c.value, c.bound)
	case c.status == "optimal" && exact && !near(a.train, optimum, 1e-9):
		return say(wrong, "the tree is said to be optimal with %v, the optimum is %v", a.train, optimum)
	}
	return verdict{}
}

// optimum is the reference's, and the least that may be claimed: fm's need not be
// within a box of weights.
func (in *instance) optimum() (lowest, optimum float64) {
	switch in.engine {
	case octH:
		optimum = in.planeOptimum()
	case rlp:
		optimum = in.rlpOptimum(everything(in.p()), math.Inf(1))
	case fm:
		return in.fewestFeatures(math.Inf(1)), in.fewestFeatures(fmBox)
	default:
		optimum = in.treeOptimum()
	}
	return optimum, optimum
}

// judgeTree recomputes the tree's objective and holds it against the limits.
func (in *instance) judgeTree(a *answer) verdict {
	if in.engine == rlp || in.engine == fm {
		return in.judgeSplit(a)
	}
	t := in.walk(a)
	objective := t.errors/in.baseline() + in.alpha*float64(t.complexity)
	switch {
	case t.depth > in.depth:
		return say(wrong, "the tree has depth %d", t.depth)
	case in.maxSplits > 0 && t.complexity > in.maxSplits:
		return say(wrong, "the tree has complexity %d", t.complexity)
	case !enough(t.lightest, in.minLeaf):
		return say(wrong, "a leaf weighs %v", t.lightest)
	case in.mu > 0 && t.margin < in.mu-2e-6:
		return say(wrong, "a split has the margin %v", t.margin)
	case !near(objective, a.train, 1e-9):
		return say(wrong, "the tree's objective is %v, the result says %v", objective, a.train)
	case objective > a.value && !near(objective, a.value, in.tolerance()):
		return say(wrong, "the tree's objective is %v, %s claims %v", objective, a.solver, a.value)
	}
	return verdict{}
}

// figures of a tree on the rows.
type figures struct {
	errors, lightest, margin float64
	depth, complexity        int
}

// walk sends every row down the tree.
func (in *instance) walk(a *answer) figures {
	f := figures{lightest: math.Inf(1), margin: math.Inf(1)}
	low, high := in.extent()
	weight := make([]float64, len(a.nodes))
	depth := make([]int, len(a.nodes))
	sides := make([][2]float64, len(a.nodes)) // largest left, least right
	for t := range sides {
		sides[t] = [2]float64{math.Inf(-1), math.Inf(1)}
	}
	for i, row := range in.x {
		t := 0
		for a.nodes[t].weights != nil {
			v := 0.0
			for j, w := range a.nodes[t].weights {
				v += w * row[j]
			}
			if v < a.nodes[t].b {
				sides[t][0] = max(sides[t][0], v)
				t = a.nodes[t].left
			} else {
				sides[t][1] = min(sides[t][1], v)
				t = a.nodes[t].right
			}
		}
		weight[t] += in.w[i]
		if a.nodes[t].class != in.y[i] {
			f.errors += in.w[i]
		}
	}
	for t, n := range a.nodes {
		f.depth = max(f.depth, depth[t])
		if n.weights == nil {
			f.lightest = min(f.lightest, weight[t])
			continue
		}
		depth[n.left], depth[n.right] = depth[t]+1, depth[t]+1
		size := 0.0
		features := 0
		for j, w := range n.weights {
			size += math.Abs(w) * (high[j] - low[j])
			if w != 0 {
				features++
			}
		}
		f.margin = min(f.margin, (sides[t][1]-sides[t][0])/size)
		if in.engine == octH {
			f.complexity += features
		} else {
			f.complexity++
		}
	}
	return f
}

// judgeSplit holds a linear split against the error that is claimed of it. A single
// leaf is the split with all weights 0.
func (in *instance) judgeSplit(a *answer) verdict {
	w, b, features := make([]float64, in.p()), 0.0, 0
	if root := a.nodes[0]; root.weights != nil {
		w, b = root.weights, root.b
		for _, v := range w {
			if v != 0 {
				features++
			}
		}
	}
	got := in.splitError(w, b)
	switch {
	case in.engine == fm && got > in.delta && !near(got, in.delta, precision):
		return say(wrong, "the split's error is %v", got)
	case in.engine == fm && float64(features) > a.value+precision:
		return say(wrong, "the split has %d features, the objective is %v", features, a.value)
	case in.engine == rlp && !near(got, a.value, precision):
		return say(wrong, "the split's error is %v, the objective %v", got, a.value)
	}
	return verdict{}
}
