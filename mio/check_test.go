package mio

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// mixed has a row and a column of every kind:
//
//	-1 <= c + i <= 4 (range);  i - b >= 0 (atleast);  2 c = 3 (equal);  c + b (free)
//	0 <= c <= 2,  -3 <= i <= 3 integer,  b binary
func mixed(tb testing.TB) *Model {
	m := NewBuilder("mixed")
	c := m.AddCol(1, 0, 2, Continuous, "c")
	i := m.AddCol(-1, -3, 3, Integer, "i")
	b := m.AddBinary(0.5, "b")
	r := m.AddRow(-1, 4, "range")
	m.Add(r, c, 1)
	m.Add(r, i, 1)
	r = m.AddRow(0, Inf, "atleast")
	m.Add(r, i, 1)
	m.Add(r, b, -1)
	m.Add(m.AddRow(3, 3, "equal"), c, 2)
	r = m.AddRow(-Inf, Inf, "free")
	m.Add(r, c, 1)
	m.Add(r, b, 1)
	return frozen(tb, m)
}

// noViolations is Report.Worst of a point that violates nothing.
func noViolations() (w [numViolationKinds]Violation) {
	for k := range w {
		w[k].Kind = ViolationKind(k)
	}
	return w
}

func TestCheckKinds(t *testing.T) {
	m, nan := mixed(t), math.NaN()
	for _, c := range []struct {
		name                    string
		x                       []float64
		objective               float64
		row, bound, integrality Violation
	}{
		{name: "feasible", x: []float64{1.5, 2, 1}, objective: 0},
		{name: "at its bounds", x: []float64{1.5, 0, 0}, objective: 1.5},
		{name: "row above", x: []float64{1.5, 3, 0}, objective: -1.5, row: Violation{0, "range", 0.5}},
		{name: "row below", x: []float64{1.5, 0, 1}, objective: 2, row: Violation{0, "atleast", 1}},
		{name: "equation", x: []float64{1, 2, 1}, objective: -0.5, row: Violation{0, "equal", 1}},
		{name: "worst of rows", x: []float64{0, -3, 1}, objective: 3.5, row: Violation{0, "atleast", 4}},
		{name: "column below", x: []float64{-0.25, 1, 0}, objective: -1.25, row: Violation{0, "equal", 3.5}, bound: Violation{1, "c", 0.25}},
		{name: "column above", x: []float64{1.5, 5, 1}, objective: -3, row: Violation{0, "range", 2.5}, bound: Violation{1, "i", 2}},
		{name: "first of equals", x: []float64{1.5, 4, 2}, objective: -1.5, row: Violation{0, "range", 1.5}, bound: Violation{1, "i", 1}},
		{name: "integer", x: []float64{1.5, 0.75, 0}, objective: 0.75, integrality: Violation{2, "i", 0.25}},
		{name: "binary", x: []float64{1.5, 1, 0.5}, objective: 0.75, integrality: Violation{2, "b", 0.5}},
		{name: "NaN", x: []float64{nan, 1, 0}, objective: nan, row: Violation{0, "range", Inf}, bound: Violation{1, "c", Inf}},
		{name: "NaN binary", x: []float64{1.5, 1, nan}, objective: nan, row: Violation{0, "atleast", Inf}, bound: Violation{1, "b", Inf}},
		{name: "infinite", x: []float64{1.5, Inf, 0}, objective: nan, row: Violation{0, "range", Inf}, bound: Violation{1, "i", Inf}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Check(m, c.x, 1e-9)
			c.row.Kind, c.bound.Kind, c.integrality.Kind = RowViolation, BoundViolation, IntegralityViolation
			want := Report{Objective: c.objective, Worst: noViolations()}
			copy(want.Worst[:], []Violation{c.row, c.bound, c.integrality})
			want.Feasible = c.row.Amount == 0 && c.bound.Amount == 0 && c.integrality.Amount == 0
			if math.IsNaN(c.objective) { // infinite or not a number, as it comes
				if finite(got.Objective) {
					t.Errorf("objective %v of a point that is not finite", got.Objective)
				}
				got.Objective, want.Objective = 0, 0
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("report (-want +got):\n%s", d)
			}
			if (got.Err() == nil) != want.Feasible {
				t.Errorf("Err is %v", got.Err())
			}
		})
	}
}

