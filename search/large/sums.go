package large

import "math"

// sums are those of a set of rows.
type sums struct {
	fine  []int32 // (all ranks of all features) the weights of both classes, class 0 negative
	group []int32 // (all groups of all features, 2) the weight of each class
	class [2]int32
}

func (d *Data) newSums() sums {
	return sums{fine: make([]int32, d.size[0]), group: make([]int32, d.size[1])}
}

// addRow adds a row.
func (d *Data) addRow(s *sums, row int32) {
	cells := d.cells(row)
	w, weight, class := unpack(cells)
	s.class[class] += weight
	fine, group, shift := d.fine, d.group[:len(d.fine)], d.shift[:len(d.fine)]
	for j, r := range cells[:len(fine)] {
		s.fine[fine[j]+int32(r)] += w
		s.group[group[j]+int32(r>>shift[j])*2+class] += weight
	}
}

func (s *sums) clear() {
	clear(s.fine)
	clear(s.group)
	s.class = [2]int32{}
}

// prefix is a set of rows, those of some blocks and some more. Its groups and classes are added up. Single
// ranks are those of the rows apart from the blocks; a group's are completed when they are needed.
type prefix struct {
	group  []int32
	class  [2]int32
	fine   []int32
	blocks []sums
	whole  []span // groups whose ranks are complete
	known  []bool // (groups) whether a group is one of these
}

func (d *Data) newPrefix() prefix {
	return prefix{group: make([]int32, d.size[1]), fine: make([]int32, d.size[0]), known: make([]bool, d.size[1]/2)}
}

func (p *prefix) clear() {
	clear(p.group)
	clear(p.fine)
	clear(p.known)
	p.class, p.blocks, p.whole = [2]int32{}, nil, p.whole[:0]
}

// addBlock adds the next of the blocks, those of a feature.
func (p *prefix) addBlock(blocks []sums) {
	t := &blocks[len(p.blocks)]
	addAll(p.group, t.group)
	p.class[0] += t.class[0]
	p.class[1] += t.class[1]
	p.blocks = blocks[:len(p.blocks)+1]
	for i := range p.whole {
		x := &p.whole[i]
		addAll(p.fine[x.from:x.to], t.fine[x.from:x.to])
	}
}

func addAll(to, from []int32) {
	to = to[:len(from)]
	for i, v := range from {
		to[i] += v
	}
}

// addRow adds a row to the sums of some features.
func (p *prefix) addRow(d *Data, row int32, features []int) {
	cells := d.cells(row)
	w, weight, class := unpack(cells)
	p.class[class] += weight
	for _, j := range features {
		r := cells[j]
		p.fine[d.fine[j]+int32(r)] += w
		p.group[d.group[j]+int32(r>>d.shift[j])*2+class] += weight
	}
}

// ranks returns the sums of the single ranks of a group.
func (p *prefix) ranks(x *span) []int32 {
	out := p.fine[x.from:x.to]
	if !p.known[x.group] {
		p.known[x.group] = true
		p.whole = append(p.whole, *x)
		for b := range p.blocks {
			addAll(out, p.blocks[b].fine[x.from:x.to])
		}
	}
	return out
}

// stump is a leaf or the best stump of a set.
type stump struct {
	errors  int32
	feature int32 // -1: a leaf
	rank    int32 // the cut is after it
}

// side looks for the best stump of one side of a cut.
type side struct {
	class   [2]int32
	best    stump   // so far
	bound   int32   // on the best stump or leaf
	feature []int32 // (p) bounds on the stumps of each feature
}

func (s *side) begin(class [2]int32) {
	s.class = class
	s.best = stump{errors: s.leaf(), feature: -1}
	s.bound = s.best.errors
}

// leaf returns the errors of a leaf.
func (s *side) leaf() int32 { return min(s.class[0], s.class[1]) }

