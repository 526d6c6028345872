package exact

import (
	"context"
	"math"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/search/large"
)

// Memory estimates the memory in bytes that a search needs at its peak, with the data: within a factor of
// two of what was measured on the data of docs/tables/forecast.md.
func Memory(ds *dataset.Dataset, o *Options) int64 {
	const (
		program = 36 << 20
		slack   = 1.15 // garbage
		perRow  = 32   // of a dataset, apart from its features
	)
	n, p, workers := float64(ds.N()), float64(ds.P()), float64(max(1, o.Workers))
	_, depth := o.budget()
	data := n * (8*p + perRow)
	if Large(ds, o) {
		return int64(program + slack*(data+large.Memory(ds, depth, o.Workers)))
	}
	cells := 0.0 // places of all features: see layout
	values := 0.0
	for j := range ds.P() {
		some, distinct := sampled(ds, j)
		cells += n * some
		values += n * distinct
	}
	const (
		presort = 24 + 44 // of a row in the presort and in the problem
		sweeps  = 17 + 64 + 17
		cached  = 20 << 20 // of the cache, which grows with the time
	)
	search := data + n*(8*p+presort) + 8*values + 8*cells // merged rows, their presort, the root
	search += workers * (n*sweeps + 3*8*cells)
	if depth > 3 {
		search += cached
		search += workers * float64(depth-3) * 2 * 8 * cells
	}
	if Anneals(int(cells), depth, o.MaxSplits) {
		search += float64(depth) * 8 * cells
	}
	return int64(program + slack*(data+search))
}

// sampled estimates from some rows, relative to their number, the places and the distinct values of feature j.
func sampled(ds *dataset.Dataset, j int) (some, distinct float64) {
	const most = 1 << 12
	step, count, largest := max(1, ds.N()/most), map[float64]int{}, 0
	rows := 0
	for i := 0; i < ds.N(); i += step {
		v := ds.At(i, j)
		count[v]++
		rows++
		largest = max(largest, count[v])
	}
	some = 1
	if largest*leastMode >= rows {
		some -= float64(largest) / float64(rows)
	}
	return some, float64(len(count)) / float64(rows)
}

// Forecast is an estimate of a search.
type Forecast struct {
	Memory  int64   // bytes: see Memory
	Proved  int     // depth of the largest trees that the probe proved optimal
	Seconds float64 // estimate for the depth of the options; of the probe if it proved that
}

// Probe estimates the time of a search from searches of smaller depths within a limit. Each level more
// takes as many times longer as the one before, or more.
func Probe(ctx context.Context, ds *dataset.Dataset, o Options, limit time.Duration) (Forecast, error) {
	f := Forecast{Memory: Memory(ds, &o)}
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	_, depth := o.budget()
	o.Progress, o.NoAnneal = nil, true
	var took []float64 // by depth
	for d := 1; d <= depth; d++ {
		part := o
		part.Depth, part.MaxSplits = d, min(o.MaxSplits, full(d))
		if d == depth {
			part.MaxSplits = o.MaxSplits
		}
		began := time.Now()
		r, err := Solve(within, ds, part)
		if err != nil {
			return f, err
		}
		seconds := time.Since(began).Seconds()
		took = append(took, max(seconds, leastTime))
		if r.Limit != mio.NoLimit {
			if f.Seconds = extrapolate(took[:d-1], seconds, depth); f.Seconds > long && !Large(ds, &o) {
				f.Memory += longCache
			}
			return f, nil
		}
		f.Proved = d
		if r.Cost == 0 {
			break // deeper trees are no better
		}
	}
	f.Proved = depth
	f.Seconds = took[len(took)-1]
	return f, nil
}

const (
	leastTime = 1e-3 // seconds below which times are those of setting up
	leastRise = 6    // minimum factor of a level

	long      = 8        // seconds from which on the cache grows large
	longCache = 80 << 20 // what it then takes
)

// extrapolate estimates the time for a depth from those of the first depths, if the next one takes more than
// some seconds.
func extrapolate(took []float64, more float64, depth int) float64 {
	rise, last := float64(leastRise), leastTime
	if k := len(took); k > 0 {
		last = took[k-1]
		if k > 1 {
			rise = max(rise, took[k-1]/took[k-2])
		}
	}
	next := max(2*more, last*rise*rise/leastRise)
	return next * math.Pow(max(rise, next/last), float64(depth-len(took)-1))
}