func TestReportMaxAndErr(t *testing.T) {
	m := mixed(t)
	r := Check(m, []float64{-0.25, 3.5, 0}, 1e-9)
	if got, want := r.Max(), (Violation{RowViolation, "equal", 3.5}); got != want {
		t.Errorf("Max is %+v, want %+v", got, want)
	}
	wantError(t, r.Err(), "row equal", "3.5")
	r = Check(m, []float64{1.5, 3.25, 1}, 1e-9)
	if got, want := r.Max(), (Violation{RowViolation, "range", 0.75}); got != want {
		t.Errorf("Max is %+v, want %+v", got, want)
	}
	r = Check(m, []float64{1.5, 2.25, 0}, 1e-9)
	if got, want := r.Max(), (Violation{IntegralityViolation, "i", 0.25}); got != want {
		t.Errorf("Max is %+v, want %+v", got, want)
	}
	wantError(t, r.Err(), "integrality i", "0.25")
}

// TestCheckTolerance: a violation of exactly the tolerance is none, of more is
// one, and every kind counts.
func TestCheckTolerance(t *testing.T) {
	m := mixed(t)
	for _, x := range [][]float64{{1.5625, 2, 1}, {1.5, 2.125, 1}, {1.5, 2, 1.125}, {1.5, 2, 0.875}} {
		r := Check(m, x, 0.125)
		if !r.Feasible || r.Max().Amount != 0.125 {
			t.Errorf("%v: violation %v is not within 0.125", x, r.Max().Amount)
		}
		if Check(m, x, 0.1249).Feasible {
			t.Errorf("%v: a violation of 0.125 is within 0.1249", x)
		}
		if Check(m, x, math.NaN()).Feasible {
			t.Errorf("%v: feasible within NaN", x)
		}
	}
}

func TestCheckWrongLength(t *testing.T) {
	for _, x := range [][]float64{nil, {1.5, 2}, {1.5, 2, 1, 0}} {
		r := Check(mixed(t), x, Inf)
		if r.Feasible || !math.IsNaN(r.Objective) {
			t.Errorf("%d values: %+v", len(x), r)
		}
		wantError(t, r.Err(), "values for 3 columns")
	}
}

// TestCheckCancellation: violations that naive sums, and sums of rounded
// products, do not see.
func TestCheckCancellation(t *testing.T) {
	for _, c := range []struct {
		name      string
		coef, x   []float64
		violation float64 // of the row = 0
	}{
		{"small between large", []float64{1, 1, 1}, []float64{1e17, 1, -1e17}, 1},
		{"many small ones", append([]float64{1}, slices.Repeat([]float64{1}, 1000)...), append([]float64{1e17}, slices.Repeat([]float64{1}, 1000)...), 1e17 + 1000},
		{"rounded product", []float64{1e8 + 1, -1e8, -2}, []float64{1e8 + 1, 1e8, 1e8}, 1},
		{"none", []float64{0.1, 0.2, -0.3}, []float64{10, 10, 10}, exactDot(0, []float64{0.1, 0.2, -0.3}, []float64{10, 10, 10})},
	} {
		b := NewBuilder("m")
		r := b.AddRow(0, 0, "r")
		for _, v := range c.coef {
			b.Add(r, b.AddCol(v, -Inf, Inf, Continuous, ""), v)
		}
		m := frozen(t, b)
		rep := Check(m, c.x, 0)
		if got := rep.Worst[RowViolation].Amount; got != math.Abs(c.violation) {
			t.Errorf("%s: violation %v, want %v", c.name, got, c.violation)
		}
		if rep.Objective != c.violation { // the costs are the row's coefficients
			t.Errorf("%s: objective %v, want %v", c.name, rep.Objective, c.violation)
		}
	}
}