// span is a group of ranks that may have a better stump.
type span struct {
	group, feature int32
	from, to       int32    // its ranks without the last one, as indices of the fine sums
	before         [2]int32 // sums before it, of the left side and of all rows
	bound          [2]int32 // for both sides
}

// cutter finds the best stumps on both sides of a cut.
type cutter struct {
	d     *Data
	sides [2]side
	spans []span
	work  int64 // ranks and groups visited
}

func newCutter(d *Data) cutter {
	c := cutter{d: d}
	for i := range c.sides {
		c.sides[i].feature = make([]int32, d.p)
	}
	return c
}

// begin prepares to look for stumps on both sides of a cut, left and the rest of all.
func (c *cutter) begin(all *sums, left *prefix) {
	c.sides[0].begin(left.class)
	c.sides[1].begin([2]int32{all.class[0] - left.class[0], all.class[1] - left.class[1]})
	c.spans = c.spans[:0]
}

// look compares the stumps of feature j between groups and bounds those inside.
func (c *cutter) look(all *sums, left *prefix, j int) {
	d := c.d
	from, to := d.group[j], d.size[1]
	if j+1 < d.p {
		to = d.group[j+1]
	}
	c.work += int64(to-from) / 2
	l, r := &c.sides[0], &c.sides[1]
	a, b := int32(0), int32(0) // balances of the left side and of the right side so far
	last, width := int32(len(d.values[j]))-1, int32(1)<<d.shift[j]
	lb, rb := l.best.errors, r.best.errors
	lf, rf := int32(math.MaxInt32), int32(math.MaxInt32) // bounds on this feature's
	ls, as := left.group[from:to], all.group[from:to]
	end := width - 1
	for g := 0; g+1 < len(ls) && g+1 < len(as); g += 2 {
		l0, l1 := ls[g], ls[g+1]
		r0, r1 := as[g]-l0, as[g+1]-l1
		bl := min(l.class[0]+a-l0, l.class[1]-a-l1)
		br := min(r.class[0]+b-r0, r.class[1]-b-r1)
		lf, rf = min(lf, bl), min(rf, br)
		if (bl < lb || br < rb) && width > 1 {
			fine := d.fine[j] + end + 1 - width
			c.spans = append(c.spans, span{(from + int32(g)) / 2, int32(j), fine, d.fine[j] + min(end, last), [2]int32{a, a + b}, [2]int32{bl, br}})
		}
		a += l1 - l0
		b += r1 - r0
		if end < last {
			if e := min(l.class[0]+a, l.class[1]-a); e < lb {
				lb, l.best = e, stump{e, int32(j), end}
			}
			if e := min(r.class[0]+b, r.class[1]-b); e < rb {
				rb, r.best = e, stump{e, int32(j), end}
			}
		}
		end += width
	}
	l.feature[j], r.feature[j] = lf, rf
	l.bound, r.bound = min(l.bound, lf), min(r.bound, rf)
}

// decide makes the best stump of a side exact, for the features that were looked at.
func (c *cutter) decide(all *sums, left *prefix, which int) {
	s := &c.sides[which]
	for i := range c.spans {
		x := &c.spans[i]
		if x.bound[which] >= s.best.errors {
			continue
		}
		ls, as := left.ranks(x), all.fine[x.from:x.to]
		c.work += int64(len(ls))
		from := x.from - c.d.fine[x.feature]
		if which == 0 {
			a := x.before[0]
			for k, v := range ls {
				a += v
				s.offer(a, x.feature, from+int32(k))
			}
			continue
		}
		a := x.before[1] - x.before[0]
		as = as[:len(ls)]
		for k, v := range ls {
			a += as[k] - v
			s.offer(a, x.feature, from+int32(k))
		}
	}
	s.bound = s.best.errors
}

// offer compares the stumps of a cut with the best one, a the balance up to the cut.
func (s *side) offer(a, feature, rank int32) {
	if e := min(s.class[0]+a, s.class[1]-a); e < s.best.errors {
		s.best = stump{e, feature, rank}
	}
}
