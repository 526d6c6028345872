package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/internal/spreadsheet"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/score"
)

// predictCmd is `octgen predict`.
type predictCmd struct {
	Tree string `arg:"" name:"tree.json" help:"Tree, - for standard input."`
	Data string `arg:"" name:"DATA.csv" help:"Data with the feature columns of the tree; class and weight are optional."`

	ID             []string  `name:"id" sep:"none" placeholder:"COL" help:"Column to copy to the output (repeatable)."`
	Keep           bool      `help:"Copy all columns to the output, after those of --id."`
	Unknown        string    `enum:"error,other" default:"error" help:"Rows with a category unseen in training: ${enum}."`
	SkipIncomplete bool      `help:"Skip rows with missing values that the tree cannot impute (default: empty class)."`
	Delimiter      delimiter `placeholder:"CHAR" help:"Field delimiter (default: recognised; else comma, tab for .tsv and .tab files)."`
	Sheet          string    `placeholder:"NAME" help:"Sheet of an Excel workbook (default: that of training, or the first one)."`
	Output         string    `short:"o" placeholder:"FILE" help:"Predictions, CSV (default, and -: standard output): line, class, leaf, class proportions of the leaf (policies: mean rewards), and the columns of --id or --keep."`
	JSON           bool      `name:"json" help:"Print metrics as one JSON object, if all rows have a class or rewards; predictions go to -o only."`
}

// Run predicts every row.
func (c *predictCmd) Run(a *app) error {
	if err := cmp.Or(oneStdin("tree", c.Tree, "data", c.Data), distinct(c.Output, c.Tree, c.Data), checkOutput(c.Output)); err != nil {
		return err
	}
	t, err := a.readTreeForData(c.Tree)
	if err != nil {
		return err
	}
	in := a.input(c.Data)
	opts := dataset.EncodeOptions{
		Unknown: dataset.UnknownPolicy(c.Unknown), SkipIncomplete: c.SkipIncomplete, KeepIncomplete: !c.SkipIncomplete, KeepColumns: c.ID, KeepAll: c.Keep, Delimiter: rune(c.Delimiter), Sheet: c.Sheet,
	}
	rows, err := in.rows(t.Encoder, opts)
	if err != nil {
		return err
	}
	scored := c.JSON || c.Output != "" && c.Output != "-"
	if c.Output != "" || !c.JSON {
		err := a.writeFile(a.ctx, c.Output, func(w io.Writer) error { return writePredictions(w, t, rows) })
		if err != nil {
			return err
		}
	}
	n := incomplete(rows)
	if n > 0 {
		what := "class"
		if t.IsRegression() {
			what = "prediction"
		}
		a.remark(c.Data, 0, "the %s of %s is left empty: a value is missing, and training had no missing values there to learn from (--skip-incomplete leaves such rows out)", what, count(n, "row", "rows"))
	}
	if !scored {
		return nil
	}
	f, err := a.predictFigures(in, t, rows, opts)
	if err != nil {
		return err
	}
	f.Incomplete = n
	return a.print(c.JSON, f, func(w io.Writer) { printScores(w, f.Train, f.Test) })
}

// remark says something of a data file, of one of its lines where that is not 0.
func (a *app) remark(file string, line int, format string, args ...any) {
	fmt.Fprintln(a.stderr, "octgen:", (&dataset.Error{File: file, Line: line, Msg: fmt.Sprintf(format, args...)}).Error())
}

// incomplete counts the rows that have no prediction.
func incomplete(rows *dataset.Rows) int {
	n := 0
	for _, is := range rows.Incomplete {
		if is {
			n++
		}
	}
	return n
}

