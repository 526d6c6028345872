package clauses

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/octgen/octgen/internal/pulse"
)

// random is a problem: clauses, some of which only the theory knows, and weights.
type random struct {
	n      int
	given  [][]Lit
	hidden [][]Lit
	weight []float64
}

func draw(rng *rand.Rand) *random {
	r := &random{n: 3 + rng.IntN(8)}
	for range r.n {
		r.weight = append(r.weight, float64(rng.IntN(4)))
	}
	for range rng.IntN(5 * r.n) {
		var c []Lit
		for range 1 + rng.IntN(4) {
			if v := rng.IntN(r.n); !slices.ContainsFunc(c, func(l Lit) bool { return l.Var() == v }) {
				c = append(c, Lit(2*v+rng.IntN(2)))
			}
		}
		if len(c) > 1 && rng.IntN(2) == 0 {
			r.hidden = append(r.hidden, c)
		} else {
			r.given = append(r.given, c)
		}
	}
	return r
}

// least is the least weight of an assignment, by trying all; -1 for none.
func (r *random) least() float64 {
	best := -1.0
	for set := range 1 << r.n {
		is := func(l Lit) bool { return set>>l.Var()&1 == int(l&1^1) }
		ok := true
		for _, c := range slices.Concat(r.given, r.hidden) {
			ok = ok && slices.ContainsFunc(c, is)
		}
		if !ok {
			continue
		}
		sum := 0.0
		for v, w := range r.weight {
			if set>>v&1 == 1 {
				sum += w
			}
		}
		if best < 0 || sum < best {
			best = sum
		}
	}
	return best
}

// solver is a solver whose theory tells hidden clauses once they are false, with others that may be so.
func (r *random) solver(t *testing.T, rng *rand.Rand) *Solver {
	var trail []Lit
	s := New(r.weight, Theory{
		Check: func(fresh []Lit) (found [][]Lit) {
			trail = append(trail, fresh...)
			for _, c := range r.hidden {
				if !slices.ContainsFunc(c, func(l Lit) bool { return !slices.Contains(trail, l.Not()) }) {
					found = append(found, c)
				}
			}
			if found != nil {
				found = append(found, r.hidden[rng.IntN(len(r.hidden))])
				slices.Reverse(found)
			}
			return found
		},
		Undo: func(kept int) {
			if kept > len(trail) {
				t.Fatalf("%d literals of %d kept", kept, len(trail))
			}
			trail = trail[:kept]
		},
		Prefer: func(int) bool { return rng.IntN(2) == 0 },
	})
	for _, c := range r.given {
		s.Add(c...)
	}
	return s
}

// TestSolver: budgets in any order are possible from the least weight of all assignments on, and only these.
func TestSolver(t *testing.T) {
	rng := rand.New(rand.NewPCG(47, 1))
	possible := 0
	for trial := range 20000 {
		r := draw(rng)
		want := r.least()
		s := r.solver(t, rng)
		for range 4 {
			budget := float64(rng.IntN(12))
			status := s.Solve(pulse.New(context.Background()), budget)
			if is := want >= 0 && want <= budget; is != (status == Satisfiable) || status == Stopped {
				t.Fatalf("trial %d: status %v with budget %v, the least weight is %v", trial, status, budget, want)
			}
			if status != Satisfiable {
				continue
			}
			possible++
			sum := 0.0
			for v, w := range r.weight {
				if s.Value(v) {
					sum += w
				}
			}
			for _, c := range slices.Concat(r.given, r.hidden) {
				if !slices.ContainsFunc(c, func(l Lit) bool { return s.Value(l.Var()) == (l&1 == 0) }) {
					t.Fatalf("trial %d: clause %v is false", trial, c)
				}
			}
			if sum > budget {
				t.Fatalf("trial %d: weight %v above %v", trial, sum, budget)
			}
		}
	}
	if possible < 10000 {
		t.Errorf("only %d of 80000 questions had an answer", possible)
	}
}

// TestPigeons: nine do not fit into eight holes, which takes clauses that are learned, forgotten, and restarts.
func TestPigeons(t *testing.T) {
	const holes = 8
	s := New(make([]float64, (holes+1)*holes), Theory{
		Check: func([]Lit) [][]Lit { return nil }, Undo: func(int) {}, Prefer: func(int) bool { return true },
	})
	for i := range holes + 1 {
		var c []Lit
		for h := range holes {
			c = append(c, True(i*holes+h))
			for k := range i {
				s.Add(False(i*holes+h), False(k*holes+h))
			}
		}
		s.Add(c...)
	}
	if got := s.Solve(pulse.New(context.Background()), 0); got != Impossible {
		t.Errorf("status %v", got)
	}
	s.Most = s.conflicts + 10
	s.Add(True(0), True(1))
	if got := s.Solve(pulse.New(context.Background()), 1); got != Impossible { // without the budget, which had no part in it
		t.Errorf("status %v with another budget", got)
	}
	if s.restarts == 0 || s.most == mostLearned {
		t.Errorf("%d restarts, at most %d clauses: too easy for this test", s.restarts, s.most)
	}
}

// TestStopped: a limit of time stops a search, which goes on later.
func TestStopped(t *testing.T) {
	rng := rand.New(rand.NewPCG(47, 2))
	r := draw(rng)
	s := r.solver(t, rng)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if got := s.Solve(pulse.New(ctx), 100); got != Stopped {
		t.Errorf("status %v after the end", got)
	}
	if got, want := s.Solve(pulse.New(context.Background()), 100) == Satisfiable, r.least() >= 0; got != want {
		t.Errorf("satisfiable: %v, want %v", got, want)
	}
}

// TestMost: conflicts are limited.
func TestMost(t *testing.T) {
	stopped := 0
	rng := rand.New(rand.NewPCG(47, 4))
	for range 2000 {
		r := draw(rng)
		s := r.solver(t, rng)
		s.Most = 1
		budget := float64(rng.IntN(12))
		want := r.least()
		switch s.Solve(pulse.New(context.Background()), budget) {
		case Stopped:
			stopped++
		case Satisfiable:
			if want < 0 || want > budget {
				t.Fatalf("satisfiable with %v, the least is %v", budget, want)
			}
		case Impossible:
			if want >= 0 && want <= budget {
				t.Fatalf("impossible with %v, the least is %v", budget, want)
			}
		}
	}
	if stopped < 50 {
		t.Errorf("%d stopped", stopped)
	}
}

func TestLuby(t *testing.T) {
	for k, want := range []int{1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, 1} {
		if got := luby(k + 1); got != want {
			t.Errorf("luby(%d) = %d, want %d", k+1, got, want)
		}
	}
}
