package hyperplane

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/formulate/internal/rates"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// constrained is an encoding of margin all with the prediction of every row, correct or not, and
// with constraints on trees:
//
//	q_ukt in [0,1]   unit u is in leaf t, whose class is k
//	v_c in {0,1}     some split uses source column c
//
//	sum_k q_ukt = w_ut;  q_ukt <= c_kt    all u, k, t in T_L
//	ahat_jt <= v_c                        all t in T_B and features j of c
//	sum_c v_c <= F
//
// where w_ut is 1 if unit u is in leaf t, and c are the labels of the encoding. Both are integral,
// so that sum_t q_ukt is the prediction of u. If label order makes the labels of two classes
// constants, q_ukt is w_ut for the label of t and 0 for the other, and is omitted.
//
// Label order and the one row of soct remain valid: every tree has a point that satisfies them, by
// swaps and by merging sibling leaves of one label, which changes no prediction, makes no leaf less
// pure, and uses no additional column. Fixed splits exclude swaps and merges of leaves: with them
// there is no one row, and if they reach the last level, no label order.
type constrained struct {
	encoding
	on      *constraint.On
	members members

	own   int     // variables of the encoding
	q     mio.Col // the first of the block, if it exists
	first mio.Col // v of the first of use
	use   []int   // source columns with a v
	cols  int
}

// members locates the leaves and splits of an encoding.
type members struct {
	*frame
	units grid.Groups
	in    func(u, t int) mio.Col  // unit u is in leaf t
	label func(k, t int) mio.Col  // leaf t has class k; nil if labels are constants
	only  func(t int) (class int) // the constant label
	size  func(jx, t int) mio.Col // ahat of feature jx at branch node t
}

// placed is an encoding in which every row has a leaf.
type placed interface {
	encoding
	members() members
}

// constrain adds the constraints to an encoding.
func constrain(e placed, on *constraint.On) *constrained {
	c := &constrained{encoding: e, on: on, members: e.members()}
	if on.MaxFeatures > 0 || on.FeatureCost != nil {
		c.use = rates.UsedColumns(c.members.g, on)
	}
	return c
}

// colQ returns q_ukt; ok is false if leaf t cannot have class k.
func (c *constrained) colQ(u, k, t int) (col mio.Col, ok bool) {
	m := &c.members
	if m.label == nil {
		return m.in(u, t), m.only(t) == k
	}
	return c.q + mio.Col(((t-m.leaves())*m.units.Len()+u)*m.g.K+k), true
}

// colUse returns v of a source column.
func (c *constrained) colUse(column int) mio.Col {
	return c.first + mio.Col(slices.Index(c.use, column))
}

func (c *constrained) build(b *mio.Builder) {
	c.encoding.build(b)
	m := &c.members
	c.own = b.NumCols()
	c.q = mio.Col(c.own)
	for t := m.leaves(); t < 2*m.leaves() && m.label != nil; t++ {
		for u := range m.units.Len() {
			for k := range m.g.K {
				b.AddCol(0, 0, 1, mio.Continuous, "q", u+1, k+1, t)
			}
		}
	}
	c.first = mio.Col(b.NumCols())
	for _, column := range c.use {
		price := 0.0
		if c.on.FeatureCost != nil {
			price = c.on.FeatureCost[column]
		}
		b.AddBinary(price, "v", column+1)
	}
	c.cols = b.NumCols()
	c.predictedRows(b)
	c.useRows(b)
	rates.AddRows(b, c.rows())
}

// predictedRows adds sum_k q_ukt = w_ut and q_ukt <= c_kt, all u, k and leaves t.
func (c *constrained) predictedRows(b *mio.Builder) {
	m := &c.members
	for t := m.leaves(); t < 2*m.leaves() && m.label != nil; t++ {
		for u := range m.units.Len() {
			all := b.AddRow(0, 0, "predicted", u+1, t)
			b.Add(all, m.in(u, t), -1)
			for k := range m.g.K {
				q, _ := c.colQ(u, k, t)
				b.Add(all, q, 1)
				r := b.AddRow(-mio.Inf, 0, "as_label", u+1, k+1, t)
				b.Add(r, q, 1)
				b.Add(r, m.label(k, t), -1)
			}
		}
	}
}

