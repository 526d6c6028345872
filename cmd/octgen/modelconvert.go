package main

import (
	"errors"
	"fmt"

	"github.com/octgen/octgen/mps"
)

// modelConvertCmd is `octgen model convert`.
type modelConvertCmd struct {
	Model string `arg:"" name:"MODEL.mps" help:"Model, plain or gzip, - for standard input."`

	Dialect string `default:"portable" enum:"${dialects}" help:"Solver the file is for: ${enum}."`
	Format  string `default:"free" enum:"free,fixed" help:"Layout: ${enum}; fixed holds names of at most 8 and numbers of at most 12 characters only."`
	Output  string `short:"o" placeholder:"OUT.mps[.gz]" help:"File to write (default, and -: standard output). A name in .lp or .lp.gz gives CPLEX-LP."`
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
	if isLP(c.Output) {
		out.Dialect = ""
	}
	out.Map, err = a.writeModel(ctx, c.Output, f.m, opts)
	if err != nil {
		return err
	}
	if c.JSON {
		return a.printJSON(out)
	}
	f.tell(rep)
	if n := len(out.Map.RenamedCols) + len(out.Map.RenamedRows) + len(out.Map.RenamedSOS); n > 0 {
		rep.line("note: " + count(n, "name", "names") + " that not every solver reads are replaced; comments at the top say which")
	}
	if !toStdout {
		rep.line(fmt.Sprintf("%s: %s, from %s", c.Output, out.Format, f.summary()))
	}
	return nil
}
