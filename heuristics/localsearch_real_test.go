package heuristics

import (
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

type univariateOptimum struct {
	name          string
	rows          int
	depth, errors int
}

// univariateOptima reads the proven least errors beside the data folder.
func univariateOptima(t testing.TB) []univariateOptimum {
	t.Helper()
	path := filepath.Join(dataDir(t), "..", "reference", "univariate-optima.csv")
	f, err := os.Open(path)
	if os.IsNotExist(err) {
		t.Skip("no reference optima at " + path)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var all []univariateOptimum
	for _, l := range lines[1:] {
		o := univariateOptimum{name: l[0]}
		for field, to := range map[int]*int{1: &o.rows, 4: &o.depth, 5: &o.errors} {
			if *to, err = strconv.Atoi(l[field]); err != nil {
				t.Fatal(err)
			}
		}
		all = append(all, o)
	}
	return all
}

// loadComplete is load without the rows that have a missing value, as the
// reference figures have it.
func loadComplete(t testing.TB, name string) *dataset.Dataset {
	t.Helper()
	ds, err := dataset.Load(filepath.Join(dataDir(t), name+".csv"), dataset.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

func TestLocalSearchStudy(t *testing.T) {
	depth, _ := strconv.Atoi(os.Getenv("LSDEPTH"))
	limit, _ := strconv.ParseFloat(os.Getenv("LSLIMIT"), 64)
	seed, _ := strconv.Atoi(os.Getenv("LSSEED"))
	hit, all := 0, 0
	for _, o := range univariateOptima(t) {
		if o.depth != depth || os.Getenv("LSNAME") != "" && os.Getenv("LSNAME") != o.name {
			continue
		}
		ds := loadComplete(t, o.name)
		ctx, cancel := context.WithCancel(context.Background())
		lhat := tree.ErrorScale(ds)
		res, err := LocalSearch(ctx, ds, LocalSearchOptions{Depth: depth, Progress: func(v float64) {
			if v*lhat < float64(o.errors)+0.5 {
				cancel()
			}
		}, TimeLimit: time.Duration(limit * float64(time.Second)), Seed: uint64(seed)})
		if err != nil {
			t.Fatal(err)
		}
		e := int(res.Tree.Evaluate(ds).Errors)
		all++
		mark := ""
		if e == o.errors {
			hit++
		} else {
			mark = "MISS"
		}
		if e < o.errors {
			mark = "BELOW"
		}
		s := res.Stats
		t.Logf("%-30s %6d x %2d  opt %5d  ls %5d %-5s best after %6.2fs total %5.2fs work %.2g/%.2g restarts %d kicks %d moves %d %v", o.name, ds.N(), ds.P(), o.errors, e, mark, s.Best.Seconds(), s.Total.Seconds(), float64(s.BestAfter), float64(s.Work), s.Restarts, s.Kicks, s.Moves, s.Limit)
	}
	t.Logf("%d of %d", hit, all)
}
