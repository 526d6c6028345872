package experiments

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/octgen/octgen/internal/atomicfile"
)

// Write makes the folder's tables again: summary.csv, times.csv, report.md and
// report.html. All but times.csv and the parts of report.html that show times (its
// elements with the attribute data-times) are the same for any number of workers
// and interruptions where proof or a work limit ended all tasks.
func (s *Summary) Write(dir string) error {
	for _, f := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{"summary.csv", func(w io.Writer) error { return writeCSV(w, s.Rows) }},
		{"times.csv", func(w io.Writer) error { return writeCSV(w, s.Times) }},
		{"report.md", s.markdown},
		{HTMLFile, func(w io.Writer) error { return s.html(w, dir) }},
	} {
		if err := atomicfile.Write(filepath.Join(dir, f.name), f.write); err != nil {
			return fmt.Errorf("cannot write %s: %w", filepath.Join(dir, f.name), err)
		}
	}
	return nil
}

// writeCSV writes one line per data, method and metric; what does not apply is
// empty.
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
	line := []string{r.Data, r.Method, r.Metric, strconv.Itoa(r.N), strconv.Itoa(r.Failed), f(r.Mean), f(r.StdError), f(r.Min), f(r.Max)}
	if c := r.Versus; c != nil {
		line = append(line, c.Baseline, strconv.Itoa(c.Pairs), strconv.Itoa(c.Wins), strconv.Itoa(c.Ties), strconv.Itoa(c.Losses),
			f(c.Difference), f(c.Low), f(c.High))
	} else {
		line = append(line, make([]string, 8)...)
	}
	if r.Paper != nil {
		return append(line, f(*r.Paper), f(r.Mean-*r.Paper))
	}
	return append(line, "", "")
}

// grid is the table of one metric: data by methods, the comparison with the
// baseline below.
func (s *Summary) grid(metric string) [][]string {
	methods := s.Spec.methodNames()
	lines := [][]string{append([]string{"data"}, methods...)}
	data := s.Spec.dataNames()
	if len(data) > 1 {
		data = append(data, allData)
	}
	for _, d := range data {
		line := []string{d}
		for _, m := range methods {
			line = append(line, cell(s.find(d, m, metric)))
		}
		lines = append(lines, line)
	}
	if len(methods) == 1 || !isCompared(metric) {
		return lines
	}
	baselines, differences, counts := []string{"baseline"}, []string{s.Spec.lessBaseline()}, []string{"wins/ties/losses"}
	for _, m := range methods {
		r := s.find(data[len(data)-1], m, metric)
		baselines = append(baselines, s.Spec.baselineOf(m))
		differences = append(differences, difference(r.Versus))
		counts = append(counts, outcomes(r.Versus))
	}
	if !s.Spec.oneBaseline() {
		lines = append(lines, baselines)
	}
	return append(lines, differences, counts)
}

// cell is a figure with its standard error and the paper's figure.
func cell(r *Row) string {
	text := number(r.Mean, 2)
	switch {
	case text == "" && r.Failed > 0:
		text = "failed"
	case text == "":
		text = "-"
	}
	if e := number(r.StdError, 2); e != "" {
		text += " ± " + e
	}
	if r.Paper != nil {
		text += " [" + strconv.FormatFloat(*r.Paper, 'g', -1, 64) + "]"
	}
	return text
}

// difference is a comparison's mean difference with its interval.
func difference(c *Comparison) string {
	switch {
	case c == nil || c.Pairs == 0:
		return ""
	case math.IsNaN(c.Low):
		return number(c.Difference, 2)
	}
	return fmt.Sprintf("%s (%s to %s)", number(c.Difference, 2), number(c.Low, 2), number(c.High, 2))
}

// outcomes counts a comparison's wins, ties and losses.
func outcomes(c *Comparison) string {
	if c == nil || c.Pairs == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d/%d", c.Wins, c.Ties, c.Losses)
}

// caption explains the table of a metric.
func (s *Summary) caption(x metric) string {
	text := fmt.Sprintf("%s: %s; mean ± standard error", x.name, x.doc)
	if s.Spec.hasReference(x.name) {
		paper := s.Spec.Reference.Paper
		if paper == "" {
			paper = "reference"
		}
		text += ", [" + paper + "]"
	}
	return text
}

