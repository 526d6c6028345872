package dataset

import (
	"math"
	"math/big"
)

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
