package study

import (
	"math"
	"math/big"
	"math/bits"
)

// The reference of the study of numbers far apart: every univariate tree of a small
// problem, in exact rational arithmetic. It shares no code with octgen.

// rate is a constraint on how often a class is predicted. Limit is a decimal number.
type rate struct {
	kind  string // recall, precision, share, or a metric of fairness
	class int    // of fairness the positive one
	limit string
}

// exactCase is a small data set with the options of a fit. Sets of rows are bit masks.
type exactCase struct {
	x      [][]float64 // (n)(p)
	y      []int
	k      int
	w      []float64
	group  []int       // 0 or 1 for each row; nil for none
	matrix [][]float64 // (k)(k) costs, true by predicted class, times the weight; nil for none
	costs  [][]float64 // (n)(k) costs of rows; nil for none

	depth, maxSplits int
	alpha, minLeaf   float64

	rates       []rate
	purity      string // "" for none
	maxFeatures int
	price       []float64 // (p) of features; nil for none
	monotone    []int     // (p) +1, -1, 0; nil for none
	order       []int     // (k) places of the classes
}

func (p *exactCase) n() int        { return len(p.y) }
func (p *exactCase) features() int { return len(p.x[0]) }

// rational is a float64 as the number that it is.
func rational(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

func decimal(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic(text + " is not a number")
	}
	return r
}

// sum adds rationals.
func sum(all ...*big.Rat) *big.Rat {
	s := new(big.Rat)
	for _, v := range all {
		s.Add(s, v)
	}
	return s
}

func product(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }

// outcome is what a tree does with the rows: those predicted each class, with the number
// of splits, the features they use, and the lowest and highest class of its leaves.
type outcome struct {
	predicted [3]uint8
	splits    int
	used      uint8
	low, high int
}

// oracle evaluates trees of a problem exactly.
type oracle struct {
	*exactCase
	excess [][]*big.Rat // (n)(k) cost above the least one of the row
	about  [][]float64  // the same, rounded
	scale  *big.Rat     // of the objective: the excess of the best single leaf, or 1
	step   *big.Rat     // alpha times scale
	prices []*big.Rat   // (p) times scale
	weight map[uint8]*big.Rat
	kept   map[[2]uint8]bool // of rates, by class and rows
	known  map[[2]int][]outcome
}

func newOracle(p *exactCase) *oracle {
	o := &oracle{exactCase: p, weight: map[uint8]*big.Rat{}, kept: map[[2]uint8]bool{}, known: map[[2]int][]outcome{}}
	for i := range p.n() {
		row, about := o.excessOf(i), make([]float64, p.k)
		for k, v := range row {
			about[k], _ = v.Float64()
		}
		o.excess, o.about = append(o.excess, row), append(o.about, about)
	}
	for k := range p.k {
		total := new(big.Rat)
		for _, row := range o.excess {
			total.Add(total, row[k])
		}
		if o.scale == nil || total.Cmp(o.scale) < 0 {
			o.scale = total
		}
	}
	if o.scale.Sign() == 0 {
		o.scale = big.NewRat(1, 1)
	}
	o.step = product(rational(p.alpha), o.scale)
	for j := range p.features() {
		price := new(big.Rat)
		if p.price != nil {
			price = product(rational(p.price[j]), o.scale)
		}
		o.prices = append(o.prices, price)
	}
	return o
}

// excessOf is what each prediction of row i costs above the cheapest.
func (o *oracle) excessOf(i int) []*big.Rat {
	costs := make([]*big.Rat, o.k)
	for k := range costs {
		switch {
		case o.costs != nil:
			costs[k] = rational(o.costs[i][k])
		case o.matrix != nil:
			costs[k] = product(rational(o.matrix[o.y[i]][k]), rational(o.w[i]))
		case k == o.y[i]:
			costs[k] = new(big.Rat)
		default:
			costs[k] = rational(o.w[i])
		}
	}
	least := costs[0]
	for _, c := range costs {
		if c.Cmp(least) < 0 {
			least = c
		}
	}
	least = new(big.Rat).Set(least)
	for _, c := range costs {
		c.Sub(c, least)
	}
	return costs
}

