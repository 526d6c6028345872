package report

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/octgen/octgen/experiments/metric"
	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/fit"
)

// Summary is what a folder's results amount to.
type Summary struct {
	Spec    *spec.Spec
	Tasks   int // of the whole plan
	Done    int // with a result
	Version string
	Rows    []Row        // by data, then all data; method; metric
	Times   []Row        // the metric "seconds", which no two runs agree in
	Failed  []run.Record // tasks with an error for a result, by data, method, split

	LostTrees []LostTree // that tasks made and the folder lacks, by data, method, split

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

// add makes the rows.
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

// results are those of the tasks that have one, by data, method and split.
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

// metric is the metric of a row.
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

// testShare is the number of test rows per training row, 0 where the splits are
// independent of each other, as all data are.
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

// addAll adds the rows over all data: figures are means of data, pairs are data.
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

// findTrees notes the trees of the folder, and those that are missing or damaged.
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

// lostTrees says what is wrong with the trees of records, by id: reading them is most of
// the work of a large run's tables, and all processors take part.
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

// LostTreesText is a remark on the trees that cannot be shown, "" where there are
// none.
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
	return fmt.Sprintf("%d %s missing or damaged, octgen run --retry makes what is lost again: %s", len(lost), are, text)
}
