package strict

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Flag is a field as a flag of a command line.
type Flag struct {
	Name   string              // without dashes, such as max-splits
	Key    string              // in a spec, such as max_splits
	Help   string              // variables filled in
	Struct reflect.StructField // type and tags, those of package kong
	Value  reflect.Value       // the field itself
	field  field
}

// Flags lists the fields of the struct that of points to.
func (v Vars) Flags(of any) []Flag {
	s := reflect.ValueOf(of).Elem()
	var all []Flag
	for _, f := range v.fieldsOf(s.Type()) {
		all = append(all, Flag{
			Name: strings.ReplaceAll(f.key, "_", "-"), Key: f.key, Help: f.help,
			Struct: s.Type().FieldByIndex(f.index), Value: s.FieldByIndex(f.index), field: f,
		})
	}
	return all
}

// Flags is the function Flags for tags without variables.
func Flags(of any) []Flag { return Vars(nil).Flags(of) }

// Named reports whether name is the flag's, or an alias of it.
func (f *Flag) Named(name string) bool {
	return name == f.Name || slices.Contains(f.field.aliases, keyOf(name))
}

// Set gives the flag a value that was read from a command line into a field of the
// same type. A number out of the range that the tags ask for, or a text that they do
// not list, is an error that says what is wanted.
func (f *Flag) Set(value reflect.Value) error {
	if err := f.Check(value); err != nil {
		return err
	}
	f.Value.Set(value)
	return nil
}

// Check says what is wrong with a value of the flag, and leaves the flag as it is: it
// reads the value once more from its text, as a spec has it.
func (f *Flag) Check(value reflect.Value) error {
	if value.Kind() == reflect.Pointer && !value.IsNil() {
		value = value.Elem()
	}
	switch value.Kind() {
	case reflect.Bool, reflect.String, reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint64, reflect.Float64:
	default:
		return nil // lists and maps have no range
	}
	if isText(value.Type()) {
		return nil // which checked itself
	}
	return f.field.scalar(fmt.Sprint(value.Interface()), reflect.New(value.Type()).Elem())
}
