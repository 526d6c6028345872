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

// FMOptions are the parameters of FM. The zero value with LP set minimises the number of features
// directly, in the encoding mio, with the paper's delta.
type FMOptions struct {
	Perturbed bool    // use the error of RLP-P instead of RLP
	Eps       float64 // of RLP-P, in (0, 1); 0 means DefaultEps
	Nu        int     // maximum number of features of a per-nu model; 0 minimises their number
	Delta     float64 // maximum error; 0 means Slack times the minimum error, which needs LP
	Slack     float64 // >= 1; 0 means DefaultSlack
	Encoding  formulate.Encoding
	Box       float64 // see FM; 0 means DefaultBox

	// LP solves linear programs: the minimum error, and the bounds of the encodings mio and
	// bilinear. Without it, Delta must be given, and the bounds are delta/eps (RLP-P) and Box (RLP)
	// for every feature.
	LP        mio.SolveFunc
	OmitNames bool // leave variables and constraints unnamed, for in-process solving

	// Training is the layout of the data passed to Build, which only reads it. nil: Build lays out
	// the data.
	Training *tree.Training
}

// DefaultSlack is the default ratio of delta to the minimum error (Bredensteiner & Bennett 1996,
// Algorithm 4.2).
const DefaultSlack = 1.1

// FM is feature minimization with bounded accuracy: the linear split with the fewest features whose
// error, RLP's or RLP-P's, is at most delta (Bredensteiner & Bennett 1996, problems (7) and (8);
// (13) and (14)). Data, classes and units are those of [RLP]. With w = w+ - w- and r_j = 1 if
// feature j may be used, the paper's problem for a given nu is
//
//	f(nu) = min  (w+ + w-).(e - r)
//	(1-eps) ((1/m) omega.u + (1/k) omega.v) + eps e.(w+ + w-) <= delta      (eps = 0 for RLP)
//	u + A (w+ - w-) - e gamma >= e,   v - B (w+ - w-) + e gamma >= e
//	0 <= r <= e,   1 <= e.r <= nu,   w+, w-, u, v >= 0
//
// and problem (7) asks for the smallest nu with f(nu) = 0. The encodings are
//
//   - bilinear: this problem, for a given nu, with w+_j <= U_j and w-_j <= -L_j, which cut off no
//     optimum: of w+_j and w-_j one may be 0. It is not convex.
//   - mio: r binary, w+_j <= U_j r_j, w-_j <= -L_j r_j, and no product. For a given nu the
//     objective is 0: the model is feasible exactly if f(nu) = 0. Without a nu the objective is
//     e.r: the global optimum of (7) in one solve.
//   - indicator: r binary, r_j = 0 -> w+_j + w-_j <= 0; objectives as in mio.
//   - sos1: c_j = 1 - r_j, and {w+_j, w-_j, c_j} a SOS1; objectives as in mio.
//
// L_j and U_j are the minimum and the maximum of w_j over planes with error <= delta, each computed
// by a linear program; in mio, a feature whose w_j cannot be 0 has r_j = 1. For RLP-P they are finite, at
// most delta/eps. For RLP they are infinite if the classes can be separated or features are
// linearly dependent: then Box replaces them, Boxed lists the features, and the optimum is one
// within the box. The same holds for bounds above 1e6, with which r_j = 1e-6, 0 to a solver, would
// allow every w_j.
//
// With n merged rows, p non-constant features, Z the number of zeros among the standardised values,
// and Z_M the number of U_j and L_j that are 0, the model has
//
//	            columns          binaries   rows           nonzeros
//	all         n + 3p + 1       0          n + 2          n + 2n + 2(np - Z) + p  [+ 2p for RLP-P]
//	mio         + 0              + p        + 2p           + 4p - Z_M
//	indicator   + 0              + p        + p            + 2p
//	sos1        + p              + 0        + p            + 2p
//
// norm(t), the tree of a warm start, is t with its split multiplied by a positive number, which
// changes no prediction, and with RLP's classes. The number minimises the error or, for a tree with
// more than nu features in the encoding bilinear, is the smallest with error <= delta. Objective
// uses the split at its own scale; it is +Inf for trees outside the problem.
type FM struct {
	opts FMOptions
	featureMin
}

