package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/alecthomas/kong"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// fitCmd is `octgen fit`.
type fitCmd struct {
	Data string `arg:"" name:"DATA.csv" help:"Labelled data."`

	Method string `default:"oct" group:"Model" help:"Method; octgen methods lists them."`
	methodFlags
	fit.Settings

	Test    string  `placeholder:"FILE" xor:"test" group:"Data" help:"Test set, CSV."`
	Holdout float64 `placeholder:"0.25" xor:"test" group:"Data" help:"Fraction of the rows held out for testing."`
	Unknown string  `enum:"error,other" default:"error" group:"Data" help:"Test rows with a category unseen in training: ${enum}."`
	dataFlags

	Log     string `placeholder:"FILE" group:"Output" help:"Write the solver's log to this file (- for standard error)."`
	Output  string `short:"o" placeholder:"tree.json" group:"Output" help:"Save the tree."`
	Proof   string `placeholder:"FILE[.gz]" group:"Output" help:"Save a proof of the result that octgen proof check and other programs verify."`
	JSON    bool   `name:"json" group:"Output" help:"Print one JSON object instead of text."`
	Verbose bool   `group:"Output" help:"Print the full report: confusion matrix, checks."`
	Quiet   bool   `group:"Output" help:"No progress and no warnings."`
}

// searchLimit is the time limit of an exact search if none is given.
const searchLimit = time.Minute

// Run fits, prints and saves.
func (c *fitCmd) Run(a *app, parsed *kong.Context) error {
	choice, err := c.choice(parsed, c.Method, c.Start)
	if err != nil {
		return err
	}
	m := choice.Method
	opts, err := c.options(choice)
	if err != nil {
		return err
	}
	if c.Output == "-" {
		return badInput(errors.New("fit prints its report on standard output: give -o a file, or use --json"))
	}
	var unlogged error
	if c.Log != "" {
		unlogged = badInput(c.CheckLog(m))
	}
	paths := errors.Join(distinct(c.Output, c.Data, c.Test, c.Log), distinct(c.Log, c.Data, c.Test, c.Start), distinct(c.Proof, c.Data, c.Test, c.Start, c.Output, c.Log))
	if c.Proof == "-" {
		return badInput(errors.New("--proof: give a file; standard output has the report"))
	}
	if err := cmp.Or(paths, unlogged, checkOutput(c.Output), checkOutput(c.Proof)); err != nil {
		return err
	}
	if err := a.loadStart(c.Start, &opts); err != nil {
		return err
	}
	ds, err := c.load(a, &opts)
	if err != nil {
		return err
	}
	if ds.Kind() == dataset.Numbers && !given(parsed, "method") { // the usual method of numbers
		read := opts
		if choice, err = c.choice(parsed, "ort", c.Start); err != nil {
			return err
		}
		if opts, err = c.options(choice); err != nil {
			return err
		}
		m, opts.Test, opts.Start, opts.StartTree, opts.StartName = choice.Method, read.Test, read.Start, read.StartTree, read.StartName
	}
	if opts.Method, err = a.forData(a.ctx, m, ds); err != nil {
		return err
	}
	if c.Proof != "" {
		if err := badInput(fit.CheckProof(opts)); err != nil {
			return err
		}
	}
	closeLog, err := a.openLog(c.Log, &opts.Solve)
	if err != nil {
		return err
	}
	ctx, rep, done := a.attended(c.Quiet, solverStop)
	rep.limit(duration(c.TimeLimit))
	tell := sync.OnceFunc(func() { c.tellRead(a, rep, ds, opts.Test) })
	if starts := choice.Starters(); starts != nil && given(parsed, "criterion") {
		rep.warn(fmt.Sprintf("--criterion grows the tree that %s starts from; the result minimises what %[1]s does (--method %s grows by it alone)",
			m.Info().Name, starts[0].Info().Name))
	}
	opts.Notify = func(e fit.Event) {
		tell() // once there is work, and no mistake in the flags
		rep.event(e)
		if a.progress != nil && e.Progress != nil {
			a.progress(e.Progress)
		}
	}
	res, err := fit.Run(ctx, ds, opts)
	if res != nil {
		tell()
	}
	var unproved error // which loses no tree
	if res != nil && err == nil && c.Proof != "" {
		rep.line("writing the proof file")
		unproved = c.prove(ctx, a, ds, res)
	}
	done()
	logErr := closeLog()
	if res == nil {
		return errors.Join(err, logErr)
	}
	if (err == nil || errors.Is(err, fit.ErrSolver) || errors.Is(err, fit.ErrCheck) && res.Kept()) && c.Output != "" {
		err = errors.Join(err, a.writeFile(a.ctx, c.Output, res.Tree.WriteJSON))
	}
	err = errors.Join(err, logErr, unproved)
	if printErr := a.print(c.JSON, res, func(w io.Writer) { printFit(w, res, ds, opts.Method, c.Verbose) }); printErr != nil {
		return errors.Join(err, printErr)
	}
	if err == nil && res.Limit == mio.LimitInterrupt.String() {
		return errInterrupted
	}
	return err
}

