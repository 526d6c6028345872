package report

import (
	"bytes"
	"fmt"
	"html/template"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/octgen/octgen/experiments/metric"
	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/tree"
)

// A page has the trees of all splits up to manyTrees, beyond that those of the
// first split of each data, and in all at most treeBytes of drawings.
const (
	manyTrees = 300
	treeBytes = 12 << 20
)

// treeSection draws the trees of the folder, nil for none. Those that are lost are
// named.
func (s *Summary) treeSection(dir string) (*treeSection, error) {
	if len(s.trees)+len(s.LostTrees) == 0 {
		return nil, nil
	}
	g := &treeGatherer{dir: dir, have: s.trees, firstOnly: len(s.trees) > manyTrees}
	sec := &treeSection{Lost: s.LostTreesText()}
	for _, d := range s.Spec.DataNames() {
		group := treeGroup{}
		n := 0
		for _, m := range s.Spec.MethodNames() {
			trees, err := g.gather(s.of(d, m))
			if err != nil {
				return nil, err
			}
			if len(trees) > 0 {
				group.Methods = append(group.Methods, treeMethod{counted(m, len(trees)), trees})
				n += len(trees)
			}
		}
		if n > 0 {
			group.Title = counted(d, n)
			sec.Groups = append(sec.Groups, group)
		}
	}
	sec.Note = g.note()
	return sec, nil
}

func counted(name string, n int) string {
	if n == 1 {
		return name + ": 1 tree"
	}
	return fmt.Sprintf("%s: %d trees", name, n)
}

// treeGatherer draws trees until there are too many.
type treeGatherer struct {
	dir       string
	have      map[string]bool
	firstOnly bool
	drawn     int
	bytes     int
}

// gather draws the trees of the records.
func (g *treeGatherer) gather(records []*run.Record) ([]treeFigure, error) {
	var trees []treeFigure
	for _, r := range records {
		if !g.have[r.ID] || g.bytes > treeBytes || g.firstOnly && len(trees) == 1 {
			continue
		}
		svg, err := g.draw(r.ID)
		if err != nil {
			return nil, err
		}
		g.bytes += len(svg)
		g.drawn++
		trees = append(trees, treeFigure{treeCaption(r), fmt.Sprintf("Tree of %s on %s, split %s", r.Method, r.Data, r.Split), svg})
	}
	return trees, nil
}

func (g *treeGatherer) draw(id string) (template.HTML, error) {
	t, err := run.ReadTree(g.dir, id)
	if err != nil {
		return "", fmt.Errorf("%s of %s: %w", run.TreesFolder+"/"+id+".json", g.dir, err)
	}
	var out bytes.Buffer
	if err := t.WriteSVG(&out, tree.Format{}); err != nil {
		return "", err
	}
	return template.HTML(printable(shrinking(out.String()))), nil //nolint:gosec // WriteSVG escapes
}

var svgWidth = regexp.MustCompile(`^<svg [^>]*\bwidth="([0-9.]+)"`)

// shrinking lets a drawing shrink to the page, to no less than readable.
func shrinking(svg string) string {
	m := svgWidth.FindStringSubmatch(svg)
	if m == nil {
		return svg
	}
	width, _ := strconv.ParseFloat(m[1], 64) // digits
	return fmt.Sprintf(`<svg style="min-width:%.0fpx;max-width:100%%;height:auto" %s`, leastScale*width, strings.TrimPrefix(svg, "<svg "))
}

// leastScale is how small a page may show a tree; below that it scrolls.
const leastScale = 0.7

// printable takes out the characters of names that no page may hold.
func printable(svg string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && unicode.IsControl(r) {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(svg, "\uFFFD"))
}

// note says which trees are there and where the others are.
func (g *treeGatherer) note() string {
	const where = "trees/ID.json in the folder of this page, ID as below and in results.jsonl; octgen show draws them."
	switch len(g.have) {
	case 0:
		return ""
	case g.drawn:
		return "All trees. They are also in " + where
	}
	which := "those of the first splits"
	if g.bytes > treeBytes {
		which = "the first ones, as many as a page can hold"
	}
	return fmt.Sprintf("%d of %d trees: %s. All are in %s", g.drawn, len(g.have), which, where)
}

// tuningText says which alpha was chosen, among how many trees.
func tuningText(u *fit.Tuning) string {
	text := fmt.Sprintf("alpha %.3g chosen among %d trees", u.Alpha, len(u.Envelope))
	if u.Proved {
		return text + ", all proved"
	}
	return text + ", not all of them proved"
}

// treeCaption is a task's result in a line.
func treeCaption(r *run.Record) string {
	text := "Split " + r.Split
	res := r.Result
	if res != nil {
		if res.Test != nil {
			text += fmt.Sprintf(": test %s %% wrong", number(metric.ErrorPercent(res.Test), 2))
		}
		if res.Train != nil {
			text += fmt.Sprintf(", training %s %%, splits: %d", number(metric.ErrorPercent(res.Train), 2), res.Train.Splits)
		}
		if metric.Proved(res) {
			text += ", proved optimal"
		}
		if u := res.Tuning; u != nil {
			text += ", " + tuningText(u)
		}
		if l := metric.Limit(res); l != "" {
			text += ", limit: " + l
		}
	}
	if r.Error != "" {
		text += ". Failed: " + clean(r.Error)
	}
	return text + fmt.Sprintf(" (%s.json)", r.ID)
}
