package formulate

// Encoding names how a problem is written as a program.
type Encoding string

// The encodings, which each package of a problem lists for it.
const (
	// Threshold writes each split as a choice among the feature's candidate
	// thresholds; no big-M. The default of OCT.
	Threshold Encoding = "threshold"
	// BigM is the paper's problem: of OCT, problem (24) with the corrected
	// left-branch row.
	BigM Encoding = "bigm"
	// BigMPublished is problem (24) with its rows as printed. Its left-branch
	// row lets points go left at a node without a split, so that its optimum
	// can be far below that of any tree: for comparisons only.
	BigMPublished Encoding = "bigm-published"
	// SOCT writes the paths of rows as flows from the root to the leaves, with a
	// big-M for each node instead of each leaf. The default of OCT-H.
	SOCT Encoding = "soct"
	// Served decides of each row only whether it is right, and where: OCT-H in which
	// the rows that are wrong keep no margin.
	Served Encoding = "served"
	// LinearProgram is the one encoding of RLP and RLP-P.
	LinearProgram Encoding = "lp"
	// MIO chooses by binaries, and bounds what was not chosen by a big-M. The
	// default of FM, LFM and GTO.
	MIO Encoding = "mio"
	// Indicator is BigM or MIO with indicator rows instead of a big-M, for
	// solvers that have them.
	Indicator Encoding = "indicator"
	// Bilinear is the paper's own problem: a product in the objective instead
	// of integrality, for solvers of nonconvex quadratic programs.
	Bilinear Encoding = "bilinear"
	// Multilinear names products by columns with quadratic rows.
	Multilinear Encoding = "multilinear"
	// SOS1 lets at most one of a feature's weight and its absence be nonzero.
	SOS1 Encoding = "sos1"
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
