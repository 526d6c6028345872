package prices

import "github.com/octgen/octgen/dataset"

// leafSums are what points come to as a leaf.
type leafSums struct {
	mass   int64
	points int
	cost   []int64   // (k)
	priced []float64 // (k)
	g      []int64   // (active)
	class  []int64   // (k) where leaves have to be pure
}

func (f *frontier) newLeafSums() *leafSums {
	s := &leafSums{cost: make([]int64, f.p.k), priced: make([]float64, f.p.k), g: make([]int64, len(f.active))}
	if f.p.class != nil {
		s.class = make([]int64, f.p.k)
	}
	return s
}

func (f *frontier) addPoint(s *leafSums, q int32) {
	k, w := f.p.k, f.p.whole
	s.mass += w.mass.v[q]
	s.points++
	for c := range k {
		s.cost[c] += w.cost.v[int(q)*k+c]
		s.priced[c] += f.priced[int(q)*k+c]
	}
	for i, r := range f.active {
		s.g[i] += w.g[r].v[q]
	}
	for c := range s.class {
		s.class[c] += w.class.v[int(q)*k+c]
	}
}

// less sets s to a - b.
func (s *leafSums) less(a, b *leafSums) {
	s.mass, s.points = a.mass-b.mass, a.points-b.points
	for c := range s.cost {
		s.cost[c], s.priced[c] = a.cost[c]-b.cost[c], a.priced[c]-b.priced[c]
	}
	for i := range s.g {
		s.g[i] = a.g[i] - b.g[i]
	}
	for c := range s.class {
		s.class[c] = a.class[c] - b.class[c]
	}
}

// leafOutcome is that of answering k.
func (f *frontier) leafOutcome(s *leafSums, k int) outcome {
	o := outcome{cost: s.cost[k], priced: s.priced[k], feature: -1, label: int32(k)}
	for i, r := range f.active {
		if f.p.rows[r].class == k {
			o.g[i] = s.g[i]
		}
	}
	if h := f.highest; h >= 0 {
		o.g[h], o.g[h+1] = int64(f.p.rank[k]), -int64(f.p.rank[k])
	}
	return o
}

// leaves emits the leaves of the points of a part that are on a side.
func (f *frontier) leaves(nd *part, side int8, limit float64, emit func(*outcome)) *leafSums {
	all := f.newLeafSums()
	for _, q := range nd.order[0] {
		if f.side[q] == side {
			f.addPoint(all, q)
		}
	}
	for k := range f.p.k {
		if o := f.leafOutcome(all, k); o.priced < limit && f.heavy(all) && f.pure(all, k) {
			emit(&o)
		}
	}
	return all
}

// heavy and pure let through what rounding may have made too light, or impure: the tree
// is looked at again before it counts.
func (f *frontier) heavy(s *leafSums) bool {
	mass := &f.p.whole.mass
	return s.points > 0 && (f.p.minLeaf <= 0 || s.mass+mass.off+1 >= mass.of(f.p.minLeaf*(1-dataset.LeafTolerance)))
}

func (f *frontier) pure(s *leafSums, k int) bool {
	if s.class == nil {
		return true
	}
	weight := f.weight
	for c, v := range s.class {
		weight[c] = float64(v)
	}
	weight[k] += float64(f.p.whole.class.off) + 0x1p-50*float64(s.mass)
	return f.p.allowed(weight, k)
}

// stumps emits the leaves and stumps of the points of a part that are on a side.
func (f *frontier) stumps(nd *part, side int8, limit float64, emit func(*outcome)) {
	all := f.leaves(nd, side, limit, emit)
	left, right := f.newLeafSums(), f.newLeafSums()
	f.s.spend(nd.n * len(nd.order) * (2 + len(f.active)))
	for feature, order := range nd.order {
		if f.stop() {
			return
		}
		ranks := f.p.pre.Ranks(feature)
		left.less(left, left)
		last := int32(-1)
		for _, q := range order {
			if f.side[q] != side {
				continue
			}
			if rank := ranks[q]; rank != last {
				if left.points > 0 {
					right.less(all, left)
					f.labelled(left, right, int32(feature), last, limit, emit)
				}
				last = rank
			}
			f.addPoint(left, q)
		}
	}
}

// labelled emits the stumps with a cut.
func (f *frontier) labelled(left, right *leafSums, feature, rank int32, limit float64, emit func(*outcome)) {
	if !f.heavy(left) || !f.heavy(right) {
		return
	}
	p := f.p
	for a := range p.k {
		for b := range p.k {
			priced := left.priced[a] + right.priced[b] + p.price
			if a == b || priced >= limit || !f.pure(left, a) || !f.pure(right, b) || !p.ordered(feature, a, b) {
				continue
			}
			l, r := f.leafOutcome(left, a), f.leafOutcome(right, b)
			o := outcome{cost: l.cost + r.cost + p.whole.price, priced: priced, feature: feature, rank: rank, left: &l, right: &r}
			f.join(&o)
			emit(&o)
		}
	}
}
