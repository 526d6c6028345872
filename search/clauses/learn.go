package clauses

import (
	"cmp"
	"slices"
)

// learn derives the clause of the first unique implication point from a conflict, goes back to where it sets a literal, and
// sets it. It returns false if the conflict does not depend on any decision.
func (s *Solver) learn(c *conflict) bool {
	top := int32(0)
	for _, l := range c.lits {
		top = max(top, s.level[l.Var()])
	}
	s.cancel(int(top))
	if top == 0 {
		tainted := !c.pure || slices.ContainsFunc(c.lits, func(l Lit) bool { return s.tainted[l.Var()] })
		s.end(tainted)
		return false
	}
	lits, pure := s.analyze(c)
	back := int32(0)
	for k := 1; k < len(lits); k++ {
		if s.level[lits[k].Var()] > back {
			back = s.level[lits[k].Var()]
			lits[1], lits[k] = lits[k], lits[1]
		}
	}
	learnt := &clause{lits: lits, pure: pure, learned: true, levels: s.levelsOf(lits), activity: s.bump}
	s.cancel(int(back))
	s.step /= fading
	s.bump /= fadingOf
	if s.step > 1e100 {
		s.order.scale(1e-100)
		s.step *= 1e-100
	}
	if s.bump > 1e20 {
		for _, c := range s.clauses {
			c.activity *= 1e-20
		}
		s.bump *= 1e-20
	}
	if len(lits) == 1 {
		s.set(lits[0], nil)
		if pure {
			s.units = append(s.units, lits[0])
		} else {
			s.tainted[lits[0].Var()] = true
		}
		return true
	}
	s.attach(learnt)
	s.set(lits[0], learnt)
	return true
}

// analyze resolves a conflict with the reasons of its literals until one literal of the last level is left, the first of the result.
func (s *Solver) analyze(c *conflict) (lits []Lit, pure bool) {
	lits, pure = []Lit{0}, c.pure
	var touched []int
	open, k := 0, len(s.trail)-1
	reason := c.lits
	pivot := Lit(-1)
	for {
		for _, l := range reason {
			v := l.Var()
			if l == pivot || s.marked[v] {
				continue
			}
			if s.level[v] == 0 {
				pure = pure && !s.tainted[v]
				continue
			}
			s.marked[v] = true
			touched = append(touched, v)
			s.order.bump(v, s.step)
			if int(s.level[v]) == len(s.marks) {
				open++
			} else {
				lits = append(lits, l)
			}
		}
		for !s.marked[s.trail[k].Var()] {
			k--
		}
		pivot = s.trail[k]
		k--
		if open--; open == 0 {
			break
		}
		if r := s.reason[pivot.Var()]; r != nil {
			r.activity += s.bump
		}
		is := false
		reason, is = s.because(pivot.Var())
		pure = pure && is
	}
	lits[0] = pivot.Not()
	kept := lits[:1]
	for _, l := range lits[1:] {
		if is, clean := s.implied(l); is {
			pure = pure && clean
		} else {
			kept = append(kept, l)
		}
	}
	for _, v := range touched {
		s.marked[v] = false
	}
	return kept, pure
}

// implied reports whether a literal of a clause under way follows from its others, and whether by pure clauses.
func (s *Solver) implied(l Lit) (is, pure bool) {
	v := l.Var()
	if s.reason[v] == nil {
		return false, false
	}
	pure = s.reason[v].pure
	for _, o := range s.reason[v].lits {
		u := o.Var()
		if u == v {
			continue
		}
		if s.level[u] == 0 {
			pure = pure && !s.tainted[u]
		} else if !s.marked[u] {
			return false, false
		}
	}
	return true, pure
}

func (s *Solver) levelsOf(lits []Lit) int32 {
	levels := make([]int32, 0, len(lits))
	for _, l := range lits {
		levels = append(levels, s.level[l.Var()])
	}
	slices.Sort(levels)
	return int32(len(slices.Compact(levels)))
}

// forget drops the half of the learned clauses that are of least use, if there are too many.
func (s *Solver) forget() {
	if s.learned < s.most {
		return
	}
	s.most += s.most / 10
	var may []*clause
	for _, c := range s.clauses {
		if c.learned && c.levels > 2 && len(c.lits) > 2 && s.reason[c.lits[0].Var()] != c {
			may = append(may, c)
		}
	}
	slices.SortStableFunc(may, func(a, b *clause) int {
		return cmp.Or(cmp.Compare(b.levels, a.levels), cmp.Compare(a.activity, b.activity))
	})
	for _, c := range may[:len(may)/2] {
		s.drop(c)
	}
	s.clauses = slices.DeleteFunc(s.clauses, func(c *clause) bool { return c.gone })
	s.sweep()
	s.slab = nil
	for _, c := range s.clauses {
		c.lits = s.keep(c.lits)
	}
}
