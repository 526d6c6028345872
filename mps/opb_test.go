package mps

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/octgen/octgen/mio"
)

// TestOPBPoints: of random models, every 0/1 point satisfies the file exactly if it satisfies the
// model, and the file's objective times the stated factor is the model's without its constant.
func TestOPBPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(36, 6))
	feasible := 0
	for trial := range 300 {
		b := mio.NewBuilder("points")
		if trial%2 == 1 {
			b.SetSense(mio.Maximize)
		}
		b.AddOffset(float64(rng.IntN(3)))
		n := 1 + rng.IntN(6)
		unit := []float64{1, 0.25, 1.0 / 76, 0.3}[rng.IntN(4)]
		for j := range n {
			lo, hi := 0.0, 1.0
			switch rng.IntN(8) {
			case 0:
				lo = 1
			case 1:
				hi = 0
			}
			b.AddCol(unit*float64(rng.IntN(7)-3), lo, hi, mio.Integer, "x", j)
		}
		for i := range rng.IntN(4) {
			lo, hi := float64(rng.IntN(5)-3), mio.Inf
			switch rng.IntN(4) {
			case 0:
				hi = lo
			case 1:
				hi = lo + 0.5 + float64(rng.IntN(3))
			case 2:
				lo, hi = -mio.Inf, lo+0.5
			}
			r := b.AddRow(lo, hi, "r", i)
			for j := range n {
				if v := rng.IntN(5) - 2; v != 0 {
					b.Add(r, mio.Col(j), float64(v))
				}
			}
		}
		m, err := b.Model()
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if _, err := WriteOPB(&file, m, LPOptions{Comments: []string{"a\nb"}}); err != nil {
			t.Fatal(err)
		}
		p := parseOPB(t, file.String())
		if p.variables != n || len(p.rows) != p.constraints {
			t.Fatalf("%d variables and %d constraints in\n%s", p.variables, len(p.rows), &file)
		}
		for bits := range 1 << n {
			x := make([]float64, n)
			for j := range x {
				x[j] = float64(bits >> j & 1)
			}
			ok, objective := p.at(x)
			if want := mio.Check(m, x, 1e-9).Feasible; ok != want {
				t.Fatalf("%v: feasible %v, want %v, in\n%s", x, ok, want, &file)
			}
			if got, want := objective*p.factor+m.Offset(), m.Objective(x); got-want > 1e-9 || want-got > 1e-9 {
				t.Fatalf("%v: objective %v, want %v, in\n%s", x, got, want, &file)
			}
			if ok {
				feasible++
			}
		}
	}
	if feasible < 500 {
		t.Errorf("only %d feasible points", feasible)
	}
}

// opbFile is a file as another reader would see it.
type opbFile struct {
	variables, constraints int
	factor                 float64
	cost                   []float64
	rows                   []opbRow
}

type opbRow struct {
	terms []float64 // by variable
	sense string
	rhs   float64
}

func parseOPB(t *testing.T, text string) (p opbFile) {
	t.Helper()
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		switch {
		case i == 0:
			if _, err := fmt.Sscanf(line, "* #variable= %d #constraint= %d", &p.variables, &p.constraints); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			p.cost = make([]float64, p.variables)
		case strings.HasPrefix(line, "* the model's objective is that below times "):
			f, _, _ := strings.Cut(strings.TrimPrefix(line, "* the model's objective is that below times "), ",")
			v, err := strconv.ParseFloat(f, 64)
			if err != nil {
				t.Fatal(err)
			}
			p.factor = v
		case strings.HasPrefix(line, "*"):
		case strings.HasPrefix(line, "min:"):
			terms(t, strings.Fields(strings.TrimSuffix(line[4:], ";")), p.cost)
		default:
			f := strings.Fields(line)
			k := len(f) - 3
			rhs, err := strconv.ParseFloat(f[k+1], 64)
			if err != nil || f[k+2] != ";" {
				t.Fatalf("%q: %v", line, err)
			}
			r := opbRow{make([]float64, p.variables), f[k], rhs}
			terms(t, f[:k], r.terms)
			p.rows = append(p.rows, r)
		}
	}
	return p
}

// terms takes in pairs of a signed whole number and a variable.
func terms(t *testing.T, fields []string, to []float64) {
	t.Helper()
	for k := 0; k < len(fields); k += 2 {
		v, err := strconv.Atoi(fields[k])
		j, bad := strconv.Atoi(strings.TrimPrefix(fields[k+1], "x"))
		if err != nil || bad != nil || !strings.ContainsAny(fields[k][:1], "+-") {
			t.Fatalf("%q", fields)
		}
		to[j-1] += float64(v)
	}
}

func (p *opbFile) at(x []float64) (ok bool, objective float64) {
	dot := func(a []float64) (s float64) {
		for j, v := range a {
			s += v * x[j]
		}
		return s
	}
	for _, r := range p.rows {
		if v := dot(r.terms); r.sense == "=" && v != r.rhs || r.sense == ">=" && v < r.rhs {
			return false, dot(p.cost)
		}
	}
	return true, dot(p.cost)
}

// TestOPBRefusals: what the format does not hold is an error that says so.
func TestOPBRefusals(t *testing.T) {
	for want, put := range map[string]func(b *mio.Builder){
		"0/1 variables only, and column y is continuous within [0, 1]": func(b *mio.Builder) { b.AddCol(0, 0, 1, mio.Continuous, "y") },
		"0/1 variables only, and column y is integer within [0, 3]":    func(b *mio.Builder) { b.AddCol(0, 0, 3, mio.Integer, "y") },
		"row r has the coefficient 0.5 of x":                           func(b *mio.Builder) { b.Add(b.AddRow(1, 2, "r"), 0, 0.5) },
		"have no common unit":                                          func(b *mio.Builder) { b.AddBinary(3.14159265, "y"); b.AddBinary(1, "z") },
		"no quadratic terms, indicators or SOS sets":                   func(b *mio.Builder) { b.AddQuadCost(0, 0, 1) },
	} {
		b := mio.NewBuilder("refused")
		b.AddBinary(1, "x")
		put(b)
		m, err := b.Model()
		if err != nil {
			t.Fatal(err)
		}
		var format *FormatError
		if _, err := WriteOPB(new(bytes.Buffer), m, LPOptions{}); !errors.As(err, &format) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