// weigh is the weight of a set of rows.
func (o *oracle) weigh(rows uint8) *big.Rat {
	if w, ok := o.weight[rows]; ok {
		return w
	}
	w := new(big.Rat)
	if rows != 0 {
		first := bits.TrailingZeros8(rows)
		w.Add(rational(o.w[first]), o.weigh(rows&(rows-1)))
	}
	o.weight[rows] = w
	return w
}

// where is the set of rows of which something is true.
func (o *oracle) where(is func(i int) bool) uint8 {
	var rows uint8
	for i := range o.n() {
		if is(i) {
			rows |= 1 << i
		}
	}
	return rows
}

func (o *oracle) ofClass(k int) uint8 { return o.where(func(i int) bool { return o.y[i] == k }) }

// reaches reports whether part >= (limit - slack) * whole.
func reaches(part, whole, limit, slack *big.Rat) bool {
	return part.Cmp(product(new(big.Rat).Sub(limit, slack), whole)) >= 0
}

// keeps reports whether a rate holds to the slack if the rows are predicted its class.
func (o *oracle) keeps(r rate, rows uint8, slack *big.Rat) bool {
	limit := decimal(r.limit)
	class, all := o.ofClass(r.class), uint8(1<<o.n()-1)
	switch r.kind {
	case "recall":
		return reaches(o.weigh(rows&class), o.weigh(class), limit, slack)
	case "precision":
		return reaches(o.weigh(rows&class), o.weigh(rows), limit, slack)
	case "share":
		return o.weigh(rows).Cmp(product(sum(limit, slack), o.weigh(all))) <= 0
	}
	for _, base := range map[string][]uint8{
		"statistical-parity": {all}, "equal-opportunity": {class}, "predictive-equality": {all &^ class}, "equalized-odds": {class, all &^ class},
	}[r.kind] {
		a := o.where(func(i int) bool { return o.group[i] == 0 }) & base
		b := base &^ a
		if a == 0 || b == 0 {
			continue
		}
		difference := new(big.Rat).Sub(new(big.Rat).Quo(o.weigh(rows&a), o.weigh(a)), new(big.Rat).Quo(o.weigh(rows&b), o.weigh(b)))
		if difference.Abs(difference).Cmp(sum(limit, slack)) > 0 {
			return false
		}
	}
	return true
}

// keepsRates reports whether all rates hold exactly.
func (o *oracle) keepsRates(t *outcome) bool {
	for k := range o.k {
		key := [2]uint8{uint8(k), t.predicted[k]}
		kept, ok := o.kept[key]
		if !ok {
			kept = true
			for _, r := range o.rates {
				kept = kept && (r.class != k || o.keeps(r, t.predicted[k], new(big.Rat)))
			}
			o.kept[key] = kept
		}
		if !kept {
			return false
		}
	}
	return true
}

// heavy and pure are the constraints of a leaf, to the slack.
func (o *oracle) heavy(rows uint8, slack *big.Rat) bool {
	least := rational(o.minLeaf)
	return reaches(o.weigh(rows), least, big.NewRat(1, 1), slack)
}

func (o *oracle) pure(rows uint8, class int, slack *big.Rat) bool {
	return o.purity == "" || reaches(o.weigh(rows&o.ofClass(class)), o.weigh(rows), decimal(o.purity), slack)
}

// place is that of a class in their order.
func (o *oracle) place(class int) int {
	if o.order == nil {
		return 0
	}
	return o.order[class]
}

// joins reports whether a split on feature j may have these sides.
func (o *oracle) joins(j int, left, right *outcome) bool {
	if o.monotone == nil {
		return true
	}
	switch o.monotone[j] {
	case 1:
		return left.high <= right.low
	case -1:
		return left.low >= right.high
	}
	return true
}

