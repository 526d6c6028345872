package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// checkCmd is `octgen check`.
type checkCmd struct {
	Tree string `arg:"" name:"tree.json" help:"Tree, - for standard input."`
	Data string `arg:"" name:"DATA.csv" help:"The data that the tree was fitted on; with --holdout and --seed as in fit, the whole of it."`

	Alpha     *float64  `placeholder:"A" help:"Price of a split: recompute the objective, too."`
	Holdout   float64   `placeholder:"0.25" help:"Part of the rows that fit set aside."`
	Seed      int       `default:"1" help:"Seed of --holdout."`
	Group     []string  `placeholder:"COLUMN" help:"Columns of groups, such as sex: report every fairness metric between their levels."`
	Positive  string    `placeholder:"CLASS" help:"Class whose rates the metrics compare (default: of two classes the second, of more each in turn)."`
	Unknown   string    `enum:"error,other" default:"error" help:"Rows with a category that training did not have: ${enum}."`
	Delimiter delimiter `placeholder:"CHAR" help:"Character between fields (default: a comma, in files named .tsv or .tab a tab)."`
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

	Incomplete int `json:"incomplete,omitempty"` // rows without a prediction, for want of a value
}
