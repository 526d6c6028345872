package problem_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/internal/strict"
)

// valueFor is a value of a flag's type, within its range and not zero.
func valueFor(t *testing.T, f problem.Flag) reflect.Value {
	t.Helper()
	number := func(otherwise float64) float64 {
		for _, tag := range []string{"min", "above"} {
			if low, err := strconv.ParseFloat(f.Tag.Get(tag), 64); err == nil {
				otherwise = max(otherwise, low)
			}
		}
		return otherwise
	}
	v := reflect.New(f.Type).Elem()
	of := f.Type
	if of.Kind() == reflect.Pointer {
		v = reflect.New(of.Elem())
		of = of.Elem()
	}
	at := reflect.Indirect(v)
	switch of.Kind() {
	case reflect.Bool:
		at.SetBool(true)
	case reflect.Int, reflect.Int64:
		at.SetInt(int64(number(2)))
	case reflect.Float64:
		at.SetFloat(number(0.25))
	case reflect.String:
		at.SetString("text")
	case reflect.Slice:
		at.Set(reflect.ValueOf([]string{"one", "two"}))
	default:
		t.Fatalf("--%s is of type %v, for which the test has no value", f.Name, f.Type)
	}
	return v
}

// options are the values of all options of m.
func options(m problem.Method) map[string]any {
	all := make(map[string]any)
	for _, f := range strict.Flags(m) {
		v := f.Value
		if v.Kind() == reflect.Pointer && !v.IsNil() {
			v = v.Elem()
		}
		all[f.Name] = v.Interface()
	}
	return all
}

// TestUnion: what stands in a union of all methods' options, each of them can be
// given, and it changes no other option; a method that has it not says so.
func TestUnion(t *testing.T) {
	union := problem.Union(problem.All())
	flags := make(map[string]strict.Flag)
	for _, f := range strict.Flags(union) {
		flags[f.Name] = f
	}
	if len(flags) != len(problem.Flags()) {
		t.Errorf("%d options, the methods have %d", len(flags), len(problem.Flags()))
	}
	for _, f := range problem.Flags() {
		field, ok := flags[f.Name]
		if !ok || field.Struct.Type != f.Type {
			t.Errorf("--%s is not in the union", f.Name)
			continue
		}
		field.Value.Set(valueFor(t, f))
		for _, m := range problem.All() {
			want := options(m)
			has, err := problem.Take(m, union, f.Name)
			if _, own := want[f.Name]; has != own || err != nil {
				t.Errorf("--%s of %s: taken %v, %v", f.Name, m.Info().Name, has, err)
			}
			if has {
				want[f.Name] = reflect.Indirect(field.Value).Interface()
			}
			if got := options(m); !reflect.DeepEqual(got, want) {
				t.Errorf("--%s: %s has %v, want %v", f.Name, m.Info().Name, got, want)
			}
		}
	}
	if has, err := problem.Take(new(problem.OCT), union, "magic"); has || err != nil {
		t.Errorf("--magic: %v, %v", has, err)
	}
}

// TestRanges: a number out of the range of a flag is an *OptionError that names it,
// whether it is set, taken from a union, or stands in a literal; the option stays.
func TestRanges(t *testing.T) {
	tried := 0
	for _, f := range problem.Flags() {
		for _, bad := range outside(f) {
			tried++
			m, err := problem.Lookup(f.Methods[0])
			if err != nil {
				t.Fatal(err)
			}
			before := options(m)
			has, err := problem.Set(m, f.Name, bad)
			checkOptionError(t, f, bad, err)
			if !has || !reflect.DeepEqual(options(m), before) {
				t.Errorf("--%s is %v: has %v, %v", f.Name, bad, has, options(m))
			}
			union := problem.Union(problem.All())
			for _, own := range strict.Flags(union) {
				if own.Name == f.Name {
					own.Value.Set(bad)
				}
			}
			_, err = problem.Take(m, union, f.Name)
			checkOptionError(t, f, bad, err)
			if reflect.Indirect(bad).IsZero() && bad.Kind() != reflect.Pointer {
				continue // which is an option that was not given
			}
			for _, own := range strict.Flags(m) {
				if own.Name == f.Name {
					own.Value.Set(bad)
				}
			}
			checkOptionError(t, f, bad, problem.Check(m))
		}
	}
	if tried < 40 {
		t.Errorf("%d values only", tried)
	}
}

