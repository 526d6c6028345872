package mps

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/octgen/octgen/mio"
	"pgregory.net/rapid"
)

// TestWCNFPoints: of random models, every 0/1 point satisfies the hard clauses, with some values of
// the auxiliary variables, exactly if it satisfies the model; and the weights of the soft clauses
// that it breaks are, in units, what its objective is above the sum of all negative costs.
func TestWCNFPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := mio.NewBuilder("points")
		if rapid.Bool().Draw(t, "maximize") {
			b.SetSense(mio.Maximize)
		}
		n := rapid.IntRange(1, 7).Draw(t, "columns")
		unit := rapid.SampledFrom([]float64{1, 0.25, 1.0 / 76}).Draw(t, "unit")
		for j := range n {
			lo, hi := 0.0, 1.0
			switch rapid.IntRange(0, 7).Draw(t, "bounds") {
			case 0:
				lo = 1
			case 1:
				hi = 0
			}
			b.AddCol(unit*float64(rapid.IntRange(-3, 3).Draw(t, "cost")), lo, hi, mio.Integer, "x", j)
		}
		for i := range rapid.IntRange(0, 3).Draw(t, "rows") {
			lo := float64(rapid.IntRange(-6, 6).Draw(t, "lower"))
			hi := lo + float64(rapid.IntRange(0, 4).Draw(t, "width"))
			if rapid.Bool().Draw(t, "one side") {
				hi = mio.Inf
			}
			r := b.AddRow(lo, hi, "r", i)
			for j := range n {
				if v := rapid.IntRange(-4, 4).Draw(t, "coefficient"); v != 0 {
					b.Add(r, mio.Col(j), float64(v))
				}
			}
		}
		m, err := b.Model()
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if _, err := WriteWCNF(&file, m, LPOptions{Comments: []string{"a\nb"}}); err != nil {
			t.Fatal(err)
		}
		f := parseWCNF(t, file.String())
		broken, known := 0.0, false // weight in units less the objective
		factor, err := wholeFactor(m.Costs())
		if err != nil {
			t.Fatal(err)
		}
		if m.Sense() == mio.Maximize {
			factor = -factor
		}
		for bits := range 1 << n {
			x := make([]float64, n)
			for j := range x {
				x[j] = float64(bits >> j & 1)
			}
			ok, weight := f.at(x)
			if want := mio.Check(m, x, 1e-9).Feasible; ok != want {
				t.Fatalf("%v: feasible %v, want %v, in\n%s", x, ok, want, &file)
			}
			d := float64(weight) - factor*m.Objective(x)
			if known && (d-broken > 1e-6 || broken-d > 1e-6) {
				t.Fatalf("%v: broken weight %d, objective %v in units, in\n%s", x, weight, factor*m.Objective(x), &file)
			}
			broken, known = d, true
		}
	})
}

// wcnfFile is a file as another reader would see it.
type wcnfFile struct {
	variables int
	hard      [][]int
	soft      [][]int
	weights   []int64
}

func parseWCNF(t *rapid.T, text string) (f wcnfFile) {
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		first, rest, _ := strings.Cut(line, " ")
		if first == "c" {
			continue
		}
		var clause []int
		for _, word := range strings.Fields(rest) {
			var l int
			if _, err := fmt.Sscan(word, &l); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			clause = append(clause, l)
			f.variables = max(f.variables, l, -l)
		}
		if len(clause) == 0 || clause[len(clause)-1] != 0 {
			t.Fatalf("%q does not end in 0", line)
		}
		clause = clause[:len(clause)-1]
		if first == "h" {
			f.hard = append(f.hard, clause)
			continue
		}
		var w int64
		if _, err := fmt.Sscan(first, &w); err != nil || w < 1 {
			t.Fatalf("%q: weight %q, %v", line, first, err)
		}
		f.soft, f.weights = append(f.soft, clause), append(f.weights, w)
	}
	return f
}

// at reports whether x can be completed to a point of all hard clauses, and the weight of the soft
// ones that it breaks. Nothing asks for the negation of an auxiliary variable but the clauses that begin
// with it: each is true unless one of those says otherwise.
func (f *wcnfFile) at(x []float64) (bool, int64) {
	value := make([]bool, max(f.variables, len(x))+1)
	for j, v := range x {
		value[j+1] = v > 0.5
	}
	holds := func(clause []int) bool {
		for _, l := range clause {
			if value[max(l, -l)] == (l > 0) {
				return true
			}
		}
		return false
	}
	for k := len(x) + 1; k <= f.variables; k++ {
		value[k] = true
	}
	for changed := true; changed; {
		changed = false
		for _, c := range f.hard {
			if len(c) > 0 && -c[0] > len(x) && !holds(c) {
				value[-c[0]], changed = false, true
			}
		}
	}
	for _, c := range f.hard {
		if !holds(c) {
			return false, f.broken(holds)
		}
	}
	return true, f.broken(holds)
}

func (f *wcnfFile) broken(holds func([]int) bool) (weight int64) {
	for i, c := range f.soft {
		if !holds(c) {
			weight += f.weights[i]
		}
	}
	return weight
}
