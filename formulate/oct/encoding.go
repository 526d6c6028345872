package oct

import (
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/mio"
)

// encoding is one way to write OCT as a program.
type encoding interface {
	build(b *mio.Builder)
	size() formulate.Size
	start(h *heapTree) []float64
	// decode reads the branch nodes of a point, and the labels where they
	// matter; it reports fractional splits and contradictory routing.
	decode(values []float64) (*heapTree, error)
	// tightenings lists those of the encoding threshold that are in force.
	tightenings() []string
	// norm says what norm(t) is.
	norm() norm
	// describe fills in what only the encoding knows, of a model whose size and rows are
	// there.
	describe(in *Inspection)
}

// norm is what an encoding makes of a tree before it is placed.
type norm struct {
	merges      bool // sibling leaves of equal label are one
	reoptimises bool // the last level becomes the best one, in Decode too
	relabels    bool // leaves get their heaviest class
}

// kind is an encoding as the formulation knows it.
type kind struct {
	name formulate.Encoding
	Facts
	// lay lays it out for data; the options are valid and filled in.
	lay func(g *grid.Grid, o Options) (encoding, error)
}

// Facts are what is true of an encoding, whatever the data.
type Facts struct {
	Scaled      bool   // on features scaled to [0, 1]: Options.Scale is for it
	Tightened   bool   // Options.Tighten is for it
	Sums        bool   // has rows of the weights of all rows, which weights far apart make imprecise
	Indicators  bool   // has indicator rows
	Constrained bool   // every row can have its prediction: trees may have constraints, answers costs
	FreeLeaves  bool   // cannot keep a least leaf above the weight of the lightest row, nor a purity of leaves
	BelowTrees  bool   // its optimum can be below that of any tree, and so proves nothing of trees
	Warning     string // worth saying before it is built; "" for nothing
}

// Inspection is what can be said of an OCT model before it is built.
type Inspection struct {
	Encoding    formulate.Encoding `json:"encoding"`
	Size        formulate.Size     `json:"size"`
	Memory      int64              `json:"memory_bytes"` // bytes of the built model, without names
	MPSBytes    int64              `json:"mps_bytes"`    // rough size of the MPS file, free format, without gzip
	Tightenings []string           `json:"tightenings,omitempty"`

	Rows              int     `json:"rows"`               // training rows
	MergedRows        int     `json:"merged_rows"`        // after merging equal (x, y)
	Points            int     `json:"points"`             // different x
	Features          int     `json:"features"`           // after encoding
	Varying           int     `json:"varying_features"`   // those with at least two values
	Thresholds        int     `json:"thresholds"`         // candidates over all features
	Baseline          float64 `json:"baseline"`           // Lhat, error weight or cost of the single leaf
	UnavoidableWeight float64 `json:"unavoidable_weight"` // error weight or cost that no tree can avoid
	UnavoidableErrors float64 `json:"unavoidable_errors"` // the same in rows

	// Of the big-M encodings; zero for threshold, which has neither.
	EpsMin float64 `json:"epsilon_min,omitempty"` // least gap between scaled values
	EpsMax float64 `json:"epsilon_max,omitempty"` // largest one
	MMin   float64 `json:"big_m_min,omitempty"`   // range of the big-M constants
	MMax   float64 `json:"big_m_max,omitempty"`

	Proof    string   `json:"proof"`              // whether a proof of optimality is realistic, and why
	Warnings []string `json:"warnings,omitempty"` // worth saying before building
}

// work is what a proof takes, in units in which encodings were measured: it grows with
// upper-level binaries times rows.
func (in *Inspection) work() float64 { return float64(in.Size.Binaries) * float64(in.MergedRows) }
