package problem

import (
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/octgen/octgen/internal/strict"
)

// Flag is an option of some methods as a flag of the command line.
type Flag struct {
	Name    string // without dashes
	Help    string
	Type    reflect.Type
	Tag     reflect.StructTag // of package kong
	Methods []string          // that have it

	flag strict.Flag // of one of them
}

// Flags lists the options of all methods, each name once, in the order of the
// methods' fields. Options of one name have one type.
func Flags() []Flag {
	var all []Flag
	for _, m := range All() {
		name := m.Info().Name
		for _, f := range strict.Flags(m) {
			i := slices.IndexFunc(all, func(g Flag) bool { return g.Name == f.Name })
			if i < 0 {
				i = len(all)
				all = append(all, Flag{Name: f.Name, Help: f.Help, Type: f.Struct.Type, Tag: f.Struct.Tag, flag: f})
			}
			if all[i].Type != f.Struct.Type {
				panic(fmt.Sprintf("method: --%s is of type %v and %v", f.Name, all[i].Type, f.Struct.Type))
			}
			all[i].Methods = append(all[i].Methods, name)
		}
	}
	return all
}

// Set gives an option of m, by its flag, a value of the option's type. It reports
// whether m has the option; a value out of range is an *OptionError.
func Set(m Method, flag string, value reflect.Value) (has bool, err error) {
	return set(strict.Flags(m), flag, value)
}

// set gives that of these options its value.
func set(flags []strict.Flag, flag string, value reflect.Value) (has bool, err error) {
	f := find(flags, flag)
	if f == nil {
		return false, nil
	}
	if err := f.Set(value); err != nil {
		return true, wrong(f.Name, "is %v", err)
	}
	return true, nil
}

// Check refuses an option that is out of the range of its tag, and what m.Validate
// refuses. A zero value is an option that was not given. Errors are *[OptionError].
func Check(m Method) error {
	for _, f := range strict.Flags(m) {
		if f.Value.IsZero() {
			continue
		}
		if err := f.Check(f.Value); err != nil {
			return wrong(f.Name, "is %v", err)
		}
	}
	return m.Validate()
}

// registered is Flags, put together once: every flag on a command line is looked up.
var registered = sync.OnceValue(Flags)

// With lists the methods that have an option, by its flag or an alias.
func With(flag string) []string {
	for _, f := range registered() {
		if f.flag.Named(flag) {
			return f.Methods
		}
	}
	return nil
}

// find is the option of that flag, or alias of one; nil where there is none.
func find(flags []strict.Flag, flag string) *strict.Flag {
	i := slices.IndexFunc(flags, func(f strict.Flag) bool { return f.Named(flag) })
	if i < 0 {
		return nil
	}
	return &flags[i]
}
