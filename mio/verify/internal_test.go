package verify

import (
	"math"
	"strings"
	"testing"

	"github.com/octgen/octgen/mio"
)

// judged is max 3 x + 2 y + 100: x + y <= 4, x integer in [0, 3], y in [0, 5].
func judged(t *testing.T) *mio.Model {
	t.Helper()
	b := mio.NewBuilder("judged")
	b.SetSense(mio.Maximize)
	b.AddOffset(100)
	x := b.AddCol(3, 0, 3, mio.Integer, "x")
	y := b.AddCol(2, 0, 5, mio.Continuous, "y")
	r := b.AddRow(math.Inf(-1), 4, "cap")
	b.Add(r, x, 1)
	b.Add(r, y, 1)
	m, err := b.Model()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestJudge(t *testing.T) {
	m, nan := judged(t), math.NaN()
	for _, c := range []struct {
		x, y, stated, rounding float64
		want                   string // "" for one that holds
	}{
		{3, 1, 111, 0, ""},
		{3, 1, nan, 0, ""},
		{3, 1, 111 + 1e-4, 0, ""}, // within 1e-6 of 112
		{3, 1 + 9e-7, 111, 0, ""},
		{3, 1, 111.001, 0, "the objective stated is 111.001, that of the point 111"},
		{3, 1.001, 111.002, 0, "row cap is violated by 0.001"},
		{3, 1.001, 111.002, 0.01, ""},
		{2.5, 1, 109.5, 0, "integrality x is violated by 0.5"},
		{-1, 6, 109, 0, "3 violations, the worst of row cap by 1"},
	} {
		j := CheckSolution(m, &mio.Solution{Values: []float64{c.x, c.y}, Objective: c.stated}, 1e-6, c.rounding)
		err := j.Err()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c, err, c.want)
		}
		if math.Abs(j.Report.Objective-m.Objective([]float64{c.x, c.y})) > 1e-12 {
			t.Errorf("%v: objective %v", c, j.Report.Objective)
		}
	}
}
