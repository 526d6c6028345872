package main

import (
	"cmp"
	"fmt"
	"io"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/page"
)

// showCmd is `octgen show`.
type showCmd struct {
	Tree      string    `arg:"" name:"tree.json" help:"Tree, - for standard input."`
	Data      string    `arg:"" optional:"" name:"DATA.csv" help:"Of --format html: data, whose rows the page shows as histograms; best those that the tree was fitted on."`
	Format    string    `enum:"text,dot,svg,json,html" default:"text" help:"Format: ${enum}. html is a page for a browser: branches fold, a row that is entered shows its path, a questionnaire."`
	Delimiter delimiter `placeholder:"CHAR" help:"Character between fields of DATA.csv (default: a comma)."`
	Decimals  *int      `placeholder:"N" help:"Decimals of numbers (default: 12 significant digits, of hyperplanes 3; json has all)."`
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
	if c.Tree != "-" {
		o.Title = c.Tree
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
	o.Histograms = t.Histograms(ds)
	o.Notes = []string{fmt.Sprintf("The histograms are of %s, %s.", c.Data, count(ds.N(), "row", "rows"))}
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
