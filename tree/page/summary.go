package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/octgen/octgen/tree"
)

// summary is what a reader wants to know before looking at the tree: how sure, how good.
type summary struct {
	Badge  string // what is proved; "" where nothing is known of it
	Proved bool
	Good   []string // on training rows, and on others
	Matrix *matrix  // nil for a policy, and for a tree without counts
	Rules  []rule
}

// matrix is a confusion matrix of the training rows, true class by predicted.
type matrix struct {
	Full  bool // with a column for each class
	Names []string
	Lines []matrixLine
	Says  string // sensitivity and specificity of two classes
}

type matrixLine struct {
	Color             int
	Name              string
	Counts            []string
	Right             []bool // by class: what the tree gets right
	Precision, Recall string
}

// rule is a leaf as a sentence.
type rule struct {
	Color              int
	If, Then, Of, Note string
}

// summarize summarizes a valid tree.
func summarize(t *tree.Tree, f tree.Format) *summary {
	s := &summary{Rules: rulesOf(t, f)}
	if t.Fit != nil {
		s.Badge, s.Proved = t.Fit.Certainty()
		s.Badge = Clean(s.Badge)
	}
	if text := earned(t, f); text != "" {
		s.Good = append(s.Good, text)
	}
	s.Good = append(s.Good, errorsOf(t)...)
	if counts := confusion(t); counts != nil {
		s.Matrix = matrixOf(t, counts)
		s.Good = append(s.Good, trained(t, counts))
		s.Good = append(s.Good, tested(t)...)
	}
	if t.Fit != nil && t.Fit.Test == nil {
		s.Good = append(s.Good, "It has not been tested on other rows.")
	}
	return s
}

// trained says how many training rows are right, beside the most frequent class.
func trained(t *tree.Tree, counts [][]float64) string {
	right, all, most, frequent := 0.0, 0.0, 0, 0.0
	for y, row := range counts {
		n := sum(row)
		right, all = right+row[y], all+n
		if n > frequent {
			most, frequent = y, n
		}
	}
	if all == 0 {
		return "It has no training rows."
	}
	return fmt.Sprintf("Right on %s of %s (%s %%); always answering %s is right on %s (%s %%).", number(right), counted(all, "training row"), percent(right, all), Clean(t.Classes[most]), number(frequent), percent(frequent, all))
}

// tested says how many test rows are right, nil for none.
func tested(t *tree.Tree) []string {
	if t.Fit == nil || t.Fit.Test == nil || t.Fit.Test.Rows == 0 {
		return nil
	}
	test := t.Fit.Test
	p := 1 - test.Errors/test.Rows
	return []string{fmt.Sprintf("On %s, which were not used to make it: %s right (%s %%, standard error %.1f).", counted(test.Rows, "test row"), number(test.Rows-test.Errors), percent(p, 1), 100*math.Sqrt(p*(1-p)/test.Rows))}
}

// errorsOf says how far the numbers of a tree are off, nil for other trees.
func errorsOf(t *tree.Tree) []string {
	f := t.Fit
	if !t.IsRegression() || f == nil || f.RMSE == nil || f.MeanRMSE == nil {
		return nil
	}
	said := []string{fmt.Sprintf("Off by %s on the training rows (root mean squared error); always answering %s is off by %s.", number(*f.RMSE), number(*t.Nodes[0].Value), number(*f.MeanRMSE))}
	if f.Test != nil && f.Test.RMSE != nil {
		said = append(said, fmt.Sprintf("On %s, which were not used to make it, it is off by %s.", counted(f.Test.Rows, "test row"), number(*f.Test.RMSE)))
	}
	return said
}

// earned says what a policy earns on its training rows, "" for other trees.
func earned(t *tree.Tree, f tree.Format) string {
	root := &t.Nodes[0]
	single := root.MeanRewards()
	if single == nil || !t.IsPolicy() {
		return ""
	}
	total := 0.0
	for i := range t.Nodes {
		if n := &t.Nodes[i]; n.Leaf() && n.Reward != nil {
			total += n.Reward[n.Class]
		}
	}
	best := 0
	for k, v := range single {
		if v > single[best] {
			best = k
		}
	}
	return fmt.Sprintf("Earns %s a training row; always taking %s earns %s.", f.Rough(total/sum(root.Weight)), Clean(t.Classes[best]), f.Rough(single[best]))
}