// outside are numbers out of a flag's range.
func outside(f problem.Flag) []reflect.Value {
	of := f.Type
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if of.Kind() != reflect.Int && of.Kind() != reflect.Int64 && of.Kind() != reflect.Float64 || of == reflect.TypeFor[problem.Part]() {
		return nil
	}
	var numbers []float64
	for tag, by := range map[string]float64{"min": -1, "max": 1, "above": 0, "below": 0} {
		if bound, err := strconv.ParseFloat(f.Tag.Get(tag), 64); err == nil {
			v := bound + by
			if v == bound && by != 0 {
				v *= 2 // of so large a number
			}
			numbers = append(numbers, v)
		}
	}
	if of.Kind() == reflect.Float64 {
		numbers = append(numbers, math.NaN(), math.Inf(1))
	}
	var all []reflect.Value
	for _, v := range numbers {
		p := reflect.New(of)
		if of.Kind() == reflect.Float64 {
			p.Elem().SetFloat(v)
		} else {
			p.Elem().SetInt(int64(v))
		}
		if f.Type.Kind() != reflect.Pointer {
			p = p.Elem()
		}
		all = append(all, p)
	}
	return all
}

func checkOptionError(t *testing.T, f problem.Flag, bad reflect.Value, err error) {
	t.Helper()
	var option *problem.OptionError
	if !errors.As(err, &option) || option.Option != f.Name || !strings.HasPrefix(err.Error(), "--"+f.Name+" is ") || !strings.Contains(err.Error(), "; want ") {
		t.Errorf("--%s is %v: error %v", f.Name, reflect.Indirect(bad), err)
	}
}

// TestValidate: what no data make right is an *OptionError that names the option.
func TestValidate(t *testing.T) {
	tenth := 0.1
	for _, c := range []struct {
		m      problem.Method
		option string
	}{
		{&problem.OCT{Encoded: problem.Encoded{Encoding: "big"}}, "encoding"},
		{&problem.OCT{Scale: "rank"}, "scale"},
		{&problem.OCT{Encoded: problem.Encoded{Encoding: "bigm"}, Scale: "log"}, "scale"},
		{&problem.OCT{Encoded: problem.Encoded{Encoding: "bigm"}, Reduced: problem.Reduced{Without: []string{"blocks"}}}, "without"},
		{&problem.OCT{Reduced: problem.Reduced{Without: []string{"blocks", "walls"}}}, "without"},
		{&problem.OCTH{Encoded: problem.Encoded{Encoding: "threshold"}}, "encoding"},
		{&problem.OCTH{Encoded: problem.Encoded{Encoding: "served"}}, "encoding"},
		{&problem.OCTH{Encoded: problem.Encoded{Encoding: "soct"}, Keeping: "right"}, "encoding"},
		{&problem.OCTH{Keeping: "most"}, "margin"},
		{&problem.OCTH{Reduced: problem.Reduced{Without: []string{"rows", "walls"}}}, "without"},
		{&problem.OCTH{Encoded: problem.Encoded{Encoding: "bigm"}, Reduced: problem.Reduced{Without: []string{"one-row"}}}, "without"},
		{&problem.GTO{Structured: problem.Structured{Objective: "beauty"}}, "objective"},
		{&problem.GTO{Structured: problem.Structured{Leaves: problem.Leaves{MinLeaf: 2}}}, "min-leaf"},
		{&problem.GTO{Structured: problem.Structured{Levels: problem.Levels{Depth: 2}, Structure: "(a,b)"}}, "depth"},
		{&problem.MSMT{TreePruning: problem.TreePruning{Pruning: "pesimistic"}}, "pruning"},
		{&problem.MSMT{Pessimism: problem.Pessimism{Confidence: &tenth}}, "confidence"},
		{&problem.GTO{Encoded: problem.Encoded{Encoding: "bigm-published"}}, "encoding"},
		{&problem.FrankWolfe{Vertices: problem.Vertices{Structured: problem.Structured{Objective: "count"}}}, "objective"},
		{&problem.CART{Criterion: problem.Criterion{Criterion: "twoing"}}, "criterion"},
		{&problem.CART{PruneSE: problem.PruneSE{PruneSE: new(float64)}}, "prune-se"},
		{&problem.OC1{Criterion: problem.Criterion{Criterion: "entropy"}}, "criterion"},
		{&problem.OC1{Order: "worst"}, "order"},
		{&problem.C45{Release: 6}, "release"},
		{&problem.FMTree{Splitter: "lfm"}, "splitter"},
		{&problem.FMTree{Perturbation: problem.Perturbation{Eps: 0.1}}, "eps"},
		{&problem.OC1{Paper: true, AxisOnly: true}, "axis-only"},
		{&problem.LocalSearch{Splits: "curved"}, "splits"},
		{&problem.LocalSearch{Margin: problem.Margin{Mu: 0.1}}, "mu"},
		{&problem.OCTTuned{Walked: problem.Walked{Path: "around"}}, "path"},
		{&problem.CARTTuned{Criterion: problem.Criterion{Criterion: "twoing"}}, "criterion"},
	} {
		var option *problem.OptionError
		for _, err := range []error{c.m.Validate(), problem.Check(c.m)} {
			if !errors.As(err, &option) || option.Option != c.option {
				t.Errorf("%+v: %v; want an error of --%s", c.m, err, c.option)
			}
		}
	}
}

