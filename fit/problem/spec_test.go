package problem_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/gto"
	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/formulate/linear"
	"github.com/octgen/octgen/formulate/oct"
	"github.com/octgen/octgen/internal/datatest"
)

// drawShape draws the options of trees.
func drawShape(t *rapid.T, depth int) problem.Shape {
	return problem.Shape{
		Levels: problem.Levels{Depth: problem.Depth(rapid.IntRange(0, depth).Draw(t, "depth"))},
		Price: problem.Price{
			Alpha:     rapid.SampledFrom([]float64{0, 0.01, 1. / 3}).Draw(t, "alpha"),
			MaxSplits: rapid.IntRange(0, 3).Draw(t, "most splits"),
		},
		Leaves: problem.Leaves{MinLeaf: rapid.SampledFrom([]float64{0, 0.25, 1}).Draw(t, "least leaf")},
	}
}

func drawEncoding(t *rapid.T, of []formulate.Encoding) problem.Encoded {
	all := append([]formulate.Encoding{""}, of...)
	return problem.Encoded{Encoding: string(rapid.SampledFrom(all).Draw(t, "encoding"))}
}

func drawEps(t *rapid.T) problem.Perturbation {
	return problem.Perturbation{Eps: rapid.SampledFrom([]float64{0, 0.1, 0.5}).Draw(t, "eps")}
}

func drawFew(t *rapid.T, encoding string) problem.FewFeatures {
	f := problem.FewFeatures{Nu: rapid.IntRange(0, 2).Draw(t, "nu")}
	if encoding != string(formulate.Indicator) && encoding != string(linear.SOS1) {
		f.Box = rapid.SampledFrom([]float64{0, 50}).Draw(t, "box")
	}
	if f.Perturbed = rapid.Bool().Draw(t, "perturbed"); f.Perturbed {
		f.Perturbation = drawEps(t)
	}
	return f
}

// build builds the model of a method.
func build(m problem.Method, ds *dataset.Dataset, o problem.BuildOptions) (*problem.Model, error) {
	p, err := m.On(context.Background(), problem.NewData(ds), 0)
	if err != nil {
		return nil, err
	}
	return p.Build(context.Background(), o)
}

// problems draw each problem with options of all kinds, for data.
var problems = map[string]func(t *rapid.T, ds *dataset.Dataset) problem.Method{
	"oct": func(t *rapid.T, _ *dataset.Dataset) problem.Method {
		m := &problem.OCT{Encoded: drawEncoding(t, oct.Encodings())}
		if m.Encoding == "" || m.Encoding == string(oct.Threshold) {
			m.Shape = drawShape(t, 3)
			tightenings := []string{"continuous-last", "thin-last", "sibling-labels", "group-points", "label-pairs", "blocks"}
			m.Without = rapid.SliceOfDistinct(rapid.SampledFrom(tightenings), rapid.ID[string]).Draw(t, "without")
			slices.Sort(m.Without)
			return m
		}
		m.Shape = drawShape(t, 2)
		if m.Encoding == string(oct.Cut) {
			m.MinLeaf = 0 // it refuses more than the lightest row
		}
		if oct.FactsOf(formulate.Encoding(m.Encoding)).Scaled {
			m.Scale = rapid.SampledFrom([]string{"", "rank", "minmax"}).Draw(t, "scale")
		}
		return m
	},
	"oct-h": func(t *rapid.T, _ *dataset.Dataset) problem.Method {
		mu := rapid.SampledFrom([]float64{0, 0.01, 0.1}).Draw(t, "mu")
		m := &problem.OCTH{Shape: drawShape(t, 2), Margin: problem.Margin{Mu: mu}, Keeping: rapid.SampledFrom([]string{"", "all", "right"}).Draw(t, "margin")}
		names := hyperplane.Switches()
		if m.Encoded = drawEncoding(t, hyperplane.EncodingsOf(hyperplane.Margin(m.Keeping))); m.Encoding != "" && !hyperplane.FactsOf(formulate.Encoding(m.Encoding)).Tightened {
			names = hyperplane.Proofs()
		}
		m.Without = rapid.SliceOfDistinct(rapid.SampledFrom(names), rapid.ID[string]).Draw(t, "without")
		if m.Keeping == "right" {
			m.MinLeaf = 0
		}
		return m
	},
	"rlp":   func(*rapid.T, *dataset.Dataset) problem.Method { return new(problem.RLP) },
	"rlp-p": func(t *rapid.T, _ *dataset.Dataset) problem.Method { return &problem.RLPP{Perturbation: drawEps(t)} },
	"fm": func(t *rapid.T, _ *dataset.Dataset) problem.Method {
		m := &problem.FM{Encoded: drawEncoding(t, linear.FMEncodings()), Delta: rapid.SampledFrom([]float64{1, 1.9}).Draw(t, "delta")}
		if m.FewFeatures = drawFew(t, m.Encoding); m.Encoding == string(formulate.Bilinear) {
			m.Nu = max(m.Nu, 1) // it asks whether so many are enough
		}
		return m
	},
	"lfm": func(t *rapid.T, _ *dataset.Dataset) problem.Method {
		m := &problem.LFM{Encoded: drawEncoding(t, linear.FMEncodings())}
		if m.FewFeatures = drawFew(t, m.Encoding); m.Encoding == string(formulate.Bilinear) {
			m.Lambda = rapid.SampledFrom([]float64{0, 3}).Draw(t, "lambda")
		} else {
			m.Price = rapid.SampledFrom([]float64{0, 0.1}).Draw(t, "price")
		}
		return m
	},
	"ort": func(t *rapid.T, ds *dataset.Dataset) problem.Method {
		for i, y := range ds.Y {
			ds.Target = append(ds.Target, float64(i%4+3*y))
			ds.Y[i] = 0
		}
		ds.Classes, ds.Quantile = []string{"y"}, rapid.SampledFrom([]float64{0, 0.5, 0.9}).Draw(t, "quantile")
		return &problem.ORT{Shape: drawShape(t, 2)}
	},
	"gto": func(t *rapid.T, ds *dataset.Dataset) problem.Method {
		m := &problem.GTO{Box: rapid.SampledFrom([]float64{0, 100}).Draw(t, "box")}
		m.Objective = string(rapid.SampledFrom(append(gto.Objectives(), "")).Draw(t, "objective"))
		objective := gto.Objective(m.Objective)
		if objective == "" {
			objective = gto.MinimumError
		}
		encodings := []string{""}
		for _, n := range gto.Needs(objective) {
			encodings = append(encodings, string(n.Encoding))
		}
		m.Encoding = rapid.SampledFrom(encodings).Draw(t, "encoding")
		if rapid.Bool().Draw(t, "full") {
			m.Depth = rapid.SampledFrom([]problem.Depth{0, 2}).Draw(t, "depth")
			return m
		}
		classes := []int{len(ds.Classes) - 1, 0, 0, len(ds.Classes) / 2}
		m.Structure = gto.FullStructure(2, classes...).Text(ds.Classes)
		return m
	},
}

