package mps

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/octgen/octgen/mio"
	"pgregory.net/rapid"
)

// TestMOF: random models come back from the file as they were.
func TestMOF(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawModel(t, Options{Dialect: Dialect(rapid.IntRange(0, int(numDialects)-1).Draw(t, "dialect"))})
		var file bytes.Buffer
		mp, err := WriteMOF(&file, m, LPOptions{Comments: []string{"a \"quoted\"\nline"}})
		if err != nil {
			if text := err.Error(); strings.Contains(text, "cannot be doubled") || strings.Contains(text, "is not UTF-8") {
				t.Skip("the format cannot hold it")
			}
			t.Fatal(err)
		}
		if d := diff(m, readMOF(t, file.Bytes(), m)); d != "" || mp.Cols != m.NumCols() {
			t.Fatalf("the model read differs from the one written (-want +got):\n%s\n%s", d, &file)
		}
	})
}

type mofScalar struct {
	Coefficient float64
	Variable    string
}

type mofFunction struct {
	Type, Name string
	Terms      []struct {
		mofScalar
		OutputIndex int       `json:"output_index"`
		ScalarTerm  mofScalar `json:"scalar_term"`
	}
	AffineTerms    []mofScalar `json:"affine_terms"`
	QuadraticTerms []struct {
		Coefficient float64
		Variable1   string `json:"variable_1"`
		Variable2   string `json:"variable_2"`
	} `json:"quadratic_terms"`
	Constant  float64
	Variables []string
}

type mofSet struct {
	Type                string
	Lower, Upper, Value *float64
	Set                 *mofSet
	ActivateOn          string `json:"activate_on"`
	Weights             []float64
}

func (s *mofSet) bounds(t *rapid.T) (lo, hi float64) {
	switch s.Type {
	case "EqualTo":
		return *s.Value, *s.Value
	case "GreaterThan":
		return *s.Lower, mio.Inf
	case "LessThan":
		return -mio.Inf, *s.Upper
	case "Interval":
		return *s.Lower, *s.Upper
	}
	t.Fatalf("set %q", s.Type)
	return 0, 0
}

