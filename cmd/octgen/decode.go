package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
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
	format, read, err := c.options("decode", c.Solution)
	switch {
	case err != nil:
		return err
	case c.Output == "-":
		return badInput(errors.New("decode prints its report on standard output: give -o a file, or use --json"))
	}
	s, err := readOwn(&input{path: c.Sidecar}, fit.ReadSidecar)
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
	if err := existing(c.Solution); err != nil {
		return err
	}
	ds, err := a.input(data).load(s.Data.Load())
	if err != nil {
		return err
	}
	ctx, rep, done := a.attended(c.Quiet, onceMore)
	res, err := s.Decode(ctx, ds, c.Solution, fit.DecodeOptions{Format: format, Read: read, LP: anyLP(), Notify: rep.event})
	done()
	if res == nil {
		return err
	}
	if (err == nil || errors.Is(err, fit.ErrCheck) && res.Kept()) && c.Output != "" {
		err = errors.Join(err, a.writeFile(a.ctx, c.Output, res.Tree.WriteJSON))
	}
	return errors.Join(err, c.print(a, res, ds, s.Model))
}

func (c *decodeCmd) print(a *app, res *fit.Result, ds *dataset.Dataset, spec problem.Spec) error {
	p, err := spec.Problem(ds.Classes)
	if err != nil {
		return err
	}
	return a.print(c.JSON, res, func(w io.Writer) {
		printFit(w, res, ds, p)
		if res.Check != nil && res.Check.OK() && res.Check.ModelMatches == nil {
			label(w, "note", "the file does not name its model: a solution of another one with the same columns would not be told apart")
		}
	})
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
		if existing(path) == nil {
			return path, nil
		}
	}
	if there == beside {
		return "", badInput(fmt.Errorf("the data of the model, %s, are not there: name them with --data", there))
	}
	return "", badInput(fmt.Errorf("the data of the model are neither %s nor %s: name them with --data", there, beside))
}
