package run

import (
	"encoding/json"
	"math"
	"slices"
	"sync"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/solvers"
)

// TracePoint is the state of a solve at a moment. In JSON it is the array [seconds, objective,
// bound], null for unknown values.
type TracePoint struct {
	Seconds   float64 // since the solver began
	Objective float64 // of the incumbent; NaN without one
	Bound     float64 // best proven bound; -Inf without one
}

// MarshalJSON writes the array.
func (p TracePoint) MarshalJSON() ([]byte, error) {
	return json.Marshal([3]*float64{&p.Seconds, fit.Known(p.Objective), fit.Known(p.Bound)})
}

// UnmarshalJSON reads the array.
func (p *TracePoint) UnmarshalJSON(text []byte) error {
	var v [3]*float64
	if err := json.Unmarshal(text, &v); err != nil {
		return err
	}
	*p = TracePoint{fit.ValueOr(v[0], 0), fit.ValueOr(v[1], math.NaN()), fit.ValueOr(v[2], math.Inf(-1))}
	return nil
}

// tracePoints is the maximum number of points of a solve in a record.
const tracePoints = 100

// tracer records the progress of a solve: every change of objective and bound while there are few,
// then those that are visible. Solvers may call it from several goroutines, and after they have
// returned.
type tracer struct {
	mu     sync.Mutex
	points []TracePoint
	closed bool
}

// add adds an event of the solve. If time goes back, another solve has begun, whose trace replaces
// that of the previous one.
func (t *tracer) add(e *solvers.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return
	}
	if n := len(t.points); e.Elapsed == 0 || n > 0 && e.Elapsed.Seconds() < t.points[n-1].Seconds {
		t.points = t.points[:0]
	}
	t.push(TracePoint{e.Elapsed.Seconds(), e.Objective, e.Bound})
}

// push adds a point if it differs from the last one.
func (t *tracer) push(p TracePoint) {
	if n := len(t.points); n > 0 && sameState(t.points[n-1], p) {
		return
	}
	t.points = append(t.points, p)
	if len(t.points) >= 2*tracePoints {
		t.points = Thin(t.points, tracePoints)
	}
}

// end returns the trace of a solve with this outcome, nil if no solver ran. The last point is the
// final state.
func (t *tracer) end(res *fit.Result) []TracePoint {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	if res == nil || res.Solver == nil {
		return nil
	}
	s := res.Solver
	last := TracePoint{s.Seconds, fit.ValueOr(s.Objective, math.NaN()), fit.ValueOr(s.Bound, math.Inf(-1))}
	if n := len(t.points); n > 0 {
		last.Seconds = max(last.Seconds, t.points[n-1].Seconds)
	}
	return append(Thin(t.points, tracePoints-1), last)
}

func sameState(a, b TracePoint) bool {
	equal := func(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) }
	return equal(a.Objective, b.Objective) && equal(a.Bound, b.Bound)
}

// Thin removes points except the first and the last until at most n remain: each time the one
// without which the step curves of objective and bound over the logarithm of time change by the
// smallest area. It keeps the first incumbent and the first bound as long as anything else can be
// removed.
func Thin(points []TracePoint, n int) []TracePoint {
	points = slices.Clone(points)
	scale := spread(points)
	for len(points) > n {
		least, at := math.Inf(1), 1
		for i := 1; i+1 < len(points); i++ {
			if a := lostArea(points[i-1], points[i], points[i+1], scale); a < least {
				least, at = a, i
			}
		}
		points = slices.Delete(points, at, at+1)
	}
	return points
}

// spread returns the difference between the largest and the smallest value of a trace.
func spread(points []TracePoint) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range points {
		for _, v := range []float64{p.Objective, p.Bound} {
			if fit.Known(v) != nil {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	if !(high > low) {
		return 1
	}
	return high - low
}

// lostArea returns the change of the curves when p is removed: until the next point they keep the
// values before it.
func lostArea(before, p, next TracePoint, scale float64) float64 {
	width := math.Log(max(next.Seconds, LeastSeconds) / max(p.Seconds, LeastSeconds))
	area := 0.0
	for _, v := range [][2]float64{{before.Objective, p.Objective}, {before.Bound, p.Bound}} {
		switch from, to := fit.Known(v[0]), fit.Known(v[1]); {
		case to == nil:
		case from == nil:
			return math.Inf(1)
		default:
			area += math.Abs(*to-*from) / scale
		}
	}
	return area * max(width, 0)
}

// LeastSeconds is the beginning of the logarithmic time axis, in Thin and in plots.
const LeastSeconds = 1e-3
