package report

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/octgen/octgen/internal/atomicfile"
)

// Write makes the folder's tables again: summary.csv, times.csv, report.md, report.html, of
// methods that prove solving.csv, and of frontiers frontier.csv. All but times.csv,
// solving.csv and the parts of report.html that show times (its elements with the attribute
// data-times) are the same for any number of workers and interruptions where proof or a
// work limit ended all tasks.
func (s *Summary) Write(dir string) error {
	type file struct {
		name  string
		write func(io.Writer) error
	}
	files := []file{
		{"summary.csv", func(w io.Writer) error { return writeCSV(w, s.Rows) }},
		{"times.csv", func(w io.Writer) error { return writeCSV(w, s.Times) }},
		{"report.md", s.markdown},
		{HTMLFile, func(w io.Writer) error { return s.html(w, dir) }},
	}
	if s.solved() != nil {
		files = append(files, file{"solving.csv", s.writeSolving})
	}
	if s.tradeoffs() != nil {
		files = append(files, file{"frontier.csv", s.writeFrontiers})
	}
	for _, f := range files {
		if err := atomicfile.Write(filepath.Join(dir, f.name), f.write); err != nil {
			return fmt.Errorf("cannot write %s: %w", filepath.Join(dir, f.name), err)
		}
	}
	return nil
}

// HTMLFile is the name of the report for browsers.
const HTMLFile = "report.html"
