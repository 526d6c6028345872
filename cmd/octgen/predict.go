package main

import (
	"cmp"
	"io"
	"slices"
	"strconv"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/tree"
)

// predictCmd is `octgen predict`.
type predictCmd struct {
	Tree string `arg:"" name:"tree.json" help:"Tree, - for standard input."`
	Data string `arg:"" name:"DATA.csv" help:"Data with the columns that the tree was fitted on; class and weight need not be there."`

	Unknown        string    `enum:"error,other" default:"error" help:"Rows with a category that training did not have: ${enum}."`
	SkipIncomplete bool      `help:"Leave out rows with a missing value that the tree has nothing to put for (default: an error)."`
	Delimiter      delimiter `placeholder:"CHAR" help:"Character between fields (default: a comma, in files named .tsv or .tab a tab)."`
	Output         string    `short:"o" placeholder:"FILE" help:"Predictions, as CSV (default, and -: standard output): line of the data file, class, leaf (node of tree.json), and per class its share of the training weight at the leaf."`
	JSON           bool      `name:"json" help:"Print figures as one JSON object, where all rows have their classes with scores: under test or, of the data that the tree was fitted on, under train; the predictions go to -o only."`
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
	opts := dataset.EncodeOptions{Unknown: dataset.UnknownPolicy(c.Unknown), SkipIncomplete: c.SkipIncomplete, Delimiter: rune(c.Delimiter)}
	rows, err := in.rows(t.Encoder, opts)
	if err != nil {
		return err
	}
	if c.Output != "" || !c.JSON {
		err := a.writeFile(a.ctx, c.Output, func(w io.Writer) error { return writePredictions(w, t, rows) })
		if err != nil {
			return err
		}
	}
	if !c.JSON {
		return nil
	}
	f, err := predictFigures(in, t, rows, opts)
	if err != nil {
		return err
	}
	return a.printJSON(f)
}

// predictFigures scores the predictions if all rows have their classes: those of
// the data that the tree was fitted on, known by its counts, as train, others as test.
func predictFigures(in *input, t *tree.Tree, rows *dataset.Rows, opts dataset.EncodeOptions) (*figures, error) {
	f := &figures{Data: fit.Data{
		File: rows.Source.File, Rows: rows.N(), Features: len(rows.Features), Classes: len(t.Classes), SHA256: rows.Source.SHA256,
	}}
	if rows.Y == nil || slices.Contains(rows.Y, -1) {
		return f, nil
	}
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

// writePredictions writes one line per row.
func writePredictions(w io.Writer, t *tree.Tree, rows *dataset.Rows) error {
	header := []string{"line", "class", "leaf"}
	for _, class := range t.Classes {
		header = append(header, "share_"+class)
	}
	shares := leafShares(t)
	return writeCSV(w, header, rows.N(), func(line []string, i int) []string {
		leaf := t.Find(rows.Row(i))
		line = append(line, strconv.Itoa(rows.Line[i]), t.Classes[t.Nodes[leaf].Class], strconv.Itoa(leaf))
		return append(line, shares[leaf]...)
	})
}

// leafShares returns the share of each class in the training weight at each
// leaf, as text; empty fields where no training row came.
func leafShares(t *tree.Tree) [][]string {
	shares := make([][]string, len(t.Nodes))
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if !n.Leaf() {
			continue
		}
		shares[i] = make([]string, len(t.Classes))
		all := total(n.Weight)
		for k, w := range n.Weight {
			if all > 0 {
				shares[i][k] = strconv.FormatFloat(w/all, 'g', 6, 64)
			}
		}
	}
	return shares
}
