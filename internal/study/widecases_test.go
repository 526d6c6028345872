//go:build cgo && !nohighs

package study

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/octgen/octgen/fit"
)

// read returns the case of a training file, of depth 1 and without options.
func read(csv string) *wide {
	c := &wide{engine: "search", start: "auto"}
	c.depth = 1
	var header []string
	for line := range strings.Lines(csv) {
		fields := strings.Split(strings.TrimSpace(line), ",")
		if header == nil {
			header = fields
			continue
		}
		var row []float64
		w := 1.0
		for at, name := range header {
			v, _ := strconv.ParseFloat(fields[at], 64)
			switch name {
			case "wt":
				w = v
			case "grp":
				c.group = append(c.group, int(fields[at][1]-'0'))
			case "cls":
				c.y = append(c.y, slices.Index(classNames, fields[at]))
			default:
				row = append(row, v)
			}
		}
		c.x, c.w = append(c.x, row), append(c.w, w)
	}
	c.k = slices.Max(c.y) + 1
	return c
}

// TestWideCases: answers that were wrong, or lacking. Where want is NaN no tree keeps the
// constraints exactly.
func TestWideCases(t *testing.T) {
	none := math.NaN()
	impure := func(c *wide) { c.depth, c.alpha, c.purity = 2, 1, "0.75" }
	for _, c := range []struct {
		name, csv string
		set       func(c *wide)
		want      float64
	}{
		{"infeasible, by weights", "f1,wt,cls\n0,1e-9,x\n1,1e-9,y\n2,1e-9,x\n3,1e-9,y", impure, 3},
		{"infeasible, by costs", "f1,cls\n0,x\n1,y\n2,x\n3,y", func(c *wide) { impure(c); c.matrix = [][]float64{{0, 1e-8}, {1e-8, 0}} }, 3},
		{"infeasible, without end", "f1,cls\n1,y\n2,x", func(c *wide) { c.alpha, c.purity, c.costs = 1, "0.75", [][]float64{{0, 1e-9}, {0, 0}} }, 1 + 1e-9},
		{"costs far apart", "f1,cls\n0,y\n1,x", func(c *wide) { c.maxFeatures, c.matrix = 1, [][]float64{{1e-6, 1e6}, {1e-6, 0}} }, 0},
		{"weights far apart", "f1,wt,cls\n4,1e6,x\n3,1e-9,y", func(c *wide) { c.purity = "0.5" }, 0},
		{"a light leaf", "f1,grp,wt,cls\n3,g1,1e6,y\n1,g0,1e-9,x\n5,g1,1e-6,x", func(c *wide) { c.rates = []rate{{"statistical-parity", 1, "0.2"}} }, 1. / 1001},
		{"a price of splits beside weights far apart", "f1,wt,cls\n1,1e6,y\n2,1e-6,x", func(c *wide) { c.alpha, c.rates = 0.5, []rate{{"precision", 0, "1"}} }, 0.5},
		{"costs 1e600 apart", "f1,cls\n3,y\n2,z\n1,x", func(c *wide) {
			c.matrix = [][]float64{{0, 0, 1e300}, {0, 0, 0}, {1e-300, 1e-300, 0}}
		}, 0},
		{"costs 1e600 apart, two classes", "f1,cls\n0,x\n1,y\n2,x", func(c *wide) { c.matrix = [][]float64{{0, 1e300}, {1e-300, 0}} }, 1},
		{"large costs of a row whose answers cost the same", "f1,cls\n2,x\n3,x\n2,y\n2,x", func(c *wide) {
			c.costs = [][]float64{{0, 1e-15}, {0, 0}, {1e-3, 0}, {1e7, 1e7}}
		}, 1},
		{"recall and precision of a light row", "f1,wt,cls\n2,1e6,x\n4,1e-6,y\n3,1e-6,z", func(c *wide) {
			c.rates = []rate{{"recall", 2, "0.9"}, {"precision", 2, "1"}}
		}, none},
		{"precision less than rounding below the limit", "f1,wt,cls\n0,1e6,y\n1,1,x\n0,1e-6,x", func(c *wide) {
			c.rates = []rate{{"share", 0, "0.483"}, {"precision", 1, "1"}}
		}, none},
		{"purity at the tolerance", "f1,wt,cls\n2,1e-9,x\n2,1,y\n1,1,x", func(c *wide) { c.purity = "1" }, none},
		{"recall at the tolerance", "f1,wt,cls\n2,1e-9,x\n2,1,y\n1,1,x", func(c *wide) { c.rates = []rate{{"recall", 0, "1"}} }, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := read(c.csv)
			c.set(in)
			tree, value := newOracle(&in.exactCase).best()
			if tree != nil {
				if got, _ := value.Float64(); !same(got, c.want, 1e-9) {
					t.Fatalf("the reference has %v; want %v", got, c.want)
				}
			} else if !math.IsNaN(c.want) {
				t.Fatalf("the reference has no tree; want %v", c.want)
			}
			for _, engine := range []string{"auto", "search", "mio"} {
				in.engine = engine
				if v := in.judge(); v.kind != "" && v.kind != unproved {
					t.Errorf("%s: %s\n%v", v.kind, v.text, in)
				} else if v.kind == unproved && engine == "search" && in.spread() <= 1e6 {
					t.Errorf("%s\n%v", v.text, in)
				}
			}
		})
	}
}

