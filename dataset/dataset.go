// Package dataset loads, validates, encodes, scales and splits labelled data.
//
// A CSV file has a header line and one row per line. Blanks around a field are ignored;
// an empty field or ? is missing. See [LoadOptions] for the options, [Encoder] for the
// encoding of columns as features, and [Error] for the errors of malformed files.
package dataset

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// Dataset holds n labelled rows of p numeric features with K classes. The dataset owns
// its slices: functions that take a dataset do not modify it, and functions of this
// package that return one return a copy.
//
// Every value of X is finite and at most MaxAbs in absolute value, so that differences
// and midpoints of values are finite too. Features are in the units of the data: a
// formulation that needs scaling does it itself.
type Dataset struct {
	X      []float64 // (n, p) row-major
	Y      []int     // (n) class, 0..K-1
	Weight []float64 // (n) training weight, > 0, default 1; their sum is at most MaxAbs
	Count  []float64 // (n) number of source rows merged into the row, default 1
	Line   []int     // (n) line of the source file where the row begins; nil for data made in memory

	Loss // costs of predictions, or rewards of actions; without either, the loss is the weight of misclassified rows

	Features []string // (p) names, distinct
	Classes  []string // (K) names, distinct
	Groups   []Group  // groups for fairness constraints and comparisons; nil: none

	// Encoder turns raw records into rows of X; nil for data made in memory.
	Encoder *Encoder
	Source  Source
	Reading *Reading // summary of reading a training file; nil for parts of a file and for all other data
}

// Source identifies the origin of a dataset.
type Source struct {
	File   string // as given by the user; "-" for standard input; empty for data made in memory
	SHA256 string // of the file's bytes as stored (before gunzip), hex
	Rows   int    // data rows in the file, dropped ones included
}

// New returns the dataset of rows x (n, p row-major) with classes y (n), all weights and
// counts 1. It takes ownership of the slices. It returns the error of Validate.
func New(x []float64, y []int, features, classes []string) (*Dataset, error) {
	d := &Dataset{
		X: x, Y: y, Weight: ones(len(y)), Count: ones(len(y)),
		Features: features, Classes: classes,
	}
	return d, d.Validate()
}

// Validate returns an error that names the first violated invariant of Dataset's fields,
// or nil.
func (d *Dataset) Validate() error {
	n, p, k := d.N(), d.P(), d.K()
	switch {
	case n == 0:
		return fmt.Errorf("dataset: no rows")
	case n > math.MaxInt32:
		return fmt.Errorf("dataset: %d rows; at most %d are supported", n, math.MaxInt32)
	case len(d.X) != n*p:
		return fmt.Errorf("dataset: X has %d values; want %d rows x %d features = %d", len(d.X), n, p, n*p)
	case len(d.Weight) != n:
		return fmt.Errorf("dataset: %d weights for %d rows", len(d.Weight), n)
	case len(d.Count) != n:
		return fmt.Errorf("dataset: %d counts for %d rows", len(d.Count), n)
	case d.Target != nil && (len(d.Target) != n || k != 1):
		return fmt.Errorf("dataset: %d numbers to be predicted for %d rows and %d classes; want one for each row, and one class, their name", len(d.Target), n, k)
	case !(d.Quantile >= 0 && d.Quantile < 1) || d.Quantile > 0 && d.Target == nil:
		return fmt.Errorf("dataset: the quantile %v; want a number between 0 and 1, of numbers to be predicted", d.Quantile)
	case d.Line != nil && len(d.Line) != n:
		return fmt.Errorf("dataset: %d line numbers for %d rows", len(d.Line), n)
	}
	if name, ok := firstRepeated(d.Features); ok {
		return fmt.Errorf("dataset: two features are named %q", name)
	}
	if name, ok := firstRepeated(d.Classes); ok {
		return fmt.Errorf("dataset: two classes are named %q", name)
	}
	for i, v := range d.X {
		if !(math.Abs(v) <= MaxAbs) {
			return fmt.Errorf("dataset: row %d, feature %q: %v is not a finite number of size at most %g",
				i/p, d.Features[i%p], v, MaxAbs)
		}
	}
	for i, v := range d.Target {
		if !(math.Abs(v) <= math.MaxFloat64) {
			return fmt.Errorf("dataset: row %d: the number to be predicted, %v, is not finite", i, v)
		}
	}
	total := 0.0
	for i, y := range d.Y {
		if y < 0 || y >= k {
			return fmt.Errorf("dataset: row %d: class %d; want 0..%d", i, y, k-1)
		}
		if !(d.Weight[i] > 0) || math.IsInf(d.Weight[i], 0) {
			return fmt.Errorf("dataset: row %d: weight %v; want a positive finite number", i, d.Weight[i])
		}
		if !(d.Count[i] > 0) || math.IsInf(d.Count[i], 0) {
			return fmt.Errorf("dataset: row %d: count %v; want a positive finite number", i, d.Count[i])
		}
		total += d.Weight[i]
	}
	if total > MaxAbs {
		return fmt.Errorf("dataset: the weights add up to more than %g", MaxAbs)
	}
	return cmp.Or(d.validateRewards(), d.validateGroups(), d.validateCosts())
}

