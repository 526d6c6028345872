package parts

import (
	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/search/clauses"
)

// mostPlacedFeatures is the number of features beyond which linear programs of hyperplanes take too long.
const mostPlacedFeatures = 100

// spot is what is known at a split.
type spot struct {
	sep     *clauses.Separator
	beat    *pulse.Pulse
	columns []int32 // rows on their sides: the correct ones under it, at last nodes by their classes; in settling all that are decided
	at      []int32 // how many literals had been seen before each
	good    int     // so many columns are on their sides of the last hyperplane
	pair    [2]int  // classes of a last node, the smaller on the left; equal for one class
}

func (s *spot) add(column int32, at int) {
	s.columns, s.at = append(s.columns, column), append(s.at, int32(at))
}

// undo forgets the columns of all but the first literals.
func (s *spot) undo(kept int) {
	n := len(s.at)
	for n > 0 && int(s.at[n-1]) >= kept {
		n--
	}
	s.at, s.columns, s.good = s.at[:n], s.columns[:n], min(s.good, n)
}

// inseparable finds a hyperplane with all columns on their sides, or columns that no hyperplane has on theirs.
func (q *search) inseparable(s *spot) []int32 {
	if q.holds(s) {
		return nil
	}
	few, found := s.sep.Ask(s.columns)
	if s.good = 0; found {
		s.good = len(s.columns)
	}
	if few == nil {
		return nil
	}
	return s.sep.Fewest(few)
}

// holds reports whether the last hyperplane has all columns on their sides.
func (q *search) holds(s *spot) bool {
	s.beat.Spend(q.p() * (len(s.columns) - s.good))
	for _, c := range s.columns[s.good:] {
		u := dot(s.sep.Plane, q.row(int(c>>1))) - s.sep.Offset
		if c&1 == 0 {
			u = -u
		}
		if !(u >= q.mu*closer/2) {
			return false
		}
		s.good++
	}
	return true
}
