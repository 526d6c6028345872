package sparse

import (
	"context"
	"math"
	"time"

	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/mio"
)

// infinite is more than any value.
const infinite = math.MaxInt64 / 4

// search is a search under way.
type search struct {
	p           *problem
	rules       Rules
	lambda      int64
	lambdaUnits int64 // the least weight of a majority, in the cells of pairs
	width       int   // cells of a node
	spread      bool  // the values of sets bound those of larger ones: there is no minimum leaf
	memo        *memo
	frames      []*frame
	all         []int32 // features
	left, right []int64 // of scanSums
	group       []key   // of forced, (bins)
	groups      keyNumbers
	sums        []int64
	zero        []int64

	pulse   *pulse.Pulse
	work    int64 // limit
	stopped bool
	full    bool // the table is
	stats   Stats
	ctx     context.Context
	begin   time.Time

	report func(lb, ub int64) // progress at the root; nil for none
}

func newSearch(ctx context.Context, p *problem, o *Options) *search {
	s := &search{p: p, rules: o.Rules, lambda: p.lambda, ctx: ctx, pulse: pulse.New(ctx), work: o.WorkLimit, begin: time.Now()}
	s.width = p.k + 2
	if p.two {
		s.width = 2
		s.lambdaUnits = (p.lambda + 1<<p.shift - 1) >> p.shift
	}
	s.left, s.right, s.zero, s.group = make([]int64, s.width), make([]int64, s.width), make([]int64, s.width), make([]key, len(p.last))
	s.spread = p.least == 0 && !o.Rules.NoSpread
	memory := o.Memory
	if memory == 0 {
		memory = DefaultMemory
	}
	s.memo = newMemo(memory)
	s.all = make([]int32, p.p)
	for j := range s.all {
		s.all[j] = int32(j)
	}
	return s
}

// spend counts work, and stops the search at its limits.
func (s *search) spend(cells int) {
	s.stats.Work += int64(cells)
	if s.pulse.Spend(cells) || s.work > 0 && s.stats.Work >= s.work {
		s.stopped = true
	}
}

// limit is what stopped the search.
func (s *search) limit() mio.Limit {
	switch {
	case s.full:
		return mio.LimitMemory
	case s.pulse.Ended():
		return mio.LimitOf(s.ctx)
	}
	return mio.LimitIterations
}

// root is the set of all rows.
func (s *search) root() *node {
	nd := &node{rows: make([]int32, s.p.n), cells: make([]int64, s.width)}
	for i := range nd.rows {
		nd.rows[i] = int32(i)
		nd.key = nd.key.xor(s.p.key[i])
		s.addRow(nd.cells, i)
	}
	return nd
}

// addRow adds a row to cells.
func (s *search) addRow(cells []int64, i int) {
	if s.p.two {
		cells[0] += int64(s.p.pair[i] & low)
		cells[1] += int64(s.p.pair[i] >> 32)
		return
	}
	for _, g := range s.p.gain[s.p.gains[i]:s.p.gains[i+1]] {
		cells[g.cell] += g.value
	}
}

// expansion is a node whose cuts are being searched.
type expansion struct {
	*search
	nd     *node
	d      int
	budget int64
	leaf   int64 // value of the single leaf
	two    int64 // the best value with at most two leaves
	lb, ub int64
	bin    int32 // as in entry
	frame  *frame
}

