package formulate

import "errors"

// Encodings of the linear splits with few features, beside Indicator.
const (
	// MIO bounds the weight of an unused feature by a binary and a big-M that
	// linear programs over the data give. The default of FM and LFM.
	MIO Encoding = "mio"
	// Bilinear is the paper's own problem: a product in the objective instead
	// of integrality, for solvers of nonconvex quadratic programs.
	Bilinear Encoding = "bilinear"
	// SOS1 lets at most one of a feature's weight and its absence be nonzero.
	SOS1 Encoding = "sos1"
)

// ErrNeedsLP is wrapped by Build where the options ask for something that only
// a linear program over the data can give, and there is no mio.SolveFunc.
var ErrNeedsLP = errors.New("a solver of linear programs is needed")
