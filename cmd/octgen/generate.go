package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/experiments/generate"
	"github.com/octgen/octgen/experiments/instances"
	"github.com/octgen/octgen/experiments/spec"
)

// generateCmd is `octgen generate`.
type generateCmd struct {
	GTO    generateWith[generate.GTOFlags, *generate.GTOFlags]       `cmd:"" name:"gto-tree" help:"Random hyperplanes in a fixed structure, after Bennett & Blue (1996)."`
	OCT    generateWith[generate.OCTFlags, *generate.OCTFlags]       `cmd:"" name:"oct-tree" help:"Random univariate splits, after Bertsimas & Dunn (2017)."`
	Policy generateWith[generate.PolicyFlags, *generate.PolicyFlags] `cmd:"" name:"policy-tree" help:"Doubly robust scores of actions whose best policy is a random tree."`
	OCTH   generateWith[generate.OCTHFlags, *generate.OCTHFlags]     `cmd:"" name:"oct-h-tree" help:"Random hyperplanes at all splits of a full tree, after Bertsimas & Dunn (2017)."`
}

// generateWith draws with the flags F of a generator.
type generateWith[F any, P interface {
	*F
	generate.Flags
}] struct {
	Flags F `embed:""`
	generated
}

// generated says where generated data go.
type generated struct {
	Output string `short:"o" placeholder:"FILE" help:"Training points, CSV (default, and -: standard output)."`
	Test   string `placeholder:"FILE" help:"Test points, with --test-rows."`
	Truth  string `placeholder:"tree.json" help:"The tree that made the data."`
}

// Run draws the data.
func (c *generateWith[F, P]) Run(a *app) error { return c.run(a, P(&c.Flags)) }

func (c *generated) run(a *app, f generate.Flags) error {
	if err := cmp.Or(distinct(c.Test, c.Output), distinct(c.Truth, c.Output, c.Test)); err != nil {
		return err
	}
	g, err := f.Generator()
	if err != nil {
		return badInput(err)
	}
	train, test, truth, err := g.Data()
	if err != nil {
		return badInput(err)
	}
	truth.Encoder = encoderOf(train)
	if (test == nil) != (c.Test == "") {
		return badInput(errors.New("--test has the data of --test-rows; give both or neither"))
	}
	if c.Test != "" {
		if err := a.writeFile(a.ctx, c.Test, func(w io.Writer) error { return writeData(w, test) }); err != nil {
			return err
		}
	}
	if c.Truth != "" {
		if err := a.writeFile(a.ctx, c.Truth, truth.WriteJSON); err != nil {
			return err
		}
	}
	return a.writeFile(a.ctx, c.Output, func(w io.Writer) error { return writeData(w, train) })
}

// classColumn is the column of the class.
const classColumn = "class"

// encoderOf lets a tree read what writeData wrote.
func encoderOf(ds *dataset.Dataset) *dataset.Encoder {
	e := &dataset.Encoder{Target: classColumn, Classes: ds.Classes}
	if e.Rewards = ds.Kind() == dataset.Rewards; e.Rewards {
		e.Target = ""
	}
	for _, name := range ds.Features {
		e.Columns = append(e.Columns, dataset.SourceColumn{Name: name, Kind: dataset.Numeric})
	}
	return e
}

// writeData writes data as CSV with the class in the last column, or the rewards of the
// actions in the last ones; numbers read back exactly.
func writeData(w io.Writer, ds *dataset.Dataset) error {
	answers, policy := []string{classColumn}, ds.Kind() == dataset.Rewards
	if policy {
		answers = ds.Classes
	}
	return writeCSV(w, append(slices.Clone(ds.Features), answers...), ds.N(), func(line []string, i int) []string {
		for _, v := range append(slices.Clone(ds.Row(i)), ds.RewardsOf(i)...) {
			line = append(line, strconv.FormatFloat(v, 'g', -1, 64))
		}
		if policy {
			return line
		}
		return append(line, ds.Classes[ds.Y[i]])
	})
}

// instancesCmd is `octgen instances`.
type instancesCmd struct {
	Spec   string `arg:"" name:"spec.yaml" help:"Data and methods of an experiment; each method gives one model per data set."`
	Output string `short:"o" required:"" placeholder:"DIR" help:"Output folder: new, empty, or an earlier library, which is replaced."`
	Plain  bool   `help:"Write NAME.mps instead of NAME.mps.gz."`
	Quiet  bool   `help:"No progress."`
}

// Run writes the library.
func (c *instancesCmd) Run(a *app) error {
	s, err := spec.LoadWhole(c.Spec)
	if err != nil {
		return badInput(err)
	}
	ctx, rep, done := a.attended(c.Quiet, onceMore)
	defer done()
	n, proved := 0, 0
	err = instances.Write(ctx, s, instances.Options{
		Dir: c.Output, Plain: c.Plain, Version: version,
		Skip: func(name string, why error) { rep.warn(fmt.Sprintf("no %s: %s", name, message(why))) },
		Done: func(in *instances.Instance) {
			n++
			known := "nothing known"
			switch {
			case in.Proved:
				proved++
				known = "optimum " + figure(in.Objective)
			case in.Point != nil:
				known = "best known " + figure(in.Objective)
			case in.Infeasible:
				known = "no point"
			}
			if len(in.Model.Indicators()) > 0 {
				rep.warn(in.Name + " has indicator rows, which Gurobi, CPLEX, SCIP and Xpress read, HiGHS, CBC and GLPK do not")
			}
			rep.line(fmt.Sprintf("%s: %d rows, %d columns (%d binary), %d nonzeros; %s", in.Name, in.Model.NumRows(), in.Model.NumCols(), in.Model.NumDiscrete(), in.Model.NumNonzeros(), known))
		},
	})
	var mistake *spec.Error
	if errors.As(err, &mistake) {
		err = badInput(err)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "%s: %d instances, %d with a proved optimum\n", c.Output, n, proved)
	return err
}
