package external

import (
	"context"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/octgen/octgen/mio"
)

// An optimizer gets a little less than the time that is left, to write its solution
// in the rest, and is stopped where it has not ended shortly after that.
const (
	// lateness is how late at the time limit it is asked to stop.
	lateness = 100 * time.Millisecond
	// mostGrace is the most that it gets from then on until it is killed. After an
	// interrupt it is Options.Grace.
	mostGrace = 200 * time.Millisecond

	// reserve is the most that is left for the end of a small solve, its share of the
	// time, and what every nonzero of the model adds to it.
	reserve        = 200 * time.Millisecond
	reserveShare   = 10
	reserveNonzero = 200 * time.Nanosecond
)

// deadline is the end of the time limit; ok is false without one.
func (j *job) deadline() (end time.Time, ok bool) {
	return j.began.Add(j.opt.TimeLimit), j.opt.TimeLimit > 0
}

// own is the optimizer's own time limit in seconds, at least a millisecond; 0 without
// a limit.
func (j *job) own() float64 {
	end, limited := j.deadline()
	if !limited {
		return 0
	}
	left := time.Until(end)
	small := min(reserve, left/reserveShare)
	large := min(time.Duration(j.m.NumNonzeros())*reserveNonzero, left/4)
	return math.Max((left - small - large).Seconds(), 0.001)
}

// seconds formats a time limit, which must not be 0.
func seconds(s float64) string { return format(math.Max(s, 0.001)) }

// wholeSeconds formats a time limit for optimizers that count whole seconds: rounded
// down, for what is killed may leave no incumbent, but one at least.
func wholeSeconds(s float64) string {
	return strconv.FormatFloat(math.Max(1, math.Floor(math.Min(s, 1e6))), 'f', 0, 64)
}

// over says what has ended the time before the optimizer runs, mio.NoLimit for nothing.
func (j *job) over(ctx context.Context) mio.Limit {
	end, limited := j.deadline()
	switch {
	case ctx.Err() != nil:
		return mio.LimitInterrupt
	case limited && !time.Now().Before(end):
		return mio.LimitTime
	}
	return mio.NoLimit
}

// timely is a writer that takes nothing once the time is over.
type timely struct {
	to  io.Writer
	job *job
	ctx context.Context
}

// Write fails with an overError once the time is over.
func (w *timely) Write(b []byte) (int, error) {
	if limit := w.job.over(w.ctx); limit != mio.NoLimit {
		return 0, &overError{limit}
	}
	return w.to.Write(b)
}

// overError is the end of the time while a file was written.
type overError struct{ limit mio.Limit }

func (e *overError) Error() string { return "no time is left (" + e.limit.String() + ")" }
