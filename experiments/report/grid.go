package report

import (
	"slices"

	"github.com/octgen/octgen/experiments/metric"
)

// grid is the table of one metric as text.
func (s *Summary) grid(x metric.Metric) [][]string {
	lines := s.metricTable(x).lines()
	if n := len(lines); x.Compared && !s.Spec.OneBaseline() {
		// In text the baselines come before what is compared with them.
		lines = slices.Concat(lines[:n-3], lines[n-1:], lines[n-3:n-1])
	}
	return lines
}

// lines are the cells of a table as text, the heading first.
func (t *htmlTable) lines() [][]string {
	var head []string
	for _, h := range t.Head {
		head = append(head, h.Text)
	}
	lines := [][]string{head}
	for _, row := range t.Rows {
		line := []string{row.Head}
		for _, c := range row.Cells {
			line = append(line, c.text())
		}
		lines = append(lines, line)
	}
	return lines
}

// text is the cell on a line.
func (c *htmlCell) text() string {
	text := c.Text
	if text == dash {
		text = "-"
	}
	if c.Error != "" {
		text += " ± " + c.Error
	}
	if c.Paper != "" {
		text += " [" + c.Paper + "]"
	}
	return text
}
