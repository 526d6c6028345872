package exact

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/dataset"
)

// TestShared: the cache is the same for any number of goroutines that add memos, and the same as
// when memos are put one by one, even if not all fit.
func TestShared(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	var found [][]memo
	for range 7 {
		memos := make([]memo, rng.IntN(3*fewMemos))
		for i := range memos {
			set := rng.IntN(4000)
			memos[i] = memo{
				key:   key{uint64(set) * 0x9e3779b97f4a7c15, uint64(set) * 0xbf58476d1ce4e5b9},
				asked: float64(rng.IntN(9)), depth: int8(2 + rng.IntN(2)), budget: 7, rows: 1 + rng.Int32N(500),
			}
		}
		found = append(found, memos)
	}
	for _, bytes := range []int64{0, 1 << 12, 1 << 18, leastShared, 64 << 20} {
		one := newShared(bytes)
		for _, memos := range found {
			for i := range memos {
				one.shelves[one.shelf(memos[i].key)].put(&memos[i])
			}
		}
		for _, workers := range []int{1, 2, 3, 50} {
			many := newShared(bytes)
			many.add(found, workers)
			if one.size() != many.size() {
				t.Errorf("%d bytes, %d workers: %d sets, one by one %d", bytes, workers, many.size(), one.size())
			}
			for _, memos := range found {
				for _, m := range memos {
					a, b := one.find(m.key, int(m.depth), 7), many.find(m.key, int(m.depth), 7)
					if diff := cmp.Diff(a, b, cmp.AllowUnexported(memo{}, key{}, answer{})); diff != "" {
						t.Fatalf("%d bytes, %d workers:\n%s", bytes, workers, diff)
					}
				}
			}
		}
	}
}

// TestApart: no other allocation is adjacent.
func TestApart(t *testing.T) {
	type span struct{ from, to uintptr }
	var all []span
	for range 20 {
		for _, n := range []int{1, 2, 7, 40} {
			small := make([]int32, n)
			v := apart[int32](n)
			w := newApart[[3]uint64]()
			if len(v) != n || cap(v) != n {
				t.Fatalf("length %d, capacity %d; want %d", len(v), cap(v), n)
			}
			for _, s := range []span{
				{uintptr(unsafe.Pointer(&small[0])), uintptr(unsafe.Pointer(&small[n-1])) + 4},
				{uintptr(unsafe.Pointer(&v[0])) - guard, uintptr(unsafe.Pointer(&v[n-1])) + 4 + guard},
				{uintptr(unsafe.Pointer(w)) - guard, uintptr(unsafe.Pointer(w)) + 24 + guard},
			} {
				for _, o := range all {
					if s.from < o.to && o.from < s.to {
						t.Fatalf("%x to %x and %x to %x overlap", s.from, s.to, o.from, o.to)
					}
				}
				all = append(all, s)
			}
			alive = append(alive, small, v)
			held = append(held, w)
		}
	}
}

// alive and held keep the allocations of TestApart in place.
var (
	alive [][]int32
	held  []*[3]uint64
)

// TestAnswer: a memo without a tree answers questions for values up to the one that was asked, and
// no others; a memo with a tree answers all.
func TestAnswer(t *testing.T) {
	ds, err := dataset.New([]float64{0, 1, 2, 3, 4, 5, 6, 7}, []int{0, 1, 0, 1, 0, 1, 0, 1}, []string{"x"}, []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	p := problemOf(ds, &Options{Depth: 3})
	w := newWorker(p, 3, func() bool { return false }, newShared(0))
	nd := newPairNode(p)
	c := child{header: &nd.header, pair: nd, depth: 2, budget: 3}
	w.split.whole(&c, p.root())
	inf := math.Inf(1)
	for _, q := range []struct {
		value, asked, ub float64
		want             bool
	}{
		{inf, 3, 2, true},
		{inf, 3, 3, true},
		{inf, 3, 4, false},
		{inf, 3, inf, false},
		{2, 3, 3, true},
		{2, 3, 2, true}, // no tree is below 2
		{2, 3, inf, true},
	} {
		m := &memo{answer: answer{lb: 2, value: q.value}, asked: q.asked}
		a := answer{value: inf}
		got := w.answer(m, &c, q.ub, &a)
		if found := a.value < inf; got != q.want || got && a.lb != 2 || found != (q.value < q.ub) {
			t.Errorf("%+v: answered %v, with value %v and bound %v", q, got, a.value, a.lb)
		}
	}
	if w.answer(nil, &c, 3, &answer{}) {
		t.Error("no memo answers")
	}
}
