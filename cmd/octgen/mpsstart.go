package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/internal/atomicfile"
	"github.com/octgen/octgen/method"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
	"github.com/octgen/octgen/solvers/solfile"
	"github.com/octgen/octgen/tree"
)

// modelStart says which start mps writes beside the model.
type modelStart struct {
	Start         string `default:"none" group:"Start" help:"Tree to start from: none, auto (the best of some that suit; for fm and lfm the split of rlp), ${starts}, or the path of a tree.json."`
	Seed          uint64 `default:"1" group:"Start" help:"Seed of the method that makes the start."`
	StartFormat   string `placeholder:"SOLVER" group:"Start" help:"Solver that the start is for: highs, gurobi, cplex, cbc, scip, xpress (default: that of --dialect)."`
	StartOutput   string `short:"s" placeholder:"model.mst" group:"Start" help:"File to write the start to."`
	StartDiscrete bool   `group:"Start" help:"Leave the continuous columns out of the start."`
}

// startPoint is a start that was found.
type startPoint struct {
	name      string
	values    []float64
	objective float64
	tree      *tree.Tree
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

// point finds the start, nil for none.
func (c *mpsCmd) point(ctx context.Context, a *app, ds *dataset.Dataset, p method.Problem, f *method.Model, rep *reporter) (*startPoint, error) {
	if c.Start == "none" {
		return nil, nil
	}
	var opts fit.Options
	if err := a.loadStart(c.Start, &opts); err != nil {
		return nil, err
	}
	x, name, objective, err := fit.StartPoint(ctx, ds, p, f, fit.StartOptions{Name: c.Start, Tree: opts.StartTree, Seed: c.Seed, Notify: rep.event})
	if err != nil {
		return nil, err
	}
	t, err := f.Decode(x)
	if err != nil {
		return nil, fmt.Errorf("the start %s: %w", name, err)
	}
	t.Encoder = nil // the data have it
	return &startPoint{name, x, objective, t}, nil
}

func (c *mpsCmd) writeStart(ctx context.Context, a *app, f solfile.Format, m *mio.Model, mp *mps.Map, s *startPoint) error {
	return a.writeFile(ctx, c.StartOutput, func(w io.Writer) error {
		return solfile.WriteStart(w, f, m, mp, s.values, solfile.StartOptions{Discrete: c.StartDiscrete})
	})
}

// sidecar is the path of the file from which decode builds the model again; ""
// where the model goes to standard output or into a pipe.
func (c *mpsCmd) sidecar() string {
	if c.Output == "" || c.Output == "-" {
		return ""
	}
	if special, err := atomicfile.Special(c.Output); special || err != nil {
		return ""
	}
	return fit.SidecarPath(c.Output)
}

func (c *mpsCmd) writeSidecar(ctx context.Context, a *app, path string, ds *dataset.Dataset, spec method.Spec, m *mio.Model, mp *mps.Map, start *startPoint, format solfile.Format) error {
	s := &fit.Sidecar{
		SchemaVersion: fit.SidecarVersion, Octgen: version, Model: spec,
		Data:        fit.DataOf(ds, c.dataFlags.LoadOptions()),
		File:        fit.SidecarFile{Name: filepath.Base(c.Output), Model: m.Name(), Format: c.Format, Dialect: c.Dialect},
		Fingerprint: fit.FingerprintOf(m), Map: *mp,
	}
	if isLP(c.Output) {
		s.File.Format = "lp"
	}
	if start != nil {
		s.Start = &fit.SidecarStart{Name: start.name, Format: string(format), Objective: start.objective, Tree: start.tree}
	}
	s.Data.File = relativeTo(filepath.Dir(path), c.Data)
	return a.writeFile(ctx, path, s.Write)
}

// relativeTo is the path of file from dir, with slashes; - stays standard input.
func relativeTo(dir, file string) string {
	if file == "-" {
		return file
	}
	absDir, err1 := filepath.Abs(dir)
	absFile, err2 := filepath.Abs(file)
	rel, err3 := filepath.Rel(absDir, absFile)
	if errors.Join(err1, err2, err3) != nil {
		return filepath.ToSlash(file)
	}
	return filepath.ToSlash(rel)
}

// formatNames lists the formats of solution files.
func formatNames() string {
	var names []string
	for _, f := range solfile.Formats() {
		names = append(names, string(f))
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
