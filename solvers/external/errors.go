package external

import (
	"errors"
	"fmt"
	"strings"

	"github.com/octgen/octgen/mio"
)

// A RunError says that an executable crashed, found no licence, or gave an
// answer that does not parse or that the check refutes.
type RunError struct {
	Solver string   // name of the solver
	Reason string   // what happened
	Tail   []string // the last lines of its log
	Dir    string   // the folder with all files of the run, which is kept

	incumbent *mio.Solution
}

// Incumbent is the best point that the executable had written before it failed
// or, where that is better, the start; nil where it wrote none. It was checked.
func (e *RunError) Incumbent() *mio.Solution { return e.incumbent }

func (e *RunError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", e.Solver, e.Reason)
	if len(e.Tail) == 0 {
		b.WriteString("; it printed nothing")
	} else {
		b.WriteString("; the end of its log:\n    " + strings.Join(e.Tail, "\n    "))
	}
	fmt.Fprintf(&b, "\nits files are kept in %s", e.Dir)
	return b.String()
}

func asRunError(err error, target **RunError) bool { return errors.As(err, target) }
