// Package flags holds the flags of `octgen fit` that say what to fit and how:
// their names, defaults and rules, for the command line and, by the same names,
// for the methods of an experiment. The struct tags are those of
// github.com/alecthomas/kong.
package flags

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/solvers"
)

// Fit are the flags of a fit, those of data and output aside.
type Fit struct {
	Method string `default:"oct" group:"Model" help:"How to make the tree; octgen methods lists the methods."`
	Model
	Native
	Tune

	Solver       string            `placeholder:"highs" group:"Solving" help:"Solver; octgen solvers lists them. rlp needs none, but takes one."`
	SolverPath   string            `placeholder:"FILE" group:"Solving" help:"The solver's executable, where it is not on PATH."`
	SolverOption map[string]string `placeholder:"NAME=VALUE" group:"Solving" help:"Option in the solver's own terms; may be repeated."`
	TimeLimit    Duration          `placeholder:"60s" group:"Solving" help:"Stop after this time, with the best tree; plain numbers are seconds."`
	NodeLimit    int64             `placeholder:"N" group:"Solving" help:"Stop after this many branch-and-bound nodes."`
	Gap          float64           `placeholder:"0" group:"Solving" help:"Stop at this relative gap between tree and bound; without it, at a proof."`
	WorkLimit    int64             `placeholder:"N" group:"Solving" help:"treesearch, local-search, oct-tuned, oct-h-tuned: stop native searches after so much work, the same on every machine; of the tuned methods per solve."`
	Threads      int               `placeholder:"N" group:"Solving" help:"Threads (default: the solver's choice)."`
	Seed         int               `default:"1" group:"Solving" help:"Seed of the solver, of native methods and of --holdout."`
	CrossCheck   bool              `group:"Solving" help:"oct: have the exact native search solve the same problem, and fail where the two disagree."`
	Start        string            `default:"auto" group:"Solving" help:"Tree to start from: none, auto (the best of ${autostarts}, where they suit), ${starts}, or the path of a tree.json."`
}

// Vars are the variables in the help texts.
func Vars() map[string]string {
	return map[string]string{
		"starts":     strings.Join(fit.StartNames(), ", "),
		"autostarts": strings.Join(fit.AutoStarts(""), " and "),
	}
}

// Options are what the flags say; the start and gto's structure aside, which may
// be files and need the data. An error wraps fit.ErrInput and names the flag.
func (c *Fit) Options() (fit.Options, error) {
	oct, err := c.OCT()
	switch c.Method {
	case "oct-tuned", "oct-h-tuned", "cart-tuned":
		err = c.Tunable()
		oct = formulate.OCTOptions{Depth: c.Depth, MinLeaf: c.MinLeaf}
	case "oct-h", "local-search":
		err = c.OCTOnly(c.Method)
		oct = formulate.OCTOptions{Depth: c.Depth, Alpha: c.Alpha, MinLeaf: c.MinLeaf, MaxSplits: int(c.MaxSplits), Encoding: formulate.Encoding(c.Encoding)}
	case "rlp", "rlp-p", "fm", "lfm", "gto", "epts", "frank-wolfe", "fm-rlp", "fm-rlp-p":
		err = c.NotTrees(c.Method)
		oct = formulate.OCTOptions{Depth: c.Depth}
	}
	if err != nil {
		return fit.Options{}, err
	}
	native, err := c.Heuristics(c.Method, c.heuristic())
	return fit.Options{
		Method: c.Method, OCT: oct, Heuristics: native, Tune: c.tune(), WorkLimit: c.WorkLimit, CrossCheck: c.CrossCheck, Mu: c.Mu, RLP: c.RLP(false), FM: c.FM(), LFM: c.LFM(), Solver: c.Solver, Path: c.SolverPath,
		Solve: solvers.Options{
			TimeLimit: time.Duration(c.TimeLimit), NodeLimit: c.NodeLimit, RelGap: c.Gap,
			Threads: c.Threads, Seed: c.Seed, Raw: c.SolverOption,
		},
	}, err
}

// heuristic is the native method that runs here, as method or as start: of
// the automatic starts cart, where it is one, since it has parameters.
func (c *Fit) heuristic() string {
	switch {
	case c.runsNatively():
		return c.Method
	case c.Start == "auto" && slices.Contains(fit.AutoStarts(c.Method), "cart"):
		return "cart"
	}
	return c.Start
}

// Check refuses numbers out of range by the names of their flags, and
// flags that the method would pass over.
func (c *Fit) Check() error {
	for _, f := range []struct {
		name string
		bad  bool
		want string
	}{
		{"--node-limit", c.NodeLimit < 0, "1 or more, or 0 for none"},
		{"--work-limit", c.WorkLimit < 0, "1 or more"},
		{"--gap", !(c.Gap >= 0 && c.Gap < 1), "a number from 0 to less than 1"},
		{"--threads", c.Threads < 0, "1 or more, or 0 for the solver's choice"},
		{"--seed", c.Seed < 0, "0 or more"},
		{"--restarts", c.Restarts < 0, "1 or more"},
	} {
		if f.bad {
			return badInput(fmt.Errorf("%s is out of range, expected %s", f.name, f.want))
		}
	}
	if err := c.checkTuned(); err != nil {
		return err
	}
	why := c.WithoutSolver()
	if why == "" {
		return nil
	}
	return refuse(c.solverFlags(), c.Method, func(f nativeFlag) string {
		return fmt.Sprintf("%s is not for method %s, %s", f.name, c.Method, why)
	})
}

// WithoutSolver says why no program is solved here, "" where one is.
func (c *Fit) WithoutSolver() string {
	switch {
	case !c.runsNatively():
		return ""
	case c.Method == "fm-rlp" || c.Method == "fm-rlp-p":
		return "which asks a solver for linear programs only"
	}
	return "which needs no solver"
}

// runsNatively says whether the method runs as a native one here: rlp is one
// unless a solver is named.
func (c *Fit) runsNatively() bool {
	if fit.IsTuned(c.Method) && c.Method != "cart-tuned" && c.Solver != "" {
		return false
	}
	return IsNative(c.Method) || c.Method == "rlp" && c.Solver == ""
}

// FixedStructure reports whether a method takes a structure.
func FixedStructure(method string) bool {
	return method == "gto" || method == "epts" || method == "frank-wolfe"
}

// solverFlags are the flags of programs and solvers, with the native methods
// that have them too.
func (c *Fit) solverFlags() []nativeFlag {
	return []nativeFlag{
		{"--encoding", c.Encoding != "", []string{"rlp"}},
		{"--scale", c.Scale != "", nil},
		{"--without", len(c.Without) > 0, nil},
		{"--solver", c.Solver != "", []string{"fm-rlp", "fm-rlp-p"}},
		{"--solver-path", c.SolverPath != "", []string{"fm-rlp", "fm-rlp-p"}},
		{"--solver-option", len(c.SolverOption) > 0, nil},
		{"--time-limit", c.TimeLimit != 0, []string{"epts", "fm-rlp", "fm-rlp-p", "frank-wolfe", "local-search", "msmt", "oc1", "oct-h-tuned", "oct-tuned", "rlp", "treesearch"}},
		{"--node-limit", c.NodeLimit != 0, nil},
		{"--gap", c.Gap != 0, nil},
		{"--threads", c.Threads != 0, []string{"fm-rlp", "fm-rlp-p", "oct-h-tuned", "oct-tuned", "treesearch"}},
		{"--start", c.Start != "auto", []string{"epts", "frank-wolfe", "treesearch"}},
	}
}
