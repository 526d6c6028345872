package formulate

import "errors"

// Encodings of the linear splits, beside Indicator.
const (
	// LinearProgram is the one encoding of RLP and RLP-P.
	LinearProgram Encoding = "lp"
	// MIO bounds the weight of an unused feature by a binary and a big-M that
	// linear programs over the data give. The default of FM and LFM.
	MIO Encoding = "mio"
	// Bilinear is the paper's own problem: a product in the objective instead
	// of integrality, for solvers of nonconvex quadratic programs.
	Bilinear Encoding = "bilinear"
	// Multilinear names products by columns with quadratic rows.
	Multilinear Encoding = "multilinear"
	// SOS1 lets at most one of a feature's weight and its absence be nonzero.
	SOS1 Encoding = "sos1"
)

// ErrNeedsLP is wrapped by Build where the options ask for something that only
// a linear program over the data can give, and there is no mio.SolveFunc.
var ErrNeedsLP = errors.New("a solver of linear programs is needed")

// EncodingNeeds says what a solver must take to solve an encoding of a form.
// Continuous linear programs are understood.
type EncodingNeeds struct {
	Form      string // as on the command line
	Encoding  Encoding
	Discrete  bool // binary columns
	Quadratic bool // nonconvex quadratic terms in the objective
	Indicator bool // indicator rows
	SOS       bool // SOS1 sets
}

// LinearSplitEncodings lists the encodings of rlp, rlp-p, fm and lfm, the
// default of each form first.
func LinearSplitEncodings() []EncodingNeeds {
	all := []EncodingNeeds{
		{Form: "rlp", Encoding: LinearProgram},
		{Form: "rlp-p", Encoding: LinearProgram},
	}
	for _, form := range []string{"fm", "lfm"} {
		all = append(all,
			EncodingNeeds{Form: form, Encoding: MIO, Discrete: true},
			EncodingNeeds{Form: form, Encoding: Bilinear, Quadratic: true},
			EncodingNeeds{Form: form, Encoding: Indicator, Discrete: true, Indicator: true},
			EncodingNeeds{Form: form, Encoding: SOS1, SOS: true},
		)
	}
	return all
}

// FMEncodings lists the encodings of FM and LFM, the default first.
func FMEncodings() []Encoding { return []Encoding{MIO, Bilinear, Indicator, SOS1} }