// solve returns a lower bound on the values of the trees for a node, and the value of one that can
// be built from the table. They are equal, or lb is above the budget, unless the search stops.
func (s *search) solve(nd, sibling *node, budget int64, d int) (lb, ub int64) {
	leaf := s.lambda + s.errors(nd.cells)
	switch {
	case leaf <= 2*s.lambda:
		return leaf, leaf
	case budget < 2*s.lambda:
		return 2 * s.lambda, leaf
	}
	e := expansion{search: s, nd: nd, d: d, budget: budget, leaf: leaf, lb: 2 * s.lambda, ub: leaf, bin: -1, two: -1}
	if known := s.memo.find(nd.key); known != nil {
		s.stats.Hits++
		e.lb, e.ub, e.bin, e.two = max(e.lb, known.lb), known.ub, known.bin, known.two
	}
	if e.lb >= e.ub || e.lb > budget || s.stopped {
		return min(e.lb, e.ub), e.ub
	}
	s.stats.Nodes++
	features := s.count(nd, sibling, d)
	stump, bin := s.scan(nd, features, d)
	e.frame = s.frames[d]
	if e.offer(2*s.lambda+stump, bin); stump < infinite {
		e.two = min(leaf, 2*s.lambda+stump)
	} else {
		e.two = leaf
	}
	switch {
	case len(e.frame.cuts) == 0:
		return e.exactly(leaf)
	case len(e.frame.features) == 1 && !s.rules.NoSegment:
		return e.segment()
	case e.ub <= 3*s.lambda:
		return e.exactly(e.ub)
	}
	if e.lb = max(e.lb, min(e.ub, 3*s.lambda)); e.lb > budget {
		return e.finish()
	}
	if !s.rules.NoMerge {
		if m := e.forced(); leaf-m <= 2*s.lambda {
			return e.exactly(e.two)
		} else if e.lb = max(e.lb, min(e.ub, 3*s.lambda+m)); e.lb >= e.ub || e.lb > budget {
			return e.finish()
		}
	}
	e.search.expand(&e)
	return e.finish()
}

// offer takes a better tree.
func (e *expansion) offer(value int64, bin int32) {
	if value < e.ub {
		e.ub, e.bin = value, bin
	}
}

// exactly ends with a proved value, which is that of e.bin or of the leaf.
func (e *expansion) exactly(value int64) (lb, ub int64) {
	e.lb = min(value, e.ub)
	return e.finish()
}

// finish stores what is known of the node.
func (e *expansion) finish() (lb, ub int64) {
	e.lb = min(e.lb, e.ub)
	known := e.memo.add(e.nd.key)
	if known == nil {
		e.full, e.stopped = true, true
		return min(e.lb, e.leaf), e.leaf
	}
	if e.ub < known.ub || known.lb == 0 {
		known.ub, known.bin = e.ub, e.bin
	}
	known.lb, known.two = max(known.lb, e.lb), e.two
	return min(known.lb, known.ub), known.ub
}

// forced returns a lower bound on the errors of every tree: rows that are alike in all valid cuts
// reach the same leaf.
func (e *expansion) forced() (m int64) {
	s, p, f := e.search, e.p, e.frame
	s.groups.reset(len(e.nd.rows))
	s.sums = s.sums[:0]
	if p.word != nil {
		return e.forcedOfBinary()
	}
	s.spend(len(e.nd.rows) * len(f.features))
	// a bin's group is that of the bins with no valid cut between
	group := s.group
	for _, j := range f.features {
		next, g := f.from[j], p.start[j]
		for b := p.start[j]; b < p.start[j+1]; b++ {
			group[b] = p.alike[g]
			if next < f.from[j+1] && f.cuts[next].bin == b {
				next, g = next+1, b+1
			}
		}
	}
	for _, i := range e.nd.rows {
		k := key{}
		bins := p.byRow[int(i)*p.p : (int(i)+1)*p.p]
		for _, j := range f.features {
			k = k.xor(group[bins[j]])
		}
		s.addToGroup(k, int(i))
	}
	return s.errorsOfGroups()
}

// forcedOfBinary is forced if all features are binary: rows are words, and alike if their bits of
// the features with a valid cut are.
func (e *expansion) forcedOfBinary() int64 {
	s, p := e.search, e.p
	s.spend(len(e.nd.rows))
	mask := key{}
	for _, j := range e.frame.features {
		mask = mask.xor(bitOf(int(j)))
	}
	for _, i := range e.nd.rows {
		w := p.word[i]
		s.addToGroup(key{w.a & mask.a, w.b & mask.b}, int(i))
	}
	return s.errorsOfGroups()
}

// addToGroup adds a row to the cells of those with the same key.
func (s *search) addToGroup(k key, row int) {
	at := s.groups.number(k) * s.width
	if len(s.sums) == at {
		s.sums = append(s.sums, s.zero...)
	}
	s.addRow(s.sums[at:at+s.width], row)
}

func (s *search) errorsOfGroups() (m int64) {
	for at := 0; at < len(s.sums); at += s.width {
		m += s.errors(s.sums[at : at+s.width])
	}
	return m
}
