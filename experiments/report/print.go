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
		fmt.Fprintln(w, s.caption(x))
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for _, line := range s.grid(x) {
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
