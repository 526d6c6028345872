package instances_test

import (
	"encoding/csv"
	"strconv"
	"strings"
	"testing"
)

// table is instances.csv by the names of the instances.
func table(t *testing.T, dir string) map[string]map[string]string {
	t.Helper()
	lines, err := csv.NewReader(strings.NewReader(string(files(t, dir)["instances.csv"]))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]map[string]string{}
	for _, l := range lines[1:] {
		all[l[0]] = map[string]string{}
		for i, name := range lines[0] {
			all[l[0]][name] = l[i]
		}
	}
	return all
}

// TestConstrained: the point of a program with constraints is that of the search under
// them, proved; what no tree holds has no point.
func TestConstrained(t *testing.T) {
	dir, err := write(t, `
name: constrained
data: [{file: points.csv}]
methods:
  - {name: free, method: oct, depth: 2, encoding: flow}
  - {name: flow, method: oct, depth: 2, encoding: flow, share: "y<=0.25"}
  - {name: cut, method: oct, depth: 2, encoding: cut, share: "y<=0.25"}
  - {name: priced, method: oct, depth: 2, feature_cost: "a=0.01,b=0.02"}
  - {name: never, method: oct, depth: 1, recall: "y>=1", precision: "y>=1"}
`)
	if err != nil {
		t.Fatal(err)
	}
	// Four rows of eight are y: without b, or with two rows called y, half of them stay wrong.
	for name, want := range map[string]string{"free": "opt 0", "flow": "opt 0.5", "cut": "opt 0.5", "priced": "opt 0.03", "never": "inf "} {
		l := table(t, dir)["points-"+name]
		if got := l["status"] + " " + l["objective"]; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if all := files(t, dir); all["points-never.sol"] != nil || !strings.Contains(string(all["octgen.solu"]), "=inf= points-never\n") {
		t.Errorf("%s", all["octgen.solu"])
	}
}

// TestHyperplanes: the point of oct-h is no worse than the best univariate tree of its
// depth, nor than the single leaf, and the errors that no tree avoids are the optimum.
func TestHyperplanes(t *testing.T) {
	dir, err := write(t, `
name: hyperplanes
data:
  - {file: points.csv}
  - {name: drawn, generate: oct-tree, features: 3, rows: 20, label_noise: 0.1, seed: 1}
methods:
  - {name: axes, method: oct, depth: 2}
  - {name: planes, method: oct-h, depth: 2}
  - {name: right, method: oct-h, depth: 2, margin: right}
  - {name: dear, method: oct-h, depth: 2, alpha: 1}
  - {name: sets, method: oct-h, depth: 1, encoding: indicator, max_splits: 2}
  - {name: fixed, method: gto, depth: 2}
`)
	if err != nil {
		t.Fatal(err)
	}
	all := table(t, dir)
	value := func(name string) float64 {
		v, err := strconv.ParseFloat(all[name]["objective"], 64)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		return v
	}
	for _, data := range []string{"points", "drawn"} {
		if u := value(data + "-axes"); value(data+"-planes") > u || value(data+"-right") > u {
			t.Errorf("%s: %v and %v, univariate %v", data, value(data+"-planes"), value(data+"-right"), u)
		}
		if value(data+"-dear") != 1 {
			t.Errorf("%s: %v, want the single leaf's", data, value(data+"-dear"))
		}
		if l := all[data+"-planes"]; (l["status"] == "opt") != (l["objective"] == "0") || l["max_splits"] != "" || l["indicators"] != "0" {
			t.Errorf("%s: %v", data, l)
		}
		if l := all[data+"-sets"]; l["max_splits"] != "2" || l["indicators"] == "0" {
			t.Errorf("%s: %v", data, l)
		}
		if l := all[data+"-fixed"]; l["depth"] != "2" || l["objective"] == "" {
			t.Errorf("%s: %v", data, l)
		}
	}
}
