package oct

import (
	"errors"
	"fmt"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/formulate/internal/merged"
	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/formulate/internal/rates"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// constrained is an encoding with the rows of constraints below its own, and columns u_c
// of the source columns that splits use: u_c in [0,1] is as large as the splits make it,
// and costs its price.
type constrained struct {
	encoding
	on     *constraint.On
	places func() *places
	fixed  *heapTree // nil for none

	own   int     // columns of the encoding
	first mio.Col // u of the first of columns
	use   []int   // source columns with a u
	cols  int
}

// placed is an encoding in which every row has its prediction.
type placed interface {
	encoding
	places() *places
}

// lazily is an encoding whose lazy rows come after those of constraints.
type lazily interface{ lazyRows(b *mio.Builder) }

// constrain lays the constraints over an encoding.
func constrain(e placed, g *grid.Grid, on *constraint.On, depth int) (*constrained, error) {
	c := &constrained{encoding: e, on: on, places: e.places}
	if on.MaxFeatures > 0 || on.FeatureCost != nil {
		c.use = rates.UsedColumns(g, on)
	}
	var err error
	c.fixed, err = fixedSplits(g, on, depth)
	return c, err
}

// fixedSplits lays the upper splits that stay over the full tree; nil for none.
func fixedSplits(g *grid.Grid, on *constraint.On, depth int) (*heapTree, error) {
	if on.Fixed == nil {
		return nil, nil
	}
	t := on.Fixed.Collapse(g.DS)
	h := newHeapTree(depth)
	var place func(i, at int) error
	place = func(i, at int) error {
		n := &t.Nodes[i]
		if n.Leaf() {
			return nil
		}
		if !n.Split.IsUnivariate() {
			return errors.New("formulate: a split that stays is of several features, which univariate trees have not")
		}
		if at >= h.leaves() {
			return fmt.Errorf("formulate: the splits that stay are deeper than depth %d", depth)
		}
		j := n.Split.Terms[0].Feature
		h.feature[at], h.threshold[at] = j, g.ThresholdRank(j, n.Split.Threshold)
		if err := place(n.Left, 2*at); err != nil {
			return err
		}
		return place(n.Right, 2*at+1)
	}
	return h, place(0, 1)
}

// allow takes the features that are forbidden out of the grid.
func allow(g *grid.Grid, on *constraint.On) error {
	if on.Forbidden == nil {
		return nil
	}
	var active []int
	for _, j := range g.Active {
		if !on.Forbidden[j] {
			active = append(active, j)
		}
	}
	if g.Active = active; len(active) == 0 {
		return merged.ErrNoFeature
	}
	return nil
}

// colUse is the column u of a source column.
func (c *constrained) colUse(column int) mio.Col {
	for i, of := range c.use {
		if of == column {
			return c.first + mio.Col(i)
		}
	}
	panic("oct: no feature of the column varies")
}

// rows are those of the constraints.
func (c *constrained) rows() []rates.Row {
	use := c.colUse
	if c.use == nil {
		use = nil
	}
	return c.places().constraintRows(c.on, use, c.fixed)
}

func (c *constrained) build(b *mio.Builder) {
	c.encoding.build(b)
	c.own = b.NumCols()
	c.first = mio.Col(c.own)
	for _, column := range c.use {
		price := 0.0
		if c.on.FeatureCost != nil {
			price = c.on.FeatureCost[column]
		}
		b.AddCol(price, 0, 1, mio.Continuous, "u", column+1)
	}
	c.cols = b.NumCols()
	rates.AddRows(b, c.rows())
	if e, ok := c.encoding.(lazily); ok {
		e.lazyRows(b)
	}
}

func (c *constrained) size() formulate.Size {
	s := c.encoding.size()
	s.Cols += int64(len(c.use))
	s.Add(rates.SizeOf(c.rows()))
	return s
}

func (c *constrained) start(h *heapTree) []float64 {
	x := make([]float64, c.cols)
	copy(x, c.encoding.start(h))
	if c.use != nil {
		for t := 1; t < h.leaves(); t++ {
			if j := h.feature[t]; j >= 0 {
				x[c.colUse(c.on.Columns.Of[j])] = 1
			}
		}
	}
	return x
}

func (c *constrained) decode(x []float64) (*heapTree, error) { return c.encoding.decode(x[:c.own]) }

// checkConstraints refuses a tree that does not hold the constraints as a start.
func (f *Formulation) checkConstraints(t *tree.Tree) error {
	if broken := f.on.Broken(t); broken != nil {
		return point.NoStart(0, "%s", broken[0])
	}
	return nil
}