// TestObjectiveProperty compares the objective with exact arithmetic on badly
// scaled data: the result is correct but for the last place and what twice the
// working precision leaves of the largest terms.
func TestObjectiveProperty(t *testing.T) {
	value := rapid.Custom(func(t *rapid.T) float64 {
		return math.Ldexp(rapid.Float64Range(-1, 1).Draw(t, "mantissa"), rapid.IntRange(-40, 40).Draw(t, "exponent"))
	})
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 30).Draw(t, "n")
		cost, x := make([]float64, n), make([]float64, n)
		for j := range n {
			cost[j], x[j] = value.Draw(t, "cost"), value.Draw(t, "x")
			if j > 0 && rapid.IntRange(0, 2).Draw(t, "cancel") == 0 {
				cost[j], x[j] = -cost[j-1], x[j-1]
			}
		}
		offset := value.Draw(t, "offset")
		b := NewBuilder("m")
		b.AddOffset(offset)
		for j := range n {
			b.AddCol(cost[j], -Inf, Inf, Continuous, "")
		}
		m, err := b.Model()
		if err != nil {
			t.Fatal(err)
		}
		got, want := m.Objective(x), exactDot(offset, cost, x)
		size := math.Abs(offset)
		for j := range n {
			size += math.Abs(cost[j] * x[j])
		}
		const eps = 1.0 / (1 << 53)
		if ulps(got, want) > 1 && math.Abs(got-want) > float64(4*n*n+4)*eps*eps*size {
			t.Fatalf("objective %v, exactly %v", got, want)
		}
	})
}

// TestCheckProperty compares every figure of the report with a dense reference
// on multiples of 1/4, where sums are exact.
func TestCheckProperty(t *testing.T) {
	quarter := rapid.Custom(func(t *rapid.T) float64 { return float64(rapid.IntRange(-12, 12).Draw(t, "quarters")) / 4 })
	bounds := func(t *rapid.T) (lo, hi float64) {
		lo, hi = quarter.Draw(t, "lower"), quarter.Draw(t, "upper")
		lo, hi = min(lo, hi), max(lo, hi)
		if rapid.IntRange(0, 3).Draw(t, "no lower") == 0 {
			lo = -Inf
		}
		if rapid.IntRange(0, 3).Draw(t, "no upper") == 0 {
			hi = Inf
		}
		return lo, hi
	}
	rapid.Check(t, func(t *rapid.T) {
		rows, cols := rapid.IntRange(0, 6).Draw(t, "rows"), rapid.IntRange(0, 6).Draw(t, "cols")
		tol := rapid.SampledFrom([]float64{0, 0.25, 1}).Draw(t, "tolerance")
		b := NewBuilder("m")
		x, cost := make([]float64, cols), make([]float64, cols)
		want := Report{Worst: noViolations()}
		note := func(k ViolationKind, name string, amount float64) {
			if amount > want.Worst[k].Amount {
				want.Worst[k].Name, want.Worst[k].Amount = name, amount
			}
		}
		for j := range cols {
			lo, hi := bounds(t)
			typ := rapid.SampledFrom([]VarType{Continuous, Integer}).Draw(t, "type")
			cost[j], x[j] = quarter.Draw(t, "cost"), quarter.Draw(t, "x")
			name := string(rune('a' + j))
			b.AddCol(cost[j], lo, hi, typ, name)
			note(BoundViolation, name, max(lo-x[j], x[j]-hi, 0))
			if typ == Integer {
				f := x[j] - math.Floor(x[j])
				note(IntegralityViolation, name, min(f, 1-f))
			}
		}
		a := rapidTriplets(t, rows, cols)
		for _, e := range a {
			b.Add(Row(e.r), Col(e.c), e.v)
		}
		matrix := dense(rows, cols, a)
		for i := range rows {
			lo, hi := bounds(t)
			name := string(rune('A' + i))
			b.AddRow(lo, hi, name)
			v := exactDot(0, matrix[i*cols:(i+1)*cols], x)
			note(RowViolation, name, max(lo-v, v-hi, 0))
		}
		m, err := b.Model()
		if err != nil {
			t.Fatal(err)
		}
		want.Objective = exactDot(0, cost, x)
		want.Feasible = want.Max().Amount <= tol
		if d := cmp.Diff(want, Check(m, x, tol)); d != "" {
			t.Fatalf("report (-want +got):\n%s", d)
		}
	})
}

