package report

import (
	"bytes"
	"fmt"
	"html/template"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/octgen/octgen/experiments/run"
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
	sec := &treeSection{Lost: s.LostTreesText(), Total: len(s.trees)}
	for _, d := range s.Spec.DataNames() {
		group := treeGroup{Name: d}
		for _, m := range s.Spec.MethodNames() {
			of := treeMethod{Name: m}
			for _, r := range s.of(d, m) {
				if !s.trees[r.ID] || sec.Full() || sec.Total > manyTrees && len(of.Trees) == 1 {
					continue
				}
				svg, err := drawTree(dir, r.ID)
				if err != nil {
					return nil, err
				}
				sec.bytes += len(svg)
				of.Trees = append(of.Trees, treeFigure{r, svg})
			}
			if n := len(of.Trees); n > 0 {
				group.Methods = append(group.Methods, of)
				group.Drawn += n
				sec.Drawn += n
			}
		}
		if group.Drawn > 0 {
			sec.Groups = append(sec.Groups, group)
		}
	}
	return sec, nil
}

// Full says whether the page can hold no more trees.
func (sec *treeSection) Full() bool { return sec.bytes > treeBytes }

func drawTree(dir, id string) (template.HTML, error) {
	t, err := run.ReadTree(dir, id)
	if err != nil {
		return "", fmt.Errorf("%s of %s: %w", run.TreesFolder+"/"+id+".json", dir, err)
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
