package report

import (
	"slices"

	"github.com/octgen/octgen/experiments/metric"
	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/experiments/spec"
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

	records []run.Record // by split
}

// Summarise reads the results of a folder.
func Summarise(dir string) (*Summary, error) {
	r, err := run.Read(dir)
	if err != nil {
		return nil, err
	}
	s := &Summary{Spec: r.Spec, Tasks: r.Tasks, Done: len(r.Records), Version: r.Version}
	s.add(r.Records)
	s.findLostTrees(dir)
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
	by := make(map[[2]string][]run.Record)
	for _, r := range records {
		key := [2]string{r.Data, r.Method}
		by[key] = append(by[key], r)
	}
	seconds := metric.Seconds()
	for _, d := range s.Spec.DataNames() {
		for _, m := range s.Spec.MethodNames() {
			of := by[[2]string{d, m}]
			for _, r := range of {
				if r.Error != "" {
					s.Failed = append(s.Failed, r)
				}
			}
			for _, x := range metric.All() {
				s.Rows = append(s.Rows, rowOf(d, m, x, of))
			}
			s.Times = append(s.Times, rowOf(d, m, seconds, of))
		}
	}
	s.compare(by)
	if len(s.Spec.Data) > 1 {
		s.addAll()
	}
	for i := range s.Rows {
		r := &s.Rows[i]
		r.Paper = s.Spec.Reference.Value(r.Data, r.Method, r.Metric)
	}
}

// compare sets the rows' comparisons with the baseline.
func (s *Summary) compare(by map[[2]string][]run.Record) {
	for i := range s.Rows {
		r := &s.Rows[i]
		baseline := s.Spec.BaselineOf(r.Method)
		if !isCompared(r.Metric) || baseline == "" {
			continue
		}
		base := s.find(r.Data, baseline, r.Metric)
		r.Versus = compareRows(baseline, r.values, base.values, testShare(s.Spec, r.Data, by[[2]string{r.Data, r.Method}]))
	}
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
// independent of each other.
func testShare(of *spec.Spec, data string, records []run.Record) float64 {
	for i := range of.Data {
		if d := &of.Data[i]; d.Name == data && d.HasTest() {
			return 0
		}
	}
	share, n := 0.0, 0.0
	for _, r := range records {
		if r.Result != nil && r.Result.Test != nil && r.Result.Train != nil && r.Result.Train.Rows > 0 {
			share += r.Result.Test.Rows / r.Result.Train.Rows
			n++
		}
	}
	return share / max(1, n)
}

// addAll adds the rows over all data: figures are means of data, pairs are data.
func (s *Summary) addAll() {
	var all []Row
	for _, m := range s.Spec.MethodNames() {
		for _, x := range metric.All() {
			row := Row{Data: spec.AllData, Method: m, Metric: x.Name, values: make(map[string]float64)}
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
			all = append(all, row)
		}
	}
	s.Rows = append(s.Rows, all...)
	for i := range s.Rows {
		r := &s.Rows[i]
		if baseline := s.Spec.BaselineOf(r.Method); r.Data == spec.AllData && isCompared(r.Metric) && baseline != "" {
			r.Versus = compareRows(baseline, r.values, s.find(spec.AllData, baseline, r.Metric).values, 0)
		}
	}
}

// findLostTrees notes the trees of the folder that are missing or damaged.
func (s *Summary) findLostTrees(dir string) {
	for _, d := range s.Spec.DataNames() {
		for _, m := range s.Spec.MethodNames() {
			for _, r := range s.of(d, m) {
				if err := run.LostTree(dir, r); err != nil {
					s.LostTrees = append(s.LostTrees, LostTree{d + "/" + m + "/" + r.Split, r.ID, err})
				}
			}
		}
	}
}

// LostTreesText is a remark on the trees that cannot be shown, "" where there are
// none.
func (s *Summary) LostTreesText() string { return lostTreesText(s.LostTrees) }
