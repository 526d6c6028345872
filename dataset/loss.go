package dataset

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Loss is what answers cost on each row. It has one form, the table Cost; every tree problem
// minimises the sum of what the chosen answers cost above the cheapest of their rows
// ([Dataset.Excess]). A new loss, such as |y-k| of ordered classes, is another way to fill
// Cost, as setRewards and applyCosts are: all that reads a Dataset then works with it. Only
// a loss with words or figures of its own needs a [Kind], with its line in kinds.
//
// Errors have no table: class and weight say it all, and sums by class are faster. The
// functions of this file hide that. A package that counts classes itself asks Kind.
type Loss struct {
	// Cost is (n, K) row-major what it costs to answer class k on row i, the row's
	// weight included: finite, >= 0. nil: Weight where k is not Y, else 0. Weight counts
	// the row for the minimum leaf weight either way.
	Cost []float64

	// Reward is (n, K) row-major what it earns to take action k on row i, without the row's
	// weight; nil where rows have classes. The classes are the actions then, whatever was
	// done, Y the one of the greatest reward and Cost what is lost against it. Policies are
	// trees that choose an action; which is best is a question of costs:
	//
	//	sum_i w_i r_i,a(i)  =  sum_i w_i max_k r_ik  -  sum_i c_i,a(i),
	//	c_ik = w_i (max_l r_il - r_ik) >= 0,
	//
	// so that the policy of the greatest reward is that of the least cost, and a constant
	// added to all rewards of a row changes nothing (Zhou, Athey & Wager 2023).
	Reward []float64

	// excess is (n, K) what Cost is above the cheapest answer of each row, where differences
	// of large costs would lose it; of the table that begins at of, nil for none.
	excess []float64
	of     *float64
}

// Equal reports whether two losses have the same tables.
func (l Loss) Equal(o Loss) bool {
	return slices.Equal(l.Cost, o.Cost) && slices.Equal(l.Reward, o.Reward)
}

// keepExcess notes the excess of Cost.
func (l *Loss) keepExcess(excess []float64) {
	if len(l.Cost) > 0 {
		l.excess, l.of = excess, &l.Cost[0]
	}
}

// kept is the excess that was noted of Cost as it is, nil for none.
func (l *Loss) kept() []float64 {
	if len(l.Cost) == 0 || len(l.excess) != len(l.Cost) || l.of != &l.Cost[0] {
		return nil
	}
	return l.excess
}

// addExcess adds the excess costs (K) of row i to sums.
func (d *Dataset) addExcess(sums []float64, i int) {
	if kept := rowOf(d.kept(), i, d.K()); kept != nil {
		for c, v := range kept {
			sums[c] += v
		}
		return
	}
	costs := d.CostsOf(i)
	least := slices.Min(costs)
	for c, v := range costs {
		sums[c] += v - least
	}
}

// Kind says what a loss is of.
type Kind int

const (
	Errors  Kind = iota // weights of wrong rows; no table
	Costs               // of answers
	Rewards             // of actions, as what is lost against the best one
)

var kinds = [...]struct{ name, trivial string }{
	Errors:  {"errors", "all rows have one class"},
	Costs:   {"costs", "one answer is the cheapest for all rows"},
	Rewards: {"rewards", "one action is the best of all in every row"},
}

// Kind returns what the loss is of.
func (l *Loss) Kind() Kind {
	switch {
	case l.Cost == nil:
		return Errors
	case l.Reward == nil:
		return Costs
	}
	return Rewards
}

func (k Kind) String() string { return kinds[k].name }

// Trivial says why no tree is better than a leaf, if the best leaf loses nothing.
func (k Kind) Trivial() string { return kinds[k].trivial }

// CostsOf returns what each class costs as the answer on row i, (K), shared; nil of errors.
func (d *Dataset) CostsOf(i int) []float64 { return rowOf(d.Cost, i, d.K()) }

// RewardsOf returns the rewards (K) of the actions on row i, shared; nil where the data
// have classes.
func (d *Dataset) RewardsOf(i int) []float64 { return rowOf(d.Reward, i, d.K()) }

// rowOf is row i of a table (n, k), nil of none.
func rowOf(table []float64, i, k int) []float64 {
	if table == nil {
		return nil
	}
	return table[i*k : (i+1)*k : (i+1)*k]
}

// subset is a table of the given rows, nil of none.
func subset(table []float64, rows []int, k int) []float64 {
	if table == nil {
		return nil
	}
	s := make([]float64, 0, len(rows)*k)
	for _, i := range rows {
		s = append(s, rowOf(table, i, k)...)
	}
	return s
}

// CheapestClass returns the class of least cost on row i, the first of equal ones, and
// that cost; of errors Y and 0.
func (d *Dataset) CheapestClass(i int) (class int, cost float64) {
	if d.Kind() == Errors {
		return d.Y[i], 0
	}
	costs := d.CostsOf(i)
	for c, v := range costs {
		if v < costs[class] {
			class = c
		}
	}
	return class, costs[class]
}

