package problem

import (
	"reflect"
	"slices"

	"github.com/octgen/octgen/internal/strict"
)

// Union returns a pointer to a struct with the options of all these methods, each
// name once, for parsers that read into structs. What stands in their input
// [Take] gives a method, [Choice.Take] one and its start.
func Union(of []Method) any {
	return structOf(flagsOf(of))
}

// flagsOf are the options of all these methods.
func flagsOf(of []Method) []strict.Flag {
	var all []strict.Flag
	for _, m := range of {
		all = append(all, strict.Flags(m)...)
	}
	return all
}

// ProgramUnion is Union without the options that only the exact search has.
func ProgramUnion(of []Method) any {
	return structOf(slices.DeleteFunc(flagsOf(of), func(f strict.Flag) bool { return f.Struct.Tag.Get(engineTag) == string(Search) }))
}

// engineTag names the engine that an option is of, where not of all.
const engineTag = "engine"

// Take gives m the option of that flag from a union. It reports whether m has it.
func Take(m Method, union any, flag string) (has bool, err error) {
	f := find(strict.Flags(union), flag)
	if f == nil {
		return false, nil
	}
	return Set(m, f.Name, f.Value)
}

// structOf is a pointer to a struct with these options, each name once: what goes by
// one name is one option.
func structOf(flags []strict.Flag) any {
	have := make(map[string]reflect.StructField)
	var fields []reflect.StructField
	for _, f := range flags {
		field := reflect.StructField{Name: f.Struct.Name, Type: f.Struct.Type, Tag: f.Struct.Tag}
		if old, there := have[f.Name]; !there {
			have[f.Name] = field
			fields = append(fields, field)
		} else if old.Type != field.Type || old.Tag != field.Tag {
			panic("method: --" + f.Name + " is two options")
		}
	}
	return reflect.New(reflect.StructOf(fields)).Interface()
}
