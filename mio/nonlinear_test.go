package mio

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestNonlinear adds everything out of order and reads it back sorted and
// summed.
func TestNonlinear(t *testing.T) {
	b := NewBuilder("m")
	x, y, z := b.AddCol(0, -9, 9, Continuous, "x"), b.AddCol(0, -9, 9, Continuous, "y"), b.AddBinary(0, "z")
	for range 4 {
		b.AddRow(0, 1, "")
	}
	b.AddQuadCost(y, y, 3)
	b.AddQuadCost(y, x, 1)
	b.AddQuadCost(x, y, 0.5) // summed with y*x
	b.AddQuadCost(z, x, 2)   // cancelled
	b.AddQuadCost(x, z, -2)  //
	b.AddQuadCost(z, z, 0)   // dropped
	b.AddQuad(3, z, x, 7)
	b.AddQuad(1, y, x, 2)
	b.AddQuad(3, x, z, -6)
	b.AddQuad(1, x, x, -1)
	b.AddQuad(0, x, x, 0) // dropped: row 0 stays linear
	b.AddIndicator(2, z, false)
	b.AddIndicator(0, z, true)
	cols, weights := []Col{z, x, y}, []float64{2, -1, 0.5}
	b.AddSOS(2, "pair", cols, weights)
	b.AddSOS(1, "", []Col{y}, []float64{1})
	m := frozen(t, b)
	cols[0], weights[0] = x, 100 // copied before

	type view struct {
		Cost       []QuadTerm
		Rows       []QuadRowTerm
		Indicators []Indicator
		SOS        []SOS
	}
	got := view{m.QuadCost(), m.QuadRows(), m.Indicators(), m.SOS()}
	want := view{
		[]QuadTerm{{0, 1, 1.5}, {1, 1, 3}},
		[]QuadRowTerm{{1, QuadTerm{0, 0, -1}}, {1, QuadTerm{0, 1, 2}}, {3, QuadTerm{0, 2, 1}}},
		[]Indicator{{0, 2, true}, {2, 2, false}},
		[]SOS{{2, "pair", []int32{0, 1, 2}, []float64{-1, 0.5, 2}}, {1, "s2", []int32{1}, []float64{1}}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("model (-want +got):\n%s", d)
	}
	if m.IsLinear() {
		t.Error("the model counts as linear")
	}
	if linear := m.WithCost(Minimize, 0, []float64{1, 1, 1}); len(linear.QuadCost()) != 0 || len(linear.QuadRows()) != 3 {
		t.Error("WithCost keeps quadratic costs or loses quadratic rows")
	}
}

func TestIsLinear(t *testing.T) {
	for name, c := range map[string]struct {
		add  func(b *Builder)
		want bool
	}{
		"nothing":            {func(*Builder) {}, true},
		"quadratic cost":     {func(b *Builder) { b.AddQuadCost(0, 0, 1) }, false},
		"cancelled cost":     {func(b *Builder) { b.AddQuadCost(0, 0, 1); b.AddQuadCost(0, 0, -1) }, true},
		"quadratic row":      {func(b *Builder) { b.AddQuad(0, 0, 0, 1) }, false},
		"cancelled row term": {func(b *Builder) { b.AddQuad(0, 0, 0, 0) }, true},
		"indicator":          {func(b *Builder) { b.AddIndicator(0, 0, true) }, false},
		"SOS":                {func(b *Builder) { b.AddSOS(1, "s", []Col{0}, []float64{1}) }, false},
	} {
		b := NewBuilder("m")
		b.AddBinary(0, "x")
		b.AddRow(0, 1, "r")
		c.add(b)
		if got := frozen(t, b).IsLinear(); got != c.want {
			t.Errorf("%s: IsLinear is %v", name, got)
		}
	}
}

func TestNonlinearErrors(t *testing.T) {
	nan := math.NaN()
	base := func() *Builder {
		b := NewBuilder("m")
		b.AddCol(1, 0, 1, Continuous, "x")
		b.AddBinary(1, "y")
		b.AddCol(1, 0, 1, Integer, "n")
		b.AddRow(0, 1, "row")
		b.AddRow(0, 1, "")
		b.AddSOS(1, "set", []Col{0, 1}, []float64{1, 2})
		return b
	}
	frozen(t, base()) // without a fault there is no error
	for _, c := range []struct {
		name  string
		fault func(b *Builder)
		parts []string
	}{
		{"cost column too large", func(b *Builder) { b.AddQuadCost(0, 3, 1) }, []string{"the objective", "columns 0 and 3 of 3"}},
		{"cost column negative", func(b *Builder) { b.AddQuadCost(0, -1, 1) }, []string{"the objective", "columns -1 and 0 of 3"}},
		{"cost NaN", func(b *Builder) { b.AddQuadCost(1, 0, nan) }, []string{"the objective", "x * y is NaN"}},
		{"cost infinite", func(b *Builder) { b.AddQuadCost(1, 1, -Inf) }, []string{"y * y is -Inf"}},
		{"costs overflow", func(b *Builder) { b.AddQuadCost(0, 1, 1.5e308); b.AddQuadCost(1, 0, 1.5e308) }, []string{"x * y is +Inf"}},
		{"row too large", func(b *Builder) { b.AddQuad(2, 0, 0, 1) }, []string{"quadratic term for row 2 of 2"}},
		{"row negative", func(b *Builder) { b.AddQuad(-1, 0, 0, 1) }, []string{"quadratic term for row -1 of 2"}},
		{"row's column too large", func(b *Builder) { b.AddQuad(0, 7, 1, 1) }, []string{"row row", "columns 1 and 7 of 3"}},
		{"row's column negative", func(b *Builder) { b.AddQuad(1, -2, 1, 1) }, []string{"row r2", "columns -2 and 1 of 3"}},
		{"row's coefficient NaN", func(b *Builder) { b.AddQuad(1, 0, 1, nan) }, []string{"row r2", "x * y is NaN"}},
		{"row's coefficients overflow", func(b *Builder) { b.AddQuad(0, 0, 0, -1.5e308); b.AddQuad(0, 0, 0, -1.5e308) }, []string{"row row", "x * x is -Inf"}},
		{"indicator's row too large", func(b *Builder) { b.AddIndicator(2, 1, true) }, []string{"indicator for row 2 of 2"}},
		{"indicator's row negative", func(b *Builder) { b.AddIndicator(-1, 1, true) }, []string{"indicator for row -1 of 2"}},
		{"indicator's column too large", func(b *Builder) { b.AddIndicator(0, 3, true) }, []string{"row row", "column 3 of 3"}},
		{"indicator's column negative", func(b *Builder) { b.AddIndicator(0, -1, true) }, []string{"row row", "column -1 of 3"}},
		{"indicator continuous", func(b *Builder) { b.AddIndicator(0, 0, true) }, []string{"row row", "x is continuous", "binary"}},
		{"indicator integer", func(b *Builder) { b.AddIndicator(1, 2, true) }, []string{"row r2", "n is integer", "binary"}},
		{"two indicators", func(b *Builder) { b.AddIndicator(0, 1, true); b.AddIndicator(0, 1, false) }, []string{"row row", "two indicators"}},
		{"indicator of a quadratic row", func(b *Builder) { b.AddQuad(0, 0, 0, 1); b.AddIndicator(0, 1, true) }, []string{"row row", "both"}},
		{"SOS type", func(b *Builder) { b.AddSOS(3, "s", []Col{0}, []float64{1}) }, []string{"SOS s", "type 3", "1 or 2"}},
		{"SOS empty", func(b *Builder) { b.AddSOS(1, "s", nil, nil) }, []string{"SOS s", "no columns"}},
		{"SOS lengths", func(b *Builder) { b.AddSOS(1, "s", []Col{0}, []float64{1, 2}) }, []string{"SOS s", "1 columns and 2 weights"}},
		{"SOS column too large", func(b *Builder) { b.AddSOS(1, "s", []Col{3}, []float64{1}) }, []string{"SOS s", "column 3 of 3"}},
		{"SOS column negative", func(b *Builder) { b.AddSOS(1, "s", []Col{-1}, []float64{1}) }, []string{"SOS s", "column -1 of 3"}},
		{"SOS column twice", func(b *Builder) { b.AddSOS(2, "s", []Col{0, 1, 0}, []float64{1, 2, 3}) }, []string{"SOS s", "x twice"}},
		{"SOS weight NaN", func(b *Builder) { b.AddSOS(1, "s", []Col{0}, []float64{nan}) }, []string{"SOS s", "weight of x is NaN"}},
		{"SOS weight infinite", func(b *Builder) { b.AddSOS(1, "s", []Col{0, 1}, []float64{1, Inf}) }, []string{"SOS s", "weight of y is +Inf"}},
		{"SOS weights equal", func(b *Builder) { b.AddSOS(1, "s", []Col{1, 2, 0}, []float64{2, 1, 2}) }, []string{"SOS s", "y and x have the same weight"}},
		{"SOS name twice", func(b *Builder) { b.AddSOS(1, "set", []Col{0}, []float64{1}) }, []string{`SOS name "set"`, "twice", "1 and 2"}},
		{"SOS default name taken", func(b *Builder) {
			b.AddSOS(1, "s3", []Col{0}, []float64{1})
			b.AddSOS(1, "", []Col{0}, []float64{1})
		}, []string{`SOS name "s3"`, "2 and 3"}},
		{"SOS name with a blank", func(b *Builder) { b.AddSOS(1, "a b", []Col{0}, []float64{1}) }, []string{`SOS name "a b"`, "white space"}},
		{"SOS name with DEL", func(b *Builder) { b.AddSOS(1, "a\x7f", []Col{0}, []float64{1}) }, []string{"SOS name", "control"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := base()
			c.fault(b)
			m, err := b.Model()
			if m != nil {
				t.Error("a model came with the error")
			}
			wantError(t, err, c.parts...)
		})
	}
}

func TestOmitSOSNames(t *testing.T) {
	b := NewBuilder("m")
	b.OmitNames()
	b.AddBinary(0, "x")
	b.AddSOS(1, "long name", []Col{0}, []float64{1})
	if got := frozen(t, b).SOS()[0].Name; got != "s1" {
		t.Errorf("the name is %q", got)
	}
}

// nonlinearModel has a quadratic row, an indicator row for each polarity, and a
// set of each type.
func nonlinearModel(t *testing.T) *Model {
	b := NewBuilder("m")
	x, y := b.AddCol(1, -10, 10, Continuous, "x"), b.AddCol(0, -10, 10, Continuous, "y")
	p, q := b.AddBinary(0, "p"), b.AddBinary(0, "q")
	disc := b.AddRow(-Inf, 4, "disc") // x + x^2 + 2xy <= 4
	b.Add(disc, x, 1)
	b.AddQuad(disc, x, x, 1)
	b.AddQuad(disc, x, y, 2)
	on := b.AddRow(2, Inf, "on") // p = 1 -> x >= 2
	b.Add(on, x, 1)
	b.AddIndicator(on, p, true)
	off := b.AddRow(-1, 1, "off") // q = 0 -> -1 <= y <= 1
	b.Add(off, y, 1)
	b.AddIndicator(off, q, false)
	var a [4]Col
	for k := range a {
		a[k] = b.AddCol(0, -5, 5, Continuous, "a", k)
	}
	b.AddSOS(1, "one", []Col{a[0], a[1]}, []float64{1, 2})
	b.AddSOS(2, "two", []Col{a[3], a[2], a[1], a[0]}, []float64{-1, -2, -3, -4}) // order 0, 1, 2, 3
	b.AddQuadCost(x, y, -3)
	return frozen(t, b)
}

func TestCheckNonlinear(t *testing.T) {
	m := nonlinearModel(t)
	for _, c := range []struct {
		name string
		x    []float64 // x y p q a0 a1 a2 a3
		kind ViolationKind
		who  string
		want float64
	}{
		{"zero", []float64{0, 0, 0, 0, 0, 0, 0, 0}, 0, "", 0},
		{"quadratic row", []float64{2, 0, 0, 0, 0, 0, 0, 0}, QuadraticViolation, "disc", 2},
		{"quadratic row, mixed term", []float64{2, -1, 0, 0, 0, 0, 0, 0}, 0, "", 0},
		{"in force at 1", []float64{0.5, 0, 1, 0, 0, 0, 0, 0}, IndicatorViolation, "on", 1.5},
		{"in force at almost 1", []float64{0.5, 0, 1 - 1e-9, 0, 0, 0, 0, 0}, IndicatorViolation, "on", 1.5},
		{"not in force at 0", []float64{0.5, 0, 0, 0, 0, 0, 0, 0}, 0, "", 0},
		{"in force at 0", []float64{0, 3, 0, 0, 0, 0, 0, 0}, IndicatorViolation, "off", 2},
		{"in force at almost 0", []float64{0, -3, 0, 1e-9, 0, 0, 0, 0}, IndicatorViolation, "off", 2},
		{"not in force at 1", []float64{0, 3, 0, 1, 0, 0, 0, 0}, 0, "", 0},
		{"SOS1 first", []float64{0, 0, 0, 0, 4, 0, 0, 0}, 0, "", 0},
		{"SOS1 both", []float64{0, 0, 0, 0, 4, -3, 0, 0}, SOSViolation, "one", 3},
		{"SOS2 neighbours", []float64{0, 0, 0, 0, 0, 2, 3, 0}, 0, "", 0},
		{"SOS2 last neighbours", []float64{0, 0, 0, 0, 0, 0, 3, -1}, 0, "", 0},
		{"SOS2 apart", []float64{0, 0, 0, 0, 0, 2, 0, 3}, SOSViolation, "two", 2},
		{"SOS2 ends", []float64{0, 0, 0, 0, -2, 0, 0, 1}, SOSViolation, "two", 1},
		{"SOS2 three", []float64{0, 0, 0, 0, 0, 2, 5, 3}, SOSViolation, "two", 2},
	} {
		r := Check(m, c.x, 1e-6)
		if r.Feasible != (c.want == 0) {
			t.Errorf("%s: feasible is %v", c.name, r.Feasible)
		}
		for k, w := range r.Worst {
			switch {
			case c.want != 0 && w.Kind == c.kind:
				if w.Name != c.who || math.Abs(w.Amount-c.want) > 1e-9 {
					t.Errorf("%s: %+v, want %v of %s", c.name, w, c.want, c.who)
				}
			case w.Amount > 1e-6 || w.Kind != ViolationKind(k):
				t.Errorf("%s: also %+v", c.name, w)
			}
		}
		if want := c.x[0] - 3*c.x[0]*c.x[1]; r.Objective != want || m.Objective(c.x) != want {
			t.Errorf("%s: objective %v, want %v", c.name, r.Objective, want)
		}
	}
	nan := []float64{0, 0, 0, 0, 0, math.NaN(), 0, 0}
	if r := Check(m, nan, 1e-6); r.Worst[BoundViolation].Amount != Inf {
		t.Errorf("NaN: %+v", r)
	}
	nan[4] = 1 // then a1 would have to be 0
	if r := Check(m, nan, 1e-6); r.Worst[SOSViolation].Amount != 1 {
		t.Errorf("NaN in a set: %+v, want 1: the NaN takes the place that may be nonzero", r.Worst[SOSViolation])
	}
}

// TestQuadraticCancellation: x y - z z = -1, of which plain sums leave nothing.
func TestQuadraticCancellation(t *testing.T) {
	b := NewBuilder("m")
	for range 3 {
		b.AddCol(0, 0, Inf, Continuous, "")
	}
	r := b.AddRow(0, 0, "r")
	b.AddQuadCost(0, 1, 1)
	b.AddQuadCost(2, 2, -1)
	b.AddQuad(r, 0, 1, 1)
	b.AddQuad(r, 2, 2, -1)
	m := frozen(t, b)
	got := Check(m, []float64{1e8 + 1, 1e8 - 1, 1e8}, 1e-6)
	if got.Objective != -1 || got.Worst[QuadraticViolation].Amount != 1 {
		t.Errorf("objective %v and violation %v, want -1 and 1", got.Objective, got.Worst[QuadraticViolation])
	}
}

// TestQuadraticSums compares with exact arithmetic.
func TestQuadraticSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n = 4
		value := rapid.Float64Range(-1e6, 1e6)
		b := NewBuilder("m")
		r := b.AddRow(0, 0, "r")
		x := make([]float64, n)
		want := new(big.Float).SetPrec(2000)
		for j := range n {
			b.AddCol(0, -Inf, Inf, Continuous, "")
			x[j] = value.Draw(t, "x")
		}
		for range rapid.IntRange(1, 12).Draw(t, "terms") {
			i, j, v := rapid.IntRange(0, n-1).Draw(t, "i"), rapid.IntRange(0, n-1).Draw(t, "j"), value.Draw(t, "v")
			if slices.ContainsFunc(b.m.quadCost, func(q QuadTerm) bool { return q.I == int32(min(i, j)) && q.J == int32(max(i, j)) }) {
				continue // the sum of two coefficients is rounded
			}
			b.AddQuadCost(Col(i), Col(j), v)
			b.AddQuad(r, Col(i), Col(j), v)
			p := new(big.Float).SetPrec(2000).SetFloat64(v)
			p.Mul(p, new(big.Float).SetFloat64(x[i]))
			want.Add(want, p.Mul(p, new(big.Float).SetFloat64(x[j])))
		}
		m, err := b.Model()
		if err != nil {
			t.Fatal(err)
		}
		exact, _ := want.Float64()
		if got := m.Objective(x); ulps(got, exact) > 1 && math.Abs(got-exact) > 1e-12 {
			t.Fatalf("objective %v, want %v", got, exact)
		}
		if got := Check(m, x, 0).Worst[QuadraticViolation].Amount; ulps(got, math.Abs(exact)) > 1 && math.Abs(got-math.Abs(exact)) > 1e-12 {
			t.Fatalf("violation %v, want %v", got, math.Abs(exact))
		}
	})
}

// TestSOSViolationProperty compares with trying every run of neighbours.
func TestSOSViolationProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, kind := rapid.IntRange(1, 8).Draw(t, "n"), rapid.IntRange(1, 2).Draw(t, "type")
		s, x := SOS{Type: kind}, make([]float64, n)
		for k := range n {
			s.Cols = append(s.Cols, int32(k))
			x[k] = float64(rapid.IntRange(-3, 3).Draw(t, "x"))
		}
		best := Inf
		for first := range n {
			worst := 0.0
			for k := range n {
				if k < first || k >= first+kind {
					worst = max(worst, math.Abs(x[k]))
				}
			}
			best = min(best, worst)
		}
		if got := sosViolation(s, x); got != best {
			t.Fatalf("violation %v, want %v", got, best)
		}
	})
}
