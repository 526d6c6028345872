package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/octgen/octgen/internal/atomicfile"
	"github.com/octgen/octgen/internal/spreadsheet"
)

// Write rewrites the folder's tables: summary.csv, times.csv, report.md, report.html, solving.csv
// for methods that prove optimality, and frontier.csv for frontiers. If all tasks ended by proof or
// a work limit, all files except times.csv, solving.csv and the parts of report.html that show
// times (elements with the attribute data-times) do not depend on the number of workers or on
// interruptions.
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

// writeCSV writes one line per data, method and metric; fields that do not apply are empty.
func writeCSV(w io.Writer, rows []Row) error {
	c := csv.NewWriter(w)
	header := "data,method,metric,n,failed,mean,std_error,min,max,baseline,pairs,wins,ties,losses,difference,difference_low,difference_high,paper,paper_difference"
	lines := [][]string{strings.Split(header, ",")}
	for i := range rows {
		lines = append(lines, csvLine(&rows[i]))
	}
	return c.WriteAll(lines)
}

func csvLine(r *Row) []string {
	f := func(v float64) string {
		if math.IsNaN(v) {
			return ""
		}
		return strconv.FormatFloat(v+0, 'g', 10, 64)
	}
	line := []string{spreadsheet.Text(r.Data), spreadsheet.Text(r.Method), r.Metric, strconv.Itoa(r.N), strconv.Itoa(r.Failed), f(r.Mean), f(r.StdError), f(r.Min), f(r.Max)}
	if c := r.Versus; c != nil {
		line = append(line, spreadsheet.Text(c.Baseline), strconv.Itoa(c.Pairs), strconv.Itoa(c.Wins), strconv.Itoa(c.Ties), strconv.Itoa(c.Losses),
			f(c.Difference), f(c.Low), f(c.High))
	} else {
		line = append(line, make([]string, 8)...)
	}
	if r.Paper != nil {
		return append(line, f(*r.Paper), f(r.Mean-*r.Paper))
	}
	return append(line, "", "")
}

// markdown writes report.md.
func (s *Summary) markdown(w io.Writer) error {
	fmt.Fprintf(w, "# %s\n\nMade by octgen %s. %s\n", escape(s.Spec.Name), escape(s.Version), escape(s.howTested()))
	for _, x := range s.tables() {
		markdownTable(w, x.Name, s.caption(x)+".", s.grid(x))
	}
	for _, t := range s.tradeoffs() {
		markdownTable(w, t.title(), guarantee, t.table().lines())
	}
	if t := s.keptTable(); t != nil {
		markdownTable(w, "Constraints", guarantee, t.lines())
	}
	fmt.Fprintf(w, "\n## Tasks\n\n%d of %d done, %d failed.\n", s.Done, s.Tasks, len(s.Failed))
	for _, r := range s.Failed {
		fmt.Fprintf(w, "- %s\n", escape(failure(&r)))
	}
	if text := s.proofs(); text != "" {
		fmt.Fprintf(w, "\n%s\n", text)
	}
	if note := s.Spec.Reference.Note; note != "" {
		fmt.Fprintf(w, "\n## Reference\n\n%s\n", escape(note))
	}
	_, err := fmt.Fprintf(w, "\n## Spec\n\n%s\n", fenced(string(s.Spec.Text)))
	return err
}

// markdownTable writes a table under a heading.
func markdownTable(w io.Writer, title, caption string, lines [][]string) {
	fmt.Fprintf(w, "\n## %s\n\n%s\n\n", strings.ReplaceAll(escape(title), `\_`, "_"), escape(caption))
	for i, line := range lines {
		for j := range line {
			line[j] = escape(line[j])
		}
		fmt.Fprintf(w, "| %s |\n", strings.Join(line, " | "))
		if i == 0 {
			fmt.Fprintf(w, "|%s\n", strings.Repeat("---|", len(line)))
		}
	}
}

// Print writes the tables as text.
func (s *Summary) Print(w io.Writer) error {
	for _, x := range s.tables() {
		if err := printTable(w, s.caption(x), s.grid(x)); err != nil {
			return err
		}
	}
	for _, t := range s.tradeoffs() {
		if err := printTable(w, t.title()+"; guaranteed on training rows only", t.table().lines()); err != nil {
			return err
		}
	}
	if t := s.keptTable(); t != nil {
		if err := printTable(w, "constraints: "+keptCaption, t.lines()); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, s.state())
	return err
}

// printTable writes a table with its caption.
func printTable(w io.Writer, caption string, lines [][]string) error {
	fmt.Fprintln(w, caption)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, line := range lines {
		fmt.Fprintln(t, "  "+strings.TrimRight(strings.Join(line, "\t"), "\t"))
	}
	err := t.Flush()
	fmt.Fprintln(w)
	return err
}
