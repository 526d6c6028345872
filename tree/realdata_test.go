package tree

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/octgen/octgen/dataset"
)

func dataDir(t testing.TB) string {
	for _, dir := range []string{os.Getenv("OCTGEN_DATA"), filepath.Join("..", "..", "shared", "data")} {
		if info, err := os.Stat(dir); dir != "" && err == nil && info.IsDir() {
			return dir
		}
	}
	t.Skip("no data folder: neither $OCTGEN_DATA nor ../shared/data exists")
	return ""
}

func load(t testing.TB, name string) *dataset.Dataset {
	t.Helper()
	ds, err := dataset.Load(filepath.Join(dataDir(t), name+".csv"), dataset.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// The misclassification sweep is the exact optimum of depth 1: it must give the
// proven optima of all datasets.
func TestDepthOneOptima(t *testing.T) {
	f, err := os.Open(filepath.Join(dataDir(t), "..", "reference", "univariate-optima.csv"))
	if os.IsNotExist(err) {
		t.Skip("no reference figures: univariate-optima.csv")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, l := range lines[1:] {
		rows, err := strconv.Atoi(l[1])
		if err != nil {
			t.Fatal(err)
		}
		if l[4] != "1" || rows > 5000 {
			continue // the larger ones only take time
		}
		ds := load(t, l[0])
		pre := NewPresort(ds)
		least := ds.Baseline()
		if best, ok := NewSweeper(pre, Misclassification, 0).Best(pre.All()); ok {
			least = min(least, best.Loss)
		}
		if got := strconv.FormatFloat(least, 'f', -1, 64); ds.N() != rows || got != l[5] {
			t.Errorf("%s: %s errors on %d rows, want %s on %d", l[0], got, ds.N(), l[5], rows)
		}
		checked++
	}
	if checked < 40 {
		t.Errorf("only %d datasets were checked", checked)
	}
	t.Logf("%d datasets", checked)
}

// The tree of docs/tree-json.md, found by sweeps, in all its forms.
func TestIris(t *testing.T) {
	ds := load(t, "iris")
	pre := NewPresort(ds)
	sweeper, parts := NewSweeper(pre, Gini, 0), NewPartitioner(pre)
	root, _ := sweeper.Best(pre.All())
	_, rest := parts.Split(pre.All().Clone(), root.Feature, root.Size)
	second, _ := sweeper.Best(rest)
	tr := NewLeaf(ds, 0)
	_, r := tr.Grow(0, root.Split(), 0, 0)
	tr.Grow(r, second.Split(), 0, 0)
	tr.Relabel(ds)
	if l := tr.Evaluate(ds); l.Errors != 6 || l.Accuracy != 0.96 {
		t.Errorf("%+v, want 6 errors", l)
	}
	var text, svg bytes.Buffer
	if err := tr.WriteText(&text, Format{}); err != nil {
		t.Fatal(err)
	}
	if err := tr.WriteSVG(&svg, Format{}); err != nil {
		t.Fatal(err)
	}
	golden(t, "iris.txt", text.Bytes())
	golden(t, "iris.svg", svg.Bytes())

	doc, err := os.ReadFile(filepath.Join("..", "docs", "tree-json.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(doc), "```json\n")
	example, _, _ = strings.Cut(example, "```")
	documented, err := ReadJSON(strings.NewReader(example))
	if err != nil {
		t.Fatal(err)
	}
	if !documented.Equal(tr) {
		t.Errorf("docs/tree-json.md shows\n%v\nthe sweeps find\n%v", documented, tr)
	}
}
