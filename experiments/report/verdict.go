package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/octgen/octgen/experiments/metric"
	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/fit/problem"
)

// verdict names the method with the best figure, once all tasks are done.
func (s *Summary) verdict() []string {
	if s.Done < s.Tasks {
		return []string{fmt.Sprintf("Unfinished: %d of %d tasks are done, %d of them failed. No method is compared with another before all are done.", s.Done, s.Tasks, len(s.Failed))}
	}
	best, level, incomplete := s.leading()
	var said []string
	if best == nil {
		said = append(said, fmt.Sprintf("No task has a %s.", s.judge().name))
	} else {
		said = append(said, s.praise(best, level))
	}
	if len(incomplete) > 0 {
		said = append(said, fmt.Sprintf("Not compared, because of missing figures on some data or splits: %s.", strings.Join(incomplete, ", ")))
	}
	if kept := s.keptVerdict(); kept != "" {
		said = append(said, kept)
	}
	if len(s.Failed) > 0 {
		said = append(said, fmt.Sprintf("%d of %d tasks failed.", len(s.Failed), s.Tasks))
	}
	return said
}

// leading returns the row of the best figure among the methods with the most figures, the names of
// those with an equal figure, and the names of the methods with fewer figures.
func (s *Summary) leading() (best *Row, level, incomplete []string) {
	var rows []*Row
	j := s.judge()
	for _, m := range s.Spec.MethodNames() {
		rows = append(rows, s.find(s.pooled(), m, j.metric))
	}
	fullest := slices.MinFunc(rows, func(a, b *Row) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Failed, b.Failed))
	})
	if fullest.N == 0 {
		return nil, nil, nil
	}
	asFull := func(r *Row) bool { return r.N == fullest.N && r.Failed == fullest.Failed }
	for _, r := range rows {
		switch {
		case !asFull(r):
			incomplete = append(incomplete, r.Method)
		case best == nil || j.better(r.Mean) < j.better(best.Mean)-tie:
			best = r
		}
	}
	for _, r := range rows {
		if asFull(r) && j.better(r.Mean) <= j.better(best.Mean)+tie {
			level = append(level, r.Method)
		}
	}
	return best, level, incomplete
}

// praise describes the lead of the best method over its baseline.
func (s *Summary) praise(best *Row, level []string) string {
	j, over := s.judge(), "splits: "
	if best.Data == spec.AllData {
		over = "data: "
	}
	over += strconv.Itoa(best.N)
	if len(level) > 1 {
		return fmt.Sprintf("%s have %s %s, %s (mean; %s).", problem.Listed(level), j.most(), j.name, j.value(best.Mean), over)
	}
	text := fmt.Sprintf("%s has %s %s, %s (mean; %s)", best.Method, j.most(), j.name, j.value(best.Mean), over)
	c := best.Versus
	switch {
	case len(s.Spec.Methods) == 1:
		return fmt.Sprintf("%s has a %s of %s (mean; %s).", best.Method, j.name, j.value(best.Mean), over)
	case c == nil:
		return text + "; it is the baseline."
	case c.Pairs == 0:
		return text + "."
	}
	text += fmt.Sprintf("; the mean difference with %s is %s%s", c.Baseline, number(c.Difference, j.digits), j.points)
	if !finite(c.Low) {
		return text + "."
	}
	text += fmt.Sprintf(" (%v %% interval %s to %s, paired t test). ", 100*Confidence, number(c.Low, j.digits), number(c.High, j.digits))
	if c.Low <= 0 && c.High >= 0 {
		return text + fmt.Sprintf("That is no evidence that %s is better: differences of this size come about by chance.", best.Method)
	}
	return text + fmt.Sprintf("%s beats %s: a difference of this size would come about by chance in fewer than %v %% of experiments.", best.Method, c.Baseline, math.Round(100*(1-Confidence)))
}

// pooled returns the data name of the rows that summarise an experiment.
func (s *Summary) pooled() string {
	if len(s.Spec.Data) > 1 {
		return spec.AllData
	}
	return s.Spec.Data[0].Name
}

// judge is the test metric by which the text, the overview and the plots compare methods: reward
// for policies, cost if all data have costs, otherwise the error rate.
type judge struct {
	metric string
	name   string // in sentences
	title  string // at the beginning of sentences
	short  string
	unit   string    // of a figure: " %", or none
	axis   string    // with the unit
	train  [2]string // the training metric, and its name with its unit
	points string    // after a difference
	per    string    // unit of a difference, after "difference"
	digits int       // after the decimal point
	more   bool      // larger is better
}

