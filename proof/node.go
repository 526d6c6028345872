package proof

import (
	"cmp"
	"slices"
)

// problem is a table as the checker works on it: features as ranks, without those that no cut needs.
type problem struct {
	n, k     int
	single   bool
	moments  bool // losses are moments of numbers (n, 3), and squares says what they cost
	squares  Squares
	reach    []int64   // (n) of moments, what a row adds to the squared error at most
	file     []int     // (features) places in the table
	rank     [][]int32 // (features, n)
	values   []int     // (features) numbers of different values
	loss     []int64   // (n, k)
	weight   []int64   // (n) in leaves
	own      []int32   // (n) the answer without loss, of single losses
	cost     []int64   // (n) the loss of the others, of single losses
	forced   []int64   // (n) on the first row of each group of equal rows, what they cost with one answer
	price    int64
	leaf     int64
	bits     [][]uint64 // (features, words) rows with the second value; nil unless all features have two values and losses are 1
	mark     []bool     // (n) scratch
	byAnswer [][]uint64 // (k, words) rows of each answer, with bits
}

// newProblem lays out a table for a claim.
func newProblem(t *Table, h *Head) (*problem, error) {
	p := &problem{n: t.N(), k: t.K, single: t.Single, loss: t.Loss, weight: t.Weight, price: h.Price, leaf: h.Leaf, mark: make([]bool, t.N())}
	if t.moments != nil {
		if err := t.Squares.check(t.moments); err != nil {
			return nil, err
		}
		p.k, p.loss, p.moments, p.squares, p.reach = 3, t.moments, true, t.Squares, t.Squares.farthest(t)
	}
	all := make([][]int32, t.P)
	for f := range t.P {
		rank, values := ranksOf(t, f)
		all[f] = rank
		if values > 1 && !slices.Contains(h.Forbidden, f) && !p.alike(rank, values) {
			p.file, p.rank, p.values = append(p.file, f), append(p.rank, rank), append(p.values, values)
		}
	}
	if p.single {
		p.own, p.cost = make([]int32, p.n), make([]int64, p.n)
		for i := range p.n {
			for k, v := range p.losses(i) {
				if v == 0 {
					p.own[i] = int32(k)
				} else {
					p.cost[i] = v
				}
			}
		}
	}
	p.force(all)
	p.layBits()
	return p, nil
}

// least is the loss of the best answer to rows whose losses add up to sums.
func (p *problem) least(sums []int64) int64 {
	if p.moments {
		return p.squares.of(sums[0], sums[1], sums[2])
	}
	return leastOf(sums)
}

// losses are those of the answers in a row.
func (p *problem) losses(i int) []int64 { return p.loss[i*p.k : (i+1)*p.k] }

// ranksOf are the ranks of the rows by a feature, equal for equal values, and the number of different values.
func ranksOf(t *Table, f int) ([]int32, int) {
	order, rank := make([]int32, t.N()), make([]int32, t.N())
	for i := range order {
		order[i] = int32(i)
	}
	at := func(i int32) float64 { return t.X[int(i)*t.P+f] }
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(at(a), at(b)) })
	values := 0
	for j, i := range order {
		if j == 0 || at(i) != at(order[j-1]) {
			values++
		}
		rank[i] = int32(values - 1)
	}
	return rank, values
}

// alike reports whether an earlier feature orders all rows as the ranks do, forwards or backwards: its cuts are the
// same.
func (p *problem) alike(rank []int32, values int) bool {
	for f, other := range p.rank {
		if p.values[f] != values {
			continue
		}
		forwards, backwards := true, true
		for i, r := range rank {
			forwards = forwards && r == other[i]
			backwards = backwards && r == int32(values-1)-other[i]
			if !forwards && !backwards {
				break
			}
		}
		if forwards || backwards {
			return true
		}
	}
	return false
}

