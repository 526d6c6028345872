package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

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
