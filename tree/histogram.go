package tree

import (
	"math"
	"slices"

	"github.com/octgen/octgen/dataset"
)

// Histogram is how the rows at a branch node lie along the left-hand side of its split:
// a feature, or the weighted sum of a hyperplane. All bins have the same width, and the
// threshold is the border of two, so that the first Below bins hold the rows that go left.
// Min and Max are the least and largest value of the rows.
type Histogram struct {
	Node  int         `json:"node"`
	Min   float64     `json:"min"`
	Max   float64     `json:"max"`
	Below int         `json:"below"`
	Rows  [][]float64 `json:"rows"` // (K, bins) source rows; no bins where no row comes
}

// histogramBins is about how many bins a histogram has, where the values are not fewer.
const histogramBins = 20

// Histograms returns the histograms of the branch nodes, by node, of the rows of ds. Where
// values lie apart by whole multiples of the least distance, as counts do, each bin has as
// many of them as the others. A node whose values are too far apart for float64 is left
// out. It panics where ds has not the features and classes of the tree.
func (t *Tree) Histograms(ds *dataset.Dataset) []Histogram {
	t.mustFit(ds)
	rows := make([][]int32, len(t.Nodes))
	for i := range ds.N() {
		rows[0] = append(rows[0], int32(i))
	}
	var all []Histogram
	for i := range t.Nodes { // children come after their parent
		n := &t.Nodes[i]
		if n.Split == nil {
			continue
		}
		for _, r := range rows[i] {
			child := n.Right
			if n.Split.Left(ds.Row(int(r))) {
				child = n.Left
			}
			rows[child] = append(rows[child], r)
		}
		if h, ok := n.Split.histogram(ds, rows[i]); ok {
			h.Node = i
			all = append(all, h)
		}
		rows[i] = nil
	}
	return all
}

// histogram counts the rows of ds that are given by number; false where their values are
// too far apart.
func (s *Split) histogram(ds *dataset.Dataset, rows []int32) (Histogram, bool) {
	h := Histogram{Rows: make([][]float64, ds.K())}
	if len(rows) == 0 {
		return h, true
	}
	values := make([]float64, len(rows))
	for k, i := range rows {
		values[k] = s.sum(ds.Row(int(i)))
	}
	h.Min, h.Max = slices.Min(values), slices.Max(values)
	low, high := min(h.Min, s.Threshold), max(h.Max, s.Threshold)
	if span := high - low; math.IsInf(span, 0) || math.IsNaN(span) {
		return h, false
	}
	width := max(binWidth(values), (high-low)/(4*histogramBins)) // the threshold may be far outside
	if width == 0 {
		width = 1
	}
	above := int((high-s.Threshold)/width) + 1
	h.Below = int(math.Ceil((s.Threshold - low) / width))
	for k := range h.Rows {
		h.Rows[k] = make([]float64, h.Below+above)
	}
	for k, i := range rows {
		bin := 0
		if v := values[k]; v < s.Threshold {
			bin = max(0, h.Below-int(math.Ceil((s.Threshold-v)/width)))
		} else {
			bin = h.Below + int((v-s.Threshold)/width)
		}
		h.Rows[ds.Y[i]][bin] += ds.Count[i]
	}
	return h, true
}

// binWidth is the width that bins of the values are to have, a multiple of the least
// distance of two; 0 where all values are the same.
func binWidth(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	gap := math.Inf(1)
	for i, v := range sorted[1:] {
		if d := v - sorted[i]; d > 0 {
			gap = min(gap, d)
		}
	}
	width := (sorted[len(sorted)-1] - sorted[0]) / histogramBins
	if whole := gap * math.Ceil(width/gap); whole <= 2*width || whole == gap && width > 0 {
		return whole
	}
	return width // of a single value, or values too close for their distance to be a unit
}
