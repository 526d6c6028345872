package proof

import (
	"errors"
	"math/big"
	"math/bits"
	"slices"

	"github.com/octgen/octgen/dataset"
)

// Squares says how squared errors are counted: those of rows with one answer, with numbers and weights as whole numbers, are multiplied by Times, divided by
// Over and rounded down. The zero value is that of other losses.
type Squares struct{ Times, Over int64 }

const (
	mostCells  = 1 << 22 // of a table of losses of numbers
	squareBits = 50      // of the squared error of one answer for all rows, as it is counted
)

// setNumbers sets the numbers of squared errors, times scale and rounded to whole ones.
func (t *Table) setNumbers(ds *dataset.Dataset, scale *big.Int) error {
	t.Loss = make([]int64, ds.N())
	by, half := new(big.Rat).SetInt(scale), big.NewRat(1, 2)
	for i, y := range ds.Target {
		v := decimal(y)
		v.Add(v.Mul(v, by), half)
		whole := new(big.Int).Div(v.Num(), v.Denom()) // rounds down, for numbers below 0, too
		if !whole.IsInt64() || whole.CmpAbs(big.NewInt(most)) > 0 {
			return errDigits
		}
		t.Loss[i] = whole.Int64()
	}
	var err error
	if t.moments, err = t.centred(); err != nil {
		return err
	}
	square := new(big.Int)
	for i := range t.Weight {
		square.Add(square, big.NewInt(t.moments[3*i+2]))
	}
	t.Squares = Squares{1, 1}
	for s := new(big.Int).Set(square); s.Sign() > 0 && s.BitLen() < squareBits && t.Squares.Times < 1<<40; s.Lsh(s, 1) {
		t.Squares.Times *= 2
	}
	for s := new(big.Int).Set(square); s.BitLen() > squareBits; s.Rsh(s, 1) {
		t.Squares.Over *= 2
	}
	return nil
}

// centred are the moments (n, 3) of the rows: weight, weight times number, weight times squared number, each number less their
// mean rounded down, which changes no squared error. Their sums are at most 2^62.
func (t *Table) centred() ([]int64, error) {
	total, weight := new(big.Int), new(big.Int)
	for i, w := range t.Weight {
		total.Add(total, new(big.Int).Mul(big.NewInt(w), big.NewInt(t.Loss[i])))
		weight.Add(weight, big.NewInt(w))
	}
	mean := new(big.Int)
	if weight.Sign() > 0 {
		mean.Div(total, weight)
	}
	square, out := new(big.Int), make([]int64, 0, 3*t.N())
	for i, w := range t.Weight {
		a := new(big.Int).Sub(big.NewInt(t.Loss[i]), mean)
		m := new(big.Int).Mul(a, big.NewInt(w))
		q := new(big.Int).Mul(m, a)
		if square.Add(square, q); square.BitLen() > 62 {
			return nil, errDigits
		}
		out = append(out, w, m.Int64(), q.Int64())
	}
	if weight.BitLen() > 31 {
		return nil, errors.New("no proof file: the weights, as whole numbers, add up to more than 2^31")
	}
	return out, nil
}

// scaleOfNumbers is the common denominator of the numbers or, if they have too many digits for that, the largest power of ten by
// which they can be multiplied.
func scaleOfNumbers(ds *dataset.Dataset, common, leaf *big.Int) *big.Int {
	weights, err := wholes(ds.Weight, leaf)
	if err != nil {
		return common // ScaledTable says why
	}
	fits := func(scale *big.Int) bool { return (&Table{Weight: weights}).setNumbers(ds, scale) == nil }
	if fits(common) {
		return common
	}
	scale, ten := big.NewInt(1), big.NewInt(10)
	for next := ten; next.Cmp(common) < 0 && fits(next); next = new(big.Int).Mul(next, ten) {
		scale = next
	}
	return scale
}

// OneAnswer is what the best single answer to some rows costs.
func (t *Table) OneAnswer(rows []int32) int64 {
	k, loss := t.K, t.Loss
	if t.moments != nil {
		k, loss = 3, t.moments
	}
	sums := make([]int64, k)
	for _, i := range rows {
		for a, v := range loss[int(i)*k : (int(i)+1)*k] {
			sums[a] += v
		}
	}
	if t.moments != nil {
		return t.Squares.of(sums[0], sums[1], sums[2])
	}
	return slices.Min(sums)
}

// Number is that of a row of squared errors, times Scale and less a constant.
func (t *Table) Number(row int) float64 { return float64(t.moments[3*row+1] / t.moments[3*row]) }

// of is the squared error, as it is counted, of one answer for rows whose moments add up to so much.
func (s Squares) of(weight, sum, square int64) int64 {
	if weight == 0 {
		return 0
	}
	size := uint64(max(sum, -sum))
	high, low := bits.Mul64(uint64(weight), uint64(square))
	h, l := bits.Mul64(size, size)
	low, borrow := bits.Sub64(low, l, 0)
	high, _ = bits.Sub64(high, h, borrow)
	carry, low := bits.Mul64(low, uint64(s.Times))
	high = high*uint64(s.Times) + carry
	out, _ := bits.Div64(high, low, uint64(s.Over)*uint64(weight))
	return int64(out)
}

// check refuses parts with which sums of the table would be too large.
func (s Squares) check(moments []int64) error {
	var sums [3]int64
	for i, v := range moments {
		sums[i%3] += v
	}
	total := new(big.Int).Mul(big.NewInt(sums[2]), big.NewInt(s.Times))
	if s.Times < 1 || s.Over < 1 || s.Over >= 1<<31 || total.Div(total, big.NewInt(s.Over)).BitLen() > 58 {
		return errors.New("the squares are counted in parts that are too small or too large")
	}
	return nil
}

// farthest is what each row (n) adds to the squared error of others at most, as it is counted, rounded up; nil where their sum is too large.
func (s Squares) farthest(t *Table) []int64 {
	out, total := make([]int64, t.N()), new(big.Int)
	reach := big.NewInt(1)
	if t.N() > 0 {
		reach.Sub(big.NewInt(slices.Max(t.Loss)), big.NewInt(slices.Min(t.Loss)))
	}
	reach.Mul(reach, reach)
	for i, w := range t.Weight {
		v := new(big.Int).Mul(reach, big.NewInt(w))
		v.Mul(v, big.NewInt(s.Times))
		v.Add(v.Div(v, big.NewInt(s.Over)), big.NewInt(1))
		if total.Add(total, v); total.BitLen() > 60 {
			return nil
		}
		out[i] = v.Int64()
	}
	return out
}
