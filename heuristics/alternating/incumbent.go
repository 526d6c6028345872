package alternating

import "time"

// vacuous makes planes with an empty side constant: their features are not used.
func (e *searcher) vacuous(s *state) {
	for t := 1; t < s.leaves(); t++ {
		pl := &s.plane[t]
		if pl.a == nil {
			continue
		}
		left, right := false, false
		for _, i := range e.through(s, t) {
			if pl.value(e.row(i)) < 0 {
				left = true
			} else {
				right = true
			}
		}
		switch {
		case !right:
			*pl = plane{b: 1}
		case !left:
			*pl = plane{}
		}
	}
}

// note keeps a tree that is better than the best.
func (e *searcher) note(s *state) {
	e.vacuous(s)
	v := e.worth(s)
	if v.broken > 0 || !v.better(e.bestWorth) {
		return
	}
	t, ok := e.tree(s)
	if !ok {
		return
	}
	e.best, e.bestWorth, e.bestTree = new(state), v, t
	e.best.copyOf(s)
	e.stats.Improved++
	e.stats.BestAfter, e.stats.Best = e.work, time.Since(e.began)
	if e.progress != nil {
		e.progress(v.loss / e.scale)
	}
}

// done reports whether there is nothing left to do.
func (e *searcher) done() bool {
	return e.enough() || e.over()
}

// enough reports whether no tree is better than the best, and tells the other streams.
func (e *searcher) enough() bool {
	if e.bestWorth.loss/e.scale > e.o.Enough+leastGain {
		return false
	}
	for at := e.first.Load(); e.stats.BestAfter < at && !e.first.CompareAndSwap(at, e.stats.BestAfter); {
		at = e.first.Load()
	}
	return true
}
