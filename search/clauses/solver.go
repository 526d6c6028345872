package clauses

import (
	"slices"

	"github.com/octgen/octgen/internal/pulse"
)

// Lit is a literal: 2v says that variable v is true, 2v + 1 that it is false.
type Lit int32

// True returns the literal that variable v is true.
func True(v int) Lit { return Lit(2 * v) }

// False returns the literal that variable v is false.
func False(v int) Lit { return Lit(2*v + 1) }

// Not returns the opposite literal.
func (l Lit) Not() Lit { return l ^ 1 }

// Var returns the variable of a literal.
func (l Lit) Var() int { return int(l >> 1) }

// Status is how a search ended.
type Status int

const (
	Stopped     Status = iota // by its limit
	Satisfiable               // the assignment satisfies all
	Impossible                // no assignment does
)

// clause is a set of literals one of which is true. The first two are watched.
type clause struct {
	lits     []Lit
	activity float32
	levels   int32 // different levels of its literals when it was learned
	pure     bool  // follows from clauses alone, whatever the budget
	learned  bool  // may be forgotten
	gone     bool
}

type watch struct {
	of    *clause
	other Lit // if it is true, the clause is
}

const (
	mostLearned = 5000  // clauses, at first; a tenth more each time that half of them are forgotten
	patience    = 100   // conflicts before the first restart
	fading      = 0.95  // of the activity of variables, at each conflict
	fadingOf    = 0.999 // of clauses
)

// Solver is a problem, and the state of its search.
type Solver struct {
	weight []float64 // of variables in the budget
	budget float64
	spent  float64 // by variables that are true
	dear   []int   // variables with a weight, the heaviest first

	theory Theory

	value   []int8 // per literal: 1 true, -1 false, 0 open
	level   []int32
	reason  []*clause // nil: decided, given, or by the budget
	budgets []bool    // the reason is the budget
	tainted []bool    // of variables set at level 0: not pure
	at      []int32   // position in the trail
	trail   []Lit
	marks   []int32 // trail's length before each decision
	done    int     // literals of the trail that were propagated
	seen    int     // literals of the trail that the theory has seen
	watches [][]watch
	units   []Lit // pure
	slab    []Lit // room for literals of clauses, side by side as they are looked at
	clauses []*clause
	learned int
	most    int  // learned clauses, beyond which half are forgotten
	broken  bool // whatever the budget
	failed  bool // with this budget

	Most      int // conflicts after which Solve stops; 0 for no limit
	conflicts int

	order    heap
	step     float64
	bump     float32
	marked   []bool
	restarts int
}

// Theory is what clauses alone do not say.
type Theory struct {
	// Check looks at the literals that became true, and returns clauses that hold, some of them false in the
	// assignment; nil for no conflict.
	Check func(fresh []Lit) [][]Lit
	// Undo forgets all but the first literals that it was shown.
	Undo func(kept int)
	// Prefer says whether a variable is to be tried as true first.
	Prefer func(v int) bool
}

// New returns a solver for n variables with weights in the budget.
func New(weight []float64, theory Theory) *Solver {
	n := len(weight)
	s := &Solver{
		weight: weight, theory: theory,
		value: make([]int8, 2*n), level: make([]int32, n), reason: make([]*clause, n), budgets: make([]bool, n), tainted: make([]bool, n), at: make([]int32, n),
		watches: make([][]watch, 2*n), marked: make([]bool, n), step: 1, bump: 1, most: mostLearned,
	}
	s.order.init(n)
	for v, w := range weight {
		if w > 0 {
			s.dear = append(s.dear, v)
		}
	}
	slices.SortStableFunc(s.dear, func(a, b int) int {
		switch {
		case weight[a] > weight[b]:
			return -1
		case weight[a] < weight[b]:
			return 1
		}
		return 0
	})
	return s
}

// Add adds a clause, before a search or between two.
func (s *Solver) Add(lits ...Lit) {
	s.cancel(0)
	switch len(lits) {
	case 0:
		s.broken = true
	case 1:
		s.units = append(s.units, lits[0])
	default:
		s.attach(&clause{lits: slices.Clone(lits), pure: true})
	}
}

// Value reports whether a variable is true in the assignment.
func (s *Solver) Value(v int) bool { return s.value[True(v)] > 0 }

// keep copies literals to the slab.
func (s *Solver) keep(lits []Lit) []Lit {
	if len(s.slab) < len(lits) {
		s.slab = make([]Lit, 1<<16+len(lits))
	}
	kept := s.slab[:len(lits):len(lits)]
	s.slab = s.slab[len(lits):]
	copy(kept, lits)
	return kept
}

