package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/mps"
	"github.com/octgen/octgen/solvers/solfile"
)

// modelFile is a model that was read.
type modelFile struct {
	path  string
	m     *mio.Model
	mp    *mps.Map // of its columns to the file's
	notes []string // where solvers would read the file otherwise
}

// readModel reads an MPS file, - being standard input.
func (a *app) readModel(path string) (*modelFile, error) {
	f := &modelFile{path: path}
	opts := mps.ReadOptions{Notes: func(text string) { f.notes = append(f.notes, text) }}
	var err error
	if path == "-" {
		f.m, f.mp, err = opts.ReadMapped(a.stdin, "standard input")
	} else {
		f.m, f.mp, err = opts.ReadFile(path)
	}
	if err != nil {
		return nil, badInput(err)
	}
	return f, nil
}

// base is the file's name without its folder.
func (f *modelFile) base() string {
	if f.path == "-" {
		return "standard input"
	}
	return filepath.Base(f.path)
}

// tell writes the notes as lines of their own.
func (f *modelFile) tell(rep *reporter) {
	for _, n := range f.notes {
		rep.line("note: " + n)
	}
}

// summary is the model in a line.
func (f *modelFile) summary() string {
	return fmt.Sprintf("%s: %s, %s, %s, %s", f.base(), count(f.m.NumRows(), "row", "rows"), count(f.m.NumCols(), "column", "columns"),
		count(f.m.NumNonzeros(), "nonzero", "nonzeros"), f.m.Sense())
}

// modelJSON says in JSON which model it is.
type modelJSON struct {
	File     string   `json:"file"`
	Name     string   `json:"name"`
	Sense    string   `json:"sense"`
	Columns  int      `json:"columns"`
	Rows     int      `json:"rows"`
	Nonzeros int      `json:"nonzeros"`
	Notes    []string `json:"notes,omitempty"` // where solvers would read the file otherwise
}

func (f *modelFile) json() modelJSON {
	return modelJSON{File: f.path, Name: f.m.Name(), Sense: f.m.Sense().String(), Columns: f.m.NumCols(), Rows: f.m.NumRows(),
		Nonzeros: f.m.NumNonzeros(), Notes: f.notes}
}

// solutionJSON is a mio.Solution; what is not known is null.
type solutionJSON struct {
	Status     string   `json:"status"`
	Limit      string   `json:"limit"`
	Objective  *float64 `json:"objective"`
	Bound      *float64 `json:"bound"`
	Gap        *float64 `json:"gap"`
	Nodes      int64    `json:"nodes"`
	Iterations int64    `json:"iterations"`
	Seconds    float64  `json:"seconds"`
	Solver     string   `json:"solver"`
	Raw        string   `json:"raw"`
	Note       string   `json:"note"`
}

func describeSolution(s *mio.Solution) solutionJSON {
	return solutionJSON{Status: s.Status.String(), Limit: s.Limit.String(), Objective: fit.Known(s.Objective), Bound: fit.Known(s.Bound), Gap: fit.Known(s.Gap),
		Nodes: s.Nodes, Iterations: s.Iter, Seconds: s.Runtime.Seconds(), Solver: s.Solver, Raw: s.Raw, Note: s.Note}
}

// pointCheckJSON is a judgement.
type pointCheckJSON struct {
	Holds            bool            `json:"holds"`
	Problem          string          `json:"problem,omitempty"`
	Tolerance        float64         `json:"tolerance"`
	Rounding         float64         `json:"rounding"`          // added to the tolerance for values of few digits
	ObjectiveMatches *bool           `json:"objective_matches"` // null where none is stated
	Violated         int             `json:"violated"`          // beyond the tolerance
	Worst            []violationJSON `json:"worst"`             // one of each kind that is violated at all
	Violations       []violationJSON `json:"violations"`        // beyond the tolerance, the worst first
}

type violationJSON struct {
	Kind   string   `json:"kind"`
	Name   string   `json:"name"`
	Amount *float64 `json:"amount"` // null where it is infinite
}

// describeJudgement lists most violations at most; nil of nil.
func describeJudgement(j *verify.Judgement, most int) *pointCheckJSON {
	if j == nil {
		return nil
	}
	c := &pointCheckJSON{Tolerance: j.Tolerance, Rounding: j.Rounding, Violated: len(j.Violations),
		Worst: describeViolations(worst(j)), Violations: describeViolations(j.Violations[:min(most, len(j.Violations))])}
	err := j.Err()
	if c.Holds = err == nil; err != nil {
		c.Problem = err.Error()
	}
	if matches := j.ObjectiveMatches(); !math.IsNaN(j.Stated) {
		c.ObjectiveMatches = &matches
	}
	return c
}

func describeViolations(of []mio.Violation) []violationJSON {
	list := make([]violationJSON, len(of))
	for i, v := range of {
		list[i] = violationJSON{v.Kind.String(), v.Name, fit.Known(v.Amount)}
	}
	return list
}

