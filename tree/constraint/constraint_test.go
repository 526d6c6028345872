package constraint_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// TestTexts: what is read is written as it is read again.
func TestTexts(t *testing.T) {
	s, err := constraint.Parse(constraint.Options{
		Rates:      constraint.Rates{Recall: []string{`yes>=0.9`, `">50K">=.5`, `>50K>=0.25`}, Precision: []string{`"a ""b"" c">= 1`}, Share: []string{"yes<=1e-1"}, Fair: []string{"statistical-parity:race<=0.05", `equalized-odds:"a:b"@"x,y",z<=0`}, Positive: "yes"},
		Structural: constraint.Structural{LeafPurity: 0.75, MaxFeatures: 3, FeatureCost: []string{`age=0.1,"b=c"=2`}, Forbid: []string{"u,v", "w"}},
		Univariate: constraint.Univariate{Monotone: []string{"age=-1,bmi=+1"}, ClassOrder: []string{"no,yes"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"recall:yes>=0.9", `recall:">50K">=0.5`, `recall:">50K">=0.25`, `precision:"a ""b"" c">=1`, "share:yes<=0.1",
		"statistical-parity:race<=0.05", `equalized-odds:"a:b"@"x,y",z<=0`,
		"leaf-purity>=0.75", "max-features<=3", `feature-cost:age=0.1,"b=c"=2`, "forbid:u,v,w", "monotone:age=-1,bmi=+1",
	}
	if got := s.Texts(); !slices.Equal(got, want) {
		t.Errorf("texts %q\nwant  %q", got, want)
	}
	o := constraint.Options{Rates: constraint.Rates{Fair: []string{"statistical-parity:race<=0.05", `equalized-odds:"a:b"<=0`, "nonsense"}}}
	if got := o.Groups(); !slices.Equal(got, []string{"race", "a:b"}) {
		t.Errorf("groups %q", got)
	}
}

func TestBadTexts(t *testing.T) {
	for _, c := range []struct {
		o    constraint.Options
		want string
	}{
		{constraint.Options{Rates: constraint.Rates{Recall: []string{"yes"}}}, "--recall yes: it has no >=; want CLASS>=NUMBER, such as yes>=0.9"},
		{constraint.Options{Rates: constraint.Rates{Recall: []string{"yes<=0.9"}}}, `it has "<=0.9" where >= belongs`},
		{constraint.Options{Rates: constraint.Rates{Recall: []string{"yes=0.9"}}}, `it has "=0.9" where >= belongs`},
		{constraint.Options{Rates: constraint.Rates{Recall: []string{">=0.9"}}}, "a name is missing"},
		{constraint.Options{Rates: constraint.Rates{Recall: []string{"yes>=90%"}}}, `"90%" is no number`},
		{constraint.Options{Rates: constraint.Rates{Recall: []string{"yes>=90"}}}, "the limit 90 is not within 0 and 1"},
		{constraint.Options{Rates: constraint.Rates{Share: []string{"yes>=0.1"}}}, "where <= belongs"},
		{constraint.Options{Rates: constraint.Rates{Precision: []string{`"yes>=0.1`}}}, "the double quotes are not closed"},
		{constraint.Options{Rates: constraint.Rates{Fair: []string{"parity:race<=0.1"}, Positive: "y"}}, `no metric "parity"; the metrics are statistical-parity, equal-opportunity`},
		{constraint.Options{Rates: constraint.Rates{Fair: []string{"statistical-parity<=0.1"}, Positive: "y"}}, "it has no :; want METRIC:COLUMN<=NUMBER"},
		{constraint.Options{Rates: constraint.Rates{Fair: []string{"statistical-parity:race<=0.1"}}}, "name the class with --positive"},
		{constraint.Options{Rates: constraint.Rates{Fair: []string{"statistical-parity:a:b<=0.1"}, Positive: "y"}}, `write it in double quotes: "a:b"`},
		{constraint.Options{Rates: constraint.Rates{Fair: []string{"statistical-parity:race@a<=0.1"}, Positive: "y"}}, "want two different levels"},
		{constraint.Options{Structural: constraint.Structural{FeatureCost: []string{"age"}}}, `"age" is no COLUMN=VALUE; want COLUMN=PRICE`},
		{constraint.Options{Structural: constraint.Structural{FeatureCost: []string{"age=-1"}}}, "-1 is not a number from 0 to 1e+300"},
		{constraint.Options{Structural: constraint.Structural{FeatureCost: []string{"age=1e308"}}}, "1e308 is not a number from 0 to 1e+300"},
		{constraint.Options{Structural: constraint.Structural{Forbid: []string{"a,b,a"}}}, "the column a is named twice"},
		{constraint.Options{Univariate: constraint.Univariate{Monotone: []string{"age=2"}}}, `"2" is no sign; want COLUMN=+1`},
	} {
		_, err := constraint.Parse(c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v:\n%v\nwant %q", c.o, err, c.want)
		}
	}
}

// grouped draws data with a group of up to three levels and rows without one.
func grouped(t *rapid.T, maxRows, maxFeatures, maxClasses int) *dataset.Dataset {
	d := datatest.Random(t, maxRows, maxFeatures, maxClasses)
	g := dataset.Group{Name: "g", Levels: []string{"a", "b", "c"}[:rapid.IntRange(1, 3).Draw(t, "levels")]}
	for range d.N() {
		g.Of = append(g.Of, int32(rapid.IntRange(-1, len(g.Levels)-1).Draw(t, "level")))
	}
	d.Groups = []dataset.Group{g}
	if rapid.Bool().Draw(t, "whole") {
		for i := range d.Weight {
			d.Weight[i] *= 4
		}
	}
	return d
}

// randomTree draws a tree of depth at most 2.
func randomTree(t *rapid.T, d *dataset.Dataset) *tree.Tree {
	class := func() int { return rapid.IntRange(0, d.K()-1).Draw(t, "class") }
	tr := tree.NewLeaf(d, class())
	for range rapid.IntRange(0, 3).Draw(t, "splits") {
		var leaves []int
		for i := range tr.Nodes {
			if tr.Nodes[i].Leaf() {
				leaves = append(leaves, i)
			}
		}
		j := rapid.IntRange(0, d.P()-1).Draw(t, "feature")
		tr.Grow(leaves[rapid.IntRange(0, len(leaves)-1).Draw(t, "leaf")], tree.Univariate(j, float64(rapid.IntRange(0, 6).Draw(t, "threshold"))+0.5), class(), class())
	}
	return tr
}

// TestRowsAreValues: the rows of a rate constraint hold for a tree's predictions exactly
// where its value is held; so on the merged rows in units, and H + Slack is never nearer
// to a sum than half a step.
func TestRowsAreValues(t *testing.T) {
	datatest.Times(t, 20, func(t *rapid.T) {
		d := grouped(t, 12, 3, 3)
		limit := float64(rapid.IntRange(0, 20).Draw(t, "limit")) / 20
		class := d.Classes[rapid.IntRange(0, d.K()-1).Draw(t, "of")]
		for _, o := range []constraint.Options{
			{Rates: constraint.Rates{Recall: []string{fmt.Sprintf("%s>=%v", class, limit)}}},
			{Rates: constraint.Rates{Precision: []string{fmt.Sprintf("%s>=%v", class, limit)}}},
			{Rates: constraint.Rates{Share: []string{fmt.Sprintf("%s<=%v", class, limit)}}},
			{Rates: constraint.Rates{Fair: []string{fmt.Sprintf("statistical-parity:g<=%v", limit)}, Positive: class}},
			{Rates: constraint.Rates{Fair: []string{fmt.Sprintf("equal-opportunity:g<=%v", limit)}, Positive: class}},
			{Rates: constraint.Rates{Fair: []string{fmt.Sprintf("predictive-equality:g<=%v", limit)}, Positive: class}},
			{Rates: constraint.Rates{Fair: []string{fmt.Sprintf("equalized-odds:g<=%v", limit)}, Positive: class}},
		} {
			s, err := constraint.Parse(o)
			if err != nil {
				t.Fatal(err)
			}
			merged, _ := d.Merge()
			units, _ := merged.InUnits(dataset.MostUnits)
			tr := randomTree(t, d)
			held := brute(d, tr, o, limit, class)
			for _, on := range []*dataset.Dataset{d, merged, units} {
				b, err := s.On(on)
				if err != nil {
					t.Fatal(err)
				}
				v := b.Values(tr)[0]
				if v.Held != held {
					t.Fatalf("%s: value %v held %v; by hand %v", v.Text, *v.Value, v.Held, held)
				}
				if (len(b.Broken(tr)) == 0) != held {
					t.Fatalf("broken %q, held %v", b.Broken(tr), held)
				}
				class := make([]int, on.N())
				for i := range class {
					class[i] = tr.Predict(on.Row(i))
				}
				rows, clear := true, true
				for i := range b.Rows {
					r := &b.Rows[i]
					sum := r.Sum(class)
					rows = rows && sum <= r.H+1e-10*(1+math.Abs(r.H))
					clear = clear && (r.Slack == 0 || math.Abs(sum-(r.H+r.Slack)) > 0.9*r.Slack)
				}
				if rows != held || !clear {
					t.Fatalf("%s: rows hold: %v, the value: %v; clear of the limit: %v", v.Text, rows, held, clear)
				}
			}
		}
	})
}

// brute says by the definitions whether t holds the one constraint of o, with fractions.
func brute(d *dataset.Dataset, t *tree.Tree, o constraint.Options, limit float64, class string) bool {
	k := slices.Index(d.Classes, class)
	rate := func(of func(i int) bool, hit func(i int) bool) (float64, bool) {
		a, b := 0.0, 0.0
		for i := range d.N() {
			if of(i) {
				b += d.Weight[i]
				if hit(i) {
					a += d.Weight[i]
				}
			}
		}
		return a / b, b > 0
	}
	is := func(i int) bool { return d.Y[i] == k }
	called := func(i int) bool { return t.Predict(d.Row(i)) == k }
	all := func(int) bool { return true }
	switch {
	case o.Recall != nil:
		v, ok := rate(is, called)
		return !ok || v >= limit-1e-9
	case o.Precision != nil:
		v, ok := rate(called, is)
		return !ok || v >= limit-1e-9
	case o.Share != nil:
		v, _ := rate(all, called)
		return v <= limit+1e-9
	}
	held := true
	for _, of := range map[string][]func(int) bool{
		"statistical-parity": {all}, "equal-opportunity": {is}, "predictive-equality": {func(i int) bool { return !is(i) }},
		"equalized-odds": {is, func(i int) bool { return !is(i) }},
	}[strings.SplitN(o.Fair[0], ":", 2)[0]] {
		var rates []float64
		for a := range d.Groups[0].Levels {
			if v, ok := rate(func(i int) bool { return int(d.Groups[0].Of[i]) == a && of(i) }, called); ok {
				rates = append(rates, v)
			}
		}
		if len(rates) > 1 {
			held = held && slices.Max(rates)-slices.Min(rates) <= limit+1e-9
		}
	}
	return held
}

// cars are rows with an encoder: a column of categories, one of numbers.
func cars(t *testing.T) *dataset.Dataset {
	t.Helper()
	d, err := dataset.Read(strings.NewReader("colour,size,doors,class\nred,1,2,0\nblue,2,2,1\ngreen,3,4,1\nred,4,4,2\n"), "cars.csv", dataset.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestStructure(t *testing.T) {
	d := cars(t)
	tr := tree.NewLeaf(d, 0)
	left, right := tr.Grow(0, tree.Univariate(0, 0.5), 0, 0) // colour=blue
	tr.Grow(left, tree.Univariate(2, 0.5), 0, 0)             // colour=red
	tr.Grow(right, tree.Univariate(3, 2.5), 2, 1)            // size
	upper := tree.NewLeaf(d, 0)
	upper.Grow(0, tree.Univariate(0, 0.25), 0, 0)
	fewer := upper.Clone() // of a tree of one of the features, and other classes
	fewer.Features, fewer.Classes = d.Features[:1], []string{"b", "a"}
	other := tree.NewLeaf(d, 0)
	other.Grow(0, tree.Univariate(3, 2.5), 0, 0)
	for _, c := range []struct {
		o    constraint.Options
		want float64
		held bool
		note string
	}{
		{constraint.Options{Structural: constraint.Structural{MaxFeatures: 2}}, 2, true, ""},
		{constraint.Options{Structural: constraint.Structural{MaxFeatures: 1}}, 2, false, ""},
		{constraint.Options{Structural: constraint.Structural{Forbid: []string{"doors"}}}, 0, true, "no split uses it"},
		{constraint.Options{Structural: constraint.Structural{Forbid: []string{"colour,doors"}}}, 1, false, "colour is used"},
		{constraint.Options{Structural: constraint.Structural{FeatureCost: []string{"colour=0.5,doors=4"}}}, 0.5, true, ""},
		{constraint.Options{Univariate: constraint.Univariate{Monotone: []string{"doors=1"}}}, 0, true, "no split breaks the order"},
		{constraint.Options{Univariate: constraint.Univariate{Monotone: []string{"size=+1"}}}, 1, false, "1 split breaks the order"},
		{constraint.Options{Univariate: constraint.Univariate{Monotone: []string{"size=-1"}}}, 0, true, "no split breaks the order"},
		{constraint.Options{Univariate: constraint.Univariate{Monotone: []string{"size=1"}, ClassOrder: []string{"2,1,0"}}}, 0, true, "no split breaks the order"},
		{constraint.Options{FixTree: upper, Fix: "upper.json"}, 0, true, "the split colour is blue stays"},
		{constraint.Options{FixTree: other, Fix: "other.json"}, 1, false, "the split size < 2.5 is not there"},
		{constraint.Options{FixTree: fewer, Fix: "fewer.json"}, 0, true, "the split colour is blue stays"},
		{constraint.Options{Structural: constraint.Structural{LeafPurity: 0.3}}, 0, false, ""},
	} {
		s, err := constraint.Parse(c.o)
		if err != nil {
			t.Fatal(err)
		}
		b, err := s.On(d)
		if err != nil {
			t.Fatal(err)
		}
		if v := b.Values(tr)[0]; *v.Value != c.want || v.Held != c.held || v.Note != c.note {
			t.Errorf("%s: %v, held %v, %q; want %v, %v, %q", v.Text, *v.Value, v.Held, v.Note, c.want, c.held, c.note)
		}
	}
}

func TestNotOfTheData(t *testing.T) {
	d := cars(t)
	d.Groups = []dataset.Group{{Name: "g", Levels: []string{"a", "b"}, Of: []int32{0, 0, 1, -1}}}
	bySize := tree.NewLeaf(d, 0)
	bySize.Grow(0, tree.Univariate(3, 2.5), 0, 0)
	foreign := bySize.Clone()
	foreign.Features = []string{"sise"}
	foreign.Nodes[0].Split = tree.Univariate(0, 2.5)
	for _, c := range []struct {
		o    constraint.Options
		want string
	}{
		{constraint.Options{Rates: constraint.Rates{Recall: []string{"x>=0.9"}}}, "--recall x>=0.9: no class x; the classes are 0,1,2"},
		{constraint.Options{Rates: constraint.Rates{Fair: []string{"statistical-parity:h<=0.1"}, Positive: "1"}}, "--fair statistical-parity:h<=0.1: the data have no group h"},
		{constraint.Options{Rates: constraint.Rates{Fair: []string{"statistical-parity:g@a,c<=0.1"}, Positive: "1"}}, "the column g has no level c; it has a,b"},
		{constraint.Options{Rates: constraint.Rates{Fair: []string{"statistical-parity:g<=0.1"}, Positive: "9"}}, "--positive: no class 9"},
		{constraint.Options{Structural: constraint.Structural{Forbid: []string{"siz"}}}, `--forbid siz: no feature column siz; did you mean "size"?`},
		{constraint.Options{Univariate: constraint.Univariate{Monotone: []string{"colour=1"}}}, "has categories without an order"},
		{constraint.Options{Univariate: constraint.Univariate{Monotone: []string{"size=1"}, ClassOrder: []string{"0,1"}}}, "--class-order names 2 classes of 3"},
		{constraint.Options{FixTree: bySize, Fix: "size.json", Structural: constraint.Structural{Forbid: []string{"size"}}}, "--fix size.json: the tree splits on size, which --forbid forbids"},
		{constraint.Options{FixTree: foreign, Fix: "foreign.json"}, `--fix foreign.json: the tree splits on sise, which is not a feature of the data; did you mean "size"?`},
	} {
		s, err := constraint.Parse(c.o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = s.On(d); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v:\n%v\nwant %q", c.o, err, c.want)
		}
	}
}

// TestLeftOut: a group without rows for its rate is not compared, and said so.
func TestLeftOut(t *testing.T) {
	d := cars(t)
	d.Groups = []dataset.Group{{Name: "g", Levels: []string{"a", "b"}, Of: []int32{0, 0, 1, -1}}}
	s, err := constraint.Parse(constraint.Options{Rates: constraint.Rates{Fair: []string{"equal-opportunity:g<=0.1"}, Positive: "0"}})
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.On(d)
	if err != nil {
		t.Fatal(err)
	}
	if len(b.Rows) != 0 || len(b.Warnings) != 2 || !strings.Contains(b.Warnings[1], "left out") {
		t.Errorf("%d rows, warnings %q", len(b.Rows), b.Warnings)
	}
	if v := b.Values(tree.NewLeaf(d, 0))[0]; !v.Held || v.Value != nil || v.Note == "" {
		t.Errorf("%+v", v)
	}
}