// useRows adds ahat_jt <= v_c, all branch nodes t and features j of the columns c, and sum_c v_c <=
// F.
func (c *constrained) useRows(b *mio.Builder) {
	if c.use == nil {
		return
	}
	m := &c.members
	for t := 1; t <= m.branches(); t++ {
		for jx, j := range m.g.Active {
			r := b.AddRow(-mio.Inf, 0, "uses", j+1, t)
			b.Add(r, m.size(jx, t), 1)
			b.Add(r, c.colUse(c.on.Columns.Of[j]), -1)
		}
	}
	if c.on.MaxFeatures > 0 {
		r := b.AddRow(-mio.Inf, float64(c.on.MaxFeatures), "max_features")
		for _, column := range c.use {
			b.Add(r, c.colUse(column), 1)
		}
	}
}

// rows returns the constraints on rates, purity and fixed splits.
func (c *constrained) rows() []rates.Row {
	m := &c.members
	p := rates.Predictions{Grid: m.g, Units: m.units, At: c.colQ}
	for t := m.leaves(); t < 2*m.leaves(); t++ {
		p.Nodes = append(p.Nodes, t)
	}
	return slices.Concat(p.RateRows(c.on), p.PurityRows(c.on), c.fixedRows())
}

// fixedRows returns, for the nodes t with a fixed split and features j that it does not use,
//
//	ahat_jt = 0
//
// and, for all units u, which the fixed splits send to node r,
//
//	sum of w_ut over the leaves t below r = 1
//
// so that every split on the path sends u to the correct side.
func (c *constrained) fixedRows() []rates.Row {
	m, x := &c.members, c.members.stays
	if x == nil {
		return nil
	}
	var rows []rates.Row
	for t := 1; t <= m.branches(); t++ {
		for jx, uses := range x.features[t] {
			if !uses {
				rows = append(rows, rates.Row{Name: "fixed", Index: []int{m.g.Active[jx] + 1, t}, Terms: []rates.Term{{Col: m.size(jx, t), Value: 1}}})
			}
		}
	}
	for u := range m.units.Len() {
		r := rates.Row{Lower: 1, Upper: 1, Name: "stays", Index: []int{u + 1}}
		first, last := x.at[m.units.First(u)], x.at[m.units.First(u)]
		for first < m.leaves() {
			first, last = 2*first, 2*last+1
		}
		for t := first; t <= last; t++ {
			r.Add(m.in(u, t), 1)
		}
		rows = append(rows, r)
	}
	return rows
}

// size adds, with U units, K classes, T leaves and p non-constant features, T U K variables and T U
// (1 + K) constraints for predictions, a variable for each source column with B p constraints for
// its use, and the constraints on trees.
func (c *constrained) size() formulate.Size {
	m := &c.members
	s := c.encoding.size()
	if m.label != nil {
		u, k := int64(m.units.Len()), int64(m.g.K)
		s.Add(formulate.Size{Cols: u * k, Rows: u * (1 + k), Nonzeros: u * (1 + 3*k)}.Times(m.leaves()))
	}
	if uses := int64(len(c.use)); uses > 0 {
		rows := int64(m.branches() * m.p())
		s.Add(formulate.Size{Cols: uses, Binaries: uses, Rows: rows, Nonzeros: 2 * rows})
		if c.on.MaxFeatures > 0 {
			s.Add(formulate.Size{Rows: 1, Nonzeros: uses})
		}
	}
	s.Add(rates.SizeOf(c.rows()))
	return s
}