// TestOptionError: the option is named, and the text goes on after it.
func TestOptionError(t *testing.T) {
	cause := errors.New("it rains")
	for _, c := range []struct {
		err  error
		want string
	}{
		{&problem.OptionError{Option: "depth", Err: errors.New("is 0; want more")}, "--depth is 0; want more"},
		{&problem.OptionError{Option: "structure", Err: fmt.Errorf(": %w", cause)}, "--structure: it rains"},
	} {
		if c.err.Error() != c.want {
			t.Errorf("%q, want %q", c.err, c.want)
		}
	}
	if err := (&problem.OptionError{Option: "a", Err: fmt.Errorf(": %w", cause)}); !errors.Is(err, cause) {
		t.Error("the cause is lost")
	}
}

// TestPart: decimals and fractions between 0 and 1.
func TestPart(t *testing.T) {
	for text, want := range map[string]float64{"0.25": 0.25, "1/3": 1.0 / 3, "2/8": 0.25, "1e-3": 0.001} {
		var p problem.Part
		if err := p.UnmarshalText([]byte(text)); err != nil || float64(p) != want {
			t.Errorf("%s: %v, %v", text, p, err)
		}
	}
	for _, text := range []string{"", "0", "1", "3/2", "-0.5", "1/0", "0/0", "NaN", "1/3/2", "a third"} {
		p := problem.Part(0.5)
		if err := p.UnmarshalText([]byte(text)); err == nil || p != 0.5 {
			t.Errorf("%q: %v, %v", text, p, err)
		}
	}
}

// TestWithDepth: a depth is set where there is none, in a copy.
func TestWithDepth(t *testing.T) {
	for _, m := range problem.All() {
		before := options(m)
		if _, has := before["depth"]; !has {
			if c := problem.WithDepth(m, 7); !reflect.DeepEqual(options(c), before) || reflect.TypeOf(c) != reflect.TypeOf(m) {
				t.Errorf("%s: %v", m.Info().Name, options(c))
			}
			continue
		}
		c := problem.WithDepth(m, 7)
		if got := options(c)["depth"]; got != problem.Depth(7) || !reflect.DeepEqual(options(m), before) {
			t.Errorf("%s: depth %v; the original has %v", m.Info().Name, got, options(m))
		}
		if got := options(problem.WithDepth(c, 3))["depth"]; got != problem.Depth(7) {
			t.Errorf("%s: depth %v instead of the one given", m.Info().Name, got)
		}
	}
	shaped := &problem.GTO{Structured: problem.Structured{Structure: "(no,yes)"}}
	if err := problem.Check(problem.WithDepth(shaped, 7)); err != nil {
		t.Errorf("with a structure: %v", err)
	}
	if got := new(problem.OCT).Greatest(); got != problem.DefaultDepth {
		t.Errorf("depth %d", got)
	}
}

// TestWithValidation: likewise the part of the rows for validation.
func TestWithValidation(t *testing.T) {
	tuned := 0
	of := func(m problem.Method) float64 { return float64(*m.Info().Validation) }
	for _, m := range problem.All() {
		if m.Info().Validation == nil {
			continue
		}
		tuned++
		c := problem.WithValidation(m, 0.2)
		if of(c) != 0.2 || of(m) != 0 {
			t.Errorf("%s: %v, the original %v", m.Info().Name, of(c), of(m))
		}
		if again := problem.WithValidation(c, 0.5); of(again) != 0.2 {
			t.Errorf("%s: %v instead of the one given", m.Info().Name, of(again))
		}
	}
	if tuned != 4 {
		t.Errorf("%d tuned methods", tuned)
	}
}
