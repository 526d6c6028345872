// Package spec reads experiments: YAML that names data, methods and how to test
// them. Package run runs what it says, package report shows what came of it.
package spec

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"slices"

	"github.com/octgen/octgen/experiments/metric"
)

// Spec is an experiment: every method on every split of every data.
type Spec struct {
	Name      string
	Data      []Data
	Methods   []Method
	Evaluate  Evaluate
	Baseline  string // method that the others are compared with unless they say another; default the first
	Workers   int    // tasks at a time; 0: one
	Reference Reference

	File   string // where it was read
	SHA256 string // of its bytes, hex
	Text   []byte
	limits []option // for methods that have them and do not say otherwise
}

// Evaluate says how the rows of a file are divided into training and test parts:
// by Folds or by Holdout. Of generated data with test rows only Validation applies.
type Evaluate struct {
	Folds      int     // k-fold cross-validation; 0: none
	Holdout    float64 // part of the rows that is tested on; 0: none
	Repeats    int     // with seeds Seed, Seed+1, ...
	Seed       uint64
	Stratified bool // classes are divided evenly
	line       int

	// Validation is the part of all rows that tuned methods choose by, unless they
	// say otherwise; 0: their default. To other methods these rows are training rows.
	// Of generated data with test rows it is a part of the training rows.
	Validation float64 `json:",omitempty"`
}

// ValidationPart is Validation as a part of the training rows.
func (e *Evaluate) ValidationPart() float64 {
	test := e.Holdout
	if e.Folds > 0 {
		test = 1 / float64(e.Folds)
	}
	return e.Validation / (1 - test)
}

// Reference holds a paper's figures, to stand beside ours.
type Reference struct {
	Paper  string
	Note   string // shown below it: what the figures are, what differs
	Values []ReferenceValue
}

// ReferenceValue is a figure of a paper, in the metric's unit.
type ReferenceValue struct {
	Data, Method, Metric string
	Value                float64
}

// AllData stands for the mean over the data in tables and references.
const AllData = "(all)"

// Has says whether the paper has figures of a metric.
func (r *Reference) Has(metric string) bool {
	return slices.ContainsFunc(r.Values, func(v ReferenceValue) bool { return v.Metric == metric })
}

// Value is the paper's figure, nil where it has none.
func (r *Reference) Value(data, method, metric string) *float64 {
	for _, v := range r.Values {
		if v.Data == data && v.Method == method && v.Metric == metric {
			return &v.Value
		}
	}
	return nil
}

// Load reads and checks the spec at path. Mistakes are *SpecError; a file that
// cannot be opened, the error of os.ReadFile.
func Load(path string) (*Spec, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(text, path)
}

// Parse is Load on the text of a spec; path is for errors and says beside what
// file the data are.
func Parse(text []byte, path string) (*Spec, error) {
	root, err := parseYAML(text, path)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	s := &Spec{File: path, SHA256: hex.EncodeToString(sum[:]), Text: text}
	s.Evaluate = Evaluate{Repeats: 1, Seed: 1, Stratified: true}
	var later deferred
	if err := root.fields(s.keys(&later)); err != nil {
		return nil, err
	}
	methods, reference, baseline := later.methods, later.reference, later.baseline
	for _, c := range []struct {
		key     string
		missing bool
	}{{"name", s.Name == ""}, {"data", s.Data == nil}, {"methods", methods.yaml == nil}} {
		if c.missing {
			return nil, root.errorf("the key %q is missing", c.key)
		}
	}
	if err := s.readMethods(methods); err != nil { // after the limits
		return nil, err
	}
	if err := s.checkBaseline(baseline); err != nil {
		return nil, err
	}
	if reference.yaml != nil {
		if err := s.readReference(reference); err != nil { // after data and methods
			return nil, err
		}
	}
	return s, s.checkEvaluate(root, later.evaluate)
}

// deferred are values that are read after others.
type deferred struct{ methods, reference, baseline, evaluate node }

// keys are the keys of a spec.
func (s *Spec) keys(later *deferred) map[string]func(node) error {
	return map[string]func(node) error{
		"name":      setTitle(&s.Name),
		"data":      s.readData,
		"evaluate":  func(n node) error { later.evaluate = n; return s.readEvaluate(n) },
		"methods":   func(n node) error { later.methods = n; return nil },
		"limits":    s.readLimits,
		"baseline":  func(n node) error { later.baseline = n; return setText(&s.Baseline)(n) },
		"workers":   setInt(&s.Workers, 1),
		"reference": func(n node) error { later.reference = n; return nil },
	}
}

