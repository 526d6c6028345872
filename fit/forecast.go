package fit

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/search/exact"
)

// Forecast is an estimate of a fit by exact search.
type Forecast struct {
	Memory  int64   `json:"memory"`           // bytes at the peak
	Free    int64   `json:"free,omitempty"`   // bytes that the machine has free, if known
	Time    string  `json:"time"`             // a second, a minute, an hour, more than an hour; unknown if the memory is not free
	Seconds float64 `json:"seconds"`          // the estimate behind it
	Proved  int     `json:"proved"`           // depth that the probe proved optimal
	Advice  string  `json:"advice,omitempty"` // the option that helps most
}

// probeTime is how long a search may last for an estimate.
const probeTime = 2 * time.Second

// Foresee estimates the fit of m, a method of the problem OCT, by exact search on one thread. It takes up to two
// seconds, and none if the memory is not free. It returns nil under constraints, where the search is another.
func Foresee(ctx context.Context, m problem.Method, ds *dataset.Dataset) (*Forecast, error) {
	o, err := m.Info().OCT()
	if err != nil {
		return nil, err
	}
	if c := m.Info().Constraints; c != nil && !c.Empty() {
		return nil, nil
	}
	so := exact.Options{Depth: o.Depth, Alpha: o.Alpha, MinLeaf: o.MinLeaf, MaxSplits: o.MaxSplits, Workers: 1}
	f := &Forecast{Memory: exact.Memory(ds, &so), Free: exact.FreeMemory(), Time: "unknown"}
	if f.Free > 0 && f.Memory > f.Free {
		f.Advice = "fewer rows or columns: the fit may not fit into memory"
		return f, nil
	}
	p, err := exact.Probe(ctx, ds, so, probeTime)
	if err != nil {
		return nil, err
	}
	f.Memory, f.Time, f.Seconds, f.Proved = p.Memory, class(p.Seconds), p.Seconds, p.Proved
	switch {
	case p.Proved >= o.Depth || f.Time == times[0].name:
	case p.Proved > 0:
		f.Advice = fmt.Sprintf("--depth %d, which the probe proved optimal; --time-limit ends with the best tree so far", p.Proved)
	default:
		f.Advice = "--time-limit, which ends with the best tree so far"
	}
	return f, nil
}

// times are classes of time; each ends half way to the next one, as a factor.
var times = []struct {
	most float64 // seconds
	name string
}{{8, "a second"}, {465, "a minute"}, {3 * 3600, "an hour"}, {math.Inf(1), "more than an hour"}}

// class returns the class of a time in seconds.
func class(seconds float64) string {
	for _, t := range times {
		if seconds < t.most {
			return t.name
		}
	}
	return times[len(times)-1].name
}
