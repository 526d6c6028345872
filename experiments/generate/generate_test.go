package generate_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/experiments/generate"
	"github.com/octgen/octgen/tree"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// octs draws settings of either kind of OCT that have data.
func octs(t *rapid.T) generate.OCT {
	g := generate.OCT{
		Features: rapid.IntRange(1, 6).Draw(t, "features"), Rows: rapid.IntRange(32, 300).Draw(t, "rows"),
		TestRows: rapid.IntRange(0, 50).Draw(t, "test rows"), Depth: rapid.IntRange(1, 4).Draw(t, "depth"),
		Hyperplanes: rapid.Bool().Draw(t, "hyperplanes"), Seed: rapid.Uint64Range(0, 1000).Draw(t, "seed"),
	}
	g.Classes = rapid.IntRange(2, 1<<g.Depth).Draw(t, "classes")
	g.SplitFeatures = rapid.IntRange(1, g.Features).Draw(t, "split features")
	return g
}

// TestOCT: the tree has the requested shape, leaves with their fraction, different siblings, and
// every class; it makes no error on points of the unit cube.
func TestOCT(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := octs(t)
		train, test, truth, err := g.Data()
		if err != nil {
			t.Fatal(err)
		}
		if err := truth.Validate(); err != nil {
			t.Fatal(err)
		}
		if truth.Depth() != g.Depth || truth.Splits() != 1<<g.Depth-1 || train.N() != g.Rows || (test == nil) != (g.TestRows == 0) {
			t.Fatalf("depth %d, %d splits, %d rows, test %v", truth.Depth(), truth.Splits(), train.N(), test)
		}
		for _, d := range []*dataset.Dataset{train, test} {
			if d != nil && (truth.Evaluate(d).Errors != 0 || slices.Min(d.X) < 0 || slices.Max(d.X) >= 1) {
				t.Fatalf("%v errors on values from %v to %v", truth.Evaluate(d).Errors, slices.Min(d.X), slices.Max(d.X))
			}
		}
		used := make([]bool, g.Classes)
		for i := range truth.Nodes {
			n := &truth.Nodes[i]
			if n.Leaf() {
				used[n.Class] = true
				if c := sum(n.Count); c < 1 || c < float64(g.Rows)/float64(int(4)<<g.Depth) {
					t.Fatalf("a leaf has %v of %d points", c, g.Rows)
				}
				continue
			}
			l, r := &truth.Nodes[n.Left], &truth.Nodes[n.Right]
			if l.Leaf() && l.Class == r.Class {
				t.Fatalf("siblings of class %d", l.Class)
			}
			if g.Hyperplanes && len(n.Split.Terms) != g.SplitFeatures || !g.Hyperplanes && !n.Split.IsUnivariate() {
				t.Fatalf("split %v", n.Split)
			}
		}
		if slices.Contains(used, false) {
			t.Fatalf("classes %v of %d", used, g.Classes)
		}
	})
}

// TestNoise: noise changes exactly what its settings say.
func TestNoise(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clean := octs(t)
		noisy := clean
		noisy.Noise = generate.Noise{
			Labels: rapid.Float64Range(0, 1).Draw(t, "labels"), Features: rapid.SampledFrom([]float64{0, 0.05, 1}).Draw(t, "features"),
			Test: rapid.Bool().Draw(t, "test"),
		}
		train, test, truth, err := clean.Data()
		if err != nil {
			t.Fatal(err)
		}
		train2, test2, truth2, err := noisy.Data()
		if err != nil {
			t.Fatal(err)
		}
		c, z := truth.Clone(), truth2.Clone()
		c.Annotate(train)
		z.Annotate(train)
		if !c.Equal(z) {
			t.Fatal("another tree")
		}
		changed(t, train, train2, noisy.Noise)
		if test != nil && noisy.Noise.Test {
			changed(t, test, test2, noisy.Noise)
		} else if test != nil {
			changed(t, test, test2, generate.Noise{})
		}
	})
}

