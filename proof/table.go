package proof

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/octgen/octgen/dataset"
)

// most is the largest sum of losses of a table: sums of two of them and a price are below noTree, or do not overflow.
const most = 1 << 60

// Table is what a proof is about: rows with their features, what each answer costs in each row, and what each row weighs in
// a leaf. Losses and weights are whole numbers: those of the data times Scale and LeafScale.
type Table struct {
	X       []float64 // (n, p) row-major
	P, K    int       // features and answers
	Loss    []int64   // (n, K) row-major
	Weight  []int64   // (n)
	Answers []string  // (K)

	Scale, LeafScale *big.Int

	// Single says that a row has one answer without loss, and that the others all cost its weight.
	Single bool

	// Squares, if not zero, says that answers are means, and that Loss (n) are the numbers of the rows.
	Squares Squares
	moments []int64 // (n, 3) of squared errors; see centred
}

// N is the number of rows.
func (t *Table) N() int { return len(t.Weight) }

// NewTable makes a table of the rows of ds, whose losses are multiplied so that they and the price of a split are whole numbers: alpha
// times the loss of the best single answer or, with rewards, alpha. It returns the price of a split in the unit of the losses.
func NewTable(ds *dataset.Dataset, alpha float64) (t *Table, price int64, err error) {
	scale, leaf := denominators(ds)
	if t, err = ScaledTable(ds, scale, leaf); err != nil {
		return nil, 0, err
	}
	exact := decimal(alpha)
	if t.Squares != (Squares{}) { // rounded down: with a lower price the claim is about more trees
		exact.Mul(exact, new(big.Rat).SetInt64(t.baseline()))
		down := new(big.Int).Div(exact.Num(), exact.Denom())
		if !down.IsInt64() || down.Int64() > most {
			return t, most, nil
		}
		return t, down.Int64(), nil
	}
	if ds.Kind() == dataset.Rewards { // alpha is in their unit
		exact.Mul(exact, new(big.Rat).SetInt(scale))
	} else {
		exact.Mul(exact, new(big.Rat).SetInt64(t.baseline()))
	}
	if !exact.IsInt() {
		by := exact.Denom()
		if t, err = ScaledTable(ds, new(big.Int).Mul(scale, by), leaf); err != nil {
			return nil, 0, err
		}
		exact.Mul(exact, new(big.Rat).SetInt(by))
	}
	if n := exact.Num(); !n.IsInt64() || n.Int64() > most {
		return t, most, nil
	}
	return t, exact.Num().Int64(), nil
}

// ScaledTable makes a table of the rows of ds whose losses are multiplied by scale and whose weights in leaves by leaf.
func ScaledTable(ds *dataset.Dataset, scale, leaf *big.Int) (*Table, error) {
	t := &Table{X: ds.X, P: ds.P(), K: ds.K(), Answers: ds.Classes, Single: ds.Kind() == dataset.Errors, Scale: scale, LeafScale: leaf}
	var err error
	if t.Weight, err = wholes(ds.Weight, leaf); err != nil {
		return nil, err
	}
	switch {
	case t.Single:
		return t, t.setErrors(ds, scale)
	case ds.Kind() == dataset.Numbers && ds.Quantile == 0:
		return t, t.setNumbers(ds, scale)
	case ds.Kind() == dataset.Numbers:
		t.Answers = nil
		for _, v := range numbersOf(ds) {
			t.Answers = append(t.Answers, plainNumber(v))
		}
		if t.K = len(t.Answers); t.K*t.N() > mostCells {
			return nil, fmt.Errorf("no proof file: %d rows with %d different numbers are more than %d losses", t.N(), t.K, mostCells)
		}
	}
	return t, t.setLosses(exactLosses(ds), scale)
}

