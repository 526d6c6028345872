package gto

import (
	"fmt"
	"math"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate/internal/merged"
	"github.com/octgen/octgen/tree"
)

// data is the training data for GTO: rows with equal features and class merged, non-constant
// features standardised (mean 0, deviation 1, divisor n).
//
// A decision in these units is x'.w' - gamma' with w'_j = sd_j w_j and gamma' = gamma - sum_j w_j
// mean_j, which equals x.w - gamma. Errors do not depend on the units; the box does, and needs
// comparable units for all features.
type data struct {
	src      *dataset.Dataset // as given: decoded trees are annotated with it
	ds       *dataset.Dataset // merged, weights in units
	unit     float64          // of weight
	n, p     int              // rows; non-constant features
	active   []int            // (p) the non-constant features
	mean, sd []float64        // of all features; sd is 0 for a constant one
	x        []float64        // (n, p) row-major, standardised
	reach    []float64        // (n) 1 + sum_j |x_ij|: maximum of |x.w - gamma| in the unit box
}

func newData(ds *dataset.Dataset, l *tree.Training) (*data, error) {
	m, unit, err := merged.Rows(ds, l)
	if err != nil {
		return nil, err
	}
	g := &data{src: ds, ds: m, unit: unit.Size, n: m.N()}
	sc := dataset.FitScaler(dataset.Standard, m)
	g.mean, g.sd = sc.Shift, sc.Scale
	for j := range g.sd {
		if g.sd[j] > 0 {
			g.active = append(g.active, j)
		}
	}
	g.p = len(g.active)
	if g.p == 0 {
		return nil, merged.ErrNoFeature
	}
	g.x = make([]float64, g.n*g.p)
	g.reach = make([]float64, g.n)
	for i := range g.n {
		g.reach[i] = 1
		for jx, j := range g.active {
			v := sc.Value(j, m.At(i, j))
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("formulate: feature %q cannot be standardised: value %v, standard deviation %v", ds.Features[j], m.At(i, j), g.sd[j])
			}
			g.x[i*g.p+jx] = v
			g.reach[i] += math.Abs(v)
		}
	}
	return g, nil
}

func (g *data) row(i int) []float64 { return g.x[i*g.p : (i+1)*g.p : (i+1)*g.p] }

// plane is a decision in standardised units: x goes right if w.x > gamma.
type plane struct {
	w     []float64 // (p)
	gamma float64
}

func (h *plane) activity(x []float64) float64 {
	v := -h.gamma
	for j, w := range h.w {
		v += w * x[j]
	}
	return v
}

// size returns the smallest box that contains the plane.
func (h *plane) size() float64 {
	s := math.Abs(h.gamma)
	for _, w := range h.w {
		s = max(s, math.Abs(w))
	}
	return s
}

// scaled returns s times the plane, clipped to the box.
func (h *plane) scaled(s, box float64) plane {
	clamp := func(v float64) float64 { return max(-box, min(box, v)) }
	out := plane{make([]float64, len(h.w)), clamp(s * h.gamma)}
	for j, w := range h.w {
		out.w[j] = clamp(s * w)
	}
	return out
}

// noise is the weight, in standardised units, that counts as 0: far below any effect on a margin of
// 1, above the noise of solvers.
const noise = 1e-9

// clean drops noise from the weights.
func (h *plane) clean() {
	for j, w := range h.w {
		if math.Abs(w) <= noise {
			h.w[j] = 0
		}
	}
}

// activities returns x.w - gamma of all rows at all planes. (n, D) row-major
func (g *data) activities(planes []plane) []float64 {
	act := make([]float64, g.n*len(planes))
	for i := range g.n {
		x := g.row(i)
		for d := range planes {
			act[i*len(planes)+d] = planes[d].activity(x)
		}
	}
	return act
}
