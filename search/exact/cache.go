package exact

import (
	"math"
	"sync"
	"unsafe"
)

// answer is what is known of a set of rows at some depth and budget.
type answer struct {
	lb    float64 // proven bound on f0
	value float64 // least f, where it is below what was asked; else +Inf

	// The tree of that value, where there is one: a leaf, or a root and its
	// children. Those of a root with two levels are not kept, since they are
	// stumps, found again by their values.
	leaf           bool
	depth          int8 // levels that the tree may have
	feature, pos   int32
	left, right    *answer
	lvalue, rvalue float64
	lsplits        int32 // budgets of splits
	rsplits        int32
}

// key names a set of rows with a depth and a budget: 128 bits, the sum of a
// random number per row. Different sets share one by chance only, with
// probability 2^-128 a pair.
type key struct{ a, b uint64 }

// memo is what was proved of a set of rows.
type memo struct {
	key    key
	answer answer
	asked  float64 // no tree is below this, unless answer.value is
	depth  int8
	budget int32
	rows   int32 // how dear it was; 0: free
}

const (
	// placeBytes is what a place takes, with its number in used; and as much
	// again half the size while the table grows.
	placeBytes = int64(unsafe.Sizeof(memo{})+4) * 3 / 2
	// places is the number of them that a set of rows may take.
	places = 4
	// A worker remembers this share of the whole cache's sets by itself, and no
	// more than privateSets of them, until its task ends.
	privateShare = 16
	privateSets  = 1 << 14
)

// cache remembers answers in a table that grows up to a limit. From then on a
// full bucket gives up the set with the least depth and rows, the last of equal
// ones.
type cache struct {
	table []memo
	mask  uint64
	used  []int32 // places of the table in the order they were first taken
	most  int     // places, a power of two; 0: nothing is remembered
}

// firstPlaces is what a cache begins with.
const firstPlaces = 1 << 8

// newCache takes at most so many bytes, and no more than so many sets.
func newCache(bytes int64, most int) *cache {
	c := newApart[cache]()
	for size := places; int64(size)*placeBytes <= bytes && size <= most; size *= 2 {
		c.most = size
	}
	if c.most > 0 {
		c.resize(min(c.most, firstPlaces))
	}
	return c
}

// resize makes the table of the given size and puts all into it again.
func (c *cache) resize(size int) {
	old, used := c.table, c.used
	c.table = make([]memo, size) // also where c.table has room: take leaves it there, with old memos
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

// find returns what is known of a set, nil where it is not known.
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

// put remembers an answer. What was known of the set is replaced where the new
// answer says more.
func (c *cache) put(m *memo) {
	if c.table == nil {
		return
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
	b[worst] = *m
}

// take returns all that is remembered, in the order it came, and makes the cache
// what it was at first: what it gives up later does not depend on its past.
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

// shared is what all workers know: caches for parts of the keys, so that several can be
// added to at once. It is only read while cuts are evaluated.
type shared struct{ shelves []*cache }

// shelfCount is how many caches there are, a power of two; one where that takes less than
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

// find returns what is known of a set, nil where it is not known.
func (s *shared) find(k key, depth, budget int) *memo {
	return s.shelves[s.shelf(k)].find(k, depth, budget)
}

// privateBytes is what each worker may remember by itself.
func (s *shared) privateBytes() int64 {
	return int64(s.shelves[0].most) * int64(len(s.shelves)) * placeBytes / privateShare
}

// size is the number of sets that are remembered.
func (s *shared) size() int {
	n := 0
	for _, c := range s.shelves {
		n += len(c.used)
	}
	return n
}

// fewMemos are added by one goroutine sooner than by several.
const fewMemos = 1000

// add adds what tasks have found, in their order on each shelf, by so many goroutines.
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

// sort returns the memos shelf by shelf, and where those of each begin and end.
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
