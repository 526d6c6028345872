package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/score"
)

// compareCmd is `octgen compare`.
type compareCmd struct {
	A    string `arg:"" name:"a.json" help:"A tree, - for standard input."`
	B    string `arg:"" name:"b.json" help:"Another tree for the same class column."`
	Data string `arg:"" name:"DATA.csv" help:"Labelled data, not used to fit either tree."`

	Unknown   string    `enum:"error,other" default:"error" help:"Rows with a category unseen in training: ${enum}."`
	Delimiter delimiter `placeholder:"CHAR" help:"Field delimiter (default: recognised; else comma, tab for .tsv and .tab files)."`
	JSON      bool      `name:"json" help:"Print one JSON object instead of text."`
}

// comparison is what compare prints with --json.
type comparison struct {
	Data    fit.Data      `json:"data"`     // rows are those that both trees read
	LeftOut int           `json:"left_out"` // rows with a missing value that one of them has nothing to put for
	A       comparedTree  `json:"a"`
	B       comparedTree  `json:"b"`
	McNemar *score.Paired `json:"mcnemar,omitempty"` // of classes

	LossDifference *score.Difference `json:"loss_difference,omitempty"` // of numbers: a's squared errors, or losses of the quantile, less b's

	// CostsOf is the tree, a or b, whose matrix of costs the costs of both are by; both
	// where theirs are the same, each where either has its own and they cannot be held
	// against each other, since the trees know different classes.
	CostsOf        string            `json:"costs_of,omitempty"`
	CostDifference *score.Difference `json:"cost_difference,omitempty"` // a's less b's
}

// comparedTree is one of the two trees.
type comparedTree struct {
	File   string      `json:"file"`
	Fitted bool        `json:"fitted"` // on these very rows
	Test   *fit.Scores `json:"test"`

	tree *tree.Tree
	rows *dataset.Dataset
}

// Run predicts the rows that both trees can read.
func (c *compareCmd) Run(a *app) error {
	if err := cmp.Or(oneStdin("first tree", c.A, "second tree", c.B), oneStdin("tree", c.A, "data", c.Data), oneStdin("tree", c.B, "data", c.Data)); err != nil {
		return err
	}
	in := a.input(c.Data)
	x := &comparison{A: comparedTree{File: c.A}, B: comparedTree{File: c.B}}
	for _, t := range []*comparedTree{&x.A, &x.B} {
		if err := t.read(a, in, dataset.EncodeOptions{Unknown: dataset.UnknownPolicy(c.Unknown), Delimiter: rune(c.Delimiter), SkipIncomplete: true}); err != nil {
			return err
		}
	}
	if target, other := x.A.tree.Encoder.Target, x.B.tree.Encoder.Target; target != other {
		return badInput(fmt.Errorf("the trees predict different columns: %s %q, %s %q", c.A, target, c.B, other))
	}
	if x.A.tree.IsRegression() != x.B.tree.IsRegression() {
		return badInput(errors.New("one of the trees predicts numbers, the other one classes"))
	}
	if err := x.score(c.Data); err != nil {
		return err
	}
	return a.print(c.JSON, x, x.print)
}

// read reads the tree and, with its encoder, the data.
func (t *comparedTree) read(a *app, in *input, opts dataset.EncodeOptions) (err error) {
	if t.tree, err = a.readTreeForData(t.File); err != nil {
		return err
	}
	if t.rows, err = in.encode(t.tree.Encoder, opts); err != nil {
		return err
	}
	t.Fitted = compareCounts(t.tree, t.rows) == ""
	if t.rows.Kind() == dataset.Rewards {
		return badInput(errors.New("octgen compare is of classes or numbers, not of rewards of actions: `octgen fit --method policy`, `octgen check` and `octgen predict` say what a tree earns"))
	}
	return nil
}