func (c *constrained) start(h *heapTree) []float64 {
	m := &c.members
	x := make([]float64, c.cols)
	copy(x, c.encoding.start(h)) // this normalises h
	for u := range m.units.Len() {
		t := h.at[m.units.First(u)]
		if q, ok := c.colQ(u, int(h.label[t]), t); ok && m.label != nil {
			x[q] = 1
		}
	}
	for _, pl := range h.planes {
		if pl == nil || c.use == nil {
			continue
		}
		for jx, a := range pl.a {
			if a != 0 {
				x[c.colUse(c.on.Columns.Of[m.g.Active[jx]])] = 1
			}
		}
	}
	return x
}

// decode reads the point of the encoding, with a_j = 0 for columns that are not used. A leaf with
// rows has one label.
func (c *constrained) decode(x []float64) (*solution, error) {
	s, err := c.encoding.decode(x[:c.own])
	if err != nil {
		return nil, err
	}
	for _, column := range c.use {
		used, err := point.Binary(x[c.colUse(column)], "v", column+1)
		if err != nil {
			return nil, err
		}
		for _, pl := range s.planes {
			for jx, j := range c.members.g.Active {
				if pl != nil && !used && c.on.Columns.Of[j] == column {
					pl.a[jx] = 0
				}
			}
		}
	}
	s.labelled = true
	return s, nil
}

// checkConstraints returns an error for a warm start that violates the constraints.
func (f *Formulation) checkConstraints(t *tree.Tree) error {
	if broken := f.on.Broken(t); broken != nil {
		return point.NoStart(0, "%s", broken[0])
	}
	return nil
}

// layFixed lays the fixed splits over the full tree; nil for none. It returns an error for a split
// that no hyperplane on its features can reproduce with the margin.
func (o Options) layFixed(ctx context.Context, d *Data, on *constraint.On) (*fixed, error) {
	if on.Fixed == nil {
		return nil, nil
	}
	t := on.Fixed.Collapse(d.g.DS)
	if t.Splits() == 0 {
		return nil, nil
	}
	x := &fixed{features: make([][]bool, 1<<o.Depth), levels: t.Depth(), at: make([]int, d.g.N)}
	if x.levels > o.Depth {
		return nil, fmt.Errorf("formulate: the fixed splits have %d levels, but the maximum depth is %d", x.levels, o.Depth)
	}
	said := t.Conditions(tree.Format{})
	var place func(i, at int, rows []int) error
	place = func(i, at int, rows []int) error {
		n := &t.Nodes[i]
		if n.Leaf() {
			for _, row := range rows {
				x.at[row] = at
			}
			return nil
		}
		x.features[at] = make([]bool, d.p())
		for jx, j := range d.g.Active {
			x.features[at][jx] = slices.ContainsFunc(n.Split.Terms, func(t tree.Term) bool { return t.Feature == j })
		}
		left, right := d.divided(n.Split, rows)
		if err := o.keepsMargin(ctx, d, n.Split, said[i].Text, left, right); err != nil {
			return err
		}
		if err := place(n.Left, 2*at, left); err != nil {
			return err
		}
		return place(n.Right, 2*at+1, right)
	}
	all := make([]int, d.g.N)
	for i := range all {
		all[i] = i
	}
	return x, place(0, 1, all)
}

// keepsMargin returns an error for a fixed split if no hyperplane on its features has the margin
// between its rows. Without linear programs, it can only decide this for univariate splits.
func (o Options) keepsMargin(ctx context.Context, d *Data, s *tree.Split, said string, left, right []int) error {
	_, err := d.fitPlane(ctx, o.LP, s, left, right)
	switch {
	case err == nil || o.LP == nil && len(s.Terms) > 1:
		return nil
	case !errors.Is(err, errMargin):
		return err
	}
	most := ""
	if pl, ok := d.scaled(s); ok && len(s.Terms) == 1 {
		below, above := d.sides(pl.a, left, right)
		most = fmt.Sprintf("; the maximum is %.3g (use --mu)", above-below)
	}
	return fmt.Errorf("formulate: the fixed split %s does not separate its rows with the margin %v on scaled features%s: %w", said, d.mu, most, err)
}
