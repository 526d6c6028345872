package report

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/octgen/octgen/experiments/metric"
	"github.com/octgen/octgen/experiments/run"
)

// Confidence is the level of the intervals.
const Confidence = 0.95

// Row is one metric of a method on one data, over its splits, or over the means
// of all data.
type Row struct {
	Data, Method, Metric string
	N                    int     // splits (or data) with the figure
	Failed               int     // splits with an error instead
	Mean                 float64 // NaN where N is 0
	StdError             float64 // of the mean, splits taken as independent; NaN for N < 2
	Min, Max             float64
	Versus               *Comparison // with the baseline; nil for itself and for metrics that are not compared
	Paper                *float64    // the figure of the spec's reference

	values map[string]float64 // by split, or by data
	digits int                // that people are shown, 0 for two
}

// Comparison is a method against the baseline on the splits (or data) that both
// have a figure for. Difference is the method's less the baseline's.
//
// Low and High bound its mean with Confidence, by Student's t. The differences of
// a cross-validation or of repeated holdouts share training rows and are no
// independent sample: there the variance is that of Nadeau & Bengio, Inference
// for the generalization error (2003), (1/n + test rows / training rows) s^2.
// NaN for fewer than two pairs.
type Comparison struct {
	Baseline           string
	Pairs              int
	Wins, Ties, Losses int // splits on which the method is better, as good, worse
	Difference         float64
	Low, High          float64
}

func rowOf(data, method string, x metric.Metric, records []*run.Record) Row {
	row := Row{Data: data, Method: method, Metric: x.Name, digits: x.Digits, values: make(map[string]float64)}
	var values []float64
	for _, r := range records {
		if r.Error != "" || r.Result == nil {
			row.Failed++
			continue
		}
		if v := x.Of(r.Result, r.Recovery); !math.IsNaN(v) {
			row.values[r.Split] = v
			values = append(values, v)
		}
	}
	row.describe(values)
	return row
}

func (r *Row) describe(values []float64) {
	r.N = len(values)
	r.Mean, r.StdError, r.Min, r.Max = math.NaN(), math.NaN(), math.NaN(), math.NaN()
	if r.N == 0 {
		return
	}
	r.Mean, r.Min, r.Max = stat.Mean(values, nil), slices.Min(values), slices.Max(values)
	if r.N > 1 {
		r.StdError = stat.StdErr(stat.StdDev(values, nil), float64(r.N))
	}
}

// tie is the difference up to which two figures are the same.
const tie = 1e-9

// compareRows compares values with base over their common keys; more says that more is
// better.
func compareRows(baseline string, values, base map[string]float64, share float64, more bool) *Comparison {
	c := &Comparison{Baseline: baseline, Difference: math.NaN(), Low: math.NaN(), High: math.NaN()}
	var differences []float64
	for _, key := range slices.Sorted(maps.Keys(values)) { // in order: sums are the same each time
		b, ok := base[key]
		if !ok {
			continue
		}
		d := values[key] - b
		differences = append(differences, d)
		switch {
		case math.Abs(d) <= tie:
			c.Ties++
		case d > 0 == more:
			c.Wins++
		default:
			c.Losses++
		}
	}
	c.Pairs = len(differences)
	if c.Pairs == 0 {
		return c
	}
	c.Difference = stat.Mean(differences, nil)
	if n := float64(c.Pairs); n > 1 {
		half := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile((1+Confidence)/2) *
			math.Sqrt((1/n+share)*stat.Variance(differences, nil))
		c.Low, c.High = c.Difference-half, c.Difference+half
	}
	return c
}

// compareSplits orders labels such as 2.10 by their numbers.
func compareSplits(a, b string) int {
	return slices.CompareFunc(strings.Split(a, "."), strings.Split(b, "."), func(x, y string) int {
		return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y))
	})
}
