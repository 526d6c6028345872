package lagrange

// leafSums are what points come to as a leaf.
type leafSums struct {
	mass   float64
	points int
	cost   []float64 // (k)
	priced []float64 // (k)
	g      []float64 // (active)
	class  []float64 // (k) where leaves have to be pure
}

func (f *frontier) newLeafSums() *leafSums {
	s := &leafSums{cost: make([]float64, f.p.k), priced: make([]float64, f.p.k), g: make([]float64, len(f.active))}
	if f.p.class != nil {
		s.class = make([]float64, f.p.k)
	}
	return s
}

func (f *frontier) addPoint(s *leafSums, q int32) {
	k := f.p.k
	s.mass += f.p.mass[q]
	s.points++
	for c := range k {
		s.cost[c] += f.p.cost[int(q)*k+c]
		s.priced[c] += f.priced[int(q)*k+c]
	}
	for i, r := range f.active {
		s.g[i] += f.p.rows[r].g[q]
	}
	for c := range s.class {
		s.class[c] += f.p.class[int(q)*k+c]
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
	o := outcome{cost: toGrid(s.cost[k], f.unit), priced: s.priced[k], feature: -1, label: int32(k)}
	for i, r := range f.active {
		if f.p.rows[r].class == k {
			o.g[i] = toGrid(s.g[i], f.units[i])
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
		if o := f.leafOutcome(all, k); o.priced < limit && f.heavy(all) && f.p.allowed(all.class, k) {
			emit(&o)
		}
	}
	return all
}

func (f *frontier) heavy(s *leafSums) bool {
	return s.points > 0 && (f.p.minLeaf <= 0 || s.mass >= f.p.minLeaf*(1-1e-9))
}

// stumps emits the leaves and stumps of the points of a part that are on a side.
func (f *frontier) stumps(nd *part, side int8, limit float64, emit func(*outcome)) {
	all := f.leaves(nd, side, limit, emit)
	left, right := f.newLeafSums(), f.newLeafSums()
	price := toGrid(f.p.price, f.unit)
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
					f.labelled(left, right, int32(feature), last, price, limit, emit)
				}
				last = rank
			}
			f.addPoint(left, q)
		}
	}
}

// labelled emits the stumps with a cut.
func (f *frontier) labelled(left, right *leafSums, feature, rank int32, price int64, limit float64, emit func(*outcome)) {
	if !f.heavy(left) || !f.heavy(right) {
		return
	}
	p := f.p
	for a := range p.k {
		for b := range p.k {
			priced := left.priced[a] + right.priced[b] + p.price
			if a == b || priced >= limit || !p.allowed(left.class, a) || !p.allowed(right.class, b) || !p.ordered(feature, a, b) {
				continue
			}
			l, r := f.leafOutcome(left, a), f.leafOutcome(right, b)
			o := outcome{cost: l.cost + r.cost + price, priced: priced, feature: feature, rank: rank, left: &l, right: &r}
			f.join(&o)
			emit(&o)
		}
	}
}
