package solvertest

import (
	"time"

	"github.com/octgen/octgen/solvers"
)

// deviation is what a solver does otherwise than the suite asks, beyond what
// its capabilities say.
type deviation struct {
	why      string
	least    time.Duration // time limit that it can keep
	noValues bool          // progress comes without the incumbents' values
}

// deviations lists all that is known and accepted, by the solver's name.
var deviations = map[string]deviation{
	"highs-exe": {why: "logs have no values", noValues: true},
	"cbc":       {why: "logs have no values", noValues: true},
	"glpk":      {why: "logs have no values; time limits are whole seconds", noValues: true, least: 1300 * time.Millisecond},
}

func known(s solvers.Solver) deviation { return deviations[s.Name()] }
