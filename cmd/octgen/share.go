package main

import (
	"fmt"
	"io"
	"time"

	runs "github.com/octgen/octgen/experiments/run"
)

// collectCmd is `octgen collect`.
type collectCmd struct {
	Dir string `arg:"" name:"DIR" help:"Folder that shards or jobs of a run share."`
}

// Run gathers the results and makes the tables.
func (c *collectCmd) Run(a *app) error {
	if err := a.collect(c.Dir); err != nil {
		return err
	}
	return a.tables(c.Dir, 0)
}

// collect gathers the results of a folder, and warns of what is odd about them.
func (a *app) collect(dir string) error {
	g, err := runs.Collect(dir)
	if err != nil {
		return err
	}
	if g.Version != version {
		fmt.Fprintf(a.stderr, "octgen: warning: %s holds results of octgen %s, gathered by %s: what only the other one knows of them stays in the journals\n", dir, g.Version, version)
	}
	if damaged := runs.DamageText(g.Damaged); damaged != "" {
		fmt.Fprintln(a.stderr, "octgen: warning:", damaged)
	}
	return nil
}

// statusCmd is `octgen status`.
type statusCmd struct {
	Dir  string `arg:"" name:"DIR" help:"Folder of a run."`
	JSON bool   `name:"json" help:"Print a JSON object."`
}

// Run prints the status.
func (c *statusCmd) Run(a *app) error {
	s, err := runs.ReadStatus(c.Dir)
	if err != nil {
		return err
	}
	return a.print(c.JSON, s, func(w io.Writer) { printStatus(w, s, time.Now()) })
}

// printStatus prints the counts of all, of each method and of each writer.
func printStatus(w io.Writer, s *runs.Status, now time.Time) {
	fmt.Fprintf(w, "%s: %d of %s done, %d failed, %d missing\n", printable(s.Name), s.Done, count(s.Tasks, "task", "tasks"), s.Failed, s.Missing)
	width := 0
	for _, m := range s.Methods {
		width = max(width, cells(printable(m.Method)))
	}
	for _, m := range s.Methods {
		name := printable(m.Method)
		fmt.Fprintf(w, "  %s%*s  %d of %d done, %d failed\n", name, width-cells(name), "", m.Done, m.Tasks, m.Failed)
	}
	for _, x := range s.Writers {
		fmt.Fprintf(w, "%s: %s, %d failed, the last one %s ago\n", x.Name, count(x.Done, "result", "results"), x.Failed, roughly(now.Sub(x.Last)))
	}
	if damaged := runs.DamageText(s.Damaged); damaged != "" {
		fmt.Fprintln(w, damaged)
	}
}
