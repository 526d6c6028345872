package exact

import (
	"context"
	"time"

	"github.com/octgen/octgen/dataset"
)

// Cut is a cut at the root with the values of the best trees on both sides, in units of the objective's
// numerator: cost, and Alpha times the baseline for each split.
type Cut struct {
	Feature     int // of the data
	Rank        int32
	Left, Right float64
}

// Cuts returns the cuts at the root of trees of three or more levels whose value is below a limit, both in
// the units of Cut; it bounds every other cut by that limit. The penalty of the root's split counts. ds has costs,
// and no two rows of equal features; o.Presort is its presort, by which ranks count. ended reports that ctx
// ended or WorkLimit was reached, which leaves the list incomplete.
func Cuts(ctx context.Context, ds *dataset.Dataset, o Options, below float64) (cuts []Cut, work int64, ended bool, err error) {
	if err := o.validate(ds); err != nil {
		return nil, 0, false, err
	}
	inUnits, unit := ds.InUnits(dataset.MostUnits)
	o.MinLeaf, o.NoAnneal = unit.LeastLeaf(o.MinLeaf), true
	if o.Presort != nil && inUnits != ds {
		o.Presort = o.Presort.WithWeights(inUnits.Weight)
	}
	l := layOut(ctx, inUnits, unit, &o)
	if l.pre == nil {
		return nil, 0, true, nil
	}
	p := newProblem(l, &o)
	s := newSearch(ctx, p, &o, time.Now())
	splits, depth := o.budget()
	c := child{header: &s.root.header, node: s.root, depth: depth, budget: splits, top: true}
	size := l.unit.Size
	ub := p.above(below/size) + p.slack
	w := s.workers[0]
	s.depth = depth
	fr := newFrontier(p, &s.stats, &c, ub, w.leastSplit(&c), 0, nil)
	for !s.stop() {
		round := s.nextRound(fr)
		if len(round) == 0 {
			break
		}
		s.evaluate(&c, round, ub)
		for i := range round {
			e := &round[i]
			if p.lambda+e.left.lb+e.right.lb < p.thr(ub) {
				low, _ := s.root.ranksBeside(int(e.span.feature), e.pos)
				cuts = append(cuts, Cut{p.kept[e.span.feature], int32(low), e.left.lb * size, e.right.lb * size})
			}
			fr.divide(e)
		}
	}
	return cuts, s.stats.Work, s.stopped, nil
}
