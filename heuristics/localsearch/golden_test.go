package localsearch

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/tree"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// drawnData draws n rows of p features, the first with many values and the last with two, whose
// classes follow two hyperplanes with noise; weights are whole or not.
func drawnData(t *testing.T, seed uint64, n, p, k int, whole bool) *dataset.Dataset {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 0x676f6c64))
	x, y := make([]float64, 0, n*p), make([]int, n)
	features, classes := make([]string, p), make([]string, k)
	for j := range features {
		features[j] = "x" + strconv.Itoa(j+1)
	}
	for c := range classes {
		classes[c] = "c" + strconv.Itoa(c+1)
	}
	for i := range n {
		for j := range p {
			values := max(2, 40/(1<<j))
			x = append(x, float64(rng.IntN(values))/float64(values))
		}
		row := x[i*p:]
		if row[0]+row[1] > 1 {
			y[i] = 1
		}
		if row[0]-row[p-1] > 0.4 {
			y[i] = k - 1
		}
		if rng.IntN(10) == 0 {
			y[i] = rng.IntN(k)
		}
	}
	ds, err := dataset.New(x, y, features, classes)
	if err != nil {
		t.Fatal(err)
	}
	for i := range ds.Weight {
		ds.Weight[i] = float64(1 + rng.IntN(3))
		if !whole {
			ds.Weight[i] /= 7
		}
	}
	return ds
}

// exactly writes the subtree of node i, in preorder, to the last bit.
func exactly(t *tree.Tree, i int) string {
	n := &t.Nodes[i]
	if n.Leaf() {
		return strconv.Itoa(n.Class)
	}
	s := "("
	for _, term := range n.Split.Terms {
		s += fmt.Sprintf("%v*x%d + ", term.Weight, term.Feature)
	}
	return fmt.Sprintf("%s< %v ? %s : %s)", s[:len(s)-2], n.Split.Threshold, exactly(t, n.Left), exactly(t, n.Right))
}

// TestGolden: the results of both kinds of search for a seed do not change, to the last bit.
func TestGolden(t *testing.T) {
	data := map[string]*dataset.Dataset{
		"two classes":       drawnData(t, 1, 120, 3, 2, true),
		"three classes":     drawnData(t, 2, 150, 4, 3, true),
		"four classes":      drawnData(t, 3, 200, 5, 4, true),
		"parts of weights":  drawnData(t, 4, 160, 4, 2, false),
		"parts, 3 classes":  drawnData(t, 5, 160, 4, 3, false),
		"many and contrary": drawnData(t, 6, 400, 2, 2, true),
	}
	order := []string{"two classes", "three classes", "four classes", "parts of weights", "parts, 3 classes", "many and contrary"}
	for _, name := range []string{"iris", "breast-cancer"} {
		data[name], order = datatest.Example(t, name), append(order, name)
	}
	compareGolden(t, "drawn.golden", goldenSearches(t, order, func(name string) *dataset.Dataset { return data[name] }))
}

// TestGoldenRealData is TestGolden on real data.
func TestGoldenRealData(t *testing.T) {
	order := []string{"wine", "seeds", "pima", "heart-cleveland", "ionosphere", "balance-scale", "tic-tac-toe"}
	got := goldenSearches(t, order, func(name string) *dataset.Dataset { return datatest.Load(t, name) })
	compareGolden(t, "real.golden", got)
}

// goldenSearches writes a line for every dataset, seed and kind of splits.
func goldenSearches(t *testing.T, order []string, data func(name string) *dataset.Dataset) []byte {
	var out bytes.Buffer
	for at, name := range order {
		ds := data(name)
		for seed := range uint64(4) {
			o := Options{Depth: 2 + int(seed)%2, Seed: seed, Work: 1e7}
			switch (at + int(seed)) % 4 {
			case 1:
				o.Alpha, o.MinLeaf = 0.01, 5
			case 2:
				o.MaxSplits = 4
			case 3:
				o.Alpha, o.Restarts, o.Work = 0.002, 8, 0
			}
			if seed >= 2 {
				o.Hyperplanes, o.Depth = true, 2+at%2
				if at%3 == 0 {
					o.Mu = 0.01
				}
			}
			if o.Hyperplanes && o.Restarts > 0 {
				o.Work = 3e7
			}
			res, err := Search(context.Background(), ds, o)
			if err != nil {
				t.Fatal(err)
			}
			kind := "univariate"
			if o.Hyperplanes {
				kind = "hyperplane"
			}
			fmt.Fprintf(&out, "%s, %s, depth %d, alpha %v, minimum leaf %v, limit %d, seed %d: %v %s\n",
				name, kind, o.Depth, o.Alpha, o.MinLeaf, o.MaxSplits, seed, res.Stats.Objective, exactly(res.Tree, 0))
		}
	}
	return out.Bytes()
}

func compareGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s (-want +got):\n%s", name, d)
	}
}
