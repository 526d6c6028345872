package vertex

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/experiments/generate"
	"github.com/octgen/octgen/formulate/gto"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/tree"
)

// splitRate is the error rate of one pair of training and test set, in percent.
type splitRate struct{ train, test float64 }

func rateOf(t *tree.Tree, train, test *dataset.Dataset) splitRate {
	return splitRate{100 * (1 - t.Evaluate(train).Accuracy), 100 * (1 - t.Evaluate(test).Accuracy)}
}

// meanRate returns the averages and the standard error of the test error.
func meanRate(all []splitRate) (mean splitRate, se float64) {
	n := float64(len(all))
	for _, r := range all {
		mean.train += r.train / n
		mean.test += r.test / n
	}
	for _, r := range all {
		se += (r.test - mean.test) * (r.test - mean.test)
	}
	return mean, math.Sqrt(se / (n - 1) / n)
}

// foldPairs returns the training and test sets of k-fold cross-validation.
func foldPairs(t *testing.T, ds *dataset.Dataset, k int, seed uint64) (pairs [][2]*dataset.Dataset) {
	t.Helper()
	folds, err := ds.Folds(k, seed)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range folds {
		pairs = append(pairs, [2]*dataset.Dataset{ds.Subset(ds.Complement(test)), ds.Subset(test)})
	}
	return pairs
}

// TestStudyGTO prints Table 1 of Bennett & Blue (1996) with octgen's results: Frank-Wolfe and EPTS
// on the product error, and both with the visited point of fewest errors.
func TestStudyGTO(t *testing.T) {
	datatest.Long(t)
	ctx := context.Background()
	type line struct {
		name   string
		paper  [4]float64 // FW train, test; EPTS train, test
		splits [][2]*dataset.Dataset
		most   int // iterations of EPTS; 0 for the paper's
	}
	var lines []line
	twenty := [4]float64{3.3, 11.5, 2.5, 12.2}
	for _, g := range []struct {
		name     string
		features int
		paper    [4]float64
		share    float64 // 0 for the generator's default
		most     int
	}{
		{"generated 5-D", 5, [4]float64{3.0, 4.1, 2.4, 3.8}, 0, 0}, {"generated 10-D", 10, [4]float64{6.3, 10.0, 3.6, 8.0}, 0, 0},
		{"generated 20-D", 20, twenty, 0, 0}, {"20-D, 30,000 iterations", 20, twenty, 0, 30_000}, {"20-D, trees of any shares", 20, twenty, 0.001, 0},
	} {
		l := line{name: g.name, paper: g.paper, most: g.most}
		for seed := range uint64(5) {
			train, test, _, err := generate.GTO{Features: g.features, Rows: 500, TestRows: 2000, Seed: seed + 1, MinShare: g.share}.Data()
			if err != nil {
				t.Fatal(err)
			}
			l.splits = append(l.splits, [2]*dataset.Dataset{train, test})
		}
		lines = append(lines, l)
	}
	for _, d := range []struct {
		file, name string
		paper      [4]float64
	}{
		{"heart-cleveland", "heart", [4]float64{17.7, 17.8, 15.2, 20.6}}, {"breast-cancer-wisconsin", "cancer", [4]float64{2.0, 4.0, 2.3, 3.4}},
		{"pima", "diabetes", [4]float64{24.1, 25.1, 22.0, 23.2}}, {"bupa", "liver", [4]float64{28.1, 32.2, 35.3, 38.6}},
	} {
		lines = append(lines, line{name: d.name, paper: d.paper, splits: foldPairs(t, datatest.Load(t, d.file), 5, 1)})
	}
	table := "| data | FW paper | FW | FW fewest | EPTS paper | EPTS | EPTS fewest |\n|---|---:|---:|---:|---:|---:|---:|\n"
	for _, l := range lines {
		var all [4][]splitRate
		for _, s := range l.splits {
			for k, fewest := range []bool{false, true} {
				fw, err := FrankWolfe(ctx, s[0], FrankWolfeOptions{FewestErrors: fewest})
				if err != nil {
					t.Fatal(err)
				}
				all[k] = append(all[k], rateOf(fw.Tree, s[0], s[1]))
			}
			p, err := GTOStart{}.prepare(ctx, s[0])
			if err != nil {
				t.Fatal(err)
			}
			v := newGTOVertex(pulse.New(context.Background()), p.m, newGTOError(p.m, p.layout, gto.ProductError), p.planes, 0)
			v.watching = true
			v.watch()
			runTabuSearch(pulse.New(ctx), v, v.isBasic, TabuOptions{Iterations: l.most})
			for k, point := range []*gtoPoint{&v.best, &v.fewest} {
				v.recall(point)
				u, _, err := p.trees(v.decisions())
				if err != nil {
					t.Fatal(err)
				}
				all[2+k] = append(all[2+k], rateOf(u, s[0], s[1]))
			}
		}
		cell := func(k int) string {
			m, se := meanRate(all[k])
			return fmt.Sprintf("%.1f / %.1f ± %.1f", m.train, m.test, se)
		}
		row := fmt.Sprintf("| %s | %.1f / %.1f | %s | %s | %.1f / %.1f | %s | %s |", l.name, l.paper[0], l.paper[1], cell(0), cell(1), l.paper[2], l.paper[3], cell(2), cell(3))
		t.Log(row)
		table += row + "\n"
	}
	t.Log("\n" + table)
}

