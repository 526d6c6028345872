package sparse

// node is a set of rows with its cells and key.
type node struct {
	rows  []int32
	cells []int64
	key   key
}

// cut is a place in the bins of a feature where a node may be split. Sides are 0, left, and 1, right.
type cut struct {
	bin      int32 // last bin of the left side
	feature  int32
	impurity float32  // Gini, times the weight
	moved    int64    // weight of the rows on the left side
	errors   [2]int64 // of the sides as leaves
	lb       [2]int64 // on the values of the sides
	two      [2]int64 // on their values with at most two leaves
	done     [2]bool  // lb is the value
}

// frame is the memory of a level of the recursion.
type frame struct {
	cuts        []cut
	lefts       []int64 // (cuts, cells) of their left sides
	from        []int32 // (p+1) the first cut of each feature
	features    []int32 // with valid cuts
	left, right []int32 // rows of the sides of the cut under way
	other       []int64 // cells of its right side
	pairs       []uint64
	sums        []int64 // (bins, cells)
}

// frame returns the memory of level d.
func (s *search) frame(d int) *frame {
	for len(s.frames) <= d {
		f := &frame{from: make([]int32, s.p.p+1), other: make([]int64, s.width)}
		if s.p.two {
			f.pairs = make([]uint64, len(s.p.last))
		} else {
			f.sums = make([]int64, len(s.p.last)*s.width)
		}
		s.frames = append(s.frames, f)
	}
	return s.frames[d]
}

// cells of a node: those of pairs are the gains of both classes, in units; those of others omega, the
// gains of all classes, and the weight of leaves, in steps.
func (s *search) errors(cells []int64) int64 {
	if s.p.two {
		return min(cells[0], cells[1]) << s.p.shift
	}
	most := cells[1]
	for _, g := range cells[2 : s.p.k+1] {
		most = max(most, g)
	}
	return cells[0] - most
}

// total is omega of a node.
func (s *search) total(cells []int64) int64 {
	if s.p.two {
		return (cells[0] + cells[1]) << s.p.shift
	}
	return cells[0]
}

// count sums the rows of a node per bin, in the memory of level d. Its features are those that its
// parent, at the level above, has valid cuts of. If the other child has fewer rows, they are
// subtracted from the parent's sums.
func (s *search) count(nd, sibling *node, d int) []int32 {
	features := s.all
	if d > 0 {
		features = s.frames[d-1].features
	}
	f := s.frame(d)
	rows, subtract := nd.rows, d > 0 && len(sibling.rows) < len(nd.rows)
	if subtract {
		rows = sibling.rows
	}
	s.spend(len(rows)*len(features) + len(s.p.last))
	if s.p.two {
		if subtract {
			copy(f.pairs, s.frames[d-1].pairs)
		} else {
			clear(f.pairs)
		}
		s.countPairs(f.pairs, rows, features, subtract)
		return features
	}
	if subtract {
		copy(f.sums, s.frames[d-1].sums)
	} else {
		clear(f.sums)
	}
	s.countSums(f.sums, rows, features, subtract)
	return features
}

// countPairs adds the pairs of rows to those of their bins, or subtracts them: modulo 2^64, the
// sums of both halves never borrow.
func (s *search) countPairs(pairs []uint64, rows, features []int32, subtract bool) {
	p := s.p
	if len(features) == p.p {
		for _, i := range rows {
			v := p.pair[i]
			if subtract {
				v = -v
			}
			for _, b := range p.byRow[int(i)*p.p : (int(i)+1)*p.p] {
				pairs[b] += v
			}
		}
		return
	}
	for _, i := range rows {
		v := p.pair[i]
		if subtract {
			v = -v
		}
		bins := p.byRow[int(i)*p.p : (int(i)+1)*p.p]
		for _, f := range features {
			pairs[bins[f]] += v
		}
	}
}

func (s *search) countSums(sums []int64, rows, features []int32, subtract bool) {
	p := s.p
	for _, i := range rows {
		bins := p.byRow[int(i)*p.p : (int(i)+1)*p.p]
		gains := p.gain[p.gains[i]:p.gains[i+1]]
		for _, f := range features {
			into := sums[int(bins[f])*s.width:]
			for _, g := range gains {
				if subtract {
					into[g.cell] -= g.value
				} else {
					into[g.cell] += g.value
				}
			}
		}
	}
}

