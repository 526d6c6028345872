//go:build cgo && !nohighs

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/tree"
)

const small = "a,b,class\n1,1,no\n1,2,yes\n2,1,no\n2,2,yes\n3,1,no\n3,2,no\n4,1,yes\n4,2,yes\n"

// keys lists the paths of all values of an object; tree.json has a schema of its
// own and is left out.
func keys(prefix string, v any) []string {
	object, ok := v.(map[string]any)
	if !ok || prefix == "tree." {
		return []string{strings.TrimSuffix(prefix, ".")}
	}
	var list []string
	for key, value := range object {
		list = append(list, keys(prefix+key+".", value)...)
	}
	slices.Sort(list)
	return list
}

func runJSON(t *testing.T, stdin string, args ...string) map[string]any {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(context.Background(), args, strings.NewReader(stdin), &out, &errs); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	d := json.NewDecoder(&out)
	var object map[string]any
	if err := d.Decode(&object); err != nil {
		t.Fatal(err)
	}
	if d.More() {
		t.Error("more than one object")
	}
	return object
}

// TestJSONKeys: the keys of `fit --json` are a contract.
func TestJSONKeys(t *testing.T) {
	all := []string{
		"method", "engine", "prover", "status", "objective", "bound", "gap", "limit", "seconds", "tree",
		"data.class_counts", "data.classes", "data.columns", "data.features", "data.file", "data.rows", "data.rows_dropped", "data.rows_read", "data.sha256", "data.warnings", "check.errors_match",
	}
	scores := func(name string, more ...string) []string {
		list := []string{name + ".accuracy", name + ".depth", name + ".error_weight", name + ".errors", name + ".features_used", name + ".rows", name + ".splits",
			name + ".auc", name + ".balanced_error", name + ".confusion.classes", name + ".confusion.counts", name + ".log_loss", name + ".per_class"}
		return append(list, more...)
	}
	oct := slices.Concat(all, scores("train", "train.objective"), []string{
		"baseline.errors", "baseline.method", "check.feasible", "check.max_violation", "check.objective_matches",
		"formulation.binaries", "formulation.build_seconds", "formulation.coef_max", "formulation.coef_min", "formulation.columns", "formulation.encoding", "formulation.form",
		"formulation.nonzeros", "formulation.rows", "formulation.tightenings",
		"solver.bound", "solver.gap", "solver.name", "solver.nodes", "solver.objective", "solver.raw", "solver.seconds",
		"solver.start", "solver.start_gain", "solver.start_objective", "solver.start_seconds", "solver.status", "solver.version",
	})
	for name, c := range map[string]struct {
		args []string
		want []string
	}{
		"oct":     {[]string{"--quiet", "--engine", "mio", "--start", "cart"}, oct},
		"proved":  {[]string{"--quiet", "--engine", "mio", "--alpha", "0.1"}, append([]string{"search.bound", "search.seconds", "search.status"}, oct...)},
		"holdout": {[]string{"--quiet", "--engine", "mio", "--start", "cart", "--holdout", "0.25"}, append(scores("test", "baseline.test_errors"), oct...)},
		"search": {[]string{"--quiet"}, slices.Concat(all, scores("train", "train.objective"), []string{
			"baseline.errors", "baseline.method", "check.feasible", "check.objective_matches", "search.bound", "search.seconds", "search.status",
			"solver.bound", "solver.gap", "solver.name", "solver.nodes", "solver.objective", "solver.seconds",
			"solver.start", "solver.start_gain", "solver.start_objective", "solver.status",
			"solver.search.batches", "solver.search.cache_hits", "solver.search.cache_size", "solver.search.closed", "solver.search.cuts",
			"solver.search.nodes", "solver.search.pairs", "solver.search.shortened", "solver.search.spans", "solver.search.stumps",
			"solver.search.targets", "solver.search.work",
		})},
		"costs": {[]string{"--method", "local-search", "--quiet", "--cost-matrix", "yes:no=2", "--holdout", "0.25"}, slices.Concat(all,
			scores("train", "train.objective", "train.cost"), scores("test", "test.cost"), []string{
				"data.cost_matrix",
				"baseline.cost", "baseline.errors", "baseline.method", "baseline.test_cost", "baseline.test_errors",
				"heuristic.best_seconds", "heuristic.kicks", "heuristic.moves", "heuristic.restarts", "heuristic.seconds", "heuristic.seed", "heuristic.splits", "heuristic.work",
			})},
		"cart": {[]string{"--method", "cart"}, slices.Concat(all, scores("train", "train.objective"), []string{"heuristic.grown_splits"})},
		"local-search": {[]string{"--method", "local-search", "--quiet"}, slices.Concat(all,
			scores("train", "train.objective"), []string{
				"baseline.errors", "baseline.method", "heuristic.best_seconds", "heuristic.kicks", "heuristic.moves", "heuristic.restarts", "heuristic.seconds", "heuristic.seed", "heuristic.splits", "heuristic.work",
			})},
	} {
		t.Run(name, func(t *testing.T) {
			got := keys("", runJSON(t, small, append([]string{"fit", "-", "--json"}, c.args...)...))
			slices.Sort(c.want)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("keys (-want +got):\n%s", diff)
			}
		})
	}
}

// TestJSONTree: the tree in the object is a tree.json.
func TestJSONTree(t *testing.T) {
	object := runJSON(t, small, "fit", "-", "--json", "--quiet")
	b, err := json.Marshal(object["tree"])
	if err != nil {
		t.Fatal(err)
	}
	tr, err := tree.ReadJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if tr.Splits() != 3 || tr.Encoder == nil {
		t.Errorf("the tree is %v", tr)
	}
}
