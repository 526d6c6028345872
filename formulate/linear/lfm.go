package linear

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// LFMOptions are the parameters of LFM. The zero value takes DefaultNu features
// in the encoding mio, which is better with LP set.
type LFMOptions struct {
	Perturbed bool    // the error of RLP-P instead of RLP's
	Eps       float64 // of RLP-P, in (0, 1); 0 means DefaultEps
	Nu        int     // most features; 0 means DefaultNu, beside a Price all
	// Price is what a feature costs, lambda of problems (6) and (12): the encodings
	// mio, indicator and sos1. 0 is for problem (9).
	Price float64
	// Lambda is the price of weight beyond nu features in the encoding bilinear;
	// 0 means one at which such weight never pays.
	Lambda   float64
	Encoding formulate.Encoding
	Box      float64 // see FM; 0 means DefaultBox

	// LP solves linear programs: the big-M of the encoding mio. Without it they
	// are 2(1-eps)/eps (RLP-P) and Box (RLP) for every feature.
	LP        mio.SolveFunc
	OmitNames bool // leave columns and rows unnamed, for in-process solving

	// Training is the data that Build is given, laid out already; not written to. Nil:
	// Build lays it out.
	Training *tree.Training
}

// DefaultNu is the number of features of LFM where the options say none: such a
// split can be drawn (Bredensteiner & Bennett 1996, section 2.1).
const DefaultNu = 3

// LFM is limited feature minimization: the linear split of least error, RLP's or
// RLP-P's, with at most nu features (Bredensteiner & Bennett 1996, problem (9)).
// It is FM with the error in the objective instead of a row,
//
//	min  error + lambda (w+ + w-).(e - r)
//
// whose product only the encoding bilinear has. Dropping w_j changes the RLP
// error by at most |w_j| ((1/m) sum_A omega_i |x_ij| + (1/k) sum_B omega_i |x_ij|),
// so that from the largest of these sums on, lambda is large enough: there is an
// optimum with at most nu features. The default is 1.1 times that, (1-eps) of it
// for RLP-P. L_j and U_j of the encoding mio are taken over the planes whose
// error is no larger than that of a split found by two linear programs: RLP, and
// RLP on the nu features of its largest weights. Sizes are those of FM without
// its error row (n nonzeros, for RLP-P n + 2p).
//
// With a Price it is problem (6), of RLP-P (12):
//
//	min  error + Price e.r,   (w+ + w-).(e - r) = 0,   0 <= r <= e
//
// whose equilibrium constraint sos1 has as it is, and mio and indicator by binary r; no
// feature at all is a solution, too. Its L_j and U_j are of the planes whose error is no
// larger than what the split of least error costs with its features.
//
// norm(t) is t at the scale of least objective; LFM admits trees of more than nu
// features in the encoding bilinear only, where Decode drops what is beyond nu
// unless that is worse.
type LFM struct {
	opts LFMOptions
	featureMin
}

// Build formulates LFM for ds. Errors: invalid options; data for which the
// single leaf is optimal (formulate.ErrSingleLeaf); what the LP solver reports.
func (o LFMOptions) Build(ctx context.Context, ds *dataset.Dataset) (*LFM, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	d, err := newTwoSets(ds, o.Training)
	if err != nil {
		return nil, err
	}
	f := &LFM{opts: o, featureMin: featureMin{
		d: d, name: "lfm", enc: o.Encoding, perturbed: o.Perturbed, eps: o.Eps, nu: min(o.Nu, d.p()), limited: true, lambda: o.Lambda, price: o.Price, box: o.Box, least: math.NaN(),
	}}
	switch {
	case o.Encoding == formulate.MIO:
		err = f.setLimitedBounds(ctx, o.LP)
	case o.Encoding == formulate.Bilinear && o.Lambda == 0:
		f.lambda = 1.1 * (1 - o.Eps) * slices.Max(d.reach)
	}
	if err != nil {
		return nil, err
	}
	return f, f.build(ctx, o.OmitNames)
}

func (o LFMOptions) withDefaults() (LFMOptions, error) {
	r, err := RLPOptions{Perturbed: o.Perturbed, Eps: o.Eps}.withDefaults()
	if err != nil {
		return o, err
	}
	o.Eps = r.Eps
	if o.Nu == 0 && o.Price == 0 {
		o.Nu = DefaultNu
	}
	o.Encoding, o.Box = defaultsFM(o.Encoding, o.Box)
	switch {
	case o.Nu < 0:
		return o, fmt.Errorf("formulate: nu is %d, expected 1 or more, or 0 for %d", o.Nu, DefaultNu)
	case !(o.Price >= 0) || math.IsInf(o.Price, 1):
		return o, fmt.Errorf("formulate: the price of a feature is %v, expected a positive finite number, or 0 for none", o.Price)
	case o.Price > 0 && o.Encoding == formulate.Bilinear:
		return o, fmt.Errorf("formulate: encoding %q has no price of a feature; %q, %q and %q have", o.Encoding, formulate.MIO, formulate.Indicator, SOS1)
	case !(o.Lambda >= 0) || math.IsInf(o.Lambda, 1):
		return o, fmt.Errorf("formulate: lambda is %v, expected a positive finite number, or 0 for one that is large enough", o.Lambda)
	case o.Lambda > 0 && o.Encoding != formulate.Bilinear:
		return o, fmt.Errorf("formulate: lambda is %v, but only encoding %q has a penalty", o.Lambda, formulate.Bilinear)
	}
	return o, checkFM(o.Encoding, o.Box)
}

// Options returns the options with their defaults filled in.
func (f *LFM) Options() LFMOptions { return f.opts }

// Model returns the program.
func (f *LFM) Model() *mio.Model { return f.model }

// Start returns the point of the model that stands for norm(t).
func (f *LFM) Start(_ context.Context, t *tree.Tree) ([]float64, error) { return f.start(t) }

// Decode returns the tree of a feasible point of the model.
func (f *LFM) Decode(values []float64) (*tree.Tree, error) { return f.decode(values) }

// Objective returns the error of t plus Price times its features, in the encoding
// bilinear plus lambda times the sum of all |w_j| but the nu largest.
func (f *LFM) Objective(t *tree.Tree) float64 { return f.objective(t) }

// Lambda returns the price of weight beyond nu features in encoding bilinear.
func (f *LFM) Lambda() float64 { return f.lambda }

// Scope says of what a proven optimum is the optimum.
func (f *LFM) Scope() string { return f.scope() }
