package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
	"github.com/octgen/octgen/tree/page"
	"github.com/octgen/octgen/tree/score"
)

// resultText is what the tree comes to beside CART's, "" without that.
func resultText(res *fit.Result, ds *dataset.Dataset) string {
	b := res.Baseline
	if b == nil || res.Train == nil {
		return ""
	}
	switch {
	case res.Train.Reward != nil:
		return policyResult(res)
	case res.Train.Numbers != nil:
		return numbersResult(res)
	}
	text := errorCount(res.Train.Errors) + "; CART " + figure(b.Errors)
	if res.Train.Cost != nil && b.Cost != nil {
		text = fmt.Sprintf("cost %s with %s; CART %s with %s", asIs(*res.Train.Cost), errorCount(res.Train.Errors), asIs(*b.Cost), figure(b.Errors))
	}
	if res.Train.Cost == nil {
		text += "; single leaf " + figure(singleLeaf(ds))
	}
	if none := cmp.Or(res.Claim, notProved(res)); none != "" {
		text += "; " + none
	}
	if b.TestCost != nil && res.Test != nil && res.Test.Cost != nil {
		return text + fmt.Sprintf("; on test rows %s; CART %s", asIs(*res.Test.Cost), asIs(*b.TestCost))
	}
	if b.TestErrors != nil && res.Test != nil {
		text += fmt.Sprintf("; on test rows %s; CART %s", figure(res.Test.Errors), figure(*b.TestErrors))
	}
	return text
}

// numbersResult is what a tree that predicts numbers comes to beside CART's and the mean.
func numbersResult(res *fit.Result) string {
	s, b := res.Train.Numbers, res.Baseline
	name, of, single := numberFigures(s)
	text := fmt.Sprintf("%s %s; CART %s; %s alone %s", name, figure(of(s)), figure(of(b.Numbers)), answerName(s), figure(single(s)))
	if none := cmp.Or(res.Claim, notProved(res)); none != "" {
		text += "; " + none
	}
	if res.Test != nil && res.Test.Numbers != nil && b.TestNumbers != nil {
		t := res.Test.Numbers
		text += fmt.Sprintf("; on test rows %s %s; CART %s; %s alone %s", name, figure(of(t)), figure(of(b.TestNumbers)), answerName(t), figure(single(t)))
	}
	return text
}

// numberFigures is what trees that predict numbers are compared by: its name, the tree's figure and that of the best single
// answer.
func numberFigures(n *score.Numbers) (name string, of, single func(*score.Numbers) float64) {
	switch {
	case n.Loss == nil:
		return "RMSE", func(n *score.Numbers) float64 { return n.RMSE }, func(n *score.Numbers) float64 { return n.Mean }
	case n.Quantile == 0.5:
		return "MAE", func(n *score.Numbers) float64 { return 2 * *n.Loss }, func(n *score.Numbers) float64 { return 2 * *n.Single }
	}
	return "quantile loss", func(n *score.Numbers) float64 { return *n.Loss }, func(n *score.Numbers) float64 { return *n.Single }
}

// answerName is what leaves answer.
func answerName(n *score.Numbers) string {
	switch n.Quantile {
	case 0:
		return "mean"
	case 0.5:
		return "median"
	}
	return fmt.Sprintf("quantile %v", n.Quantile)
}

// singleLeaf returns the errors of the most frequent class as the answer to all rows.
func singleLeaf(ds *dataset.Dataset) float64 {
	total, counts := 0.0, ds.ClassCounts()
	for _, c := range counts {
		total += c
	}
	return total - slices.Max(counts)
}

// cautionTexts are properties of a tree that a reader should know before using it: leaves of few rows, and splits that
// all rows could do without. Data of few rows have nothing else.
func cautionTexts(t *tree.Tree, rows int) []string {
	if rows < 10*page.FewRows || t.IsPolicy() || t.IsRegression() {
		return nil
	}
	small, idle := 0, 0
	var wrong func(i int) float64 // weight of the errors below node i
	wrong = func(i int) float64 {
		n := &t.Nodes[i]
		total, most, count := 0.0, 0.0, 0.0
		for k, w := range n.Weight {
			total, most, count = total+w, max(most, w), count+n.Count[k]
		}
		if n.Leaf() {
			if count < page.FewRows {
				small++
			}
			return total - n.Weight[n.Class]
		}
		below := wrong(n.Left) + wrong(n.Right)
		if total-most <= below*(1+1e-12) && n.Excess == nil {
			idle++
		}
		return below
	}
	wrong(0)
	var all []string
	if small > 0 {
		all = append(all, fmt.Sprintf("%s fewer than %d rows, too few to tell about others (--min-leaf %[2]d)", count(small, "leaf has", "leaves have"), page.FewRows))
	}
	if idle > 0 {
		all = append(all, fmt.Sprintf("%s no error: the tree without is as good (--alpha, or the method oct)", count(idle, "split avoids", "splits avoid")))
	}
	return all
}

