package exact

import (
	"math/rand/v2"

	"github.com/octgen/octgen/tree"
)

// parts bounds the errors by disjoint parts of the rows. Claim: f0(S) >= f0(S1) + f0(S2) + ... for
// disjoint subsets S1, S2, ... of S. Proof: a tree misclassifies the sum of what it misclassifies in each
// subset, and there the optimum is no larger. A part of the rows costs a small part of the time; so some
// optima of parts are known when the search of all rows has no bound yet: if there are very many features.
type parts struct {
	rows  []int // in random order
	size  int   // rows of a part
	next  int   // first row that is in no part
	bound float64
	work  int64
}

const (
	leastParts  = 1 << 32 // work of a search without a bound, from which on parts are searched
	firstShare  = 8       // their work, relative to that of the search, until they have a bound
	laterShare  = 2       // and then
	partsDepth  = 4       // maximum depth: many leaves fit the rows of a part
	rowsPerLeaf = 12      // of the first part
)

// searchParts searches parts of the rows while bound, that of the search itself, is no better.
func (s *search) searchParts(bound float64) {
	known := 0.0
	if s.parts != nil {
		known = s.parts.bound
	}
	suits := !s.o.deepen && s.p.cost == nil && !s.p.refined && s.depth >= 3 && s.depth <= partsDepth
	if !suits || bound > known || s.searched() < leastParts {
		return
	}
	if s.parts == nil {
		rows := rand.New(rand.NewPCG(1, 0x7061727473)).Perm(s.p.n) // "parts"
		s.parts = &parts{rows: rows, size: rowsPerLeaf << s.depth}
	}
	x := s.parts
	for !s.stop() && x.next+x.size <= s.p.n {
		left := laterShare*s.searched() - x.work
		if x.bound == 0 {
			left = firstShare*s.searched() - x.work
		}
		if left <= 0 {
			return
		}
		if most := s.workLeft(); left > most {
			left = most
		}
		s.searchPart(x, left)
	}
}

// searchPart searches the next part, or makes the parts larger if there is a tree without errors.
func (s *search) searchPart(x *parts, work int64) {
	ds := s.p.rows.Subset(x.rows[x.next : x.next+x.size])
	r, err := Solve(s.within, ds, Options{Depth: s.depth, WorkLimit: work, Workers: s.o.Workers, NoAnneal: true, deepen: true})
	if err != nil { // no option is out of range
		x.next += x.size
		return
	}
	x.work += r.Stats.Work
	s.stats.Work += r.Stats.Work
	if r.Weight == 0 {
		x.size *= 2
		return
	}
	x.next += x.size
	x.bound += r.Bound * tree.ErrorScale(ds)
	s.floor = max(s.floor, s.p.whole(x.bound))
}
