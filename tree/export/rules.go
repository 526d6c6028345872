package export

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"

	"github.com/octgen/octgen/tree"
)

// writeRules writes a line for each leaf, of which exactly one holds for a row that has
// a class:
//
//	if 2.45 <= "petal length" < 4.85 then "versicolor" (rows 46, shares 0.0 0.98 0.02)
//
// A subtree whose leaves have one class is one rule, and a rule has only the tightest bounds of each column. Names
// and texts stand in quotes, as in Go, C or JSON. Lines that begin with # say how
// missing fields and unknown texts are read. Dates are in the form of their column.
func writeRules(out *bufio.Writer, t *tree.Tree, o Options) error {
	merged := t.MergeLeaves(0)
	merged.Fit = t.Fit
	p, err := newPlan(merged, o.Unknown)
	if err != nil {
		return err
	}
	p.comment(out, "# ")
	if err := p.checkRules(); err != nil {
		return err
	}
	w := &rulesWriter{out: out, plan: p}
	if p.numbers {
		fmt.Fprintf(out, "# number: %s\n", strconv.QuoteToASCII(p.classes[0]))
	} else {
		out.WriteString(p.say("# classes:"))
		for _, class := range p.classes {
			fmt.Fprintf(out, " %s", strconv.QuoteToASCII(class))
		}
		out.WriteByte('\n')
	}
	for i := range p.inputs {
		w.note(&p.inputs[i])
	}
	p.eachRule(w.condition, w.rule)
	return nil
}

type rulesWriter struct {
	out  *bufio.Writer
	plan *plan
}

// note says what becomes of fields that are missing, unknown or codes.
func (w *rulesWriter) note(in *input) {
	name := strconv.QuoteToASCII(in.name)
	if in.date != nil {
		fmt.Fprintf(w.out, "# %s: dates, %s; as numbers the days since %s\n", name, in.date.Format, in.date.First)
	}
	switch {
	case !in.fills():
		fmt.Fprintf(w.out, w.plan.say("# %s missing: no class\n"), name)
	case in.route:
		fmt.Fprintf(w.out, "# %s missing: as the conditions say\n", name)
	case !in.text:
		fmt.Fprintf(w.out, "# %s missing: counts as %s\n", name, literal(*in.fill))
	case in.fillCategory == noCategory:
		fmt.Fprintf(w.out, "# %s missing: none of the texts\n", name)
	default:
		fmt.Fprintf(w.out, "# %s missing: counts as %s\n", name, strconv.QuoteToASCII(in.categories[in.fillCategory]))
	}
	for _, c := range in.codes {
		fmt.Fprintf(w.out, "# %s %s: counts as %s\n", name, strconv.QuoteToASCII(c.text), literal(c.value))
	}
	if in.text && !in.admits {
		fmt.Fprintf(w.out, w.plan.say("# %s unknown: no class\n"), name)
	}
}

// rule writes the line of a leaf.
func (w *rulesWriter) rule(n *node, path *rulePath) {
	condition := "true"
	if conditions := path.conditions(w.interval); len(conditions) > 0 {
		condition = strings.Join(conditions, " and ")
	}
	if w.plan.numbers {
		fmt.Fprintf(w.out, "if %s then %s (rows %s)\n", condition, literal(n.value), shortest(n.rows))
		return
	}
	fmt.Fprintf(w.out, w.plan.say("if %s then %s (rows %s, shares"), condition, strconv.QuoteToASCII(w.plan.classes[n.class]), shortest(n.rows))
	for _, share := range n.shares {
		fmt.Fprintf(w.out, " %s", literal(share))
	}
	w.out.WriteString(")\n")
}

// condition is that the test holds, or does not.
func (w *rulesWriter) condition(q *test, holds bool) string {
	compare := " >= "
	if holds {
		compare = " < "
	}
	switch q.kind {
	case isBelow:
		if w.plan.inputs[q.input].route {
			return w.routed(q, holds)
		}
		if date, through := w.date(q); date != "" {
			if through {
				compare = map[bool]string{true: " <= ", false: " > "}[holds]
			}
			return w.name(q.input) + compare + date
		}
		return w.name(q.input) + compare + literal(q.threshold)
	case isMissing:
		if q.except == holds {
			return w.name(q.input) + " is not missing"
		}
		return w.name(q.input) + " is missing"
	case isAmong:
		texts := make([]string, len(q.set))
		for i, k := range q.set {
			texts[i] = strconv.QuoteToASCII(w.plan.inputs[q.input].categories[k])
		}
		if q.except == holds {
			return w.name(q.input) + " not in {" + strings.Join(texts, ", ") + "}"
		}
		return w.name(q.input) + " in {" + strings.Join(texts, ", ") + "}"
	}
	terms := make([]string, len(q.terms))
	for i, t := range q.terms {
		terms[i] = literal(t.weight) + "*" + w.value(t)
	}
	return strings.Join(terms, " + ") + compare + literal(q.threshold)
}

