package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/linear"
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
	Output  string `short:"o" placeholder:"model.mps[.gz]" group:"Output" help:"File to write (default, and -: standard output). A name in .lp gives CPLEX-LP, in .opb OPB for pseudo-Boolean solvers, in .wcnf WCNF for MaxSAT solvers, in .mof.json MathOptFormat for JuMP, in .textproto MPModelProto for OR-Tools; .gz compresses."`
	Quiet   bool   `group:"Output" help:"No summary and no warnings."`
	Whole   bool   `group:"Output" help:"Declare all variables integer, for solvers such as CP-SAT; of oct with encoding threshold, flow, cut or binoct, which have an integral optimum."`

	sideFiles
	modelStart
}

// Run builds the model and writes it.
func (c *mpsCmd) Run(a *app, parsed *kong.Context) error {
	side := sidecarOf(c.Output)
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
	outputs := errors.Join(checkOutput(c.Output), checkOutput(side), checkOutput(c.StartOutput), checkOutput(c.Priorities), checkOutput(c.Parameters))
	if err := cmp.Or(paths, outputs); err != nil {
		return err
	}
	choice, ds, err := c.modelled(a, parsed, &c.Form, c.Data, &c.dataFlags)
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
	of, err := m.On(ctx, problem.NewData(ds), 0)
	if err != nil {
		return badInput(err)
	}
	f, err := of.Build(ctx, problem.BuildOptions{
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
	if err := startable(f, startFormat); err != nil {
		return err
	}
	point, start, err := c.point(ctx, a, of, &f, rep.event)
	if err != nil {
		return err
	}
	whole := c.Whole || isBoolean(layout(c.Output, ""))
	if whole && !f.Integral {
		return badInput(fmt.Errorf("%s with encoding %s and these weights may have no integral optimum, as --whole, OPB and WCNF need", f.Form, f.Encoding))
	}
	model := f.Model()
	model = model.WithName(fit.ModelName(model, omitNames))
	written, root, err := withRootRows(ctx, f.Formulation, model)
	if err != nil {
		return err
	}
	if whole {
		written = written.Discrete()
	}
	opts, err := mpsOptions(c.Dialect, c.Format, c.comments(ds, append(f.Lines, root...))...)
	if err != nil {
		return err
	}
	units, scale := written, 0.0
	if !isBoolean(layout(c.Output, "")) { // which have whole numbers only
		units, scale = mps.WholeUnits(written)
	}
	if scale != 0 {
		opts.Comments = append(opts.Comments, fmt.Sprintf("objective multiplied by %v, so that its costs are whole numbers", scale))
	}
	mp, err := a.writeModel(ctx, c.Output, units, opts)
	if err != nil {
		return err
	}
	mp.Offset, mp.Scale = written.Offset(), scale
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
	if c.Dialect == mps.Portable.String() && layout(c.Output, "") == "" {
		for _, text := range unportable(model) {
			rep.warn(text)
		}
	}
	for _, l := range root {
		rep.line(fmt.Sprintf("%s: %s", to, l))
	}
	coef := written.CoefRange()
	if w := coef.Warning(); w != "" {
		rep.warn(w)
	}
	if scale != 0 {
		rep.warn(fmt.Sprintf("the objective is so small that solvers would take differences in it for none: the file has it times %v, in whole numbers; decode divides by that", scale))
	}
	rep.line(fmt.Sprintf("%s: %s %s, %d rows, %d columns (%d binary), %d nonzeros from %.3g to %.3g", to, c.Form, f.Encoding, written.NumRows(), written.NumCols(), written.NumDiscrete(), written.NumNonzeros(), coef.Min, coef.Max))
	return nil
}

// startable refuses a start for a model that takes none: format is "" for no start.
func startable(f *problem.Model, format solfile.Format) error {
	m := f.Model()
	switch {
	case format == "":
		return nil
	case f.Encoding == string(linear.LinearProgram):
		return badInput(errors.New("--start: the model is a linear program, which solvers start by themselves"))
	case format == solfile.CPLEX && m.NumDiscrete() == 0 && len(m.SOS()) == 0 && !m.IsLinear():
		return badInput(errors.New("--start: CPLEX takes starts only of models with integer variables or SOS sets, and this one has none"))
	}
	return nil
}

// unportable are the parts of a model that not every solver reads, and who does.
func unportable(m *mio.Model) (warnings []string) {
	for _, part := range []struct {
		has  bool
		text string
	}{
		{len(m.Indicators()) > 0, "indicator rows, which Gurobi, CPLEX, SCIP and Xpress read (--dialect says for which), HiGHS, CBC and GLPK do not"},
		{len(m.QuadCost())+len(m.QuadRows()) > 0, "quadratic terms, which Gurobi, SCIP and Xpress solve, CPLEX those of objectives (--dialect says for which); HiGHS and GLPK refuse them, and CBC drops them without a word"},
		{len(m.SOS()) > 0, "SOS sets, which Gurobi, CPLEX, SCIP, Xpress and CBC read, HiGHS and GLPK do not"},
	} {
		if part.has {
			warnings = append(warnings, "the file has "+part.text)
		}
	}
	return warnings
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

// sidecarOf is the path of the file from which decode builds the model again that is written at
// output; "" where that is standard output or a pipe.
func sidecarOf(output string) string {
	if output == "" || output == "-" {
		return ""
	}
	if special, err := atomicfile.Special(output); special || err != nil {
		return ""
	}
	return fit.SidecarPath(output)
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

// writeModel writes a model at path, whose extension says in which format.
func (a *app) writeModel(ctx context.Context, path string, m *mio.Model, opts mps.Options) (mp *mps.Map, err error) {
	err = a.writeFile(ctx, path, func(w io.Writer) error {
		switch layout(path, "") {
		case "lp":
			mp, err = mps.WriteLP(w, m, mps.LPOptions{Comments: opts.Comments})
		case "opb":
			mp, err = mps.WriteOPB(w, m, mps.LPOptions{Comments: opts.Comments})
		case "mof":
			mp, err = mps.WriteMOF(w, m, mps.LPOptions{Comments: opts.Comments})
		case "proto":
			mp, err = mps.WriteProto(w, m, mps.LPOptions{Comments: opts.Comments})
		case "wcnf":
			mp, err = mps.WriteWCNF(w, m, mps.LPOptions{Comments: opts.Comments})
		default:
			mp, err = mps.Write(w, m, opts)
		}
		return err
	})
	return mp, err
}

// withRootRows is m, the model of f, with the rows that its linear relaxation breaks
// where it has lazy ones, and what is worth saying of both. Decoding needs the columns
// only, which stay.
func withRootRows(ctx context.Context, f formulate.Formulation, m *mio.Model) (*mio.Model, []string, error) {
	lazy, ok := formulate.Lazy(f)
	if !ok {
		return m, nil, nil
	}
	marked := fmt.Sprintf("the last %d rows are lazy: of the others, few solutions break them", m.NumLazy())
	lp := anyLP()
	if lp == nil {
		return m, []string{marked, "no rows of the linear relaxation: no solver finds them here"}, nil
	}
	root, err := formulate.RootRows(ctx, lazy, lp)
	if err != nil {
		return nil, nil, err
	}
	if m, err = m.WithRows(root.Rows, "root", true); err != nil {
		return nil, nil, err
	}
	return m, []string{marked, fmt.Sprintf("%d rows before them, named root, were found in %d linear programs and follow from the others", len(root.Rows), root.Rounds)}, nil
}

// isBoolean reports whether a layout holds 0/1 variables only.
func isBoolean(layout string) bool { return layout == "opb" || layout == "wcnf" }

// layout names what is written at path by its extension, LP, OPB, WCNF, MathOptFormat or MPModelProto;
// else it is MPS in this format.
func layout(path, format string) string {
	path = strings.TrimSuffix(path, ".gz")
	if strings.HasSuffix(path, ".mof.json") {
		return "mof"
	}
	switch filepath.Ext(path) {
	case ".textproto":
		return "proto"
	case ".lp":
		return "lp"
	case ".opb":
		return "opb"
	case ".wcnf":
		return "wcnf"
	}
	return format
}

// mpsOptions are those of the flags of that name.
func mpsOptions(dialect, format string, comments ...string) (mps.Options, error) {
	d, err := mps.ParseDialect(dialect)
	opts := mps.Options{Dialect: d, Comments: comments}
	if format == mps.Fixed.String() {
		opts.Format = mps.Fixed
	}
	return opts, badInput(err)
}

// sideFiles are the flags of what a solver reads beside a model and a start.
type sideFiles struct {
	Priorities string `placeholder:"model.ord" group:"Output" help:"Write branching priorities to this file (oct, --dialect gurobi or cplex)."`
	Parameters string `placeholder:"FILE" group:"Output" help:"Write solver parameters (gaps for a proof) to this file (--dialect gurobi, cplex, scip or highs)."`
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
		return badInput(fmt.Errorf("--priorities is only for form oct, not %s", f.Form))
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

// modelStart says which start mps writes beside the model.
type modelStart struct {
	Start         string `default:"none" group:"Start" help:"MIP start: none, auto (best of several; for fm and lfm the split of rlp), a method (${starts}) or a tree.json."`
	Seed          uint64 `default:"1" group:"Start" help:"Random seed of the start's method."`
	StartFormat   string `placeholder:"SOLVER" group:"Start" help:"Format of the MIP start: ${startformats} (default: that of --dialect)."`
	StartOutput   string `short:"s" placeholder:"model.mst" group:"Start" help:"Write the MIP start to this file."`
	StartDiscrete bool   `group:"Start" help:"Write only the discrete variables of the MIP start."`
}

// startFormat returns the format of the start, "" for none.
func (c *modelStart) startFormat(dialect string) (solfile.Format, error) {
	if c.Start == "none" {
		for _, f := range []struct {
			name string
			used bool
		}{{"-s", c.StartOutput != ""}, {"--start-format", c.StartFormat != ""}, {"--start-discrete", c.StartDiscrete}} {
			if f.used {
				return "", badInput(fmt.Errorf("%s needs a start: give --start cart or the path of a tree.json", f.name))
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

// point finds the start, nil for none, and what its sidecar says of it. It may widen the variable
// bounds of the model for it.
func (c *modelStart) point(ctx context.Context, a *app, p *problem.Problem, f **problem.Model, notify func(fit.Event)) ([]float64, *fit.SidecarStart, error) {
	if c.Start == "none" {
		return nil, nil, nil
	}
	var opts fit.Options
	if err := a.loadStart(c.Start, &opts); err != nil {
		return nil, nil, err
	}
	placed, err := fit.StartPoint(ctx, p, *f, fit.StartOptions{Name: c.Start, Tree: opts.StartTree, Seed: c.Seed, Notify: notify})
	if err != nil {
		return nil, nil, err
	}
	*f = placed.Model
	t, err := placed.Model.Decode(placed.Values)
	if err != nil {
		return nil, nil, fmt.Errorf("the start %s: %w", placed.Name, err)
	}
	t.Encoder = nil // the data have it
	return placed.Values, &fit.SidecarStart{Name: placed.Name, Objective: placed.Objective, Tree: t}, nil
}
