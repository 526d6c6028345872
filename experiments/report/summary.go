package report

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/octgen/octgen/experiments/metric"
	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/tree/page"
)

// Summary is the summary of a folder's results.
type Summary struct {
	Spec    *spec.Spec
	Tasks   int // of the whole plan
	Done    int // with a result
	Version string
	Rows    []Row        // by data, then all data; method; metric
	Times   []Row        // the metric "seconds", which is not reproducible
	Failed  []run.Record // tasks whose result is an error, by data, method, split

	LostTrees []LostTree // trees missing in the folder, by data, method, split

	records []run.Record    // by split
	metrics []metric.Metric // that the results have
	trees   map[string]bool // ids of the tasks whose tree can be shown
}

// Summarise reads the results of a folder.
func Summarise(dir string) (*Summary, error) {
	r, err := run.Read(dir)
	if err != nil {
		return nil, err
	}
	s := &Summary{Spec: r.Spec, Tasks: r.Tasks, Done: len(r.Records), Version: r.Version}
	s.add(r.Records)
	s.findTrees(dir)
	return s, nil
}

// of returns the records of a method on one data, by split.
func (s *Summary) of(data, method string) []*run.Record {
	var of []*run.Record
	for i := range s.records {
		if r := &s.records[i]; r.Data == data && r.Method == method {
			of = append(of, r)
		}
	}
	return of
}

// add computes the rows.
func (s *Summary) add(records []run.Record) {
	slices.SortFunc(records, func(a, b run.Record) int { return compareSplits(a.Split, b.Split) })
	s.records = records
	s.metrics = metric.Of(s.results())
	seconds := metric.Seconds()
	for _, d := range s.Spec.DataNames() {
		for _, m := range s.Spec.MethodNames() {
			of := s.of(d, m)
			for _, r := range of {
				if r.Error != "" {
					s.Failed = append(s.Failed, *r)
				}
			}
			for _, x := range s.metrics {
				s.Rows = append(s.Rows, rowOf(d, m, x, of))
			}
			s.Times = append(s.Times, rowOf(d, m, seconds, of))
		}
	}
	if len(s.Spec.Data) > 1 {
		s.addAll()
	}
	for i := range s.Rows {
		r := &s.Rows[i]
		r.Paper = s.Spec.Reference.Value(r.Data, r.Method, r.Metric)
		if baseline, x := s.Spec.BaselineOf(r.Method), s.metric(r.Metric); baseline != "" && x.Compared {
			base := s.find(r.Data, baseline, r.Metric)
			r.Versus = compareRows(baseline, r.values, base.values, s.testShare(r.Data, r.Method), x.More)
		}
	}
}

// results returns the results of the tasks that have one, by data, method and split.
func (s *Summary) results() []*fit.Result {
	var all []*fit.Result
	for _, d := range s.Spec.DataNames() {
		for _, m := range s.Spec.MethodNames() {
			for _, r := range s.of(d, m) {
				if r.Result != nil {
					all = append(all, r.Result)
				}
			}
		}
	}
	return all
}

// metric returns the metric of a row.
func (s *Summary) metric(name string) metric.Metric {
	return s.metrics[slices.IndexFunc(s.metrics, func(m metric.Metric) bool { return m.Name == name })]
}

func (s *Summary) find(data, method, metric string) *Row {
	for i := range s.Rows {
		if r := &s.Rows[i]; r.Data == data && r.Method == method && r.Metric == metric {
			return r
		}
	}
	return nil
}

// testShare returns the number of test rows per training row, 0 if the splits are independent, as
// all data are.
func (s *Summary) testShare(data, method string) float64 {
	for i := range s.Spec.Data {
		if d := &s.Spec.Data[i]; d.Name == data && d.HasTest() {
			return 0
		}
	}
	share, n := 0.0, 0.0
	for _, r := range s.of(data, method) {
		if r.Result != nil && r.Result.Test != nil && r.Result.Train != nil && r.Result.Train.Rows > 0 {
			share += r.Result.Test.Rows / r.Result.Train.Rows
			n++
		}
	}
	return share / max(1, n)
}

// addAll adds the rows over all data: figures are means over data, pairs are data.
func (s *Summary) addAll() {
	for _, m := range s.Spec.MethodNames() {
		for _, x := range s.metrics {
			row := Row{Data: spec.AllData, Method: m, Metric: x.Name, digits: x.Digits, values: make(map[string]float64)}
			var means []float64
			for _, d := range s.Spec.DataNames() {
				r := s.find(d, m, x.Name)
				row.Failed += r.Failed
				if r.N > 0 {
					row.values[d] = r.Mean
					means = append(means, r.Mean)
				}
			}
			row.describe(means)
			s.Rows = append(s.Rows, row)
		}
	}
}