func TestViolations(t *testing.T) {
	m := mixed(t)
	for _, c := range []struct {
		x    []float64
		tol  float64
		want []Violation
	}{
		{[]float64{1.5, 2, 1}, 0, nil},
		{[]float64{1, 4.25, 1}, 0, []Violation{{RowViolation, "range", 1.25}, {BoundViolation, "i", 1.25}, {RowViolation, "equal", 1}, {IntegralityViolation, "i", 0.25}}},
		{[]float64{1, 4.25, 1}, 1, []Violation{{RowViolation, "range", 1.25}, {BoundViolation, "i", 1.25}}},
		{[]float64{1.5, 0.5, 0.5}, 0, []Violation{{IntegralityViolation, "i", 0.5}, {IntegralityViolation, "b", 0.5}}},
		{[]float64{math.NaN(), 1, 0}, 1, []Violation{{RowViolation, "range", Inf}, {RowViolation, "equal", Inf}, {RowViolation, "free", Inf}, {BoundViolation, "c", Inf}}},
	} {
		got := Violations(m, c.x, c.tol)
		if d := cmp.Diff(c.want, got, cmpopts.EquateEmpty()); d != "" {
			t.Errorf("%v, tolerance %v (-want +got):\n%s", c.x, c.tol, d)
		}
	}
}

// The worst of each kind is Check's, and there is one beyond the tolerance
// exactly where Check says so.
func TestViolationsAsCheck(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawNonlinearModel(t)
		x := make([]float64, m.NumCols())
		for j := range x {
			x[j] = rapid.SampledFrom([]float64{-3, -1, 0, 0.25, 0.5, 1, 2, 7}).Draw(t, "x")
		}
		tol := rapid.SampledFrom([]float64{0, 0.25, 1}).Draw(t, "tolerance")
		r, list := Check(m, x, tol), Violations(m, x, tol)
		if r.Feasible != (len(list) == 0) {
			t.Fatalf("Check says feasible %v, but there are %d violations", r.Feasible, len(list))
		}
		worst := map[ViolationKind]Violation{}
		for _, v := range list {
			if _, ok := worst[v.Kind]; !ok {
				worst[v.Kind] = v
			}
		}
		for kind, v := range worst {
			if d := cmp.Diff(r.Worst[kind], v); d != "" {
				t.Fatalf("%v (-check +list):\n%s", kind, d)
			}
		}
	})
}

// drawNonlinearModel draws a model with rows and columns of all kinds.
func drawNonlinearModel(t *rapid.T) *Model {
	b := NewBuilder("drawn")
	number := rapid.SampledFrom([]float64{-2, -1, -0.5, 0, 0.5, 1, 2})
	var cols []Col
	for range rapid.IntRange(2, 6).Draw(t, "columns") {
		l := number.Draw(t, "lower")
		if kind := rapid.SampledFrom([]VarType{Continuous, Integer, Binary}).Draw(t, "type"); kind == Binary {
			cols = append(cols, b.AddBinary(1, "b"+string(rune('0'+len(cols)))))
		} else {
			cols = append(cols, b.AddCol(1, l, l+2, kind, "c", len(cols)))
		}
	}
	b.AddBinary(0, "on")
	for i := range rapid.IntRange(1, 6).Draw(t, "rows") {
		l := number.Draw(t, "row")
		r := b.AddRow(l, l+rapid.SampledFrom([]float64{0, 1, Inf}).Draw(t, "width"), "r", i)
		for _, c := range cols {
			b.Add(r, c, number.Draw(t, "coefficient"))
		}
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			b.AddIndicator(r, Col(len(cols)), true)
		case 1:
			b.AddQuad(r, cols[0], cols[1], 1)
		}
	}
	if rapid.Bool().Draw(t, "set") {
		b.AddSOS(1, "", cols, []float64{1, 2, 3, 4, 5, 6}[:len(cols)])
		b.AddSOS(2, "", cols, []float64{1, 2, 3, 4, 5, 6}[:len(cols)])
	}
	m, err := b.Model()
	if err != nil {
		t.Fatal(err)
	}
	return m
}