// N returns the number of rows.
func (d *Dataset) N() int { return len(d.Y) }

// P returns the number of features.
func (d *Dataset) P() int { return len(d.Features) }

// K returns the number of classes.
func (d *Dataset) K() int { return len(d.Classes) }

// Row returns row i of X, shared.
func (d *Dataset) Row(i int) []float64 {
	p := d.P()
	return d.X[i*p : (i+1)*p : (i+1)*p]
}

// At returns the value of feature j in row i.
func (d *Dataset) At(i, j int) float64 { return d.X[i*d.P()+j] }

// ClassWeights returns the total weight per class (K).
func (d *Dataset) ClassWeights() []float64 {
	w := make([]float64, d.K())
	for i, y := range d.Y {
		w[y] += d.Weight[i]
	}
	return w
}

// ClassCounts returns the number of source rows per class (K).
func (d *Dataset) ClassCounts() []float64 {
	c := make([]float64, d.K())
	for i, y := range d.Y {
		c[y] += d.Count[i]
	}
	return c
}

func ones(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = 1
	}
	return v
}

// Group is a column whose levels divide the rows into groups to compare, such as sex or
// race. It is not a feature: trees do not see it unless the column is also a feature.
type Group struct {
	Name   string
	Levels []string // in the order of compareNames, distinct
	Of     []int32  // (n) level of each row; -1: none
}

// Group returns the group of that name, or nil.
func (d *Dataset) Group(name string) *Group {
	for i := range d.Groups {
		if d.Groups[i].Name == name {
			return &d.Groups[i]
		}
	}
	return nil
}

// withGroups returns labels that are equal for two rows if and only if their given labels
// and their levels in all groups are equal.
func (d *Dataset) withGroups(labels []int) []int {
	if len(d.Groups) == 0 {
		return labels
	}
	all := slices.Clone(labels)
	for g := range d.Groups {
		group := &d.Groups[g]
		for i, of := range group.Of {
			all[i] = all[i]*(len(group.Levels)+1) + int(of+1)
		}
	}
	return all
}

// subset returns the group restricted to the given rows.
func (g *Group) subset(rows []int) Group {
	s := Group{Name: g.Name, Levels: slices.Clone(g.Levels), Of: make([]int32, len(rows))}
	for to, i := range rows {
		s.Of[to] = g.Of[i]
	}
	return s
}

func (d *Dataset) validateGroups() error {
	names := make([]string, len(d.Groups))
	for i := range d.Groups {
		g := &d.Groups[i]
		names[i] = g.Name
		if len(g.Of) != d.N() {
			return fmt.Errorf("dataset: group %q has %d levels for %d rows", g.Name, len(g.Of), d.N())
		}
		if name, ok := firstRepeated(g.Levels); ok {
			return fmt.Errorf("dataset: group %q has the level %q twice", g.Name, name)
		}
		for row, l := range g.Of {
			if l < -1 || int(l) >= len(g.Levels) {
				return fmt.Errorf("dataset: row %d: level %d of group %q; want -1..%d", row, l, g.Name, len(g.Levels)-1)
			}
		}
	}
	if name, ok := firstRepeated(names); ok {
		return fmt.Errorf("dataset: two groups are named %q", name)
	}
	return nil
}

