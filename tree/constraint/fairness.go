package constraint

import (
	"fmt"
	"math"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// Fairness is what the metrics come to for a tree between the levels of a group.
type Fairness struct {
	Column   string        `json:"column"`
	Positive string        `json:"positive"` // class whose rates are compared
	Metrics  []MetricValue `json:"metrics"`
	Rates    []GroupRate   `json:"rates"`
}

// MetricValue is the greatest difference of two levels' rates, nil where fewer than two
// have rows for it.
type MetricValue struct {
	Metric Metric   `json:"metric"`
	Value  *float64 `json:"value"`
}

// FairnessOf reports every metric of t on d, of each group of d and each positive class:
// the one that is named or, with "", of two classes the second, of more every one.
func FairnessOf(t *tree.Tree, d *dataset.Dataset, positive string) ([]Fairness, error) {
	classes := []int{d.K() - 1}
	switch {
	case positive != "":
		k, err := classIndex(d, positive)
		if err != nil {
			return nil, &Error{Flag: "positive", Err: err}
		}
		classes[0] = k
	case d.K() > 2:
		classes = make([]int, d.K())
		for k := range classes {
			classes[k] = k
		}
	}
	var all []Fairness
	p := (&On{Data: d}).predict(t)
	for i := range d.Groups {
		for _, k := range classes {
			f, err := fairnessOf(d, &d.Groups[i], k, p)
			if err != nil {
				return nil, err
			}
			all = append(all, f)
		}
	}
	return all, nil
}

func fairnessOf(d *dataset.Dataset, g *dataset.Group, k int, p *predictions) (Fairness, error) {
	f := Fairness{Column: g.Name, Positive: d.Classes[k]}
	for _, m := range Metrics() {
		c := &fair{metric: m, column: g.Name, positive: d.Classes[k], most: math.Inf(1)}
		b, err := c.bind(&On{Data: d})
		if err != nil {
			return f, fmt.Errorf("constraint: %w", err)
		}
		v := b.value(p)
		f.Metrics = append(f.Metrics, MetricValue{m, v.Value})
		if m == StatisticalParity || m == EqualizedOdds { // which have all rates between them
			f.Rates = append(f.Rates, v.Rates...)
		}
	}
	return f, nil
}
