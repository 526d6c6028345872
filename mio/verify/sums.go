package verify

// ProofTolerance is the part of a tree's own terms within which an optimum is proved:
// where rounding may hide a difference larger than that, nothing is.
const ProofTolerance = 1e-9

// SumError bounds the rounding error of what a search computes from numbers of
// magnitudes that add up to size, at most n of them in a sum.
//
// An addition errs by at most u = 2^-53 of its result, a sum of n terms by at most
// (n-1) u size (Higham 2002, Accuracy and Stability of Numerical Algorithms, (4.4)), and
// so does the sum of a part found as the difference of two. Twice that is 2.2e-16 n size;
// 4e-16 n size has room for the few additions that put parts together, and [WholeError]
// for those when n is small.
func SumError(n int, size float64) float64 {
	return WholeError(size) + 4e-16*float64(n)*size
}

// WholeError is SumError where the numbers are whole and add up to less than 2^53, so
// that their sums are exact: what remains are the penalties of splits.
func WholeError(size float64) float64 { return 1e-13 * size }

// Negligible reports whether an error is so small beside terms, the sum of a tree's own
// terms, that a proof to within that error is one. The terms are what the tree pays: the costs of its
// predictions and the penalties of its splits, never a total over the data.
func Negligible(off, terms float64) bool { return off <= ProofTolerance*terms }
