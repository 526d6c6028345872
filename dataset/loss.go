package dataset

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Loss is the loss of predictions on each row. It has one form, the table Cost. Every
// tree problem minimizes the total excess: the sum over the rows of the cost of the
// predicted class minus the minimum cost of the row ([Dataset.Excess]). A new loss, such
// as |y-k| for ordered classes, is another way to fill Cost, as in setRewards and
// applyCosts; every method that takes costs then takes the loss. Only a loss with its own
// wording or figures needs a [Kind], a marker in Loss that tells it, and its line in kinds.
//
// Misclassification errors need no table: class and weight determine them, and sums by
// class are faster. The functions of this file hide the difference. A package that counts
// classes itself checks Kind.
type Loss struct {
	// Cost is (n, K) row-major: the cost of predicting class k on row i, the row's weight
	// included; finite, >= 0. If nil, the cost is Weight for k other than Y, and 0 for Y.
	// In either case, Weight is the row's contribution to the minimum leaf weight.
	Cost []float64

	// Reward is (n, K) row-major: the reward of taking action k on row i, without the
	// row's weight; nil if the rows have classes. With rewards, the classes are the
	// actions, whichever was taken; Y is the action of maximum reward, and Cost is the
	// loss against it. Policy trees choose an action for each row. The best policy
	// follows from costs:
	//
	//	sum_i w_i r_i,a(i)  =  sum_i w_i max_k r_ik  -  sum_i c_i,a(i),
	//	c_ik = w_i (max_l r_il - r_ik) >= 0,
	//
	// so the policy of maximum reward is that of minimum cost, and a constant added to
	// all rewards of a row changes nothing (Zhou, Athey & Wager 2023).
	Reward []float64

	// Target is (n) the number to be predicted of each row; nil if the rows have classes. The tree then answers numbers,
	// there is one class, the name of the target, and no table.
	Target []float64

	// Quantile is what is predicted of the numbers: 0 the mean, else this quantile, 1/2 the median.
	Quantile float64

	// excess is (n, K) Cost minus the minimum cost of the row, kept if differences of
	// large costs would lose digits. It belongs to the table that begins at of; nil:
	// none.
	excess []float64
	of     *float64
}

// Equal reports whether two losses have the same tables.
func (l Loss) Equal(o Loss) bool {
	return slices.Equal(l.Cost, o.Cost) && slices.Equal(l.Reward, o.Reward) && slices.Equal(l.Target, o.Target)
}

// keepExcess stores the excess of Cost.
func (l *Loss) keepExcess(excess []float64) {
	if len(l.Cost) > 0 {
		l.excess, l.of = excess, &l.Cost[0]
	}
}

// kept returns the stored excess if it belongs to the current Cost, else nil.
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

// Kind is the kind of a loss.
type Kind int

const (
	Errors  Kind = iota // weights of misclassified rows; no table
	Costs               // costs of predictions
	Rewards             // rewards of actions, as the loss against the best action
	Numbers             // squared errors of numbers, or losses of their quantile
)

var kinds = [...]struct{ name, trivial string }{
	Errors:  {"errors", "all rows have one class"},
	Costs:   {"costs", "one class is the cheapest for all rows"},
	Rewards: {"rewards", "one action is the best in every row"},
	Numbers: {"numbers", "all rows have one number"},
}

// Kind returns the kind of the loss.
func (l *Loss) Kind() Kind {
	switch {
	case l.Target != nil:
		return Numbers
	case l.Cost == nil:
		return Errors
	case l.Reward == nil:
		return Costs
	}
	return Rewards
}

func (k Kind) String() string { return kinds[k].name }

// Trivial returns why no tree is better than a single leaf if the best leaf has no loss.
func (k Kind) Trivial() string { return kinds[k].trivial }

// CostsOf returns the costs (K) of predicting each class on row i, shared; nil for
// Errors.
func (d *Dataset) CostsOf(i int) []float64 { return rowOf(d.Cost, i, d.K()) }

// RewardsOf returns the rewards (K) of the actions on row i, shared; nil if the data have
// classes.
func (d *Dataset) RewardsOf(i int) []float64 { return rowOf(d.Reward, i, d.K()) }

// rowOf returns row i of a table (n, k), or nil if table is nil.
func rowOf(table []float64, i, k int) []float64 {
	if table == nil {
		return nil
	}
	return table[i*k : (i+1)*k : (i+1)*k]
}

