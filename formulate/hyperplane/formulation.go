// Package hyperplane formulates OCT-H, the optimal classification tree with
// hyperplane splits. See [Formulation] for the mathematics.
package hyperplane

import (
	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/formulate/internal/leaves"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/verify"
)

// Formulation is the optimal classification tree with hyperplane splits (OCT-H):
// Bertsimas & Dunn, Optimal classification trees, Machine Learning 106 (2017),
// section 4. On features scaled to [0, 1], with the notation of oct.Formulation,
//
//	min  (1/Lhat) sum_{t in T_L} L_t + alpha sum_{t in T_B} sum_j s_jt
//	sum_j ahat_jt <= d_t;   ahat_jt >= a_jt;   ahat_jt >= -a_jt
//	-s_jt <= a_jt <= s_jt;  s_jt <= d_t;  sum_j s_jt >= d_t;  -d_t <= b_t <= d_t
//	d_t <= d_p(t)
//	a_m.x_i + mu <= b_m + (2 + mu)(1 - z_it)    all i, t in T_L, m in A_L(t)
//	a_m.x_i >= b_m - 2 (1 - z_it)               all i, t in T_L, m in A_R(t)
//
// with the leaf, class and loss rows of OCT; s, z, l, c, d binary, a, b in
// [-1, 1], ahat >= 0. An OCT optimum need not be feasible here: its splits may
// be closer than mu.
//
// With n merged rows, p features that vary, B branch nodes and T leaves it has
// B (3p + 2) + T (n + 3 + 2K) columns, B (p + 1) + T (n + 1 + K) of them binary,
// and B (5p + 4) + B - 1 + D T n rows beside those of the leaves.
//
// norm(t) is t without splits that leave a side empty of training rows, its
// hyperplanes rescaled to sum_j |a_j| <= 1 and, where their margin is below mu,
// re-centred on the same features. Decode returns data units.
type Formulation struct {
	opts  Options
	model *mio.Model
	g     *grid.Grid

	x          []float64 // (n, active features) scaled
	low, width []float64 // (active features) of the scaling: x' = (x - low)/width

	a, ahat, s, d, b mio.Col // first column of each block
	leaf             leaves.Block
}

// Model returns the program.
func (f *Formulation) Model() *mio.Model { return f.model }

// Options returns the options with their defaults filled in.
func (f *Formulation) Options() Options { return f.opts }

// Bound returns a lower bound on the objective of every tree: the errors that rows
// with equal features and different classes force on any of them.
func (f *Formulation) Bound() float64 { return f.g.Bound() }

// Lattice returns the set of values that the objective can have; nil where the
// weights have no common unit.
func (f *Formulation) Lattice() *verify.Lattice {
	most := f.leaf.Branches() * f.p()
	if f.opts.MaxSplits > 0 {
		most = min(most, f.opts.MaxSplits)
	}
	return f.g.Lattice(f.opts.Alpha, most)
}

// Precision says how well solvers can tell the objectives of trees apart.
func (f *Formulation) Precision() verify.Precision { return f.g.Precision(f.opts.Alpha, true) }

// Objective returns (1/Lhat) error weight + alpha times the number of features
// in all splits of t, on the training data.
func (f *Formulation) Objective(t *tree.Tree) float64 {
	return f.g.Objective(t, f.opts.Alpha, t.Terms())
}

func (f *Formulation) p() int                    { return len(f.g.Active) }
func (f *Formulation) row(i int) []float64       { return f.x[i*f.p() : (i+1)*f.p()] }
func (f *Formulation) colA(jx, t int) mio.Col    { return f.a + mio.Col((t-1)*f.p()+jx) }
func (f *Formulation) colAhat(jx, t int) mio.Col { return f.ahat + mio.Col((t-1)*f.p()+jx) }
func (f *Formulation) colS(jx, t int) mio.Col    { return f.s + mio.Col((t-1)*f.p()+jx) }
func (f *Formulation) colD(t int) mio.Col        { return f.d + mio.Col(t-1) }
func (f *Formulation) colB(t int) mio.Col        { return f.b + mio.Col(t-1) }
