package report

import (
	"fmt"
	"io"
	"strings"
)

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
