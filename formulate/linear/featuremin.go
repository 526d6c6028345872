package linear

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/build"
	"github.com/octgen/octgen/mio"
)

// DefaultBox is the default bound on |w_j|, in standardised units, for features that the data do
// not bound. It is a compromise: wdbc, whose classes can be separated, needs 24 features within
// 1000, 23 within 10,000, and has no separating plane within 100. A larger box requires a smaller
// integrality tolerance of the solver.
const DefaultBox = 1000

// featureMin is the shared part of FM and LFM: the variables, the constraints except FM's on the
// error, and the encodings of "w_j is not 0 only if r_j is 1".
type featureMin struct {
	d         *twoSets
	name      string
	enc       formulate.Encoding
	perturbed bool
	eps       float64 // 0 for RLP
	nu        int     // 0 minimises the number of features
	box       float64

	delta float64 // FM: maximum error
	least float64 // FM: minimum error, NaN if unknown

	limited bool    // LFM
	lambda  float64 // LFM, bilinear
	price   float64 // LFM: penalty per feature

	lower, upper []float64 // L_j <= 0 <= U_j of encodings mio and bilinear (p)
	needed       []bool    // w_j cannot be 0 (p), encoding mio
	boxed        []int     // features of the dataset bounded by the box

	model *mio.Model
	cols  fmCols
}

// fmCols holds the first variable of each block.
type fmCols struct {
	plus, minus, gamma, slack, r, absent mio.Col
}

func (f *featureMin) colPlus(jx int) mio.Col   { return f.cols.plus + mio.Col(jx) }
func (f *featureMin) colMinus(jx int) mio.Col  { return f.cols.minus + mio.Col(jx) }
func (f *featureMin) colSlack(i int) mio.Col   { return f.cols.slack + mio.Col(i) }
func (f *featureMin) colR(jx int) mio.Col      { return f.cols.r + mio.Col(jx) }
func (f *featureMin) colAbsent(jx int) mio.Col { return f.cols.absent + mio.Col(jx) }

// direct reports whether the number of features is minimised.
func (f *featureMin) direct() bool { return !f.limited && f.nu == 0 }

func (f *featureMin) build(ctx context.Context, omitNames bool) error {
	var err error
	f.model, err = build.Model(ctx, f.size(), f.name, omitNames, f.fill)
	return err
}

func (f *featureMin) fill(b *mio.Builder) {
	f.columns(b)
	f.productCosts(b)
	if !f.limited {
		f.boundRow(b)
	}
	f.d.errorRows(b, func(jx int, v float64, r mio.Row) {
		b.Add(r, f.colPlus(jx), v)
		b.Add(r, f.colMinus(jx), -v)
	}, f.cols.gamma, f.cols.slack)
	f.countRow(b)
	switch f.enc {
	case formulate.MIO:
		f.bigMRows(b)
	case formulate.Indicator:
		f.indicatorRows(b)
	case SOS1:
		f.sosRows(b)
	}
}

// size returns the closed form of the FM comment.
func (f *featureMin) size() formulate.Size {
	n, p := int64(f.d.n), int64(f.d.p())
	s := formulate.Size{Rows: n + 1, Cols: n + 3*p + 1, Nonzeros: 2*n + 2*(n*p-f.d.zeros) + p}
	if !f.limited {
		s.Add(formulate.Size{Rows: 1, Nonzeros: n})
		if f.perturbed {
			s.Nonzeros += 2 * p
		}
	}
	switch f.enc {
	case formulate.MIO:
		s.Add(formulate.Size{Binaries: p, Rows: 2 * p, Nonzeros: 4 * p})
		for jx := range f.upper {
			if f.upper[jx] == 0 {
				s.Nonzeros--
			}
			if f.lower[jx] == 0 {
				s.Nonzeros--
			}
		}
	case formulate.Indicator:
		s.Add(formulate.Size{Binaries: p, Rows: p, Nonzeros: 2 * p})
	case SOS1:
		s.Add(formulate.Size{Cols: p, Rows: p, Nonzeros: 2 * p})
	}
	return s
}

// columns adds w+, w-, gamma, u, v, r and, in encoding sos1, c = e - r, with the linear objective:
// e.r for FM without a nu, the error for LFM.
func (f *featureMin) columns(b *mio.Builder) {
	d := f.d
	price, size, count := 0.0, 0.0, 0.0
	switch {
	case f.limited:
		price, size, count = 1-f.eps, f.eps, f.price
	case f.direct():
		count = 1
	}
	f.cols.plus = mio.Col(b.NumCols())
	for jx, j := range d.active {
		b.AddCol(size, 0, f.most(f.upper, jx), mio.Continuous, "wp", j+1)
	}
	f.cols.minus = mio.Col(b.NumCols())
	for jx, j := range d.active {
		b.AddCol(size, 0, f.most(f.lower, jx), mio.Continuous, "wm", j+1)
	}
	f.cols.gamma = b.AddCol(0, -mio.Inf, mio.Inf, mio.Continuous, "gamma")
	f.cols.slack = d.slackColumns(b, price)
	f.cols.r = mio.Col(b.NumCols())
	kind := mio.Continuous
	if f.enc == formulate.MIO || f.enc == formulate.Indicator {
		kind = mio.Binary
	}
	for jx, j := range d.active {
		r := b.AddCol(count, 0, 1, kind, "r", j+1)
		if f.needed != nil && f.needed[jx] {
			b.SetColBounds(r, 1, 1)
		}
	}
	f.cols.absent = mio.Col(b.NumCols())
	if f.enc == SOS1 {
		for _, j := range d.active {
			b.AddCol(0, 0, 1, mio.Continuous, "c", j+1)
		}
	}
}

