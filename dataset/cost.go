package dataset

import (
	"fmt"
	"math"
)

// CostsOf returns what each class costs as the answer on row i, (K), shared; nil where d
// has no costs.
func (d *Dataset) CostsOf(i int) []float64 {
	if d.Cost == nil {
		return nil
	}
	k := d.K()
	return d.Cost[i*k : (i+1)*k : (i+1)*k]
}

// CheapestClass returns the class of least cost on row i, the first of equal ones, and
// that cost; without costs Y and 0.
func (d *Dataset) CheapestClass(i int) (class int, cost float64) {
	costs := d.CostsOf(i)
	if costs == nil {
		return d.Y[i], 0
	}
	for c, v := range costs {
		if v < costs[class] {
			class = c
		}
	}
	return class, costs[class]
}

// Excess returns what answers cost above the least cost of each row, (n, K) row-major:
// c_ik - min_l c_il. No tree can save the least costs, so objectives are of the excess.
// Without costs it is the weight of the row where k is not its class.
func (d *Dataset) Excess() []float64 {
	k := d.K()
	e := make([]float64, 0, d.N()*k)
	for i, y := range d.Y {
		if d.Cost == nil {
			for c := range k {
				v := d.Weight[i]
				if c == y {
					v = 0
				}
				e = append(e, v)
			}
			continue
		}
		_, least := d.CheapestClass(i)
		for _, v := range d.CostsOf(i) {
			e = append(e, v-least)
		}
	}
	return e
}

func (d *Dataset) validateCosts() error {
	k, total := d.K(), 0.0
	if d.Cost == nil {
		return nil
	}
	if len(d.Cost) != d.N()*k {
		return fmt.Errorf("dataset: %d costs; want %d rows x %d classes = %d", len(d.Cost), d.N(), k, d.N()*k)
	}
	for i := range d.N() {
		largest := 0.0
		for c, v := range d.CostsOf(i) {
			if !(v >= 0) || math.IsInf(v, 1) {
				return fmt.Errorf("dataset: row %d: class %q costs %v; want a finite number of at least 0", i, d.Classes[c], v)
			}
			largest = max(largest, v)
		}
		total += largest
	}
	if math.IsInf(total, 1) {
		return fmt.Errorf("dataset: the sum of the costs is not finite")
	}
	return nil
}

// labels numbers the rows that Merge keeps apart where their x are equal: by class, and
// with costs by the cheapest class as well.
func (d *Dataset) labels() []int {
	if d.Cost == nil {
		return d.Y
	}
	labels := make([]int, d.N())
	for i, y := range d.Y {
		class, _ := d.CheapestClass(i)
		labels[i] = y*d.K() + class
	}
	return labels
}

// unavoidableExcess returns the sum over points, as Points numbers them, of the least
// excess that one answer has on all of its rows.
func (d *Dataset) unavoidableExcess(point []int32, points int) float64 {
	k := d.K()
	costs, excess := make([]float64, points*k), d.Excess()
	for i, q := range point {
		for c, v := range excess[i*k : (i+1)*k] {
			costs[int(q)*k+c] += v
		}
	}
	sum := 0.0
	for ; len(costs) > 0; costs = costs[k:] {
		least := math.Inf(1)
		for _, v := range costs[:k] {
			least = min(least, v)
		}
		sum += least
	}
	return sum
}

// AlteredPriors returns d as those see it who grow trees by class weights, after CART's
// altered priors (Breiman et al. 1984, section 4.4): without costs, each row of the class
// that is cheapest for it, with the mean excess of the other answers as its weight,
//
//	omega_i = 1/(K-1) sum_k (c_ik - min_l c_il).
//
// With one class or two it is the same problem: |c_i1 - c_i2|. Weights may be 0. All else
// is shared with d.
func (d *Dataset) AlteredPriors() *Dataset {
	a := *d
	a.Y, a.Weight, a.Cost = make([]int, d.N()), make([]float64, d.N()), nil
	others := float64(max(1, d.K()-1))
	for i := range a.Y {
		class, least := d.CheapestClass(i)
		a.Y[i] = class
		for _, v := range d.CostsOf(i) {
			a.Weight[i] += (v - least) / others
		}
	}
	return &a
}

// AsClassification returns data of two classes with costs as data without: the rows whose
// answers cost differently, of the class that is cheaper, weighing the difference. The
// weight of a tree's errors there is its excess on d. How much a row counts for the least
// leaf is lost.
func (d *Dataset) AsClassification() *Dataset {
	a := d.AlteredPriors()
	var rows []int
	for i, w := range a.Weight {
		if w > 0 {
			rows = append(rows, i)
		}
	}
	return a.Subset(rows)
}
