package spec_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/experiments/spec"
)

const frontiers = `name: frontiers
data: [{file: d.csv, group: race}]
evaluate: {folds: 3}
methods:
  - {name: CART, method: cart}
  - name: fair
    method: oct
    depth: 3
    positive: 1
    recall: 1>=0.5
    fair: equal-opportunity:race<=0.3
    baseline: CART
    frontier: {constraint: "statistical-parity:race@A,B", limits: [0.2, 0.05, 1e-3]}
  - {method: oct, recall: [0>=0.1, 1>=0.2], frontier: {constraint: "recall:>50K", limits: 0.9}}
  - {name: few, method: oct, frontier: {limits: [3, 2], constraint: max_features}}
limits: {time_limit: 60s}
`

// TestFrontier: a list of limits gives a method for each, named by it, with everything else of the
// method.
func TestFrontier(t *testing.T) {
	s, err := spec.Parse([]byte(frontiers), "s.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range s.Methods {
		got = append(got, m.Name+": "+strings.Join(m.Args, " "))
	}
	fair := " --depth=3 --fair=equal-opportunity:race<=0.3 --fair=statistical-parity:race@A\\,B<="
	rest := " --method=oct --positive=1 --recall=1>=0.5 --time-limit=60s"
	want := []string{
		"CART: --method=cart --time-limit=60s",
		"fair 0.2:" + fair + "0.2" + rest,
		"fair 0.05:" + fair + "0.05" + rest,
		"fair 0.001:" + fair + "0.001" + rest,
		"oct 0.9: --method=oct --recall=0>=0.1 --recall=1>=0.2 --recall=>50K>=0.9 --time-limit=60s",
		"few 3: --max-features=3 --method=oct --time-limit=60s",
		"few 2: --max-features=2 --method=oct --time-limit=60s",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var places []any
	for _, m := range s.Methods {
		if m.Frontier == nil {
			places = append(places, nil)
			continue
		}
		places = append(places, *m.Frontier, m.Frontier.Text(), m.Frontier.AtMost())
	}
	parity := "statistical-parity:race@A,B"
	if diff := cmp.Diff([]any{
		nil,
		spec.Frontier{Name: "fair", Constraint: parity, Limit: 0.2}, parity + "<=0.2", true,
		spec.Frontier{Name: "fair", Constraint: parity, Limit: 0.05}, parity + "<=0.05", true,
		spec.Frontier{Name: "fair", Constraint: parity, Limit: 0.001}, parity + "<=0.001", true,
		spec.Frontier{Name: "oct", Constraint: `recall:">50K"`, Limit: 0.9}, `recall:">50K">=0.9`, false,
		spec.Frontier{Name: "few", Constraint: "max-features", Limit: 3}, "max-features<=3", true,
		spec.Frontier{Name: "few", Constraint: "max-features", Limit: 2}, "max-features<=2", true,
	}, places); diff != "" {
		t.Error(diff)
	}
	if s.BaselineOf("fair 0.05") != "CART" {
		t.Errorf("baseline %q", s.BaselineOf("fair 0.05"))
	}
}

// TestFrontierErrors: each mistake is reported at its position.
func TestFrontierErrors(t *testing.T) {
	const limits = "limits: [0.2, 0.05, 1e-3]"
	for _, c := range []struct{ old, new, want string }{
		{limits, "limits: []", "s.yaml:13:67: methods[1].frontier.limits: an empty list; want a list of at least one"},
		{limits, "limits: ~", "s.yaml:13:67: methods[1].frontier.limits: nothing; want a list of at least one"},
		{", " + limits, "", `s.yaml:13:15: methods[1].frontier: the key "limits" is missing`},
		{limits, "limits: [0.2, 0.05, 0.20]", "s.yaml:13:79: methods[1].frontier.limits[2]: the limit 0.2 appears twice"},
		{limits, "limits: [0.2, 1.5]", "s.yaml:13:73: methods[1].frontier.limits[1]: 1.5; want a number, 0 to 1"},
		{limits, "limits: [-0.1]", "s.yaml:13:68: methods[1].frontier.limits[0]: -0.1; want a number, 0 to 1"},
		{limits, "limits: [0.2, tight]", `s.yaml:13:73: methods[1].frontier.limits[1]: "tight"; want a finite number`},
		{limits, "limits: [0.2, race<=0.1]", `methods[1].frontier.limits[1]: "race<=0.1"; want a finite number`},
		{limits, "limits: [0.2, [0.1]]", "methods[1].frontier.limits[1]: a list; want one value"},
		{limits, "limits: {from: 0}", "methods[1].frontier.limits: a mapping; want a list of at least one"},
		{limits, "limit: 0.2", `methods[1].frontier.limit: unknown key; did you mean "limits"?`},
		{`"statistical-parity:race@A,B"`, "parity:race", `s.yaml:13:28: methods[1].frontier.constraint: "parity:race" is not a constraint with a limit; want one of recall:CLASS, precision:CLASS`},
		{`"statistical-parity:race@A,B"`, "statistical-parety:race", `did you mean "statistical-parity"?`},
		{`"statistical-parity:race@A,B"`, "statistical-parity", `s.yaml:13:28: methods[1].frontier.constraint: "statistical-parity"; want statistical-parity:COLUMN`},
		{`"statistical-parity:race@A,B"`, `"statistical-parity:race@A"`, `methods[1].frontier.constraint: @ names A; want two different levels`},
		{`"statistical-parity:race@A,B"`, `"statistical-parity:race<=0.1"`, `methods[1].frontier.constraint: "statistical-parity:race<=0.1" has a limit; want "statistical-parity:race", and the limit among limits`},
		{`"statistical-parity:race@A,B"`, "forbid:race", `"forbid:race" is not a constraint with a limit`},
		{"    positive: 1\n", "", "s.yaml:10:11: methods[1].fair: --fair equal-opportunity:race<=0.3: it compares how often a class is predicted"},
		{"constraint: max_features", "constraint: max-features:2", `s.yaml:15:69: methods[3].frontier.constraint: "max-features:2"; want max-features`},
		{"limits: [3, 2]", "limits: [3, 2.5]", "s.yaml:15:53: methods[3].frontier.limits[1]: 2.5; want a whole number, 1 or more"},
		{"limits: [3, 2]", "limits: [0, 2]", "methods[3].frontier.limits[0]: 0; want a whole number, 1 or more"},
		{"limits: [3, 2], constraint: max_features", "limits: [0.5, 0], constraint: leaf-purity", "methods[3].frontier.limits[1]: 0; want a number, more than 0 and at most 1"},
		{"name: few, method: oct", "name: few, method: cart", "methods[3].max_features: --max-features is not a parameter of cart, but of oct"},
		{"name: few, method: oct", "name: few, method: oct, max_features: 4", "s.yaml:15:44: methods[3].max_features: the frontier also has limits for it; want either of them"},
		{"name: few", "name: fair", ""},
		{"name: few", "name: CART, alpha: -1", "methods[3].alpha: "},
		{"name: CART", "name: few 2", `s.yaml:15:5: methods[3]: two methods are named "few 2"`},
		{"frontier: {limits: [3, 2], constraint: max_features}", "frontier: [3, 2]", "methods[3].frontier: a list; want a mapping (key: value)"},
		{"baseline: CART", "baseline: fair", `no method "fair"`},
	} {
		text := strings.Replace(frontiers, c.old, c.new, 1)
		if text == frontiers {
			t.Fatalf("%q is not in the spec", c.old)
		}
		_, err := spec.Parse([]byte(text), "s.yaml")
		if c.want == "" {
			if err != nil {
				t.Errorf("%q: %v", c.new, err)
			}
			continue
		}
		var e *spec.Error
		if !errors.As(err, &e) || e.Line == 0 || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v\nwant %s", c.new, err, c.want)
		}
	}
}

// TestCountsErrors: penalties for splits and columns are not errors.
func TestCountsErrors(t *testing.T) {
	for keys, want := range map[string]bool{
		"depth: 2": true, "alpha: 0": true, "alpha: 0.0": true, "alpha: 0.01": false, "feature_cost: a=0.1": false, "max_features: 2": true,
	} {
		s, err := spec.Parse([]byte("name: n\ndata: [{file: d.csv}]\nevaluate: {folds: 3}\nmethods: [{method: oct, "+keys+"}]\n"), "s.yaml")
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Methods[0].CountsErrors(); got != want {
			t.Errorf("%s: %v", keys, got)
		}
	}
}
