package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
	"github.com/octgen/octgen/solvers/solfile"
)

// sideFiles are the flags of what a solver reads beside a model and a start.
type sideFiles struct {
	Priorities string `placeholder:"model.ord" group:"Output" help:"File to write branching priorities to, splits nearer the root first; of form oct, for --dialect gurobi or cplex."`
	Parameters string `placeholder:"FILE" group:"Output" help:"File to write the solver's parameters to: the gaps within which an answer is proved; for --dialect gurobi, cplex, scip or highs."`
}

// prioritized is a formulation that knows which columns to branch on first.
type prioritized interface {
	Priorities() []int // one for each column, nil for columns without names
}

// check refuses a file that the dialect's solver does not read.
func (c *sideFiles) check(dialect string) error {
	for _, f := range []struct {
		flag, path string
		of         []solfile.Format
	}{{"--priorities", c.Priorities, solfile.Prioritized()}, {"--parameters", c.Parameters, solfile.Parametrized()}} {
		var names []string
		for _, g := range f.of {
			names = append(names, string(g))
		}
		switch {
		case f.path == "":
		case f.path == "-":
			return badInput(fmt.Errorf("%s needs a file to write to", f.flag))
		case !slices.Contains(names, dialect):
			return badInput(fmt.Errorf("%s is a file of one solver's: give --dialect %s", f.flag, either(names)))
		}
	}
	return nil
}

// checkModel refuses files that the model f has not, before anything is written.
func (c *sideFiles) checkModel(f *problem.Model) error {
	if c.Priorities == "" {
		return nil
	}
	p, ok := f.Formulation.(prioritized)
	switch {
	case !ok:
		return badInput(fmt.Errorf("--priorities is of form oct; %s has none", f.Form))
	case p.Priorities() == nil:
		return badInput(errors.New("--priorities go by the names of columns, which fixed format numbers: leave out --format fixed"))
	}
	return nil
}

// write writes the files that were asked for, beside the model m of f, which has them.
func (c *sideFiles) write(ctx context.Context, a *app, dialect string, f *problem.Model, m *mio.Model, mp *mps.Map) error {
	format := solfile.Format(dialect)
	if c.Priorities != "" {
		of := f.Formulation.(prioritized).Priorities() // see checkModel
		err := a.writeFile(ctx, c.Priorities, func(w io.Writer) error { return solfile.WritePriorities(w, format, m, mp, of) })
		if err != nil {
			return err
		}
	}
	if c.Parameters == "" {
		return nil
	}
	return a.writeFile(ctx, c.Parameters, func(w io.Writer) error {
		return solfile.WriteParameters(w, format, solfile.Parameters{AbsGap: f.Lattice.AbsGap()})
	})
}

// either lists two names or more of which one is wanted.
func either(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
