package formulate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/verify"
)

// DefaultMu is the margin of the paper: the least distance between the sides of
// a hyperplane split on scaled features.
const DefaultMu = 0.005

// minMu is a margin well above the tolerances of solvers, which could otherwise
// put a row on both sides.
const minMu = 1e-5

// OCTHOptions are the parameters of OCT-H. The zero value, with Depth set, is
// the big-M encoding with alpha 0, the paper's margin and no limits.
type OCTHOptions struct {
	Depth     int      // D >= 1
	Alpha     float64  // price of a feature in a split, in units of the baseline error, >= 0
	MinLeaf   float64  // N_min, least training weight of a nonempty leaf, >= 0
	MaxSplits int      // C, most features over all splits (sum of s); 0 means no limit
	Mu        float64  // least margin on scaled features; 0 means DefaultMu
	Encoding  Encoding // BigM (default) or Indicator
	OmitNames bool

	// LP solves the max-margin programs with which Start re-centres splits
	// whose margin is below Mu. Without it such a tree is ErrNoStart.
	LP mio.SolveFunc
}

// OCTHEncodings lists the encodings of OCT-H, the default first.
func OCTHEncodings() []Encoding { return []Encoding{BigM, Indicator} }

// OCTH is the optimal classification tree with hyperplane splits: Bertsimas &
// Dunn (2017), section 4. On features scaled to [0, 1],
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
type OCTH struct {
	opts  OCTHOptions
	model *mio.Model
	tmpl  *tree.Tree

	x          []float64 // (n, active features) scaled
	low, width []float64 // (active features) of the scaling: x' = (x - low)/width

	a, ahat, s, d, b mio.Col // first column of each block
	leafBlock
}

// Validate says which option is out of range, and what would be right.
func (o OCTHOptions) Validate() error {
	base := OCTOptions{Depth: o.Depth, Alpha: o.Alpha, MinLeaf: o.MinLeaf, MaxSplits: o.MaxSplits}
	switch {
	case math.IsNaN(o.Mu) || o.Mu != 0 && o.Mu < minMu || o.Mu > 1:
		return fmt.Errorf("formulate: mu is %v, expected %v to 1, or 0 for %v: solvers let rows be off by 1e-6", o.Mu, minMu, DefaultMu)
	case o.Encoding != "" && !slices.Contains(OCTHEncodings(), o.Encoding):
		return fmt.Errorf("formulate: OCT-H has no encoding %q; it has %q", o.Encoding, OCTHEncodings())
	}
	return base.Validate()
}

// Build formulates OCT-H for ds. Errors as those of OCTOptions.Build.
func (o OCTHOptions) Build(ctx context.Context, ds *dataset.Dataset) (*OCTH, error) {
	f, err := o.prepare(ctx, ds)
	if err != nil {
		return nil, err
	}
	f.model, err = f.Size().build(ctx, "oct-h", o.OmitNames, f.build)
	return f, err
}

func (o OCTHOptions) prepare(ctx context.Context, ds *dataset.Dataset) (*OCTH, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Encoding == "" {
		o.Encoding = BigM
	}
	if o.Mu == 0 {
		o.Mu = DefaultMu
	}
	g, err := newGrid(ctx, ds, o.MinLeaf)
	if err != nil {
		return nil, err
	}
	f := &OCTH{
		opts: o, tmpl: &tree.Tree{Features: ds.Features, Classes: ds.Classes, Encoder: ds.Encoder},
		leafBlock: leafBlock{g: g, depth: o.Depth, minLeaf: g.minLeaf},
	}
	return f, f.scale()
}

func (f *OCTH) scale() error {
	g, p := f.g, len(f.g.active)
	f.low, f.width = make([]float64, p), make([]float64, p)
	f.x = make([]float64, g.n*p)
	for jx, j := range g.active {
		v := g.vals[j]
		f.low[jx], f.width[jx] = v[0], v[len(v)-1]-v[0]
		if math.IsInf(f.width[jx], 0) {
			return fmt.Errorf("formulate: feature %q spans %v to %v, more than can be scaled to [0, 1]", g.ds.Features[j], v[0], v[len(v)-1])
		}
		for i := range g.n {
			f.x[i*p+jx] = (g.ds.At(i, j) - f.low[jx]) / f.width[jx]
		}
	}
	return nil
}

