package problem

import "context"

// Treesearch is the exact search for univariate trees, as a method of its own and
// as the start of programs.
type Treesearch struct {
	Shape
	Cache
}

var (
	_ Algorithm = (*Treesearch)(nil)
	_ Exact     = (*Treesearch)(nil)
)

// Exact is an algorithm that is an exact search.
type Exact interface {
	Algorithm
	// Solves is the problem that it searches.
	Solves() Problem
	Search(ctx context.Context, d *Data, o SearchOptions) (*Found, error)
}

func init() { register(func() Method { return new(Treesearch) }) }

// Info describes the method.
func (*Treesearch) Info() Info {
	return Info{
		Costs: true, Name: "treesearch", Doc: "optimal classification tree by exact search over splits, without a solver", Proof: true,
		Engines: []Engine{Search}, Settings: []string{"start", "threads", "work-limit"},
	}
}

// Hint says why the options of hyperplanes are not there.
func (*Treesearch) Hint(flag string) string { return univariate[flag] }

// Validate refuses what no data make right.
func (*Treesearch) Validate() error { return nil }

// Solves is the problem that it searches.
func (m *Treesearch) Solves() Problem { return &OCT{Shape: m.Shape, Cache: m.Cache} }

// Search searches.
func (m *Treesearch) Search(ctx context.Context, d *Data, o SearchOptions) (*Found, error) {
	return searchTrees(ctx, d, m.Shape, m.Cache, nil, o)
}

// Work of the exact search for a start, in its units: about a second, or half a
// minute where it is asked for by name. What is not proved by then is a start all
// the same.
const (
	autoSearchWork  = 5e8
	namedSearchWork = 1e10
)

// constrainedWork is that of the search under constraints for an automatic start, which
// is some searches.
const constrainedWork = 4 * autoSearchWork

// Grow makes starts. What it proves best among univariate trees no other heuristic
// for them can beat. For a problem under constraints it searches trees that hold them;
// there may be none.
func (m *Treesearch) Grow(ctx context.Context, d *Data, t Task) (*Grown, error) {
	o := SearchOptions{Workers: t.Workers, Work: autoSearchWork}
	if t.Named {
		o.Work = namedSearchWork
	}
	search := func() (*Found, error) { return searchTrees(ctx, d, t.shape(m.Shape), m.Cache, nil, o) }
	if c, ok := t.For.(Constrainable); ok && !c.Constraints().Empty() {
		on, err := c.Constraints().On(d.Dataset)
		if err != nil {
			return nil, optionError(err)
		}
		if !t.Named {
			o.Work = constrainedWork
		}
		search = func() (*Found, error) { return searchConstrained(ctx, d, t.shape(m.Shape), m.Cache, on, o) }
	}
	f, err := search()
	if err != nil {
		return nil, err
	}
	return &Grown{Name: f.Name, Tree: f.Tree, Found: f}, nil
}