// checkBaseline gives every method the method that it is compared with.
func (s *Spec) checkBaseline(n node) error {
	if s.Baseline == "" {
		s.Baseline = s.Methods[0].Name
	} else if !slices.Contains(s.MethodNames(), s.Baseline) {
		return n.errorf("no method is named %q; they are %q", s.Baseline, s.MethodNames())
	}
	for i := range s.Methods {
		m := &s.Methods[i]
		switch {
		case m.Baseline == "" && m.Name != s.Baseline:
			m.Baseline = s.Baseline
		case m.Baseline == m.Name:
			m.Baseline = ""
		case m.Baseline != "" && !slices.Contains(s.MethodNames(), m.Baseline):
			return m.at.errorf("no method is named %q; they are %q", m.Baseline, s.MethodNames())
		}
	}
	return nil
}

// BaselineOf is the method that a method is compared with, "" for none.
func (s *Spec) BaselineOf(method string) string {
	for i := range s.Methods {
		if s.Methods[i].Name == method {
			return s.Methods[i].Baseline
		}
	}
	return ""
}

// OneBaseline says whether all methods are compared with the same one.
func (s *Spec) OneBaseline() bool {
	for i := range s.Methods {
		if b := s.Methods[i].Baseline; b != "" && b != s.Baseline {
			return false
		}
	}
	return true
}

// MethodNames lists the names of the methods in the order of the spec.
func (s *Spec) MethodNames() []string {
	var names []string
	for i := range s.Methods {
		names = append(names, s.Methods[i].Name)
	}
	return names
}

// DataNames lists the names of the data in the order of the spec.
func (s *Spec) DataNames() []string {
	var names []string
	for i := range s.Data {
		names = append(names, s.Data[i].Name)
	}
	return names
}

func (s *Spec) readEvaluate(n node) error {
	e := &s.Evaluate
	e.line = n.yaml.Line
	err := n.fields(map[string]func(node) error{
		"folds": setInt(&e.Folds, 2),
		"holdout": func(n node) error {
			if err := setNumber(&e.Holdout)(n); err != nil {
				return err
			}
			if !(e.Holdout > 0 && e.Holdout < 1) {
				return n.errorf("%v; want a number between 0 and 1", e.Holdout)
			}
			return nil
		},
		"validation": func(n node) error {
			if err := setNumber(&e.Validation)(n); err != nil {
				return err
			}
			if !(e.Validation > 0 && e.Validation < 1) {
				return n.errorf("%v; want a number between 0 and 1", e.Validation)
			}
			return nil
		},
		"repeats":    setInt(&e.Repeats, 1),
		"seed":       setSeed(&e.Seed),
		"stratified": setBool(&e.Stratified),
	})
	switch {
	case err != nil:
		return err
	case e.Folds != 0 && e.Holdout != 0:
		return n.errorf("want one of folds and holdout")
	case e.ValidationPart() >= 1:
		return n.errorf("validation is %v of all rows, but testing leaves no more than that; want less", e.Validation)
	}
	return nil
}

// checkEvaluate: files, and generated data without test rows, must be divided.
func (s *Spec) checkEvaluate(root, evaluate node) error {
	for i := range s.Data {
		d := &s.Data[i]
		switch divided := s.Evaluate.Folds != 0 || s.Evaluate.Holdout != 0; {
		case d.HasTest() || divided:
		case s.Evaluate.line != 0:
			return evaluate.errorf("data %q has to be divided; want one of folds and holdout", d.Name)
		default:
			return root.errorf("the key \"evaluate\" is missing: data %q has to be divided; want for example evaluate: {folds: 5}", d.Name)
		}
	}
	return nil
}

func (s *Spec) readReference(n node) error {
	return n.fields(map[string]func(node) error{
		"paper": setText(&s.Reference.Paper),
		"note":  setText(&s.Reference.Note),
		"values": func(n node) error {
			items, err := n.items()
			for _, item := range items {
				if err := s.readReferenceValue(item); err != nil {
					return err
				}
			}
			return err
		},
	})
}

func (s *Spec) readReferenceValue(n node) error {
	v := ReferenceValue{Metric: metric.TestError}
	known := func(dst *string, what string, names []string) func(node) error {
		return func(n node) error {
			if err := setText(dst)(n); err != nil {
				return err
			}
			if !slices.Contains(names, *dst) {
				return n.errorf("no %s %q; they are %q", what, *dst, names)
			}
			return nil
		}
	}
	seen := false
	err := n.fields(map[string]func(node) error{
		"data":   known(&v.Data, "data", append(s.DataNames(), AllData)),
		"method": known(&v.Method, "method", s.MethodNames()),
		"metric": known(&v.Metric, "metric", metric.Names()),
		"value":  func(n node) error { seen = true; return setNumber(&v.Value)(n) },
	})
	switch {
	case err != nil:
		return err
	case v.Data == "" || v.Method == "" || !seen:
		return n.errorf("want data, method and value")
	}
	for _, o := range s.Reference.Values {
		if o.Data == v.Data && o.Method == v.Method && o.Metric == v.Metric {
			return n.errorf("%s of %s on %s is there twice", v.Metric, v.Method, v.Data)
		}
	}
	s.Reference.Values = append(s.Reference.Values, v)
	return nil
}