func changed(t *rapid.T, clean, noisy *dataset.Dataset, z generate.Noise) {
	t.Helper()
	labels := 0
	for i := range clean.Y {
		if clean.Y[i] != noisy.Y[i] {
			labels++
		}
	}
	if want := int(math.Round(z.Labels * float64(clean.N()))); labels != want {
		t.Fatalf("%d labels changed, want %d", labels, want)
	}
	moved := 0.0
	for i := range clean.X {
		moved = max(moved, math.Abs(clean.X[i]-noisy.X[i]))
	}
	if moved > z.Features*(1+1e-12) || len(clean.X) >= 32 && moved < 0.5*z.Features {
		t.Fatalf("values moved by up to %v, want %v", moved, z.Features)
	}
}

// TestLabelNoiseIsUniform: a changed label is uniform among the other classes.
func TestLabelNoiseIsUniform(t *testing.T) {
	g := generate.OCT{Features: 2, Rows: 30000, Classes: 4, Seed: 3}
	clean, _, _, err := g.Data()
	if err != nil {
		t.Fatal(err)
	}
	g.Noise.Labels = 0.5
	noisy, _, _, err := g.Data()
	if err != nil {
		t.Fatal(err)
	}
	var shift [4]float64
	for i := range clean.Y {
		shift[(noisy.Y[i]-clean.Y[i]+4)%4]++
	}
	for s, want := range [4]float64{15000, 5000, 5000, 5000} {
		if math.Abs(shift[s]-want) > 300 { // about five standard deviations
			t.Errorf("%v labels moved by %d, want about %v", shift[s], s, want)
		}
	}
}

// TestStructure: structures of any shape, classes by name.
func TestStructure(t *testing.T) {
	g := generate.GTO{Features: 3, Rows: 200, Structure: `((b,a),("c d",(b,a)))`, Seed: 5}
	train, _, truth, err := g.Data()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a", "b", "c d"}, train.Classes); diff != "" {
		t.Error(diff)
	}
	if e := truth.Evaluate(train).Errors; e != 0 || truth.Splits() != 4 || truth.Depth() != 3 {
		t.Errorf("%v errors, %d splits, depth %d", e, truth.Splits(), truth.Depth())
	}
	full, _, same, err := generate.GTO{Features: 3, Rows: 200, Structure: "((A,B),(A,B))", Seed: 5}.Data()
	if err != nil {
		t.Fatal(err)
	}
	want, _, tree, err := generate.GTO{Features: 3, Rows: 200, Seed: 5}.Data()
	if err != nil || !same.Equal(tree) || !slices.Equal(full.X, want.X) {
		t.Errorf("the default in words is another one: %v", err)
	}
}

// TestGolden: the data of a seed never change.
func TestGolden(t *testing.T) {
	var out bytes.Buffer
	for _, c := range []struct {
		name string
		of   generate.Generator
	}{
		{"gto-tree", generate.GTO{Features: 5, Rows: 100, TestRows: 50, Seed: 1}},
		{"gto-tree, depth 3", generate.GTO{Features: 2, Rows: 30, TestRows: 20, Depth: 3, MinShare: 0.2, Seed: 4}},
		{"gto-tree, noise", generate.GTO{Features: 2, Rows: 20, Structure: "(A,(B,C))", Noise: generate.Noise{Labels: 0.1, Features: 0.05}, Seed: 2}},
		{"oct-tree", generate.OCT{Features: 2, Rows: 40, TestRows: 10, Classes: 3, Seed: 1}},
		{"oct-h-tree", generate.OCT{Features: 4, Rows: 40, TestRows: 10, Hyperplanes: true, SplitFeatures: 2, Noise: generate.Noise{Labels: 0.1, Test: true}, Seed: 1}},
	} {
		train, test, truth, err := c.of.Data()
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		fmt.Fprintf(&out, "%s: sha256 %x\n", c.name, digest(t, train, test, truth))
		for i := range 3 {
			fmt.Fprintln(&out, train.Row(i), train.Classes[train.Y[i]])
		}
		if err := truth.WriteText(&out, tree.Format{}); err != nil {
			t.Fatal(err)
		}
	}
	golden := filepath.Join("testdata", "golden.txt")
	if *update {
		if err := os.WriteFile(golden, out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), out.String()); diff != "" {
		t.Error(diff)
	}
}

