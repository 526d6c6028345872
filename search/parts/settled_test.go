package parts

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/search/clauses"
	"github.com/octgen/octgen/tree"
)

// clusters draws n rows of two features and k classes, of each around a point.
func clusters(rng *rand.Rand, n, k int) *dataset.Dataset {
	d := &dataset.Dataset{Features: []string{"a", "b"}}
	var centers [][2]float64
	for c := range k {
		d.Classes = append(d.Classes, fmt.Sprint("c", c))
		centers = append(centers, [2]float64{rng.Float64(), rng.Float64()})
	}
	noise := 0.2 * rng.Float64()
	for i := range n {
		c := i % k
		d.X = append(d.X, centers[c][0]+noise*rng.NormFloat64(), centers[c][1]+noise*rng.NormFloat64())
		d.Y, d.Weight, d.Count = append(d.Y, c), append(d.Weight, 1), append(d.Count, 1)
	}
	return d
}

// TestSettled: hyperplanes near to which no row is are found if and only if there are any on whose sides the correct rows are, by trying all
// sides of the others.
func TestSettled(t *testing.T) {
	rng := rand.New(rand.NewPCG(47, 1))
	found, none := 0, 0
	for trial := range 300 {
		ds := clusters(rng, 9+rng.IntN(3), 2)
		o := Options{Form: hyperplane.Options{Depth: 1, Mu: []float64{0.1, 0.2, 0.4}[trial%3]}}
		s, err := begin(t.Context(), ds, o)
		if err != nil {
			t.Fatal(err)
		}
		a, left, right := []float64{rng.NormFloat64(), rng.NormFloat64()}, []int32(nil), []int32(nil)
		middle := a[0]*rng.Float64() + a[1]*rng.Float64()
		for _, i := range s.all() {
			if dot(a, s.row(int(i))) < middle {
				left = append(left, i)
			} else {
				right = append(right, i)
			}
		}
		if len(left) == 0 || len(right) == 0 {
			continue
		}
		grown := tree.NewLeaf(ds, 0)
		grown.Grow(0, s.cut(a, left, right), rng.IntN(2), rng.IntN(2))
		correct := s.data.Route(grown)
		if !slices.Contains(correct, true) {
			continue
		}
		got := s.settled(t.Context(), grown)
		want := s.settles(t, grown.Nodes[0].Split, correct)
		if (got != nil) != want {
			t.Fatalf("trial %d: found %v, by trying all sides %v", trial, got != nil, want)
		}
		if none++; got == nil {
			continue
		}
		none, found = none-1, found+1
		if m := s.data.LeastMargin(got); m < s.mu*closer-1e-9 {
			t.Errorf("trial %d: a margin of %v, want %v", trial, m, s.mu)
		}
		for i, is := range s.data.Route(got) {
			if correct[i] && !is && s.data.LeastMargin(got) >= s.mu {
				t.Errorf("trial %d: row %d was correct, and is not any more", trial, i)
			}
		}
	}
	if t.Logf("%d found, %d without", found, none); found < 50 || none < 20 {
		t.Errorf("%d found, %d without", found, none)
	}
}

// TestSettledOneSide: a split with all rows on one side, none of which may go to the other, stays as it is.
func TestSettledOneSide(t *testing.T) {
	ds := &dataset.Dataset{Features: []string{"a"}, Classes: []string{"c0", "c1"}, X: []float64{0, 1, 8, 9}, Y: []int{0, 0, 1, 1}, Weight: []float64{1, 1, 1, 1}, Count: []float64{1, 1, 1, 1}}
	s, err := begin(t.Context(), ds, Options{Form: hyperplane.Options{Depth: 2}})
	if err != nil {
		t.Fatal(err)
	}
	at := func(threshold float64) *tree.Split {
		return &tree.Split{Terms: []tree.Term{{Feature: 0, Weight: 1}}, Threshold: threshold}
	}
	grown := tree.NewLeaf(ds, 0)
	grown.Grow(0, at(5), 0, 1)
	right := grown.Nodes[0].Right
	grown.Grow(right, at(6), 0, 1)
	got := s.settled(t.Context(), grown)
	if got == nil {
		t.Fatal("no tree")
	}
	if v := got.Nodes[right].Split.Threshold; v != 6 {
		t.Errorf("the threshold is %v, want 6", v)
	}
}

// settles reports whether any sides of the rows that are not correct let all rows keep the margin.
func (s *search) settles(t *testing.T, sp *tree.Split, correct []bool) bool {
	q := &settling{search: s, rows: s.all()}
	var has [2]bool
	for _, i := range s.all() {
		if correct[i] {
			has[side(signOf(sp, s.ds.Row(int(i))))] = true
		} else {
			q.free = append(q.free, i)
		}
	}
	for k := range 2 {
		if far := q.farthest(sp, k); !has[k] && far >= 0 {
			correct = slices.Clone(correct)
			correct[far] = true
		}
	}
	for sides := range 1 << s.n() {
		var columns []int32
		fits := true
		for _, i := range s.all() {
			k := sides >> i & 1
			fits = fits && (!correct[i] || k == side(signOf(sp, s.ds.Row(int(i)))))
			columns = append(columns, clauses.Column(int(i), k == 1))
		}
		if _, found := clauses.NewSeparator(pulse.New(t.Context()), s.x, s.p(), s.mu*closer).Ask(columns); fits && found {
			return true
		}
	}
	return false
}