// predictFigures scores the predictions if all rows have their classes: those of
// the data that the tree was fitted on, known by its counts, as train, others as test.
func (a *app) predictFigures(in *input, t *tree.Tree, rows *dataset.Rows, opts dataset.EncodeOptions) (*figures, error) {
	f := &figures{Data: fit.Data{
		File: rows.Source.File, Rows: rows.N(), Features: len(rows.Features), Classes: len(t.Classes), SHA256: rows.Source.SHA256,
	}}
	if rows.Y == nil || incomplete(rows) == rows.N() {
		return f, nil
	}
	if i := slices.Index(rows.Y, -1); i >= 0 {
		if t.IsPolicy() {
			a.remark(rows.Source.File, rows.Line[i], "no scores: a reward is missing, or no number")
			return f, nil
		}
		if t.IsRegression() {
			a.remark(rows.Source.File, rows.Line[i], "no scores: the number in column %q is missing, or none", t.Encoder.Target)
			return f, nil
		}
		a.remark(rows.Source.File, rows.Line[i], "no scores: the class in column %q is missing, or one that training did not have", t.Encoder.Target)
		return f, nil
	}
	if !rows.Weighted {
		a.remark(rows.Source.File, 0, "no column %q, which had the weights: the scores are those of rows of weight 1", t.Encoder.Weight)
	}
	opts.SkipIncomplete, opts.Unweighted = true, true
	ds, err := in.encode(t.Encoder, opts) // with weights, which rows have not
	if err != nil {
		return nil, err
	}
	if scores := fit.Score(t, ds); compareCounts(t, ds) == "" { // the training data
		f.Train, f.Check = scores, &fit.Check{ErrorsMatch: true}
	} else {
		f.Test = scores
	}
	return f, nil
}

// writePredictions writes one line per row, with the columns that are kept of it.
func writePredictions(w io.Writer, t *tree.Tree, rows *dataset.Rows) error {
	header := []string{"line", "class", "leaf"}
	figure, figures := "share_", leafShares(t)
	classes := t.Classes
	switch {
	case t.IsPolicy():
		figure, figures = "reward_", leafRewards(t)
	case t.IsRegression():
		header[1], classes, figures = "prediction", nil, make([][]string, len(t.Nodes))
	}
	for _, class := range classes {
		header = append(header, figure+class)
	}
	for _, name := range rows.KeptNames {
		header = append(header, newName(name, header))
	}
	return writeCSV(w, header, rows.N(), func(line []string, i int) []string {
		line = append(line, strconv.Itoa(rows.Line[i]))
		if rows.Incomplete != nil && rows.Incomplete[i] {
			line = append(line, make([]string, 2+len(classes))...)
		} else {
			leaf := t.Find(rows.Row(i))
			answer := spreadsheet.Text(t.Classes[t.Nodes[leaf].Class])
			if t.IsRegression() {
				answer = strconv.FormatFloat(*t.Nodes[leaf].Value, 'g', -1, 64)
			}
			line = append(line, answer, strconv.Itoa(leaf))
			line = append(line, figures[leaf]...)
		}
		if rows.Kept != nil {
			for _, text := range rows.Kept[i] {
				line = append(line, spreadsheet.Text(text))
			}
		}
		return line
	})
}

// newName is a column's name in a header; where there is one of that name it gets
// data_ in front.
func newName(name string, header []string) string {
	name = spreadsheet.Text(name)
	for slices.Contains(header, name) {
		name = "data_" + name
	}
	return name
}

// leafShares returns the share of each class in the training weight at each
// leaf, as text; empty fields where no training row came.
func leafShares(t *tree.Tree) [][]string {
	texts := make([][]string, len(t.Nodes))
	for i, shares := range score.Shares(t) {
		if !t.Nodes[i].Leaf() {
			continue
		}
		texts[i] = make([]string, len(t.Classes))
		for k, share := range shares {
			texts[i][k] = strconv.FormatFloat(share, 'g', 6, 64)
		}
	}
	return texts
}

// leafRewards are the mean rewards of the actions on the training rows of each leaf, by
// node; empty where no training row came.
func leafRewards(t *tree.Tree) [][]string {
	texts := make([][]string, len(t.Nodes))
	for i := range t.Nodes {
		mean := t.Nodes[i].MeanRewards()
		texts[i] = make([]string, len(t.Classes))
		for k, r := range mean {
			texts[i][k] = strconv.FormatFloat(r, 'g', 6, 64)
		}
	}
	return texts
}