// readMOF reads a file of the model of; only the names and places of rows without bounds, which the
// format does not have, are taken from that.
func readMOF(t *rapid.T, file []byte, of *mio.Model) *mio.Model {
	var f struct {
		Name      string
		Variables []struct{ Name string }
		Objective struct {
			Sense    string
			Function mofFunction
		}
		Constraints []struct {
			Name     string
			Function mofFunction
			Set      mofSet
		}
	}
	if err := json.Unmarshal(file, &f); err != nil {
		t.Fatalf("%v in\n%s", err, file)
	}
	b := mio.NewBuilder(f.Name)
	if f.Objective.Sense == "max" {
		b.SetSense(mio.Maximize)
	}
	b.AddOffset(f.Objective.Function.Constant)
	cols := make(map[string]mio.Col)
	type column struct {
		lo, hi float64
		kind   mio.VarType
	}
	all := make([]column, len(f.Variables))
	for j, v := range f.Variables {
		all[j] = column{-mio.Inf, mio.Inf, mio.Continuous}
		cols[v.Name] = mio.Col(j)
	}
	for _, c := range f.Constraints {
		if c.Function.Type != "Variable" {
			continue
		}
		x := &all[cols[c.Function.Name]]
		switch c.Set.Type {
		case "ZeroOne":
			x.lo, x.hi, x.kind = 0, 1, mio.Binary
		case "Integer":
			x.kind = mio.Integer
		default:
			x.lo, x.hi = c.Set.bounds(t)
		}
	}
	cost := make([]float64, len(all))
	affine := func(g *mofFunction) []mofScalar {
		list := g.AffineTerms
		for _, s := range g.Terms {
			if s.OutputIndex == 0 {
				list = append(list, s.mofScalar)
			} else if s.OutputIndex == 2 {
				list = append(list, s.ScalarTerm)
			}
		}
		return list
	}
	for _, s := range affine(&f.Objective.Function) {
		cost[cols[s.Variable]] = s.Coefficient
	}
	for j, v := range f.Variables {
		name := v.Name
		if of.ColName(j) == "x"+strconv.Itoa(j+1) { // it has none
			name = ""
		}
		b.AddCol(cost[j], all[j].lo, all[j].hi, all[j].kind, name)
	}
	halved := func(i, j string, v float64) float64 {
		if i == j {
			return v / 2
		}
		return v
	}
	for _, q := range f.Objective.Function.QuadraticTerms {
		b.AddQuadCost(cols[q.Variable1], cols[q.Variable2], halved(q.Variable1, q.Variable2, q.Coefficient))
	}
	at := 0
	free := func() {
		for at < of.NumRows() && isFree(of.RowLower()[at], of.RowUpper()[at]) {
			addRow(b, of, at, -mio.Inf, mio.Inf)
			rows, colOf := of.RowView(), columnsOf(of)
			_, _, values := of.Matrix()
			for _, q := range of.QuadRows() {
				if int(q.Row) == at {
					b.AddQuad(mio.Row(at), mio.Col(q.I), mio.Col(q.J), q.Value)
				}
			}
			for _, d := range of.Indicators() {
				if int(d.Row) == at {
					b.AddIndicator(mio.Row(at), mio.Col(d.Col), d.On)
				}
			}
			for _, p := range rows.Pos[rows.Start[at]:rows.Start[at+1]] {
				b.Add(mio.Row(at), mio.Col(colOf[p]), values[p])
			}
			at++
		}
	}
	for _, c := range f.Constraints {
		switch c.Function.Type {
		case "Variable":
			continue
		case "VectorOfVariables":
			var of []mio.Col
			for _, v := range c.Function.Variables {
				of = append(of, cols[v])
			}
			b.AddSOS(int(c.Set.Type[3]-'0'), c.Name, of, c.Set.Weights)
			continue
		}
		free()
		set := &c.Set
		if set.Type == "Indicator" {
			set = set.Set
		}
		lo, hi := set.bounds(t)
		addRow(b, of, at, lo, hi)
		for _, s := range affine(&c.Function) {
			b.Add(mio.Row(at), cols[s.Variable], s.Coefficient)
		}
		for _, q := range c.Function.QuadraticTerms {
			b.AddQuad(mio.Row(at), cols[q.Variable1], cols[q.Variable2], halved(q.Variable1, q.Variable2, q.Coefficient))
		}
		if c.Set.Type == "Indicator" {
			b.AddIndicator(mio.Row(at), cols[c.Function.Terms[0].ScalarTerm.Variable], c.Set.ActivateOn == "one")
		}
		at++
	}
	free()
	m, err := b.Model()
	if err != nil {
		t.Fatalf("%v in\n%s", err, file)
	}
	return m
}

// addRow adds a row with the name of row i of a model, and the place of its lazy ones.
func addRow(b *mio.Builder, of *mio.Model, i int, lo, hi float64) {
	if of.NumLazy() > 0 && i == of.NumRows()-of.NumLazy() {
		b.BeginLazy()
	}
	name := of.RowName(i)
	if name == "r"+strconv.Itoa(i+1) {
		name = ""
	}
	b.AddRow(lo, hi, name)
}

// TestMOFDoubled: a square whose doubled coefficient is no number is refused.
func TestMOFDoubled(t *testing.T) {
	b := mio.NewBuilder("large")
	x := b.AddCol(0, 0, 1, mio.Continuous, "x")
	b.AddQuadCost(x, x, math.MaxFloat64)
	m, err := b.Model()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := WriteMOF(new(bytes.Buffer), m, LPOptions{}); err == nil || !strings.Contains(err.Error(), "cannot be doubled") {
		t.Errorf("got %v", err)
	}
}
