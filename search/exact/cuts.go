package exact

import (
	"context"
	"math"
	"time"

	"github.com/octgen/octgen/dataset"
)

// Cut is a cut at the root with the values of the best trees on both sides, in units of the objective's
// numerator: cost, and Alpha times the baseline for each split. If their sum is not below the limit, they
// are lower bounds.
type Cut struct {
	Feature     int // of the data
	Rank        int32
	Left, Right float64
}

// Cuts returns the cuts at the root of trees of two or more levels whose value, without N_min, is below a
// limit, both in the units of Cut; it bounds every other cut by that limit. The penalty of the root's split
// counts. A cut may appear once for each way to share a limited number of splits. ds has costs, and no two
// rows of equal features; o.Presort is its presort, by which ranks count. ended reports that ctx ended,
// WorkLimit was reached, or the data do not suit, which leaves the list incomplete.
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
	if _, depth := o.budget(); depth < 2 || depth == 2 && (p.pure || p.gain != nil && p.wide == nil) {
		return nil, 0, true, nil
	}
	s := newSearch(ctx, p, &o, time.Now())
	splits, depth := o.budget()
	x := &cutList{s: s, p: p, size: l.unit.Size, ub: p.above(below/l.unit.Size) + p.slack}
	if depth == 2 {
		x.two(splits)
	} else {
		x.more(depth, splits)
	}
	return x.cuts, s.stats.Work, s.stopped, nil
}

// cutList collects cuts of the root with a value below ub.
type cutList struct {
	s    *search
	p    *problem
	size float64 // of a unit
	ub   float64
	cuts []Cut
}

// add adds a cut after a rank.
func (x *cutList) add(f int, rank int32, left, right float64) {
	x.cuts = append(x.cuts, Cut{x.p.kept[f], rank, left * x.size, right * x.size})
}

// more lists the cuts for three or more levels.
func (x *cutList) more(depth, splits int) {
	s, p := x.s, x.p
	c := child{header: &s.root.header, node: s.root, depth: depth, budget: splits, top: true}
	s.depth = depth
	fr := newFrontier(p, &s.stats, &c, x.ub, s.workers[0].leastSplit(&c), 0, nil)
	for !s.stop() {
		round := s.nextRound(fr)
		if len(round) == 0 {
			return
		}
		s.evaluate(&c, round, x.ub)
		for i := range round {
			e := &round[i]
			if p.lambda+e.left.lb+e.right.lb < fr.thr() {
				low, _ := s.root.ranksBeside(int(e.span.feature), e.pos)
				x.add(int(e.span.feature), int32(low), e.left.lb, e.right.lb)
			}
			fr.divide(e)
		}
	}
}

// two lists the cuts for two levels.
func (x *cutList) two(splits int) {
	p, w := x.p, x.s.workers[0]
	nd := newPairNode(p)
	c := child{header: &nd.header, pair: nd, depth: 2, budget: splits, top: true}
	w.split.whole(&c, x.s.root)
	w.limit = x.s.workLeft()
	w.pairs.list = func(f int, pos int32, left, right float64) {
		rank := p.mode[f]
		if pos-1 != nd.mode[f] {
			rank = p.ranks(f)[nd.row(f, pos-1)]
		}
		x.add(f, rank, left, right)
	}
	w.solvePair(&c, x.ub, &answer{lb: math.Inf(1), value: math.Inf(1)})
	w.pairs.list = nil
	x.s.stopped = w.stopped
	x.s.collect(w)
}
