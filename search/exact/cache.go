package exact

import (
	"math"
	"sync"
	"unsafe"
)

// answer holds the results for a set of rows at some depth and budget.
type answer struct {
	lb    float64 // proven lower bound on f0
	value float64 // minimum of f if it is below the value asked for; else +Inf

	// The tree with that value, if any: a leaf, or a root and its children. The children of a root
	// with two levels are not stored, because they are stumps and are found again from their
	// values.
	leaf           bool
	depth          int8 // maximum depth of the tree
	feature, pos   int32
	left, right    *answer
	lvalue, rvalue float64
	lsplits        int32 // budgets of splits
	rsplits        int32
}

// key identifies a set of rows with a depth and a budget: 128 bits, the sum of one random number
// per row. Two different sets share a key with probability 2^-128.
type key struct{ a, b uint64 }

// memo is a proven answer for a set of rows.
type memo struct {
	key    key
	answer answer
	asked  float64 // no tree has a value below this, unless answer.value is below it
	depth  int8
	budget int32
	rows   int32 // the cost of the answer, in rows; 0: free
}

const (
	// placeBytes is the memory per place, with its number in used, plus half again while the table
	// grows.
	placeBytes = int64(unsafe.Sizeof(memo{})+4) * 3 / 2
	// places is the number of places in the bucket of a set of rows.
	places = 4
	// A worker keeps at most 1/privateShare of the whole cache's sets for itself, and at most
	// privateSets sets, until its task ends.
	privateShare = 16
	privateSets  = 1 << 14
)

// cache stores answers in a table that grows up to a limit. After that, a full bucket drops the set
// with the smallest depth and number of rows; of equal ones the last.
type cache struct {
	table []memo
	mask  uint64
	used  []int32 // places of the table in the order of first use
	most  int     // maximum number of places, a power of two; 0: nothing is stored
}

// A cache begins with leastPlaces. Up to firstPlaces it grows where a bucket is full, and drops nothing: so it holds what
// one that begins with firstPlaces holds, but costs a small search, which has many caches, no memory.
const (
	leastPlaces = 1 << 4
	firstPlaces = 1 << 8
)

// newCache returns a cache of at most this many bytes and sets.
func newCache(bytes int64, most int) *cache {
	c := newApart[cache]()
	for size := places; int64(size)*placeBytes <= bytes && size <= most; size *= 2 {
		c.most = size
	}
	return c
}

// resize gives the table a new size and reinserts all entries.
func (c *cache) resize(size int) {
	old, used := c.table, c.used
	c.table = make([]memo, size) // even if c.table has room: take leaves old memos there
	c.mask = uint64(size/places - 1)
	c.used = make([]int32, 0, size*3/4)
	for _, i := range used {
		c.put(&old[i])
	}
}

func (c *cache) bucket(k key) []memo {
	at := (k.a & c.mask) * places
	return c.table[at : at+places]
}

// find returns the memo of a set, nil if there is none.
func (c *cache) find(k key, depth, budget int) *memo {
	if c.table == nil {
		return nil
	}
	for i, b := 0, c.bucket(k); i < places; i++ {
		if m := &b[i]; m.rows > 0 && m.key == k && int(m.depth) == depth && int(m.budget) == budget {
			return m
		}
	}
	return nil
}

// put stores an answer. It replaces an earlier answer for the same set if the new one proves more.
func (c *cache) put(m *memo) {
	switch {
	case c.most == 0:
		return
	case c.table == nil:
		c.resize(min(c.most, leastPlaces))
	}
	if len(c.used) >= len(c.table)*3/4 && len(c.table) < c.most {
		c.resize(2 * len(c.table))
	}
	first := (m.key.a & c.mask) * places
	b := c.table[first : first+places]
	worst := 0
	for i := range b {
		o := &b[i]
		if o.rows == 0 {
			*o = *m
			c.used = append(c.used, int32(first)+int32(i))
			return
		}
		if o.key == m.key && o.depth == m.depth && o.budget == m.budget {
			if m.asked > o.asked || m.answer.value < o.answer.value {
				*o = *m
			}
			return
		}
		if o.depth < b[worst].depth || o.depth == b[worst].depth && o.rows <= b[worst].rows {
			worst = i
		}
	}
	if len(c.table) < min(firstPlaces, c.most) {
		c.resize(2 * len(c.table))
		c.put(m)
		return
	}
	b[worst] = *m
}

// take returns all memos in order of arrival and restores the initial state of the cache, so that
// later evictions do not depend on its history.
func (c *cache) take() []memo {
	all := make([]memo, len(c.used))
	for i, at := range c.used {
		all[i] = c.table[at]
		c.table[at].rows = 0
	}
	c.used = c.used[:0]
	if len(c.table) > firstPlaces {
		c.table = c.table[:firstPlaces]
		c.mask = firstPlaces/places - 1
	}
	return all
}

// shared is the cache of all workers: shelves for parts of the keys, so that several goroutines can
// add memos at once. It is read-only while cuts are evaluated.
type shared struct{ shelves []*cache }

// shelfCount is the number of shelves, a power of two; one shelf if that takes less than
// leastShared bytes.
const (
	shelfCount  = 32
	leastShared = 1 << 20
)

func newShared(bytes int64) *shared {
	count := shelfCount
	if bytes < leastShared {
		count = 1
	}
	s := &shared{}
	for range count {
		s.shelves = append(s.shelves, newCache(bytes/int64(count), math.MaxInt32))
	}
	return s
}

func (s *shared) shelf(k key) int { return int(k.b & uint64(len(s.shelves)-1)) }

// find returns the memo of a set, nil if there is none.
func (s *shared) find(k key, depth, budget int) *memo {
	return s.shelves[s.shelf(k)].find(k, depth, budget)
}

// privateBytes returns the memory that each worker's own cache may use.
func (s *shared) privateBytes() int64 {
	return int64(s.shelves[0].most) * int64(len(s.shelves)) * placeBytes / privateShare
}

// size returns the number of stored sets.
func (s *shared) size() int {
	n := 0
	for _, c := range s.shelves {
		n += len(c.used)
	}
	return n
}

// fewMemos is the number below which one goroutine adds memos faster than several.
const fewMemos = 1000

// add adds the memos that tasks found, in task order on each shelf, with this many goroutines.
func (s *shared) add(found [][]memo, workers int) {
	at, all := s.sort(found)
	if len(all) < fewMemos {
		workers = 1
	}
	put := func(first int) {
		for i := first; i < len(s.shelves); i += workers {
			for _, m := range all[at[i]:at[i+1]] {
				s.shelves[i].put(m)
			}
		}
	}
	var g sync.WaitGroup
	for first := 1; first < workers; first++ {
		g.Go(func() { put(first) })
	}
	put(0)
	g.Wait()
}

// sort returns the memos shelf by shelf, and the range of each shelf.
func (s *shared) sort(found [][]memo) (at []int, all []*memo) {
	at = make([]int, len(s.shelves)+2)
	for _, memos := range found {
		for i := range memos {
			at[s.shelf(memos[i].key)+2]++
		}
	}
	for i := range s.shelves {
		at[i+2] += at[i+1]
	}
	all = make([]*memo, at[len(s.shelves)+1])
	for _, memos := range found {
		for i := range memos {
			to := &at[s.shelf(memos[i].key)+1]
			all[*to] = &memos[i]
			*to++
		}
	}
	return at[:len(s.shelves)+1], all
}
