//go:build !cgo || nohighs

package highs

import (
	"context"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// Name is the name under which the solver is registered.
const Name = "highs"

func init() { solvers.Register(solver{}) }

// New returns the solver, which validates its input.
func New() solvers.Solver { return solvers.Checked(solver{}) }

// solver stands in for HiGHS in a program built without it.
type solver struct{}

func (solver) Name() string                       { return Name }
func (solver) Version() string                    { return "" }
func (solver) Capabilities() solvers.Capabilities { return solvers.Capabilities{} }

func (solver) Available() error {
	return &solvers.UnavailableError{Solver: Name, Reason: "this program was built without it (tag nohighs, or without cgo)"}
}

func (s solver) Solve(context.Context, *mio.Model, solvers.Options) (*mio.Solution, error) {
	return nil, s.Available()
}

// ReadModel has HiGHS read a model file; here it says that HiGHS is not there.
func ReadModel(context.Context, string) (columns, rows, nonzeros int, err error) {
	return 0, 0, 0, solver{}.Available()
}

// WriteModel writes the model by HiGHS's own writer; here it says that HiGHS
// is not available.
func WriteModel(context.Context, *mio.Model, string) error { return solver{}.Available() }

// FileResult is the outcome of [SolveFile].
type FileResult struct {
	Columns, Rows, Nonzeros int
	Solution                *mio.Solution
}

// SolveFile has HiGHS read and solve a model file; here it says that HiGHS is
// not available.
func SolveFile(context.Context, string, solvers.Options) (*FileResult, error) {
	return nil, solver{}.Available()
}
