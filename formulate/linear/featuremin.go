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

// DefaultBox is the bound on |w_j|, in standardised units, of the features for
// which the data give none. No box is free: wdbc, whose classes can be separated,
// needs 24 features within 1000, 23 within 10,000, and has no separating plane
// within 100. A larger one asks more of a solver's integrality tolerance.
const DefaultBox = 1000

// featureMin is what FM and LFM share: the columns, the rows but for FM's on the
// error, and the encodings of "w_j is not 0 only if r_j is 1".
type featureMin struct {
	d         *twoSets
	name      string
	enc       formulate.Encoding
	perturbed bool
	eps       float64 // 0 for RLP
	nu        int     // 0 minimises the number of features
	box       float64

	delta float64 // FM: most error
	least float64 // FM: least error, NaN where not known

	limited bool    // LFM
	lambda  float64 // LFM, bilinear
	price   float64 // LFM: of a feature

	lower, upper []float64 // L_j <= 0 <= U_j of encoding mio (p)
	needed       []bool    // w_j cannot be 0 (p), encoding mio
	boxed        []int     // features of the dataset

	model *mio.Model
	cols  fmCols
}

// fmCols are the columns, each the first of its block.
type fmCols struct {
	plus, minus, gamma, slack, r, absent mio.Col
}

func (f *featureMin) colPlus(jx int) mio.Col   { return f.cols.plus + mio.Col(jx) }
func (f *featureMin) colMinus(jx int) mio.Col  { return f.cols.minus + mio.Col(jx) }
func (f *featureMin) colSlack(i int) mio.Col   { return f.cols.slack + mio.Col(i) }
func (f *featureMin) colR(jx int) mio.Col      { return f.cols.r + mio.Col(jx) }
func (f *featureMin) colAbsent(jx int) mio.Col { return f.cols.absent + mio.Col(jx) }

// direct says that the number of features is minimised.
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

// size is the closed form of the FM comment.
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

// columns adds w+, w-, gamma, u, v, r and, in encoding sos1, c = e - r, with the
// linear objective: e.r for FM without a nu, the error for LFM.
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
	for _, j := range d.active {
		b.AddCol(size, 0, mio.Inf, mio.Continuous, "wp", j+1)
	}
	f.cols.minus = mio.Col(b.NumCols())
	for _, j := range d.active {
		b.AddCol(size, 0, mio.Inf, mio.Continuous, "wm", j+1)
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

// productCosts adds (w+ + w-).(e - r) to the objective, the whole of (8) and
// (14), and lambda times it, a part of (9), in encoding bilinear.
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

// boundRow: (1-eps) ((1/m) omega.u + (1/k) omega.v) + eps e.(w+ + w-) <= delta,
// the first row of (8) (eps = 0) and (14).
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

// countRow: 1 <= e.r <= nu, as in (8), (9) and (14); nu = p where there is none. (6)
// and (12) have no least number.
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

// bigMRows: w+_j <= U_j r_j and w-_j <= -L_j r_j, all j: with r binary, what
// (w+ + w-).(e - r) = 0 in (6) says.
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

// indicatorRows: r_j = 0 -> w+_j + w-_j <= 0, all j.
func (f *featureMin) indicatorRows(b *mio.Builder) {
	for jx, j := range f.d.active {
		r := b.AddRow(-mio.Inf, 0, "unused", j+1)
		b.Add(r, f.colPlus(jx), 1)
		b.Add(r, f.colMinus(jx), 1)
		b.AddIndicator(r, f.colR(jx), false)
	}
}

// sosRows: r_j + c_j = 1, and at most one of w+_j, w-_j and c_j is not 0, all j.
func (f *featureMin) sosRows(b *mio.Builder) {
	for jx, j := range f.d.active {
		r := b.AddRow(1, 1, "absent", j+1)
		b.Add(r, f.colR(jx), 1)
		b.Add(r, f.colAbsent(jx), 1)
		b.AddSOS(1, fmt.Sprintf("use_%d", j+1), []mio.Col{f.colPlus(jx), f.colMinus(jx), f.colAbsent(jx)}, []float64{1, 2, 3})
	}
}

// defaultsFM fills in the encoding and the box.
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
		return fmt.Errorf("formulate: FM has no encoding %q; it has %q", enc, FMEncodings())
	case !(box > 0) || math.IsInf(box, 1):
		return fmt.Errorf("formulate: box is %v, expected a positive finite number", box)
	}
	return nil
}