// scan lists the valid cuts of a node, with the errors of their sides, and returns the least errors
// of two leaves and the bin of that cut, -1 if there is none.
func (s *search) scan(nd *node, features []int32, d int) (least int64, bin int32) {
	f := s.frames[d]
	f.cuts, f.lefts, f.features = f.cuts[:0], f.lefts[:0], f.features[:0]
	least, bin = infinite, -1
	next := 0
	for j := range s.p.p {
		f.from[j] = int32(len(f.cuts))
		if next == len(features) || int(features[next]) != j {
			continue
		}
		next++
		if s.p.two {
			s.scanPairs(nd, j, f)
		} else {
			s.scanSums(nd, j, f)
		}
		if first := int(f.from[j]); len(f.cuts) > first {
			f.features = append(f.features, int32(j))
			for i := first; i < len(f.cuts); i++ {
				if e := f.cuts[i].errors[0] + f.cuts[i].errors[1]; e < least {
					least, bin = e, f.cuts[i].bin
				}
			}
		}
	}
	f.from[s.p.p] = int32(len(f.cuts))
	return least, bin
}

func (s *search) scanPairs(nd *node, j int, f *frame) {
	p := s.p
	total := uint64(nd.cells[0]) | uint64(nd.cells[1])<<32
	left := uint64(0)
	last := int32(-1)
	most := uint64(s.lambdaUnits)
	for b := p.start[j]; b < p.start[j+1]; b++ {
		v := f.pairs[b]
		if v == 0 {
			continue
		}
		if last >= 0 {
			right := total - left
			l0, l1, r0, r1 := left&low, left>>32, right&low, right>>32
			if max(l0, l1) >= most && max(r0, r1) >= most {
				f.cuts = append(f.cuts, cut{
					bin: last, feature: int32(j), moved: int64(l0+l1) << p.shift,
					errors: [2]int64{int64(min(l0, l1)) << p.shift, int64(min(r0, r1)) << p.shift},
				})
				f.lefts = append(f.lefts, int64(l0), int64(l1))
			}
		}
		left += v
		last = b
	}
}

const low = 1<<32 - 1

func (s *search) scanSums(nd *node, j int, f *frame) {
	p, width := s.p, s.width
	left, right := s.left, s.right
	clear(left)
	copy(right, nd.cells)
	last := int32(-1)
	for b := p.start[j]; b < p.start[j+1]; b++ {
		v := f.sums[int(b)*width : (int(b)+1)*width]
		any := false
		for _, x := range v {
			any = any || x != 0
		}
		if !any {
			continue
		}
		if last >= 0 && p.valid(left, p.k) && p.valid(right, p.k) {
			f.cuts = append(f.cuts, cut{
				bin: last, feature: int32(j), moved: left[0], errors: [2]int64{s.errors(left), s.errors(right)},
			})
			f.lefts = append(f.lefts, left...)
		}
		for c, x := range v {
			left[c] += x
			right[c] -= x
		}
		last = b
	}
}

// impurity is the Gini impurity of both sides of a cut, times their weights.
func (s *search) impurityOf(left, cells []int64) float32 {
	first, end := 1, s.p.k+1
	if s.p.two {
		first, end = 0, 2
	}
	var wl, wr, sl, sr float64
	for c := first; c < end; c++ {
		l, r := float64(left[c]), float64(cells[c]-left[c])
		wl, wr, sl, sr = wl+l, wr+r, sl+l*l, sr+r*r
	}
	return float32(wl + wr - sl/wl - sr/wr)
}

// split divides the rows of a node at a cut, in the memory of level d.
func (s *search) split(nd *node, c int, d int) (left, right node) {
	f := s.frames[d]
	at := f.cuts[c]
	if f.left == nil {
		f.left, f.right = make([]int32, s.p.n), make([]int32, s.p.n)
	}
	bins, keys := s.p.bin[at.feature], s.p.key
	l, r, a, b := f.left, f.right, 0, 0
	for _, i := range nd.rows { // without branches, which could not be predicted
		l[a], r[b] = i, i
		right := uint64(uint32(at.bin-bins[i])) >> 31
		a, b = a+int(1-right), b+int(right)
		k := keys[i]
		left.key.a ^= k.a & (right - 1)
		left.key.b ^= k.b & (right - 1)
	}
	left.rows, right.rows = l[:a], r[:b]
	right.key = nd.key.xor(left.key)
	left.cells = f.lefts[c*s.width : (c+1)*s.width]
	for x, v := range nd.cells {
		f.other[x] = v - left.cells[x]
	}
	right.cells = f.other
	return left, right
}
