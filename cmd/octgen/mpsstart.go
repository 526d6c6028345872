package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mps"
	"github.com/octgen/octgen/solvers/solfile"
)

// modelStart says which start mps writes beside the model.
type modelStart struct {
	Start         string `default:"none" group:"Start" help:"Tree to start from: none, auto (the best of some that suit; for fm and lfm the split of rlp), ${starts}, or the path of a tree.json."`
	Seed          uint64 `default:"1" group:"Start" help:"Seed of the method that makes the start."`
	StartFormat   string `placeholder:"SOLVER" group:"Start" help:"Solver that the start is for: ${startformats} (default: that of --dialect)."`
	StartOutput   string `short:"s" placeholder:"model.mst" group:"Start" help:"File to write the start to."`
	StartDiscrete bool   `group:"Start" help:"Leave the continuous columns out of the start."`
}

// startFormat returns the format of the start, "" for none.
func (c *modelStart) startFormat(dialect string) (solfile.Format, error) {
	if c.Start == "none" {
		for _, f := range []struct {
			name string
			used bool
		}{{"-s", c.StartOutput != ""}, {"--start-format", c.StartFormat != ""}, {"--start-discrete", c.StartDiscrete}} {
			if f.used {
				return "", badInput(fmt.Errorf("%s is of a start: give --start cart or the path of a tree.json", f.name))
			}
		}
		return "", nil
	}
	name := c.StartFormat
	if name == "" && dialect != mps.Portable.String() {
		name = dialect
	}
	switch {
	case c.StartOutput == "" || c.StartOutput == "-":
		return "", badInput(errors.New("--start needs a file to write to: -s FILE"))
	case name == "":
		return "", badInput(errors.New("--start needs the solver that it is for: --start-format or --dialect"))
	}
	f, err := solfile.ParseFormat(name)
	if err != nil {
		return "", badInput(fmt.Errorf("--start-format: %w", err))
	}
	if !f.Starts() {
		return "", badInput(fmt.Errorf("--start-format: %s reads no starts", f))
	}
	return f, nil
}

// point finds the start, nil for none, and what its sidecar says of it.
func (c *modelStart) point(ctx context.Context, a *app, ds *dataset.Dataset, p problem.Problem, f *problem.Model, notify func(fit.Event)) ([]float64, *fit.SidecarStart, error) {
	if c.Start == "none" {
		return nil, nil, nil
	}
	var opts fit.Options
	if err := a.loadStart(c.Start, &opts); err != nil {
		return nil, nil, err
	}
	x, name, objective, err := fit.StartPoint(ctx, ds, p, f, fit.StartOptions{Name: c.Start, Tree: opts.StartTree, Seed: c.Seed, Notify: notify})
	if err != nil {
		return nil, nil, err
	}
	t, err := f.Decode(x)
	if err != nil {
		return nil, nil, fmt.Errorf("the start %s: %w", name, err)
	}
	t.Encoder = nil // the data have it
	return x, &fit.SidecarStart{Name: name, Objective: objective, Tree: t}, nil
}