// worst is the worst violation of each kind that is violated at all.
func worst(j *verify.Judgement) []mio.Violation {
	return slices.DeleteFunc(slices.Clone(j.Report.Worst[:]), func(v mio.Violation) bool { return v.Amount <= 0 })
}

// judgementError is fit's for a check that failed, nil where all holds.
func judgementError(j *verify.Judgement) error {
	if err := j.Err(); err != nil {
		return fmt.Errorf("%w: %w", fit.ErrCheck, err)
	}
	return nil
}

// worstText lists the worst violations.
func worstText(j *verify.Judgement) string {
	var list []string
	for _, v := range worst(j) {
		list = append(list, fmt.Sprintf("%s %s %.3g", v.Kind, v.Name, v.Amount))
	}
	return cmp.Or(strings.Join(list, ", "), "nothing is violated")
}

// verdict is that of the check of a point: what it is to say where all holds.
func verdict(j *verify.Judgement, holds string) string {
	if err := j.Err(); err != nil {
		return "FAILED: " + err.Error()
	}
	return holds
}

// existing says of a file that is to be read by others whether it is there.
func existing(path string) error {
	_, err := os.Stat(path)
	return badInput(err)
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

// modelInfoCmd is `octgen model info`.
type modelInfoCmd struct {
	Model string `arg:"" name:"MODEL.mps" help:"Model, plain or gzip, - for standard input."`
	JSON  bool   `name:"json" help:"Print one JSON object instead of text."`
}

// modelInfo is the object that --json prints.
type modelInfo struct {
	File string `json:"file"`
	Name string `json:"name"`
	mio.Stats
	Warning string   `json:"warning,omitempty"` // of the spread of the matrix
	Notes   []string `json:"notes,omitempty"`   // where solvers would read the file otherwise
}

// Run prints the figures.
func (c *modelInfoCmd) Run(a *app) error {
	f, err := a.readModel(c.Model)
	if err != nil {
		return err
	}
	info := &modelInfo{File: f.path, Name: f.m.Name(), Stats: f.m.Stats(), Warning: f.m.CoefRange().Warning(), Notes: f.notes}
	return a.print(c.JSON, info, func(w io.Writer) { printModelInfo(w, f, info) })
}

func printModelInfo(w io.Writer, f *modelFile, s *modelInfo) {
	title := f.base()
	if s.Name != "" {
		title += ", named " + s.Name
	}
	label(w, "model", title)
	objective := s.Sense
	if s.Costs.Max > 0 {
		objective += ", costs " + spreadText(s.Costs)
	}
	if s.Offset != 0 {
		objective += ", constant " + figure(s.Offset)
	}
	label(w, "objective", objective)
	c, r := &s.Columns, &s.Rows
	label(w, "columns", tally(c.Total, []part{{c.Binary, "binary"}, {c.Integer, "integer"}, {c.Continuous, "continuous"}},
		[]part{{c.Free, "free"}, {c.Fixed, "fixed"}, {c.Empty, "in no row"}}))
	label(w, "rows", tally(r.Total, []part{{r.Equal, "="}, {r.Less, "<="}, {r.Greater, ">="}, {r.Range, "with a range"}, {r.Free, "without bounds"}},
		[]part{{r.Quadratic, "quadratic"}, {r.Indicator, "on a condition"}, {r.Empty, "without coefficients"}}))
	label(w, "nonzeros", fmt.Sprintf("%d, %s", s.Nonzeros, spreadText(s.Matrix)))
	label(w, "bounds", spreadText(s.Bounds))
	label(w, "right sides", spreadText(s.RightSides))
	if s.QuadraticCosts+s.QuadraticTerms > 0 {
		label(w, "quadratic", fmt.Sprintf("%s of the objective, %d of rows", count(s.QuadraticCosts, "term", "terms"), s.QuadraticTerms))
	}
	if s.SOS1+s.SOS2 > 0 {
		label(w, "sets", fmt.Sprintf("%d of type 1, %d of type 2", s.SOS1, s.SOS2))
	}
	label(w, "warning", s.Warning)
	for _, n := range s.Notes {
		label(w, "note", n)
	}
}

// part is a number of things of a kind.
type part struct {
	n    int
	kind string
}

// tally writes a total, what it is made of, and what else is to be said of its
// parts; kinds of which there are none are left out.
func tally(total int, of, also []part) string {
	text := fmt.Sprint(total)
	for _, list := range []struct {
		before string
		parts  []part
	}{{": ", of}, {"; ", also}} {
		var said []string
		for _, p := range list.parts {
			if p.n > 0 {
				said = append(said, fmt.Sprintf("%d %s", p.n, p.kind))
			}
		}
		if said != nil {
			text += list.before + strings.Join(said, ", ")
		}
	}
	return text
}

func spreadText(s mio.Spread) string {
	switch {
	case s.Max == 0:
		return "none but 0"
	case s.Min == s.Max:
		return fmt.Sprintf("all %.3g", s.Min)
	}
	return fmt.Sprintf("%.3g to %.3g", s.Min, s.Max)
}

// modelConvertCmd is `octgen model convert`.
type modelConvertCmd struct {
	Model string `arg:"" name:"MODEL.mps" help:"Model, plain or gzip, - for standard input."`

	Dialect string `default:"portable" enum:"${dialects}" help:"Solver the file is for: ${enum}."`
	Format  string `default:"free" enum:"free,fixed" help:"Layout: ${enum}; fixed holds names of at most 8 and numbers of at most 12 characters only."`
	Output  string `short:"o" placeholder:"OUT.mps[.gz]" help:"File to write (default, and -: standard output). A name in .lp gives CPLEX-LP, in .opb OPB for pseudo-Boolean solvers, in .wcnf WCNF for MaxSAT solvers, in .mof.json MathOptFormat for JuMP, in .textproto MPModelProto for OR-Tools; .gz compresses."`
	JSON    bool   `name:"json" help:"Print one JSON object on standard output; needs -o."`
	Quiet   bool   `help:"No summary and no notes."`
}

// modelConverted is the object that --json prints.
type modelConverted struct {
	Model   modelJSON `json:"model"`
	Output  string    `json:"output"`
	Format  string    `json:"format"`
	Dialect string    `json:"dialect"`
	Map     *mps.Map  `json:"map"` // of the model to the file that was written
}

// Run writes the model.
func (c *modelConvertCmd) Run(a *app) error {
	toStdout := c.Output == "" || c.Output == "-"
	if c.JSON && toStdout {
		return badInput(errors.New("--json prints on standard output: give -o a file for the model"))
	}
	if err := errors.Join(distinct(c.Output, c.Model), checkOutput(c.Output)); err != nil {
		return err
	}
	f, err := a.readModel(c.Model)
	if err != nil {
		return err
	}
	opts, err := mpsOptions(c.Dialect, c.Format, fmt.Sprintf("made by octgen %s of %q", version, f.base()))
	if err != nil {
		return err
	}
	ctx, rep, done := a.attended(c.Quiet, onceMore)
	defer done()
	out := modelConverted{Model: f.json(), Output: c.Output, Format: layout(c.Output, c.Format), Dialect: c.Dialect}
	if out.Format != c.Format {
		out.Dialect = ""
	}
	out.Map, err = a.writeModel(ctx, c.Output, f.m, opts)
	if err != nil {
		return err
	}
	beside, err := c.sidecar(context.WithoutCancel(ctx), a, f, out)
	if err != nil {
		return err
	}
	if c.JSON {
		return a.printJSON(out)
	}
	f.tell(rep)
	if beside != "" {
		rep.line("note: " + beside)
	}
	if n := len(out.Map.RenamedCols) + len(out.Map.RenamedRows) + len(out.Map.RenamedSOS); n > 0 {
		rep.line("note: " + count(n, "name", "names") + " that not every solver reads are replaced; comments at the top say which")
	}
	if !toStdout {
		rep.line(fmt.Sprintf("%s: %s, from %s", c.Output, out.Format, f.summary()))
	}
	return nil
}

// sidecar writes the sidecar of a model that has one beside its new file, so that decode reads
// solutions of that too. The text, if any, is a note.
func (c *modelConvertCmd) sidecar(ctx context.Context, a *app, f *modelFile, out modelConverted) (string, error) {
	from, to := fit.SidecarPath(c.Model), sidecarOf(c.Output)
	if c.Model == "-" || to == "" {
		return "", nil
	}
	s, err := readOwn(&input{path: from}, fit.ReadSidecar)
	if err != nil || s.File.Model != f.m.Name() || s.Map.Cols != f.m.NumCols() || s.Map.Rows != f.m.NumRows() {
		return "", nil // it has none
	}
	was := s.Map
	s.Map = *out.Map
	s.Map.Offset, s.Map.Scale = was.Offset, was.Scale
	if distinct(to, from) != nil {
		if !reflect.DeepEqual(was, s.Map) {
			return fmt.Sprintf("%s stays that of %s, and %s has other names of variables: give it another name, so that decode reads its solutions too", filepath.Base(to), f.base(), filepath.Base(c.Output)), nil
		}
		return "", nil
	}
	s.File = fit.SidecarFile{Name: filepath.Base(c.Output), Model: s.File.Model, Format: out.Format, Dialect: c.Dialect}
	if data := s.Data.File; data != "-" && !filepath.IsAbs(filepath.FromSlash(data)) {
		s.Data.File = relativeTo(filepath.Dir(to), filepath.Join(filepath.Dir(from), filepath.FromSlash(data)))
	}
	return filepath.Base(to) + " written beside it, for decode", a.writeFile(ctx, to, s.Write)
}
