package oct

import (
	"errors"
	"fmt"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/formulate/internal/merged"
	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/formulate/internal/rates"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// constrained is an encoding extended by constraints on trees, and by variables u_c for the source
// columns that splits use: u_c in [0,1] is at least the splits' use, and carries the column's
// price.
type constrained struct {
	encoding
	on     *constraint.On
	places func() *places
	fixed  *heapTree // nil for none

	own   int     // variables of the encoding
	first mio.Col // u of the first of columns
	use   []int   // source columns with a u
	cols  int
}

// placed is an encoding in which every row has its prediction.
type placed interface {
	encoding
	places() *places
}

// lazily is an encoding whose lazy constraints come after the constraints on trees.
type lazily interface{ lazyRows(b *mio.Builder) }

// constrain adds the constraints to an encoding.
func constrain(e placed, g *grid.Grid, on *constraint.On, depth int) (*constrained, error) {
	if g.N*g.K > dataset.MostCosts {
		return nil, fmt.Errorf("formulate: constraints on the predictions of %d rows of %d classes need %d terms, the maximum is %d; use fewer rows or classes", g.N, g.K, g.N*g.K, dataset.MostCosts)
	}
	c := &constrained{encoding: e, on: on, places: e.places}
	if on.MaxFeatures > 0 || on.FeatureCost != nil {
		c.use = rates.UsedColumns(g, on)
	}
	var err error
	c.fixed, err = fixedSplits(g, on, depth)
	return c, err
}

// fixedSplits lays the fixed upper splits over the full tree; nil for none.
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
			return errors.New("formulate: a fixed split uses several features, but the trees are univariate")
		}
		if at >= h.leaves() {
			return fmt.Errorf("formulate: the fixed splits are deeper than depth %d", depth)
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

// allow removes the forbidden features from the grid.
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

// colUse returns the variable u of a source column.
func (c *constrained) colUse(column int) mio.Col {
	for i, of := range c.use {
		if of == column {
			return c.first + mio.Col(i)
		}
	}
	panic("oct: all features of the column are constant")
}

// rows returns the constraints.
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

// checkConstraints returns an error for a warm start that violates the constraints.
func (f *Formulation) checkConstraints(t *tree.Tree) error {
	if broken := f.on.Broken(t); broken != nil {
		return point.NoStart(0, "%s", broken[0])
	}
	return nil
}

// places locates in a model what constraints refer to. For units u of rows with one prediction,
// nodes t that may predict, and classes k:
//
//	q_ukt   unit u is at t, which predicts k; sum_kt q_ukt = 1
//	c_kt    t predicts k; at most one k of each t
//	a_jt    branch node t splits on feature j, as the sum of some columns
//
// If c and all splits are integral, q is integral as well (q_ukt <= c_kt, sum_k q_ukt = z_ut, the
// routing constraints on z), and sum_t q_ukt is the prediction of u: every row is counted.
type places struct {
	predictions rates.Predictions
	branches    int // branch nodes are 1..branches, in heap order

	label  func(k, t int) mio.Col
	splits func(t, j int) []mio.Col
	fixed  func(t, j, rank int) []rates.Term // terms that make t split on j at the threshold of that rank
}

// newPlaces returns the places of a model of these units, whose variables q_ukt are at pred, of a
// tree with the given branch nodes.
func newPlaces(g *grid.Grid, units grid.Groups, branches int, pred func(u, k, t int) mio.Col) *places {
	at := func(u, k, t int) (mio.Col, bool) { return pred(u, k, t), true }
	return &places{predictions: rates.Predictions{Grid: g, Units: units, At: at}, branches: branches}
}

// constraintRows returns the constraints; used gives the variable u_c of each source column, if
// they need it.
func (p *places) constraintRows(on *constraint.On, used func(column int) mio.Col, fixed *heapTree) []rates.Row {
	rows := append(p.predictions.RateRows(on), p.predictions.PurityRows(on)...)
	rows = append(rows, p.featureRows(on, used)...)
	rows = append(rows, p.fixedRows(fixed)...)
	return append(rows, p.monotoneRows(on)...)
}

// featureRows returns u_c >= sum over the features j of column c of a_jt at all branch nodes t, and
// sum_c u_c <= F.
func (p *places) featureRows(on *constraint.On, used func(int) mio.Col) []rates.Row {
	if used == nil {
		return nil
	}
	var rows []rates.Row
	columns := rates.UsedColumns(p.predictions.Grid, on)
	for _, c := range columns {
		for t := 1; t <= p.branches; t++ {
			r := rates.Row{Lower: -mio.Inf, Name: "uses", Index: []int{c + 1, t}}
			for _, j := range p.predictions.Grid.Active {
				if on.Columns.Of[j] == c {
					for _, a := range p.splits(t, j) {
						r.Add(a, 1)
					}
				}
			}
			r.Add(used(c), -1)
			rows = append(rows, r)
		}
	}
	if on.MaxFeatures > 0 {
		r := rates.Row{Lower: -mio.Inf, Upper: float64(on.MaxFeatures), Name: "max_features"}
		for _, c := range columns {
			r.Add(used(c), 1)
		}
		rows = append(rows, r)
	}
	return rows
}

// fixedRows returns the constraints for fixed splits.
func (p *places) fixedRows(h *heapTree) []rates.Row {
	if h == nil {
		return nil
	}
	var rows []rates.Row
	for t := 1; t <= p.branches; t++ {
		if h.feature[t] < 0 {
			continue
		}
		for n, f := range p.fixed(t, h.feature[t], h.threshold[t]) {
			rows = append(rows, rates.Row{Lower: f.Value, Upper: f.Value, Name: "fixed", Index: []int{t, n + 1}, Terms: []rates.Term{{Col: f.Col, Value: 1}}})
		}
	}
	return rows
}

// monotoneRows returns the constraints that if branch node t splits on a feature of sign +1, no
// node l on its left has a class of rank v or more while a node r on its right has one below v,
//
//	sum_{k: rank >= v} c_kl + sum_{k: rank < v} c_kr + sum_{j of sign +1} a_jt <= 2
//
// for all t, l, r and v = 1..K-1; for sign -1 with l and r exchanged.
func (p *places) monotoneRows(on *constraint.On) []rates.Row {
	var rows []rates.Row
	for t := 1; t <= p.branches && on.Monotone != nil; t++ {
		for _, sign := range []int8{1, -1} {
			var splits []mio.Col
			for _, j := range p.predictions.Grid.Active {
				if on.Monotone[j] == sign {
					splits = append(splits, p.splits(t, j)...)
				}
			}
			if splits == nil {
				continue
			}
			higher, lower := p.below(2*t+1), p.below(2*t)
			if sign < 0 {
				higher, lower = lower, higher
			}
			for _, l := range lower {
				for _, h := range higher {
					for v := 1; v < p.predictions.Grid.K; v++ {
						r := rates.Row{Lower: -mio.Inf, Upper: 2, Name: "order", Index: []int{t, l, h, v}}
						for k, rank := range on.Rank {
							if rank >= v {
								r.Add(p.label(k, l), 1)
							} else {
								r.Add(p.label(k, h), 1)
							}
						}
						for _, a := range splits {
							r.Add(a, 1)
						}
						rows = append(rows, r)
					}
				}
			}
		}
	}
	return rows
}

// below returns the nodes that may predict at and below node m.
func (p *places) below(m int) []int {
	var all []int
	for _, t := range p.predictions.Nodes {
		at := t
		for at > m {
			at /= 2
		}
		if at == m {
			all = append(all, t)
		}
	}
	return all
}