// denominators are the least numbers that make losses and weights whole.
func denominators(ds *dataset.Dataset) (scale, leaf *big.Int) {
	weights, losses := newDecimals(), newDecimals()
	for _, w := range ds.Weight {
		weights.add(w)
	}
	if ds.Kind() == dataset.Errors {
		return weights.lcm, weights.lcm
	}
	if ds.Kind() == dataset.Numbers && ds.Quantile == 0 {
		for _, y := range ds.Target {
			losses.add(y)
		}
		return scaleOfNumbers(ds, losses.lcm, weights.lcm), weights.lcm
	}
	if ds.Kind() == dataset.Numbers && len(numbersOf(ds))*ds.N() > mostCells {
		return losses.lcm, weights.lcm // ScaledTable refuses them
	}
	for _, r := range exactLosses(ds) {
		losses.addRat(r)
	}
	return losses.lcm, weights.lcm
}

// numbersOf are the different numbers to be predicted, ascending.
func numbersOf(ds *dataset.Dataset) []float64 {
	all := slices.Clone(ds.Target)
	for i := range all {
		all[i] += 0 // -0 is 0
	}
	slices.Sort(all)
	return slices.Compact(all)
}

var errDigits = errors.New("no proof file: weights, numbers, costs or the price have so many digits that they are no whole numbers that add up to at most 2^60")

// setErrors sets the losses of errors.
func (t *Table) setErrors(ds *dataset.Dataset, scale *big.Int) error {
	cost, err := wholes(ds.Weight, scale)
	if err != nil {
		return err
	}
	t.Loss = make([]int64, ds.N()*t.K)
	for i, v := range cost {
		for k := range t.K {
			if k != ds.Y[i] {
				t.Loss[i*t.K+k] = v
			}
		}
	}
	return nil
}

// setLosses sets the losses of a table of costs.
func (t *Table) setLosses(losses []*big.Rat, scale *big.Int) error {
	t.Loss = make([]int64, len(losses))
	by, total, worst := new(big.Rat).SetInt(scale), new(big.Int), int64(0)
	for at, r := range losses {
		v := new(big.Rat).Mul(r, by)
		if !v.IsInt() || !v.Num().IsInt64() {
			return errDigits
		}
		t.Loss[at] = v.Num().Int64()
		worst = max(worst, t.Loss[at])
		if at%t.K == t.K-1 {
			total.Add(total, big.NewInt(worst))
			worst = 0
		}
	}
	if total.Cmp(big.NewInt(most)) > 0 {
		return errDigits
	}
	return nil
}

// baseline is the loss of the best single answer above the least of each row, as alpha is measured.
func (t *Table) baseline() int64 {
	if t.Squares != (Squares{}) {
		rows := make([]int32, t.N())
		for i := range rows {
			rows[i] = int32(i)
		}
		return t.OneAnswer(rows)
	}
	sums := make([]int64, t.K)
	for i := range t.N() {
		row := t.Loss[i*t.K : (i+1)*t.K]
		least := slices.Min(row)
		for k, v := range row {
			sums[k] += v - least
		}
	}
	return slices.Min(sums)
}

// exactLosses are the losses (n, K) of rewards and costs as fractions: the weight of the row times what its answer costs or
// earns less than the best one.
func exactLosses(ds *dataset.Dataset) []*big.Rat {
	if ds.Kind() == dataset.Numbers {
		return quantileLosses(ds)
	}
	out := make([]*big.Rat, 0, ds.N()*ds.K())
	matrix := ds.Encoder != nil && ds.Encoder.CostMatrix != nil && ds.Kind() == dataset.Costs
	for i := range ds.N() {
		w := decimal(ds.Weight[i])
		var best *big.Rat
		for k := range ds.K() {
			var r *big.Rat
			switch {
			case ds.Kind() == dataset.Rewards:
				r = decimal(ds.RewardsOf(i)[k])
				if best == nil || r.Cmp(best) > 0 {
					best = r
				}
			case matrix:
				r = new(big.Rat).Mul(w, decimal(ds.Encoder.CostMatrix[ds.Y[i]][k]))
			default:
				r = decimal(ds.CostsOf(i)[k])
			}
			out = append(out, r)
		}
		if best != nil {
			for at := len(out) - ds.K(); at < len(out); at++ {
				out[at] = new(big.Rat).Mul(w, new(big.Rat).Sub(best, out[at]))
			}
		}
	}
	return out
}