// LossOf returns what a class costs as the answer on row i, and that above the cheapest.
func (d *Dataset) LossOf(i, class int) (cost, excess float64) {
	if costs := d.CostsOf(i); costs != nil {
		if kept := d.kept(); kept != nil {
			return costs[class], kept[i*d.K()+class]
		}
		return costs[class], costs[class] - slices.Min(costs)
	}
	if class != d.Y[i] {
		cost = d.Weight[i]
	}
	return cost, cost
}

// AddExcess adds to sums (K) what answers cost on row i above the cheapest.
func (d *Dataset) AddExcess(sums []float64, i int) {
	if d.Kind() != Errors {
		d.addExcess(sums, i)
		return
	}
	y, w := d.Y[i], d.Weight[i]
	for c := range sums {
		if c != y {
			sums[c] += w
		}
	}
}

// Excess returns what answers cost above the least cost of each row, (n, K) row-major:
// c_ik - min_l c_il. No tree can save the least costs, so objectives are of the excess.
func (d *Dataset) Excess() []float64 {
	k := d.K()
	e := make([]float64, d.N()*k)
	for i := range d.N() {
		d.AddExcess(e[i*k:(i+1)*k], i)
	}
	return e
}

// MostLoss is more than a tree can lose: all weight; of a table, the excess of the dearest
// answers.
func (d *Dataset) MostLoss() float64 {
	total := 0.0
	for i, w := range d.Weight {
		if d.Kind() != Errors {
			_, w = d.LossOf(i, dearest(d.CostsOf(i)))
		}
		total += w
	}
	return total
}

// dearest is the class of the greatest cost.
func dearest(costs []float64) int {
	class := 0
	for c, v := range costs {
		if v > costs[class] {
			class = c
		}
	}
	return class
}

// Baseline returns the least excess of a single leaf, min_k sum_i (c_ik - min_l c_il): of
// errors Lhat = W - max_k W_k.
func (d *Dataset) Baseline() float64 {
	if d.Kind() == Errors {
		classes := make([]int32, d.K())
		for k := range classes {
			classes[k] = int32(k)
		}
		return allButLargest(0, d.ClassWeights(), classes)
	}
	sums := make([]float64, d.K())
	for i := range d.N() {
		d.AddExcess(sums, i)
	}
	return slices.Min(sums)
}

// UnavoidableErrors returns the least excess and the least count of wrong rows of a
// function of the features, because rows with equal features have different classes: the
// sums over distinct x of all but the best answer. The two are minimised each on its own.
func (d *Dataset) UnavoidableErrors() (excess, count float64) {
	group, first := d.Points()
	label, some := d.groups(d.Y) // rows of equal features and class
	weights, counts := make([]float64, len(some)), make([]float64, len(some))
	for i, g := range label {
		weights[g] += d.Weight[i]
		counts[g] += d.Count[i]
	}
	at := make([]int, len(first)+1) // where the labels of each point begin
	for _, i := range some {
		at[group[i]+1]++
	}
	for g := range first {
		at[g+1] += at[g]
	}
	of, next := make([]int32, len(some)), slices.Clone(at)
	for g, i := range some {
		of[next[group[i]]] = int32(g)
		next[group[i]]++
	}
	for g := range first {
		mine := of[at[g]:at[g+1]]
		slices.SortFunc(mine, func(a, b int32) int { return cmp.Compare(d.Y[some[a]], d.Y[some[b]]) })
		excess, count = allButLargest(excess, weights, mine), allButLargest(count, counts, mine)
	}
	if d.Kind() == Errors {
		return excess, count
	}
	k := d.K()
	sums := make([]float64, len(first)*k)
	for i, g := range group {
		d.AddExcess(sums[int(g)*k:int(g+1)*k], i)
	}
	excess = 0
	for answers := range slices.Chunk(sums, k) {
		excess += slices.Min(answers)
	}
	return excess, count
}

// allButLargest adds to sum the values of these numbers but the largest, the first of equal
// ones.
func allButLargest(sum float64, values []float64, of []int32) float64 {
	best := int32(-1)
	for _, v := range of {
		if best < 0 || values[v] > values[best] {
			best = v
		}
	}
	for _, v := range of {
		if v != best { // subtracting from a total would leave rounding behind
			sum += values[v]
		}
	}
	return sum
}

// LossUnit is the common unit of weights, of a table that of its excess.
func (d *Dataset) LossUnit() Unit {
	if d.Kind() == Errors {
		_, unit := weightsInUnits(d.Weight, MostUnits)
		return unit
	}
	_, unit := d.ExcessInUnits(MostUnits)
	return unit
}

