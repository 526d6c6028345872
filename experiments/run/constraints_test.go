package run

import (
	"errors"
	"strings"
	"testing"

	"github.com/octgen/octgen/experiments/internal/trial"
	"github.com/octgen/octgen/experiments/spec"
)

// TestConstraintsOfTheData: what constraints name and the data have not is a mistake in the
// spec, told with its place before anything runs.
func TestConstraintsOfTheData(t *testing.T) {
	const good = `name: constrained
data: [{file: d.csv, group: b, positive: yes}]
evaluate: {folds: 3}
methods:
  - {name: CART, method: cart}
  - {name: fair, method: oct, positive: yes, recall: no>=0.5, frontier: {constraint: "statistical-parity:b@x,y", limits: [0.2, 0.1]}}
`
	plan(t, trial.Write(t, good))
	for _, c := range []struct{ old, new, want string }{
		{"positive: yes}]", "positive: yess}]", `2:42: data[0].positive: no class "yess"; did you mean "yes"?`},
		{"group: b, positive: yes", "ignore: a", `6:123: methods[1].fair: the data d have no group b; want group: b among their keys`},
		{"no>=0.5", "noo>=0.5", `6:54: methods[1].recall: noo>=0.5 of the data d: no class noo; did you mean "no"?`},
		{"b@x,y", "b@x,w", "6:123: methods[1].fair: statistical-parity:b@x,w<=0.2 of the data d: the column b has no level w; it has x,y,z"},
		{"positive: yes, recall", "positive: maybe, recall", "methods[1].fair: statistical-parity:b@x,y<=0.2 of the data d: --positive: no class maybe; the classes are no,yes"},
		{"recall: no>=0.5", "forbid: c", "methods[1].forbid: c of the data d: no feature column c; the columns are a"},
	} {
		text := strings.Replace(good, c.old, c.new, 1)
		if text == good {
			t.Fatalf("%q is not in the spec", c.old)
		}
		s, err := spec.Load(trial.Write(t, text))
		if err != nil {
			t.Fatal(err)
		}
		_, err = NewPlan(s)
		var e *spec.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v\nwant %s", c.new, err, c.want)
		}
	}
}
