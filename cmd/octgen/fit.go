package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// fitCmd is `octgen fit`.
type fitCmd struct {
	Data string `arg:"" name:"DATA.csv" help:"Labelled data."`

	Method string `default:"oct" group:"Model" help:"How to make the tree; octgen methods lists the methods."`
	modelFlags
	nativeFlags

	Solver       string            `placeholder:"highs" group:"Solving" help:"Solver; octgen solvers lists them. rlp needs none, but takes one."`
	SolverPath   string            `placeholder:"FILE" group:"Solving" help:"The solver's executable, where it is not on PATH."`
	SolverOption map[string]string `placeholder:"NAME=VALUE" group:"Solving" help:"Option in the solver's own terms; may be repeated."`
	TimeLimit    duration          `placeholder:"60s" group:"Solving" help:"Stop after this time, with the best tree; plain numbers are seconds."`
	NodeLimit    int64             `placeholder:"N" group:"Solving" help:"Stop after this many branch-and-bound nodes."`
	Gap          float64           `placeholder:"0" group:"Solving" help:"Stop at this relative gap between tree and bound; without it, at a proof."`
	Threads      int               `placeholder:"N" group:"Solving" help:"Threads (default: the solver's choice)."`
	Seed         int               `default:"1" group:"Solving" help:"Seed of the solver, of native methods and of --holdout."`
	CrossCheck   bool              `group:"Solving" help:"oct: have the exact native search solve the same problem, and fail where the two disagree."`
	Start        string            `default:"auto" group:"Solving" help:"Tree to start from: none, auto (the best of ${autostarts}, where they suit), ${starts}, or the path of a tree.json."`

	Test    string  `placeholder:"FILE" xor:"test" group:"Data" help:"Labelled data to test the tree on."`
	Holdout float64 `placeholder:"0.25" xor:"test" group:"Data" help:"Part of the rows to set aside for testing."`
	Unknown string  `enum:"error,other" default:"error" group:"Data" help:"Test rows with a category that training does not have: ${enum}."`
	dataFlags

	Log    string `placeholder:"FILE" group:"Output" help:"Write the solver's log to this file, - for standard error."`
	Output string `short:"o" placeholder:"tree.json" group:"Output" help:"Save the tree."`
	JSON   bool   `name:"json" group:"Output" help:"Print one JSON object instead of text."`
	Quiet  bool   `group:"Output" help:"No progress and no warnings."`
}

// Run fits, prints and saves.
func (c *fitCmd) Run(a *app) error {
	opts, err := c.options()
	if err != nil {
		return err
	}
	if c.Output == "-" {
		return badInput(errors.New("fit prints its report on standard output: give -o a file, or use --json"))
	}
	if err := errors.Join(distinct(c.Output, c.Data, c.Test, c.Log), distinct(c.Log, c.Data, c.Test, c.Start)); err != nil {
		return err
	}
	if err := c.checkFlags(); err != nil {
		return err
	}
	if err := checkOutput(c.Output); err != nil {
		return err
	}
	if err := a.loadStart(c.Start, &opts); err != nil {
		return err
	}
	ds, err := c.load(a, &opts)
	if err != nil {
		return err
	}
	if fixedStructure(c.Method) {
		if opts.GTO, err = c.gto(a, ds); err != nil {
			return err
		}
	}
	closeLog, err := a.openLog(c.Log, &opts.Solve)
	if err != nil {
		return err
	}
	res, err := c.run(a, ds, opts)
	err = errors.Join(err, closeLog())
	if res == nil {
		return err
	}
	if err == nil && c.Output != "" {
		err = a.writeFile(a.ctx, c.Output, res.Tree.WriteJSON)
	}
	if printErr := c.print(a, res, ds); printErr != nil {
		return errors.Join(err, printErr)
	}
	if err == nil && interrupted(res) {
		return errInterrupted
	}
	return err
}

// interrupted says whether an interrupt ended what made the tree.
func interrupted(res *fit.Result) bool {
	limit := mio.LimitInterrupt.String()
	return res.Solver != nil && res.Solver.Limit == limit || res.Heuristic != nil && res.Heuristic.Limit == limit
}

// run fits with progress on standard error; an interrupt ends it early.
func (c *fitCmd) run(a *app, ds *dataset.Dataset, opts fit.Options) (*fit.Result, error) {
	rep := newReporter(a.stderr, c.Quiet)
	opts.Notify = rep.event
	ctx, stop := interruptible(a.ctx, func() {
		rep.line("interrupted: waiting for the solver to stop; once more ends at once")
	})
	defer stop()
	defer rep.close()
	return fit.Run(ctx, ds, opts)
}

func (c *fitCmd) print(a *app, res *fit.Result, ds *dataset.Dataset) error {
	if c.JSON {
		return a.printJSON(res)
	}
	return printFit(a.stdout, res, ds, c.Alpha)
}

