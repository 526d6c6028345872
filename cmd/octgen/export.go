package main

import (
	"cmp"
	"errors"
	"io"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree/export"
)

// exportCmd is `octgen export`.
type exportCmd struct {
	Tree    string `arg:"" name:"tree.json" help:"Tree, - for standard input."`
	To      string `required:"" placeholder:"TARGET" help:"Language or format: ${targets}."`
	Output  string `short:"o" placeholder:"FILE" help:"File to write (default, and -: standard output)."`
	Unknown string `enum:"error,other" default:"error" help:"Rows with a category that training did not have: no class (error), or none of the categories (other)."`
	Name    string `placeholder:"NAME" help:"Package of go, and what the names of c begin with, global of javascript in a page (default octgen)."`
	Dialect string `placeholder:"NAME" help:"Dialect of sql: ${sqldialects} (default the first)."`
	Select  string `placeholder:"TABLE" help:"Make of sql a statement over this table: its columns, the leaf, the class and the shares (default: one expression, the class). A point stands between schema and table."`
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
