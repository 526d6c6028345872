//go:build cgo && !nohighs

package gto

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/mio"
	_ "github.com/octgen/octgen/solvers/highs"
)

// brute enumerates every combination of one vertex per decision: of the margin arrangement, of the
// planes w_j = 0 and gamma = 0, and of the box if it is finite. The count error and, for p = 1, the
// minimum error have an optimum there. At most two features.
type brute struct {
	f        *Formulation
	box      float64
	vertices [][][]float64 // per decision, the activities (n) at each vertex
}

// crossings returns the points where as many hyperplanes as there are unknowns (2 or 3) meet:
// Cramer's rule. A hyperplane is given by its coefficients and right-hand side.
func crossings(planes [][]float64) [][]float64 {
	det2 := func(a, b, c, d float64) float64 { return a*d - b*c }
	var out [][]float64
	for a := range planes {
		for b := range a {
			p, q := planes[a], planes[b]
			if len(p) == 3 {
				if det := det2(p[0], p[1], q[0], q[1]); math.Abs(det) > 1e-12 {
					out = append(out, []float64{det2(p[2], p[1], q[2], q[1]) / det, det2(p[0], p[2], q[0], q[2]) / det})
				}
				continue
			}
			for c := range b {
				r := planes[c]
				det3 := func(i, j, k int) float64 {
					return p[i]*det2(q[j], q[k], r[j], r[k]) - p[j]*det2(q[i], q[k], r[i], r[k]) + p[k]*det2(q[i], q[j], r[i], r[j])
				}
				if det := det3(0, 1, 2); math.Abs(det) > 1e-12 {
					out = append(out, []float64{det3(3, 1, 2) / det, det3(0, 3, 2) / det, det3(0, 1, 3) / det})
				}
			}
		}
	}
	return out
}

func newBrute(f *Formulation, box float64) *brute {
	b := &brute{f: f, box: box}
	for d := range f.layout.decisions {
		var planes [][]float64
		for i := range f.g.n {
			for _, s := range f.class(i).slots {
				if s.slot/2 == d {
					side := float64(2*(s.slot%2) - 1)
					planes = append(planes, append(append([]float64{}, f.g.row(i)...), -1, side))
				}
			}
		}
		for j := 0; j <= f.g.p; j++ {
			for _, at := range []float64{-box, 0, box} { // 0 is for dependent columns, for which there is no other vertex
				wall := make([]float64, f.g.p+2)
				wall[j], wall[f.g.p+1] = 1, at
				if !math.IsInf(at, 0) {
					planes = append(planes, wall)
				}
			}
		}
		var points [][]float64
		for _, v := range crossings(planes) {
			inside, act := true, make([]float64, f.g.n)
			for _, x := range v {
				inside = inside && math.Abs(x) <= box*(1+1e-9)
			}
			for i := range act {
				act[i] = -v[f.g.p]
				for j, x := range f.g.row(i) {
					act[i] += x * v[j]
				}
			}
			if inside {
				points = append(points, act)
			}
		}
		b.vertices = append(b.vertices, points)
	}
	return b
}

// sides is what matters of a vertex for the count error: the rows with the margin on the left and
// on the right.
type sides struct{ left, right uint32 }

// count returns the minimum count error over all combinations.
func (b *brute) count() float64 {
	f := b.f
	choices := make([][]sides, len(b.vertices))
	for d, points := range b.vertices {
		seen := map[sides]bool{}
		for _, act := range points {
			var s sides
			for i, a := range act {
				if a <= -1+1e-9 {
					s.left |= 1 << i
				}
				if a >= 1-1e-9 {
					s.right |= 1 << i
				}
			}
			if !seen[s] {
				seen[s] = true
				choices[d] = append(choices[d], s)
			}
		}
	}
	var ofClass [8]uint32
	for i, y := range f.g.ds.Y {
		ofClass[y] |= 1 << i
	}
	best := math.Inf(1)
	at := make([]sides, len(choices))
	var try func(d int)
	try = func(d int) {
		if d < len(choices) {
			for _, s := range choices[d] {
				at[d] = s
				try(d + 1)
			}
			return
		}
		right := uint32(0)
		for _, leaf := range f.layout.leaves {
			rows := ofClass[leaf.class]
			for _, s := range leaf.path {
				if s%2 == 0 {
					rows &= at[s/2].left
				} else {
					rows &= at[s/2].right
				}
			}
			right |= rows
		}
		wrong := 0.0
		for i, w := range f.g.ds.Weight {
			if right&(1<<i) == 0 {
				wrong += w
			}
		}
		best = min(best, wrong)
	}
	try(0)
	return best
}