// most returns the upper bound of w+_j, U_j, or of w-_j, -L_j, in encoding bilinear: without one, a
// solver has no relaxation of the product. Those of mio are in bigMRows.
func (f *featureMin) most(of []float64, jx int) float64 {
	if f.enc != formulate.Bilinear {
		return mio.Inf
	}
	return math.Abs(of[jx])
}

// productCosts adds (w+ + w-).(e - r) to the objective, all of (8) and (14), and lambda times it, a
// part of (9), in encoding bilinear.
func (f *featureMin) productCosts(b *mio.Builder) {
	if f.enc != formulate.Bilinear {
		return
	}
	price := 1.0
	if f.limited {
		price = f.lambda
	}
	for jx := range f.d.active {
		for _, w := range [...]mio.Col{f.colPlus(jx), f.colMinus(jx)} {
			b.AddCost(w, price)
			b.AddQuadCost(w, f.colR(jx), -price)
		}
	}
}

// boundRow adds (1-eps) ((1/m) omega.u + (1/k) omega.v) + eps e.(w+ + w-) <= delta, the first
// constraint of (8) (eps = 0) and (14).
func (f *featureMin) boundRow(b *mio.Builder) {
	r := b.AddRow(-mio.Inf, f.delta, "error")
	for i, share := range f.d.share {
		b.Add(r, f.colSlack(i), (1-f.eps)*share)
	}
	if f.perturbed {
		for jx := range f.d.active {
			b.Add(r, f.colPlus(jx), f.eps)
			b.Add(r, f.colMinus(jx), f.eps)
		}
	}
}

// countRow adds 1 <= e.r <= nu, as in (8), (9) and (14); nu = p if there is none. (6) and (12) have
// no minimum number.
func (f *featureMin) countRow(b *mio.Builder) {
	most := f.nu
	if most == 0 {
		most = f.d.p()
	}
	least := 1.0
	if f.price > 0 {
		least = 0
	}
	r := b.AddRow(least, float64(most), "count")
	for jx := range f.d.active {
		b.Add(r, f.colR(jx), 1)
	}
}

// bigMRows adds w+_j <= U_j r_j and w-_j <= -L_j r_j, all j: with r binary, this is (w+ + w-).(e -
// r) = 0 of (6).
func (f *featureMin) bigMRows(b *mio.Builder) {
	for jx, j := range f.d.active {
		r := b.AddRow(-mio.Inf, 0, "plus", j+1)
		b.Add(r, f.colPlus(jx), 1)
		b.Add(r, f.colR(jx), -f.upper[jx])
		r = b.AddRow(-mio.Inf, 0, "minus", j+1)
		b.Add(r, f.colMinus(jx), 1)
		b.Add(r, f.colR(jx), f.lower[jx])
	}
}

// indicatorRows adds r_j = 0 -> w+_j + w-_j <= 0, all j.
func (f *featureMin) indicatorRows(b *mio.Builder) {
	for jx, j := range f.d.active {
		r := b.AddRow(-mio.Inf, 0, "unused", j+1)
		b.Add(r, f.colPlus(jx), 1)
		b.Add(r, f.colMinus(jx), 1)
		b.AddIndicator(r, f.colR(jx), false)
	}
}

// sosRows adds r_j + c_j = 1, and that at most one of w+_j, w-_j and c_j is nonzero, all j.
func (f *featureMin) sosRows(b *mio.Builder) {
	for jx, j := range f.d.active {
		r := b.AddRow(1, 1, "absent", j+1)
		b.Add(r, f.colR(jx), 1)
		b.Add(r, f.colAbsent(jx), 1)
		b.AddSOS(1, fmt.Sprintf("use_%d", j+1), []mio.Col{f.colPlus(jx), f.colMinus(jx), f.colAbsent(jx)}, []float64{1, 2, 3})
	}
}

// defaultsFM sets the default encoding and box.
func defaultsFM(enc formulate.Encoding, box float64) (formulate.Encoding, float64) {
	if enc == "" {
		enc = formulate.MIO
	}
	if box == 0 {
		box = DefaultBox
	}
	return enc, box
}