func (c *fitCmd) options() (fit.Options, error) {
	oct, err := c.oct()
	switch c.Method {
	case "oct-h", "local-search":
		err = c.octOnly(c.Method)
		oct = formulate.OCTOptions{Depth: c.Depth, Alpha: c.Alpha, MinLeaf: c.MinLeaf, MaxSplits: int(c.MaxSplits), Encoding: formulate.Encoding(c.Encoding)}
	case "rlp", "rlp-p", "fm", "lfm", "gto", "epts", "frank-wolfe", "fm-rlp", "fm-rlp-p":
		err = c.notTrees(c.Method)
		oct = formulate.OCTOptions{Depth: c.Depth}
	}
	if err != nil {
		return fit.Options{}, err
	}
	native, err := c.heuristics(c.Method, c.heuristic())
	return fit.Options{
		Method: c.Method, OCT: oct, Heuristics: native, CrossCheck: c.CrossCheck, Mu: c.Mu, RLP: c.rlp(false), FM: c.fm(), LFM: c.lfm(), Solver: c.Solver, Path: c.SolverPath,
		Solve: solvers.Options{
			TimeLimit: time.Duration(c.TimeLimit), NodeLimit: c.NodeLimit, RelGap: c.Gap,
			Threads: c.Threads, Seed: c.Seed, Raw: c.SolverOption,
		},
	}, err
}

// heuristic is the native method that runs here, as method or as start: of
// the automatic starts cart, where it is one, since it has parameters.
func (c *fitCmd) heuristic() string {
	switch {
	case c.native():
		return c.Method
	case c.Start == "auto" && slices.Contains(fit.AutoStarts(c.Method), "cart"):
		return "cart"
	}
	return c.Start
}

// load reads the training data and sets the test data in opts.
func (c *fitCmd) load(a *app, opts *fit.Options) (*dataset.Dataset, error) {
	in, load := a.input(c.Data), c.dataFlags.options()
	unknown := dataset.UnknownPolicy(c.Unknown)
	if c.Holdout != 0 {
		train, test, err := in.loadHoldout(load, c.Holdout, uint64(c.Seed), unknown)
		opts.Test = test
		return train, err
	}
	ds, err := in.load(load)
	if err != nil || c.Test == "" {
		return ds, err
	}
	if c.Test == "-" && c.Data == "-" {
		return nil, badInput(errors.New("only one of the data and the test data can come from standard input"))
	}
	opts.Test, err = a.input(c.Test).encode(ds.Encoder, dataset.EncodeOptions{Unknown: unknown, Delimiter: load.Delimiter})
	return ds, err
}

// loadStart sets the start in opts: a name, or the tree in a file.
func (a *app) loadStart(start string, opts *fit.Options) error {
	if start == "none" || start == "auto" || slices.Contains(fit.StartNames(), start) {
		opts.Start = start
		return nil
	}
	t, err := a.readTree(start)
	if err != nil {
		return badInput(fmt.Errorf("--start: %w; the starts are %s, or the path of a tree.json", err, fit.StartsText()))
	}
	opts.StartTree, opts.StartName = t, start
	return nil
}

// openLog makes the solver's log go to the file at path.
func (a *app) openLog(path string, opts *solvers.Options) (close func() error, err error) {
	switch path {
	case "":
		return func() error { return nil }, nil
	case "-":
		opts.Log = a.stderr
		return func() error { return nil }, nil
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, writeError(path, err)
	}
	opts.Log = io.Writer(f)
	return f.Close, nil
}

// checkFlags refuses numbers out of range by the names of their flags, and
// flags that the method would pass over.
func (c *fitCmd) checkFlags() error {
	for _, f := range []struct {
		name string
		bad  bool
		want string
	}{
		{"--node-limit", c.NodeLimit < 0, "1 or more"},
		{"--gap", !(c.Gap >= 0 && c.Gap < 1), "a number from 0 to less than 1"},
		{"--threads", c.Threads < 0, "1 or more"},
		{"--seed", c.Seed < 0, "0 or more"},
		{"--restarts", c.Restarts < 0, "1 or more"},
	} {
		if f.bad {
			return badInput(fmt.Errorf("%s is out of range, expected %s", f.name, f.want))
		}
	}
	if !c.native() {
		return nil
	}
	return refuse(c.solverFlags(), c.Method, func(f nativeFlag) string {
		why := "which needs no solver"
		if c.Method == "fm-rlp" || c.Method == "fm-rlp-p" {
			why = "which asks a solver for linear programs only"
		}
		return fmt.Sprintf("%s is not for method %s, %s", f.name, c.Method, why)
	})
}

// native says whether the method runs as a native one here: rlp is one unless a
// solver is named.
func (c *fitCmd) native() bool { return isNative(c.Method) || c.Method == "rlp" && c.Solver == "" }

// fixedStructure reports whether a method takes a structure.
func fixedStructure(method string) bool {
	return method == "gto" || method == "epts" || method == "frank-wolfe"
}

// solverFlags are the flags of programs and solvers, with the native methods
// that have them too.
func (c *fitCmd) solverFlags() []nativeFlag {
	return []nativeFlag{
		{"--encoding", c.Encoding != "", []string{"rlp"}},
		{"--scale", c.Scale != "", nil},
		{"--without", len(c.Without) > 0, nil},
		{"--solver", c.Solver != "", []string{"fm-rlp", "fm-rlp-p"}},
		{"--solver-path", c.SolverPath != "", []string{"fm-rlp", "fm-rlp-p"}},
		{"--solver-option", len(c.SolverOption) > 0, nil},
		{"--time-limit", c.TimeLimit != 0, []string{"epts", "fm-rlp", "fm-rlp-p", "frank-wolfe", "local-search", "msmt", "oc1", "rlp", "treesearch"}},
		{"--node-limit", c.NodeLimit != 0, nil},
		{"--gap", c.Gap != 0, nil},
		{"--threads", c.Threads != 0, []string{"fm-rlp", "fm-rlp-p", "treesearch"}},
		{"--start", c.Start != "auto", []string{"epts", "frank-wolfe", "treesearch"}},
		{"--log", c.Log != "", nil},
	}
}
