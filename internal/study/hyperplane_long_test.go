//go:build cgo && !nohighs

package study

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// These studies of OCT-H print docs/tables/oct-h-*.md. They need quiet processors.

// planeLimit is the time of a fit in these studies.
const planeLimit = 60 * time.Second

// published is a data set as the published runs of S-OCT have it, with its name there.
type published struct {
	name, there string
	options     dataset.LoadOptions
}

var planeInstances = []published{
	{"banknote", "banknote_authentication", dataset.LoadOptions{}},
	{"blood-transfusion", "blood_transfusion", dataset.LoadOptions{}},
	{"wdbc", "breast_cancer", dataset.LoadOptions{}},
	{"house-votes-84", "congressional_voting_records", dataset.LoadOptions{Missing: dataset.MissingCategory}},
	{"ionosphere", "ionosphere", dataset.LoadOptions{}},
	{"iris", "iris", dataset.LoadOptions{}},
	{"strongtree/soybean-small", "soybean_small", dataset.LoadOptions{}},
	{"wine", "wine", dataset.LoadOptions{}},
	{"strongtree/balance-scale", "balance_scale", dataset.LoadOptions{}},
}

func (i published) load(t *testing.T) *dataset.Dataset {
	t.Helper()
	ds, err := dataset.Load(filepath.Join(datatest.Dir(t), i.name+".csv"), i.options)
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// fitPlanes solves oct-h at the margin of the paper.
func fitPlanes(t *testing.T, ds *dataset.Dataset, h *problem.OCTH, limit time.Duration, notify func(fit.Event)) *fit.Result {
	t.Helper()
	r, err := fit.Run(context.Background(), ds, fit.Options{
		Method: h, Engine: problem.MIO, Notify: notify, Solve: solvers.Options{TimeLimit: limit, Seed: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func planesOf(depth int) *problem.OCTH {
	return &problem.OCTH{Shape: problem.Shape{Levels: problem.Levels{Depth: problem.Depth(depth)}, Leaves: problem.Leaves{MinLeaf: 1}}}
}

// cell is a result as a cell of a table: errors, the bound in errors, who proved it, seconds.
func cell(r *fit.Result, scale float64) string {
	bound := "0"
	if r.Bound != nil {
		bound = strconv.FormatFloat(math.Abs(math.Ceil(*r.Bound*scale-1e-6)), 'g', -1, 64)
	}
	s := fmt.Sprintf("%.0f, bound %s", r.Train.Errors, bound)
	if r.Status == mio.Optimal.String() {
		s = fmt.Sprintf("**%.0f**", r.Train.Errors)
		if r.Prover != nil {
			s += " by " + *r.Prover
		}
	}
	return fmt.Sprintf("%s, %.1f s", s, r.Seconds)
}

func scaleOf(ds *dataset.Dataset) float64 {
	w, total := ds.ClassWeights(), 0.0
	most := 0.0
	for _, v := range w {
		total += v
		most = max(most, v)
	}
	return total - most
}

// publishedErrors are the fewest errors of the published runs of OCT-H and S-OCT.
func publishedErrors(t *testing.T, name string, depth, rows int) int {
	t.Helper()
	best := rows
	for _, line := range datatest.Reference(t, "soct-gurobi") {
		if line[1] != name || line[2] != strconv.Itoa(depth) || line[0] != "OCT-H" && !strings.HasPrefix(line[0], "SOCT") {
			continue
		}
		right, err := strconv.Atoi(line[4])
		if err != nil {
			t.Fatal(err)
		}
		best = min(best, rows-right)
	}
	return best
}

// TestPlanesPublished holds oct-h within a minute against the best published run of ten
// minutes.
func TestPlanesPublished(t *testing.T) {
	datatest.Long(t)
	t.Log("| data | rows x features | depth | octgen, errors | Gurobi, errors |")
	for _, i := range planeInstances {
		ds := i.load(t)
		for depth := 2; depth <= 4; depth++ {
			r := fitPlanes(t, ds, planesOf(depth), planeLimit, nil)
			want := publishedErrors(t, i.there, depth, ds.N())
			t.Logf("| %s | %d x %d | %d | %s | %d |", i.name, ds.N(), ds.P(), depth, cell(r, scaleOf(ds)), want)
			if int(r.Train.Errors) > want {
				t.Errorf("%s, depth %d: %v errors, published %d", i.name, depth, r.Train.Errors, want)
			}
		}
	}
}

// TestPlanesProved lists what is proved within a minute among trees with errors.
func TestPlanesProved(t *testing.T) {
	datatest.Long(t)
	t.Log("| data | rows x features | depth | errors |")
	for _, c := range []struct {
		name  string
		depth int
	}{
		{"iris", 2}, {"monks-1", 2}, {"fertility", 2}, {"spect-heart", 2}, {"dermatology", 2}, {"image-segmentation", 2},
		{"breast-cancer-wisconsin", 1}, {"monks-1", 1}, {"monks-3", 1}, {"hayes-roth", 1}, {"teaching-assistant", 1}, {"echocardiogram", 1},
		{"fertility", 1}, {"climate-model-crashes", 1}, {"wdbc", 1}, {"spect-heart", 1}, {"iris", 1}, {"seeds", 1}, {"wine", 1},
		{"soybean-small", 1}, {"dermatology", 1}, {"image-segmentation", 1},
	} {
		ds := datatest.Load(t, c.name)
		r := fitPlanes(t, ds, planesOf(c.depth), planeLimit, nil)
		t.Logf("| %s | %d x %d | %d | %s |", c.name, ds.N(), ds.P(), c.depth, cell(r, scaleOf(ds)))
		if r.Status != mio.Optimal.String() {
			t.Errorf("%s, depth %d is not proved", c.name, c.depth)
		}
	}
}

// TestPlanesAblation switches each way to a proof and each tightening off.
func TestPlanesAblation(t *testing.T) {
	datatest.Long(t)
	all := [][]string{nil, {"clauses"}, {"clauses", "rows"}, {"clauses", "label-order"}, {"clauses", "one-row"}, {"clauses", "centring"}, {"clauses", "integral-labels"}, {"clauses", "rows", "chunks"}}
	for _, c := range []struct {
		name    string
		depth   int
		without [][]string
	}{
		{"iris", 2, all}, {"monks-1", 2, [][]string{nil, {"clauses"}, {"clauses", "rows"}}}, {"hayes-roth", 1, [][]string{nil, {"subsystems"}, {"chunks"}, {"subsystems", "chunks"}}},
		{"breast-cancer-wisconsin", 1, [][]string{nil, {"subsystems"}}}, {"pima", 1, [][]string{nil, {"chunks"}}},
	} {
		ds := datatest.Load(t, c.name)
		for _, without := range c.without {
			h := planesOf(c.depth)
			h.Without = without
			r := fitPlanes(t, ds, h, planeLimit, nil)
			t.Logf("| %s, depth %d | %s | %s |", c.name, c.depth, strings.Join(without, ", "), cell(r, scaleOf(ds)))
		}
		h := planesOf(c.depth)
		h.Encoding = "bigm"
		t.Logf("| %s, depth %d | encoding bigm | %s |", c.name, c.depth, cell(fitPlanes(t, ds, h, planeLimit, nil), scaleOf(ds)))
	}
}