// quantileLosses are the losses (n, different numbers) of a quantile q: the weight times q for each unit that the answer is below the
// number, times 1 - q for each that it is above.
func quantileLosses(ds *dataset.Dataset) []*big.Rat {
	q := decimal(ds.Quantile)
	rest := new(big.Rat).Sub(big.NewRat(1, 1), q)
	var answers []*big.Rat
	for _, v := range numbersOf(ds) {
		answers = append(answers, decimal(v))
	}
	out := make([]*big.Rat, 0, ds.N()*len(answers))
	for i, y := range ds.Target {
		w, number := decimal(ds.Weight[i]), decimal(y)
		below, above := new(big.Rat).Mul(w, q), new(big.Rat).Mul(w, rest)
		for _, a := range answers {
			r := new(big.Rat).Sub(number, a)
			if r.Sign() >= 0 {
				r.Mul(r, below)
			} else {
				r.Neg(r.Mul(r, above))
			}
			out = append(out, r)
		}
	}
	return out
}

// decimal is the shortest decimal that reads back as v, as a fraction.
func decimal(v float64) *big.Rat {
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(v, 'g', -1, 64))
	if !ok {
		panic(fmt.Sprint("proof: no finite number: ", v)) // of a checked dataset
	}
	return r
}

// decimals collects the denominators of numbers.
type decimals struct {
	seen map[float64]bool
	lcm  *big.Int
}

func newDecimals() *decimals { return &decimals{seen: make(map[float64]bool), lcm: big.NewInt(1)} }

func (d *decimals) add(v float64) {
	if !d.seen[v] {
		d.seen[v] = true
		d.addRat(decimal(v))
	}
}

func (d *decimals) addRat(r *big.Rat) {
	if r.IsInt() {
		return
	}
	g := new(big.Int).GCD(nil, nil, d.lcm, r.Denom())
	d.lcm.Mul(d.lcm, new(big.Int).Div(r.Denom(), g))
}

// wholes are the numbers times a scale.
func wholes(numbers []float64, scale *big.Int) ([]int64, error) {
	out, by, total := make([]int64, len(numbers)), new(big.Rat).SetInt(scale), new(big.Int)
	known := make(map[float64]int64)
	for i, v := range numbers {
		w, ok := known[v]
		if !ok {
			r := decimal(v)
			if r.Mul(r, by); !r.IsInt() || !r.Num().IsInt64() {
				return nil, errDigits
			}
			w = r.Num().Int64()
			known[v] = w
		}
		out[i] = w
		total.Add(total, big.NewInt(w))
	}
	if total.Cmp(big.NewInt(most)) > 0 {
		return nil, errDigits
	}
	return out, nil
}

// Digest is the SHA-256 of the rows, as docs/proof.md has it: for each row its features as doubles, its losses and its
// weight as whole numbers (of squared errors its number in place of losses), each of eight bytes with the least one first.
func (t *Table) Digest() string {
	h := sha256.New()
	line := make([]byte, 8*(t.P+t.K+1))
	for i := range t.N() {
		at := line
		put := func(bits uint64) { binary.LittleEndian.PutUint64(at, bits); at = at[8:] }
		for _, v := range t.X[i*t.P : (i+1)*t.P] {
			put(math.Float64bits(v + 0)) // -0 is 0
		}
		for _, v := range t.Loss[i*t.K : (i+1)*t.K] {
			put(uint64(v))
		}
		put(uint64(t.Weight[i]))
		h.Write(line)
	}
	return hex.EncodeToString(h.Sum(nil))
}
