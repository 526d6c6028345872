package tree

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/dataset"
)

// TestRules: intervals of numbers, dates and categories.
func TestRules(t *testing.T) {
	const file = "age,colour,day,class\n1,red,2020-01-01,a\n2,blue,2020-02-01,b\n3,green,2020-03-01,a\n4,red,2020-04-01,b\n"
	ds, err := dataset.Read(strings.NewReader(file), "x.csv", dataset.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	of := make(map[string]int)
	for j, name := range ds.Features {
		of[name] = j
	}
	tr := NewLeaf(ds, 0)
	_, right := tr.Grow(0, Univariate(of["age"], 1.5), 0, 1)
	left, last := tr.Grow(right, Univariate(of["age"], 3.5), 0, 1)
	notRed, _ := tr.Grow(left, Univariate(of["colour=red"], 0.5), 0, 1)
	tr.Grow(notRed, Univariate(of["colour=blue"], 0.5), 0, 1)
	_, late := tr.Grow(last, Univariate(of["day"], 40), 0, 1)
	tr.Grow(late, Univariate(of["day"], 80), 0, 1)
	tr.Annotate(ds)
	var got []string
	for _, r := range tr.Rules(Format{}) {
		got = append(got, strings.Join(r.Conditions, " and "))
	}
	want := []string{
		"age < 1.5",
		"1.5 <= age < 3.5 and colour is red",
		"1.5 <= age < 3.5 and colour is blue",
		"1.5 <= age < 3.5 and colour is not red and colour is not blue",
		"age >= 3.5 and day < 2020-02-10",
		"age >= 3.5 and day >= 2020-02-10 and day < 2020-03-21",
		"age >= 3.5 and day >= 2020-03-21",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if r := NewLeaf(ds, 0).Rules(Format{}); len(r) != 1 || r[0].Conditions != nil {
		t.Error(r)
	}
}

// TestRulesHold: exactly the rule of its leaf holds of a row.
func TestRulesHold(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		ds, err := dataset.New([]float64{0, 0, 1, 1, 2, 2}, []int{0, 1, 0}, []string{"a", "b"}, []string{"x", "y"})
		if err != nil {
			t.Fatal(err)
		}
		tr := NewLeaf(ds, 0)
		open := []int{0}
		for range r.IntN(12) {
			k := r.IntN(len(open))
			low, high := tr.Grow(open[k], Univariate(r.IntN(2), float64(r.IntN(9))), 0, 1)
			open[k] = low
			open = append(open, high)
		}
		rules := tr.Rules(Format{})
		for range 30 {
			x := []float64{float64(r.IntN(10)), float64(r.IntN(10))}
			for _, rule := range rules {
				if got, want := ruleHolds(t, rule, x), tr.Find(x) == rule.Leaf; got != want {
					t.Fatalf("%v of %v in\n%s: %v, want %v", rule, x, tr, got, want)
				}
			}
		}
	}
}

// ruleHolds evaluates conditions such as "2 <= a < 5" and "b >= 3".
func ruleHolds(t *testing.T, r Rule, x []float64) bool {
	value := func(s string) float64 {
		if s == "a" || s == "b" {
			return x[s[0]-'a']
		}
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, c := range r.Conditions {
		parts := strings.Fields(c)
		for i := 0; i+2 < len(parts); i += 2 {
			a, b := value(parts[i]), value(parts[i+2])
			if ok := map[string]bool{"<": a < b, "<=": a <= b, ">=": a >= b}[parts[i+1]]; !ok {
				return false
			}
		}
	}
	return true
}