// join is the outcome of a split on feature j.
func join(j int, left, right *outcome) outcome {
	t := outcome{splits: left.splits + right.splits + 1, used: left.used | right.used | 1<<j, low: min(left.low, right.low), high: max(left.high, right.high)}
	for k := range t.predicted {
		t.predicted[k] = left.predicted[k] | right.predicted[k]
	}
	return t
}

// each calls do with the outcome of every tree on the rows, some of them repeatedly.
func (o *oracle) each(rows uint8, depth int, do func(t outcome)) {
	if o.heavy(rows, new(big.Rat)) {
		for k := range o.k {
			if o.pure(rows, k, new(big.Rat)) {
				t := outcome{low: o.place(k), high: o.place(k)}
				t.predicted[k] = rows
				do(t)
			}
		}
	}
	if depth == 0 {
		return
	}
	for j := range o.features() {
		seen := map[uint8]bool{0: true}
		for at := range o.n() {
			left := rows & o.where(func(i int) bool { return o.x[i][j] < o.x[at][j] })
			if seen[left] || left == rows {
				continue
			}
			seen[left] = true
			others := o.outcomes(rows&^left, depth-1)
			for _, l := range o.outcomes(left, depth-1) {
				for _, r := range others {
					if o.joins(j, &l, &r) {
						do(join(j, &l, &r))
					}
				}
			}
		}
	}
}

// outcomes are those of all trees on the rows, each once.
func (o *oracle) outcomes(rows uint8, depth int) []outcome {
	key := [2]int{int(rows), depth}
	if all, ok := o.known[key]; ok {
		return all
	}
	var all []outcome
	seen := map[outcome]bool{}
	o.each(rows, depth, func(t outcome) {
		if !seen[t] {
			seen[t] = true
			all = append(all, t)
		}
	})
	o.known[key] = all
	return all
}

// value is the objective of a tree.
func (o *oracle) value(t *outcome) *big.Rat {
	v := product(o.step, new(big.Rat).SetInt64(int64(t.splits)))
	for i := range o.n() {
		for k := range o.k {
			if t.predicted[k]>>i&1 == 1 {
				v.Add(v, o.excess[i][k])
			}
		}
	}
	for j, price := range o.prices {
		if t.used>>j&1 == 1 {
			v.Add(v, price)
		}
	}
	return v.Quo(v, o.scale)
}

// estimate is the objective of a tree times the scale. All its terms are at least 0, so
// that it is right to 1e-14 of itself.
func (o *oracle) estimate(t *outcome, step float64, prices []float64) float64 {
	v := step * float64(t.splits)
	for k, rows := range t.predicted[:o.k] {
		for ; rows != 0; rows &= rows - 1 {
			v += o.about[bits.TrailingZeros8(rows)][k]
		}
	}
	for used := t.used; used != 0; used &= used - 1 {
		v += prices[bits.TrailingZeros8(used)]
	}
	return v
}

// best is the tree of least objective among those that keep all constraints exactly, nil
// for none.
func (o *oracle) best() (*outcome, *big.Rat) {
	var tree *outcome
	var value *big.Rat
	step, _ := o.step.Float64()
	prices, least := make([]float64, len(o.prices)), math.Inf(1)
	for j, price := range o.prices {
		prices[j], _ = price.Float64()
	}
	o.each(uint8(1<<o.n()-1), o.depth, func(t outcome) {
		if o.maxSplits > 0 && t.splits > o.maxSplits || o.maxFeatures > 0 && bits.OnesCount8(t.used) > o.maxFeatures || !o.keepsRates(&t) {
			return
		}
		about := o.estimate(&t, step, prices)
		if about > least*(1+1e-12) { // far above by rounding's measure
			return
		}
		if v := o.value(&t); value == nil || v.Cmp(value) < 0 {
			tree, value, least = &t, v, about
		}
	})
	return tree, value
}