// findTrees records the trees of the folder, and those that are missing or damaged.
func (s *Summary) findTrees(dir string) {
	s.trees = make(map[string]bool)
	lost := lostTrees(dir, s.records)
	for _, d := range s.Spec.DataNames() {
		for _, m := range s.Spec.MethodNames() {
			for _, r := range s.of(d, m) {
				if err := lost[r.ID]; err != nil {
					s.LostTrees = append(s.LostTrees, LostTree{d + "/" + m + "/" + r.Split, r.ID, err})
				} else if r.HasTree() {
					s.trees[r.ID] = true
				}
			}
		}
	}
}

// lostTrees returns errors of the trees of records, by id. Reading trees dominates the time of a
// large run's tables, so all processors take part.
func lostTrees(dir string, records []run.Record) map[string]error {
	errs := make([]error, len(records))
	var readers sync.WaitGroup
	n := runtime.GOMAXPROCS(0)
	for first := range n {
		readers.Go(func() {
			for i := first; i < len(records); i += n {
				errs[i] = run.LostTree(dir, &records[i])
			}
		})
	}
	readers.Wait()
	lost := make(map[string]error)
	for i, err := range errs {
		if err != nil {
			lost[records[i].ID] = err
		}
	}
	return lost
}

// LostTreesText returns a remark on the trees that cannot be shown, "" for none.
func (s *Summary) LostTreesText() string {
	lost := s.LostTrees
	if len(lost) == 0 {
		return ""
	}
	var named []string
	for i := range lost[:min(fewLost, len(lost))] {
		named = append(named, lost[i].String())
	}
	text := strings.Join(named, ", ")
	if more := len(lost) - fewLost; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	are := "trees are"
	if len(lost) == 1 {
		are = "tree is"
	}
	return fmt.Sprintf("%d %s missing or damaged; octgen run --retry restores them: %s", len(lost), are, text)
}

// ownTests reports whether all data have their own test points.
func (s *Summary) ownTests() bool {
	return !slices.ContainsFunc(s.Spec.Data, func(d spec.Data) bool { return !d.HasTest() })
}

// division returns a readable name for a split of a data: fold 3, repeat 2, fold 3.
func (s *Summary) division(data, split string) string {
	parts := strings.Split(split, ".")
	names := []string{"replicate", "repeat", "fold"}
	switch e := s.Spec.Evaluate; {
	case s.Spec.Data[slices.Index(s.Spec.DataNames(), data)].HasTest():
		names = names[:1]
	case e.Folds == 0:
		names = []string{"replicate", "division"}
	case e.Repeats <= 1 && len(parts) > 1: // a single repeat is not named
		parts = slices.Delete(parts, len(parts)-2, len(parts)-1)
		names = []string{"replicate", "fold"}
	}
	if len(parts) > len(names) {
		return split
	}
	names = names[len(names)-len(parts):]
	for i := range parts {
		parts[i] = names[i] + " " + parts[i]
	}
	return strings.Join(parts, ", ")
}

// divisions returns the name of the divisions of a data.
func (s *Summary) divisions() string {
	switch {
	case s.ownTests():
		return "replicates"
	case s.Spec.Evaluate.Folds > 0:
		return "folds"
	}
	return "divisions"
}

// Confidence is the level of the intervals.
const Confidence = 0.95

// Row is one metric of a method on one data, over its splits, or over the means of all data.
type Row struct {
	Data, Method, Metric string
	N                    int     // splits (or data) with the figure
	Failed               int     // splits with an error instead
	Mean                 float64 // NaN if N is 0
	StdError             float64 // of the mean, for independent splits; NaN for N < 2
	Min, Max             float64
	Versus               *Comparison // with the baseline; nil for the baseline and for metrics that are not compared
	Paper                *float64    // figure of the spec's reference

	values map[string]float64 // by split, or by data
	digits int                // shown to people, 0 for two
}

// Comparison compares a method with the baseline on the splits (or data) for which both have a
// figure. Difference is the method's figure minus the baseline's.
//
// Low and High bound its mean with Confidence, by Student's t. The differences of a
// cross-validation or of repeated holdouts share training rows and are not an independent sample:
// for them the variance is that of Nadeau & Bengio, Inference for the generalization error (2003),
// (1/n + test rows / training rows) s^2. NaN for fewer than two pairs.
type Comparison struct {
	Baseline           string
	Pairs              int
	Wins, Ties, Losses int // splits on which the method is better, equal, worse
	Difference         float64
	Low, High          float64
}

func rowOf(data, method string, x metric.Metric, records []*run.Record) Row {
	row := Row{Data: data, Method: method, Metric: x.Name, digits: x.Digits, values: make(map[string]float64)}
	var values []float64
	for _, r := range records {
		if r.Error != "" || r.Result == nil {
			row.Failed++
			continue
		}
		if v := x.Of(r.Result, r.Recovery); !math.IsNaN(v) {
			row.values[r.Split] = v
			values = append(values, v)
		}
	}
	row.describe(values)
	return row
}

