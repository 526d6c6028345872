package constraint

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/octgen/octgen/dataset"
)

// Metric is a notion of fairness: which rates of the levels of a group must be near each
// other. A rate is the part, by weight, of a level's rows that is predicted the positive
// class: of all of them (statistical parity), of those that are positive (equal
// opportunity), of those that are not (predictive equality).
type Metric string

// The metrics. EqualizedOdds is equal opportunity and predictive equality.
const (
	StatisticalParity  Metric = "statistical-parity"
	EqualOpportunity   Metric = "equal-opportunity"
	PredictiveEquality Metric = "predictive-equality"
	EqualizedOdds      Metric = "equalized-odds"
)

// Metrics lists the metrics.
func Metrics() []Metric {
	return []Metric{StatisticalParity, EqualOpportunity, PredictiveEquality, EqualizedOdds}
}

// rate is what a metric compares.
type rate struct {
	name string
	of   func(positive bool) bool // which rows, by whether they are of the positive class
}

var (
	predicted     = rate{"predicted", func(bool) bool { return true }}
	truePositive  = rate{"true-positive", func(positive bool) bool { return positive }}
	falsePositive = rate{"false-positive", func(positive bool) bool { return !positive }}
)

func (m Metric) rates() []rate {
	switch m {
	case StatisticalParity:
		return []rate{predicted}
	case EqualOpportunity:
		return []rate{truePositive}
	case PredictiveEquality:
		return []rate{falsePositive}
	}
	return []rate{truePositive, falsePositive}
}

func parseMetric(s string) (Metric, error) {
	m := Metric(strings.TrimSpace(s))
	if slices.Contains(Metrics(), m) {
		return m, nil
	}
	var known []string
	for _, m := range Metrics() {
		known = append(known, string(m))
	}
	return "", fmt.Errorf("no metric %q; the metrics are %s", s, strings.Join(known, ", "))
}

// levelRates are the weights and counts of the rows that a rate is over, by level.
type levelRates struct {
	rate
	weight, count []float64 // (levels)
}

func (r rate) over(d *dataset.Dataset, g *dataset.Group, positive int) levelRates {
	l := levelRates{r, make([]float64, len(g.Levels)), make([]float64, len(g.Levels))}
	for i, of := range g.Of {
		if of >= 0 && r.of(d.Y[i] == positive) {
			l.weight[of] += d.Weight[i]
			l.count[of] += d.Count[i]
		}
	}
	return l
}

// values are the rates of the levels under predictions; NaN where a level has no rows.
func (l *levelRates) values(d *dataset.Dataset, g *dataset.Group, positive int, class []int) []float64 {
	sum := make([]float64, len(g.Levels))
	for i, of := range g.Of {
		if of >= 0 && class[i] == positive && l.of(d.Y[i] == positive) {
			sum[of] += d.Weight[i]
		}
	}
	for a, w := range l.weight {
		if w == 0 {
			sum[a] = math.NaN()
		} else {
			sum[a] /= w
		}
	}
	return sum
}
