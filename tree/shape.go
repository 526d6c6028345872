package tree

import (
	"fmt"
	"math"
)

// NoDepth is the maximum depth of trees without one.
const NoDepth = math.MaxInt32

// CheckShape reports the first shape option that is out of range, and what would be right: the
// maximum depth, from 1 to most; the penalty alpha per split; the minimum training weight of a
// leaf; and the maximum complexity, where 0 means no limit.
func CheckShape(depth, most int, alpha, minLeaf float64, maxSplits int) error {
	switch {
	case depth < 1 || depth > most:
		return fmt.Errorf("depth is %d, expected 1 to %d", depth, most)
	case !(alpha >= 0) || math.IsInf(alpha, 1):
		return fmt.Errorf("alpha is %v, expected a finite number >= 0", alpha)
	case !(minLeaf >= 0) || math.IsInf(minLeaf, 1):
		return fmt.Errorf("the minimum leaf weight is %v, expected a finite number >= 0", minLeaf)
	case maxSplits < 0:
		return fmt.Errorf("the maximum number of splits is %d, expected 1 or more, or 0 for no limit", maxSplits)
	}
	return nil
}