// confusion returns the training rows by true and predicted class, nil where they are not known.
func confusion(t *tree.Tree) [][]float64 {
	if _, known := wrongRows(t); !known || t.IsRegression() {
		return nil
	}
	m := make([][]float64, len(t.Classes))
	for y := range m {
		m[y] = make([]float64, len(t.Classes))
	}
	for i := range t.Nodes {
		if n := &t.Nodes[i]; n.Leaf() {
			for y, c := range n.Count {
				m[y][n.Class] += c
			}
		}
	}
	return m
}

// mostColumns is how many classes a matrix has columns for.
const mostColumns = 12

func matrixOf(t *tree.Tree, counts [][]float64) *matrix {
	k := len(counts)
	m := &matrix{Full: k <= mostColumns}
	predicted := make([]float64, k)
	for _, row := range counts {
		for j, c := range row {
			predicted[j] += c
		}
	}
	for y, row := range counts {
		name := Clean(t.Classes[y])
		m.Names = append(m.Names, name)
		line := matrixLine{Color: y % colors, Name: name, Precision: share0(row[y], predicted[y]), Recall: share0(row[y], sum(row))}
		if m.Full {
			for j, c := range row {
				line.Counts, line.Right = append(line.Counts, number(c)), append(line.Right, j == y)
			}
		} else {
			line.Counts, line.Right = []string{number(sum(row)), number(predicted[y]), number(row[y])}, make([]bool, 3)
		}
		m.Lines = append(m.Lines, line)
	}
	if k == 2 && sum(counts[0]) > 0 && sum(counts[1]) > 0 {
		m.Says = fmt.Sprintf("Sensitivity %s %%, specificity %s %%, where %s is positive.", percent(counts[1][1], sum(counts[1])), percent(counts[0][0], sum(counts[0])), m.Names[1])
	}
	return m
}

// share0 is a share in percent, – for one of nothing.
func share0(part, all float64) string {
	if all == 0 {
		return "–"
	}
	return percent(part, all) + " %"
}

// rulesOf are the leaves as sentences, by class.
func rulesOf(t *tree.Tree, f tree.Format) []rule {
	of := t.Rules(f)
	slices.SortStableFunc(of, func(a, b tree.Rule) int { return cmp.Compare(t.Nodes[a.Leaf].Class, t.Nodes[b.Leaf].Class) })
	all := make([]rule, len(of))
	for i, r := range of {
		all[i] = ruleOf(t, r, f)
	}
	return all
}

// ruleOf is a leaf as a sentence: "if age < 40 and income >= 2,000: yes (34 of 36)".
func ruleOf(t *tree.Tree, r tree.Rule, f tree.Format) rule {
	n := &t.Nodes[r.Leaf]
	s := rule{Color: n.Class % colors, If: "always", Then: Clean(t.Answer(n, f))}
	if len(r.Conditions) > 0 {
		s.If = "if " + strings.Join(r.Conditions, " and ")
	}
	switch mean := n.MeanRewards(); {
	case n.Count == nil:
	case mean != nil:
		s.Of = fmt.Sprintf("%s, reward %s", rows(sum(n.Count)), f.Rough(mean[n.Class]))
	case t.IsPolicy() || t.IsRegression():
		s.Of = rows(sum(n.Count))
	default:
		s.Of = number(n.Count[n.Class]) + " of " + number(sum(n.Count))
		if sum(n.Count) < FewRows && sum(t.Nodes[0].Count) >= 10*FewRows {
			s.Note = "few rows: says little of others"
		}
	}
	return s
}

// FewRows is the number of rows below which a leaf says little of other rows; of data of fewer than ten times as many, every
// leaf does.
const FewRows = 5
