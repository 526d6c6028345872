package constraint

import "fmt"

// Toy is the limit of a constraint that only tests have; 0 for none. It shows what a new
// kind takes: this file, and its line in kinds.
var Toy float64

func init() {
	kinds = append(kinds, kind{"evenness", false, func(*Options) ([]given, error) {
		return one(Toy != 0, number(Toy), &evenness{Toy})
	}})
}

// evenness: of all rows, by weight W, at least a part is predicted each class k,
//
//	sum_i omega_i q_ik >= s W.
type evenness struct{ least float64 }

func (c *evenness) String() string { return "evenness>=" + number(c.least) }

func (c *evenness) bind(o *On) (bound, error) {
	if !(c.least <= 1/float64(o.Data.K())) {
		return nil, fmt.Errorf("is more than 1/%d, which not all classes can have", o.Data.K())
	}
	total := 0.0
	for _, w := range o.Data.Weight {
		total += w
	}
	for k := range o.Data.K() {
		row := Row{Name: "evenness", Class: k, G: make([]float64, o.Data.N()), H: -c.least * total}
		for i, w := range o.Data.Weight {
			row.G[i] = -w
		}
		o.addRow(c, row, o.unitStep(), total)
	}
	return &boundEvenness{c, o.Data.Weight, o.Data.K(), total}, nil
}

type boundEvenness struct {
	*evenness
	weight []float64
	k      int
	total  float64
}

func (b *boundEvenness) value(p *predictions) Value {
	least := b.total
	for k := range b.k {
		sum := 0.0
		for i, w := range b.weight {
			if p.class[i] == k {
				sum += w
			}
		}
		least = min(least, sum)
	}
	return atLeast(least/b.total, b.least)
}
