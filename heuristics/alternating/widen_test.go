package alternating

import (
	"context"
	"math"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/tree"
)

// searcherOf is a search of random data that has not begun.
func searcherOf(t *rapid.T) *searcher {
	ds, o := randomSearch(t)
	o.Mu, o.Work, o.MaxSplits, o.MinLeaf = 1e-4, 0, 0, 0
	l, err := tree.NewTraining(context.Background(), ds)
	if err != nil {
		t.Fatal(err)
	}
	e := newSearcher(context.Background(), l, newRows(l.Rows, l.Presort, o.Mu), &o, 0)
	e.began, e.first = time.Now(), new(atomic.Int64)
	e.first.Store(math.MaxInt64)
	return e
}

// margins are the least distances of the rows of each node to its plane, and sides the
// leaves where rows end.
func (e *searcher) margins(s *state) (margins []float64, ends []int) {
	margins, ends = make([]float64, s.leaves()), make([]int, e.n)
	for t := range margins {
		margins[t] = math.Inf(1)
	}
	for i := range ends {
		at := 1
		for at < s.leaves() {
			v := s.plane[at].value(e.row(int32(i)))
			if s.plane[at].a != nil {
				margins[at] = min(margins[at], math.Abs(v))
			}
			if at = 2 * at; v >= 0 {
				at++
			}
		}
		ends[i] = at
	}
	return margins, ends
}

// TestWiden: all rows stay in their leaves, no margin becomes smaller, no feature is
// added.
func TestWiden(t *testing.T) {
	wider := 0
	datatest.Check(t, func(t *rapid.T) {
		e := searcherOf(t)
		if e.p == 0 || e.n < 2 {
			return
		}
		s := e.empty()
		e.scatter(s, 1)
		for node := 1; node < s.leaves(); node++ {
			e.centre(s, node)
		}
		e.vacuous(s)
		if e.worth(s).broken > 0 {
			return
		}
		e.best, e.bestWorth = new(state), e.worth(s)
		e.best.copyOf(s)
		before, ends := e.margins(s)
		features := s.features()
		e.widen()
		after, stay := e.margins(e.best)
		for i := range ends {
			if ends[i] != stay[i] {
				t.Fatalf("row %d went to %d, now to %d", i, ends[i], stay[i])
			}
		}
		for node := 1; node < s.leaves(); node++ {
			if after[node] < before[node]-1e-6 {
				t.Fatalf("margin %v at node %d, it was %v", after[node], node, before[node])
			}
			if after[node] > before[node]+1e-6 {
				wider++
			}
		}
		if e.best.features() > features {
			t.Fatalf("%d features, it were %d", e.best.features(), features)
		}
	})
	if wider == 0 {
		t.Error("no margin became wider")
	}
}

// TestWidest: the margin of a leaning plane between the sides of a square is widest upright,
// without the second feature.
func TestWidest(t *testing.T) {
	ds, err := dataset.New([]float64{0, 0, 0, 1, 1, 0, 1, 1}, []int{0, 0, 1, 1}, []string{"x", "y"}, []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	l, err := tree.NewTraining(context.Background(), ds)
	if err != nil {
		t.Fatal(err)
	}
	e := newSearcher(context.Background(), l, newRows(l.Rows, l.Presort, 0.005), &Options{Depth: 1}, 0)
	wide, ok := e.widest(&plane{a: []float64{0.6, 0.4}, b: 0.5}, []int32{0, 1, 2, 3})
	if !ok || math.Abs(wide.a[0]-1) > 1e-6 || wide.a[1] != 0 || math.Abs(wide.b-0.5) > 1e-6 {
		t.Errorf("%v, %v", wide, ok)
	}
}
