package exact

// Binary features beside others. Under a binary root the stumps on binary features
// are found by counts; those on the others by lanes, a lane for each root. Under any
// other root both are found by lanes.

// binaryRoots evaluates all trees of the node with a binary feature at the root; low
// bounds them.
func (s *pairSearch) binaryRoots(c *child, low float64) {
	w, b := s.w, s.w.batch
	counter := w.counter
	counter.evaluate(counter.load(c.pair), c.class)
	roots := slotLanes * s.nd.lanes.slots()
	for first := 0; first < w.p.binary; first += roots {
		if w.stop() {
			s.least = min(s.least, low)
			return
		}
		last := min(w.p.binary, first+roots)
		b.used = 0
		for quad := first; quad < last; quad += slotLanes {
			b.addBinary(s.nd, counter, quad)
		}
		w.stats.Batches++
		w.stats.Work += int64(s.nd.n) * int64(w.p.p-w.p.binary+b.used)
		b.evaluate(s.nd, w.p.binary)
		for f := first; f < last; f++ {
			s.takeBinary(c, f, f-first)
		}
	}
}

// takeBinary takes what lane l and the counts say of feature f at the root.
func (s *pairSearch) takeBinary(c *child, f, l int) {
	left, right := s.w.counter.sides(c.header, f)
	if left.weight == 0 || right.weight == 0 || c.top && min(left.weight, right.weight) < s.w.p.minLeaf {
		return
	}
	s.w.stats.Cuts++
	b := s.w.batch
	b.left[l].stump, b.right[l].stump = min(b.left[l].stump, left.stump), min(b.right[l].stump, right.stump)
	for arm := range s.ways {
		s.take(&span{feature: int32(f), arm: int8(arm)}, b.cuts[l].pos, l)
	}
}

// keepLeft keeps the lanes of the features of four that are zero in a row: bit by bit.
var keepLeft = func() (masks [1 << slotLanes]uint64) {
	for bits := range masks {
		for lane := range slotLanes {
			if bits>>lane&1 == 0 {
				masks[bits] |= 0xffff << (16 * lane)
			}
		}
	}
	return masks
}()

// keepWide is keepLeft for wide lanes.
var keepWide = func() (masks [1 << slotLanes][2]uint64) {
	for bits := range masks {
		for lane := range slotLanes {
			if bits>>lane&1 == 0 {
				masks[bits][lane/2] |= 0xffff_ffff << (32 * (lane % 2))
			}
		}
	}
	return masks
}()

// addBinary puts the cuts of four binary features, from first on, a multiple of four,
// into the next slot.
func (b *batch) addBinary(nd *pairNode, counter *counter, first int) {
	p, slot := b.p, b.used
	b.used++
	b.laid = true
	word, shift := first/64, first%64
	for _, r := range nd.rows[:nd.n] {
		bits := p.bits.rows[int(r)*p.bits.width+word] >> shift & (1<<slotLanes - 1)
		switch nd.lanes {
		case narrowLanes:
			b.lanes[int(r)*slots+slot] = p.spread[r] & keepLeft[bits]
		case wideLanes:
			v, keep := uint64(uint32(p.wide[r]))*0x0000_0001_0000_0001, &keepWide[bits]
			b.lanes[int(r)*slots+2*slot], b.lanes[int(r)*slots+2*slot+1] = v&keep[0], v&keep[1]
		}
	}
	for lane := range slotLanes {
		l, f := slot*slotLanes+lane, min(first+lane, p.binary-1)
		b.cuts[l] = stump{feature: int32(f), pos: max(1, nd.mode[f])} // the mode's place is the first or the last
		for class, w := range nd.class {
			b.cl[l*p.k+class] = w
			if first+lane < p.binary {
				b.cl[l*p.k+class] -= counter.ones(class, f)
			}
		}
	}
}