// score fills the comparison in, on the rows that both trees have.
func (x *comparison) score(file string) error {
	all := x.A.rows.Source.Rows
	x.A.rows, x.B.rows = x.A.common(x.B.rows), x.B.common(x.A.rows)
	if x.A.rows.N() == 0 {
		return badInput(fmt.Errorf("%s: no row has all the values that both trees need", file))
	}
	x.CostsOf = shareCosts(x.A.rows, x.B.rows)
	x.Data = fit.DescribeData(x.A.rows)
	x.LeftOut = all - x.A.rows.N()
	var right [2][]bool
	for i, t := range []*comparedTree{&x.A, &x.B} {
		t.Test = fit.Score(t.tree, t.rows)
		for row, y := range t.rows.Y {
			right[i] = append(right[i], t.tree.Predict(t.rows.Row(row)) == y)
		}
	}
	if x.A.tree.IsRegression() {
		q := x.A.rows.Quantile
		if x.B.rows.Quantile != q {
			return badInput(errors.New("the trees predict different quantiles of the column"))
		}
		x.LossDifference = score.NewDifference(lossesOf(x.A.tree, x.A.rows, q), lossesOf(x.B.tree, x.B.rows, q))
		return nil
	}
	x.McNemar = score.NewPaired(right[0], right[1])
	if x.CostsOf != "" && x.CostsOf != ofEach {
		x.CostDifference = score.NewDifference(costsOf(x.A.tree, x.A.rows), costsOf(x.B.tree, x.B.rows))
	}
	return nil
}

// common are the tree's rows that begin on lines of the others.
func (t *comparedTree) common(others *dataset.Dataset) *dataset.Dataset {
	var rows []int
	for i, line := range t.rows.Line {
		if _, has := slices.BinarySearch(others.Line, line); has { // lines ascend
			rows = append(rows, i)
		}
	}
	return t.rows.Subset(rows)
}

// print writes a table of figures and the test.
func (x *comparison) print(w io.Writer) {
	text := fmt.Sprintf("%s: %s", x.Data.File, count(x.Data.Rows, "row", "rows"))
	if x.LeftOut > 0 {
		text += fmt.Sprintf("; %s left out, with a missing value that one of the trees has nothing to put for", count(x.LeftOut, "row", "rows"))
	}
	label(w, "data", text)
	label(w, "A", x.A.File+x.A.warning())
	label(w, "B", x.B.File+x.B.warning())
	fmt.Fprintln(w)
	printTable(w, append([][]string{{"", "A", "B"}}, x.figures()...))
	fmt.Fprintln(w)
	if d := x.LossDifference; d != nil {
		of := "squared errors"
		if x.A.rows.Quantile > 0 {
			of = "losses of the quantile"
		}
		label(w, "test", fmt.Sprintf("p = %s (paired permutation of the %s, %s): %s", figure(d.PValue), of, d.Test, verdictOf(d, "the trees predict the same", "hardly chance: A is better", "hardly chance: B is better")))
		return
	}
	m := x.McNemar
	label(w, "rows", fmt.Sprintf("both right %d, only A %d, only B %d, both wrong %d", m.BothRight, m.OnlyA, m.OnlyB, m.BothWrong))
	label(w, "McNemar", fmt.Sprintf("p = %s (%s): %s", figure(m.PValue), m.Test, x.verdict()))
	printCosts(w, x.CostsOf, x.B.tree.Encoder.CostMatrix != nil, x.CostDifference)
}

// warning says that the figures of a tree flatter it.
func (t *comparedTree) warning() string {
	if t.Fitted {
		return " (fitted on these rows, which flatters it)"
	}
	return ""
}

// verdict says in words what the test does.
func (x *comparison) verdict() string {
	m := x.McNemar
	switch {
	case m.OnlyA+m.OnlyB == 0:
		return "the trees are right on the same rows"
	case m.PValue >= significance:
		return "the difference may be chance"
	case m.OnlyA > m.OnlyB:
		return "hardly chance: A is better"
	}
	return "hardly chance: B is better"
}

