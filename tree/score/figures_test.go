package score

import (
	"encoding/json"
	"math"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/tree"
)

// stairs is a tree with a leaf per step of one feature, of these training weights.
func stairs(classes []string, leaves ...[]float64) *tree.Tree {
	t := &tree.Tree{Features: []string{"x"}, Classes: classes}
	for i, w := range leaves {
		leaf := tree.Node{Weight: w, Class: largest(w)}
		if i == len(leaves)-1 {
			t.Nodes = append(t.Nodes, leaf)
			break
		}
		at := len(t.Nodes)
		t.Nodes = append(t.Nodes, tree.Node{Split: tree.Univariate(0, float64(i)+0.5), Left: at + 1, Right: at + 2}, leaf)
	}
	return t
}

func largest(w []float64) int {
	at := 0
	for k := range w {
		if w[k] > w[at] {
			at = k
		}
	}
	return at
}

// rows has a row of each class y[i] at the step x[i].
func rows(t *tree.Tree, x []float64, y []int, weight ...float64) *dataset.Dataset {
	ds, err := dataset.New(x, y, t.Features, t.Classes)
	if err != nil {
		panic(err)
	}
	if weight != nil {
		ds.Weight = weight
	}
	return ds
}

func number(v float64) *float64 { return &v }

var near = cmpopts.EquateApprox(0, 1e-14)

// TestByHand: figures that can be worked out on paper.
func TestByHand(t *testing.T) {
	tr := stairs([]string{"no", "yes"}, []float64{3, 1}, []float64{1, 1}, []float64{0, 4})
	ds := rows(tr, []float64{0, 0, 1, 2, 2, 2}, []int{0, 1, 1, 1, 0, 1}, 1, 1, 2, 1, 1, 4)
	want := Figures{
		Confusion: &Confusion{Classes: []string{"no", "yes"}, Counts: [][]float64{{1, 1}, {2, 2}}},
		PerClass: []Class{
			{"no", number(1.0 / 4), number(1.0 / 2), number(5.0 / 8), number(2.0 / 6)},
			{"yes", number(5.0 / 6), number(5.0 / 8), number(1.0 / 2), number(10.0 / 14)},
		},
		BalancedError: number((1.0/2 + 3.0/8) / 2),
		// Of the 8 x 2 pairs: the rows of yes at the steps 0, 1, 2 weigh 1, 2, 5, those of
		// no 1, 0, 1.
		AUC:     number((1*0.5 + 2*1 + 5*1.5) / 16),
		LogLoss: number(-(math.Log(0.75) + math.Log(0.25) + 2*math.Log(0.5) + 5*math.Log(1-1e-15) + math.Log(1e-15)) / 10),
	}
	if d := cmp.Diff(want, Of(tr, ds), near); d != "" {
		t.Error(d)
	}
}

// TestNothingToSay: what has no figure is nil, and null in JSON.
func TestNothingToSay(t *testing.T) {
	one, two := []string{"a"}, []string{"a", "b"}
	for name, c := range map[string]struct {
		tree *tree.Tree
		x    []float64
		y    []int
		want string
	}{
		"one class": {stairs(one, []float64{2}), []float64{0}, []int{0},
			`{"confusion":{"classes":["a"],"counts":[[1]]},"per_class":[{"class":"a","precision":1,"recall":1,"specificity":null,"f1":1}],"balanced_error":0,"auc":null,"log_loss":0}`},
		"class without rows": {stairs(two, []float64{1, 0}, []float64{0, 1}), []float64{0}, []int{0},
			`{"confusion":{"classes":["a","b"],"counts":[[1,0],[0,0]]},"per_class":[{"class":"a","precision":1,"recall":1,"specificity":null,"f1":1},{"class":"b","precision":null,"recall":null,"specificity":1,"f1":null}],"balanced_error":0,"auc":null,"log_loss":9.992007221626415e-16}`},
		"never predicted": {stairs(two, []float64{2, 1}), []float64{0, 0}, []int{0, 1},
			`{"confusion":{"classes":["a","b"],"counts":[[1,0],[1,0]]},"per_class":[{"class":"a","precision":0.5,"recall":1,"specificity":0,"f1":0.6666666666666666},{"class":"b","precision":null,"recall":0,"specificity":1,"f1":0}],"balanced_error":0.5,"auc":0.5,"log_loss":0.7520386983881371}`},
		"leaf without training rows": {stairs(two, []float64{2, 1}, []float64{0, 0}), []float64{0, 1}, []int{0, 1},
			`{"confusion":{"classes":["a","b"],"counts":[[1,0],[1,0]]},"per_class":[{"class":"a","precision":0.5,"recall":1,"specificity":0,"f1":0.6666666666666666},{"class":"b","precision":null,"recall":0,"specificity":1,"f1":0}],"balanced_error":0.5,"auc":null,"log_loss":null}`},
		"not reached": {stairs(two, []float64{2, 1}, []float64{0, 0}), []float64{0, 0}, []int{0, 1},
			`{"confusion":{"classes":["a","b"],"counts":[[1,0],[1,0]]},"per_class":[{"class":"a","precision":0.5,"recall":1,"specificity":0,"f1":0.6666666666666666},{"class":"b","precision":null,"recall":0,"specificity":1,"f1":0}],"balanced_error":0.5,"auc":0.5,"log_loss":0.7520386983881371}`},
		"not annotated": {stairs(two, nil), []float64{0}, []int{0},
			`{"confusion":{"classes":["a","b"],"counts":[[1,0],[0,0]]},"per_class":[{"class":"a","precision":1,"recall":1,"specificity":null,"f1":1},{"class":"b","precision":null,"recall":null,"specificity":1,"f1":null}],"balanced_error":0,"auc":null,"log_loss":null}`},
	} {
		b, err := json.Marshal(Of(c.tree, rows(c.tree, c.x, c.y)))
		if err != nil || string(b) != c.want {
			t.Errorf("%s: %s, %v\nwant %s", name, b, err, c.want)
		}
	}
	tr := stairs(two, []float64{1, 1})
	if got := Of(tr, &dataset.Dataset{Features: tr.Features, Classes: tr.Classes}); got.Confusion != nil || got.BalancedError != nil || got.AUC != nil || got.LogLoss != nil {
		t.Errorf("of no rows: %+v", got)
	}
}

