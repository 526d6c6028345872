package heuristics

import (
	"context"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/octgen/octgen/formulate"
)

func TestPlaneStudy(t *testing.T) {
	depth, _ := strconv.Atoi(os.Getenv("LSDEPTH"))
	limit, _ := strconv.ParseFloat(os.Getenv("LSLIMIT"), 64)
	alpha, _ := strconv.ParseFloat(os.Getenv("LSALPHA"), 64)
	for _, name := range strings.Split(os.Getenv("LSNAME"), ",") {
		ds := loadComplete(t, name)
		res, err := LocalSearch(context.Background(), ds, LocalSearchOptions{Depth: depth, Alpha: alpha, Hyperplanes: true, Work: int64(limit)})
		if err != nil {
			t.Fatal(err)
		}
		f, err := formulate.OCTHOptions{Depth: depth, Alpha: alpha}.Build(context.Background(), ds)
		if err != nil {
			t.Fatal(err)
		}
		x, err := f.Start(context.Background(), res.Tree)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		s := res.Stats
		t.Logf("%s: %v errors, %d features, objective %v model %v margin %v; best after %.2f of %.2f s, %.2g work, %d restarts %d kicks %d moves", name, res.Tree.Evaluate(ds).Errors, f.Complexity(res.Tree), s.Objective, f.Model().Objective(x), f.LeastMargin(res.Tree), s.Best.Seconds(), s.Total.Seconds(), float64(s.Work), s.Restarts, s.Kicks, s.Moves)
	}
}
