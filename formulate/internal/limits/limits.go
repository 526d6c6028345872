// Package limits has the options that all classification trees have.
package limits

import (
	"fmt"
	"math"

	"github.com/octgen/octgen/formulate"
)

// Limits says which trees are admitted, and what their splits cost.
type Limits struct {
	Depth     int     // 1 to formulate.MaxDepth
	Alpha     float64 // price of complexity, >= 0
	MinLeaf   float64 // least training weight of a leaf, >= 0
	MaxSplits int     // most complexity; 0 means no limit
}

// Validate says which of them is out of range, and what would be right.
func (l Limits) Validate() error {
	switch {
	case l.Depth < 1 || l.Depth > formulate.MaxDepth:
		return fmt.Errorf("formulate: depth is %d, expected 1 to %d", l.Depth, formulate.MaxDepth)
	case math.IsNaN(l.Alpha) || math.IsInf(l.Alpha, 0) || l.Alpha < 0:
		return fmt.Errorf("formulate: alpha is %v, expected a finite number >= 0", l.Alpha)
	case math.IsNaN(l.MinLeaf) || math.IsInf(l.MinLeaf, 0) || l.MinLeaf < 0:
		return fmt.Errorf("formulate: the least leaf weight is %v, expected a finite number >= 0", l.MinLeaf)
	case l.MaxSplits < 0:
		return fmt.Errorf("formulate: the most splits is %d, expected 1 or more, or 0 for no limit", l.MaxSplits)
	}
	return nil
}
