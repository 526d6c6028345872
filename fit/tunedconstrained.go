package fit

import (
	"errors"
	"math"
	"slices"
)

// Tuning under constraints: they hold on the rows that trees are fitted to, the training
// part of the division and, where the tree is fitted once more, all rows. On the
// validation part they are counted, not asked for.

// errNone says that no tree of a path holds the constraints.
var errNone = errors.New("no tree holds the constraints")

// bind binds the constraints to the rows of t.train, and says what is left out there but
// not of all rows.
func (t *tuning) bind() error {
	whole := &t.job.constrained
	t.held = *whole
	if whole.on == nil || t.train == t.job.data.Dataset {
		return nil
	}
	var err error
	if t.held.on, err = whole.set.On(t.train); err != nil {
		return badInput(err)
	}
	for _, w := range t.held.on.Warnings {
		if !slices.Contains(whole.on.Warnings, w) {
			t.warn("of the training part: " + w)
		}
	}
	return nil
}

// leastConstant is the least error weight of a constant tree that competes, +Inf for none.
func (t *tuning) leastConstant() float64 {
	if t.held.on == nil {
		return t.pool.scale
	}
	least := math.Inf(1)
	for _, c := range t.pool.all {
		if c.complexity == 0 {
			least = min(least, c.errors)
		}
	}
	return least
}

// where names the rows of t.train.
func (t *tuning) where() string {
	if t.train == t.job.data.Dataset {
		return "all training rows"
	}
	return "the training part"
}
