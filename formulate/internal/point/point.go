// Package point reads points of models and returns errors for points that are no tree and trees
// that are no point.
package point

import (
	"fmt"
	"math"
	"strconv"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio/verify"
)

// Binary reads a binary variable, named as in the model. If it is not within verify.Integrality of
// 0 or 1, the error names the variable.
func Binary(v float64, name string, idx ...int) (bool, error) {
	switch {
	case math.Abs(v) <= verify.Integrality:
		return false, nil
	case math.Abs(v-1) <= verify.Integrality:
		return true, nil
	}
	for _, i := range idx {
		name += "_" + strconv.Itoa(i)
	}
	return false, Bad("variable %s is %v, expected 0 or 1", name, v)
}

// Length returns an error for points with a wrong number of variables.
func Length(values []float64, cols int) error {
	if len(values) != cols {
		return Bad("%d values, expected %d", len(values), cols)
	}
	return nil
}

// Bad returns the error for a point that is no tree.
func Bad(format string, args ...any) error {
	return fmt.Errorf("formulate: %w: %s", formulate.ErrDecode, fmt.Sprintf(format, args...))
}

// NoStart returns the error for a tree that is no point, with its node and the reason.
func NoStart(node int, format string, args ...any) error {
	return &formulate.NoStartError{Node: node, Reason: fmt.Sprintf(format, args...)}
}