func checkFM(enc formulate.Encoding, box float64) error {
	switch {
	case !slices.Contains(FMEncodings(), enc):
		return fmt.Errorf("formulate: FM has no encoding %q, only %q", enc, FMEncodings())
	case !(box > 0) || math.IsInf(box, 1):
		return fmt.Errorf("formulate: box is %v, expected a positive finite number", box)
	}
	return nil
}

// separated is the minimum error up to which the classes count as separated, so that delta is 0 and
// not a multiple of an LP solver's rounding error.
const separated = 1e-9

// largestM is the largest useful bound on a weight: solvers accept r_j = 1e-6 as 0.
const largestM = 1e6

// setDelta computes the minimum error and, if none is given, delta.
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
		return fmt.Errorf("formulate: delta is %v, but the minimum error of a linear split is %v", f.delta, f.least)
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
		return separator{}, 0, fmt.Errorf("formulate: the minimum error: %w", err)
	case ctx.Err() != nil:
		return separator{}, 0, ctx.Err()
	case sol.Status != mio.Optimal:
		return separator{}, 0, fmt.Errorf("formulate: the minimum error: the linear program ended with status %s, expected %s", sol.Status, mio.Optimal)
	}
	return separator{sol.Values[cols.w : int(cols.w)+d.p()], sol.Values[cols.gamma]}, sol.Objective, nil
}

// setLimitedBounds sets the bounds of LFM: those of the planes that are no worse than one with nu
// features (with a penalty, no worse than the plane of minimum error with its features) or, without
// lp, than no plane.
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

// only returns the data restricted to the marked features, as input of rlpModel.
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

// setBounds computes L_j and U_j, the minimum and the maximum of w_j over planes with error <=
// level, by two linear programs per feature. They are moved outwards by the tolerance of these.
// Without lp, or if there is no bound or a useless one, level/eps (RLP-P) and the box (RLP) replace
// them.
func (f *featureMin) setBounds(ctx context.Context, lp mio.SolveFunc, level float64) error {
	p := f.d.p()
	f.lower, f.upper = make([]float64, p), make([]float64, p)
	if f.enc == formulate.MIO {
		f.needed = make([]bool, p)
	}
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
		if f.needed != nil {
			f.needed[jx] = lowKnown && low > 0 || highKnown && high < 0
		}
		f.lower[jx], f.upper[jx] = min(low, 0), max(high, 0)
	}
	return nil
}

func (f *featureMin) boundError(j int, err error) error {
	return fmt.Errorf("formulate: the bounds on the weight of feature %q: %w", f.d.ds.Features[j], err)
}

// boundedModel returns RLP or RLP-P with its objective bounded by level.
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

// extreme returns the minimum or the maximum of a variable, moved outwards, and whether it is
// useful; otherwise it returns instead. A plane whose error is at most the model's level must be
// known.
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
		// Infeasible cannot be true, since a plane with that error is known. The presolve of HiGHS
		// 1.10 reports it for programs that are feasible and unbounded.
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

// scope describes the problem of which a proven optimum is the optimum.
func (f *featureMin) scope() string {
	s := "global optimum"
	if box := f.within(); box != "" {
		s = "optimal " + box
	}
	if none := 2 * (1 - f.eps); !f.limited && f.delta >= none {
		s += fmt.Sprintf("; with at least one feature, as in problem (7): without features the error is %.6g, within delta", none)
	}
	return s
}

// within describes the box that the model adds to the problem, "" for none.
func (f *featureMin) within() string {
	if len(f.boxed) == 0 {
		return ""
	}
	return fmt.Sprintf("within the box |w| <= %v (standardised) on %d of %d features", f.box, len(f.boxed), f.d.p())
}

// Encodings specific to linear splits.
const (
	// LinearProgram is the only encoding of RLP and RLP-P.
	LinearProgram formulate.Encoding = "lp"
	// SOS1 lets at most one of a feature's weight and its absence be nonzero.
	SOS1 formulate.Encoding = "sos1"
)

// Needs lists the encodings of rlp, rlp-p, fm and lfm, the default of each form first.
func Needs() []formulate.EncodingNeeds {
	all := []formulate.EncodingNeeds{
		{Form: "rlp", Encoding: LinearProgram},
		{Form: "rlp-p", Encoding: LinearProgram},
	}
	for _, form := range []string{"fm", "lfm"} {
		all = append(all,
			formulate.EncodingNeeds{Form: form, Encoding: formulate.MIO, Discrete: true},
			formulate.EncodingNeeds{Form: form, Encoding: formulate.Bilinear, Quadratic: true},
			formulate.EncodingNeeds{Form: form, Encoding: formulate.Indicator, Discrete: true, Indicator: true},
			formulate.EncodingNeeds{Form: form, Encoding: SOS1, SOS: true},
		)
	}
	return all
}

// FMEncodings lists the encodings of FM and LFM, the default first.
func FMEncodings() []formulate.Encoding {
	return []formulate.Encoding{formulate.MIO, formulate.Bilinear, formulate.Indicator, SOS1}
}
