package constraint

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/octgen/octgen/dataset"
)

// fair: the rates of any two of a column's levels, or of the two that are named, differ
// by at most d,
//
//	|rate_a - rate_b| <= d,  rate_a = (1/W_a) sum_{i in a} omega_i q_i,positive,
//
// over the rows that the metric's rates are of: two rows for a pair, of equalized odds
// four. They are multiplied by min(W_a, W_b).
type fair struct {
	metric   Metric
	column   string
	levels   []string // two; nil for all
	most     float64
	positive string
}

const fairForm = `METRIC:COLUMN<=NUMBER, such as statistical-parity:sex<=0.05, with @A,B before <= for two levels only`

func parseFair(text, positive string) (constraint, error) {
	c := &fair{positive: positive}
	left, limit, err := compare(text, "<=", 0, 1)
	if err != nil {
		return nil, fmt.Errorf("%w; want %s", err, fairForm)
	}
	c.most = limit
	metric, rest, ok := strings.Cut(left, ":")
	if !ok {
		return nil, fmt.Errorf("it has no :; want %s", fairForm)
	}
	if c.metric, err = parseMetric(metric); err != nil {
		return nil, err
	}
	at := divide(rest, '@')
	if len(at) > 2 {
		return nil, fmt.Errorf("it has two @; want %s", fairForm)
	}
	if c.column, err = name(at[0]); err != nil {
		return nil, fmt.Errorf("%w; want %s", err, fairForm)
	}
	if len(at) == 2 {
		if c.levels, err = names(at[1]); err != nil {
			return nil, err
		}
		if len(c.levels) != 2 || c.levels[0] == c.levels[1] {
			return nil, fmt.Errorf("@ names %s; want two different levels", quoted(c.levels))
		}
	}
	if positive == "" {
		return nil, fmt.Errorf("it compares how often a class is predicted; name the class with --positive")
	}
	return c, nil
}

func (c *fair) String() string {
	s := string(c.metric) + ":" + quote(c.column)
	if c.levels != nil {
		s += "@" + quoted(c.levels)
	}
	return s + "<=" + number(c.most)
}

func (c *fair) bind(o *On) (bound, error) {
	k, err := classIndex(o.Data, c.positive)
	if err != nil {
		return nil, fmt.Errorf("--positive: %w", err)
	}
	b := &boundFair{fair: c, data: o.Data, k: k, group: o.Data.Group(c.column)}
	if b.group == nil {
		return nil, fmt.Errorf("the data have no group %s; name the column with --group", quote(c.column))
	}
	if b.at, err = c.compared(b.group); err != nil {
		return nil, err
	}
	for _, r := range c.metric.rates() {
		l := r.over(o.Data, b.group, k)
		b.rates = append(b.rates, l)
		b.addRows(o, &l)
	}
	return b, nil
}

// compared are the levels that are compared.
func (c *fair) compared(g *dataset.Group) ([]int, error) {
	if c.levels == nil {
		at := make([]int, len(g.Levels))
		for i := range at {
			at[i] = i
		}
		return at, nil
	}
	var at []int
	for _, level := range c.levels {
		i := slices.Index(g.Levels, level)
		if i < 0 {
			return nil, fmt.Errorf("the column %s has no level %s; it has %s", quote(c.column), quote(level), quoted(g.Levels))
		}
		at = append(at, i)
	}
	return at, nil
}

// addRows adds the rows of a rate: of each pair of levels that have rows.
func (b *boundFair) addRows(o *On, l *levelRates) {
	var have []int
	for _, a := range b.at {
		if l.weight[a] > 0 {
			have = append(have, a)
			continue
		}
		o.warn(b.fair, fmt.Sprintf("no row of %s=%s counts for its %s rate, so that nothing is compared with it",
			quote(b.column), quote(b.group.Levels[a]), l.name))
	}
	if len(have) < 2 {
		o.leftOut(b.fair, fmt.Sprintf("fewer than two levels of %s have rows for the %s rate", quote(b.column), l.name))
		return
	}
	step := o.unitStep()
	for i, a := range have {
		for _, c := range have[i+1:] {
			wa, wc := l.weight[a], l.weight[c]
			scale := min(wa, wc)
			up := Row{Name: "fair_" + strings.ReplaceAll(l.name, "-", "_"), Class: b.k, G: make([]float64, o.Data.N()), H: b.most * scale}
			down := up
			down.G = make([]float64, o.Data.N())
			for row, of := range b.group.Of {
				if !l.of(o.Data.Y[row] == b.k) {
					continue
				}
				switch int(of) {
				case a:
					up.G[row] = o.Data.Weight[row] * (scale / wa)
				case c:
					up.G[row] = -o.Data.Weight[row] * (scale / wc)
				}
				down.G[row] = -up.G[row]
			}
			// sum_a scale/wa - sum_c scale/wc = (sum_a wc - sum_c wa) / max(wa, wc)
			s := 0.0
			if step > 0 {
				s = gcd(wa, wc) / max(wa, wc)
			}
			o.addRow(b.fair, up, s, scale)
			o.addRow(b.fair, down, s, scale)
		}
	}
}

type boundFair struct {
	*fair
	data  *dataset.Dataset
	group *dataset.Group
	at    []int // levels compared
	k     int   // the positive class
	rates []levelRates
}

// value is the greatest difference of two rates.
func (b *boundFair) value(p *predictions) Value {
	greatest, compared := 0.0, false
	var all []GroupRate
	for i := range b.rates {
		l := &b.rates[i]
		values := l.values(b.data, b.group, b.k, p.class)
		low, high := math.Inf(1), math.Inf(-1)
		for _, a := range b.at {
			g := GroupRate{Level: b.group.Levels[a], Rate: l.name, Rows: l.count[a]}
			if v := values[a]; !math.IsNaN(v) {
				g.Value = &v
				low, high = min(low, v), max(high, v)
			}
			all = append(all, g)
		}
		if pairs := b.pairs(l); pairs {
			compared = true
			greatest = max(greatest, high-low)
		}
	}
	v := Value{Limit: &b.most, Held: true, Note: "fewer than two levels have rows for the rate: left out"}
	if compared {
		v = atMost(greatest, b.most)
	}
	v.Rates = all
	return v
}

// pairs reports whether at least two of the levels have rows for the rate.
func (b *boundFair) pairs(l *levelRates) bool {
	n := 0
	for _, a := range b.at {
		if l.weight[a] > 0 {
			n++
		}
	}
	return n >= 2
}

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
