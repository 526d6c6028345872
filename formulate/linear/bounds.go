package linear

import (
	"context"
	"fmt"
	"math"

	"github.com/octgen/octgen/mio"
)

// separated is the least error up to which the classes count as separated, so
// that delta is 0 and not a multiple of an LP solver's rounding.
const separated = 1e-9

// largestM is the largest bound on a weight that a solver can make use of:
// r_j = 1e-6 passes for 0.
const largestM = 1e6

// setDelta finds the least error and, where none is given, delta.
func (f *featureMin) setDelta(ctx context.Context, lp mio.SolveFunc, slack float64) error {
	if lp == nil {
		return nil
	}
	_, least, err := f.leastError(ctx, lp, f.d)
	if err != nil {
		return err
	}
	f.least = least
	if least <= separated {
		f.least = 0
	}
	switch {
	case f.delta == 0:
		f.delta = slack * f.least
	case f.delta < f.least-1e-7:
		return fmt.Errorf("formulate: delta is %v, but the least error of a linear split is %v", f.delta, f.least)
	}
	return nil
}

// leastError solves RLP or RLP-P on d.
func (f *featureMin) leastError(ctx context.Context, lp mio.SolveFunc, d *twoSets) (separator, float64, error) {
	m, cols, err := d.rlpModel(ctx, RLPOptions{Perturbed: f.perturbed, Eps: f.eps, OmitNames: true})
	if err != nil {
		return separator{}, 0, err
	}
	sol, err := lp(ctx, m)
	switch {
	case err != nil:
		return separator{}, 0, fmt.Errorf("formulate: the least error: %w", err)
	case ctx.Err() != nil:
		return separator{}, 0, ctx.Err()
	case sol.Status != mio.Optimal:
		return separator{}, 0, fmt.Errorf("formulate: the least error: the linear program ended with status %s, expected %s", sol.Status, mio.Optimal)
	}
	return separator{sol.Values[cols.w : int(cols.w)+d.p()], sol.Values[cols.gamma]}, sol.Objective, nil
}

// setLimitedBounds sets the bounds of LFM: those of the planes that are no worse
// than one with nu features (with a price, than what the least error costs with its
// features), or, without lp, than no plane.
func (f *featureMin) setLimitedBounds(ctx context.Context, lp mio.SolveFunc) error {
	if lp == nil {
		return f.setBounds(ctx, nil, trivialError(f.eps))
	}
	pl, least, err := f.leastError(ctx, lp, f.d)
	if err != nil {
		return err
	}
	if f.price > 0 && (f.nu == 0 || pl.features() <= f.nu) {
		cost := least + f.price*float64(pl.features())
		return f.setBounds(ctx, lp, min(cost*(1+1e-6)+1e-7, trivialError(f.eps)))
	}
	if f.price > 0 { // with nu features it costs no more than this
		return f.setBounds(ctx, lp, trivialError(f.eps))
	}
	_, level, err := f.leastError(ctx, lp, f.d.only(pl.largest(f.nu)))
	if err != nil {
		return err
	}
	return f.setBounds(ctx, lp, min(level*(1+1e-6)+1e-7, trivialError(f.eps)))
}

// only returns the data with the marked features, for use as input of rlpModel.
func (d *twoSets) only(mark []bool) *twoSets {
	sub := &twoSets{scaler: d.scaler, n: d.n, nA: d.nA, share: d.share}
	for jx, j := range d.active {
		if mark[jx] {
			sub.active = append(sub.active, j)
		}
	}
	for i := range d.n {
		for jx, x := range d.row(i) {
			if mark[jx] {
				sub.x = append(sub.x, x)
			}
		}
	}
	return sub
}

