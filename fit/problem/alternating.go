package problem

import (
	"context"

	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/heuristics/alternating"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

const alternatingName = "alternating"

// Alternating is tree alternating optimization for the objective of oct-h: node after
// node by linear programs, all splits with the margin.
type Alternating struct {
	Shape
	Margin
	Restarted
}

var _ Algorithm = (*Alternating)(nil)

func init() { register(func() Method { return new(Alternating) }) }

// Info describes the method.
func (*Alternating) Info() Info {
	return Info{
		Name: alternatingName, Counts: "feature", Doc: "tree alternating optimization for the objective of oct-h: node after node by linear programs",
		Settings: []string{"work-limit"},
	}
}

// Validate refuses what no data make right.
func (*Alternating) Validate() error { return nil }

// Work of a start, in its units: at most about two seconds of a core and less where
// nothing better is found for long, some more where it is asked for by name.
const (
	autoAlternatingWork     = 2e8
	autoAlternatingPatience = 400
	namedAlternatingWork    = alternating.DefaultWork
	besidePatience          = 5000
)

// options are those of the method, or of a start for oct-h.
func (m *Alternating) options(t Task) alternating.Options {
	s := t.shape(m.Shape)
	o := alternating.Options{
		Depth: s.Greatest(), Alpha: s.Alpha, MinLeaf: s.MinLeaf, MaxSplits: s.MaxSplits, Mu: m.mu(),
		Restarts: m.Restarts, Seed: t.Seed, Work: t.Work,
	}
	if h, ok := t.For.(*OCTH); ok {
		o.Mu, o.Right = h.mu(), h.margin() == hyperplane.Right
	}
	if t.For != nil && o.Restarts == 0 && o.Work == 0 {
		if o = forStart(o); t.Named {
			o.Work, o.Patience = namedAlternatingWork, 0
		}
	}
	if t.Beside { // it gives its processor back where it finds nothing for long
		o.Patience = besidePatience
		o.Streams = 1
	}
	for _, g := range t.Others {
		o.Starts = append(o.Starts, g.Tree)
	}
	return o
}

// forStart are the limits of a start of a program or of another search.
func forStart(o alternating.Options) alternating.Options {
	o.Work, o.Patience = autoAlternatingWork, autoAlternatingPatience
	return o
}

// start grows a tree for another search to begin with.
func (m *Alternating) start(ctx context.Context, d *Data, t Task) (*Grown, error) {
	return m.grow(ctx, d, t, forStart(m.options(t)))
}

// Grow searches.
func (m *Alternating) Grow(ctx context.Context, d *Data, t Task) (*Grown, error) {
	return m.grow(ctx, d, t, m.options(t))
}

func (m *Alternating) grow(ctx context.Context, d *Data, t Task, o alternating.Options) (*Grown, error) {
	if t.For == nil && t.Notify != nil {
		o.Progress = func(objective float64) { t.notify("objective %.6g", objective) }
	}
	res, err := Alternate(ctx, d, o)
	if err != nil {
		return nil, err
	}
	s := &res.Stats
	if t.For == nil && s.Limit == mio.LimitTime {
		t.warn("ended by the time limit: another run may find another tree; --restarts ends it the same each time")
	}
	return &Grown{
		Name: alternatingName, Tree: res.Tree, Objective: (&OCTH{Shape: Shape{Price: Price{Alpha: o.Alpha}}}).Value(d),
		Limit: s.Limit,
		Outcome: &Outcome{LocalMoves: &LocalMoves{
			Splits: HyperplaneSplits, Seed: int(o.Seed), Restarts: s.Restarts, Moves: s.Improved, Work: s.Work, Best: s.Best.Seconds(), Seconds: s.Total.Seconds(),
		}},
	}, nil
}

// Alternate is the search on d as it is laid out, which ends with a tree that makes the
// errors only that no tree avoids.
func Alternate(ctx context.Context, d *Data, o alternating.Options) (*alternating.Result, error) {
	l, err := d.Training(ctx)
	if err != nil {
		return nil, err
	}
	o.Training = l
	if w, _ := l.Rows.UnavoidableErrors(); w > 0 {
		o.Enough = w / tree.ErrorScale(l.Rows)
	}
	return alternating.Search(ctx, d.Dataset, o)
}
