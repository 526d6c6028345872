package exact

import "math"

// Deepening, as iterative deepening (Korf 1985) by value instead of by depth. At five and more levels, the bound of the search stays low for long: its trees with one
// level less must be solved to optimality before it begins at its own root. So a search that has not
// ended after some work asks for less: is there a tree with a value below v? All thresholds are then
// v or less, also for the trees with one level less. The answer is the best such tree, an optimum, or a
// proof that f >= v; v grows until it reaches the incumbent. The cache keeps what was proved. This
// delays a proof that comes soon; therefore the search begins without.
const (
	plainRows  = 1 << 31 // work before deepening, divided by the number of classes
	plainPairs = 1 << 36 // if pairs are counted, which is faster
	growth     = 1.6     // of v
)

// plainWork returns the work before deepening.
func (s *search) plainWork() int64 {
	if s.p.pure {
		return plainPairs
	}
	return plainRows / int64(s.p.k)
}

// paused reports whether deepening is to begin.
func (s *search) paused() bool { return s.searched() >= s.pause }

// deepen improves a, the answer so far for trees with a value below ub.
func (s *search) deepen(c child, a *answer, ub float64) {
	s.pause, s.deepening = math.MaxInt64, true
	for {
		s.floor = max(s.floor, a.lb)
		most := min(ub, a.value, s.annealed)
		v := min(most, s.p.whole(max(growth*a.lb, a.lb+s.p.lambda+s.p.averageRow())))
		b := s.solve(c, v)
		a.improve(b, s.p.thr(most))
		if a.lb = max(a.lb, b.lb); s.stopped || v >= most || b.value < math.Inf(1) {
			return
		}
		a.lb = max(a.lb, s.p.whole(s.p.thr(v))) // with a minimum leaf weight, b.lb may be less
	}
}
