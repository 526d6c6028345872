package prices

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/search/exact"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// Options are the parameters of Solve.
type Options struct {
	Depth     int     // maximum depth, 1..exact.MaxDepth
	Alpha     float64 // complexity parameter: penalty per split in units of the baseline error, >= 0
	MinLeaf   float64 // minimum training weight of a leaf, >= 0
	MaxSplits int     // maximum number of splits; 0 means no limit

	// Rows are the constraints, over the rows of the data. Sums up to H + Slack are feasible.
	Rows []constraint.Row

	// Purity is the minimum fraction, by weight, of a leaf's rows that have its class; 0 for no
	// limit. Monotone is (p) or nil: +1 for features at whose splits no leaf on the left has a
	// higher class than one on the right, -1 for the opposite, 0 for no restriction; Rank, (K), is
	// the position of a class in their order. Neither has a price, so the searches ignore them.
	Purity   float64
	Monotone []int8
	Rank     []int

	// Columns is (p) the column of each feature, numbered from 0; it is required by the next two.
	// MaxColumns is the maximum number of columns that splits use, 0 for no limit. ColumnCost is
	// the price of each column, paid once if any split uses it, in units of the baseline error; nil
	// for none.
	Columns    []int
	MaxColumns int
	ColumnCost []float64

	// Fixed is a univariate tree on the features of the data whose splits are fixed: the search
	// grows trees from its leaves; Depth and MaxSplits limit the whole tree. Its classes are
	// ignored, and splits that separate no rows are dropped. nil for none.
	Fixed *tree.Tree

	// Step is a number of which the costs of all trees are multiples; 0 means there is none.
	Step float64

	// WorkLimit ends Solve after about that many
	// cell visits (see exact.Options); 0 means no limit. Solve is reproducible if it ends by
	// WorkLimit or by proof.
	WorkLimit int64
	Workers   int // goroutines of an evaluation; 0 means one

	Start    []*tree.Tree // warm starts: univariate trees on the features of the data; their labels are ignored
	Progress func(Progress)

	// For searches of some columns. cutoff is an objective, 0 for none: trees are of interest only
	// below it. If quick is set, the bound is that of the best prices.
	// first are the prices (dims) of the first evaluation; nil for none.
	cutoff float64
	quick  bool
	first  []float64

	leastCells int // replaces leastCells in tests; 0: leastCells
	labelSteps int // replaces mostLabelSteps in tests of an incomplete search for labels; 0: mostLabelSteps
}

// Progress reports the progress of Solve.
type Progress struct {
	Objective, Bound float64 // as in Result; Objective is +Inf while there is no tree
	Seconds          float64
}

// Result is the result of Solve.
type Result struct {
	Tree      *tree.Tree // best feasible tree found; nil for none
	Objective float64    // its objective: cost/Lhat + alpha splits; +Inf for none
	Bound     float64    // lower bound on the objective of all feasible trees; +Inf if Infeasible
	Gap       float64
	Status    mio.Status // Optimal, Feasible, Infeasible, or NoSolution if there is no tree and no proof
	Limit     mio.Limit
	Blurred   string    // why a completed search proves no optimality; "" if it does or a limit was reached
	Prices    []float64 // (rows) the multipliers of Bound if it is the Lagrangian bound, in cost per unit of G
	Broken    []string  // if Infeasible, the texts of the rows that prove it

	Evaluations int       // searches of all trees
	u           []float64 // (dims) prices of Bound; nil: not known
	Work        int64     // cell visits
	Runtime     time.Duration
}

func (o *Options) validate(ds *dataset.Dataset) error {
	switch {
	case ds.N() == 0:
		return errors.New("prices: the dataset has no rows")
	case o.Monotone != nil && (len(o.Monotone) != ds.P() || len(o.Rank) != ds.K()):
		return fmt.Errorf("prices: %d signs for %d features, %d ranks for %d classes", len(o.Monotone), ds.P(), len(o.Rank), ds.K())
	case o.Purity > 1 || math.IsNaN(o.Purity) || o.Purity < 0:
		return fmt.Errorf("prices: leaf purity %v is not between 0 and 1", o.Purity)
	case o.MaxSplits < 0 || o.MaxColumns < 0 || o.WorkLimit < 0 || o.Workers < 0 || o.Step < 0:
		return errors.New("prices: limits, step and number of workers must not be negative")
	}
	if err := tree.CheckShape(o.Depth, exact.MaxDepth, o.Alpha, o.MinLeaf, o.MaxSplits); err != nil {
		return fmt.Errorf("prices: %w", err)
	}
	if o.MaxColumns > 0 || o.ColumnCost != nil {
		return o.validateColumns(ds)
	}
	return nil
}

func (o *Options) validateColumns(ds *dataset.Dataset) error {
	if len(o.Columns) != ds.P() || ds.P() == 0 {
		return fmt.Errorf("prices: columns of %d features, but the data have %d features", len(o.Columns), ds.P())
	}
	if count := slices.Max(o.Columns) + 1; slices.Min(o.Columns) < 0 || o.ColumnCost != nil && len(o.ColumnCost) != count {
		return fmt.Errorf("prices: %d prices for %d columns, numbered from %d; want 0", len(o.ColumnCost), count, slices.Min(o.Columns))
	}
	for _, v := range o.ColumnCost {
		if !(v >= 0) || math.IsInf(v, 1) {
			return fmt.Errorf("prices: column price %v is not a finite number >= 0", v)
		}
	}
	return nil
}
