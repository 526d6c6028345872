package dataset

import (
	"slices"
)

// Subset returns the dataset of the given rows, in the given order; a row may be
// named more than once. All classes stay, also those that no row has.
func (d *Dataset) Subset(rows []int) *Dataset {
	p := d.P()
	s := &Dataset{
		X: make([]float64, 0, len(rows)*p), Y: make([]int, len(rows)),
		Weight: make([]float64, len(rows)), Count: make([]float64, len(rows)),
		Features: slices.Clone(d.Features), Classes: slices.Clone(d.Classes),
		Encoder: d.Encoder, Source: d.Source,
	}
	if d.Line != nil {
		s.Line = make([]int, len(rows))
	}
	if d.Cost != nil {
		s.Cost = make([]float64, 0, len(rows)*d.K())
	}
	if d.Reward != nil {
		s.Reward = make([]float64, 0, len(rows)*d.K())
	}
	for to, i := range rows {
		s.Cost = append(s.Cost, d.CostsOf(i)...)
		s.Reward = append(s.Reward, d.RewardsOf(i)...)
		s.X = append(s.X, d.Row(i)...)
		s.Y[to], s.Weight[to], s.Count[to] = d.Y[i], d.Weight[i], d.Count[i]
		if d.Line != nil {
			s.Line[to] = d.Line[i]
		}
	}
	for i := range d.Groups {
		s.Groups = append(s.Groups, d.Groups[i].subset(rows))
	}
	return s
}

// WithFeatures returns the dataset of the given features, in the given order. It
// has no Encoder, since that of d makes other features: a tree fitted on it must
// have its feature indices mapped back through features before it can read raw
// records.
func (d *Dataset) WithFeatures(features []int) *Dataset {
	n := d.N()
	s := &Dataset{
		X: make([]float64, 0, n*len(features)), Y: slices.Clone(d.Y),
		Weight: slices.Clone(d.Weight), Count: slices.Clone(d.Count), Line: slices.Clone(d.Line), Cost: slices.Clone(d.Cost), Reward: slices.Clone(d.Reward),
		Features: make([]string, len(features)), Classes: slices.Clone(d.Classes),
		Groups: d.Groups, Source: d.Source,
	}
	for to, j := range features {
		s.Features[to] = d.Features[j]
	}
	for i := range n {
		row := d.Row(i)
		for _, j := range features {
			s.X = append(s.X, row[j])
		}
	}
	return s
}

// DropConstant returns the dataset without the features that have one value only,
// and the indices in d of those that are left. See WithFeatures for the Encoder.
func (d *Dataset) DropConstant() (ds *Dataset, kept []int) {
	varies := make([]bool, d.P())
	if d.N() > 0 {
		first := d.Row(0)
		for i := 1; i < d.N(); i++ {
			for j, v := range d.Row(i) {
				varies[j] = varies[j] || v != first[j]
			}
		}
	}
	for j, v := range varies {
		if v {
			kept = append(kept, j)
		}
	}
	return d.WithFeatures(kept), kept
}

// Distinct returns the different values of feature j, ascending. +0 and -0 are
// one value, +0.
func (d *Dataset) Distinct(j int) []float64 {
	values := make([]float64, d.N())
	for i := range values {
		values[i] = d.At(i, j) + 0
	}
	slices.Sort(values)
	return slices.Compact(values)
}