// Model returns the program.
func (f *OCTH) Model() *mio.Model { return f.model }

// Options returns the options with their defaults filled in.
func (f *OCTH) Options() OCTHOptions { return f.opts }

// Bound is OCT.Bound: errors that no tree can avoid.
func (f *OCTH) Bound() float64 { return f.g.bound() }

// Lattice and Imprecise are OCT's.
func (f *OCTH) Lattice() *verify.Lattice {
	most := f.branch() * f.p()
	if f.opts.MaxSplits > 0 {
		most = min(most, f.opts.MaxSplits)
	}
	return f.g.lattice(f.opts.Alpha, most)
}

func (f *OCTH) Imprecise() string { return f.g.imprecise() }

// Objective returns (1/Lhat) error weight + alpha times the number of features
// in all splits of t, on the training data.
func (f *OCTH) Objective(t *tree.Tree) float64 {
	return f.g.objective(t, f.opts.Alpha, t.Terms())
}

// Complexity returns the number of features over all splits of t, the paper's
// sum of s, which MaxSplits bounds.
func (f *OCTH) Complexity(t *tree.Tree) int { return t.Terms() }

func (f *OCTH) p() int                    { return len(f.g.active) }
func (f *OCTH) row(i int) []float64       { return f.x[i*f.p() : (i+1)*f.p()] }
func (f *OCTH) colA(jx, t int) mio.Col    { return f.a + mio.Col((t-1)*f.p()+jx) }
func (f *OCTH) colAhat(jx, t int) mio.Col { return f.ahat + mio.Col((t-1)*f.p()+jx) }
func (f *OCTH) colS(jx, t int) mio.Col    { return f.s + mio.Col((t-1)*f.p()+jx) }
func (f *OCTH) colD(t int) mio.Col        { return f.d + mio.Col(t-1) }
func (f *OCTH) colB(t int) mio.Col        { return f.b + mio.Col(t-1) }

func (f *OCTH) build(b *mio.Builder) {
	f.columns(b)
	f.lossRows(b)
	f.countRows(b)
	f.classRows(b)
	f.sideRows(b)
	f.membershipRows(b)
	f.leafSizeRows(b)
	for t := 1; t <= f.branch(); t++ {
		f.planeRows(b, t)
	}
	f.maxSplitsRow(b)
}

func (f *OCTH) columns(b *mio.Builder) {
	block := func(first *mio.Col, name string, cost, lower float64, typ mio.VarType) {
		*first = mio.Col(b.NumCols())
		for t := 1; t <= f.branch(); t++ {
			for _, j := range f.g.active {
				b.AddCol(cost, lower, 1, typ, name, j+1, t)
			}
		}
	}
	block(&f.a, "a", 0, -1, mio.Continuous)
	block(&f.ahat, "ahat", 0, 0, mio.Continuous)
	block(&f.s, "s", f.opts.Alpha, 0, mio.Binary)
	f.d = mio.Col(b.NumCols())
	for t := 1; t <= f.branch(); t++ {
		b.AddBinary(0, "d", t)
	}
	f.b = mio.Col(b.NumCols())
	for t := 1; t <= f.branch(); t++ {
		b.AddCol(0, -1, 1, mio.Continuous, "b", t)
	}
	f.leafColumns(b)
}

// sideRows, for all i, t in T_L and ancestors m of t:
//
//	a_m.x_i + mu <= b_m + (2 + mu)(1 - z_it)   where t is left of m
//	a_m.x_i      >= b_m - 2 (1 - z_it)         where t is right of m
//
// or, as indicator rows, the same without z where z_it = 1.
func (f *OCTH) sideRows(b *mio.Builder) {
	f.eachAncestor(func(t, m int, left bool) {
		name, lower, upper, bigM := "right", 0.0, mio.Inf, -2.0
		if left {
			name, lower, upper, bigM = "left", -mio.Inf, -f.opts.Mu, 2+f.opts.Mu
		}
		for i := range f.g.n {
			var r mio.Row
			if f.opts.Encoding == Indicator {
				r = b.AddRow(lower, upper, name, i+1, t, m)
				b.AddIndicator(r, f.colZ(i, t), true)
			} else {
				r = b.AddRow(lower+bigM, upper+bigM, name, i+1, t, m)
				b.Add(r, f.colZ(i, t), bigM)
			}
			for jx, x := range f.row(i) {
				if x != 0 {
					b.Add(r, f.colA(jx, m), x)
				}
			}
			b.Add(r, f.colB(m), -1)
		}
	})
}