// subset returns the given rows of a table, or nil if table is nil.
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

// CheapestClass returns the class of minimum cost on row i, the first of equal ones, and
// that cost; without a table it returns Y and 0.
func (d *Dataset) CheapestClass(i int) (class int, cost float64) {
	if d.Cost == nil {
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

// LossOf returns the cost of predicting class on row i, and the excess of that cost over
// the minimum of the row.
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

// Mean returns the weighted mean of the numbers of the rows.
func (d *Dataset) Mean() float64 {
	return weightedMean(d.Target, d.Weight)
}

// AnswerOf returns the best single answer to the given rows: the weighted mean of their numbers or, with a quantile, the least
// number up to which they have its share of the weight.
func (d *Dataset) AnswerOf(rows []int) float64 {
	if d.Quantile == 0 {
		return weightedMean(subset(d.Target, rows, 1), subset(d.Weight, rows, 1))
	}
	sorted, total := slices.Clone(rows), 0.0
	slices.SortFunc(sorted, func(a, b int) int { return cmp.Compare(d.Target[a], d.Target[b]) })
	for _, i := range sorted {
		total += d.Weight[i]
	}
	below := 0.0
	for _, i := range sorted {
		if below += d.Weight[i]; below >= d.Quantile*total*(1-1e-12) {
			return d.Target[i]
		}
	}
	return d.Target[sorted[len(sorted)-1]]
}

// NumberLoss is the loss of a number that is so much above its answer: the square or, with a quantile, its loss.
func NumberLoss(above, quantile float64) float64 {
	if quantile == 0 {
		return above * above
	}
	return max(quantile*above, (quantile-1)*above)
}

// AddExcess adds to sums (K) the excess cost of predicting each class on row i.
func (d *Dataset) AddExcess(sums []float64, i int) {
	switch d.Kind() {
	case Costs, Rewards:
		d.addExcess(sums, i)
		return
	case Numbers: // one answer, whose loss depends on the tree
		return
	case Errors:
	}
	y, w := d.Y[i], d.Weight[i]
	for c := range sums {
		if c != y {
			sums[c] += w
		}
	}
}

// Excess returns the excess costs of predictions, (n, K) row-major: c_ik - min_l c_il. No
// tree can avoid the minimum costs, so objectives use the excess.
func (d *Dataset) Excess() []float64 {
	k := d.K()
	e := make([]float64, d.N()*k)
	for i := range d.N() {
		d.AddExcess(e[i*k:(i+1)*k], i)
	}
	return e
}

// Counted returns d with rows that weigh as many as they stand for, and with errors as costs: trees
// have the same losses, and a minimum leaf weight counts rows. It shares all but the tables with d.
func (d *Dataset) Counted() *Dataset {
	c := *d
	c.Weight = slices.Clone(d.Count)
	if d.Cost == nil {
		c.Cost = d.Excess()
	}
	return &c
}

// MostLoss returns an upper bound on the loss of any tree: the total weight, or, with a
// table, the total excess of the most expensive classes.
func (d *Dataset) MostLoss() float64 {
	total := 0.0
	for i, w := range d.Weight {
		if d.Cost != nil {
			_, w = d.LossOf(i, dearest(d.CostsOf(i)))
		}
		total += w
	}
	return total
}

// dearest returns the class of maximum cost.
func dearest(costs []float64) int {
	class := 0
	for c, v := range costs {
		if v > costs[class] {
			class = c
		}
	}
	return class
}

// Baseline returns the minimum excess of a single leaf, min_k sum_i (c_ik - min_l c_il);
// for Errors this is Lhat = W - max_k W_k.
func (d *Dataset) Baseline() float64 {
	switch d.Kind() {
	case Numbers:
		return d.squares()
	case Costs, Rewards:
	case Errors:
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

// squares is the squared error of the mean: positive unless all numbers are equal, and finite.
func (d *Dataset) squares() float64 {
	if !slices.ContainsFunc(d.Target, func(v float64) bool { return v != d.Target[0] }) {
		return 0
	}
	mean, sum := d.Mean(), 0.0
	for i, v := range d.Target {
		sum += d.Weight[i] * (v - mean) * (v - mean)
	}
	return max(math.SmallestNonzeroFloat64, min(sum, math.MaxFloat64))
}

// UnavoidableErrors returns the minimum excess and the minimum number of misclassified
// rows of any function of the features. They result from rows with equal features and
// different classes: both are sums over distinct x of all but the best class, with a table of costs
// of the least cost of one class for all of them. The two are minimized separately.
func (d *Dataset) UnavoidableErrors() (excess, count float64) {
	group, first := d.Points()
	label, some := d.groups(d.Y) // rows with equal features and class
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

// allButLargest adds to sum the values at the given indices except the largest, the first
// of equal ones.
func allButLargest(sum float64, values []float64, of []int32) float64 {
	best := int32(-1)
	for _, v := range of {
		if best < 0 || values[v] > values[best] {
			best = v
		}
	}
	for _, v := range of {
		if v != best { // subtracting from a total would leave a rounding error
			sum += values[v]
		}
	}
	return sum
}

// LossUnit returns the common unit of the weights or, with a table, of its excess.
func (d *Dataset) LossUnit() Unit {
	if d.Kind() == Errors {
		_, unit := weightsInUnits(d.Weight, MostUnits)
		return unit
	}
	_, unit := d.ExcessInUnits(MostUnits)
	return unit
}

// ExcessInUnits returns Excess (n, K) in a common unit of its values if there is one and
// the largest values of the rows add up to at most the given number of units; that sum is
// then Unit.Total. If they add up to more, the values are in that unit, but
// Unit.Whole is false. Without a common unit, the unit is the greatest power of two that does not
// exceed the largest value, so that no digit is lost.
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
	// most bounds the sum of the rows' largest values; a row has up to K-1 positive
	// values.
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

// labels returns labels that keep rows with equal x apart in Merge: by class and by
// cheapest class.
func (d *Dataset) labels() []int {
	labels := make([]int, d.N())
	for i, y := range d.Y {
		class, _ := d.CheapestClass(i)
		labels[i] = y*d.K() + class
	}
	return labels
}

// AlteredPriors returns the classification problem that heuristics with class weights
// solve instead of d, after CART's altered priors (Breiman et al. 1984, section 4.4). For
// Errors it is d itself. Otherwise each row has its cheapest class and, as weight, the
// mean excess of the other classes,
//
//	omega_i = 1/(K-1) sum_k (c_ik - min_l c_il).
//
// With one or two classes the problem is equivalent, with weights |c_i1 - c_i2|. Weights
// may be 0. All other fields are shared with d.
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

// AsClassification converts data of two classes with costs to data without costs. It
// keeps the rows whose costs differ, each with its cheaper class and the difference as
// weight. The weighted error of a tree on the result is its excess on d. The weights of
// the rows for the minimum leaf weight are lost.
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
// actions (n, K row-major), all weights and counts 1. It takes ownership of the slices.
// It returns the error of Validate.
func NewRewards(x, reward []float64, features, actions []string) (*Dataset, error) {
	k := len(actions)
	if k == 0 || len(reward)%k != 0 {
		return nil, fmt.Errorf("dataset: %d rewards of %d actions; want one of each action per row", len(reward), k)
	}
	d := &Dataset{X: x, Weight: ones(len(reward) / k), Count: ones(len(reward) / k), Features: features, Classes: actions}
	d.setRewards(reward)
	return d, d.Validate()
}

// NewNumbers returns the dataset of rows x (n, p row-major) with the numbers y (n) to be predicted, all weights and counts 1.
// It takes ownership of the slices. It returns the error of Validate.
func NewNumbers(x, y []float64, features []string, target string) (*Dataset, error) {
	n := len(y)
	d := &Dataset{X: x, Y: make([]int, n), Weight: ones(n), Count: ones(n), Features: features, Classes: []string{target}}
	d.Target = y
	return d, d.Validate()
}

// setRewards sets the rewards of the rows of d, whose weights must be set. Y becomes the
// action of maximum reward, the first of equal ones, and Cost the loss against it.
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

// BestReward returns sum_i w_i max_k r_ik, an upper bound for all policies.
func (d *Dataset) BestReward() float64 {
	sum := 0.0
	for i, y := range d.Y {
		sum += d.Weight[i] * d.Reward[i*d.K()+y]
	}
	return sum
}

// validateRewards returns an error for the first violated invariant of Reward.
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