func (r *Row) describe(values []float64) {
	r.N = len(values)
	r.Mean, r.StdError, r.Min, r.Max = math.NaN(), math.NaN(), math.NaN(), math.NaN()
	if r.N == 0 {
		return
	}
	r.Mean, r.Min, r.Max = stat.Mean(values, nil), slices.Min(values), slices.Max(values)
	if r.N > 1 {
		r.StdError = stat.StdErr(stat.StdDev(values, nil), float64(r.N))
	}
}

// tie is the difference up to which two figures are equal.
const tie = 1e-9

// compareRows compares values with base over their common keys; more reports that larger is better.
func compareRows(baseline string, values, base map[string]float64, share float64, more bool) *Comparison {
	c := &Comparison{Baseline: baseline, Difference: math.NaN(), Low: math.NaN(), High: math.NaN()}
	var differences []float64
	for _, key := range slices.Sorted(maps.Keys(values)) { // a fixed order makes sums reproducible
		b, ok := base[key]
		if !ok {
			continue
		}
		d := values[key] - b
		differences = append(differences, d)
		switch {
		case math.Abs(d) <= tie:
			c.Ties++
		case d > 0 == more:
			c.Wins++
		default:
			c.Losses++
		}
	}
	c.Pairs = len(differences)
	if c.Pairs == 0 {
		return c
	}
	c.Difference = stat.Mean(differences, nil)
	if n := float64(c.Pairs); n > 1 {
		half := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile((1+Confidence)/2) *
			math.Sqrt((1/n+share)*stat.Variance(differences, nil))
		c.Low, c.High = c.Difference-half, c.Difference+half
	}
	return c
}

// compareSplits orders labels such as 2.10 by their numbers.
func compareSplits(a, b string) int {
	return slices.CompareFunc(strings.Split(a, "."), strings.Split(b, "."), func(x, y string) int {
		return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y))
	})
}

// LostTree is a tree of a task that is missing in the folder, or is another tree.
type LostTree struct {
	Task string // DATA/METHOD/SPLIT
	ID   string // of the task; the tree is trees/ID.json
	Err  error
}

func (l *LostTree) String() string { return fmt.Sprintf("%s (%s: %s)", l.Task, l.file(), l.reason()) }

func (l *LostTree) file() string { return run.TreesFolder + "/" + l.ID + ".json" }

func (l *LostTree) reason() string {
	if errors.Is(l.Err, fs.ErrNotExist) {
		return "no such file"
	}
	return strings.TrimPrefix(clean(l.Err.Error()), "tree: ")
}

// fewLost is the maximum number of lost trees named in a remark.
const fewLost = 5

// baselineText returns the name of the baseline.
func baselineText(s *spec.Spec) string {
	if s.OneBaseline() {
		return s.Baseline
	}
	return "each method's baseline"
}

// lessBaseline returns the heading of differences from the baseline.
func lessBaseline(s *spec.Spec) string {
	if s.OneBaseline() {
		return "less " + s.Baseline
	}
	return "difference"
}

// number formats a figure for people and tables, "" for none.
func number(v float64, digits int) string {
	if !finite(v) {
		return ""
	}
	return strconv.FormatFloat(v+0, 'f', digits, 64)
}

// clean returns the part of a text that a page can show on a line.
func clean(text string) string { return page.Clean(text) }

// escape escapes Markdown in a text.
func escape(text string) string {
	return strings.NewReplacer("\\", "\\\\", "|", "\\|", "<", "&lt;", ">", "&gt;", "&", "&amp;", "*", "\\*", "_", "\\_", "`", "\\`", "\n", " ").Replace(text)
}

// fenced returns a code block that its text cannot close.
func fenced(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "yaml\n" + strings.TrimRight(text, "\n") + "\n" + fence
}

// failure describes a failed task in one line.
func failure(r *run.Record) string {
	return fmt.Sprintf("%s/%s/%s: %s", r.Data, r.Method, r.Split, strings.ReplaceAll(r.Error, "\n", " "))
}

// dash replaces a missing figure.
const dash = "–"

// secondsText formats a time, "" for none.
func secondsText(v float64) string {
	switch {
	case !finite(v):
		return ""
	case v >= 100:
		return number(v, 0)
	case v >= 1:
		return number(v, 1)
	case v >= 0.001:
		return strconv.FormatFloat(v, 'g', 2, 64)
	}
	return number(v, 4)
}

// digits formats a figure with all digits, "" for none.
func digits(v float64) string {
	if !finite(v) {
		return ""
	}
	return strconv.FormatFloat(v+0, 'g', 8, 64)
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