// prove writes the proof file of a result.
func (c *fitCmd) prove(ctx context.Context, a *app, ds *dataset.Dataset, res *fit.Result) error {
	file, err := fit.Prove(ctx, ds, res, c.Proof, c.Holdout != 0, cmp.Or(c.Threads, runtime.GOMAXPROCS(0)))
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("%w; there was no time for the proof file", errInterrupted)
	case err != nil:
		return err
	}
	err = a.writeFile(a.ctx, c.Proof, func(w io.Writer) error {
		_, err := w.Write(file)
		return err
	})
	if err != nil {
		res.Proof = nil
		if res.Tree.Fit != nil {
			res.Tree.Fit.Proof = nil
		}
	}
	return err
}

// options are those of a fit by the chosen method.
func (c *fitCmd) options(choice *problem.Choice) (fit.Options, error) {
	opts, err := c.Settings.Options(choice.Method)
	if err != nil {
		return opts, badInput(err)
	}
	opts.Starters = choice.Starters()
	if c.TimeLimit == 0 {
		opts.SearchLimit = searchLimit
	}
	return opts, nil
}

// tellRead tells what was read, with --json only what looks wrong in it.
func (c *fitCmd) tellRead(a *app, rep *reporter, ds, test *dataset.Dataset) {
	if c.JSON {
		rep.warnings(ds.Reading.Warnings)
		return
	}
	printRead(a.stdout, ds, test, c.Test, !c.Quiet)
	_ = a.stdout.Flush() // what it cannot take is told at the end
}

// load reads the training data and sets the test data in opts.
func (c *fitCmd) load(a *app, opts *fit.Options) (*dataset.Dataset, error) {
	in, load := a.input(c.Data), withGroups(c.dataFlags.LoadOptions(), opts.Method)
	unknown := dataset.UnknownPolicy(c.Unknown)
	if c.Holdout != 0 {
		train, test, err := in.loadHoldout(load, c.Holdout, uint64(c.Seed), unknown)
		opts.Test = test
		return train, err
	}
	ds, err := in.load(load)
	if err != nil || c.Test == "" {
		return ds, err
	}
	if err := oneStdin("data", c.Data, "test data", c.Test); err != nil {
		return nil, err
	}
	opts.Test, err = a.input(c.Test).encode(ds.Encoder, dataset.EncodeOptions{Unknown: unknown, Delimiter: load.Delimiter})
	return ds, err
}

// loadStart sets the start in opts: a name, or the tree in a file.
func (a *app) loadStart(start string, opts *fit.Options) error {
	if fit.NamesStart(start) {
		opts.Start = start
		return nil
	}
	t, err := a.readTree(start)
	if err != nil {
		return badInput(fmt.Errorf("--start: %w; the starts are %s, or the path of a tree.json", err, fit.StartsText()))
	}
	opts.StartTree, opts.StartName = t, start
	return nil
}

// openLog makes the solver's log go to the file at path.
func (a *app) openLog(path string, opts *solvers.Options) (close func() error, err error) {
	switch path {
	case "":
		return func() error { return nil }, nil
	case "-":
		opts.Log = a.stderr
		return func() error { return nil }, nil
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, writeError(path, err)
	}
	log := &logFile{f: f}
	opts.Log = log
	return log.close, nil
}

// logFile remembers that it could not be written: solvers pass over that.
type logFile struct {
	f   *os.File
	err error
}

func (l *logFile) Write(p []byte) (int, error) {
	n, err := l.f.Write(p)
	if l.err == nil {
		l.err = err
	}
	return n, err
}

func (l *logFile) close() error {
	if err := errors.Join(l.err, l.f.Close()); err != nil {
		return fmt.Errorf("cannot write the log: %w", err)
	}
	return nil
}

// How many columns or classes a line lists, in how many characters, and of how many
// columns it says that values are missing.
const (
	mostNames = 12
	mostWidth = 90
	mostGaps  = 4
)

// printRead prints what was read for a fit, before anything is made of it: the
// training file and, where there are, the rows to test the tree on, those of testFile
// or a part of it.
func printRead(w io.Writer, ds, test *dataset.Dataset, testFile string, warnings bool) {
	d := fit.DescribeData(ds)
	printData(w, &d, warnings)
	switch {
	case test == nil:
	case testFile == "":
		label(w, "holdout", fmt.Sprintf("%d for training, %d for testing", ds.N(), test.N()))
	default:
		text := fmt.Sprintf("%s of %s", count(test.Source.Rows, "row", "rows"), printable(testFile))
		if dropped := test.Source.Rows - test.N(); dropped > 0 {
			text += fmt.Sprintf(", %d of them dropped since a value is missing", dropped)
		}
		label(w, "test data", text)
	}
	fmt.Fprintln(w)
}