// tables are the metrics that people are shown, where there is anything to show:
// the usual ones, and those that a paper has figures of.
func (s *Summary) tables() []metric {
	var shown []metric
	for _, x := range metrics() {
		any, limited := false, false
		for i := range s.Rows {
			if r := &s.Rows[i]; r.Metric == x.name {
				any = any || r.N > 0
				limited = limited || r.Max > 0
			}
		}
		switch x.name {
		case TestError, "train_error", "splits", "proved", "true_discovery", "false_discovery":
		case "time_limited":
			any = limited
		default:
			any = any && s.Spec.hasReference(x.name)
		}
		if any {
			shown = append(shown, x)
		}
	}
	return shown
}

// Print writes the tables as text.
func (s *Summary) Print(w io.Writer) error {
	for _, x := range s.tables() {
		fmt.Fprintln(w, s.caption(x))
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for _, line := range s.grid(x.name) {
			fmt.Fprintln(t, "  "+strings.TrimRight(strings.Join(line, "\t"), "\t"))
		}
		if err := t.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	_, err := io.WriteString(w, s.state())
	return err
}

// state says how much of the experiment the figures are of.
func (s *Summary) state() string {
	text := fmt.Sprintf("%d of %d tasks done, %d failed\n", s.Done, s.Tasks, len(s.Failed))
	for i, r := range s.Failed {
		if i == 10 {
			return text + fmt.Sprintf("  and %d more, see %s\n", len(s.Failed)-i, resultsFile)
		}
		text += "  " + failure(&r) + "\n"
	}
	return text
}

// failure is a failed task in one line.
func failure(r *Record) string {
	return fmt.Sprintf("%s/%s/%s: %s", r.Data, r.Method, r.Split, strings.ReplaceAll(r.Error, "\n", " "))
}

// markdown writes report.md.
func (s *Summary) markdown(w io.Writer) error {
	fmt.Fprintf(w, "# %s\n\nMade by octgen %s. %s\n", escape(s.Spec.Name), escape(s.Version), escape(s.howTested()))
	for _, x := range s.tables() {
		fmt.Fprintf(w, "\n## %s\n\n%s.\n\n", x.name, escape(s.caption(x)))
		for i, line := range s.grid(x.name) {
			for j := range line {
				line[j] = escape(line[j])
			}
			fmt.Fprintf(w, "| %s |\n", strings.Join(line, " | "))
			if i == 0 {
				fmt.Fprintf(w, "|%s\n", strings.Repeat("---|", len(line)))
			}
		}
	}
	fmt.Fprintf(w, "\n## Tasks\n\n%d of %d done, %d failed.\n", s.Done, s.Tasks, len(s.Failed))
	for _, r := range s.Failed {
		fmt.Fprintf(w, "- %s\n", escape(failure(&r)))
	}
	if note := s.Spec.Reference.Note; note != "" {
		fmt.Fprintf(w, "\n## Reference\n\n%s\n", escape(note))
	}
	_, err := fmt.Fprintf(w, "\n## Spec\n\n%s\n", fenced(string(s.Spec.Text)))
	return err
}

func (s *Summary) howTested() string {
	e := s.Spec.Evaluate
	how := ""
	switch {
	case !slices.ContainsFunc(s.Spec.Data, func(d Data) bool { return !d.hasTest() }):
		how = "Tested on the generated data's own test points. "
	case e.Folds > 0:
		how = fmt.Sprintf("%d-fold cross-validation, repeats: %d, seed %d. ", e.Folds, e.Repeats, e.Seed)
	case e.Holdout > 0:
		how = fmt.Sprintf("Holdout of %v, repeats: %d, seed %d. ", e.Holdout, e.Repeats, e.Seed)
	}
	return how + fmt.Sprintf("Differences are with %s; intervals have %v %% confidence.", s.Spec.baselineText(), 100*Confidence)
}

// escape keeps Markdown from reading a text as anything but text.
func escape(text string) string {
	return strings.NewReplacer("\\", "\\\\", "|", "\\|", "<", "&lt;", ">", "&gt;", "&", "&amp;", "*", "\\*", "_", "\\_", "`", "\\`", "\n", " ").Replace(text)
}

// fenced is a code block that its text cannot close.
func fenced(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "yaml\n" + strings.TrimRight(text, "\n") + "\n" + fence
}
