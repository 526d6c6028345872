package external

import (
	"regexp"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/solvers/solfile"
)

// The names of the files in a solve's folder.
const (
	modelFile    = "model.mps"
	solutionFile = "out.sol"
	logFile      = "log.txt"
)

// program is what is known of one optimizer's executable.
type program struct {
	name    string // under which it is registered
	binary  string // file name of the executable
	title   string // of the optimizer
	format  solfile.Format
	dialect mps.Dialect
	caps    solvers.Capabilities

	probe  invocation     // prints the banner and ends
	banner *regexp.Regexp // identifies the optimizer; its group is the version

	// rawOK is the form of raw options' names; reserved names stand for fields
	// of Options, or would change what the adapter relies on.
	rawOK    *regexp.Regexp
	reserved map[string]string

	// adapt returns the model in the form that the optimizer takes, with the
	// same columns in the same order, or nil where it shows the model to be
	// infeasible; a nil adapt changes nothing.
	adapt func(m *mio.Model) (*mio.Model, error)

	// prepare says how to run the executable, and writes what it needs beside
	// the model and the start.
	prepare func(j *job) (invocation, error)

	// scan takes in a line of the log.
	scan func(line string, r *record)

	// answer reads what the solver left in the folder. The record's verdict is
	// used where it returns nil.
	answer func(j *job, r *record) (*mio.Solution, error)

	// improving reads the last of the points that the solver writes as it finds
	// them; nil where it writes none.
	improving func(j *job) (*mio.Solution, error)

	// boundAtEnd: the log has the final bound. Without it the bound of a proved
	// optimum is the optimum.
	boundAtEnd bool

	// refusal is a line of the log that refuses a raw option, its group being
	// the name; fatal one that says why nothing was solved, as for the want of a
	// licence.
	refusal, fatal *regexp.Regexp

	// exitOK says which exit codes are not a crash; nil means 0 only.
	exitOK func(code int) bool
}

// programs lists them all, in the order of the package documentation.
func programs() []*program {
	return []*program{highsProgram(), cbcProgram(), glpkProgram(), scipProgram(), gurobiProgram(), cplexProgram(), xpressProgram()}
}

// invocation is how an executable is run.
type invocation struct {
	args  []string
	stdin string
}

// rawName is the usual form of a raw option's name: nothing that a script or an
// option parser could take for something else.
var rawName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

// rawValue is the form of raw values.
var rawValue = regexp.MustCompile(`^[-+.A-Za-z0-9_]+$`)
