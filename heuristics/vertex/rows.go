package vertex

import (
	"fmt"
	"math"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/tree"
)

// marginRows is the training data of the methods for hyperplane splits: rows with equal features
// and class are merged and sorted by class, the non-constant features standardised (mean 0,
// deviation 1, divisor n).
//
// x.w - gamma, and so the error, is the same in both units; standardising serves numerical
// accuracy.
type marginRows struct {
	ds       *dataset.Dataset // merged, rows sorted by class
	n, p     int              // rows; non-constant features
	active   []int            // (p) the non-constant features, ascending
	mean, sd []float64        // of all features; sd is 0 for a constant one
	x        []float64        // (n, p) row-major, standardised
	first    []int            // (K+1) rows of class c are first[c]..first[c+1]-1
	twin     []int32          // (n) the first row with the same features, perhaps of another class
}

// newMarginRows returns an error for data without rows or whose deviations overflow; for data of
// one class or without a non-constant feature the error wraps formulate.ErrSingleLeaf.
func newMarginRows(ds *dataset.Dataset) (*marginRows, error) {
	if ds.N() == 0 {
		return nil, fmt.Errorf("vertex: the dataset has no rows")
	}
	sc := dataset.FitScaler(dataset.Standard, ds)
	m := &marginRows{mean: sc.Shift, sd: sc.Scale}
	m.sortByClass(ds)
	for j, sd := range m.sd {
		if math.IsNaN(sd) || math.IsInf(sd, 0) {
			return nil, fmt.Errorf("vertex: feature %q cannot be standardised: its standard deviation is %v; values must be finite and of moderate size", ds.Features[j], sd)
		}
		if sd > 0 {
			m.active = append(m.active, j)
		}
	}
	m.p = len(m.active)
	classes := 0
	for c := range ds.K() {
		if m.first[c+1] > m.first[c] {
			classes++
		}
	}
	switch {
	case classes == 1:
		return nil, fmt.Errorf("vertex: %w: all rows have one class", formulate.ErrSingleLeaf)
	case m.p == 0:
		return nil, fmt.Errorf("vertex: %w: no feature has two different values", formulate.ErrSingleLeaf)
	}
	m.x = make([]float64, 0, m.n*m.p)
	for i := range m.n {
		for _, j := range m.active {
			v := sc.Value(j, m.ds.At(i, j))
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("vertex: feature %q cannot be standardised: value %v, standard deviation %v", ds.Features[j], m.ds.At(i, j), m.sd[j])
			}
			m.x = append(m.x, v)
		}
	}
	m.findTwins()
	return m, nil
}

// sortByClass merges the rows and lists them class by class.
func (m *marginRows) sortByClass(ds *dataset.Dataset) {
	merged, _ := ds.Merge()
	m.n = merged.N()
	m.first = make([]int, ds.K()+1)
	order := make([]int, 0, m.n)
	for c := range ds.K() {
		for i, y := range merged.Y {
			if y == c {
				order = append(order, i)
			}
		}
		m.first[c+1] = len(order)
	}
	m.ds = merged.Subset(order)
}

func (m *marginRows) findTwins() {
	point, first := m.ds.Points()
	m.twin = make([]int32, m.n)
	for i, q := range point {
		m.twin[i] = int32(first[q])
	}
}

func (m *marginRows) row(i int) []float64 { return m.x[i*m.p : (i+1)*m.p : (i+1)*m.p] }

// marginPlane is a decision on standardised features: x goes right if x.w > gamma, and keeps the
// margin there if x.w >= gamma + 1.
type marginPlane struct {
	w     []float64 // (p)
	gamma float64
}

func (h *marginPlane) activity(x []float64) float64 {
	v := -h.gamma
	for j, w := range h.w {
		v += w * x[j]
	}
	return v
}

// weightNoise is the weight, relative to the largest of weights and threshold, that counts as
// rounding of 0.
const weightNoise = 1e-11

// clean drops rounding noise from the weights.
func (h *marginPlane) clean() {
	most := math.Abs(h.gamma)
	for _, w := range h.w {
		most = max(most, math.Abs(w))
	}
	for j, w := range h.w {
		if math.Abs(w) <= weightNoise*most {
			h.w[j] = 0
		}
	}
}

// vacuousWeight is the maximum contribution of the weight of a plane with w = 0.
const vacuousWeight = 1e-12

// vacuous reports whether all weights are 0.
func (h *marginPlane) vacuous() bool {
	return !slices.ContainsFunc(h.w, func(w float64) bool { return w != 0 })
}

// split returns the plane in the data's units, w_j = w'_j / sd_j and gamma = gamma' + sum_j w_j
// mean_j. A plane with w = 0 gets a weight on the first non-constant feature, small enough to
// affect no training row.
func (m *marginRows) split(h marginPlane) (*tree.Split, error) {
	s := &tree.Split{Threshold: h.gamma}
	add := func(jx int, w float64) {
		j := m.active[jx]
		w /= m.sd[j]
		s.Terms = append(s.Terms, tree.Term{Feature: j, Weight: w})
		s.Threshold += w * m.mean[j]
	}
	for jx, w := range h.w {
		if w != 0 {
			add(jx, w)
		}
	}
	if len(s.Terms) == 0 {
		most := 0.0
		for i := range m.n {
			most = max(most, math.Abs(m.row(i)[0]))
		}
		if math.Abs(h.gamma) <= vacuousWeight {
			s.Threshold = -2 * vacuousWeight // all rows go right
		}
		add(0, vacuousWeight/most)
	}
	for _, t := range s.Terms {
		if t.Weight == 0 || math.IsNaN(t.Weight) || math.IsInf(t.Weight, 0) || math.IsNaN(s.Threshold) || math.IsInf(s.Threshold, 0) {
			return nil, fmt.Errorf("vertex: a split cannot be written in the data's units: feature %q has standard deviation %v", m.ds.Features[t.Feature], m.sd[t.Feature])
		}
	}
	return s, nil
}

// plane standardises a split. Constant features become part of the threshold.
func (m *marginRows) plane(s *tree.Split) (marginPlane, error) {
	h := marginPlane{make([]float64, m.p), s.Threshold}
	at := make(map[int]int, m.p)
	for jx, j := range m.active {
		at[j] = jx
	}
	size := 0.0
	for _, t := range s.Terms {
		h.gamma -= t.Weight * m.mean[t.Feature]
		if jx, varies := at[t.Feature]; varies {
			h.w[jx] = t.Weight * m.sd[t.Feature]
			size += math.Abs(h.w[jx])
		}
	}
	if size += math.Abs(h.gamma); math.IsNaN(size) || math.IsInf(size, 0) {
		return h, fmt.Errorf("vertex: a split of the start is not finite on standardised features")
	}
	return h, nil
}
