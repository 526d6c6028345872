package exact

import (
	"context"
	"math"
	"time"

	"github.com/octgen/octgen/tree"
)

// Search and annealing take turns on one thread. Between two rounds of the search, annealing may work
// until it has done its share; so it delays a proof by little, and its trees raise the thresholds of
// the search. All this is counted in work, so that a search without limits, or with a limit of work,
// is reproducible. If time or work is limited, the last part of it is for annealing alone.
const (
	leastSearch = 1 << 27  // work of the search before the first turn
	turnShare   = 1. / 128 // of annealing, relative to the search

	// From earlyDepth on, where proofs are rare, annealing then does as much work as the search, up to
	// earlyWork, once the search has done earlyRows, or earlyPairs if pairs are counted, which is faster.
	earlyDepth = 5
	earlyWork  = 1 << 29
	earlyRows  = 1 << 27
	earlyPairs = 1 << 36
)

// exactShare is the part of a limit after which only annealing goes on.
func exactShare(depth int) float64 {
	if depth < earlyDepth {
		return 0.75
	}
	return 0.4
}

// mostAnnealed is the memory in bytes up to which annealing is tried.
const mostAnnealed = 1 << 30

// Anneals reports whether a search that a limit ends has been annealing: from depth 3 on, without a
// limit on splits that matters, since that concerns the whole tree and bottoms are solved one by one,
// and up to some size. cells is the number of rows times features; those with a feature's most
// frequent value need not count.
func Anneals(cells, depth, maxSplits int) bool {
	const perCell = 2 * 8 // bytes per level: two copies, in the current tree and in a trial
	return depth > 2 && (maxSplits == 0 || maxSplits >= full(depth)) && cells <= mostAnnealed/perCell/(depth-1)
}

func (s *search) anneals(depth int) bool {
	return !s.o.NoAnneal && s.p.p > 0 && Anneals(s.p.room, depth, s.o.MaxSplits)
}

// shareOut leaves the last part of the limits for annealing. The returned function ends the search.
func (s *search) shareOut() context.CancelFunc {
	_, depth := s.o.budget()
	s.most = s.o.WorkLimit
	if !s.anneals(depth) {
		return func() {}
	}
	share := exactShare(depth)
	if s.most > 0 {
		s.most = max(1, int64(share*float64(s.most)))
	}
	end, limited := s.ctx.Deadline()
	if !limited {
		return func() {}
	}
	within, cancel := context.WithTimeout(s.ctx, time.Duration(share*float64(time.Until(end))))
	s.within = within
	return cancel
}

// turn lets annealing do its share of the work.
func (s *search) turn() {
	if !s.anneals(s.depth) {
		return
	}
	share := int64(turnShare * float64(s.searched()))
	if s.depth >= earlyDepth {
		quiet := int64(earlyRows)
		if s.p.pure {
			quiet = earlyPairs
		}
		share = max(share, min(s.searched()-quiet, earlyWork))
	}
	if s.searched() >= leastSearch && share > s.stats.Annealing {
		s.annealFor(share-s.stats.Annealing, s.floor, nil)
	}
}

// searched returns the work of the search without annealing and parts.
func (s *search) searched() int64 {
	work := s.stats.Work - s.stats.Annealing
	if s.parts != nil {
		work -= s.parts.work
	}
	return work
}

// annealFor lets annealing do some work.
func (s *search) annealFor(work int64, floor float64, left func() int64) {
	if s.anneal == nil {
		s.anneal = newAnnealer(s.p, s.root, s.depth, s.o.Seed, func() bool { return s.ctx.Err() != nil }, s.cache)
	}
	a := s.anneal
	before := a.w.stats.Work
	a.run(before+work, floor, left)
	s.stats.Work += a.w.stats.Work - before
	s.stats.Annealing += a.w.stats.Work - before
	s.annealed = min(s.annealed, a.best)
}

// turnWork is the work of annealing between two reports of progress.
const turnWork = 1 << 24

// goOn lets annealing go on from t, the best tree of a search that a limit ended, until the time or the
// work is over, and reports whether it did. No tree has a value below floor.
func (s *search) goOn(t *tree.Tree, value, floor float64) bool {
	if !s.stopped || s.ctx.Err() != nil || value <= floor+s.p.tol || !s.anneals(s.depth) {
		return false
	}
	s.annealFor(0, floor, nil)
	s.anneal.adopt(t, value)
	began, done := time.Now(), s.stats.Annealing
	left := func() int64 {
		if s.o.WorkLimit > 0 {
			return s.o.WorkLimit - s.stats.Work
		}
		end, limited := s.ctx.Deadline()
		passed := time.Since(began)
		if !limited || passed < time.Millisecond {
			return math.MaxInt64 / 4
		}
		return int64(float64(s.stats.Annealing-done) * time.Until(end).Seconds() / passed.Seconds())
	}
	for s.ctx.Err() == nil && s.annealed > floor+s.p.tol {
		work := int64(turnWork)
		if s.o.WorkLimit > 0 {
			if work = min(work, s.o.WorkLimit-s.stats.Work); work <= 0 {
				break
			}
		}
		s.annealFor(work, floor, left)
		s.report(s.annealed, floor)
	}
	return true
}
