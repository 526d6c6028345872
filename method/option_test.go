package method_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/octgen/octgen/internal/strict"
	"github.com/octgen/octgen/method"
)

// valueFor is a value of a flag's type, within its range and not zero.
func valueFor(t *testing.T, f method.Flag) reflect.Value {
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
func options(m method.Method) map[string]any {
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
	union := method.Union(method.All())
	flags := make(map[string]strict.Flag)
	for _, f := range strict.Flags(union) {
		flags[f.Name] = f
	}
	if len(flags) != len(method.Flags()) {
		t.Errorf("%d options, the methods have %d", len(flags), len(method.Flags()))
	}
	for _, f := range method.Flags() {
		field, ok := flags[f.Name]
		if !ok || field.Struct.Type != f.Type {
			t.Errorf("--%s is not in the union", f.Name)
			continue
		}
		field.Value.Set(valueFor(t, f))
		for _, m := range method.All() {
			want := options(m)
			has, err := method.Take(m, union, f.Name)
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
	if has, err := method.Take(new(method.OCT), union, "magic"); has || err != nil {
		t.Errorf("--magic: %v, %v", has, err)
	}
}

// TestRanges: a number out of the range of a flag is an *OptionError that names it,
// whether it is set, taken from a union, or stands in a literal; the option stays.
func TestRanges(t *testing.T) {
	tried := 0
	for _, f := range method.Flags() {
		for _, bad := range outside(f) {
			tried++
			m, err := method.Lookup(f.Methods[0])
			if err != nil {
				t.Fatal(err)
			}
			before := options(m)
			has, err := method.Set(m, f.Name, bad)
			checkOptionError(t, f, bad, err)
			if !has || !reflect.DeepEqual(options(m), before) {
				t.Errorf("--%s is %v: has %v, %v", f.Name, bad, has, options(m))
			}
			union := method.Union(method.All())
			for _, own := range strict.Flags(union) {
				if own.Name == f.Name {
					own.Value.Set(bad)
				}
			}
			_, err = method.Take(m, union, f.Name)
			checkOptionError(t, f, bad, err)
			if reflect.Indirect(bad).IsZero() && bad.Kind() != reflect.Pointer {
				continue // which is an option that was not given
			}
			for _, own := range strict.Flags(m) {
				if own.Name == f.Name {
					own.Value.Set(bad)
				}
			}
			checkOptionError(t, f, bad, method.Check(m))
		}
	}
	if tried < 40 {
		t.Errorf("%d values only", tried)
	}
}

// outside are numbers out of a flag's range.
func outside(f method.Flag) []reflect.Value {
	of := f.Type
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if of.Kind() != reflect.Int && of.Kind() != reflect.Int64 && of.Kind() != reflect.Float64 || of == reflect.TypeFor[method.Part]() {
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

func checkOptionError(t *testing.T, f method.Flag, bad reflect.Value, err error) {
	t.Helper()
	var option *method.OptionError
	if !errors.As(err, &option) || option.Option != f.Name || !strings.HasPrefix(err.Error(), "--"+f.Name+" is ") || !strings.Contains(err.Error(), "; want ") {
		t.Errorf("--%s is %v: error %v", f.Name, reflect.Indirect(bad), err)
	}
}

// TestValidate: what no data make right is an *OptionError that names the option.
func TestValidate(t *testing.T) {
	tenth := 0.1
	for _, c := range []struct {
		m      method.Method
		option string
	}{
		{&method.OCT{Encoded: method.Encoded{Encoding: "big"}}, "encoding"},
		{&method.OCT{Scale: "rank"}, "scale"},
		{&method.OCT{Encoded: method.Encoded{Encoding: "bigm"}, Scale: "log"}, "scale"},
		{&method.OCT{Encoded: method.Encoded{Encoding: "bigm"}, Reduced: method.Reduced{Without: []string{"blocks"}}}, "without"},
		{&method.OCT{Reduced: method.Reduced{Without: []string{"blocks", "walls"}}}, "without"},
		{&method.OCTH{Encoded: method.Encoded{Encoding: "threshold"}}, "encoding"},
		{&method.OCTH{Encoded: method.Encoded{Encoding: "served"}}, "encoding"},
		{&method.OCTH{Encoded: method.Encoded{Encoding: "soct"}, Keeping: "right"}, "encoding"},
		{&method.OCTH{Keeping: "most"}, "margin"},
		{&method.OCTH{Reduced: method.Reduced{Without: []string{"rows", "walls"}}}, "without"},
		{&method.OCTH{Encoded: method.Encoded{Encoding: "bigm"}, Reduced: method.Reduced{Without: []string{"one-row"}}}, "without"},
		{&method.GTO{Structured: method.Structured{Objective: "beauty"}}, "objective"},
		{&method.GTO{Structured: method.Structured{Leaves: method.Leaves{MinLeaf: 2}}}, "min-leaf"},
		{&method.GTO{Structured: method.Structured{Levels: method.Levels{Depth: 2}, Structure: "(a,b)"}}, "depth"},
		{&method.MSMT{TreePruning: method.TreePruning{Pruning: "pesimistic"}}, "pruning"},
		{&method.MSMT{Pessimism: method.Pessimism{Confidence: &tenth}}, "confidence"},
		{&method.GTO{Encoded: method.Encoded{Encoding: "bigm-published"}}, "encoding"},
		{&method.FrankWolfe{Vertices: method.Vertices{Structured: method.Structured{Objective: "count"}}}, "objective"},
		{&method.CART{Criterion: method.Criterion{Criterion: "twoing"}}, "criterion"},
		{&method.CART{PruneSE: method.PruneSE{PruneSE: new(float64)}}, "prune-se"},
		{&method.OC1{Criterion: method.Criterion{Criterion: "entropy"}}, "criterion"},
		{&method.OC1{Order: "worst"}, "order"},
		{&method.C45{Release: 6}, "release"},
		{&method.FMTree{Splitter: "lfm"}, "splitter"},
		{&method.FMTree{Perturbation: method.Perturbation{Eps: 0.1}}, "eps"},
		{&method.OC1{Paper: true, AxisOnly: true}, "axis-only"},
		{&method.LocalSearch{Splits: "curved"}, "splits"},
		{&method.LocalSearch{Margin: method.Margin{Mu: 0.1}}, "mu"},
		{&method.OCTTuned{Walked: method.Walked{Path: "around"}}, "path"},
		{&method.CARTTuned{Criterion: method.Criterion{Criterion: "twoing"}}, "criterion"},
	} {
		var option *method.OptionError
		for _, err := range []error{c.m.Validate(), method.Check(c.m)} {
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
		{&method.OptionError{Option: "depth", Err: errors.New("is 0; want more")}, "--depth is 0; want more"},
		{&method.OptionError{Option: "structure", Err: fmt.Errorf(": %w", cause)}, "--structure: it rains"},
	} {
		if c.err.Error() != c.want {
			t.Errorf("%q, want %q", c.err, c.want)
		}
	}
	if err := (&method.OptionError{Option: "a", Err: fmt.Errorf(": %w", cause)}); !errors.Is(err, cause) {
		t.Error("the cause is lost")
	}
}

// TestPart: decimals and fractions between 0 and 1.
func TestPart(t *testing.T) {
	for text, want := range map[string]float64{"0.25": 0.25, "1/3": 1.0 / 3, "2/8": 0.25, "1e-3": 0.001} {
		var p method.Part
		if err := p.UnmarshalText([]byte(text)); err != nil || float64(p) != want {
			t.Errorf("%s: %v, %v", text, p, err)
		}
	}
	for _, text := range []string{"", "0", "1", "3/2", "-0.5", "1/0", "0/0", "NaN", "1/3/2", "a third"} {
		p := method.Part(0.5)
		if err := p.UnmarshalText([]byte(text)); err == nil || p != 0.5 {
			t.Errorf("%q: %v, %v", text, p, err)
		}
	}
}

// TestWithDepth: a depth is set where there is none, in a copy.
func TestWithDepth(t *testing.T) {
	for _, m := range method.All() {
		before := options(m)
		if _, has := before["depth"]; !has {
			if c := method.WithDepth(m, 7); !reflect.DeepEqual(options(c), before) || reflect.TypeOf(c) != reflect.TypeOf(m) {
				t.Errorf("%s: %v", m.Info().Name, options(c))
			}
			continue
		}
		c := method.WithDepth(m, 7)
		if got := options(c)["depth"]; got != 7 || !reflect.DeepEqual(options(m), before) {
			t.Errorf("%s: depth %v; the original has %v", m.Info().Name, got, options(m))
		}
		if got := options(method.WithDepth(c, 3))["depth"]; got != 7 {
			t.Errorf("%s: depth %v instead of the one given", m.Info().Name, got)
		}
	}
	shaped := &method.GTO{Structured: method.Structured{Structure: "(no,yes)"}}
	if err := method.Check(method.WithDepth(shaped, 7)); err != nil {
		t.Errorf("with a structure: %v", err)
	}
	if got := new(method.OCT).Greatest(); got != method.DefaultDepth {
		t.Errorf("depth %d", got)
	}
}

// TestWithValidation: likewise the part of the rows for validation.
func TestWithValidation(t *testing.T) {
	tuned := 0
	for _, m := range method.All() {
		m, ok := m.(method.Tuned)
		if !ok {
			continue
		}
		tuned++
		c := method.WithValidation(m, 0.2)
		if float64(c.Tuning().Validation) != 0.2 || m.Tuning().Validation != 0 {
			t.Errorf("%s: %v, the original %v", m.Info().Name, c.Tuning().Validation, m.Tuning().Validation)
		}
		if again := method.WithValidation(c, 0.5); float64(again.Tuning().Validation) != 0.2 {
			t.Errorf("%s: %v instead of the one given", m.Info().Name, again.Tuning().Validation)
		}
	}
	if tuned != 3 {
		t.Errorf("%d tuned methods", tuned)
	}
}
