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
	Depth     int     // levels of splits, 1..exact.MaxDepth
	Alpha     float64 // price of a split in units of the baseline error, >= 0
	MinLeaf   float64 // least training weight of a leaf, >= 0
	MaxSplits int     // 0 means no limit

	// Rows are what trees must keep, of the rows of the data. Sums up to H + Slack hold.
	Rows []constraint.Row

	// Purity is the least part, by weight, of a leaf's rows that is of its class; 0 for no
	// limit. Monotone, (p) or nil, is +1 for features at whose splits no leaf on the left is of
	// a higher class than one on the right, -1 for the opposite, 0 for none; Rank, (K), is
	// the place of a class in their order. Neither has a price: the searches do not know of them.
	Purity   float64
	Monotone []int8
	Rank     []int

	// Columns, (p) the column that a feature comes from, numbered from 0, is needed with the
	// next two: the most columns that splits use, 0 for no limit, and the price of each
	// column that some split uses, once, in units of the baseline error; nil for none.
	Columns    []int
	MaxColumns int
	ColumnCost []float64

	// Fixed is a univariate tree on the features of the data whose splits stay: those looked
	// for grow from its leaves, within Depth and MaxSplits in all. Splits of it that part no
	// rows are left out, as are its classes. nil for none.
	Fixed *tree.Tree

	// Step, where the costs of all trees are multiples of one number, is that number; 0
	// means that they are not.
	Step float64

	// TimeLimit is a deadline as that of the context is. WorkLimit ends Solve after about
	// that many cell visits (see exact.Options); 0 means none. What ends by
	// WorkLimit, or by proof, is reproducible.
	TimeLimit time.Duration
	WorkLimit int64
	Workers   int // goroutines of an evaluation; 0 means one

	Start    []*tree.Tree // to begin with: univariate trees on the features of the data; their labels do not matter
	Progress func(Progress)

	labelSteps int // instead of mostLabelSteps, where tests make the search for labels give up; 0: as it is
}

// Progress is news of Solve.
type Progress struct {
	Objective, Bound float64 // as in Result; Objective is +Inf where there is no tree yet
	Seconds          float64
}

// Result is what Solve returns.
type Result struct {
	Tree      *tree.Tree // best tree found that keeps the rows; nil for none
	Objective float64    // of it: cost/Lhat + alpha splits; +Inf for none
	Bound     float64    // on the objective of all trees that keep the rows; +Inf where Infeasible
	Gap       float64
	Status    mio.Status // Optimal, Feasible, Infeasible, or NoSolution where there is no tree and no proof
	Limit     mio.Limit
	Blurred   string    // why a search that came to its end does not prove; "" where it does or a limit came first
	Prices    []float64 // (rows) the multipliers of Bound where it is the Lagrangian's, in cost per unit of G
	Broken    []string  // where Infeasible, the texts of the rows that prove it

	Evaluations int   // searches of all trees
	Work        int64 // cell visits
	Runtime     time.Duration
}

func (o *Options) validate(ds *dataset.Dataset) error {
	switch {
	case ds.N() == 0:
		return errors.New("lagrange: the dataset has no rows")
	case o.Monotone != nil && (len(o.Monotone) != ds.P() || len(o.Rank) != ds.K()):
		return fmt.Errorf("lagrange: %d signs for %d features, %d ranks for %d classes", len(o.Monotone), ds.P(), len(o.Rank), ds.K())
	case o.Purity > 1 || math.IsNaN(o.Purity) || o.Purity < 0:
		return fmt.Errorf("lagrange: leaf purity %v; 0 to 1 is possible", o.Purity)
	case o.MaxColumns < 0 || o.TimeLimit < 0 || o.WorkLimit < 0 || o.Workers < 0 || o.Step < 0:
		return errors.New("lagrange: a negative limit, step or number of workers")
	}
	if err := tree.CheckShape(o.Depth, exact.MaxDepth, o.Alpha, o.MinLeaf, o.MaxSplits); err != nil {
		return fmt.Errorf("lagrange: %w", err)
	}
	if o.MaxColumns > 0 || o.ColumnCost != nil {
		return o.validateColumns(ds)
	}
	return nil
}

func (o *Options) validateColumns(ds *dataset.Dataset) error {
	if len(o.Columns) != ds.P() || ds.P() == 0 {
		return fmt.Errorf("lagrange: %d columns of features; the data have %d features", len(o.Columns), ds.P())
	}
	if count := slices.Max(o.Columns) + 1; slices.Min(o.Columns) < 0 || o.ColumnCost != nil && len(o.ColumnCost) != count {
		return fmt.Errorf("lagrange: %d prices for %d columns, the least of which is %d; want 0", len(o.ColumnCost), count, slices.Min(o.Columns))
	}
	for _, v := range o.ColumnCost {
		if !(v >= 0) || math.IsInf(v, 1) {
			return fmt.Errorf("lagrange: a column costs %v; a finite number of at least 0 is needed", v)
		}
	}
	return nil
}
