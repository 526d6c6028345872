package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
	"github.com/octgen/octgen/tree/export"
	"github.com/octgen/octgen/tree/page"
)

// showCmd is `octgen show`.
type showCmd struct {
	Tree      string    `arg:"" name:"tree.json" help:"Tree, - for standard input."`
	Data      string    `arg:"" optional:"" name:"DATA.csv" help:"Data for the histograms of --format html; best the training set."`
	Format    string    `enum:"text,dot,svg,json,html" default:"text" help:"Format: ${enum}. html is an interactive page."`
	Delimiter delimiter `placeholder:"CHAR" help:"Field delimiter of DATA.csv (default: comma)."`
	Decimals  *int      `placeholder:"N" help:"Number of decimals (default: 12 significant digits, hyperplanes 3; json has all digits)."`
	Output    string    `short:"o" placeholder:"FILE" help:"File to write (default, and -: standard output)."`
}

// Run writes the tree in the format asked for.
func (c *showCmd) Run(a *app) error {
	f, err := c.format()
	if err != nil {
		return err
	}
	if c.Data != "" && c.Format != "html" {
		return badInput(fmt.Errorf("DATA.csv is for --format html, whose histograms show its rows; %s has none", c.Format))
	}
	if err := cmp.Or(oneStdin("tree", c.Tree, "data", c.Data), distinct(c.Output, c.Tree, c.Data)); err != nil {
		return err
	}
	t, err := a.readTree(c.Tree)
	if err != nil {
		return err
	}
	options, err := c.page(a, t, f)
	if err != nil {
		return err
	}
	write := map[string]func(io.Writer, tree.Format) error{"text": t.WriteText, "dot": t.WriteDOT, "svg": t.WriteSVG,
		"json": func(w io.Writer, _ tree.Format) error { return t.WriteJSON(w) },
		"html": func(w io.Writer, _ tree.Format) error { return page.WriteHTML(w, t, options) }}
	return a.writeFile(a.ctx, c.Output, func(w io.Writer) error { return write[c.Format](w, f) })
}

// page is how a page shows the tree: with histograms of the data, if there are any.
func (c *showCmd) page(a *app, t *tree.Tree, f tree.Format) (page.Options, error) {
	o := page.Options{Format: f}
	if c.Format != "html" {
		return o, nil
	}
	if err := page.CheckDepth(t); err != nil {
		return o, badInput(err)
	}
	if c.Data == "" {
		return o, nil
	}
	if t.Encoder == nil {
		return o, noEncoder(c.Tree)
	}
	ds, err := a.input(c.Data).encode(t.Encoder, dataset.EncodeOptions{Unknown: dataset.UnknownOther, Delimiter: rune(c.Delimiter)})
	if err != nil {
		return o, err
	}
	o.Histograms, o.Rows = t.Histograms(ds), ds
	o.Notes = []string{fmt.Sprintf("The histograms are of %s, %s.", filepath.Base(c.Data), count(ds.N(), "row", "rows"))}
	if compareCounts(t, ds) != "" {
		o.Notes[0] += " They are not those that the tree was fitted on, whose numbers and bars stand at the nodes."
	}
	return o, nil
}

// format turns the number of decimals into a tree.Format, in which 0 stands for
// exact numbers and a negative number for none.
func (c *showCmd) format() (tree.Format, error) {
	switch {
	case c.Decimals == nil:
		return tree.Format{}, nil
	case *c.Decimals < 0 || *c.Decimals > 17:
		return tree.Format{}, badInput(fmt.Errorf("--decimals is %d, expected 0 to 17", *c.Decimals))
	case *c.Decimals == 0:
		return tree.Format{Decimals: -1}, nil
	}
	return tree.Format{Decimals: *c.Decimals}, nil
}

// exportCmd is `octgen export`.
type exportCmd struct {
	Tree    string `arg:"" name:"tree.json" help:"Tree, - for standard input."`
	To      string `required:"" placeholder:"TARGET" help:"Language or format: ${targets}."`
	Output  string `short:"o" placeholder:"FILE" help:"File to write (default, and -: standard output)."`
	Unknown string `enum:"error,other" default:"error" help:"Rows with a category unseen in training: no class (error), or none of the categories (other)."`
	Name    string `placeholder:"NAME" help:"Package name (go), prefix (c) or global (javascript) (default octgen)."`
	Dialect string `placeholder:"NAME" help:"SQL dialect: ${sqldialects} (default: the first)."`
	Select  string `placeholder:"TABLE" help:"Write a SELECT over this table ([SCHEMA.]TABLE) with leaf, class and proportions (default: one SQL expression, the class)."`
}

