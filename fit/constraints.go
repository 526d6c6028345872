package fit

import (
	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// constraints are those of a job's method on its training rows.
type constraints struct {
	set      *constraint.Set
	on       *constraint.On // nil for none
	positive string         // class whose rates fairness compares
}

// heldOn are the rows on which a tuned tree holds the constraints, and those that it was
// chosen by.
type heldOn struct {
	on         *constraint.On
	validation *dataset.Dataset
}

// holds reports whether t keeps the constraints on the training rows.
func (c *constraints) holds(t *tree.Tree) bool { return c.on == nil || c.on.Broken(t) == nil }