// force sets what groups of rows with equal features cost with one answer.
func (p *problem) force(all [][]int32) {
	order := make([]int32, p.n)
	for i := range order {
		order[i] = int32(i)
	}
	compare := func(a, b int32) int {
		for _, rank := range all {
			if c := cmp.Compare(rank[a], rank[b]); c != 0 {
				return c
			}
		}
		return 0
	}
	slices.SortStableFunc(order, compare)
	p.forced = make([]int64, p.n)
	for from := 0; from < p.n; {
		to, sums := from, make([]int64, p.k)
		for ; to < p.n && compare(order[from], order[to]) == 0; to++ {
			for k, v := range p.losses(int(order[to])) {
				sums[k] += v
			}
		}
		p.forced[order[from]] = p.least(sums)
		from = to
	}
}

// layBits sets the bits of features with two values.
func (p *problem) layBits() {
	for _, values := range p.values {
		if values != 2 {
			return
		}
	}
	if !p.single {
		return
	}
	for i := range p.n {
		if p.cost[i] != 1 || p.weight[i] != 1 {
			return
		}
	}
	words := (p.n + 63) / 64
	for _, rank := range p.rank {
		b := make([]uint64, words)
		for i, r := range rank {
			b[i/64] |= uint64(r) << (i % 64)
		}
		p.bits = append(p.bits, b)
	}
	p.byAnswer = make([][]uint64, p.k)
	for k := range p.byAnswer {
		p.byAnswer[k] = make([]uint64, words)
	}
	for i, k := range p.own {
		p.byAnswer[k][i/64] |= 1 << (i % 64)
	}
}

// node is a set of rows, in the order of each feature.
type node struct {
	rows  []int32   // in the order of the first feature, or of the table
	order [][]int32 // (features) nil with bits
	sums  []int64   // (k) losses of the answers
	heavy int64     // weight in leaves
	force int64     // forced
	total int64     // of single losses: what all rows cost together
}

// root is the node of all rows.
func (p *problem) root() *node {
	nd := &node{rows: make([]int32, p.n)}
	for i := range nd.rows {
		nd.rows[i] = int32(i)
	}
	if p.bits == nil {
		for _, rank := range p.rank {
			order := slices.Clone(nd.rows)
			slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(rank[a], rank[b]) })
			nd.order = append(nd.order, order)
		}
	}
	p.add(nd)
	return nd
}

// add adds up the rows of a node.
func (p *problem) add(nd *node) {
	nd.sums = make([]int64, p.k)
	for _, i := range nd.rows {
		for k, v := range p.losses(int(i)) {
			nd.sums[k] += v
		}
		nd.heavy += p.weight[i]
		nd.force += p.forced[i]
		if p.single {
			nd.total += p.cost[i]
		}
	}
}

// side is the part of nd with ranks of f below a rank, or from it on.
func (p *problem) side(nd *node, f int, rank int32, right bool) *node {
	out := &node{}
	of := p.rank[f]
	for _, i := range nd.rows {
		p.mark[i] = of[i] >= rank == right
		if p.mark[i] {
			out.rows = append(out.rows, i)
		}
	}
	for _, order := range nd.order {
		part := make([]int32, 0, len(out.rows))
		for _, i := range order {
			if p.mark[i] {
				part = append(part, i)
			}
		}
		out.order = append(out.order, part)
	}
	p.add(out)
	return out
}

// cuts are the ranks of f at which nd is cut: each but the least one that its rows have.
func (p *problem) cuts(nd *node, f int) []int32 {
	if p.bits != nil {
		zero, one := false, false
		for _, i := range nd.rows {
			if p.rank[f][i] == 0 {
				zero = true
			} else {
				one = true
			}
		}
		if zero && one {
			return []int32{1}
		}
		return nil
	}
	var cuts []int32
	last := int32(-1)
	for j, i := range nd.order[f] {
		r := p.rank[f][i]
		if j > 0 && r != last {
			cuts = append(cuts, r)
		}
		last = r
	}
	return cuts
}