// Run writes the tree for the target.
func (c *exportCmd) Run(a *app) error {
	if err := cmp.Or(distinct(c.Output, c.Tree), checkOutput(c.Output)); err != nil {
		return err
	}
	t, err := a.readTree(c.Tree)
	if err != nil {
		return err
	}
	o := export.Options{Unknown: dataset.UnknownPolicy(c.Unknown), Name: c.Name, Dialect: c.Dialect, Table: c.Select}
	err = a.writeFile(a.ctx, c.Output, func(w io.Writer) error { return export.Write(w, t, c.To, o) })
	if _, refused := errors.AsType[*export.RefusalError](err); refused {
		return badInput(err)
	}
	return err
}

// checkCmd is `octgen check`.
type checkCmd struct {
	Tree string `arg:"" name:"tree.json" help:"Tree, - for standard input."`
	Data string `arg:"" name:"DATA.csv" help:"Training data; with --holdout and --seed as in fit, the whole file."`

	Alpha     *float64  `placeholder:"A" help:"Complexity penalty per split, to recompute the objective."`
	Holdout   float64   `placeholder:"0.25" help:"Fraction of the rows that fit held out."`
	Seed      int       `default:"1" help:"Seed of --holdout."`
	Group     []string  `placeholder:"COLUMN" help:"Group columns, such as sex: report all fairness metrics between their levels."`
	Positive  string    `placeholder:"CLASS" help:"Positive class of the metrics (default: the second of two classes, else each in turn)."`
	Unknown   string    `enum:"error,other" default:"error" help:"Rows with a category unseen in training: ${enum}."`
	Delimiter delimiter `placeholder:"CHAR" help:"Field delimiter (default: recognised; else comma, tab for .tsv and .tab files)."`
	JSON      bool      `name:"json" help:"Print one JSON object instead of text."`
}

// Run compares, node by node, the rows and weights of each class that the tree
// says it was fitted on with those that reach the node. What tree.json does not
// hold (alpha, limits, a bound) cannot be compared.
func (c *checkCmd) Run(a *app) error {
	if err := oneStdin("tree", c.Tree, "data", c.Data); err != nil {
		return err
	}
	if c.Alpha != nil && !(*c.Alpha >= 0 && *c.Alpha <= constraint.MostPrice) {
		return badInput(fmt.Errorf("--alpha is %v; want a number, 0 to %g", *c.Alpha, constraint.MostPrice))
	}
	t, err := a.readTreeForData(c.Tree)
	if err != nil {
		return err
	}
	if !hasCounts(t) {
		return badInput(fmt.Errorf("%s: the tree has no training rows and weights at its nodes, so there is nothing to compare", c.Tree))
	}
	if len(c.Group) > 0 && t.IsRegression() {
		return badInput(errors.New("--group: groups are compared by rates of classes, and this tree predicts numbers"))
	}
	if len(c.Group) > 0 && t.Encoder != nil && t.Encoder.Rewards {
		return badInput(errors.New("--group: groups are compared by rates of classes, and this tree has actions"))
	}
	ds, err := a.input(c.Data).encode(t.Encoder, dataset.EncodeOptions{Groups: c.Group, Unknown: dataset.UnknownPolicy(c.Unknown), Delimiter: rune(c.Delimiter)})
	if err != nil {
		return err
	}
	f := &figures{}
	if c.Holdout != 0 {
		train, test, err := ds.Holdout(c.Holdout, uint64(c.Seed))
		if err != nil {
			return badInput(err)
		}
		if f.Test, err = fit.ScoreGroups(t, ds.Subset(test), c.Positive); err != nil {
			return badInput(err)
		}
		ds = ds.Subset(train)
	}
	f.Data = fit.DescribeData(ds)
	if f.Train, err = fit.ScoreGroups(t, ds, c.Positive); err != nil {
		return badInput(err)
	}
	if c.Alpha != nil {
		obj := t.Objective(ds, *c.Alpha)
		if n := f.Train.Numbers; n != nil {
			obj = n.Objective(*c.Alpha, t.Splits())
		}
		if r := f.Train.Reward; r != nil {
			obj = r.Total - *c.Alpha*float64(t.Splits())
		}
		f.Train.Objective = &obj
	}
	problem := compareCounts(t, ds)
	f.Check = &fit.Check{ErrorsMatch: problem == "", Problem: problem}
	if err := a.print(c.JSON, f, func(w io.Writer) { c.print(w, t, ds, f) }); err != nil {
		return err
	}
	if problem != "" {
		return fmt.Errorf("%w: %s", fit.ErrCheck, problem)
	}
	return nil
}

