package dataset

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
)

// classWeights is a parsed LoadOptions.ClassWeight.
type classWeights struct {
	balanced bool
	names    []string
	factors  []float64
}

func parseClassWeights(spec string) (*classWeights, error) {
	switch spec {
	case "":
		return nil, nil
	case "balanced":
		return &classWeights{balanced: true}, nil
	}
	c := &classWeights{}
	for item := range strings.SplitSeq(spec, ",") {
		eq := strings.LastIndexByte(item, '=') // a class name may contain one
		if eq < 0 {
			return nil, fmt.Errorf("class weight %q: want \"balanced\" or a list such as \"yes=3,no=1\"", item)
		}
		name, value := strings.TrimSpace(item[:eq]), strings.TrimSpace(item[eq+1:])
		w, kind := plain.classify(value)
		if kind != number || !isWeight(w) {
			return nil, fmt.Errorf("class weight %q: %q is not a positive finite number", item, value)
		}
		if slices.Contains(c.names, name) {
			return nil, fmt.Errorf("class weight: the class %q is given twice", name)
		}
		c.names = append(c.names, name)
		c.factors = append(c.factors, w)
	}
	return c, nil
}

// resolve returns the factor of each class, given the total weight of each.
func (c *classWeights) resolve(classes []string, weight []float64) ([]float64, error) {
	factors := ones(len(classes))
	if c.balanced {
		total := 0.0
		for _, w := range weight {
			total += w
		}
		for k, w := range weight {
			factors[k] = total / (float64(len(classes)) * w)
		}
		return factors, nil
	}
	for i, name := range c.names {
		k := slices.Index(classes, name)
		if k < 0 {
			return nil, fmt.Errorf("class weight: no class %q; %s", name, suggest("the classes are", name, classes))
		}
		factors[k] = c.factors[i]
	}
	return factors, nil
}

// applyClassWeights multiplies the weights of the rows by the factors of their classes
// (nil: all 1). The weights must add up to at most MaxAbs before and after, which leaves
// room for multiples of their sum.
func (d *Dataset) applyClassWeights(factors []float64) error {
	total, raw := 0.0, 0.0
	for i, y := range d.Y {
		if raw += d.Weight[i]; raw > MaxAbs {
			return &Error{File: d.Source.File, Line: d.Line[i], Name: d.Encoder.Weight,
				Msg: fmt.Sprintf("the weights up to this line add up to more than %g; scale them", MaxAbs)}
		}
		if factors != nil {
			d.Weight[i] *= factors[y]
		}
		total += d.Weight[i]
		if !isWeight(d.Weight[i]) || total > MaxAbs {
			return &Error{File: d.Source.File, Line: d.Line[i],
				Msg: "the weights times the class weights are too large or too small to be added up; scale them"}
		}
	}
	return nil
}

const (
	// mostParts is the largest denominator of a weight divided by the smallest weight.
	mostParts = 1000
	// wholeTolerance is the relative tolerance for a multiple of the unit to count as a
	// whole number: a few roundings of a product and of the weights themselves. For large
	// multiples the absolute tolerance is mostApart; otherwise every large number would
	// count as whole.
	wholeTolerance = 1e-12
	mostApart      = 1e-3
)

// MostUnits is the largest sum of weights, in units, for which sums and fractions of 1
// are distinguishable.
const MostUnits = 1 << 46

// Unit is the unit of row weights in a formulation. It makes the formulation invariant to
// scaling all weights by a factor.
type Unit struct {
	// Size is one unit in the weights of the data: the greatest common divisor of the
	// weights, as fractions of small denominator, if there is one and the sum does not
	// exceed the given number of units; otherwise the smallest weight.
	Size float64
	// Whole reports whether every weight is a whole number of units.
	Whole bool
	// Total is the sum of the weights in units.
	Total float64
}

// InUnits returns d with its weights in their common unit. If Unit.Whole is set, they are
// exactly whole numbers and add up to at most most units. All other fields are shared
// with d, including costs: these are not in units of weight, nor are quantities compared
// with them (another cost, the divisor of the objective).
func (d *Dataset) InUnits(most float64) (*Dataset, Unit) {
	weight, unit := weightsInUnits(d.Weight, most)
	if unit.Size == 1 && slices.Equal(weight, d.Weight) {
		return d, unit
	}
	scaled := *d
	scaled.Weight = weight
	return &scaled, unit
}

// LeastLeaf returns the minimum leaf weight N_min in units. If the weights are whole, it
// is the smallest sufficient whole number, so that no tolerance decides about a leaf.
func (u Unit) LeastLeaf(nmin float64) float64 {
	v := nmin / u.Size
	if u.Whole {
		return math.Ceil(v - LeafTolerance*v)
	}
	return v
}

// LeafTolerance is the fraction of N_min by which the weight of a leaf may fall short,
// because sums of fractional weights are rounded.
const LeafTolerance = 1e-9