// TestWideScale: values that no scaling of features tells apart are refused, with what
// does.
func TestWideScale(t *testing.T) {
	c := read("f1,cls\n1e300,x\n5e-324,y\n1e15,x")
	c.engine, c.encoding, c.scale, c.start = "mio", "bigm", "minmax", "none"
	_, err := c.solve()
	if !errors.Is(err, fit.ErrInput) || !strings.Contains(err.Error(), "rank") {
		t.Errorf("%v; want an error of the input that advises the scale rank", err)
	}
}

// TestExact holds the exact reference against the one of the other studies, where numbers
// are ordinary.
func TestExact(t *testing.T) {
	for seed := range uint64(300) {
		in := draw(search, 7<<32+seed)
		if in.n() > 8 || in.k > 3 || in.depth > 2 || in.baseline() == 0 {
			continue
		}
		p := exactCase{x: in.x, y: in.y, k: in.k, w: in.w, depth: in.depth, maxSplits: in.maxSplits, alpha: in.alpha, minLeaf: in.minLeaf * (1 - 2*forgiven)}
		got, want := math.Inf(1), in.treeOptimum()
		if _, value := newOracle(&p).best(); value != nil {
			got, _ = value.Float64()
		}
		if got != want && !same(got, want, 1e-9) {
			t.Errorf("%v; want %v\n%v", got, want, in)
		}
	}
}

// TestWideJudge: answers that are spoilt are found out.
func TestWideJudge(t *testing.T) {
	change := func(v *float64, times float64) *float64 { w := *v*times + 1e-8; return &w }
	for kind, spoil := range map[string]func(r *fit.Result) error{
		wrongBound:      func(r *fit.Result) error { r.Status, r.Bound = "feasible", change(r.Bound, 1+1e-7); return nil },
		wrongValue:      func(r *fit.Result) error { r.Objective = change(r.Objective, 1); return nil },
		wrongInfeasible: func(*fit.Result) error { return fit.ErrInfeasible },
		refusal:         func(*fit.Result) error { return fit.ErrInput },
		failed:          func(*fit.Result) error { return fit.ErrCheck },
		unproved:        func(r *fit.Result) error { r.Status = "feasible"; return nil },
		wrongTree: func(r *fit.Result) error {
			for at := range r.Tree.Nodes {
				r.Tree.Nodes[at].Class = 0
			}
			return nil
		},
	} {
		c := read("f1,wt,cls\n0,1e6,x\n1,1e-3,y\n1,2e-3,x\n2,3,y")
		c.alpha, c.rates = 1e-6, []rate{{"recall", 1, "0.9"}}
		res, err := c.solve()
		if err != nil {
			t.Fatal(err)
		}
		o := newOracle(&c.exactCase)
		_, least := o.best()
		if v := o.judge(res, nil, least); v.kind != "" {
			t.Fatalf("%s: %s", v.kind, v.text)
		}
		err = spoil(res)
		if v := o.judge(res, err, least); v.kind != kind {
			t.Errorf("%q: %s; want %q", v.kind, v.text, kind)
		}
	}
}