// notProved says how far an exact search came that a limit ended, and how to go on; "" for others.
func notProved(res *fit.Result) string {
	if res.Engine != string(problem.Search) || res.Status != mio.Feasible.String() || res.Limit == "" || res.Gap == nil {
		return ""
	}
	text := fmt.Sprintf("not proved: gap %s %%", figure(math.Round(1000**res.Gap)/10))
	if res.Limit != mio.LimitTime.String() {
		return text
	}
	return text + fmt.Sprintf(" after %.1f s; a longer --time-limit may prove it", res.Seconds)
}

// printScores prints the figures on training and test rows, nil for none, and the
// confusion matrix of the latter, or else of the former.
func printScores(w io.Writer, train, test *fit.Scores) {
	printScore(w, "train", train, true, true)
	printScore(w, "test", test, false, true)
	s, rows := test, "test"
	if s == nil {
		s, rows = train, "training"
	}
	if s != nil && s.Confusion != nil && len(s.PerClass) > 1 {
		fmt.Fprintln(w)
		printClasses(w, rows, &s.Figures)
		fmt.Fprintln(w)
	}
	printFairness(w, train, test)
}

// printScore prints a line of figures, and one of rates if asked for; shape adds the size of
// the tree.
func printScore(w io.Writer, name string, s *fit.Scores, shape, rated bool) {
	if s == nil {
		return
	}
	switch {
	case s.Reward != nil:
		printRewards(w, name, s, !shape)
		return
	case s.Numbers != nil:
		text := fmt.Sprintf("RMSE %s, MAE %s", figure(s.Numbers.RMSE), figure(s.Numbers.MAE))
		if s.Numbers.Loss != nil && s.Numbers.Quantile != 0.5 {
			text += ", quantile loss " + figure(*s.Numbers.Loss)
		}
		if s.Numbers.R2 != nil {
			text += fmt.Sprintf(", R2 %.4f", *s.Numbers.R2)
		}
		text += " on " + count(int(s.Rows), "row", "rows")
		if shape {
			text += fmt.Sprintf(", %s, depth %d, %s", count(s.Splits, "split", "splits"), s.Depth, count(s.FeaturesUsed, "feature", "features"))
		}
		label(w, name, text)
		return
	}
	text := fmt.Sprintf("%s of %s wrong (%.2f %% right)", figure(s.Errors), figure(s.Rows), 100*s.Accuracy)
	if s.AccuracySE != nil {
		text = fmt.Sprintf("%s of %s wrong (%.2f %% right, standard error %.2f)", figure(s.Errors), figure(s.Rows), 100*s.Accuracy, 100**s.AccuracySE)
	}
	if s.ErrorWeight != s.Errors {
		text += ", error weight " + figure(s.ErrorWeight)
	}
	if s.Cost != nil {
		text += ", cost " + asIs(*s.Cost)
	}
	if shape {
		text += fmt.Sprintf(", %s, depth %d, %s", count(s.Splits, "split", "splits"), s.Depth, count(s.FeaturesUsed, "feature", "features"))
	}
	label(w, name, text)
	label(w, "", sensitivityText(s))
	if !rated || len(s.PerClass) < 2 {
		return
	}
	var rates []string
	if s.BalancedError != nil {
		rates = append(rates, fmt.Sprintf("balanced error %.2f %%", 100**s.BalancedError))
	}
	if s.AUC != nil {
		rates = append(rates, fmt.Sprintf("AUC %.3f", *s.AUC))
	}
	if s.LogLoss != nil {
		rates = append(rates, fmt.Sprintf("log loss %.3f", *s.LogLoss))
	}
	label(w, "", strings.Join(rates, ", "))
}

// sensitivityText has the rates of the positive class, "" for none.
func sensitivityText(s *fit.Scores) string {
	i := slices.IndexFunc(s.PerClass, func(c score.Class) bool { return c.Class == s.Positive })
	if i < 0 || s.Positive == "" || s.PerClass[i].Recall == nil || s.PerClass[i].Specificity == nil {
		return ""
	}
	c := &s.PerClass[i]
	return fmt.Sprintf("sensitivity %.2f %%, specificity %.2f %%; the positive class is %s", 100**c.Recall, 100**c.Specificity, printable(s.Positive))
}