// digest returns the hash of all numbers and of the tree.
func digest(t *testing.T, train, test *dataset.Dataset, truth *tree.Tree) []byte {
	t.Helper()
	h := sha256.New()
	x, y := train.X, train.Y
	if test != nil {
		x, y = slices.Concat(x, test.X), slices.Concat(y, test.Y)
	}
	classes := make([]int64, len(y))
	for i := range y {
		classes[i] = int64(y[i])
	}
	for _, v := range []any{x, classes} {
		if err := binary.Write(h, binary.LittleEndian, v); err != nil {
			t.Fatal(err)
		}
	}
	if err := truth.WriteJSON(h); err != nil {
		t.Fatal(err)
	}
	return h.Sum(nil)
}

// TestReplicate: replicates have consecutive seeds.
func TestReplicate(t *testing.T) {
	for _, g := range []func(seed uint64) generate.Generator{
		func(s uint64) generate.Generator { return generate.GTO{Features: 2, Rows: 20, Seed: s} },
		func(s uint64) generate.Generator { return generate.OCT{Features: 2, Rows: 20, Seed: s} },
	} {
		if diff := cmp.Diff(g(7), g(4).Replicate(3)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestOCTBad(t *testing.T) {
	for want, g := range map[string]generate.OCT{
		"0 features":                       {Rows: 10},
		"1 rows":                           {Features: 1, Rows: 1},
		"-1 test rows":                     {Features: 1, Rows: 10, TestRows: -1},
		"at most 1073741824 values":        {Features: math.MaxInt, Rows: math.MaxInt},
		"depth 17":                         {Features: 1, Rows: 10, Depth: 17},
		"5 classes, expected 2 to the 4 l": {Features: 1, Rows: 10, Classes: 5},
		"1 classes":                        {Features: 1, Rows: 10, Classes: 1},
		"4 features of a split":            {Features: 3, Rows: 10, SplitFeatures: 4},
		"minimum fraction 0.3 of a leaf":   {Features: 1, Rows: 10, MinLeafShare: 0.3},
		"minimum fraction NaN of a leaf":   {Features: 1, Rows: 10, MinLeafShare: math.NaN()},
		"7 rows, expected 8 or more":       {Features: 1, Rows: 7, Depth: 3},
		"none of 10000 splits":             {Features: 1, Rows: 4000, MinLeafShare: 0.25},
		"label noise -1":                   {Features: 1, Rows: 10, Noise: generate.Noise{Labels: -1}},
		"label noise NaN":                  {Features: 1, Rows: 10, Noise: generate.Noise{Labels: math.NaN()}},
		"feature noise +Inf":               {Features: 1, Rows: 10, Noise: generate.Noise{Features: math.Inf(1)}},
	} {
		if _, _, _, err := g.Data(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, expected %q", g, err, want)
		}
	}
	for want, g := range map[string]generate.GTO{
		"has 1 class, expected 2":                {Features: 1, Rows: 10, Structure: "(A,A)"},
		"character 2: expected ( or the name of": {Features: 1, Rows: 10, Structure: "(,A)"},
		"depth 2 and a structure":                {Features: 1, Rows: 10, Structure: "(A,B)", Depth: 2},
		"minimum fraction 0.4 of a class":        {Features: 1, Rows: 10, Structure: "(A,(B,C))", MinShare: 0.4},
	} {
		if _, _, _, err := g.Data(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, expected %q", g, err, want)
		}
	}
}

func sum(v []float64) float64 {
	total := 0.0
	for _, x := range v {
		total += x
	}
	return total
}
