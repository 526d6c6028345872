package problem

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/tree"
)

// Data is training data as all that is run on it in one fit shares it: what is
// laid out once is laid out for all, and a tree that CART has grown once is there for
// all. It is safe for concurrent use.
type Data struct {
	*dataset.Dataset

	once     sync.Mutex
	training *tree.Training

	growing sync.Mutex
	grown   map[cartTree]*cart.Result
}

// cartTree says which tree CART is to grow.
type cartTree struct {
	rows *dataset.Dataset
	o    cart.Options
}

// NewData returns ds, which must not change from now on, to be shared.
func NewData(ds *dataset.Dataset) *Data { return &Data{Dataset: ds} }

// Training is the data merged, in units of weight and sorted, when it is first asked
// for. The cause of ctx's end is the error.
func (d *Data) Training(ctx context.Context) (*tree.Training, error) {
	d.once.Lock()
	defer d.once.Unlock()
	if d.training == nil {
		l, err := tree.NewTraining(ctx, d.Dataset)
		if err != nil {
			return nil, err
		}
		d.training = l
	}
	return d.training, nil
}

// GrowCART is cart.Grow for all that is run on the data: a tree that was grown to its
// end is not grown again. Nobody may change it.
func (d *Data) GrowCART(ctx context.Context, rows *dataset.Dataset, o cart.Options) (*cart.Result, error) {
	d.growing.Lock()
	defer d.growing.Unlock()
	which := cartTree{rows, o}
	if res, ok := d.grown[which]; ok {
		return res, nil
	}
	res, err := cart.Grow(ctx, rows, o)
	if err != nil || res.Stats.Stopped {
		return res, err
	}
	if d.grown == nil {
		d.grown = make(map[cartTree]*cart.Result)
	}
	d.grown[which] = res
	return res, nil
}

// SingleLeaf is an error that wraps formulate.ErrSingleLeaf and says why the single
// leaf is the only tree worth having; nil where it is not.
func (d *Data) SingleLeaf() error {
	if d.Baseline() <= 0 {
		return fmt.Errorf("%w: %s", formulate.ErrSingleLeaf, d.Kind().Trivial())
	}
	return d.Unvarying()
}

// Unvarying is an error that wraps formulate.ErrSingleLeaf where no feature varies.
func (d *Data) Unvarying() error {
	if len(d.Varying()) == 0 {
		return fmt.Errorf("%w: no feature has two different values", formulate.ErrSingleLeaf)
	}
	return nil
}

// Trivial reports whether the single leaf is the only tree worth having: one class,
// or no feature that varies.
func (d *Data) Trivial() bool { return d.SingleLeaf() != nil }

// bound is what the data alone prove of the errors of every tree: rows with equal features
// and different classes force some. In units of the objective of OCT.
func (d *Data) bound() float64 {
	w, _ := d.UnavoidableErrors()
	return w / tree.ErrorScale(d.Dataset)
}

// unbounded is the bound of problems of which the data prove nothing.
func unbounded() float64 { return math.Inf(-1) }
