package tree

import "github.com/octgen/octgen/dataset"

// Rule is the path to a leaf in words.
type Rule struct {
	Leaf       int      // node
	Conditions []string // all hold of the rows of the leaf; none at a root that is a leaf
}

// Rules returns the rule of every leaf, from the first branch to the last. The bounds of a number along a path
// are one condition, "2.5 <= age < 40"; of a column that is one category nothing else is said.
func (t *Tree) Rules(f Format) []Rule {
	w, conditions := t.wording(f), t.Conditions(f)
	var rules []Rule
	var path []step
	var walk func(i int)
	walk = func(i int) {
		n := &t.Nodes[i]
		if n.Leaf() {
			rules = append(rules, Rule{i, w.rule(path, conditions)})
			return
		}
		c := conditions[i]
		for _, to := range []int{c.Yes, c.No} {
			path = append(path, step{n, i, to})
			walk(to)
			path = path[:len(path)-1]
		}
	}
	walk(0)
	return rules
}

// step is a branch on a path.
type step struct {
	n      *Node
	at, to int // the node and the child that is taken
}

// text is what holds of the rows that take the branch.
func (s *step) text(all []Condition) string {
	if c := all[s.at]; c.Yes == s.to {
		return c.Text
	}
	return all[s.at].Else
}

// rule puts a path in words: of each feature the tightest bounds, at the place of its first.
func (w *wording) rule(path []step, all []Condition) []string {
	type bounds struct{ low, high *step } // x >= low's threshold, x < high's
	of := make(map[int]*bounds)
	is := make(map[*dataset.SourceColumn]bool) // a category of the column is known
	for k := range path {
		s := &path[k]
		if !s.n.Split.IsUnivariate() {
			continue
		}
		j := s.n.Split.Terms[0].Feature
		b := of[j]
		if b == nil {
			b = new(bounds)
			of[j] = b
		}
		if s.to == s.n.Left && (b.high == nil || s.n.Split.Threshold < b.high.n.Split.Threshold) {
			b.high = s
		}
		if s.to == s.n.Right && (b.low == nil || s.n.Split.Threshold > b.low.n.Split.Threshold) {
			b.low = s
		}
		if m := w.meanings[j]; m.Category >= 0 && m.Column != nil && all[s.at].Yes == s.to {
			is[m.Column] = true
		}
	}
	var texts []string
	for k := range path {
		s := &path[k]
		if !s.n.Split.IsUnivariate() {
			texts = append(texts, s.text(all))
			continue
		}
		j := s.n.Split.Terms[0].Feature
		b, m := of[j], w.meanings[j]
		if delete(of, j); b == nil || m.Column != nil && m.Category >= 0 && is[m.Column] && all[s.at].Yes != s.to {
			continue
		}
		plain := m.Column == nil || m.Category < 0 && !m.Missing && m.Column.Kind == dataset.Numeric && m.Column.Date == nil && !m.Column.Route
		if plain && b.low != nil && b.high != nil {
			texts = append(texts, w.f.number(b.low.n.Split.Threshold)+" <= "+w.name(w.names[j])+" < "+w.f.number(b.high.n.Split.Threshold))
			continue
		}
		for _, side := range []*step{b.low, b.high} {
			if side != nil {
				texts = append(texts, side.text(all))
			}
		}
	}
	return texts
}