var (
	byError  = judge{metric.TestError, "test error", "Test error", "error", " %", "test error, %", [2]string{"train_error", "training error, %"}, " percentage points", ", percentage points", 2, false}
	byCost   = judge{"test_cost", "test cost per row", "Test cost per row", "cost", "", "test cost per row", [2]string{"train_cost", "training cost per row"}, "", " in cost per row", 4, false}
	byRMSE   = judge{metric.TestRMSE, "test RMSE", "Test RMSE", "RMSE", "", "test RMSE", [2]string{"train_rmse", "training RMSE"}, "", " in RMSE", 4, false}
	byReward = judge{"test_reward", "test reward per row", "Test reward per row", "reward", "", "test reward per row", [2]string{"train_reward", "training reward per row"}, "", " in reward per row", 4, true}
)

// judge returns the metric by which the methods are compared.
func (s *Summary) judge() *judge {
	costs, measured := true, func(r *Row) bool { return r.N > 0 }
	for i := range s.Spec.Data {
		costs = costs && s.Spec.Data[i].Load.CostMatrix != ""
	}
	switch {
	case costs && s.has(byCost.metric, measured):
		return &byCost
	case s.has(byRMSE.metric, measured) && !s.has(byError.metric, measured):
		return &byRMSE
	case s.has(byReward.metric, measured) && !s.has(byError.metric, measured):
		return &byReward
	}
	return &byError
}

// better returns a figure for which smaller is better.
func (j *judge) better(v float64) float64 {
	if j.more {
		return -v
	}
	return v
}

// most returns the word for the best figure.
func (j *judge) most() string {
	if j.more {
		return "the highest"
	}
	return "the lowest"
}

// side returns the side of the better differences.
func (j *judge) side() string {
	if j.more {
		return "right"
	}
	return "left"
}

// value formats a figure with its unit.
func (j *judge) value(v float64) string { return number(v, j.digits) + j.unit }

// choice is the pair of trees that a page shows first for a data: that of the best method with a
// proof, and CART's.
type choice struct {
	best, beside string // methods; beside may be ""
	split        string
	proved       bool
}

// choose finds the trees of a data that are shown first; it returns false if there are none.
//
// The best method has the minimum mean test error among those with proved trees, or among all if
// there are none. Of its splits, the one whose test error is nearest to the mean is shown, a proved
// one if possible: the best split would promise too much.
func (s *Summary) choose(data string) (choice, bool) {
	var all, others, proving []string
	for _, m := range s.Spec.MethodNames() {
		records := s.shown(data, m)
		if len(records) == 0 {
			continue
		}
		all = append(all, m)
		if !isCART(records) {
			others = append(others, m)
			if slices.ContainsFunc(records, provedTree) {
				proving = append(proving, m)
			}
		}
	}
	for _, of := range [][]string{proving, others, all} {
		if len(of) > 0 {
			c := choice{best: s.leastError(data, of)}
			c.beside = s.besideOf(data, c.best, all)
			c.split, c.proved = s.typical(data, c)
			return c, true
		}
	}
	return choice{}, false
}

// shown returns the records of a method on one data whose trees can be shown.
func (s *Summary) shown(data, method string) []*run.Record {
	return slices.DeleteFunc(s.of(data, method), func(r *run.Record) bool { return !s.trees[r.ID] })
}

func provedTree(r *run.Record) bool { return metric.Proved(r.Result) }

// isCART reports whether the trees are CART's.
func isCART(records []*run.Record) bool {
	return slices.Contains([]string{"cart", "cart-tuned"}, records[0].Result.Method)
}

// leastError returns the method with the best mean, the first of equal ones.
func (s *Summary) leastError(data string, of []string) string {
	return slices.MinFunc(of, func(a, b string) int { return cmp.Compare(s.meanError(data, a), s.meanError(data, b)) })
}

// meanError returns the metric by which a method is compared, such that smaller is better: +Inf for
// none.
func (s *Summary) meanError(data, method string) float64 {
	j := s.judge()
	if r := s.find(data, method, j.metric); r.N > 0 {
		return j.better(r.Mean)
	}
	return math.Inf(1)
}