// TestClassWeights: they are no part of the figures, but of the shares.
func TestClassWeights(t *testing.T) {
	tr := stairs([]string{"no", "yes"}, []float64{3, 4}, []float64{1, 8})
	ds := rows(tr, []float64{0, 0, 1, 1}, []int{0, 1, 1, 0}, 1, 2, 3, 1)
	plain := Of(tr, ds)
	for i, y := range ds.Y {
		ds.Weight[i] *= []float64{1, 4}[y]
	}
	ds.Encoder = &dataset.Encoder{ClassWeight: []float64{1, 4}}
	if d := cmp.Diff(plain, Of(tr, ds)); d != "" {
		t.Error(d)
	}
	if *plain.PerClass[1].Precision != 5.0/7 {
		t.Errorf("precision %v", *plain.PerClass[1].Precision)
	}
}

// TestAgainstRows: every figure, computed row by row and pair by pair from its
// definition.
func TestAgainstRows(t *testing.T) {
	datatest.Check(t, func(t *rapid.T) {
		ds := datatest.Random(t, 12, 2, 4)
		tr := randomTree(t, ds)
		got := Of(tr, ds)
		want := bruteFigures(tr, ds)
		if d := cmp.Diff(want, got, cmpopts.EquateApprox(1e-12, 1e-12)); d != "" {
			t.Fatalf("(-want +got)\n%s", d)
		}
		twice := ds.Subset(append(all(ds.N()), all(ds.N())...))
		if d := cmp.Diff(got.PerClass, Of(tr, twice).PerClass, cmpopts.EquateApprox(1e-12, 1e-12)); d != "" {
			t.Fatalf("every row twice (-once +twice)\n%s", d)
		}
	})
}