// figures are the lines of the table, without those that neither tree has a figure for.
func (x *comparison) figures() [][]string {
	var lines [][]string
	add := func(name string, of func(*fit.Scores) string) {
		if a, b := of(x.A.Test), of(x.B.Test); a != "" || b != "" {
			lines = append(lines, []string{name, cmp.Or(a, "-"), cmp.Or(b, "-")})
		}
	}
	known := func(v *float64, format string, scale float64) string {
		if v == nil {
			return ""
		}
		return fmt.Sprintf(format, scale**v)
	}
	if x.A.tree.IsRegression() {
		add("RMSE", func(s *fit.Scores) string { return figure(s.Numbers.RMSE) })
		add("MAE", func(s *fit.Scores) string { return figure(s.Numbers.MAE) })
		add("R2", func(s *fit.Scores) string { return known(s.Numbers.R2, "%.4f", 1) })
		add("splits", func(s *fit.Scores) string { return fmt.Sprint(s.Splits) })
		return lines
	}
	add("wrong rows", func(s *fit.Scores) string { return figure(s.Errors) })
	if x.A.Test.Cost != nil || x.B.Test.Cost != nil {
		add("cost", func(s *fit.Scores) string { return known(s.Cost, "%.6g", 1) })
	}
	add("error, %", func(s *fit.Scores) string { return fmt.Sprintf("%.2f", 100*(1-s.Accuracy)) })
	add("balanced error, %", func(s *fit.Scores) string { return known(s.BalancedError, "%.2f", 100) })
	add("AUC", func(s *fit.Scores) string { return known(s.AUC, "%.3f", 1) })
	add("log loss", func(s *fit.Scores) string { return known(s.LogLoss, "%.3f", 1) })
	add("splits", func(s *fit.Scores) string { return fmt.Sprint(s.Splits) })
	for _, c := range x.A.Test.PerClass {
		add("recall of "+className(c.Class), func(s *fit.Scores) string { return recallOf(s, c.Class) })
	}
	return lines
}

// recallOf is the recall of a class with three digits, "" for none.
func recallOf(s *fit.Scores, class string) string {
	for _, c := range s.PerClass {
		if c.Class == class && c.Recall != nil {
			return rate(c.Recall)
		}
	}
	return ""
}

// The values of comparison.CostsOf, beside none.
const (
	ofA    = "a"
	ofB    = "b"
	ofBoth = "both"
	ofEach = "each"
)

// shareCosts has the rows a and b, the same ones as two trees read them, cost the same:
// by A's matrix, or where A has none by B's. It returns whose that is.
func shareCosts(a, b *dataset.Dataset) (of string) {
	switch {
	case a.Cost == nil && b.Cost == nil:
		return ""
	case !slices.Equal(a.Classes, b.Classes):
		return ofEach
	case a.Cost == nil:
		a.Cost = b.Cost
		return ofB
	case b.Cost != nil && slices.Equal(a.Cost, b.Cost):
		return ofBoth
	}
	b.Cost = a.Cost
	return ofA
}

// costsOf are what the tree's answers cost, row by row.
func costsOf(t *tree.Tree, rows *dataset.Dataset) []float64 {
	costs := make([]float64, rows.N())
	for i := range costs {
		costs[i] = rows.CostsOf(i)[t.Predict(rows.Row(i))]
	}
	return costs
}

// lossesOf are the squared errors of a tree, or its losses of the quantile q, row by row.
func lossesOf(t *tree.Tree, rows *dataset.Dataset, q float64) []float64 {
	losses := make([]float64, rows.N())
	for i, y := range rows.Target {
		d := y - t.Value(rows.Row(i))
		if losses[i] = d * d; q > 0 {
			losses[i] = dataset.NumberLoss(d, q)
		}
	}
	return losses
}

// significance is the level of verdicts in words.
const significance = 0.05

// printCosts says by which matrix the costs are, another one than B's own, if other, and
// what the test of them does.
func printCosts(w io.Writer, of string, other bool, d *score.Difference) {
	text := ""
	switch of {
	case "":
		return
	case ofA:
		text = "by the cost matrix of A, for both"
		if other {
			text += "; that of B is another one"
		}
	case ofB:
		text = "by the cost matrix of B, for both"
	case ofBoth:
		text = "by the cost matrix that both have"
	case ofEach:
		text = "each by its own cost matrix, since the trees know different classes: not to be compared"
	}
	label(w, "costs", text)
	if d == nil {
		return
	}
	mean := fmt.Sprintf("A costs %s per row more than B", asIs(d.Mean))
	if d.Mean < 0 {
		mean = fmt.Sprintf("A costs %s per row less than B", asIs(-d.Mean))
	}
	if d.StandardError != nil {
		mean += fmt.Sprintf(" (standard error %s)", asIs(*d.StandardError))
	}
	verdict := verdictOf(d, "the trees cost the same on every row", "hardly chance: A is cheaper", "hardly chance: B is cheaper")
	label(w, "cost test", fmt.Sprintf("%s; p = %s (%s): %s", mean, figure(d.PValue), d.Test, verdict))
}

// verdictOf says in words what a paired test of losses does.
func verdictOf(d *score.Difference, same, a, b string) string {
	switch {
	case d.Differ == 0:
		return same
	case d.PValue >= significance:
		return "the difference may be chance"
	case d.Mean < 0:
		return a
	}
	return b
}
