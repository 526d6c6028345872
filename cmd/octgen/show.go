package main

import (
	"fmt"
	"io"

	"github.com/octgen/octgen/tree"
)

// showCmd is `octgen show`.
type showCmd struct {
	Tree     string `arg:"" name:"tree.json" help:"Tree, - for standard input."`
	Format   string `enum:"text,dot,svg,json" default:"text" help:"Format: ${enum}."`
	Decimals *int   `placeholder:"N" help:"Decimals of numbers (default: 12 significant digits, of hyperplanes 3; json has all)."`
	Output   string `short:"o" placeholder:"FILE" help:"File to write (default, and -: standard output)."`
}

// Run writes the tree in the format asked for.
func (c *showCmd) Run(a *app) error {
	f, err := c.format()
	if err != nil {
		return err
	}
	t, err := a.readTree(c.Tree)
	if err != nil {
		return err
	}
	write := map[string]func(io.Writer, tree.Format) error{"text": t.WriteText, "dot": t.WriteDOT, "svg": t.WriteSVG,
		"json": func(w io.Writer, _ tree.Format) error { return t.WriteJSON(w) }}
	return a.writeFile(a.ctx, c.Output, func(w io.Writer) error { return write[c.Format](w, f) })
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