// printData prints what was read of a training file.
func printData(w io.Writer, d *fit.Data, warnings bool) {
	label(w, "data", readText(d))
	for _, text := range d.Recognised {
		label(w, "recognised", text)
	}
	of := func(kind dataset.ReadKind, text func(c *dataset.ReadColumn) string) string {
		var list []string
		for i := range d.Columns {
			if c := &d.Columns[i]; c.Kind == kind {
				list = append(list, text(c))
			}
		}
		return few(list)
	}
	name := func(c *dataset.ReadColumn) string { return printable(c.Name) }
	label(w, "numbers", of(dataset.ReadNumber, func(c *dataset.ReadColumn) string {
		if c.Format != "" {
			return fmt.Sprintf("%s (%s)", name(c), c.Format)
		}
		return name(c)
	}))
	counted := func(c *dataset.ReadColumn) string { return fmt.Sprintf("%s (%d)", name(c), c.Categories) }
	label(w, "categories", of(dataset.ReadCategory, counted))
	label(w, "dates", of(dataset.ReadDate, func(c *dataset.ReadColumn) string {
		return fmt.Sprintf("%s (%s, days since %s)", name(c), c.Format, c.First)
	}))
	label(w, "rewards", of(dataset.ReadReward, name))
	label(w, "weight", of(dataset.ReadWeight, name))
	label(w, "groups", of(dataset.ReadGroup, counted))
	label(w, "ignored", of(dataset.ReadIgnored, func(c *dataset.ReadColumn) string {
		if c.Reason != "" {
			return fmt.Sprintf("%s (%s; --keep-columns keeps it)", name(c), c.Reason)
		}
		return name(c)
	}))
	switch {
	case d.Numbers != nil:
		label(w, "target", of(dataset.ReadClass, name)+": "+numbersText(d.Numbers))
	case d.Actions == nil:
		label(w, "class", of(dataset.ReadClass, name)+": "+classesText(d.Reading.Classes))
	default:
		label(w, "actions", actionsText(d.Actions))
	}
	if d.CostMatrix != nil {
		label(w, "costs", costsText(d.Reading.Classes, d.CostMatrix))
	}
	if warnings {
		for _, text := range d.Warnings {
			label(w, "warning", printable(text))
		}
	}
}

// numbersText says what is to be predicted.
func numbersText(n *dataset.NumberSummary) string {
	return fmt.Sprintf("numbers from %s to %s, mean %s", figure(n.Least), figure(n.Most), figure(n.Mean))
}

// classesText lists classes with their rows.
func classesText(classes []dataset.ClassRows) string {
	var list []string
	for _, c := range classes {
		list = append(list, fmt.Sprintf("%s %d", printable(c.Class), c.Rows))
	}
	return few(list)
}

// costsText says what answers cost, as --cost-matrix has it: without what is as usual.
func costsText(classes []dataset.ClassRows, costs [][]float64) string {
	var list []string
	for i, row := range costs {
		for k, c := range row {
			if usual := i != k; usual && c != 1 || !usual && c != 0 {
				list = append(list, fmt.Sprintf("%s:%s=%s", printable(classes[i].Class), printable(classes[k].Class), strconv.FormatFloat(c, 'g', -1, 64)))
			}
		}
	}
	return few(append(list, "other wrong answers 1, right ones 0"))
}

// actionsText says what each action earns if it is taken for all rows.
func actionsText(actions []dataset.ActionRewards) string {
	var list []string
	for _, a := range actions {
		list = append(list, fmt.Sprintf("%s %s", printable(a.Action), asIs(a.Mean)))
	}
	return "mean reward " + few(list)
}

// readText says how many rows were read, and why some of them were dropped.
func readText(d *fit.Data) string {
	text := count(d.Reading.Rows, "row", "rows")
	if d.Unlabelled > 0 {
		text += fmt.Sprintf(", %d of them without a class and left out", d.Unlabelled)
	}
	incomplete := d.Dropped - d.Unlabelled
	if incomplete == 0 {
		if gaps := gapsText(d.Columns); gaps != "" {
			text += ", with values missing in " + gaps
		}
		return text
	}
	return fmt.Sprintf("%s, %d of them dropped since a value is missing: in %s (--missing mean or category keeps such rows)", text, incomplete, gapsText(d.Columns))
}

// gapsText names the columns with most values missing.
func gapsText(columns []dataset.ReadColumn) string {
	gaps := slices.DeleteFunc(slices.Clone(columns), func(c dataset.ReadColumn) bool { return c.Missing == 0 })
	slices.SortStableFunc(gaps, func(a, b dataset.ReadColumn) int { return cmp.Compare(b.Missing, a.Missing) })
	var list []string
	for _, c := range gaps[:min(len(gaps), mostGaps)] {
		list = append(list, fmt.Sprintf("%s %d", printable(c.Name), c.Missing))
	}
	if more := len(gaps) - mostGaps; more > 0 {
		list = append(list, count(more, "other column", "other columns"))
	}
	return strings.Join(list, ", ")
}

// few lists the first of the texts, one at least, and says how many there are.
func few(texts []string) string {
	width := 0
	for i, text := range texts {
		width += len(text) + len(", ")
		if i > 0 && (i == mostNames || width > mostWidth) {
			return fmt.Sprintf("%s, ... (%d in all)", strings.Join(texts[:i], ", "), len(texts))
		}
	}
	return strings.Join(texts, ", ")
}