// minimum returns the minimum error of type minimum, p = 1, over all combinations.
func (b *brute) minimum() float64 {
	f := b.f
	best := math.Inf(1)
	at := make([][]float64, len(b.vertices))
	var try func(d int)
	try = func(d int) {
		if d < len(at) {
			for _, act := range b.vertices[d] {
				at[d] = act
				try(d + 1)
			}
			return
		}
		sum := 0.0
		for i, y := range f.g.ds.Y {
			least := math.Inf(1)
			for _, leaf := range f.layout.leaves {
				if leaf.class != y {
					continue
				}
				err := 0.0
				for _, s := range leaf.path {
					if s%2 == 0 {
						err += max(0, 1+at[s/2][i])
					} else {
						err += max(0, 1-at[s/2][i])
					}
				}
				least = min(least, err)
			}
			if sum += f.g.ds.Weight[i] * least; sum >= best {
				return
			}
		}
		best = min(best, sum)
	}
	try(0)
	return best
}

func (b *brute) optimum() float64 {
	if b.f.opts.Objective == CountError {
		return b.count()
	}
	return b.minimum()
}

// combinations returns an upper limit for the work of optimum.
func (b *brute) combinations() float64 {
	c := 1.0
	for _, v := range b.vertices {
		c *= float64(len(v))
	}
	return c
}

// small draws a problem of at most 10 rows and two features.
func small(rng *rand.Rand) (*dataset.Dataset, Options) {
	o := Options{Objective: []Objective{MinimumError, CountError}[rng.IntN(2)]}
	k, p := 2+rng.IntN(2), 1+rng.IntN(2)
	leaves := 2 + rng.IntN(3)
	n := 4 + rng.IntN(7)
	if o.Objective == MinimumError && p == 2 && max(leaves, k) > 2 {
		n, leaves = 4+rng.IntN(3), 3
	}
	o.Structure = randomStructure(rng, k, leaves)
	return formtest.Data(rng, n, p, k), o
}

// TestBruteForce compares the proven optimum of the mio encoding with all vertices, in a box that
// contains them all and in one that may not.
func TestBruteForce(t *testing.T) {
	solve := formtest.Solver(t)
	rng := rand.New(rand.NewPCG(21, 21))
	ctx := context.Background()
	solved, cut, dependent := map[Objective]int{}, 0, 0
	for trial := range 400 {
		d, o := small(rng)
		f, err := o.Build(ctx, d)
		if !formtest.Built(t, err) {
			continue
		}
		wide, ok := f.vertexBox(maxSystems)
		if !ok || wide > 500 {
			continue // in a much wider box, solvers' tolerances times M blur the margin
		}
		free := newBrute(f, math.Inf(1))
		if free.combinations() > 3e6 && o.Objective == MinimumError {
			continue
		}
		for d := range f.layout.decisions {
			if f.arrangement(d).dim <= f.g.p {
				dependent++
				break
			}
		}
		want := free.optimum()
		for _, box := range []float64{max(1, wide), []float64{1, 2, 5}[rng.IntN(3)]} {
			o.Box = box
			f, err := o.Build(ctx, d)
			if err != nil {
				t.Fatal(err)
			}
			boxed := want
			if box < wide {
				boxed = newBrute(f, box).optimum()
			}
			sol, err := solve(ctx, f.Model())
			if err != nil {
				t.Fatalf("trial %d, %+v: %v", trial, o, err)
			}
			text := o.Structure.Text(d.Classes)
			if sol.Status != mio.Optimal || math.Abs(sol.Objective-boxed) > 1e-4*(1+boxed) {
				t.Fatalf("trial %d, %s error of %s, box %v (all vertices in %v): %v with %v, brute force has %v", trial, o.Objective, text, box, wide, sol.Status, sol.Objective, boxed)
			}
			tr, err := f.Decode(sol.Values)
			if err != nil {
				t.Fatalf("trial %d, %+v: %v", trial, o, err)
			}
			if got := f.Objective(tr); math.Abs(got-boxed) > 1e-4*(1+boxed) {
				t.Fatalf("trial %d, %s error of %s, box %v: the decoded tree has %v, brute force %v", trial, o.Objective, text, box, got, boxed)
			}
			solved[o.Objective]++
			worse := boxed > want+1e-6
			if worse {
				cut++
			}
			if exact := f.BoxExact(sol.Objective); exact && worse || !exact && box >= wide {
				t.Fatalf("trial %d, box %v: BoxExact is %v; %v in the box, %v in all", trial, box, exact, boxed, want)
			}
			if worse && !f.BoxBinding(sol.Values) {
				t.Logf("trial %d: %v is in the box, %v outside, and the box does not bind", trial, boxed, want)
			}
		}
	}
	t.Logf("solved: %v; in %d the box cut the optimum off; %d with dependent columns", solved, cut, dependent)
	if solved[MinimumError] < 150 || solved[CountError] < 150 || cut < 50 || dependent < 10 {
		t.Errorf("solved %v with %d boxes too narrow and %d times dependent columns, expected 150 of each, 50 and 10", solved, cut, dependent)
	}
}

