// Package shape checks the options shared by all classification trees.
package shape

import (
	"fmt"
	"math"

	"github.com/octgen/octgen/formulate"
)

// Check returns an error that names an option out of range and its valid values: the depth, the
// complexity parameter, the minimum training weight of a leaf, and the maximum complexity, 0 for no
// limit.
func Check(depth int, alpha, minLeaf float64, maxSplits int) error {
	switch {
	case depth < 1 || depth > formulate.MaxDepth:
		return fmt.Errorf("formulate: depth is %d, expected 1 to %d", depth, formulate.MaxDepth)
	case math.IsNaN(alpha) || math.IsInf(alpha, 0) || alpha < 0:
		return fmt.Errorf("formulate: alpha is %v, expected a finite number >= 0", alpha)
	case math.IsNaN(minLeaf) || math.IsInf(minLeaf, 0) || minLeaf < 0:
		return fmt.Errorf("formulate: the minimum leaf weight is %v, expected a finite number >= 0", minLeaf)
	case maxSplits < 0:
		return fmt.Errorf("formulate: the maximum number of splits is %d, expected 1 or more, or 0 for no limit", maxSplits)
	}
	return nil
}
