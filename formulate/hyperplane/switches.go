package hyperplane

// Names of what Options.Without switches off. Those of the program are tightenings of
// soct and served; the comments where they are added say why each is exact.
const (
	LabelOrder     = "label-order"     // the labels of two sibling leaves ascend
	OneRow         = "one-row"         // one row is kept in the left subtrees
	Centring       = "centring"        // features are shifted to [-1/2, 1/2]
	IntegralLabels = "integral-labels" // labels are binary where they need not be

	Rows       = "rows"       // proofs by row generation
	Chunks     = "chunks"     // bounds by chunks of rows
	Subsystems = "subsystems" // proofs by minimal infeasible subsystems
)

// Tightenings lists the switches of the program.
func Tightenings() []string { return []string{LabelOrder, OneRow, Centring, IntegralLabels} }

// Proofs lists the switches of those who prove bounds beside the program, which it does
// not use itself.
func Proofs() []string { return []string{Rows, Chunks, Subsystems} }

// Switches lists all names of Options.Without.
func Switches() []string { return append(Tightenings(), Proofs()...) }
