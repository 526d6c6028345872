package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mps"
)

// mpsCmd is `octgen mps`.
type mpsCmd struct {
	Data string `arg:"" name:"DATA.csv" help:"Labelled data."`

	Form string `enum:"oct,oct-h,rlp,rlp-p,fm,lfm,gto" default:"oct" group:"Model" help:"Formulation: ${enum}."`
	modelFlags
	dataFlags

	Dialect string `default:"portable" enum:"portable,gurobi,cplex,scip,xpress,highs" group:"Output" help:"Solver the file is for: ${enum}."`
	Format  string `default:"free" enum:"free,fixed" group:"Output" help:"Layout: ${enum}; fixed holds numbers of at most 12 characters only."`
	Output  string `short:"o" placeholder:"model.mps[.gz]" group:"Output" help:"File to write (default, and -: standard output). A name in .lp or .lp.gz gives CPLEX-LP, for people to read."`
	Quiet   bool   `group:"Output" help:"No summary and no warnings."`

	modelStart
}

// Run builds the model and writes it.
func (c *mpsCmd) Run(a *app) error {
	form, err := formNamed(c.Form)
	if err != nil {
		return err
	}
	side := c.sidecar()
	startFormat, err := c.startFormat(c.Dialect)
	if err != nil {
		return err
	}
	if err := errors.Join(distinct(c.Output, c.Data, c.Structure, c.Start), distinct(side, c.Data, c.Structure, c.Start, c.Output),
		distinct(c.StartOutput, c.Data, c.Structure, c.Start, c.Output, side)); err != nil {
		return err
	}
	if err := errors.Join(checkOutput(c.Output), checkOutput(side), checkOutput(c.StartOutput)); err != nil {
		return err
	}
	ds, err := a.input(c.Data).load(c.dataFlags.LoadOptions())
	if err != nil {
		return err
	}
	rep := newReporter(a.stderr, c.Quiet)
	defer rep.close()
	ctx, stop := interruptible(a.ctx, func() { rep.line("interrupted; once more ends at once") })
	defer stop()
	omitNames := c.Format == mps.Fixed.String()
	if omitNames {
		rep.line("warning: fixed format holds names of 8 characters: columns and rows are numbered")
	}
	if c.Form == "oct" {
		if err := c.warnSize(ctx, ds, rep); err != nil {
			return err
		}
	}
	f, lines, err := form.build(ctx, a, &c.modelFlags, ds, omitNames)
	if errors.Is(err, formulate.ErrSingleLeaf) {
		return noModel(err)
	}
	if err != nil {
		return badInput(err)
	}
	opts, err := c.options(ds, lines)
	if err != nil {
		return err
	}
	m := f.Model()
	m = m.WithName(fit.ModelName(m, omitNames))
	spec := fit.SpecOf(f, ds.Classes, anyLP() != nil)
	start, err := c.point(ctx, a, ds, f, spec, rep)
	if err != nil {
		return err
	}
	var mp *mps.Map
	err = a.writeFile(ctx, c.Output, func(w io.Writer) (err error) {
		if isLP(c.Output) {
			mp, err = mps.WriteLP(w, m, mps.LPOptions{Comments: opts.Comments})
			return err
		}
		mp, err = mps.Write(w, m, opts)
		return err
	})
	if err != nil {
		return err
	}
	if start != nil {
		if err := c.writeStart(ctx, a, startFormat, m, mp, start); err != nil {
			return err
		}
		rep.line(fmt.Sprintf("%s: start for %s: %s, objective %s", c.StartOutput, startFormat, start.name, figure(start.objective)))
	}
	if side != "" {
		if err := c.writeSidecar(ctx, a, side, ds, spec, m, mp, start, startFormat); err != nil {
			return err
		}
	}
	to := c.Output
	if to == "" || to == "-" {
		to = "standard output"
	}
	encoding := form.needs[0].Encoding
	for _, line := range lines {
		if e, ok := strings.CutPrefix(line, "encoding "); ok {
			encoding = formulate.Encoding(e)
		}
	}
	if len(m.Indicators()) > 0 && c.Dialect == mps.Portable.String() && !isLP(c.Output) {
		rep.line("warning: the file has indicator rows, which Gurobi, CPLEX, SCIP and Xpress read (--dialect says for which), HiGHS, CBC and GLPK do not")
	}
	coef := m.CoefRange()
	if w := coef.Warning(); w != "" {
		rep.line("warning: " + w)
	}
	rep.line(fmt.Sprintf("%s: %s %s, %d rows, %d columns (%d binary), %d nonzeros from %.3g to %.3g", to, c.Form, encoding, m.NumRows(), m.NumCols(), m.NumDiscrete(), m.NumNonzeros(), coef.Min, coef.Max))
	return nil
}

// options says in comments where the model comes from; nothing in them depends
// on the machine or the moment.
func (c *mpsCmd) options(ds *dataset.Dataset, lines []string) (mps.Options, error) {
	dialect, err := mps.ParseDialect(c.Dialect)
	if err != nil {
		return mps.Options{}, badInput(err)
	}
	opts := mps.Options{Dialect: dialect}
	if c.Format == mps.Fixed.String() {
		opts.Format = mps.Fixed
	}
	name := "standard input"
	if c.Data != "-" {
		name = filepath.Base(c.Data)
	}
	opts.Comments = []string{
		fmt.Sprintf("made by octgen %s", version),
		fmt.Sprintf("data %q, sha256 %s", name, ds.Source.SHA256),
		fmt.Sprintf("target %q, %d rows, %d features, %d classes", ds.Encoder.Target, ds.N(), ds.P(), ds.K()),
	}
	opts.Comments = append(opts.Comments, lines...)
	return opts, nil
}

// warnSize says before building what there is to say of OCT's size.
func (c *mpsCmd) warnSize(ctx context.Context, ds *dataset.Dataset, rep *reporter) error {
	o, err := c.OCT()
	if err != nil {
		return err
	}
	in, err := o.Inspect(ctx, ds)
	if errors.Is(err, formulate.ErrSingleLeaf) {
		return noModel(err)
	}
	if err != nil {
		return badInput(err)
	}
	for _, w := range in.Warnings {
		rep.line("warning: " + w)
	}
	return nil
}

func noModel(err error) error {
	return badInput(fmt.Errorf("there is no model to write: %s; octgen fit gives the leaf", message(err)))
}

// isLP says whether the name asks for CPLEX-LP instead of MPS.
func isLP(name string) bool {
	return strings.HasSuffix(strings.TrimSuffix(name, ".gz"), ".lp")
}
