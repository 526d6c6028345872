//go:build cgo && !nohighs

package study

import (
	"encoding/json"
	"errors"
	"fmt"
	"github.com/octgen/octgen/internal/datatest"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/octgen/octgen/fit"
)

// The number of cases; the long study keeps what it has done after every block.
const (
	wideCases     = 2000
	wideLongCases = 100_000
	wideBlock     = 1000
)

// mostShrunk is the number of failures of a block that are shrunk.
const mostShrunk = 10

// wideState is what the study has done, as its file has it.
type wideState struct {
	First    uint64         `json:"first"`
	Next     uint64         `json:"next"`
	Seconds  float64        `json:"seconds"`
	Cases    map[string]int `json:"cases"`    // by row and column of the table
	Unproved map[string]int `json:"unproved"` // of these
	Failures []string       `json:"failures"`
}

// widths are the columns of the table: ratios of the largest to the smallest number.
var widths = []float64{1e2, 1e4, 1e6, 1e9, 1e12, 1e15}

func (c *wide) column() string {
	spread := c.spread()
	for _, w := range widths {
		if spread <= w*(1+1e-9) {
			return fmt.Sprintf("%.0e", w)
		}
	}
	return "more"
}

func (c *wide) row() string {
	if c.constrained() {
		return c.engine + ", constrained"
	}
	return c.engine
}

func (s *wideState) add(c *wide) {
	v := c.judge()
	key := c.row() + "|" + c.column()
	s.Cases[key]++
	switch v.kind {
	case "":
	case unproved:
		s.Unproved[key]++
	default:
		if len(s.Failures) < mostShrunk {
			c = c.shrink(v.kind)
			v = c.judge()
		}
		s.Failures = append(s.Failures, fmt.Sprintf("case wide/%d, %s: %s\n%v\n", c.seed, v.kind, v.text, c))
	}
}

