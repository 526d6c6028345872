package method

import (
	"reflect"
	"slices"

	"github.com/octgen/octgen/internal/strict"
)

// Union returns a pointer to a struct with the options of all these methods, each
// name once, less those of but, for parsers that read into structs. What stands in
// their input [Take] gives the methods.
func Union(of []Method, but ...Method) any {
	have := make(map[string]bool)
	for _, m := range but {
		for _, f := range strict.Flags(m) {
			have[f.Name] = true
		}
	}
	var fields []reflect.StructField
	for _, m := range of {
		for _, f := range strict.Flags(m) {
			if have[f.Name] {
				continue
			}
			have[f.Name] = true
			fields = append(fields, reflect.StructField{Name: f.Struct.Name, Type: f.Struct.Type, Tag: f.Struct.Tag})
		}
	}
	return reflect.New(reflect.StructOf(fields)).Interface()
}

// Take gives m the option of that flag from a union. It reports whether m has it.
func Take(m Method, union any, flag string) (has bool, err error) {
	for _, f := range strict.Flags(union) {
		if f.Name == flag {
			return Set(m, flag, f.Value)
		}
	}
	return false, nil
}

// WithOptionsOf lists the algorithms whose options a start may be given, for a
// problem and the start asked for: that of the name or, with auto, cart, where it is
// among those that suit, since it has parameters.
func WithOptionsOf(p Method, start string) []Algorithm {
	problem, ok := p.(Problem)
	if !ok {
		if start == "auto" || start == "none" {
			return nil
		}
	} else if start == "auto" {
		if !slices.Contains(problem.Starts(), Start{"cart", true}) {
			return nil
		}
		start = "cart"
	}
	a, err := LookupAlgorithm(start)
	if err != nil {
		return nil
	}
	return []Algorithm{a}
}
