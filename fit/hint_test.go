package fit_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/solvers"
)

// TestHints: a search says why it may take long, and what makes it shorter.
func TestHints(t *testing.T) {
	ds, err := dataset.Read(strings.NewReader("a,b,class\n1,1,x\n1,2,y\n2,1,y\n2,2,x\n"), "rows.csv", dataset.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		depth int
		limit time.Duration
		want  string
	}{
		{3, 0, "not proved yet, since all trees of depth 3 on 2 features of 4 rows have to be ruled out: " +
			"--time-limit 60s ends with the best tree so far and a bound, an interrupt (Ctrl-C) does at once; --depth 2 is proved sooner"},
		{1, time.Minute, "not proved yet, since all trees of depth 1 on 2 features of 4 rows have to be ruled out: " +
			"the time limit of 1m0s ends with the best tree so far and a bound"},
	} {
		var hints []string
		m := new(problem.OCT)
		m.Depth = problem.Depth(c.depth)
		_, err := fit.Run(context.Background(), ds, fit.Options{
			Method: m, Solve: solvers.Options{TimeLimit: c.limit}, Notify: func(e fit.Event) { hints = append(hints, e.Hint) },
		})
		if err != nil {
			t.Fatal(err)
		}
		hints = slices.DeleteFunc(hints, func(h string) bool { return h == "" })
		if diff := cmp.Diff([]string{c.want}, hints); diff != "" {
			t.Error(diff)
		}
	}
}
