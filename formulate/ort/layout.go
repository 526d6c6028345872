package ort

import (
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/mio/verify"
)

// layout is the data: points, the distinct rows of features, each with its numbers.
type layout struct {
	src     *dataset.Dataset
	q       float64 // quantile; 0: squared errors
	n       int     // points
	rows    []int   // (n) a row of the data at each point
	rank    []int   // (n, p) of its values
	values  [][]float64
	active  []int     // features that vary, ascending
	weight  []float64 // (n), in units
	minLeaf float64   // in units

	first  []int     // (n+1) first number of each point
	y      []float64 // (m) numbers, scaled
	of     []float64 // (m) their weights
	within float64   // squared errors about the means of points, which no tree avoids
	lhat   float64   // loss of the single leaf

	low, half float64 // least number, half the range
}

func newLayout(ds *dataset.Dataset, minLeaf float64) (*layout, error) {
	if ds.N() == 0 {
		return nil, errNoFeature
	}
	weighted, unit := ds.InUnits(dataset.MostUnits)
	weight := weighted.Weight
	if d := (&layout{src: ds, q: ds.Quantile, minLeaf: unit.LeastLeaf(minLeaf)}); unit.Whole && unit.Total <= verify.MaxUnits {
		return d.laid(weight)
	}
	least := slices.Min(ds.Weight)
	weight = make([]float64, ds.N())
	for i, w := range ds.Weight {
		weight[i] = w / least
	}
	return (&layout{src: ds, q: ds.Quantile, minLeaf: minLeaf / least}).laid(weight)
}

// laid lays the rows out.
func (d *layout) laid(weight []float64) (*layout, error) {
	ds := d.src
	low, high := slices.Min(ds.Target), slices.Max(ds.Target)
	d.low, d.half = low, high/2-low/2
	if d.half == 0 {
		return nil, errConstant
	}
	rank := d.ranks()
	if len(d.active) == 0 {
		return nil, errNoFeature
	}
	p := ds.P()
	at := func(i int) []int { return rank[i*p : (i+1)*p] }
	order := make([]int, ds.N())
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if c := slices.Compare(at(a), at(b)); c != 0 {
			return c
		}
		switch x, y := ds.Target[a], ds.Target[b]; {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	for from, to := 0, 0; from < len(order); from = to {
		for to < len(order) && slices.Equal(at(order[to]), at(order[from])) {
			to++
		}
		d.point(order[from:to], weight)
		d.rank = append(d.rank, at(order[from])...)
	}
	d.n = len(d.rows)
	d.first = append(d.first, len(d.y))
	answer := d.scale(ds.AnswerOf(order))
	for i, y := range d.y {
		d.lhat += d.of[i] * dataset.NumberLoss(y-answer, d.q)
	}
	d.lhat += d.within
	return d, nil
}

// point adds the point of these rows, in the order of their numbers.
func (d *layout) point(rows []int, weight []float64) {
	d.rows, d.first = append(d.rows, rows[0]), append(d.first, len(d.y))
	total, mean := 0.0, 0.0
	for _, i := range rows {
		total, mean = total+weight[i], mean+weight[i]*d.scale(d.src.Target[i])
	}
	mean /= total
	d.weight = append(d.weight, total)
	if d.q == 0 {
		d.y, d.of = append(d.y, mean), append(d.of, total)
		for _, i := range rows {
			e := d.scale(d.src.Target[i]) - mean
			d.within += weight[i] * e * e
		}
		return
	}
	for k, i := range rows {
		if k > 0 && d.src.Target[i] == d.src.Target[rows[k-1]] {
			d.of[len(d.of)-1] += weight[i]
			continue
		}
		d.y, d.of = append(d.y, d.scale(d.src.Target[i])), append(d.of, weight[i])
	}
}

// ranks fills the distinct values, and returns the ranks of all rows. (rows, p)
func (d *layout) ranks() []int {
	n, p := d.src.N(), d.src.P()
	rank := make([]int, n*p)
	for j := range p {
		v := make([]float64, n)
		for i := range n {
			v[i] = d.src.At(i, j)
		}
		slices.Sort(v)
		v = slices.Compact(v)
		d.values = append(d.values, v)
		if len(v) > 1 {
			d.active = append(d.active, j)
		}
		for i := range n {
			rank[i*p+j], _ = slices.BinarySearch(v, d.src.At(i, j))
		}
	}
	return rank
}

// scale maps a number to [0, 1].
func (d *layout) scale(y float64) float64 { return (y/2 - d.low/2) / d.half }

// row is the features of a point.
func (d *layout) row(u int) []float64 { return d.src.Row(d.rows[u]) }

// level is the scaled value of a rank of feature j.
func (d *layout) level(j, rank int) float64 { return float64(rank) / float64(len(d.values[j])-1) }

// x is the scaled value of point u.
func (d *layout) x(u, j int) float64 { return d.level(j, d.rank[u*d.src.P()+j]) }

// eps is the gap between the scaled values of feature j.
func (d *layout) eps(j int) float64 { return d.level(j, 1) }

// gaps are the least and the largest of these.
func (d *layout) gaps() (least, most float64) {
	least = 1
	for _, j := range d.active {
		least, most = min(least, d.eps(j)), max(most, d.eps(j))
	}
	return least, most
}
