package export

import "fmt"

// rulePath is the path to a node: the conditions of a rule, from the root on. In trees of
// more than deepest levels, a bound of a number that another one on the path implies is left
// out, and so is a repeated test for a missing field: a rule has at most two bounds for each
// column.
type rulePath struct {
	merges   bool
	steps    []ruleStep // steps[0] is both ends of the list of those that count
	tightest map[bound]int
	size     int // of the conditions that count
}

// ruleStep is a condition on the path: that test holds, or does not.
type ruleStep struct {
	test           *test
	text           string
	bound          bound
	counts         bool
	previous, next int // among the steps that count
	replaces       int // the step whose bound this one implies; 0: none
}

// bound is what a condition limits: of all with the same bound, one implies the others. The
// zero bound is that of conditions that none implies.
type bound struct {
	column int // number of the input, from 1
	kind   testKind
	side   bool
}

func newRulePath(merges bool) *rulePath {
	return &rulePath{merges: merges, steps: make([]ruleStep, 1), tightest: make(map[bound]int)}
}

// push adds the condition that q holds, or does not, in the given words.
func (r *rulePath) push(q *test, holds bool, text string) {
	at := len(r.steps)
	step := ruleStep{test: q, text: text, counts: true}
	if r.merges {
		step.bound = boundOf(q, holds)
	}
	if step.bound != (bound{}) {
		other := r.tightest[step.bound]
		if other > 0 && implies(r.steps[other].test, q, step.bound) {
			r.steps = append(r.steps, ruleStep{})
			return
		}
		if other > 0 {
			r.unlink(other)
		}
		step.replaces, r.tightest[step.bound] = other, at
	}
	step.previous = r.steps[0].previous
	r.steps = append(r.steps, step)
	r.link(at)
}

// pop takes the last condition away.
func (r *rulePath) pop() {
	at := len(r.steps) - 1
	if step := r.steps[at]; step.counts {
		r.unlink(at)
		if step.bound != (bound{}) {
			r.tightest[step.bound] = step.replaces
		}
		if step.replaces > 0 {
			r.link(step.replaces)
		}
	}
	r.steps = r.steps[:at]
}

// unlink takes a step out of the list. The step keeps its neighbours: the last one that was
// taken out can be linked again.
func (r *rulePath) unlink(at int) {
	s := &r.steps[at]
	r.steps[s.previous].next, r.steps[s.next].previous = s.next, s.previous
	r.size -= s.test.size()
}

// link puts a step between its neighbours.
func (r *rulePath) link(at int) {
	s := &r.steps[at]
	r.steps[s.previous].next, r.steps[s.next].previous = at, at
	r.size += s.test.size()
}

// conditions returns the texts of the conditions that count.
func (r *rulePath) conditions() []string {
	var texts []string
	for at := r.steps[0].next; at > 0; at = r.steps[at].next {
		texts = append(texts, r.steps[at].text)
	}
	return texts
}

// boundOf returns what the condition that q holds, or does not, limits.
func boundOf(q *test, holds bool) bound {
	switch q.kind {
	case isBelow:
		return bound{q.input + 1, q.kind, holds}
	case isMissing:
		return bound{q.input + 1, q.kind, holds != q.except}
	}
	return bound{}
}

// implies reports whether the condition of p implies that of q, which has the same bound b.
func implies(p, q *test, b bound) bool {
	switch {
	case b.kind == isMissing:
		return true
	case b.side:
		return p.threshold <= q.threshold
	}
	return p.threshold >= q.threshold
}

// size is how much there is to be written of q.
func (q *test) size() int { return max(1, len(q.set), len(q.terms)) }

// Rules repeat what leads to them, so that their size can grow with the square of the
// tree's: they have at most mostRepeats conditions for each one of the tree, or, in all,
// mostConditions. Names of a hyperplane or a set count one by one.
const (
	mostRepeats    = 64
	mostConditions = 2_000_000
)

// checkRules refuses a tree whose rules would have too many conditions.
func (p *plan) checkRules() error {
	own, repeated := 0, 0
	for i := range p.nodes {
		if q := p.nodes[i].test; q != nil {
			own += q.size()
		}
	}
	p.eachRule(func(*test, bool) string { return "" }, func(_ *node, path *rulePath) { repeated += path.size })
	if most := max(mostConditions, mostRepeats*own); repeated > most {
		return fmt.Errorf("the rules would have %d conditions, since each repeats those on the path to its leaf, and no more than %d are written; other targets write each condition once", repeated, most)
	}
	return nil
}

// eachRule calls do at every leaf of p, in the order of the rules, with the path to it.
// words are those of a condition.
func (p *plan) eachRule(words func(q *test, holds bool) string, do func(leaf *node, path *rulePath)) {
	path := newRulePath(p.depth() > deepest)
	var walk func(at int)
	walk = func(at int) {
		n := &p.nodes[at]
		if n.test == nil {
			do(n, path)
			return
		}
		path.push(n.test, true, words(n.test, true))
		walk(n.left)
		path.pop()
		path.push(n.test, false, words(n.test, false))
		walk(n.right)
		path.pop()
	}
	walk(0)
}
