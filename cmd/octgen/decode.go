package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/method"
	"github.com/octgen/octgen/solvers/solfile"
)

// decodeCmd is `octgen decode`.
type decodeCmd struct {
	Sidecar  string `arg:"" name:"model.octgen.json" help:"The file that octgen mps wrote beside the model."`
	Solution string `arg:"" name:"solution.sol" help:"The solver's solution file, plain or gzip."`

	Data string `placeholder:"DATA.csv" help:"The data (default: where the sidecar says, else beside it)."`
	solutionFlags
	Output string `short:"o" placeholder:"tree.json" help:"Save the tree."`
	JSON   bool   `name:"json" help:"Print one JSON object instead of text."`
	Quiet  bool   `help:"No warnings."`
}

// Run builds the model again, holds the solution against it, and prints the tree
// with its figures as fit does.
func (c *decodeCmd) Run(a *app) error {
	format, err := solutionFormat("--format", c.Format)
	opts := fit.DecodeOptions{Format: format, Read: solfile.ReadOptions{Solution: c.Which, MissingZero: c.MissingZero}, LP: anyLP()}
	switch {
	case err != nil:
		return err
	case c.Output == "-":
		return badInput(errors.New("decode prints its report on standard output: give -o a file, or use --json"))
	case c.Solution == "-":
		return badInput(errors.New("decode cannot read the solution from standard input: save it and give the file"))
	case c.Which < 0:
		return badInput(errors.New("--solution is out of range, expected 1 or more, or 0 for the best"))
	}
	s, err := readSidecar(c.Sidecar)
	if err != nil {
		return err
	}
	data, err := c.data(s)
	if err != nil {
		return err
	}
	if err := errors.Join(distinct(c.Output, c.Sidecar, c.Solution, data), checkOutput(c.Output)); err != nil {
		return err
	}
	if _, err := os.Stat(c.Solution); err != nil {
		return badInput(err)
	}
	ds, err := a.input(data).load(s.Data.Load())
	if err != nil {
		return err
	}
	res, err := c.decode(a, s, ds, opts)
	if res == nil {
		return err
	}
	if err == nil && c.Output != "" {
		err = a.writeFile(a.ctx, c.Output, res.Tree.WriteJSON)
	}
	return errors.Join(err, c.print(a, res, ds, s.Model))
}

func (c *decodeCmd) decode(a *app, s *fit.Sidecar, ds *dataset.Dataset, opts fit.DecodeOptions) (*fit.Result, error) {
	rep := newReporter(a.stderr, c.Quiet)
	defer rep.close()
	opts.Notify = rep.event
	ctx, stop := interruptible(a.ctx, func() { rep.line("interrupted; once more ends at once") })
	defer stop()
	return s.Decode(ctx, ds, c.Solution, opts)
}

func (c *decodeCmd) print(a *app, res *fit.Result, ds *dataset.Dataset, spec method.Spec) error {
	if c.JSON {
		return a.printJSON(res)
	}
	p, err := spec.Problem(ds.Classes)
	if err != nil {
		return err
	}
	if err := printFit(a.stdout, res, ds, p); err != nil {
		return err
	}
	if res.Check != nil && res.Check.OK() && res.Check.ModelMatches == nil {
		label(a.stdout, "note", "the file does not name its model: a solution of another one with the same columns would not be told apart")
	}
	return nil
}

func readSidecar(path string) (*fit.Sidecar, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, badInput(err)
	}
	defer f.Close() // read-only: closing has nothing to report
	s, err := fit.ReadSidecar(f)
	if err != nil {
		return nil, badInput(fmt.Errorf("%s: %s", path, message(err)))
	}
	return s, nil
}

// data finds the data file of the model.
func (c *decodeCmd) data(s *fit.Sidecar) (string, error) {
	if c.Data != "" {
		return c.Data, nil
	}
	if s.Data.File == "-" {
		return "", badInput(errors.New("the model was made from standard input: give its data with --data"))
	}
	dir, file := filepath.Dir(c.Sidecar), filepath.FromSlash(s.Data.File)
	there := file
	if !filepath.IsAbs(file) {
		there = filepath.Join(dir, file)
	}
	beside := filepath.Join(dir, filepath.Base(file))
	for _, path := range []string{there, beside} {
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	if there == beside {
		return "", badInput(fmt.Errorf("the data of the model, %s, are not there: name them with --data", there))
	}
	return "", badInput(fmt.Errorf("the data of the model are neither %s nor %s: name them with --data", there, beside))
}
