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
		eq := strings.LastIndexByte(item, '=') // a class name may hold one
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

// resolve returns the factor of each class, given the weight of each.
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

// applyClassWeights multiplies the rows' weights by the factors of their classes
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
	least, all := slices.Min(weight), 0.0
	for _, w := range weight {
		all += w
	}
	least = max(least, all/mostSpread) // in units so small the sum would overflow
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
		if out[i] = w / by; w > 0 {
			out[i] = max(out[i], 1/mostSpread) // none vanishes
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

// Sums of what people write (whole numbers, decimals of a few digits) are rounded
// once or not at all, so that they depend on no order of rows: a mean of 0 is 0,
// and two categories of equal weight are equal.

// most digits after the point that wholes looks for: 10^15 has no rounding.
const maxPlaces = 15

// wholes returns the values in units of 10^-d with the least d for which every
// value is the float64 nearest to a whole number of units below 2^53, and 10^d.
// Where there is none it returns the values themselves, and 1.
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

// inUnits fills units with the values times perOne, rounded, and reports whether
// they stand for the same numbers.
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

// weightedMean returns the mean of the values, of which there is one at least, by
// weight: the exact sums, divided and rounded once. Short decimals count as those
// decimals, all else as the binary number that it is.
func weightedMean(values, weights []float64) float64 {
	v, perOne := wholes(values)
	w, _ := wholes(weights) // the unit cancels out
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

// sumPrecision is the number of bits that hold the sum of the products v w, and the
// sum of w times 10^maxPlaces, without rounding.
func sumPrecision(v, w []float64) uint {
	bitsV, bitsW := bitRange(v), bitRange(w)
	const count, unit = 64, 50 // of the number of rows, of 10^maxPlaces
	return bitsV + bitsW + count + unit
}

// bitRange is the number of bits from the last of the value that is least in size,
// not counting 0, to the first of the largest.
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

// totals returns the sum of the weights of each of n groups; rows of group -1 are
// left out. Sums of short decimals below 2^53 units are rounded once.
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

// mostSpread is the range of weights and costs in which products and quotients of their sums
// are numbers: they neither overflow nor vanish.
const mostSpread = 1e250

// TooFarApart reports whether weights, or costs, are so large or so far apart that no search
// can compute with their sums.
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
