package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/alecthomas/kong"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/internal/atomicfile"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
	"github.com/octgen/octgen/solvers/solfile"
)

// mpsCmd is `octgen mps`.
type mpsCmd struct {
	Data string `arg:"" name:"DATA.csv" help:"Labelled data."`

	Form string `enum:"${forms}" default:"oct" group:"Model" help:"Formulation: ${enum}."`
	methodFlags
	dataFlags

	Dialect string `default:"portable" enum:"${dialects}" group:"Output" help:"Solver the file is for: ${enum}."`
	Format  string `default:"free" enum:"free,fixed" group:"Output" help:"Layout: ${enum}; fixed holds numbers of at most 12 characters only."`
	Output  string `short:"o" placeholder:"model.mps[.gz]" group:"Output" help:"File to write (default, and -: standard output). A name in .lp or .lp.gz gives CPLEX-LP, for people to read."`
	Quiet   bool   `group:"Output" help:"No summary and no warnings."`

	sideFiles
	modelStart
}

// Run builds the model and writes it.
func (c *mpsCmd) Run(a *app, parsed *kong.Context) error {
	choice, err := c.choice(parsed, c.Form, "none")
	if err != nil {
		return err
	}
	if p, ok := choice.Method.(problem.Surrounded); ok {
		if err := p.Beyond(); err != nil {
			return badInput(err)
		}
	}
	side := c.sidecar()
	startFormat, err := c.startFormat(c.Dialect)
	if err != nil {
		return err
	}
	if err := c.sideFiles.check(c.Dialect); err != nil {
		return err
	}
	structure := c.path("Structure")
	paths := errors.Join(distinct(c.Output, c.Data, structure, c.Start), distinct(side, c.Data, structure, c.Start, c.Output),
		distinct(c.StartOutput, c.Data, structure, c.Start, c.Output, side),
		distinct(c.Priorities, c.Data, structure, c.Start, c.Output, side, c.StartOutput),
		distinct(c.Parameters, c.Data, structure, c.Start, c.Output, side, c.StartOutput, c.Priorities))
	written := errors.Join(checkOutput(c.Output), checkOutput(side), checkOutput(c.StartOutput), checkOutput(c.Priorities), checkOutput(c.Parameters))
	if err := cmp.Or(paths, written); err != nil {
		return err
	}
	ds, err := a.input(c.Data).load(withGroups(c.dataFlags.LoadOptions(), choice.Method))
	if err == nil {
		err = withoutRewards(ds, "programs are")
	}
	if err != nil {
		return err
	}
	ctx, rep, done := a.attended(c.Quiet, onceMore)
	defer done()
	rep.warnings(ds.Reading.Warnings)
	omitNames := c.Format == mps.Fixed.String()
	if omitNames {
		rep.warn("fixed format holds names of 8 characters: columns and rows are numbered")
	}
	m, err := a.forData(ctx, choice.Method, ds)
	if err != nil {
		return err
	}
	of := m.(problem.Problem)
	f, err := of.Build(ctx, problem.NewData(ds), problem.BuildOptions{
		LP: anyLP(), OmitNames: omitNames, Warn: func(text string) { rep.warn(text) },
	})
	if errors.Is(err, formulate.ErrSingleLeaf) {
		err = fmt.Errorf("there is no model to write: %s; octgen fit gives the leaf", message(err))
	}
	if err != nil {
		return badInput(err)
	}
	if err := c.checkModel(f); err != nil {
		return err
	}
	model := f.Model()
	model = model.WithName(fit.ModelName(model, omitNames))
	whole, root, err := withRootRows(ctx, f.Formulation, model)
	if err != nil {
		return err
	}
	opts, err := mpsOptions(c.Dialect, c.Format, c.comments(ds, append(f.Lines, root...))...)
	if err != nil {
		return err
	}
	point, start, err := c.point(ctx, a, ds, of, f, rep.event)
	if err != nil {
		return err
	}
	mp, err := a.writeModel(ctx, c.Output, whole, opts)
	if err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx) // the model is there: what belongs to it follows
	if start != nil {
		start.Format = string(startFormat)
		err := a.writeFile(ctx, c.StartOutput, func(w io.Writer) error {
			return solfile.WriteStart(w, startFormat, model, mp, point, solfile.StartOptions{Discrete: c.StartDiscrete})
		})
		if err != nil {
			return err
		}
		rep.line(fmt.Sprintf("%s: start for %s: %s, objective %s", c.StartOutput, startFormat, start.Name, figure(start.Objective)))
	}
	if err := c.sideFiles.write(ctx, a, c.Dialect, f, model, mp); err != nil {
		return err
	}
	if side != "" {
		if err := c.writeSidecar(ctx, a, side, ds, m, f.Spec, model, mp, start); err != nil {
			return err
		}
	}
	to := c.Output
	if to == "" || to == "-" {
		to = "standard output"
	}
	if len(model.Indicators()) > 0 && c.Dialect == mps.Portable.String() && !isLP(c.Output) {
		rep.warn("the file has indicator rows, which Gurobi, CPLEX, SCIP and Xpress read (--dialect says for which), HiGHS, CBC and GLPK do not")
	}
	for _, l := range root {
		rep.line(fmt.Sprintf("%s: %s", to, l))
	}
	coef := whole.CoefRange()
	if w := coef.Warning(); w != "" {
		rep.warn(w)
	}
	rep.line(fmt.Sprintf("%s: %s %s, %d rows, %d columns (%d binary), %d nonzeros from %.3g to %.3g", to, c.Form, f.Encoding, whole.NumRows(), whole.NumCols(), whole.NumDiscrete(), whole.NumNonzeros(), coef.Min, coef.Max))
	return nil
}

// comments say where the model comes from; nothing in them depends on the machine
// or the moment.
func (c *mpsCmd) comments(ds *dataset.Dataset, lines []string) []string {
	name := "standard input"
	if c.Data != "-" {
		name = filepath.Base(c.Data)
	}
	return append([]string{
		fmt.Sprintf("made by octgen %s", version),
		fmt.Sprintf("data %q, sha256 %s", name, ds.Source.SHA256),
		fmt.Sprintf("target %q, %d rows, %d features, %d classes", ds.Encoder.Target, ds.N(), ds.P(), ds.K()),
	}, lines...)
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

func (c *mpsCmd) writeSidecar(ctx context.Context, a *app, path string, ds *dataset.Dataset, of problem.Method, spec problem.Spec, m *mio.Model, mp *mps.Map, start *fit.SidecarStart) error {
	s := &fit.Sidecar{
		SchemaVersion: fit.SidecarVersion, Octgen: version, Model: spec,
		Data:        fit.DataOf(ds, withGroups(c.dataFlags.LoadOptions(), of)),
		File:        fit.SidecarFile{Name: filepath.Base(c.Output), Model: m.Name(), Format: layout(c.Output, c.Format), Dialect: c.Dialect},
		Fingerprint: fit.FingerprintOf(m), Map: *mp, Start: start,
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