// A matrix is printed of up to mostColumns classes whose names have so much room; of
// others, a line for each of the mostLines that have the most wrong rows.
const (
	mostColumns = 8
	mostRunes   = 72
	mostLines   = 10
	widestName  = 18
)

// fitsMatrix reports whether there is room for a matrix.
func fitsMatrix(classes []string) bool {
	runes := 0
	for _, name := range classes {
		runes += max(4, utf8.RuneCountInString(className(name))) + 2
	}
	return len(classes) <= mostColumns && runes <= mostRunes
}

// printClasses prints the confusion matrix with the rates of each class.
func printClasses(w io.Writer, rows string, f *score.Figures) {
	margins := f.Confusion.Margins()
	lines, shown := classLines(f.Confusion.Classes, margins)
	heads, counts := matrixColumns(f.Confusion, margins)
	title := "confusion of the " + rows + " rows, true class by predicted"
	if !fitsMatrix(f.Confusion.Classes) {
		title = fmt.Sprintf("the %d of %d classes with the most wrong %s rows (--json has the whole confusion matrix)", shown, len(lines), rows)
		if shown == len(lines) {
			title = "the classes on the " + rows + " rows (--json has the confusion matrix)"
		}
	}
	if !ratesAreOfCounts(f.PerClass, margins) {
		title += "; rates are by weight"
	}
	fmt.Fprintln(w, title)
	table := [][]string{append(append([]string{""}, heads...), "precision", "recall", "F1")}
	for _, k := range lines[:shown] {
		c := f.PerClass[k]
		table = append(table, append(append([]string{className(c.Class)}, counts(k)...), rate(c.Precision), rate(c.Recall), rate(c.F1)))
	}
	printTable(w, table)
}

// classLines are the classes in the order of lines, and how many of them are printed.
func classLines(classes []string, of []score.Margin) (lines []int, shown int) {
	for k := range of {
		lines = append(lines, k)
	}
	if fitsMatrix(classes) {
		return lines, len(lines)
	}
	wrong := func(k int) float64 { return of[k].Rows - of[k].Right }
	slices.SortStableFunc(lines, func(a, b int) int { return cmp.Compare(wrong(b), wrong(a)) })
	return lines, min(len(lines), mostLines)
}

// matrixColumns are the heads of the columns of counts, and those of a class: the
// matrix or, of many classes, rows, predicted rows and wrong ones.
func matrixColumns(c *score.Confusion, margins []score.Margin) (heads []string, of func(k int) []string) {
	if fitsMatrix(c.Classes) {
		for _, name := range c.Classes {
			heads = append(heads, className(name))
		}
		return heads, func(k int) []string { return figuresOf(c.Counts[k]...) }
	}
	return []string{"rows", "predicted", "wrong"}, func(k int) []string {
		m := margins[k]
		return figuresOf(m.Rows, m.Predicted, m.Rows-m.Right)
	}
}

// ratesAreOfCounts reports whether the rates are those of the rows that are counted, as
// they are without weights.
func ratesAreOfCounts(classes []score.Class, counts []score.Margin) bool {
	differs := func(rate *float64, of, right float64) bool { return rate != nil && !verify.Same(*rate*of, right) }
	for k, m := range counts {
		if c := classes[k]; differs(c.Precision, m.Predicted, m.Right) || differs(c.Recall, m.Rows, m.Right) {
			return false
		}
	}
	return true
}

// printTable prints lines of fields, the first to the left, the others to the right.
func printTable(w io.Writer, lines [][]string) {
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, field := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(field))
		}
	}
	for _, line := range lines {
		text := "  " + line[0] + strings.Repeat(" ", widths[0]-utf8.RuneCountInString(line[0]))
		for i := 1; i < len(line); i++ {
			text += strings.Repeat(" ", 2+widths[i]-utf8.RuneCountInString(line[i])) + line[i]
		}
		fmt.Fprintln(w, text)
	}
}

// className is the name of a class in a table.
func className(name string) string {
	name = tree.OneLine(name)
	if r := []rune(name); len(r) > widestName {
		return string(r[:widestName-1]) + "…"
	}
	return name
}

// rate is a share with three digits, - for none.
func rate(v *float64) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf("%.3f", *v)
}

