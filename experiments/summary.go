package experiments

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Confidence is the level of the intervals.
const Confidence = 0.95

// allData stands for the mean over the data in tables.
const allData = "(all)"

// Summary is what a folder's results amount to.
type Summary struct {
	Spec    *Spec
	Tasks   int // of the whole plan
	Done    int // with a result
	Version string
	Rows    []Row    // by data, then all data; method; metric
	Times   []Row    // the metric "seconds", which no two runs agree in
	Failed  []Record // tasks with an error for a result, by data, method, split

	LostTrees []LostTree // that tasks made and the folder lacks, by data, method, split

	records []Record // by split
}

// Row is one metric of a method on one data, over its splits, or over the means
// of all data.
type Row struct {
	Data, Method, Metric string
	N                    int     // splits (or data) with the figure
	Failed               int     // splits with an error instead
	Mean                 float64 // NaN where N is 0
	StdError             float64 // of the mean, splits taken as independent; NaN for N < 2
	Min, Max             float64
	Versus               *Comparison // with the baseline; nil for itself and for metrics that are not compared
	Paper                *float64    // the figure of the spec's reference

	values map[string]float64 // by split, or by data
}

// Comparison is a method against the baseline on the splits (or data) that both
// have a figure for. Difference is the method's less the baseline's.
//
// Low and High bound its mean with Confidence, by Student's t. The differences of
// a cross-validation or of repeated holdouts share training rows and are no
// independent sample: there the variance is that of Nadeau & Bengio, Inference
// for the generalization error (2003), (1/n + test rows / training rows) s^2.
// NaN for fewer than two pairs.
type Comparison struct {
	Baseline           string
	Pairs              int
	Wins, Ties, Losses int // splits on which the method has less, as much, more
	Difference         float64
	Low, High          float64
}

// Summarise reads the results of a folder.
func Summarise(dir string) (*Summary, error) {
	m, err := readManifest(dir)
	if errors.Is(err, ErrFolder) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s holds no results of a run: %w", ErrFolder, dir, err)
	}
	spec, err := Load(filepath.Join(dir, specFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s has lost its %s; octgen run SPEC --resume --out %[2]s puts it back, SPEC being the spec that it was begun with (sha256 %[4]s)", ErrFolder, dir, specFile, m.Spec)
	}
	if err != nil {
		return nil, err
	}
	if spec.SHA256 != m.Spec {
		return nil, fmt.Errorf("%w: %s in %s is not the spec that the results are of (sha256 %s, expected %s); octgen run SPEC --resume --out %[3]s puts that back", ErrFolder, specFile, dir, spec.SHA256, m.Spec)
	}
	path := filepath.Join(dir, resultsFile)
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read-only: closing has nothing to report
	records, _, err := readRecords(f, path)
	if err != nil {
		return nil, err
	}
	records = latest(records)
	s := &Summary{Spec: spec, Tasks: m.Tasks, Done: len(records), Version: m.Version}
	s.add(records)
	s.findLostTrees(dir)
	return s, nil
}

// of returns the records of a method on one data, by split.
func (s *Summary) of(data, method string) []*Record {
	var of []*Record
	for i := range s.records {
		if r := &s.records[i]; r.Data == data && r.Method == method {
			of = append(of, r)
		}
	}
	return of
}

// add makes the rows.
func (s *Summary) add(records []Record) {
	slices.SortFunc(records, func(a, b Record) int { return compareSplits(a.Split, b.Split) })
	s.records = records
	by := make(map[[2]string][]Record)
	for _, r := range records {
		key := [2]string{r.Data, r.Method}
		by[key] = append(by[key], r)
	}
	seconds := metric{resultMetric: resultMetric{name: "seconds", of: secondsOf}}
	for _, d := range s.Spec.dataNames() {
		for _, m := range s.Spec.methodNames() {
			of := by[[2]string{d, m}]
			for _, r := range of {
				if r.Error != "" {
					s.Failed = append(s.Failed, r)
				}
			}
			for _, x := range metrics() {
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
		s.Rows[i].Paper = s.Spec.reference(&s.Rows[i])
	}
}

// compareSplits orders labels such as 2.10 by their numbers.
func compareSplits(a, b string) int {
	return slices.CompareFunc(strings.Split(a, "."), strings.Split(b, "."), func(x, y string) int {
		return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y))
	})
}

func rowOf(data, method string, x metric, records []Record) Row {
	row := Row{Data: data, Method: method, Metric: x.name, values: make(map[string]float64)}
	var values []float64
	for _, r := range records {
		if r.Error != "" || r.Result == nil {
			row.Failed++
			continue
		}
		if v := x.value(&r); !math.IsNaN(v) {
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

// compare sets the rows' comparisons with the baseline.
func (s *Summary) compare(by map[[2]string][]Record) {
	for i := range s.Rows {
		r := &s.Rows[i]
		baseline := s.Spec.baselineOf(r.Method)
		if !isCompared(r.Metric) || baseline == "" {
			continue
		}
		base := s.find(r.Data, baseline, r.Metric)
		r.Versus = compareRows(baseline, r.values, base.values, testShare(s.Spec, r.Data, by[[2]string{r.Data, r.Method}]))
	}
}

func isCompared(name string) bool {
	return slices.ContainsFunc(metrics(), func(x metric) bool { return x.name == name && x.compared })
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
func testShare(spec *Spec, data string, records []Record) float64 {
	for i := range spec.Data {
		if d := &spec.Data[i]; d.Name == data && d.hasTest() {
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

// tie is the difference up to which two figures are the same.
const tie = 1e-9

// compareRows compares values with base over their common keys.
func compareRows(baseline string, values, base map[string]float64, share float64) *Comparison {
	c := &Comparison{Baseline: baseline, Difference: math.NaN(), Low: math.NaN(), High: math.NaN()}
	var differences []float64
	for _, key := range keysOf(values) { // in order: sums are the same each time
		b, ok := base[key]
		if !ok {
			continue
		}
		d := values[key] - b
		differences = append(differences, d)
		switch {
		case d < -tie:
			c.Wins++
		case d > tie:
			c.Losses++
		default:
			c.Ties++
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

// addAll adds the rows over all data: figures are means of data, pairs are data.
func (s *Summary) addAll() {
	var all []Row
	for _, m := range s.Spec.methodNames() {
		for _, x := range metrics() {
			row := Row{Data: allData, Method: m, Metric: x.name, values: make(map[string]float64)}
			var means []float64
			for _, d := range s.Spec.dataNames() {
				r := s.find(d, m, x.name)
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
		if baseline := s.Spec.baselineOf(r.Method); r.Data == allData && isCompared(r.Metric) && baseline != "" {
			r.Versus = compareRows(baseline, r.values, s.find(allData, baseline, r.Metric).values, 0)
		}
	}
}

// hasReference says whether the paper has figures of a metric.
func (s *Spec) hasReference(metric string) bool {
	return slices.ContainsFunc(s.Reference.Values, func(v ReferenceValue) bool { return v.Metric == metric })
}

func (s *Spec) reference(r *Row) *float64 {
	for _, v := range s.Reference.Values {
		if v.Data == r.Data && v.Method == r.Method && v.Metric == r.Metric {
			return &v.Value
		}
	}
	return nil
}

// number writes a figure for people and tables, "" for none.
func number(v float64, digits int) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v+0, 'f', digits, 64)
}
