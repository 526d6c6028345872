package main

import (
	"errors"
	"fmt"

	"github.com/octgen/octgen/experiments/instances"
	"github.com/octgen/octgen/experiments/spec"
)

// instancesCmd is `octgen instances`.
type instancesCmd struct {
	Spec   string `arg:"" name:"spec.yaml" help:"Data and methods, as of an experiment: each method's program of all rows of each data."`
	Output string `short:"o" required:"" placeholder:"DIR" help:"Folder to write the files to: a new or an empty one, or that of a library, which is replaced whole."`
	Plain  bool   `help:"Write NAME.mps in place of NAME.mps.gz, for programs that read no compressed files."`
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
