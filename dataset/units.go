package dataset

import (
	"math"
	"slices"
)

const (
	// mostParts is the largest denominator of a weight divided by the least one.
	mostParts = 1000
	// wholeTolerance is how far, relatively, a multiple of the unit may be from a
	// whole number: some roundings of a product and of the weights themselves. Of
	// large multiples it is mostApart, so that not every number is whole.
	wholeTolerance = 1e-12
	mostApart      = 1e-3
)

// MostUnits is the largest sum of weights, in units, at which sums and parts of 1 can
// be told apart.
const MostUnits = 1 << 46

// Unit is what row weights are measured in where a program is written, so that
// the program is the same for weights that differ by a factor.
type Unit struct {
	// Size is one unit in the data's weight: the greatest common divisor of the
	// weights, as fractions of small denominator, where there is one and the sum is
	// no more than so many units; else the least weight.
	Size float64
	// Whole says that every weight is a whole number of units.
	Whole bool
	// Total is the sum of the weights in units.
	Total float64
}

// InUnits returns d with its weights in their common unit, whole numbers exactly
// where Unit.Whole says so: where they add up to at most that many units. All else
// is shared with d, its costs too: they are what they were, not in units of weight, and
// all that is compared with them (another cost, the objective's divisor) is so, too.
func (d *Dataset) InUnits(most float64) (*Dataset, Unit) {
	weight, unit := weightsInUnits(d.Weight, most)
	if unit.Size == 1 && slices.Equal(weight, d.Weight) {
		return d, unit
	}
	scaled := *d
	scaled.Weight = weight
	return &scaled, unit
}

// LeastLeaf returns N_min in units. Where the weights are whole it is the least
// whole number that is enough, so that no tolerance decides about a leaf.
func (u Unit) LeastLeaf(nmin float64) float64 {
	v := nmin / u.Size
	if u.Whole {
		return math.Ceil(v - LeafTolerance*v)
	}
	return v
}

// LeafTolerance is the part of N_min by which the weight of a leaf may fall short:
// sums of fractional weights are rounded.
const LeafTolerance = 1e-9

func weightsInUnits(weight []float64, most float64) ([]float64, Unit) {
	least := slices.Min(weight)
	parts, ok := commonParts(weight, least, most)
	if !ok {
		return scaled(weight, least)
	}
	// least is parts units, before common factors are taken out.
	divisor := 0
	for _, w := range weight {
		divisor = gcd(divisor, int(math.Round(w/least*float64(parts))))
	}
	out, total := make([]float64, len(weight)), 0.0
	for i, w := range weight {
		out[i] = math.Round(w/least*float64(parts)) / float64(divisor)
		total += out[i]
	}
	if total > most {
		return scaled(weight, least)
	}
	return out, Unit{Size: least / (float64(parts) / float64(divisor)), Whole: true, Total: total}
}

// commonParts returns the least number q of parts such that every weight is a
// whole number of q-ths of the least one.
func commonParts(weight []float64, least, most float64) (q int, ok bool) {
	largest := slices.Max(weight) / least
	for q = 1; q <= mostParts && largest*float64(q) <= min(most*mostParts, 1<<52); q++ {
		if allWhole(weight, least, float64(q)) {
			return q, true
		}
	}
	return 0, false
}

func allWhole(weight []float64, least, parts float64) bool {
	for _, w := range weight {
		v := w / least * parts
		if math.Abs(v-math.Round(v)) > min(wholeTolerance*v, mostApart) {
			return false
		}
	}
	return true
}

// scaled returns the weights divided by one of them.
func scaled(weight []float64, by float64) ([]float64, Unit) {
	out, u := make([]float64, len(weight)), Unit{Size: by}
	for i, w := range weight {
		out[i] = w / by
		u.Total += out[i]
	}
	return out, u
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
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