// Build formulates FM for ds. Errors: invalid options; data for which the single leaf is optimal
// (formulate.ErrSingleLeaf); no LP and no Delta (formulate.ErrNeedsLP); a Delta below the minimum
// error; errors of the LP solver.
func (o FMOptions) Build(ctx context.Context, ds *dataset.Dataset) (*FM, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	d, err := newTwoSets(ds, o.Training)
	if err != nil {
		return nil, err
	}
	f := &FM{opts: o, featureMin: featureMin{
		d: d, name: "fm", enc: o.Encoding, perturbed: o.Perturbed, eps: o.Eps, nu: min(o.Nu, d.p()), delta: o.Delta, box: o.Box, least: math.NaN(),
	}}
	if err := f.setDelta(ctx, o.LP, o.Slack); err != nil {
		return nil, err
	}
	if o.Encoding == formulate.MIO || o.Encoding == formulate.Bilinear {
		if err := f.setBounds(ctx, o.LP, f.delta); err != nil {
			return nil, err
		}
	}
	return f, f.build(ctx, o.OmitNames)
}

func (o FMOptions) withDefaults() (FMOptions, error) {
	r, err := RLPOptions{Perturbed: o.Perturbed, Eps: o.Eps}.withDefaults()
	if err != nil {
		return o, err
	}
	o.Eps = r.Eps
	if o.Slack == 0 {
		o.Slack = DefaultSlack
	}
	o.Encoding, o.Box = defaultsFM(o.Encoding, o.Box)
	switch {
	case o.Nu < 0:
		return o, fmt.Errorf("formulate: nu is %d, expected 1 or more, or 0 to minimise the number of features", o.Nu)
	case !(o.Delta >= 0) || math.IsInf(o.Delta, 1):
		return o, fmt.Errorf("formulate: delta is %v, expected a positive finite number, or 0 for slack times the minimum error", o.Delta)
	case !(o.Slack >= 1) || math.IsInf(o.Slack, 1):
		return o, fmt.Errorf("formulate: slack is %v, expected a finite number >= 1", o.Slack)
	case o.Encoding == formulate.Bilinear && o.Nu == 0:
		return o, fmt.Errorf("formulate: encoding %q needs a number of features: nu must be 1 or more", formulate.Bilinear)
	case o.Delta == 0 && o.LP == nil:
		return o, fmt.Errorf("formulate: %w: delta is %v times the minimum error; specify delta instead", formulate.ErrNeedsLP, o.Slack)
	}
	return o, checkFM(o.Encoding, o.Box)
}

// Options returns the options with their defaults.
func (f *FM) Options() FMOptions { return f.opts }

// Model returns the model.
func (f *FM) Model() *mio.Model { return f.model }

// Start returns the point of the model for norm(t).
func (f *FM) Start(_ context.Context, t *tree.Tree) ([]float64, error) { return f.start(t) }

// Decode returns the tree of a feasible point of the model.
func (f *FM) Decode(values []float64) (*tree.Tree, error) { return f.decode(values) }

// Objective returns the number of features of t, at least 1, or with a nu the sum of all |w_j|
// except the nu largest; +Inf if the error exceeds delta.
func (f *FM) Objective(t *tree.Tree) float64 { return f.objective(t) }

// Error returns the error of t's split at its own scale, +Inf for a tree with several splits.
func (f *FM) Error(t *tree.Tree) float64 { return f.treeError(t) }

// Delta returns the bound on the error.
func (f *FM) Delta() float64 { return f.delta }

// LeastError returns the optimum of RLP or RLP-P; NaN without LP.
func (f *FM) LeastError() float64 { return f.least }

// Boxed returns the features (indices of the dataset, ascending) whose weight the model bounds by
// Box because the data do not. If there are any, the optimum is one within the box. It is empty in
// the other encodings.
func (f *FM) Boxed() []int { return f.boxed }

// Within describes the box that the model adds to the problem, "" for none: outside the box there
// may be splits even if the model is infeasible.
func (f *FM) Within() string { return f.within() }

// Scope describes the problem of which a proven optimum is the optimum.
func (f *FM) Scope() string { return f.scope() }

// LFMOptions are the parameters of LFM. The zero value uses DefaultNu features in the encoding mio,
// which is better with LP set.
type LFMOptions struct {
	Perturbed bool    // use the error of RLP-P instead of RLP
	Eps       float64 // of RLP-P, in (0, 1); 0 means DefaultEps
	Nu        int     // maximum number of features; 0 means DefaultNu, or all features with a Price
	// Price is the penalty per feature, lambda of problems (6) and (12), for the encodings mio,
	// indicator and sos1. 0 means problem (9).
	Price float64
	// Lambda is the penalty on weight beyond nu features in the encoding bilinear; 0 means one for
	// which such weight never pays.
	Lambda   float64
	Encoding formulate.Encoding
	Box      float64 // see FM; 0 means DefaultBox

	// LP solves linear programs: the big-M of the encoding mio. Without it they are 2(1-eps)/eps
	// (RLP-P) and Box (RLP) for every feature.
	LP        mio.SolveFunc
	OmitNames bool // leave variables and constraints unnamed, for in-process solving

	// Training is the layout of the data passed to Build, which only reads it. nil: Build lays out
	// the data.
	Training *tree.Training
}

