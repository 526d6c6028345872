package formulate

// Encoding names how a problem is written as a program.
type Encoding string

// The encodings that several packages of problems have; what only one has is named
// there. Each package lists its own.
const (
	// BigM is the paper's problem: of OCT, problem (24) with the corrected
	// left-branch row.
	BigM Encoding = "bigm"
	// MIO chooses by binaries, and bounds what was not chosen by a big-M. The
	// default of FM, LFM and GTO.
	MIO Encoding = "mio"
	// Indicator is BigM or MIO with indicator rows instead of a big-M, for
	// solvers that have them.
	Indicator Encoding = "indicator"
	// Bilinear is the paper's own problem: a product in the objective instead
	// of integrality, for solvers of nonconvex quadratic programs.
	Bilinear Encoding = "bilinear"
)

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