// Subset returns the dataset of the given rows, in the given order; rows may repeat. It
// keeps all classes, including those without rows.
func (d *Dataset) Subset(rows []int) *Dataset {
	p := d.P()
	s := &Dataset{
		X: make([]float64, 0, len(rows)*p), Y: make([]int, len(rows)),
		Weight: make([]float64, len(rows)), Count: make([]float64, len(rows)),
		Features: slices.Clone(d.Features), Classes: slices.Clone(d.Classes),
		Loss:    Loss{Cost: subset(d.Cost, rows, d.K()), Reward: subset(d.Reward, rows, d.K()), Target: subset(d.Target, rows, 1), Quantile: d.Quantile},
		Encoder: d.Encoder, Source: d.Source,
	}
	s.keepExcess(subset(d.kept(), rows, d.K()))
	if d.Line != nil {
		s.Line = make([]int, len(rows))
	}
	for to, i := range rows {
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

// WithFeatures returns the dataset of the given features, in the given order. It has no
// Encoder, since the encoder of d makes other features: map the feature indices of a tree
// fitted on the result back through features before the tree reads raw records.
func (d *Dataset) WithFeatures(features []int) *Dataset {
	n := d.N()
	s := &Dataset{
		X: make([]float64, 0, n*len(features)), Y: slices.Clone(d.Y),
		Weight: slices.Clone(d.Weight), Count: slices.Clone(d.Count), Line: slices.Clone(d.Line),
		Loss:     Loss{Cost: slices.Clone(d.Cost), Reward: slices.Clone(d.Reward), Target: slices.Clone(d.Target), Quantile: d.Quantile},
		Features: make([]string, len(features)), Classes: slices.Clone(d.Classes),
		Groups: d.Groups, Source: d.Source,
	}
	s.keepExcess(slices.Clone(d.kept()))
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

// Varying returns the indices of the features that are not constant.
func (d *Dataset) Varying() []int {
	varies := make([]bool, d.P())
	if d.N() > 0 {
		first := d.Row(0)
		for i := 1; i < d.N(); i++ {
			for j, v := range d.Row(i) {
				varies[j] = varies[j] || v != first[j]
			}
		}
	}
	var kept []int
	for j, v := range varies {
		if v {
			kept = append(kept, j)
		}
	}
	return kept
}

// Distinct returns the distinct values of feature j, ascending. +0 and -0 are the same
// value, +0.
func (d *Dataset) Distinct(j int) []float64 {
	values := make([]float64, d.N())
	for i := range values {
		values[i] = d.At(i, j) + 0
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// Merge merges duplicate rows: rows with equal x, equal y and equal levels of all groups.
// A merged row has the sum of their weights and counts. Merge also returns the index (n)
// of each row of d in the merged dataset. Rows are in the order of first appearance and
// keep the line of the first. +0 and -0 are equal. It takes O(n p) time and memory.
//
// Merge also adds up costs. With costs, it merges rows only if they have the same
// cheapest class (the first of equally cheap ones). Then the minimum costs of the rows
// add up to the minimum cost of the merged row, and the excess of every tree is
// unchanged.
func (d *Dataset) Merge() (*Dataset, []int) {
	group, first := d.groups(d.withGroups(d.labels()))
	m := d.Subset(first)
	clear(m.Weight)
	clear(m.Count)
	clear(m.Cost)
	if d.Kind() != Errors {
		m.keepExcess(make([]float64, len(m.Cost))) // sums of large costs would round away the differences between classes
	}
	m.Reward = nil // merged rows keep costs only
	index, k := make([]int, d.N()), d.K()
	for i, g := range group {
		for c, v := range d.CostsOf(i) {
			m.Cost[int(g)*k+c] += v
		}
		if m.excess != nil {
			d.addExcess(m.excess[int(g)*k:int(g+1)*k], i)
		}
		m.Weight[g] += d.Weight[i]
		m.Count[g] += d.Count[i]
		index[i] = int(g)
	}
	return m, index
}

// Points numbers the distinct x, regardless of class, in the order of first appearance.
// It returns the number (n) of each row's x and the first row of each. +0 and -0 are
// equal.
func (d *Dataset) Points() (index []int32, first []int) { return d.groups(nil) }

// groups numbers the distinct x, or with labels (n) the distinct pairs (x, label), in the
// order of first appearance. It returns each row's number and each group's first row. The
// groups are in a hash table with linear probing, at most half full.
func (d *Dataset) groups(labels []int) (group []int32, first []int) {
	n := d.N()
	group = make([]int32, n)
	slots := make([]int32, 1<<bits.Len(uint(2*n))) // group + 1; 0 is a free slot
	mask := uint64(len(slots) - 1)
	for i := range n {
		h := d.hash(i, labels)
		for at := h & mask; ; at = (at + 1) & mask {
			g := slots[at] - 1
			if g < 0 {
				g = int32(len(first))
				first = append(first, i)
				slots[at] = g + 1
			} else if !d.sameRow(i, first[g], labels) {
				continue
			}
			group[i] = g
			break
		}
	}
	return group, first
}

func (d *Dataset) sameRow(i, j int, labels []int) bool {
	if labels != nil && labels[i] != labels[j] {
		return false
	}
	a, b := d.Row(i), d.Row(j)
	for f, v := range a {
		if v != b[f] { // +0 equals -0 here
			return false
		}
	}
	return true
}

// hash mixes the bits of the row's values by multiplying and folding the 128-bit product,
// as in wyhash. It affects speed only, not the result.
func (d *Dataset) hash(i int, labels []int) uint64 {
	const k0, k1 = 0xa0761d6478bd642f, 0xe7037ed1a0b428db
	h := uint64(k0)
	if labels != nil {
		h += uint64(labels[i])
	}
	for _, v := range d.Row(i) {
		hi, lo := bits.Mul64(h^math.Float64bits(v+0), k1) // -0 + 0 = +0
		h = hi ^ lo ^ k0
	}
	hi, lo := bits.Mul64(h, k1)
	return hi ^ lo
}
