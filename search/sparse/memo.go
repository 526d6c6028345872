package sparse

import "unsafe"

// key identifies a set of rows: 128 bits, the exclusive or of one random number per row. Two
// different sets share a key with probability 2^-128.
type key struct{ a, b uint64 }

func (k key) xor(l key) key { return key{k.a ^ l.a, k.b ^ l.b} }

// entry is what is known of a set of rows.
type entry struct {
	key    key
	lb, ub int64 // of the values of its trees; the optimum is known if they are equal
	two    int64 // the best value with at most two leaves; -1 if not known
	bin    int32 // last bin on the left side of the root of a tree of value ub; -1: a leaf
	used   bool
}

// memo is a hash table of entries with linear probing.
type memo struct {
	table []entry
	used  int
	most  int  // maximum number of places
	dense bool // the last places may be used
}

const firstPlaces = 1 << 10

func newMemo(bytes int64) *memo {
	most := firstPlaces
	// the old table lives until the new one is filled
	for int64(most)*3*int64(unsafe.Sizeof(entry{})) <= bytes {
		most *= 2
	}
	return &memo{table: make([]entry, firstPlaces), most: most}
}

// find returns the entry of a set, nil if there is none. It is valid until the next add.
func (m *memo) find(k key) *entry {
	mask := uint64(len(m.table) - 1)
	for i := k.a & mask; ; i = (i + 1) & mask {
		switch e := &m.table[i]; {
		case !e.used:
			return nil
		case e.key == k:
			return e
		}
	}
}

// add returns the entry of a set, a new one if there is none; nil if the table is full.
func (m *memo) add(k key) *entry {
	if e := m.find(k); e != nil {
		return e
	}
	if 3*(m.used+1) > 2*len(m.table) && !m.grow() && !(m.dense && m.used+1 < len(m.table)) {
		return nil
	}
	m.used++
	return m.place(entry{key: k, two: -1, bin: -1, used: true})
}

// place stores an entry whose set has none.
func (m *memo) place(e entry) *entry {
	mask := uint64(len(m.table) - 1)
	i := e.key.a & mask
	for m.table[i].used {
		i = (i + 1) & mask
	}
	m.table[i] = e
	return &m.table[i]
}

func (m *memo) grow() bool {
	if 2*len(m.table) > m.most {
		return false
	}
	old := m.table
	m.table = make([]entry, 2*len(old))
	for i := range old {
		if old[i].used {
			m.place(old[i])
		}
	}
	return true
}

// keyNumbers numbers keys in the order in which they come.
type keyNumbers struct {
	table []int32 // number + 1 of the key; 0: none
	keys  []key
}

// reset forgets all keys; there will be at most n.
func (t *keyNumbers) reset(n int) {
	size := 16
	for size < 2*n {
		size *= 2
	}
	if cap(t.table) < size {
		t.table = make([]int32, size)
	}
	t.table = t.table[:size]
	clear(t.table)
	t.keys = t.keys[:0]
}

func (t *keyNumbers) number(k key) int {
	mask := uint64(len(t.table) - 1)
	h := (k.a ^ k.b*0x9e3779b97f4a7c15) * 0xd6e8feb86659fd93 // of words, not only of random keys
	for i := (h >> 32) & mask; ; i = (i + 1) & mask {
		switch n := t.table[i]; {
		case n == 0:
			t.keys = append(t.keys, k)
			t.table[i] = int32(len(t.keys))
			return len(t.keys) - 1
		case t.keys[n-1] == k:
			return int(n - 1)
		}
	}
}