// TestSpecRoundTrip: every problem's model is built again, to the last digit, from the
// JSON of its spec.
func TestSpecRoundTrip(t *testing.T) {
	for _, m := range problem.All() {
		if info := m.Info(); info.Kind == problem.Formulation && problems[info.Name] == nil {
			t.Errorf("no options are drawn for the problem %s", m.Info().Name)
		}
	}
	for name, draw := range problems {
		t.Run(name, func(t *testing.T) {
			built := 0
			rapid.Check(t, func(t *rapid.T) {
				ds := datatest.Random(t, 9, 3, 3)
				ds.Classes = []string{`no (a)`, "yes, b", `"`}[:len(ds.Classes)]
				p := draw(t, ds)
				if err := problem.Check(p); err != nil {
					t.Fatalf("%+v: %v", p, err)
				}
				first, err := build(p, ds, problem.BuildOptions{OmitNames: rapid.Bool().Draw(t, "omit names")})
				if errors.Is(err, formulate.ErrSingleLeaf) {
					return
				}
				if err != nil {
					t.Fatalf("%+v: %v", p, err)
				}
				built++
				checkAgain(t, ds, first)
			})
			if built < 20 {
				t.Errorf("%d models only", built)
			}
		})
	}
}

// checkAgain builds a model again from its spec.
func checkAgain(t *rapid.T, ds *dataset.Dataset, first *problem.Model) {
	text, err := json.Marshal(first.Spec)
	if err != nil {
		t.Fatal(err)
	}
	var spec problem.Spec
	if err := json.Unmarshal(text, &spec); err != nil {
		t.Fatal(err)
	}
	p, err := spec.Method(ds.Classes)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if err := problem.Check(p); err != nil || p.Info().Name != first.Form {
		t.Fatalf("%s: %v of %+v", text, err, p)
	}
	again, err := build(p, ds, problem.BuildOptions{OmitNames: spec.OmitNames})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if d := cmp.Diff(first.Spec, again.Spec); d != "" {
		t.Fatalf("%s: %s", text, d)
	}
	if d := cmp.Diff(fit.FingerprintOf(first.Model()), fit.FingerprintOf(again.Model())); d != "" || fit.ModelName(first.Model(), false) != fit.ModelName(again.Model(), false) {
		t.Fatalf("%s: %s", text, d)
	}
	if d := cmp.Diff(first.Lines, again.Lines); d != "" || first.Bound != again.Bound || first.Encoding != again.Encoding || first.Unit != again.Unit {
		t.Fatalf("%s: bounds %v and %v, %s", text, first.Bound, again.Bound, d)
	}
}

// TestSpecOfNoProblem: a form that is no problem is an error that names it.
func TestSpecOfNoProblem(t *testing.T) {
	for _, form := range []string{"", "svm", "cart", "oct-tuned"} {
		if _, err := (problem.Spec{Form: form}).Method(nil); err == nil || err.Error() != `no formulation "`+form+`"` {
			t.Errorf("%q: %v", form, err)
		}
	}
}

// TestOlderSpecOfOCTH: a spec without a margin is of margin all, in the encoding that it
// names.
func TestOlderSpecOfOCTH(t *testing.T) {
	var spec problem.Spec
	if err := json.Unmarshal([]byte(`{"form":"oct-h","encoding":"bigm","depth":2,"alpha":0.01,"min_leaf":1,"mu":0.005}`), &spec); err != nil {
		t.Fatal(err)
	}
	p, err := spec.Method(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := problem.Check(p); err != nil {
		t.Fatal(err)
	}
	ds, err := dataset.New([]float64{1, 2, 3, 4}, []int{0, 1, 0, 1}, []string{"a"}, []string{"x", "y"})
	if err != nil {
		t.Fatal(err)
	}
	m, err := build(p, ds, problem.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if m.Encoding != "bigm" || m.Spec.Margin != "all" {
		t.Errorf("encoding %s, margin %s", m.Encoding, m.Spec.Margin)
	}
}