// routed is that a number is less, or not, and on which side a missing field is.
func (w *rulesWriter) routed(q *test, holds bool) string {
	text := w.name(q.input) + " >= " + literal(q.threshold)
	if holds {
		text = w.name(q.input) + " < " + literal(q.threshold)
	}
	if holds != q.last {
		text += " or missing"
	}
	return text
}

// interval is that a number is between two thresholds; "" for dates.
func (w *rulesWriter) interval(low, high *test) string {
	if w.plan.inputs[low.input].date != nil {
		return ""
	}
	return literal(low.threshold) + " <= " + w.name(low.input) + " < " + literal(high.threshold)
}

// date is the threshold of a column of dates in words (dataset.Date.Cut). It is "" where
// a number stands for missing dates, which may lie between the threshold and the date.
func (w *rulesWriter) date(q *test) (date string, through bool) {
	in := &w.plan.inputs[q.input]
	if in.date == nil || in.fills() {
		return "", false
	}
	return in.date.Cut(q.threshold)
}

func (w *rulesWriter) name(i int) string { return strconv.QuoteToASCII(w.plan.inputs[i].name) }

func (w *rulesWriter) value(t term) string {
	switch t.value {
	case aGap:
		return "[" + w.name(t.input) + " is missing]"
	case aMark:
		return "[" + w.name(t.input) + " in {" + strconv.QuoteToASCII(w.plan.inputs[t.input].categories[t.category]) + "}]"
	case anIndex:
		return "place(" + w.name(t.input) + ")"
	}
	return w.name(t.input)
}

// rulePath is the path to a node: the conditions of a rule, from the root on. A bound of a number that another one on the
// path implies is left out, and so is a repeated test for a missing field: a rule has at most two bounds for each
// column.
type rulePath struct {
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

func newRulePath() *rulePath {
	return &rulePath{steps: make([]ruleStep, 1), tightest: make(map[bound]int)}
}

// push adds the condition that q holds, or does not, in the given words.
func (r *rulePath) push(q *test, holds bool, text string) {
	at := len(r.steps)
	step := ruleStep{test: q, text: text, counts: true, bound: boundOf(q, holds)}
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

// conditions returns the texts of the conditions that count. interval is the text of both bounds of a number, "" where they
// are to stand for themselves.
func (r *rulePath) conditions(interval func(low, high *test) string) []string {
	var texts []string
	for at := r.steps[0].next; at > 0; at = r.steps[at].next {
		s := &r.steps[at]
		other := 0
		if s.bound.kind == isBelow && s.bound.column > 0 {
			other = r.tightest[bound{s.bound.column, isBelow, !s.bound.side}]
		}
		switch {
		case other == 0 || interval == nil:
			texts = append(texts, s.text)
		case other < at: // said there
		default:
			low, high := s.test, r.steps[other].test
			if s.bound.side {
				low, high = high, low
			}
			if text := interval(low, high); text != "" {
				texts = append(texts, text)
			} else {
				texts = append(texts, s.text, r.steps[other].text)
			}
		}
	}
	return texts
}

// boundOf returns what the condition that q holds, or does not, limits.
func boundOf(q *test, holds bool) bound {
	switch q.kind {
	case isBelow:
		if q.routed {
			return bound{}
		}
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
		return fmt.Errorf("the rules would have %d conditions, since each repeats those on the path to its leaf; the maximum is %d; other targets write each condition once", repeated, most)
	}
	return nil
}

// eachRule calls do at every leaf of p, in the order of the rules, with the path to it.
// words are those of a condition.
func (p *plan) eachRule(words func(q *test, holds bool) string, do func(leaf *node, path *rulePath)) {
	path := newRulePath()
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
