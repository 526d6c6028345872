package main

import (
	"fmt"
	"path/filepath"

	"github.com/octgen/octgen/experiments/report"
	runs "github.com/octgen/octgen/experiments/run"
)

// tables writes a folder's tables and prints them; failed tasks make it an error.
func (a *app) tables(dir string, failed int) error {
	s, err := report.Summarise(dir)
	if err != nil {
		return err
	}
	if err := s.Write(dir); err != nil {
		return err
	}
	if err := s.Print(a.stdout); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "written to %s, %s and %s\n", filepath.Join(dir, "summary.csv"), filepath.Join(dir, "report.md"), filepath.Join(dir, report.HTMLFile))
	a.stdout.Flush() // before standard error
	if lost := s.LostTreesText(); lost != "" {
		fmt.Fprintln(a.stderr, "octgen:", lost)
	}
	return someFailed(failed)
}

// someFailed is the error of a run with failed tasks, nil for none.
func someFailed(failed int) error {
	if failed == 0 {
		return nil
	}
	return fmt.Errorf("%s failed; --retry runs them again", count(failed, "task", "tasks"))
}

// part says what one of several processes that share a folder has done: the tables are
// for the one that gathers.
func (a *app) part(what, dir string, o *runs.Outcome) {
	fmt.Fprintf(a.stdout, "%s: %d of %s done, %d failed; octgen collect %s gathers what all have\n", what, o.Done, count(o.Total, "task", "tasks"), o.Failed, dir)
	a.stdout.Flush() // before standard error
}
