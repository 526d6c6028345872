//go:build cgo && !nohighs

package parts

import (
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/internal/datatest"
)

// TestApart: a tree without an error on as many classes as it has leaves is found if and only if brute force finds one, if only its correct rows
// have to keep the margin; if all have to, none is better than the optimum.
func TestApart(t *testing.T) {
	rng := rand.New(rand.NewPCG(47, 3))
	found, none := 0, 0
	for trial := range 100 {
		o := Options{Form: hyperplane.Options{Depth: 1 + trial%2, Mu: 0.05, Margin: []hyperplane.Margin{hyperplane.Right, hyperplane.All}[trial/2%2]}}
		ds := clusters(rng, 9, 1<<o.Form.Depth+1+rng.IntN(2))
		s, err := begin(t.Context(), ds, o)
		if err != nil {
			t.Fatal(err)
		}
		light := s.lightClasses() / s.lhat
		s.proveErrors("", s.lightClasses())
		want := optimum(t, ds, o.Form)
		if err := s.classesApart(t.Context()); err != nil {
			t.Fatal(err)
		}
		is := s.objective <= light+1e-9
		if best := want <= light+1e-9; is && !best || o.Form.Margin == hyperplane.Right && is != best {
			t.Errorf("trial %d: objective %v, the optimum is %v, lighter classes %v", trial, s.objective, want, light)
		}
		if is {
			found++
		} else {
			none++
		}
	}
	if t.Logf("%d found, %d not", found, none); found < 50 || none < 8 {
		t.Errorf("%d found, %d not", found, none)
	}
}

// TestApartReal: eleven classes of 90 rows, at most four of which a tree of depth 2 has.
func TestApartReal(t *testing.T) {
	ds := datatest.Load(t, "connectionist-vowel")
	for _, margin := range hyperplane.Margins() {
		s, err := begin(t.Context(), ds, Options{Form: hyperplane.Options{Depth: 2, Margin: margin}})
		if err != nil {
			t.Fatal(err)
		}
		s.dataBound(t.Context())
		if err := s.classesApart(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := s.units(s.objective); got != 630 {
			t.Errorf("margin %s: %v errors, want 630", margin, got)
		}
	}
}

// TestApartManyClasses: of forty classes, each of one row, a tree has 32, which have too many halves to try them all.
func TestApartManyClasses(t *testing.T) {
	s, err := begin(t.Context(), clusters(rand.New(rand.NewPCG(47, 5)), 40, 40), Options{Form: hyperplane.Options{Depth: 5, Mu: 1e-4, Margin: hyperplane.Right}})
	if err != nil {
		t.Fatal(err)
	}
	s.dataBound(t.Context())
	q := s.newApart(t.Context())
	q.tryAll(t.Context())
	if n := len(q.known); n < mostAsked || n > 2*mostAsked {
		t.Errorf("%d questions, the limit is %d", n, mostAsked)
	}
}
