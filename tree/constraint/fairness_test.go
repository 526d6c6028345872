package constraint_test

import (
	"math"
	"slices"
	"testing"

	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/tree/constraint"
	"pgregory.net/rapid"
)

// TestQuantity: the text without its limit; a class may have comparisons, too.
func TestQuantity(t *testing.T) {
	for text, want := range map[string]string{
		`recall:">50K">=0.25`:                       `recall:">50K"`,
		"statistical-parity:race@A,B<=0.05":         "statistical-parity:race@A,B",
		"max-features<=3":                           "max-features",
		"share:yes<=1e-05":                          "share:yes",
		"forbid:u,v":                                "forbid:u,v",
		`forbid:"a<=b"`:                             `forbid:"a<=b"`,
		`feature-cost:"x>=1"=0.5`:                   `feature-cost:"x>=1"=0.5`,
		"monotone:age=-1":                           "monotone:age=-1",
		`equalized-odds:"a>=b"@"x,y",z<=0.30000001`: `equalized-odds:"a>=b"@"x,y",z`,
	} {
		if got := constraint.Quantity(text); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
	if class, ok := constraint.ClassOf(`recall:">50K"`, "recall"); class != ">50K" || !ok {
		t.Errorf("class %q, %v", class, ok)
	}
	if _, ok := constraint.ClassOf("recall:yes", "precision"); ok {
		t.Error("recall is precision")
	}
}

// TestFairnessValue: what a report has of a quantity is what a constraint on it comes to.
func TestFairnessValue(t *testing.T) {
	datatest.Check(t, func(t *rapid.T) {
		d := grouped(t, 20, 2, 3)
		tree := randomTree(t, d)
		positive := rapid.SampledFrom(d.Classes).Draw(t, "positive")
		text := string(rapid.SampledFrom(constraint.Metrics()).Draw(t, "metric")) + ":g"
		levels := d.Groups[0].Levels
		if len(levels) > 2 && rapid.Bool().Draw(t, "pair") {
			text += "@" + levels[2] + "," + levels[0]
		}
		set, err := constraint.Parse(constraint.Options{Rates: constraint.Rates{Fair: []string{text + "<=0.25"}, Positive: positive}})
		if err != nil {
			t.Fatal(err)
		}
		on, err := set.On(d)
		if err != nil {
			t.Fatal(err)
		}
		want := on.Values(tree)[0]
		if constraint.Quantity(want.Text) != text {
			t.Fatalf("quantity of %s", want.Text)
		}
		all, err := constraint.FairnessOf(tree, d, positive)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := all[0].Value(text)
		if ok != (want.Value != nil) || ok && math.Abs(got-*want.Value) > 1e-12 {
			t.Fatalf("%s: %v %v, want %v", text, got, ok, want.Value)
		}
		if _, ok := all[0].Value("statistical-parity:another"); ok {
			t.Fatal("a value of another column")
		}
		if !slices.ContainsFunc(all, func(f constraint.Fairness) bool { return f.Column == "g" }) {
			t.Fatal("no group")
		}
	})
}
