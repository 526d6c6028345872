package linear

import (
	"math"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/tree"
)

// Tolerances on FM's bound on the error: warm starts satisfy the bound; points of solvers may
// exceed it by the sum of the feasibility tolerances 1e-6 on its own constraint, on the constraints
// of u and v, and on their bounds.
const (
	startTolerance = 1e-9
	pointTolerance = 5e-6
)

// norm returns the plane of norm(t), or an error if t is outside the model.
func (f *featureMin) norm(t *tree.Tree) (separator, error) {
	pl, err := f.d.fromTree(t)
	if err != nil {
		return pl, err
	}
	features := pl.features()
	if f.enc != formulate.Bilinear && f.nu > 0 && features > f.nu {
		return pl, point.NoStart(0, "the split uses %d features, the maximum is %d", features, f.nu)
	}
	most, err := f.largestScale(pl)
	if err != nil {
		return pl, err
	}
	if f.limited {
		return f.normLimited(pl, most)
	}
	curve, s := f.d.curve(pl, f.eps, 0), 1.0
	if features > 0 {
		s = curve.least(most)
	}
	if e := curve.at(s); !(e <= f.delta+startTolerance) {
		return pl, point.NoStart(0, "the error of the split is %v at its best scale, the maximum is %v", e, f.delta)
	}
	if f.enc == formulate.Bilinear && features > f.nu && curve.at(s) <= f.delta {
		s = curve.first(f.delta, s)
	}
	return pl.times(s), nil
}

func (f *featureMin) normLimited(pl separator, most float64) (separator, error) {
	if pl.features() == 0 {
		return pl, nil
	}
	curve := f.d.curve(pl, f.eps, f.penalty(pl))
	s := curve.least(most)
	if curve.at(s) > curve.at(1)+startTolerance {
		return pl, point.NoStart(0, "the weights of the split exceed the bounds of encoding %q", f.enc)
	}
	return pl.times(s), nil
}

// penalty returns the last term of LFM's objective in encoding bilinear.
func (f *featureMin) penalty(pl separator) float64 {
	if f.enc != formulate.Bilinear {
		return 0
	}
	return f.lambda * pl.beyond(f.nu)
}

// largestScale returns the largest useful s for which s w is within L and U.
func (f *featureMin) largestScale(pl separator) (float64, error) {
	most := f.d.largestScale(pl)
	if f.upper == nil {
		return most, nil
	}
	for jx, w := range pl.w {
		switch {
		case w > 0:
			most = min(most, f.upper[jx]/w)
		case w < 0:
			most = min(most, f.lower[jx]/w)
		}
		if most == 0 {
			return 0, point.NoStart(0, "every split with a small enough error has the other sign of the weight of feature %q", f.d.ds.Features[f.d.active[jx]])
		}
	}
	return most, nil
}

func (f *featureMin) start(t *tree.Tree) ([]float64, error) {
	pl, err := f.norm(t)
	if err != nil {
		return nil, err
	}
	v := make([]float64, f.model.NumCols())
	for jx, w := range pl.w {
		v[f.colPlus(jx)], v[f.colMinus(jx)] = max(w, 0), max(-w, 0)
	}
	v[f.cols.gamma] = pl.gamma
	f.d.startSlacks(v[f.cols.slack:f.cols.r], pl)
	count := 0
	for jx, used := range f.startUse(pl) {
		if used {
			v[f.colR(jx)] = 1
			count++
		} else if f.enc == SOS1 {
			v[f.colAbsent(jx)] = 1
		}
	}
	if f.nu > 0 && count > f.nu { // by features that every split within the LFM bounds needs
		return nil, point.NoStart(0, "with the features that it must use, the split has %d, the maximum is %d", count, f.nu)
	}
	return v, nil
}

// startUse returns r: in encoding bilinear the nu features with the largest weights, which is the
// best r for these weights (Algorithm 4.1, step 2); otherwise the features in use, at least one.
func (f *featureMin) startUse(pl separator) []bool {
	if f.enc == formulate.Bilinear {
		return pl.largest(f.nu)
	}
	use, some := make([]bool, f.d.p()), false
	for jx, w := range pl.w {
		use[jx] = w != 0 || f.needed != nil && f.needed[jx]
		some = some || use[jx]
	}
	if !some && f.price == 0 {
		use[0] = true
	}
	return use
}

func (f *featureMin) decode(values []float64) (*tree.Tree, error) {
	if err := point.Length(values, f.model.NumCols()); err != nil {
		return nil, err
	}
	pl := separator{make([]float64, f.d.p()), values[f.cols.gamma]}
	for jx := range pl.w {
		pl.w[jx] = values[f.colPlus(jx)] - values[f.colMinus(jx)]
	}
	if f.enc == formulate.Bilinear {
		return f.d.toTree(f.dropBeyond(pl))
	}
	if f.enc != SOS1 {
		if err := f.dropUnused(&pl, values); err != nil {
			return nil, err
		}
	}
	return f.d.toTree(pl)
}

// dropBeyond drops the weights beyond the nu largest unless the problem needs them.
func (f *featureMin) dropBeyond(pl separator) separator {
	less := pl.only(pl.largest(f.nu))
	e := f.d.errorOf(less, f.eps)
	if f.limited && e <= f.d.errorOf(pl, f.eps)+f.penalty(pl) || !f.limited && e <= f.delta+startTolerance {
		return less
	}
	return pl
}

// dropUnused drops the weights of features with r_j = 0, which may be nonzero within a solver's
// tolerance on r_j. If FM's error then exceeds delta, scaling the split up again can help; a point
// that needs such weights is an error.
func (f *featureMin) dropUnused(pl *separator, values []float64) error {
	use := make([]bool, len(pl.w))
	for jx, j := range f.d.active {
		var err error
		if use[jx], err = point.Binary(values[f.colR(jx)], "r", j+1); err != nil {
			return err
		}
	}
	less := pl.only(use)
	if f.limited || f.d.errorOf(less, f.eps) <= f.delta+pointTolerance {
		*pl = less
		return nil
	}
	curve := f.d.curve(less, f.eps, 0)
	s := curve.least(f.d.largestScale(less))
	if e := curve.at(s); e > f.delta+pointTolerance {
		return point.Bad("the error of the split is %v without the features that it must not use, the maximum is %v", e, f.delta)
	}
	*pl = less.times(s)
	return nil
}

func (f *featureMin) objective(t *tree.Tree) float64 {
	pl, err := f.d.fromTree(t)
	if err != nil {
		return math.Inf(1)
	}
	e, features := f.d.errorOf(pl, f.eps), pl.features()
	outside := f.enc != formulate.Bilinear && f.nu > 0 && features > f.nu
	switch {
	case outside, !f.limited && e > f.delta+pointTolerance:
		return math.Inf(1)
	case f.limited:
		return e + f.penalty(pl) + f.price*float64(features)
	case f.direct():
		return float64(max(features, 1))
	}
	return pl.beyond(f.nu)
}

func (f *featureMin) treeError(t *tree.Tree) float64 {
	pl, err := f.d.fromTree(t)
	if err != nil {
		return math.Inf(1)
	}
	return f.d.errorOf(pl, f.eps)
}
