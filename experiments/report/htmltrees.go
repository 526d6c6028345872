package report

import (
	"fmt"
	"slices"

	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/page"
)

// A page has all trees up to manyTrees, beyond that those of one split of each data, and
// in all about treeBytes of them beside those that it shows first.
const (
	manyTrees = 300
	treeBytes = 1 << 20
)

// treeSection shows the trees of the folder, nil for none. Those that are lost are
// named.
func (s *Summary) treeSection(dir string) (*treeSection, error) {
	if len(s.trees)+len(s.LostTrees) == 0 {
		return nil, nil
	}
	sec := &treeSection{Lost: s.LostTreesText(), Total: len(s.trees)}
	for _, d := range s.Spec.DataNames() {
		c, ok := s.choose(d)
		if !ok {
			continue
		}
		shown, err := s.dataTrees(sec, dir, d, c)
		if err != nil {
			return nil, err
		}
		sec.Data = append(sec.Data, *shown)
	}
	return sec, nil
}

// Full says whether the page can hold no more trees.
func (sec *treeSection) Full() bool { return sec.bytes > treeBytes }

// dataTrees shows the trees of one data.
func (s *Summary) dataTrees(sec *treeSection, dir, data string, c choice) (*dataTrees, error) {
	shown := &dataTrees{Name: data, Says: s.praiseChoice(data, c), First: make([]treeFigure, 0, 2)}
	splits := s.splitsOf(data)
	for at, m := range s.Spec.MethodNames() {
		var trees []*tree.Tree
		for _, r := range s.shown(data, m) {
			t, err := run.ReadTree(dir, r.ID)
			if err != nil {
				return nil, fmt.Errorf("%s of %s: %w", run.TreesFolder+"/"+r.ID+".json", dir, err)
			}
			trees = append(trees, t)
			chosen := r.Split == c.split
			isFirst := chosen && (m == c.best || m == c.beside)
			if !isFirst && (sec.Full() || sec.Total > manyTrees && !chosen) {
				continue
			}
			f := treeFigure{Record: r, Division: s.division(data, r.Split), MethodAt: at, SplitAt: slices.Index(splits, r.Split), Width: widthOf(t)}
			var o page.Options
			if isFirst || sec.Total <= manyTrees {
				o.Histograms = r.Histograms
			}
			if f.HTML, err = page.Component(t, o); err != nil {
				return nil, err
			}
			sec.Drawn++
			if isFirst {
				shown.First = append(shown.First, f)
				continue
			}
			sec.bytes += len(f.HTML)
			shown.Others = append(shown.Others, f)
		}
		if st, ok := s.stable(m, trees); ok {
			shown.Stable = append(shown.Stable, st)
		}
	}
	if len(shown.First) == 2 && shown.First[0].Method != c.best {
		slices.Reverse(shown.First)
	}
	return shown, nil
}

// widthOf is how wide a tree is best shown, in rem: hyperplanes need more.
func widthOf(t *tree.Tree) int {
	if t.Terms() > t.Splits() {
		return 15 * (1 + t.Depth())
	}
	return 10 * (1 + t.Depth())
}

// splitsOf lists the splits of a data with a result, in order.
func (s *Summary) splitsOf(data string) []string {
	var splits []string
	for i := range s.records { // by split
		if r := &s.records[i]; r.Data == data && !slices.Contains(splits, r.Split) {
			splits = append(splits, r.Split)
		}
	}
	return splits
}

// praiseChoice says what the trees that are shown first are.
func (s *Summary) praiseChoice(data string, c choice) string {
	text := c.best + s.meanText(data, c.best)
	if c.beside != "" {
		text += ", " + c.beside + s.meanText(data, c.beside)
	}
	text += "."
	if n := len(s.shown(data, c.best)); n > 1 {
		text += fmt.Sprintf(" Shown first: %s, where the %s of %s is nearest to its mean", s.division(data, c.split), s.judge().short, c.best)
		if c.proved {
			text += " among its proved trees"
		}
		text += "."
	}
	if !c.proved {
		text += " No tree of " + c.best + " is proved optimal."
	}
	return text
}

// meanText is a method's mean figure in a sentence.
func (s *Summary) meanText(data, method string) string {
	j := s.judge()
	r := s.find(data, method, j.metric)
	if r.N == 0 {
		return " (no " + j.name + ")"
	}
	text := ": " + number(r.Mean, j.digits)
	if finite(r.StdError) {
		text += " ± " + number(r.StdError, j.digits)
	}
	if j == &byError {
		return text + " % of test rows wrong"
	}
	return text + " " + j.name
}