// TestStudyMSMT prints Table 1 of Bennett (1992) with octgen's results: ten-fold cross-validation
// error over five seeds, leaves and error on all data.
func TestStudyMSMT(t *testing.T) {
	datatest.Long(t)
	ctx := context.Background()
	table := "| data | paper CV error, leaves | CV error (mean of 5 seeds, range) | leaves | training error |\n|---|---:|---:|---:|---:|\n"
	for _, d := range []struct {
		file  string
		paper string
	}{{"breast-cancer-wisconsin", "3.0 %, 2"}, {"heart-cleveland", "22.6 %, 2"}, {"pima", ""}, {"bupa", ""}, {"iris", ""}, {"wine", ""}} {
		ds := datatest.Load(t, d.file)
		mean, low, high := 0.0, math.Inf(1), 0.0
		for seed := range uint64(5) {
			wrong := 0.0
			for _, s := range foldPairs(t, ds, 10, seed+1) {
				res, err := MSMT(ctx, s[0], MSMTOptions{})
				if err != nil {
					t.Fatal(err)
				}
				wrong += res.Tree.Evaluate(s[1]).Errors
			}
			rate := 100 * wrong / float64(ds.N())
			mean, low, high = mean+rate/5, min(low, rate), max(high, rate)
		}
		all, err := MSMT(ctx, ds, MSMTOptions{})
		if err != nil {
			t.Fatal(err)
		}
		table += fmt.Sprintf("| %s | %s | %.1f %% (%.1f to %.1f) | %d | %.1f %% |\n", d.file, d.paper, mean, low, high, all.Tree.Splits()+1, 100*(1-all.Tree.Evaluate(ds).Accuracy))
	}
	t.Log("\n" + table)
}

// benchVertex returns a vertex of the three-decision tree on n x p normal data.
func benchVertex(b *testing.B, n, p int) *gtoVertex {
	b.Helper()
	rng := rand.New(rand.NewPCG(1, uint64(n+p)))
	x, y, names := make([]float64, n*p), make([]int, n), make([]string, p)
	for j := range names {
		names[j] = fmt.Sprintf("x%d", j)
	}
	for i := range y {
		y[i] = i % 2
		for j := range p {
			x[i*p+j] = rng.NormFloat64() + float64(y[i])/2
		}
	}
	ds, err := dataset.New(x, y, names, []string{"a", "b"})
	if err != nil {
		b.Fatal(err)
	}
	q, err := GTOStart{}.prepare(context.Background(), ds)
	if err != nil {
		b.Fatal(err)
	}
	return newGTOVertex(pulse.New(context.Background()), q.m, newGTOError(q.m, q.layout, gto.ProductError), q.planes, 1)
}

var benchSizes = [][2]int{{200, 5}, {200, 20}, {768, 8}, {768, 40}, {5000, 8}, {5000, 40}}

// BenchmarkVertexStep measures a move of EPTS without evaluations: pivot, activities, coefficients.
func BenchmarkVertexStep(b *testing.B) {
	for _, s := range benchSizes {
		b.Run(fmt.Sprintf("%dx%d", s[0], s[1]), func(b *testing.B) {
			v := benchVertex(b, s[0], s[1])
			rng := rand.New(rand.NewPCG(1, 1))
			b.ReportAllocs()
			for b.Loop() {
				e := rng.IntN(v.edges())
				for v.meeting(e).v == artificial {
					e = rng.IntN(v.edges())
				}
				v.step(e)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pivots/s")
		})
	}
}

// BenchmarkNeighbourValue measures the evaluation of a neighbour with a known step.
func BenchmarkNeighbourValue(b *testing.B) {
	for _, s := range benchSizes {
		b.Run(fmt.Sprintf("%dx%d", s[0], s[1]), func(b *testing.B) {
			v := benchVertex(b, s[0], s[1])
			var edges []int
			for e := range v.edges() {
				if v.meeting(e).v != artificial {
					edges = append(edges, e)
				}
			}
			b.ReportAllocs()
			i, sum := 0, 0.0
			for b.Loop() {
				sum += v.value(edges[i%len(edges)], math.Inf(1))
				i++
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "values/s")
			_ = sum
		})
	}
}

// BenchmarkEPTS measures 10,000 iterations on pima (768 x 8, three decisions, product error).
func BenchmarkEPTS(b *testing.B) {
	ds := datatest.Load(b, "pima")
	for b.Loop() {
		res, err := EPTS(context.Background(), ds, EPTSOptions{})
		if err != nil || res.Stats.Iterations != 10_000 {
			b.Fatal(err, res)
		}
	}
}

// BenchmarkRLP measures native RLP on the papers' data.
func BenchmarkRLP(b *testing.B) {
	for _, name := range []string{"breast-cancer-wisconsin", "heart-cleveland", "pima", "bupa", "sonar", "spambase"} {
		ds := datatest.Load(b, name)
		b.Run(name, func(b *testing.B) {
			steps := 0
			begin := time.Now()
			for b.Loop() {
				res, err := RLP(context.Background(), ds, RLPOptions{})
				if err != nil {
					b.Fatal(err)
				}
				steps += res.Stats.Steps
			}
			b.ReportMetric(float64(steps)/time.Since(begin).Seconds(), "pivots/s")
		})
	}
}