// besideOf returns the method whose tree is shown next to that of best: its baseline if that is
// CART, else the best CART, else its baseline; "" for none.
func (s *Summary) besideOf(data, best string, all []string) string {
	baseline := s.Spec.BaselineOf(best)
	carts := slices.DeleteFunc(slices.Clone(all), func(m string) bool { return m == best || !isCART(s.shown(data, m)) })
	switch {
	case slices.Contains(carts, baseline):
		return baseline
	case len(carts) > 0:
		return s.leastError(data, carts)
	case slices.Contains(all, baseline):
		return baseline
	}
	return ""
}

// typical returns the split that represents all.
func (s *Summary) typical(data string, c choice) (split string, proved bool) {
	mean, j := s.meanError(data, c.best), s.judge()
	of := s.find(data, c.best, j.metric).values
	beside := s.shown(data, c.beside)
	r := slices.MinFunc(s.shown(data, c.best), func(a, b *run.Record) int {
		lacks := func(r *run.Record) bool {
			return !slices.ContainsFunc(beside, func(b *run.Record) bool { return b.Split == r.Split })
		}
		away := func(r *run.Record) float64 {
			if v, ok := of[r.Split]; ok && finite(v) {
				return math.Abs(j.better(v) - mean)
			}
			return math.Inf(1)
		}
		return cmp.Or(first(provedTree(a), provedTree(b)), first(!lacks(a), !lacks(b)), cmp.Compare(away(a), away(b)))
	})
	return r.Split, provedTree(r)
}

// first orders true before false.
func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// difference formats a comparison's mean difference with its interval.
func difference(c *Comparison) string {
	if c == nil || c.Pairs == 0 {
		return ""
	}
	return interval(c.Difference, c.Low, c.High)
}

// outcomes formats a comparison's wins, ties and losses.
func outcomes(c *Comparison) string {
	if c == nil || c.Pairs == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d/%d", c.Wins, c.Ties, c.Losses)
}

// caption explains the table of a metric.
func (s *Summary) caption(x metric.Metric) string {
	text := fmt.Sprintf("%s: %s; mean ± standard error", x.Name, x.Doc)
	if s.Spec.Reference.Has(x.Name) {
		text += ", [" + cmp.Or(s.Spec.Reference.Paper, "reference") + "]"
	}
	return text
}

// tables returns the metrics shown to people: those that the spec names, otherwise the default ones
// with a figure.
func (s *Summary) tables() []metric.Metric {
	var asked, shown []metric.Metric
	for _, name := range s.Spec.Metrics {
		for _, x := range s.metrics {
			if x.IsOf(name) {
				asked = append(asked, x)
			}
		}
	}
	if s.Spec.Metrics == nil {
		asked = slices.DeleteFunc(slices.Clone(s.metrics), func(x metric.Metric) bool { return !s.usual(x) })
	}
	for _, x := range asked {
		if s.has(x.Name, func(r *Row) bool { return r.N > 0 }) {
			shown = append(shown, x)
		}
	}
	return shown
}

// usual reports whether a metric is shown by default.
func (s *Summary) usual(x metric.Metric) bool {
	switch x.Shown {
	case metric.IfNonzero:
		return s.has(x.Name, func(r *Row) bool { return r.Max > 0 })
	case metric.IfCited:
		return s.Spec.Reference.Has(x.Name)
	}
	return true
}

// has reports whether some row of a metric satisfies such.
func (s *Summary) has(metric string, such func(*Row) bool) bool {
	return slices.ContainsFunc(s.Rows, func(r Row) bool { return r.Metric == metric && such(&r) })
}

// state describes how many tasks the figures cover.
func (s *Summary) state() string {
	text := fmt.Sprintf("%d of %d tasks done, %d failed\n", s.Done, s.Tasks, len(s.Failed))
	for i, r := range s.Failed {
		if i == 10 {
			return text + fmt.Sprintf("  and %d more, see %s\n", len(s.Failed)-i, run.ResultsFile)
		}
		text += "  " + failure(&r) + "\n"
	}
	return text
}

func (s *Summary) howTested() string {
	e := s.Spec.Evaluate
	how := ""
	switch {
	case s.ownTests():
		how = "Tested on the generated data's own test points. "
	case e.Whole:
		how = "Trained on all rows, without a test set. "
	case e.Folds > 0:
		how = fmt.Sprintf("%d-fold cross-validation, repeats: %d, seed %d. ", e.Folds, e.Repeats, e.Seed)
	case e.Holdout > 0:
		how = fmt.Sprintf("Holdout of %v, repeats: %d, seed %d. ", e.Holdout, e.Repeats, e.Seed)
	}
	return how + fmt.Sprintf("Differences are with %s; intervals have %v %% confidence.", baselineText(s.Spec), 100*Confidence)
}