func (c *checkCmd) print(w io.Writer, t *tree.Tree, ds *dataset.Dataset, f *figures) {
	if f.Train.Objective != nil {
		label(w, "objective", objectiveText(&fit.Result{Tree: t, Train: f.Train}, ds, &problem.OCT{Shape: problem.Shape{Price: problem.Price{Alpha: *c.Alpha}}}))
	}
	printScores(w, f.Train, f.Test)
	for i := range t.Nodes {
		n := &t.Nodes[i]
		switch {
		case !n.Leaf():
		case n.Reward != nil && n.Reward[n.Class] < slices.Max(n.Reward):
			label(w, "note", fmt.Sprintf("leaf %d answers %s, which is not what earns most of its training rows", i, t.Classes[n.Class]))
		case n.Reward == nil && n.Weight[n.Class] < slices.Max(n.Weight):
			label(w, "note", fmt.Sprintf("leaf %d answers %s, which is not the majority of its training rows", i, t.Classes[n.Class]))
		}
	}
	if f.Check.OK() {
		what := "rows and weights per class"
		if t.IsPolicy() {
			what = "rows and rewards"
		}
		label(w, "check", fmt.Sprintf("%s: agree at all %s", what, count(len(t.Nodes), "node", "nodes")))
	}
}

// hasCounts reports whether every node says what was fitted on.
func hasCounts(t *tree.Tree) bool {
	return !slices.ContainsFunc(t.Nodes, func(n tree.Node) bool { return n.Count == nil || n.Weight == nil })
}

// compareCounts says the first thing in which the training rows and weights of
// t differ from those of ds, "" if nothing does.
func compareCounts(t *tree.Tree, ds *dataset.Dataset) string {
	if !hasCounts(t) {
		return "the tree has no training rows and weights"
	}
	recounted := t.Clone()
	recounted.Annotate(ds)
	if was, is := total(t.Nodes[0].Count), total(recounted.Nodes[0].Count); was != is {
		return fmt.Sprintf("the tree was fitted on %s rows, the data has %s: it is not the training data (octgen predict tests a tree on other data; --holdout and --seed repeat fit's division)", figure(was), figure(is))
	}
	for i := range t.Nodes {
		was, is := &t.Nodes[i], &recounted.Nodes[i]
		for k, class := range t.Classes {
			if was.Count[k] != is.Count[k] {
				return fmt.Sprintf("node %d, rows of class %s: %v in the tree, %v in the data", i, class, was.Count[k], is.Count[k])
			}
			if math.Abs(was.Weight[k]-is.Weight[k]) > 1e-9*max(was.Weight[k], is.Weight[k]) {
				return fmt.Sprintf("node %d, weight of class %s: %v in the tree, %v in the data", i, class, was.Weight[k], is.Weight[k])
			}
			if was.Value != nil && is.Value != nil && math.Abs(*was.Value-*is.Value) > 1e-9*math.Abs(*is.Value) {
				return fmt.Sprintf("node %d, value: %v in the tree, %v in the data", i, *was.Value, *is.Value)
			}
			if was.Reward != nil && is.Reward != nil && math.Abs(was.Reward[k]-is.Reward[k]) > 1e-9*(1+math.Abs(is.Reward[k])) {
				return fmt.Sprintf("node %d, reward of action %s: %v in the tree, %v in the data", i, class, was.Reward[k], is.Reward[k])
			}
		}
	}
	return ""
}

// figures is what check and predict print with --json: parts of fit's object.
type figures struct {
	Data  fit.Data    `json:"data"`
	Train *fit.Scores `json:"train,omitempty"` // on the data that the tree was fitted on
	Test  *fit.Scores `json:"test,omitempty"`  // on all other data
	Check *fit.Check  `json:"check,omitempty"`

	Examined *dataset.Examination `json:"examined,omitempty"` // of describe

	Incomplete int `json:"incomplete,omitempty"` // rows without a prediction, for want of a value
}
