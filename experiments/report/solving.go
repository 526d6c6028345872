package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"github.com/octgen/octgen/experiments/metric"
	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/internal/spreadsheet"
)

// solving describes how a method solved the tasks that it shares with others.
type solving struct {
	method string
	index  int
	tasks  int
	proved int
	mean   float64   // shifted geometric mean of the seconds, see timeShift
	ratios []float64 // by task: seconds relative to the fastest method that proved it; +Inf if this method did not prove it
}

const (
	// timeShift is added to every time before the geometric mean and subtracted after it, so that
	// times near 0 do not dominate.
	timeShift = 1.0
	// timeLeast is the minimum time in ratios: shorter times count as this.
	timeLeast = 0.01
	// mostRatio is the last factor of the profile's axis.
	mostRatio = 1000
)

// solved compares methods that prove optimality on the tasks (splits of a data) that all of them
// have; nil for fewer than two methods, or without a proof. A task that a method did not prove
// counts in the mean with its time limit, or with its time if that is longer.
func (s *Summary) solved() []solving {
	var all []solving
	times := map[string]map[string]*run.Record{} // by method and task
	for i, m := range s.Spec.MethodNames() {
		of := map[string]*run.Record{}
		for k := range s.records {
			if r := &s.records[k]; r.Method == m && r.Result != nil && r.Result.Solver != nil {
				of[r.Data+"/"+r.Split] = r
			}
		}
		if len(of) > 0 {
			times[m] = of
			all = append(all, solving{method: m, index: i})
		}
	}
	if len(all) < 2 {
		return nil
	}
	var tasks []string
	for task := range times[all[0].method] {
		if !slices.ContainsFunc(all, func(m solving) bool { return times[m.method][task] == nil }) {
			tasks = append(tasks, task)
		}
	}
	slices.Sort(tasks)
	proofs := 0
	for _, task := range tasks {
		least := math.Inf(1)
		for _, m := range all {
			if r := times[m.method][task]; settled(r) {
				least = min(least, max(r.Result.Seconds, timeLeast))
			}
		}
		for k := range all {
			m := &all[k]
			r := times[m.method][task]
			seconds, ratio := r.Result.Seconds, math.Inf(1)
			if settled(r) {
				m.proved++
				proofs++
				ratio = max(seconds, timeLeast) / least
			} else {
				seconds = max(seconds, s.Spec.Methods[m.index].TimeLimit().Seconds())
			}
			m.tasks++
			m.mean += math.Log(seconds + timeShift)
			m.ratios = append(m.ratios, ratio)
		}
	}
	if proofs == 0 {
		return nil
	}
	for k := range all {
		m := &all[k]
		m.mean = math.Exp(m.mean/float64(m.tasks)) - timeShift
		slices.Sort(m.ratios)
	}
	return all
}

// settled reports whether a task ended with a proof that the check does not refute.
func settled(r *run.Record) bool { return r.Error == "" && metric.Settled(r.Result) }

// within returns the fraction of the tasks that a method proved within a factor of the fastest.
func (m *solving) within(factor float64) float64 {
	n, _ := slices.BinarySearch(m.ratios, math.Nextafter(factor, math.Inf(1)))
	return float64(n) / float64(m.tasks)
}

// factors are the factors of solving.csv.
var factors = []float64{1, 2, 4, 8, 16, 32, 64}

// writeSolving writes solving.csv: a line per method.
func (s *Summary) writeSolving(w io.Writer) error {
	head := []string{"method", "tasks", "proved", "shifted_geometric_mean_seconds"}
	for _, f := range factors {
		head = append(head, "within_"+number(f, 0))
	}
	lines := [][]string{head}
	for _, m := range s.solved() {
		line := []string{spreadsheet.Text(m.method), strconv.Itoa(m.tasks), strconv.Itoa(m.proved), number(m.mean, 3)}
		for _, f := range factors {
			line = append(line, number(m.within(f), 3))
		}
		lines = append(lines, line)
	}
	return csv.NewWriter(w).WriteAll(lines)
}

// profilePlots returns the performance profile (Dolan & Moré 2002).
func (s *Summary) profilePlots() section {
	sec := section{ID: "profile", Title: "Solving times compared", Times: true}
	all := s.solved()
	if all == nil {
		return sec
	}
	var words []string
	for _, m := range all {
		words = append(words, fmt.Sprintf("%s: %d of %d, %s s", clean(m.method), m.proved, m.tasks, secondsText(m.mean)))
	}
	sec.Notes = []string{
		"Fraction of the tasks that a method proved within a factor of the time of the fastest method; times below 10 ms count as 10 ms. The tasks are those for which every method has a result.",
		fmt.Sprintf("Proved tasks, and shifted geometric mean of the seconds (shift %v s; unproved tasks count with their time limit): %s.", timeShift, strings.Join(words, "; ")),
	}
	sec.Figures = []*figure{profile(all)}
	return sec
}

// profile draws the steps.
func profile(all []solving) *figure {
	f := newFigure("Performance profile", "", "times the fastest", "proved, %", plotHeight)
	f.Times = true
	f.plot.Add(crossGrid())
	high := 2.0
	for _, m := range all {
		for _, r := range m.ratios {
			if r <= mostRatio {
				high = max(high, r)
			}
		}
	}
	high *= 1.2
	var words []string
	for _, m := range all {
		y := 100 * m.within(1)
		xys := plotter.XYs{{X: 1, Y: y}}
		for _, r := range m.ratios {
			if r > 1 && r <= high {
				xys = append(xys, plotter.XY{X: r, Y: y}, plotter.XY{X: r, Y: 100 * m.within(r)})
				y = 100 * m.within(r)
			}
		}
		f.path(append(xys, plotter.XY{X: high, Y: y}), line(m.index))
		f.points(plotter.XYs{{X: high, Y: y}}, glyph(m.index))
		words = append(words, fmt.Sprintf("%s: %.0f %% as fast as the fastest, %.0f %% in all", m.method, 100*m.within(1), 100*m.within(math.MaxFloat64)))
	}
	f.Label = "Performance profile. " + strings.Join(words, "; ")
	f.plot.X.Min, f.plot.X.Max = 1, high*1.1
	f.plot.X.Scale, f.plot.X.Tick.Marker = plot.LogScale{}, timeTicks{}
	f.plot.Y.Min, f.plot.Y.Max = -4, 104
	return f
}