func all(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// randomTree has two levels and is annotated with some of the rows.
func randomTree(t *rapid.T, ds *dataset.Dataset) *tree.Tree {
	split := func() *tree.Split {
		return tree.Univariate(rapid.IntRange(0, ds.P()-1).Draw(t, "feature"), float64(rapid.IntRange(-1, 7).Draw(t, "threshold")))
	}
	class := func() int { return rapid.IntRange(0, ds.K()-1).Draw(t, "class") }
	tr := &tree.Tree{Features: ds.Features, Classes: ds.Classes, Nodes: []tree.Node{
		{Split: split(), Left: 1, Right: 2}, {Split: split(), Left: 3, Right: 4}, {Class: class()}, {Class: class()}, {Class: class()},
	}}
	tr.Annotate(ds.Subset(all(rapid.IntRange(1, ds.N()).Draw(t, "training rows"))))
	return tr
}

// bruteFigures works from the lists of rows.
func bruteFigures(tr *tree.Tree, ds *dataset.Dataset) Figures {
	k := ds.K()
	f := Figures{Confusion: &Confusion{Classes: ds.Classes, Counts: make([][]float64, k)}}
	weight := func(is func(i int) bool) float64 {
		sum := 0.0
		for i := range ds.Y {
			if is(i) {
				sum += ds.Weight[i]
			}
		}
		return sum
	}
	predicted := make([]int, ds.N())
	for i := range ds.Y {
		predicted[i] = tr.Predict(ds.Row(i))
	}
	recalls, present := 0.0, 0.0
	for c := range k {
		f.Confusion.Counts[c] = make([]float64, k)
		for i, y := range ds.Y {
			if y == c {
				f.Confusion.Counts[c][predicted[i]] += ds.Count[i]
			}
		}
		right := weight(func(i int) bool { return ds.Y[i] == c && predicted[i] == c })
		of := weight(func(i int) bool { return ds.Y[i] == c })
		as := weight(func(i int) bool { return predicted[i] == c })
		one := Class{Class: ds.Classes[c]}
		if rest := weight(func(i int) bool { return ds.Y[i] != c }); rest > 0 {
			one.Specificity = number(weight(func(i int) bool { return ds.Y[i] != c && predicted[i] != c }) / rest)
		}
		if as > 0 {
			one.Precision = number(right / as)
		}
		if of > 0 {
			one.Recall = number(right / of)
			recalls += right / of
			present++
		}
		if of+as > 0 {
			one.F1 = number(0)
		}
		if right > 0 {
			one.F1 = number(2 / (1 / *one.Precision + 1 / *one.Recall))
		}
		f.PerClass = append(f.PerClass, one)
	}
	f.BalancedError = number(1 - recalls/present)
	loss, total, areas, curves := 0.0, 0.0, 0.0, 0.0
	share := func(i, c int) float64 {
		n := &tr.Nodes[tr.Find(ds.Row(i))]
		return n.Weight[c] / add(n.Weight)
	}
	for i, y := range ds.Y {
		if math.IsNaN(share(i, y)) {
			return f
		}
		loss -= ds.Weight[i] * math.Log(math.Max(share(i, y), 1e-15))
		total += ds.Weight[i]
	}
	f.LogLoss = number(loss / total)
	for c := range k {
		if k == 2 && c == 0 {
			continue
		}
		won, pairs := 0.0, 0.0
		for i := range ds.Y {
			for j := range ds.Y {
				if ds.Y[i] != c || ds.Y[j] == c {
					continue
				}
				pair := ds.Weight[i] * ds.Weight[j]
				pairs += pair
				switch a, b := share(i, c), share(j, c); {
				case a > b:
					won += pair
				case a == b:
					won += pair / 2
				}
			}
		}
		if pairs > 0 {
			areas += won / pairs
			curves++
		}
	}
	if curves > 0 {
		f.AUC = number(areas / curves)
	}
	return f
}

// TestEqualShares: shares that rounding alone makes different count as equal.
func TestEqualShares(t *testing.T) {
	a, b := 0.1, 0.2
	tr := stairs([]string{"no", "yes"}, []float64{a, b}, []float64{7 * a, 7 * b})
	shares := Shares(tr)
	if shares[1][1] == shares[2][1] {
		t.Fatal("no difference to forgive")
	}
	if got := Of(tr, rows(tr, []float64{0, 1}, []int{0, 1})); *got.AUC != 0.5 {
		t.Errorf("%v", *got.AUC)
	}
}

// TestWeightsOfAnySize: figures do not change when all weights are multiplied by a number,
// however large or small.
func TestWeightsOfAnySize(t *testing.T) {
	for _, classes := range [][]string{{"no", "yes"}, {"no", "yes", "never"}} {
		leaf := func(no, yes float64) []float64 { return append([]float64{no, yes}, make([]float64, len(classes)-2)...) }
		figures := func(size float64) Figures {
			tr := stairs(classes, leaf(3*size, size), leaf(size, size), leaf(0, 4*size))
			return Of(tr, rows(tr, []float64{0, 0, 1, 2, 2, 2}, []int{0, 1, 1, 1, 0, 1}, size, size, 2*size, size, size, 4*size))
		}
		want := figures(1)
		for _, size := range []float64{1e-310, 1e-300, 1e-160, 1e154, 1e200, 1e299} {
			got := figures(size)
			if d := cmp.Diff(want, got, near); d != "" {
				t.Errorf("weights of %g: %s", size, d)
			}
			if _, err := json.Marshal(got); err != nil {
				t.Errorf("weights of %g: %v", size, err)
			}
		}
	}
}

// TestManyClasses: of more than MatrixClasses classes the matrix is a list of its entries,
// and as large as the rows are many.
func TestManyClasses(t *testing.T) {
	for _, k := range []int{MatrixClasses, MatrixClasses + 1, 40 * MatrixClasses} {
		classes, leaf := make([]string, k), make([]float64, k)
		x, y := make([]float64, k+1), make([]int, k+1)
		for i := range k {
			classes[i], leaf[i], y[i] = strconv.Itoa(i), 1, i
		}
		other := make([]float64, k)
		other[1] = 5
		x[k], y[k] = 1, 1
		tr := stairs(classes, leaf, other)
		got := Of(tr, rows(tr, x, y))
		c := got.Confusion
		if k <= MatrixClasses {
			if len(c.Counts) != k || c.Cells != nil {
				t.Errorf("%d classes: %d lines of counts, %d cells", k, len(c.Counts), len(c.Cells))
			}
		} else if c.Counts != nil || len(c.Cells) != k+1 || c.Cells[1] != (Cell{1, 0, 1}) || c.Cells[2] != (Cell{1, 1, 1}) {
			t.Errorf("%d classes: %d lines of counts, %d cells", k, len(c.Counts), len(c.Cells))
		}
		m := c.Margins()
		if m[0] != (Margin{1, float64(k), 1}) || m[1] != (Margin{2, 1, 1}) || m[2] != (Margin{1, 0, 0}) {
			t.Errorf("%d classes: margins %v", k, m[:3])
		}
		if *got.PerClass[0].Precision != 1/float64(k) || *got.PerClass[1].Recall != 0.5 || got.AUC == nil {
			t.Errorf("%d classes: %+v", k, got.PerClass[:2])
		}
	}
}
