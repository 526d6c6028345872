package exact

// sequence makes the entries of feature g.
func (s *splitter) sequence(nd *pairNode, g int, at []uint64, mode int) {
	nd.count[g], nd.mode[g] = int32(len(at)), int32(mode)
	if len(at) == 0 {
		return
	}
	out := nd.order(g)
	switch {
	case nd.lanes == noLanes || s.p.k != 2:
		s.sequenceK(nd, out, at, mode)
	case mode < 0:
		s.forward2(nd, out, at)
	default:
		s.forward2(nd, out[:mode], at[:mode])
		if mode > 0 {
			out[mode-1].off |= 1
		}
		s.backward2(nd, out[mode:], at[mode:])
	}
	out[len(out)-1].off |= 1
}

// forward2 makes entries for two classes, the first of which begins a sequence.
func (s *splitter) forward2(nd *pairNode, out []entry, at []uint64) {
	if len(at) == 0 {
		return
	}
	if nd.lanes == wideLanes {
		s.forwardWide2(out, at)
		return
	}
	var t, weight uint16
	spread := s.p.spread
	out = out[:len(at)]
	previous := at[0] >> 32
	for i, e := range at {
		rank := e >> 32
		if i > 0 { // the mark of the place before, now that its successor is known
			out[i-1].off |= uint32((previous - rank) >> 63)
		}
		previous = rank
		r := uint32(e)
		v := uint16(spread[r])
		sign := uint16(int16(v) >> 15)
		t += v
		weight += v ^ sign - sign
		out[i] = narrowEntry(r*laneBytes, t, weight)
	}
}

func (s *splitter) forwardWide2(out []entry, at []uint64) {
	t := uint32(0)
	wide := s.p.wide
	out = out[:len(at)]
	previous := at[0] >> 32
	for i, e := range at {
		rank := e >> 32
		if i > 0 {
			out[i-1].off |= uint32((previous - rank) >> 63)
		}
		previous = rank
		r := uint32(e)
		t += uint32(wide[r])
		out[i] = wideEntry(r*laneBytes, t)
	}
}

// backward2 makes entries for two classes, the last of which ends the sequence
// of nd and the first of which is the mode's.
func (s *splitter) backward2(nd *pairNode, out []entry, at []uint64) {
	if nd.lanes == wideLanes {
		s.backwardWide2(nd, out, at)
		return
	}
	t, weight := uint16(int16(nd.class[1]-nd.class[0])), uint16(nd.weight)
	spread := s.p.spread
	next := uint64(1 << 32)
	for i := len(at) - 1; i > 0; i-- {
		e := at[i]
		r, rank := uint32(e), e>>32
		v := uint16(spread[r])
		sign := uint16(int16(v) >> 15)
		out[i] = narrowEntry(r*laneBytes|uint32((rank-next)>>63), t, weight)
		next = rank
		t -= v
		weight -= v ^ sign - sign
	}
	out[0] = narrowEntry(1, t, weight)
}

func (s *splitter) backwardWide2(nd *pairNode, out []entry, at []uint64) {
	t := uint32(int32((nd.floor[1] - nd.floor[0]) / s.p.grain))
	wide := s.p.wide
	next := uint64(1 << 32)
	for i := len(at) - 1; i > 0; i-- {
		e := at[i]
		r, rank := uint32(e), e>>32
		out[i] = wideEntry(r*laneBytes|uint32((rank-next)>>63), t)
		next = rank
		t -= uint32(wide[r])
	}
	out[0] = wideEntry(1, t)
}

func (s *splitter) sequenceK(nd *pairNode, out []entry, at []uint64, mode int) {
	last := len(at) - 1
	out = out[:len(at)]
	for i, e := range at {
		if i == mode {
			out[i] = entry{off: 1}
			continue
		}
		r := uint32(e)
		off := r * laneBytes
		if at[min(i+1, last)]>>32 != e>>32 {
			off |= 1
		}
		switch nd.lanes {
		case noLanes:
			out[i] = entry{off: off}
		case wideLanes:
			v := uint32(s.p.class[r])
			if s.p.gain != nil {
				v = 4 * r * uint32(s.p.k)
			}
			out[i] = wideEntry(off, v)
		case narrowLanes:
			out[i] = narrowEntry(off, uint16(s.p.spread[r]), uint16(s.p.class[r]))
		}
	}
}