func (s *Solver) attach(c *clause) {
	c.lits = s.keep(c.lits)
	s.clauses = append(s.clauses, c)
	for k := range 2 {
		s.watches[c.lits[k].Not()] = append(s.watches[c.lits[k].Not()], watch{c, c.lits[1-k]})
	}
	if c.learned {
		s.learned++
	}
}

// Solve searches for an assignment that costs at most the budget, until the beat ends or there were too many
// conflicts.
func (s *Solver) Solve(beat *pulse.Pulse, budget float64) Status {
	if budget != s.budget {
		s.relax(budget)
	}
	s.cancel(0)
	if s.broken || s.failed {
		return Impossible
	}
	for _, l := range s.units {
		if s.value[l] < 0 {
			return s.end(s.tainted[l.Var()])
		}
		if s.value[l] == 0 {
			s.set(l, nil)
		}
	}
	limit := 0
	for {
		conflict := s.propagate()
		if conflict == nil {
			if beat.Spend(200+len(s.dear)) || s.Most > 0 && s.conflicts >= s.Most {
				s.cancel(0)
				return Stopped
			}
			if limit <= 0 && len(s.marks) > 0 {
				s.cancel(0)
				s.restarts++
				limit = patience * luby(s.restarts)
				s.forget()
				continue
			}
			v := s.next()
			if v < 0 {
				return Satisfiable
			}
			s.marks = append(s.marks, int32(len(s.trail)))
			l := False(v)
			if s.theory.Prefer(v) {
				l = True(v)
			}
			s.set(l, nil)
			continue
		}
		limit--
		s.conflicts++
		if !s.learn(conflict) {
			return Impossible
		}
	}
}

// end notes that the clauses have no solution, with this budget if that is tainted.
func (s *Solver) end(tainted bool) Status {
	s.failed, s.broken = true, !tainted
	return Impossible
}

// relax changes the budget: what was learned from the last one is forgotten.
func (s *Solver) relax(budget float64) {
	s.cancel(0)
	s.budget, s.failed = budget, false
	kept := s.clauses[:0]
	for _, c := range s.clauses {
		if c.pure {
			kept = append(kept, c)
		} else {
			s.drop(c)
		}
	}
	clear(s.clauses[len(kept):])
	s.clauses = kept
	s.sweep()
	s.shrink(0)
}

func (s *Solver) drop(c *clause) {
	c.gone = true
	if c.learned {
		s.learned--
	}
}

// sweep drops the watches of clauses that are gone.
func (s *Solver) sweep() {
	for l := range s.watches {
		s.watches[l] = slices.DeleteFunc(s.watches[l], func(w watch) bool { return w.of.gone })
	}
}

// next returns an open variable, the most active first; -1 for none.
func (s *Solver) next() int {
	for {
		v := s.order.pop()
		if v < 0 || s.value[True(v)] == 0 {
			return v
		}
	}
}

func (s *Solver) set(l Lit, why *clause) {
	v := l.Var()
	s.value[l], s.value[l.Not()] = 1, -1
	s.level[v], s.reason[v], s.budgets[v], s.at[v] = int32(len(s.marks)), why, false, int32(len(s.trail))
	s.tainted[v] = false
	s.trail = append(s.trail, l)
	if l == True(v) {
		s.spent += s.weight[v]
	}
	if len(s.marks) == 0 && why != nil {
		s.tainted[v] = !why.pure || slices.ContainsFunc(why.lits, func(o Lit) bool { return o != l && s.tainted[o.Var()] })
	}
}

// cancel undoes all decisions after a level.
func (s *Solver) cancel(level int) {
	if len(s.marks) > level {
		s.shrink(int(s.marks[level]))
		s.marks = s.marks[:level]
	}
}

// shrink undoes all but the first literals of the trail.
func (s *Solver) shrink(kept int) {
	for k := len(s.trail) - 1; k >= kept; k-- {
		l := s.trail[k]
		v := l.Var()
		s.value[l], s.value[l.Not()] = 0, 0
		s.reason[v] = nil
		if l == True(v) {
			s.spent -= s.weight[v]
		}
		s.order.push(v)
	}
	s.trail = s.trail[:kept]
	s.done = min(s.done, kept)
	if s.seen > kept {
		s.seen = kept
		s.theory.Undo(kept)
	}
}

// luby returns the k-th number, k >= 1, of 1 1 2 1 1 2 4 ... (Luby, Sinclair & Zuckerman 1993).
func luby(k int) int {
	size := 1
	for 2*size-1 < k {
		size *= 2
	}
	if k == 2*size-1 {
		return size
	}
	return luby(k - size + 1)
}
