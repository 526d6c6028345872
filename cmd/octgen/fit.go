package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/alecthomas/kong"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// fitCmd is `octgen fit`.
type fitCmd struct {
	Data string `arg:"" name:"DATA.csv" help:"Labelled data."`

	Method string `default:"oct" group:"Model" help:"How to make the tree; octgen methods lists the methods."`
	methodFlags
	fit.Settings

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
func (c *fitCmd) Run(a *app, parsed *kong.Context) error {
	choice, err := c.choice(parsed, c.Method, c.Start)
	if err != nil {
		return err
	}
	m := choice.Method
	opts, err := c.Settings.Options(m)
	if err != nil {
		return badInput(err)
	}
	opts.Starters = choice.Starters()
	if c.Output == "-" {
		return badInput(errors.New("fit prints its report on standard output: give -o a file, or use --json"))
	}
	var unlogged error
	if c.Log != "" {
		unlogged = badInput(c.CheckLog(m))
	}
	paths := errors.Join(distinct(c.Output, c.Data, c.Test, c.Log), distinct(c.Log, c.Data, c.Test, c.Start))
	if err := cmp.Or(paths, unlogged, checkOutput(c.Output)); err != nil {
		return err
	}
	if err := a.loadStart(c.Start, &opts); err != nil {
		return err
	}
	ds, err := c.load(a, &opts)
	if err != nil {
		return err
	}
	if opts.Method, err = a.forData(a.ctx, m, ds); err != nil {
		return err
	}
	closeLog, err := a.openLog(c.Log, &opts.Solve)
	if err != nil {
		return err
	}
	ctx, rep, done := a.attended(c.Quiet, solverStop)
	tell := sync.OnceFunc(func() { c.tellRead(a, rep, ds, opts.Test) })
	if starts := choice.Starters(); starts != nil && given(parsed, "criterion") {
		rep.warn(fmt.Sprintf("--criterion grows the tree that %s starts from; the result minimises what %[1]s does (--method %s grows by it alone)",
			m.Info().Name, starts[0].Info().Name))
	}
	opts.Notify = func(e fit.Event) {
		tell() // once there is work, and no mistake in the flags
		rep.event(e)
	}
	res, err := fit.Run(ctx, ds, opts)
	if res != nil {
		tell()
	}
	done()
	logErr := closeLog()
	if res == nil {
		return errors.Join(err, logErr)
	}
	if (err == nil || errors.Is(err, fit.ErrSolver) || errors.Is(err, fit.ErrCheck) && res.Kept()) && c.Output != "" {
		err = errors.Join(err, a.writeFile(a.ctx, c.Output, res.Tree.WriteJSON))
	}
	err = errors.Join(err, logErr)
	if printErr := a.print(c.JSON, res, func(w io.Writer) { printFit(w, res, ds, m) }); printErr != nil {
		return errors.Join(err, printErr)
	}
	if err == nil && res.Limit == mio.LimitInterrupt.String() {
		return errInterrupted
	}
	return err
}

// tellRead tells what was read, with --json only what looks wrong in it.
func (c *fitCmd) tellRead(a *app, rep *reporter, ds, test *dataset.Dataset) {
	if c.JSON {
		rep.warnings(ds.Reading.Warnings)
		return
	}
	printRead(a.stdout, ds, test, c.Test, !c.Quiet)
	_ = a.stdout.Flush() // what it cannot take is told at the end
}

// load reads the training data and sets the test data in opts.
func (c *fitCmd) load(a *app, opts *fit.Options) (*dataset.Dataset, error) {
	in, load := a.input(c.Data), withGroups(c.dataFlags.LoadOptions(), opts.Method)
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
	if err := oneStdin("data", c.Data, "test data", c.Test); err != nil {
		return nil, err
	}
	opts.Test, err = a.input(c.Test).encode(ds.Encoder, dataset.EncodeOptions{Unknown: unknown, Delimiter: load.Delimiter})
	return ds, err
}

// loadStart sets the start in opts: a name, or the tree in a file.
func (a *app) loadStart(start string, opts *fit.Options) error {
	if fit.NamesStart(start) {
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
	log := &logFile{f: f}
	opts.Log = log
	return log.close, nil
}

// logFile remembers that it could not be written: solvers pass over that.
type logFile struct {
	f   *os.File
	err error
}

func (l *logFile) Write(p []byte) (int, error) {
	n, err := l.f.Write(p)
	if l.err == nil {
		l.err = err
	}
	return n, err
}

func (l *logFile) close() error {
	if err := errors.Join(l.err, l.f.Close()); err != nil {
		return fmt.Errorf("cannot write the log: %w", err)
	}
	return nil
}
