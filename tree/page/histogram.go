package page

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// drawing is a histogram as paths of one class each, stacked, in a box as wide as it has
// bins.
type drawing struct {
	Bins, Below int
	Paths       []classPath
	Min, Max    string // at the ends
	Label       string // for those who do not see it
}

type classPath struct {
	Color int
	D     string
}

// histogramHeight is the height of the box.
const histogramHeight = 30

// draw draws a histogram; nil for one without rows.
func (w *viewer) draw(h *tree.Histogram) *drawing {
	bins := len(h.Rows[0])
	stack := make([]float64, bins)
	below, most, all := 0.0, 0.0, 0.0
	for i := range stack {
		height := 0.0
		for k := range h.Rows {
			height += h.Rows[k][i]
		}
		if i < h.Below {
			below += height
		}
		all += height
		most = max(most, height)
	}
	if all == 0 {
		return nil
	}
	d := &drawing{Bins: bins, Below: h.Below}
	d.Min, d.Max = w.ends(h)
	d.Label = fmt.Sprintf("Histogram from %s to %s: %s left of the threshold, %s right", d.Min, d.Max, rows(below), number(all-below))
	for k, counts := range h.Rows {
		var path strings.Builder
		for i, c := range counts {
			if c > 0 {
				fmt.Fprintf(&path, "M%d %sv-%sh1v%[3]sz", i, height(most-stack[i], most), height(c, most))
				stack[i] += c
			}
		}
		if path.Len() > 0 {
			d.Paths = append(d.Paths, classPath{k % colors, path.String()})
		}
	}
	return d
}

// height is a part of the box's height.
func height(part, whole float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(histogramHeight*part/whole, 'f', 1, 64), ".0")
}

// ends are the words at the ends: of the mark of a category whether the condition holds,
// of an ordinal column its categories, of dates the dates.
func (w *viewer) ends(h *tree.Histogram) (low, high string) {
	c, n := w.conditions[h.Node], &w.tree.Nodes[h.Node]
	if w.meanings == nil || len(n.Split.Terms) > 1 {
		return short(h.Min), short(h.Max)
	}
	switch m := w.meanings[n.Split.Terms[0].Feature]; {
	case m.Column.Date != nil && !m.Missing && n.Split.Terms[0].Weight == 1:
		low, _ = m.Column.Date.Cut(h.Min)
		high, _ = m.Column.Date.Cut(h.Max)
		return cmp.Or(low, short(h.Min)), cmp.Or(high, short(h.Max))
	case m.Category < 0 && !m.Missing && m.Column.Kind != dataset.Ordinal:
	case m.Column.Kind == dataset.Ordinal && h.Min >= 0 && h.Max < float64(len(m.Column.Categories)):
		return Clean(m.Column.Categories[int(h.Min)]), Clean(m.Column.Categories[int(h.Max)])
	case h.Min == h.Max:
	case c.Yes == n.Left:
		return "yes", "no"
	default:
		return "no", "yes"
	}
	return short(h.Min), short(h.Max)
}

// short is a number at the end of an axis.
func short(v float64) string { return strconv.FormatFloat(v+0, 'g', 4, 64) }