// table is the share of answers without a proof.
func (s *wideState) table() string {
	var rows []string
	for key := range s.Cases {
		if row, _, _ := strings.Cut(key, "|"); !slices.Contains(rows, row) {
			rows = append(rows, row)
		}
	}
	slices.Sort(rows)
	var columns []string
	for _, w := range widths {
		columns = append(columns, fmt.Sprintf("%.0e", w))
	}
	columns = append(columns, "more")
	var b strings.Builder
	fmt.Fprintf(&b, "Not proved, by the ratio of the largest to the smallest number:\n| engine | %s |\n|---|%s\n", strings.Join(columns, " | "), strings.Repeat("---:|", len(columns)))
	for _, row := range rows {
		fmt.Fprintf(&b, "| %s |", row)
		for _, column := range columns {
			all, not := s.Cases[row+"|"+column], s.Unproved[row+"|"+column]
			if all == 0 {
				b.WriteString(" |")
				continue
			}
			fmt.Fprintf(&b, " %d of %d (%.2g %%) |", not, all, 100*float64(not)/float64(all))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// progressFile is where the long study keeps what it has done; "" for nowhere.
func progressFile() string {
	if dir := os.Getenv("OCTGEN_STUDY"); dir != "" {
		return filepath.Join(dir, "wide.json")
	}
	return ""
}

// resume reads what was done before, from the same first seed.
func resume(t *testing.T, first uint64) *wideState {
	t.Helper()
	s := &wideState{First: first, Next: first, Cases: map[string]int{}, Unproved: map[string]int{}}
	file := progressFile()
	if file == "" {
		return s
	}
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return s
	}
	before := &wideState{}
	if err == nil {
		err = json.Unmarshal(text, before)
	}
	if err != nil {
		t.Fatal(err)
	}
	if before.First != first {
		return s
	}
	t.Logf("%s: %d cases were done before", file, before.Next-first)
	return before
}

func (s *wideState) keep(t *testing.T) {
	t.Helper()
	file := progressFile()
	if file == "" {
		return
	}
	text, err := json.MarshalIndent(s, "", "  ")
	if err == nil {
		err = os.MkdirAll(filepath.Dir(file), 0o777)
	}
	if err == nil {
		err = os.WriteFile(file+".part", text, 0o666)
	}
	if err == nil {
		err = os.Rename(file+".part", file)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestWide holds fit against all trees, in exact arithmetic, where weights and costs lie
// far apart: no wrong optimum, no wrong "infeasible", no bound above the optimum by more
// than 1e-9 of it, no broken constraint, no failed check.
func TestWide(t *testing.T) {
	if name, ok := strings.CutPrefix(os.Getenv("OCTGEN_CASE"), "wide/"); ok {
		seed, err := strconv.ParseUint(name, 10, 64)
		if err != nil {
			t.Fatalf("OCTGEN_CASE=wide/%s; want a number", name)
		}
		c := drawWide(seed)
		t.Logf("%v\n%+v", c, c.judge())
		return
	}
	cases := datatest.Some(wideCases)
	if long() {
		cases = wideLongCases
	}
	cases = fromEnvironment(t, "OCTGEN_CASES", cases)
	first := uint64(fromEnvironment(t, "OCTGEN_SEED", 1)) << 32
	s := resume(t, first)
	for s.Next < first+uint64(cases) {
		began, failures := time.Now(), s.Failures
		s.Failures = nil
		for end := min(s.Next+wideBlock, first+uint64(cases)); s.Next < end; s.Next++ {
			s.add(drawWide(s.Next))
		}
		for _, f := range s.Failures {
			t.Error(f)
		}
		s.Failures = append(failures, s.Failures...)
		s.Seconds += time.Since(began).Seconds()
		s.keep(t)
		if long() {
			t.Logf("%d cases in %.0f s, %d failures", s.Next-first, s.Seconds, len(s.Failures))
		}
	}
	t.Logf("%d cases in %.1f s\n%s", s.Next-first, s.Seconds, s.table())
	if len(s.Failures) > 0 {
		t.Errorf("%d of %d cases fail", len(s.Failures), s.Next-first)
	}
}

// shrink drops rows, constraints and numbers of a case while its verdict stays the same
// kind.
func (c *wide) shrink(kind string) *wide {
	best := c
	for again := true; again; {
		again = false
		for _, smaller := range best.smaller() {
			if smaller.complete() && smaller.judge().kind == kind {
				best, again = smaller, true
				break
			}
		}
	}
	return best
}

// smaller are the cases with one thing less.
func (c *wide) smaller() []*wide {
	var all []*wide
	change := func(does bool, how func(s *wide)) {
		if does {
			s := *c
			how(&s)
			all = append(all, &s)
		}
	}
	for i := range c.y {
		change(c.n() > 1, func(s *wide) { s.dropRow(i) })
	}
	for j := range c.features() {
		change(c.features() > 1, func(s *wide) { s.dropFeature(j) })
	}
	for i := range c.rates {
		change(true, func(s *wide) { s.rates = slices.Delete(slices.Clone(c.rates), i, i+1) })
	}
	change(c.group != nil && c.positive() == "", func(s *wide) { s.group = nil })
	change(c.purity != "", func(s *wide) { s.purity = "" })
	change(c.maxFeatures > 0, func(s *wide) { s.maxFeatures = 0 })
	change(c.price != nil, func(s *wide) { s.price = nil })
	change(c.monotone != nil, func(s *wide) { s.monotone, s.order = nil, nil })
	change(c.matrix != nil, func(s *wide) { s.matrix = nil })
	change(c.costs != nil, func(s *wide) { s.costs = nil })
	change(c.depth > 1, func(s *wide) { s.depth-- })
	change(c.maxSplits > 0, func(s *wide) { s.maxSplits = 0 })
	change(c.alpha > 0, func(s *wide) { s.alpha = 0 })
	change(c.minLeaf > 0, func(s *wide) { s.minLeaf = 0 })
	for i, w := range c.w {
		change(w != 1, func(s *wide) { s.w = slices.Clone(c.w); s.w[i] = 1 })
	}
	for y, row := range c.matrix {
		for k, v := range row {
			change(v != 0, func(s *wide) { s.matrix = slices.Clone(c.matrix); s.matrix[y] = slices.Clone(row); s.matrix[y][k] = 0 })
		}
	}
	for i, row := range c.costs {
		for k, v := range row {
			change(v != 0, func(s *wide) { s.costs = slices.Clone(c.costs); s.costs[i] = slices.Clone(row); s.costs[i][k] = 0 })
		}
	}
	return all
}

func without[T any](all []T, i int) []T {
	if all == nil {
		return nil
	}
	return slices.Delete(slices.Clone(all), i, i+1)
}

func (c *wide) dropRow(i int) {
	c.x, c.y, c.w, c.group, c.costs = without(c.x, i), without(c.y, i), without(c.w, i), without(c.group, i), without(c.costs, i)
}

func (c *wide) dropFeature(j int) {
	x := make([][]float64, c.n())
	for i, row := range c.x {
		x[i] = without(row, j)
	}
	c.x, c.price, c.monotone = x, without(c.price, j), without(c.monotone, j)
	if c.monotone != nil && !slices.ContainsFunc(c.monotone, func(s int) bool { return s != 0 }) {
		c.monotone, c.order = nil, nil
	}
}

// complete reports whether every class has a row.
func (c *wide) complete() bool {
	for k := range c.k {
		if !slices.Contains(c.y, k) {
			return false
		}
	}
	return true
}

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
