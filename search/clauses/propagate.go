package clauses

import "slices"

// conflict is a clause that the assignment makes false.
type conflict struct {
	lits []Lit
	pure bool
}

// propagate sets what clauses, the budget and the theory imply, and returns a conflict; nil for none.
func (s *Solver) propagate() *conflict {
	for {
		if c := s.propagateClauses(); c != nil {
			return c
		}
		if c, more := s.propagateBudget(); c != nil {
			return c
		} else if more {
			continue
		}
		if s.seen == len(s.trail) {
			return nil
		}
		fresh := s.trail[s.seen:]
		s.seen = len(s.trail)
		found := s.theory.Check(fresh)
		if found == nil {
			return nil
		}
		var first *conflict
		for _, lits := range found {
			if c := s.adopt(lits); c != nil && first == nil {
				first = c
			}
		}
		if first != nil {
			return first
		}
	}
}

// adopt keeps a clause of the theory, and returns it if it is false.
func (s *Solver) adopt(lits []Lit) *conflict {
	lits = slices.Clone(lits)
	isFalse := !slices.ContainsFunc(lits, func(l Lit) bool { return s.value[l] >= 0 })
	if len(lits) == 1 {
		s.units = append(s.units, lits[0])
	}
	if len(lits) < 2 {
		if isFalse {
			return &conflict{lits, true}
		}
		return nil
	}
	rank := func(l Lit) int {
		if s.value[l] < 0 {
			return int(s.level[l.Var()])
		}
		return 1 << 30
	}
	slices.SortStableFunc(lits, func(a, b Lit) int { return rank(b) - rank(a) })
	if s.value[lits[0]] == 0 && s.value[lits[1]] < 0 { // it would have to be set now
		return nil
	}
	s.attach(&clause{lits: lits, pure: true, learned: true, levels: int32(len(lits)), activity: s.bump})
	if isFalse {
		return &conflict{lits, true}
	}
	return nil
}

func (s *Solver) propagateClauses() *conflict {
	for s.done < len(s.trail) {
		l := s.trail[s.done]
		s.done++
		list := s.watches[l]
		kept := 0
		for k := 0; k < len(list); k++ {
			w := list[k]
			if s.value[w.other] > 0 {
				list[kept] = w
				kept++
				continue
			}
			c := w.of
			if c.lits[0] == l.Not() {
				c.lits[0], c.lits[1] = c.lits[1], c.lits[0]
			}
			first := c.lits[0]
			if s.value[first] > 0 {
				list[kept] = watch{c, first}
				kept++
				continue
			}
			if s.move(c) {
				continue
			}
			list[kept] = watch{c, first}
			kept++
			if s.value[first] < 0 {
				kept += copy(list[kept:], list[k+1:])
				s.watches[l] = list[:kept]
				return &conflict{c.lits, c.pure}
			}
			s.set(first, c)
		}
		s.watches[l] = list[:kept]
	}
	return nil
}

// move watches another literal in place of the second, which became false; false if all others are false.
func (s *Solver) move(c *clause) bool {
	for q := 2; q < len(c.lits); q++ {
		if s.value[c.lits[q]] >= 0 {
			c.lits[1], c.lits[q] = c.lits[q], c.lits[1]
			s.watches[c.lits[1].Not()] = append(s.watches[c.lits[1].Not()], watch{c, c.lits[0]})
			return true
		}
	}
	return false
}

// slack is below any difference of sums of weights, which are whole numbers.
const slack = 1e-6

// propagateBudget sets variables false that the budget does not allow, and reports whether there were any.
func (s *Solver) propagateBudget() (c *conflict, more bool) {
	if s.spent > s.budget+slack {
		return &conflict{s.spenders(len(s.trail), 0), false}, false
	}
	for _, v := range s.dear {
		if s.spent+s.weight[v] <= s.budget+slack {
			break
		}
		if s.value[True(v)] == 0 {
			s.set(False(v), nil)
			s.budgets[v] = true
			s.tainted[v] = len(s.marks) == 0
			more = true
		}
	}
	return nil, more
}

// spenders returns literals that are false, of the first variables in the trail, before a position, that exceed the budget
// together with a further weight.
func (s *Solver) spenders(before int, weight float64) (lits []Lit) {
	for _, l := range s.trail[:before] {
		v := l.Var()
		if l == True(v) && s.weight[v] > 0 {
			lits = append(lits, l.Not())
			if weight += s.weight[v]; weight > s.budget+slack {
				break
			}
		}
	}
	return lits
}

// because returns the other literals, all false, of what set a variable, and whether it is pure.
func (s *Solver) because(v int) ([]Lit, bool) {
	if s.budgets[v] {
		return s.spenders(int(s.at[v]), s.weight[v]), false
	}
	c := s.reason[v]
	return c.lits, c.pure
}