func weightsInUnits(weight []float64, most float64) ([]float64, Unit) {
	least, all := slices.Min(weight), 0.0
	for _, w := range weight {
		all += w
	}
	least = max(least, all/mostSpread) // in smaller units the sum would overflow
	parts, ok := commonParts(weight, least, most)
	if !ok {
		return scaled(weight, least)
	}
	// least equals parts units before common factors are removed.
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

// commonParts returns the smallest number q of parts such that every weight is a multiple
// of the q-th part of the smallest weight.
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

// scaled returns the weights divided by by.
func scaled(weight []float64, by float64) ([]float64, Unit) {
	out, u := make([]float64, len(weight)), Unit{Size: by}
	for i, w := range weight {
		if out[i] = w / by; w > 0 {
			out[i] = max(out[i], 1/mostSpread) // keep it positive
		}
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

// Sums of typical inputs (whole numbers, decimals of a few digits) are rounded at most
// once, so that they do not depend on the order of the rows: a mean of 0 is 0, and two
// categories of equal weight are equal.

// maxPlaces is the largest number of decimals that wholes tries: 10^15 is exact.
const maxPlaces = 15

// wholes returns the values in units of 10^-d, and 10^d, for the smallest d for which
// every value is the float64 nearest to a whole number of units below 2^53. If there is
// no such d, it returns the values themselves and 1.
func wholes(values []float64) (units []float64, perOne float64) {
	units = make([]float64, len(values))
	perOne = 1
	for range maxPlaces + 1 {
		if inUnits(units, values, perOne) {
			return units, perOne
		}
		perOne *= 10
	}
	copy(units, values)
	return units, 1
}

// inUnits fills units with the rounded values times perOne, and reports whether they
// represent the same numbers.
func inUnits(units, values []float64, perOne float64) bool {
	for i, v := range values {
		k := math.Round(v * perOne)
		if !(math.Abs(k) <= 1<<53) || k/perOne != v {
			return false
		}
		units[i] = k
	}
	return true
}

// weightedMean returns the weighted mean of the values, of which there must be at least
// one: the quotient of the exact sums, rounded once. Short decimals count as decimals,
// other values as the binary numbers they are.
func weightedMean(values, weights []float64) float64 {
	v, perOne := wholes(values)
	w, _ := wholes(weights) // the unit cancels
	precision := sumPrecision(v, w)
	sum, total := new(big.Float).SetPrec(precision), new(big.Float).SetPrec(precision)
	var value, weight big.Float
	product := new(big.Float).SetPrec(2 * 53)
	for i := range v {
		weight.SetFloat64(w[i])
		total.Add(total, &weight)
		sum.Add(sum, product.Mul(value.SetFloat64(v[i]), &weight))
	}
	total.Mul(total, new(big.Float).SetFloat64(perOne))
	numerator, _ := sum.Rat(nil)
	denominator, _ := total.Rat(nil)
	mean, _ := new(big.Rat).Quo(numerator, denominator).Float64()
	return mean
}

// sumPrecision returns the number of bits that hold the sum of the products v w, and the
// sum of w times 10^maxPlaces, without rounding.
func sumPrecision(v, w []float64) uint {
	bitsV, bitsW := bitRange(v), bitRange(w)
	const count, unit = 64, 50 // bits for the number of rows, and for 10^maxPlaces
	return bitsV + bitsW + count + unit
}

// bitRange returns the number of bits from the last bit of the smallest nonzero value, in
// absolute terms, to the first bit of the largest.
func bitRange(values []float64) uint {
	low, high := math.MaxInt, math.MinInt
	for _, v := range values {
		if v == 0 {
			continue
		}
		_, e := math.Frexp(v)
		low, high = min(low, e-53), max(high, e)
	}
	if low > high {
		return 1
	}
	return uint(high - low)
}

// totals returns the total weight of each of n groups; rows of group -1 are ignored. Sums
// of short decimals below 2^53 units are rounded once.
func totals(weight []float64, n int, group func(i int) int) []float64 {
	units, perOne := wholes(weight)
	sum := make([]float64, n)
	for i, w := range units {
		if g := group(i); g >= 0 {
			sum[g] += w
		}
	}
	for g := range sum {
		sum[g] /= perOne
	}
	return sum
}

// mostSpread bounds the range of weights and costs in which products and quotients of
// their sums neither overflow nor underflow.
const mostSpread = 1e250

// TooFarApart reports whether weights or costs are so large or of such different
// magnitudes that no search can compute with their sums.
func (d *Dataset) TooFarApart() bool {
	return tooFarApart(d.Weight) || tooFarApart(d.Cost)
}

func tooFarApart(values []float64) bool {
	least, total := math.Inf(1), 0.0
	for _, v := range values {
		if total += v; v > 0 {
			least = min(least, v)
		}
	}
	return total > mostSpread || total/mostSpread > least
}