// figuresOf are numbers as text.
func figuresOf(values ...float64) []string {
	var texts []string
	for _, v := range values {
		texts = append(texts, figure(v))
	}
	return texts
}

// policyResult is what a policy comes to beside the best single action.
func policyResult(res *fit.Result) string {
	r := res.Train.Reward
	text := fmt.Sprintf("mean reward %s; best single action %s %s", asIs(r.Mean), printable(r.Action), asIs(r.Single.Mean))
	if res.Claim != "" {
		text += "; " + res.Claim
	}
	if res.Test != nil && res.Test.Reward != nil {
		t := res.Test.Reward
		text += fmt.Sprintf("; on test rows %s, %s %s", asIs(t.Mean), printable(t.Action), asIs(t.Single.Mean))
	}
	return text
}

// printRewards prints what a policy earns; of test rows, by which it was not chosen, with
// standard errors.
func printRewards(w io.Writer, name string, s *fit.Scores, test bool) {
	r := s.Reward
	text := fmt.Sprintf("reward %s of %s, mean %s", asIs(r.Total), count(int(s.Rows), "row", "rows"), asIs(r.Mean))
	if test {
		text += standardError(r.Earned)
	} else {
		text += fmt.Sprintf(", %s, depth %d, %s", count(s.Splits, "split", "splits"), s.Depth, count(s.FeaturesUsed, "feature", "features"))
	}
	label(w, name, text)
	text = fmt.Sprintf("best single action %s: mean %s", printable(r.Action), asIs(r.Single.Mean))
	if test {
		text = fmt.Sprintf("best single action of the training rows %s: mean %s", printable(r.Action), asIs(r.Single.Mean))
		text += standardError(r.Single)
	}
	text += "; the tree earns " + asIs(r.Gain.Mean) + " more"
	if r.Gain.Mean < 0 {
		text = strings.Replace(text, asIs(r.Gain.Mean)+" more", asIs(-r.Gain.Mean)+" less", 1)
	}
	if test {
		text += standardError(r.Gain)
	}
	label(w, "", text)
}

// standardError is that of a mean.
func standardError(e score.Earned) string {
	if e.SE == nil {
		return ""
	}
	return " (standard error " + asIs(*e.SE) + ")"
}

// rewardText takes the objective of a policy apart.
func rewardText(s *fit.Scores, alpha float64) string {
	text := asIs(*s.Objective) + ", total reward"
	if alpha > 0 {
		text = fmt.Sprintf("%s = reward %s - %s x %s", asIs(*s.Objective), asIs(s.Reward.Total), asIs(alpha), count(s.Splits, "split", "splits"))
	}
	return text
}

// printFairness prints the rates of groups on training and test rows, and how far apart
// they are.
func printFairness(w io.Writer, train, test *fit.Scores) {
	for _, on := range []struct {
		rows   string
		scores *fit.Scores
	}{{"training", train}, {"test", test}} {
		if on.scores == nil {
			continue
		}
		for i := range on.scores.Fairness {
			f := &on.scores.Fairness[i]
			label(w, "groups", fmt.Sprintf("%s on %s rows, rates of class %s", f.Column, on.rows, f.Positive))
			printRates(w, f)
		}
	}
}

// printRates prints a line for each level, and the differences below.
func printRates(w io.Writer, f *constraint.Fairness) {
	var levels, rates []string
	for _, r := range f.Rates {
		if !slices.Contains(levels, r.Level) {
			levels = append(levels, r.Level)
		}
		if !slices.Contains(rates, r.Rate) {
			rates = append(rates, r.Rate)
		}
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "  level\trows\t%s\n", strings.Join(rates, "\t"))
	for _, level := range levels {
		fmt.Fprintf(t, "  %s", level)
		for n, rate := range rates {
			r := rateOf(f, level, rate)
			if n == 0 {
				fmt.Fprintf(t, "\t%s", figure(r.Rows))
			}
			fmt.Fprintf(t, "\t%s", rateText(r.Value))
		}
		fmt.Fprintln(t)
	}
	_ = t.Flush() // what w cannot take, its owner tells
	for _, m := range f.Metrics {
		fmt.Fprintf(w, "  %-20s %s\n", m.Metric, rateText(m.Value))
	}
}

func rateOf(f *constraint.Fairness, level, rate string) constraint.GroupRate {
	i := slices.IndexFunc(f.Rates, func(r constraint.GroupRate) bool { return r.Level == level && r.Rate == rate })
	return f.Rates[i]
}

func rateText(v *float64) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf("%.4f", *v)
}