// ExcessInUnits returns Excess (n, K) in a common unit of its values, where they have one
// and no more than most of it add up to the largest of each row, which is Unit.Total then;
// else in the greatest power of two that is not above the largest value, which costs no
// digit.
func (d *Dataset) ExcessInUnits(most float64) ([]float64, Unit) {
	excess := d.Excess()
	var positive []float64
	for _, v := range excess {
		if v > 0 {
			positive = append(positive, v)
		}
	}
	unit := Unit{Size: 1, Whole: true}
	if len(positive) == 0 {
		return excess, unit
	}
	// most is of the largest of each row: there are up to K-1 values in one
	positive, unit = weightsInUnits(positive, most*float64(d.K()))
	if !unit.Whole {
		unit.Size = math.Ldexp(1, math.Ilogb(slices.Max(excess)))
	}
	at := 0
	for i, v := range excess {
		switch {
		case v <= 0:
		case unit.Whole:
			excess[i] = positive[at]
			at++
		default:
			excess[i] = v / unit.Size
		}
	}
	unit.Total = 0
	for row := range slices.Chunk(excess, d.K()) {
		unit.Total += slices.Max(row)
	}
	unit.Whole = unit.Whole && unit.Total <= most
	return excess, unit
}

// labels numbers the rows that Merge keeps apart where their x are equal: by class, and
// by the cheapest class.
func (d *Dataset) labels() []int {
	labels := make([]int, d.N())
	for i, y := range d.Y {
		class, _ := d.CheapestClass(i)
		labels[i] = y*d.K() + class
	}
	return labels
}

// AlteredPriors returns d as those see it who grow trees by class weights, after CART's
// altered priors (Breiman et al. 1984, section 4.4): d itself of errors, else errors of
// rows of the class that is cheapest for each, which weighs the mean excess of the others,
//
//	omega_i = 1/(K-1) sum_k (c_ik - min_l c_il).
//
// With one class or two it is the same problem: |c_i1 - c_i2|. Weights may be 0. All else
// is shared with d.
func (d *Dataset) AlteredPriors() *Dataset {
	if d.Kind() == Errors {
		return d
	}
	a := *d
	a.Y, a.Weight, a.Loss = make([]int, d.N()), make([]float64, d.N()), Loss{}
	others := float64(max(1, d.K()-1))
	for i := range a.Y {
		a.Y[i], _ = d.CheapestClass(i)
		for c := range d.K() {
			_, excess := d.LossOf(i, c)
			a.Weight[i] += excess / others
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

// NewRewards returns the dataset of rows x (n, p row-major) with the rewards of the
// actions (n, K row-major), all weights and counts 1. It takes over the slices. The error
// of Validate is returned.
func NewRewards(x, reward []float64, features, actions []string) (*Dataset, error) {
	k := len(actions)
	if k == 0 || len(reward)%k != 0 {
		return nil, fmt.Errorf("dataset: %d rewards of %d actions; want one of each action per row", len(reward), k)
	}
	d := &Dataset{X: x, Weight: ones(len(reward) / k), Count: ones(len(reward) / k), Features: features, Classes: actions}
	d.setRewards(reward)
	return d, d.Validate()
}

// setRewards gives the rows of d, whose weights are there, their rewards: Y becomes the
// action of the greatest reward, the first of equal ones, Cost what is lost against it.
func (d *Dataset) setRewards(reward []float64) {
	n, k := len(d.Weight), d.K()
	d.Reward, d.Y, d.Cost = reward, make([]int, n), make([]float64, n*k)
	for i := range n {
		r := d.RewardsOf(i)
		best := 0
		for a, v := range r {
			if v > r[best] {
				best = a
			}
		}
		d.Y[i] = best
		for a, v := range r {
			d.Cost[i*k+a] = d.Weight[i] * (r[best] - v)
		}
	}
}

// BestReward returns sum_i w_i max_k r_ik, which no policy exceeds.
func (d *Dataset) BestReward() float64 {
	sum := 0.0
	for i, y := range d.Y {
		sum += d.Weight[i] * d.Reward[i*d.K()+y]
	}
	return sum
}

// validateRewards returns the first breach of the rules of Reward.
func (d *Dataset) validateRewards() error {
	if d.Reward == nil {
		return nil
	}
	n, k := d.N(), d.K()
	if len(d.Reward) != n*k {
		return fmt.Errorf("dataset: %d rewards; want %d rows x %d actions = %d", len(d.Reward), n, k, n*k)
	}
	total := 0.0
	for i := range n {
		for a, v := range d.RewardsOf(i) {
			if !(math.Abs(v) <= MaxAbs) {
				return fmt.Errorf("dataset: row %d, action %q: the reward %v is not a finite number of size at most %g", i, d.Classes[a], v, MaxAbs)
			}
			total += d.Weight[i] * math.Abs(v)
		}
	}
	if math.IsInf(total, 0) {
		return fmt.Errorf("dataset: the rewards are too large to be added up")
	}
	return nil
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