// withBigM returns m with indicator constraints linearised by a big-M that holds for all points
// within the bounds.
func withBigM(t *testing.T, m *mio.Model) *mio.Model {
	t.Helper()
	b := mio.NewBuilder("bigm")
	for j := range m.NumCols() {
		b.AddCol(m.Costs()[j], m.ColLower()[j], m.ColUpper()[j], m.ColTypes()[j], "x", j)
	}
	low := make([]float64, m.NumRows()) // minimum activity
	for i := range m.NumRows() {
		b.AddRow(m.RowLower()[i], m.RowUpper()[i], "r", i)
	}
	for j := range m.NumCols() {
		rows, coefs := m.Column(j)
		for k, i := range rows {
			b.Add(mio.Row(i), mio.Col(j), coefs[k])
			low[i] += min(coefs[k]*m.ColLower()[j], coefs[k]*m.ColUpper()[j])
		}
	}
	for _, in := range m.Indicators() {
		lower := m.RowLower()[in.Row]
		bigM := lower - low[in.Row]
		if in.On {
			b.SetRowBounds(mio.Row(in.Row), lower-bigM, mio.Inf)
			b.Add(mio.Row(in.Row), mio.Col(in.Col), -bigM)
		} else {
			b.Add(mio.Row(in.Row), mio.Col(in.Col), bigM)
		}
	}
	linear, err := b.Model()
	if err != nil {
		t.Fatal(err)
	}
	return linear
}

// TestIndicatorOptimum: the indicator encodings have the optimum of mio.
func TestIndicatorOptimum(t *testing.T) {
	solve := formtest.Solver(t)
	rng := rand.New(rand.NewPCG(22, 22))
	ctx := context.Background()
	solved := 0
	for range 60 {
		d, o := small(rng)
		o.Box = 20
		var objective [2]float64
		for k, e := range []formulate.Encoding{formulate.MIO, formulate.Indicator} {
			o.Encoding = e
			f, err := o.Build(ctx, d)
			if !formtest.Built(t, err) {
				continue
			}
			m := f.Model()
			if e == formulate.Indicator {
				m = withBigM(t, m)
			}
			sol, err := solve(ctx, m)
			if err != nil || sol.Status != mio.Optimal {
				t.Fatalf("%+v: %v, %v", o, sol, err)
			}
			objective[k] = sol.Objective
			solved++
		}
		if math.Abs(objective[0]-objective[1]) > 1e-4*(1+objective[0]) {
			t.Fatalf("%s error of %s: mio has %v, indicator %v", o.Objective, o.Structure.Text(d.Classes), objective[0], objective[1])
		}
	}
	if solved < 100 {
		t.Errorf("only %d solved", solved)
	}
}
