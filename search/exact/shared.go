package exact

import (
	"math"
	"sync"
)

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
