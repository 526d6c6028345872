package external

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// record is what the lines of a log have said so far. Objectives are those of
// the file, which is always minimized.
type record struct {
	objective float64 // of the incumbent; +Inf without one
	bound     float64 // -Inf without one
	nodes     int64
	iter      int64
	start     bool // the start was taken

	status mio.Status // how it ended; Unknown as long as nothing was said
	limit  mio.Limit
	words  string // the line that said so

	refused string // a raw option that it does not know
	fatal   string // the line that says why nothing was solved
	news    bool   // since the last event
}

func newRecord() *record { return &record{objective: math.Inf(1), bound: math.Inf(-1)} }

// incumbent takes in the objective of an incumbent, where text is a number.
func (r *record) incumbent(text string) {
	if v, ok := number(text); ok && v < r.objective {
		r.objective, r.news = v, true
	}
}

// lower takes in a bound printed with at most digits significant digits.
func (r *record) lower(text string, digits int) {
	if v, ok := number(text); ok {
		if v = loosen(v, text, digits); v > r.bound {
			r.bound, r.news = v, true
		}
	}
}

// lowerFixed takes in a bound printed with that many decimals.
func (r *record) lowerFixed(text string, decimals int) {
	if v, ok := number(text); ok {
		if v -= math.Pow(10, -float64(decimals)) / 2; v > r.bound {
			r.bound, r.news = v, true
		}
	}
}

// work takes in counts of nodes and iterations, "" for none.
func (r *record) work(nodes, iter string) {
	if n, err := strconv.ParseInt(nodes, 10, 64); err == nil && n > r.nodes {
		r.nodes, r.news = n, true
	}
	if n, err := strconv.ParseInt(iter, 10, 64); err == nil && n > r.iter {
		r.iter, r.news = n, true
	}
}

// ended takes in a line that says how it ended.
func (r *record) ended(line string, status mio.Status, limit mio.Limit) {
	r.status, r.limit, r.words = status, limit, strings.TrimSpace(line)
}

// event is the record for Options.Progress. Elapsed is left to the caller.
func (r *record) event(j *job) solvers.Event {
	e := solvers.Event{Objective: math.NaN(), Bound: j.mp.ModelObjective(r.bound), Nodes: r.nodes, Iter: r.iter}
	if !math.IsInf(r.objective, 0) {
		e.Objective = j.mp.ModelObjective(r.objective)
	}
	if e.Objective-e.Bound == 0 || j.mp.Sign*(e.Objective-e.Bound) > 0 || math.IsNaN(e.Objective) {
		e.Gap = mio.Gap(e.Objective, e.Bound)
		e.Elapsed = time.Since(j.began)
		return e
	}
	e.Bound = e.Objective // digits that were cut
	e.Gap, e.Elapsed = mio.Gap(e.Objective, e.Bound), time.Since(j.began)
	return e
}

// number parses a finite number below 1e20, which stands for infinity.
func number(text string) (float64, bool) {
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil && math.Abs(v) < 1e20
}

// loosen moves a number that was printed with at most digits significant digits
// down by half a unit of its last one, if it has that many: then others may
// have been cut.
func loosen(v float64, text string, digits int) float64 {
	mantissa := strings.TrimLeft(text, "+-")
	if e := strings.IndexAny(mantissa, "eE"); e >= 0 {
		mantissa = mantissa[:e]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	figures := strings.TrimRight(strings.TrimLeft(whole+fraction, "0"), "0")
	if len(figures) < digits || v == 0 {
		return v
	}
	unit := math.Pow(10, math.Floor(math.Log10(math.Abs(v)))-float64(digits-1))
	return v - unit/2
}

// phrase is what the beginning of a line, or a part of it, means.
type phrase struct {
	text   string
	status mio.Status
	limit  mio.Limit
}

// judge takes in the first phrase that the line contains.
func (r *record) judge(line string, phrases []phrase) bool {
	for _, p := range phrases {
		if strings.Contains(line, p.text) {
			r.ended(line, p.status, p.limit)
			return true
		}
	}
	return false
}