// planeRows of branch node t: sum_j ahat_j <= d;  ahat_j >= a_j;  ahat_j >= -a_j;
// -s_j <= a_j <= s_j;  s_j <= d;  sum_j s_j >= d;  -d <= b <= d;  d <= d_p(t).
func (f *OCTH) planeRows(b *mio.Builder, t int) {
	two := func(lower, upper float64, name string, jx int, c mio.Col, v float64, d mio.Col, w float64) {
		r := b.AddRow(lower, upper, name, f.g.active[jx]+1, t)
		b.Add(r, c, v)
		b.Add(r, d, w)
	}
	norm := b.AddRow(-mio.Inf, 0, "norm", t)
	some := b.AddRow(0, mio.Inf, "some", t)
	for jx := range f.g.active {
		a, ahat, s := f.colA(jx, t), f.colAhat(jx, t), f.colS(jx, t)
		b.Add(norm, ahat, 1)
		b.Add(some, s, 1)
		two(0, mio.Inf, "abs_up", jx, ahat, 1, a, -1)
		two(0, mio.Inf, "abs_low", jx, ahat, 1, a, 1)
		two(-mio.Inf, 0, "used_up", jx, a, 1, s, -1)
		two(0, mio.Inf, "used_low", jx, a, 1, s, 1)
		two(-mio.Inf, 0, "feature", jx, s, 1, f.colD(t), -1)
	}
	b.Add(norm, f.colD(t), -1)
	b.Add(some, f.colD(t), -1)
	r := b.AddRow(-mio.Inf, 0, "bound_up", t)
	b.Add(r, f.colB(t), 1)
	b.Add(r, f.colD(t), -1)
	r = b.AddRow(0, mio.Inf, "bound_low", t)
	b.Add(r, f.colB(t), 1)
	b.Add(r, f.colD(t), 1)
	if t > 1 {
		r = b.AddRow(-mio.Inf, 0, "parent", t)
		b.Add(r, f.colD(t), 1)
		b.Add(r, f.colD(t/2), -1)
	}
}

// maxSplitsRow: sum_t sum_j s_jt <= C.
func (f *OCTH) maxSplitsRow(b *mio.Builder) {
	if f.opts.MaxSplits == 0 {
		return
	}
	cols := make([]mio.Col, f.branch()*f.p())
	for k := range cols {
		cols[k] = f.s + mio.Col(k)
	}
	addUpTo(b, float64(f.opts.MaxSplits), cols, "max_splits")
}

// Size is the closed form of the OCTH comment, nonzeros included.
func (f *OCTH) Size() Size {
	n, p, br, lv, d := int64(f.g.n), int64(f.p()), int64(f.branch()), int64(f.leaves()), int64(f.opts.Depth)
	s := f.leafSize()
	s.Add(Size{Cols: 3*p + 2, Binaries: p + 1, Rows: 5*p + 4, Nonzeros: 12*p + 6}.Times(int(br)))
	s.Rows += br - 1 + d*lv*n
	nonzero := int64(0)
	for _, x := range f.x {
		if x != 0 {
			nonzero++
		}
	}
	s.Nonzeros += 2*(br-1) + d*lv*(nonzero+2*n)
	if f.opts.Encoding == Indicator {
		s.Nonzeros -= d * lv * n
	}
	if f.opts.MaxSplits > 0 {
		s.Rows++
		s.Nonzeros += br * p
	}
	return s
}

// errMargin says that no hyperplane on the same features keeps the margin.
var errMargin = errors.New("the margin cannot be kept")