// setBounds finds L_j and U_j, the least and the largest w_j of planes with
// error <= level, by two linear programs per feature. They are moved outwards by
// the tolerance of these. Without lp, or where there is no bound or a useless
// one, level/eps (RLP-P) and the box (RLP) take their place.
func (f *featureMin) setBounds(ctx context.Context, lp mio.SolveFunc, level float64) error {
	p := f.d.p()
	f.lower, f.upper, f.needed = make([]float64, p), make([]float64, p), make([]bool, p)
	known := f.box
	if f.perturbed {
		known = level / f.eps
	}
	var m *mio.Model
	var cols rlpCols
	if lp != nil {
		var err error
		if m, cols, err = f.boundedModel(level); err != nil {
			return err
		}
	}
	for jx, j := range f.d.active {
		low, high := -known, known
		lowKnown, highKnown := f.perturbed, f.perturbed
		if lp != nil {
			var err error
			if low, lowKnown, err = extreme(ctx, lp, m, cols.w+mio.Col(jx), mio.Minimize, -known); err != nil {
				return f.boundError(j, err)
			}
			if high, highKnown, err = extreme(ctx, lp, m, cols.w+mio.Col(jx), mio.Maximize, known); err != nil {
				return f.boundError(j, err)
			}
			lowKnown, highKnown = lowKnown || f.perturbed, highKnown || f.perturbed
		}
		if !lowKnown || !highKnown {
			f.boxed = append(f.boxed, j)
		}
		f.needed[jx] = lowKnown && low > 0 || highKnown && high < 0
		f.lower[jx], f.upper[jx] = min(low, 0), max(high, 0)
	}
	return nil
}

func (f *featureMin) boundError(j int, err error) error {
	return fmt.Errorf("formulate: the bounds on the weight of feature %q: %w", f.d.ds.Features[j], err)
}

// boundedModel is RLP or RLP-P with its objective at most level.
func (f *featureMin) boundedModel(level float64) (*mio.Model, rlpCols, error) {
	d, o := f.d, RLPOptions{Perturbed: f.perturbed, Eps: f.eps}
	b := mio.NewBuilder("bounds")
	b.OmitNames()
	size := d.rlpSize(o)
	b.Reserve(int(size.Cols), int(size.Rows)+1, int(size.Nonzeros)+d.n+d.p())
	c := d.rlpColumns(b, o)
	d.errorRows(b, func(jx int, v float64, r mio.Row) { b.Add(r, c.w+mio.Col(jx), v) }, c.gamma, c.slack)
	r := b.AddRow(-mio.Inf, level, "error")
	for i, share := range d.share {
		b.Add(r, c.slack+mio.Col(i), (1-f.eps)*share)
	}
	if f.perturbed {
		d.sizeRows(b, c)
		for jx := range d.active {
			b.Add(r, c.s+mio.Col(jx), f.eps)
		}
	}
	m, err := b.Model()
	return m, c, err
}

// extreme returns the least or the largest value of a column, moved outwards,
// and whether there is a useful one; else it returns instead. A plane whose error is
// at most the model's level is known.
func extreme(ctx context.Context, lp mio.SolveFunc, m *mio.Model, c mio.Col, sense mio.Sense, instead float64) (float64, bool, error) {
	cost := make([]float64, m.NumCols())
	cost[c] = 1
	sol, err := lp(ctx, m.WithCost(sense, 0, cost))
	if err != nil {
		return 0, false, err
	}
	if err := ctx.Err(); err != nil {
		return 0, false, err
	}
	if sol.Status != mio.Optimal {
		// Infeasible is no truth: a plane of that error is known. The presolve of HiGHS
		// 1.10 says so of programs that are feasible and unbounded.
		return instead, false, nil
	}
	v := sol.Objective
	if math.Abs(v) > largestM {
		return instead, false, nil
	}
	margin := 1e-6 * (1 + math.Abs(v))
	if sense == mio.Minimize {
		margin = -margin
	}
	return v + margin, true, nil
}

// scope says of what a proven optimum is the optimum.
func (f *featureMin) scope() string {
	s := "global optimum"
	if box := f.within(); box != "" {
		s = "optimal " + box
	}
	if none := 2 * (1 - f.eps); !f.limited && f.delta >= none {
		s += fmt.Sprintf("; of one feature or more, as problem (7) asks: without any the error is %.6g, within delta", none)
	}
	return s
}

// within says which box the model adds to the problem, "" where it adds none.
func (f *featureMin) within() string {
	if len(f.boxed) == 0 {
		return ""
	}
	return fmt.Sprintf("within the box |w| <= %v (standardised) on %d of %d features", f.box, len(f.boxed), f.d.p())
}