// DefaultNu is the default number of features of LFM: such a split can be drawn (Bredensteiner &
// Bennett 1996, section 2.1).
const DefaultNu = 3

// LFM is limited feature minimization: the linear split with the minimum error, RLP's or RLP-P's,
// and at most nu features (Bredensteiner & Bennett 1996, problem (9)). It is FM with the error in
// the objective instead of a constraint,
//
//	min  error + lambda (w+ + w-).(e - r)
//
// whose product only the encoding bilinear has.
//
// Claim: there is an optimum with at most nu features if lambda is at least the maximum over j of
// (1/m) sum_A omega_i |x_ij| + (1/k) sum_B omega_i |x_ij|. Proof: dropping w_j changes the RLP
// error by at most |w_j| times this sum. The default is 1.1 times that, (1-eps) of it for RLP-P.
//
// L_j and U_j of the encodings mio and bilinear are taken over the planes whose error is no larger than that of a
// split found by two linear programs: RLP, and RLP on the nu features with its largest weights.
// Sizes are those of FM without its error constraint (n nonzeros, for RLP-P n + 2p).
//
// With a Price it is problem (6), for RLP-P (12):
//
//	min  error + Price e.r,   (w+ + w-).(e - r) = 0,   0 <= r <= e
//
// sos1 formulates the equilibrium constraint directly, mio and indicator with binary r; a split
// without features is feasible as well. L_j and U_j are then taken over the planes whose error is
// no larger than error plus penalty of the split with the minimum error.
//
// norm(t) is t at the scale that minimises the objective. LFM admits trees with more than nu
// features only in the encoding bilinear, for which Decode drops the weights beyond nu unless that
// is worse.
type LFM struct {
	opts LFMOptions
	featureMin
}

// Build formulates LFM for ds. Errors: invalid options; data for which the single leaf is optimal
// (formulate.ErrSingleLeaf); errors of the LP solver.
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
	if o.Encoding == formulate.Bilinear && o.Lambda == 0 {
		f.lambda = 1.1 * (1 - o.Eps) * slices.Max(d.reach)
	}
	if o.Encoding == formulate.MIO || o.Encoding == formulate.Bilinear {
		if err := f.setLimitedBounds(ctx, o.LP); err != nil {
			return nil, err
		}
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
		return o, fmt.Errorf("formulate: the penalty per feature is %v, expected a positive finite number, or 0 for none", o.Price)
	case o.Price > 0 && o.Encoding == formulate.Bilinear:
		return o, fmt.Errorf("formulate: encoding %q has no penalty per feature; use %q, %q or %q", o.Encoding, formulate.MIO, formulate.Indicator, SOS1)
	case !(o.Lambda >= 0) || math.IsInf(o.Lambda, 1):
		return o, fmt.Errorf("formulate: lambda is %v, expected a positive finite number, or 0 for a sufficient one", o.Lambda)
	case o.Lambda > 0 && o.Encoding != formulate.Bilinear:
		return o, fmt.Errorf("formulate: lambda is %v, but only encoding %q has a penalty", o.Lambda, formulate.Bilinear)
	}
	return o, checkFM(o.Encoding, o.Box)
}

// Options returns the options with their defaults.
func (f *LFM) Options() LFMOptions { return f.opts }

// Model returns the model.
func (f *LFM) Model() *mio.Model { return f.model }

// Start returns the point of the model for norm(t).
func (f *LFM) Start(_ context.Context, t *tree.Tree) ([]float64, error) { return f.start(t) }

// Decode returns the tree of a feasible point of the model.
func (f *LFM) Decode(values []float64) (*tree.Tree, error) { return f.decode(values) }

// Objective returns the error of t plus Price times its features, in the encoding bilinear plus
// lambda times the sum of all |w_j| except the nu largest.
func (f *LFM) Objective(t *tree.Tree) float64 { return f.objective(t) }

// Lambda returns the penalty on weight beyond nu features in encoding bilinear.
func (f *LFM) Lambda() float64 { return f.lambda }

// Scope describes the problem of which a proven optimum is the optimum.
func (f *LFM) Scope() string { return f.scope() }
