package problem

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/octgen/octgen/internal/strict"
	"github.com/octgen/octgen/search/exact"
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
				panic(fmt.Sprintf("problem: --%s is of type %v and %v", f.Name, all[i].Type, f.Struct.Type))
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
	return validate(m)
}

// validate refuses options that no data make right: of depth and prices, which many methods have,
// and its own.
func validate(m Method) error {
	info := m.Info()
	if d := info.Depth; d != nil && *d != 0 {
		if *d != NoDepth && (*d < 1 || *d > exact.MaxDepth) {
			return wrong("depth", "is %d; want a whole number, 1 to %d, or none", int(*d), exact.MaxDepth)
		}
		if *d == NoDepth && !info.AnyDepth {
			return wrong("depth", "none is for %s; %s needs a limit", Listed(ofAnyDepth()), info.Name)
		}
	}
	if l := info.PerLeaf; l != nil && l.LeafPenalty != 0 && info.Shape.Alpha != 0 {
		return wrong("leaf-penalty", "is alpha in another unit; give one of the two")
	}
	return m.Validate()
}

// ofAnyDepth lists the methods whose trees may have no limit on the depth.
func ofAnyDepth() (names []string) {
	for _, m := range All() {
		if info := m.Info(); info.AnyDepth {
			names = append(names, info.Name)
		}
	}
	return names
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
			panic("problem: --" + f.Name + " is two options")
		}
	}
	return reflect.New(reflect.StructOf(fields)).Interface()
}

// Choice is a method with the algorithms that may start its program, which have
// options beside it.
type Choice struct {
	Method Method

	start starter
}

// starter is the algorithm of a start, nil where there is none with options.
type starter struct {
	Method
	given bool // an option
}

// Choose returns m with the algorithms whose options the start that is asked for may
// be given: that of the name or, with auto, cart, where it is among those that suit,
// since it has parameters.
func Choose(m Method, start string) *Choice {
	c := &Choice{Method: m}
	switch info := m.Info(); {
	case start == "auto" && slices.Contains(info.Starts, Start{"cart", true}):
		start = "cart"
	case start == "auto", start == "none":
		return c
	}
	c.start.Method, _ = LookupAlgorithm(start)
	return c
}

// Starters are the algorithms of the start that were given an option.
func (c *Choice) Starters() []Method {
	if !c.start.given {
		return nil
	}
	return []Method{c.start.Method}
}

// ownTag is the tag of options that an algorithm has as a method only: as the start of
// a program it has those of the program.
const ownTag = "own"

// flags are the options of the algorithm as a start.
func (s *starter) flags() []strict.Flag {
	if s.Method == nil {
		return nil
	}
	return slices.DeleteFunc(strict.Flags(s.Method), func(f strict.Flag) bool {
		_, not := f.Struct.Tag.Lookup(ownTag)
		return not
	})
}

// Extra is a pointer to a struct with the options that the start has beside the
// method.
func (c *Choice) Extra() any {
	has := strict.Flags(c.Method)
	return structOf(slices.DeleteFunc(c.start.flags(), func(f strict.Flag) bool { return find(has, f.Name) != nil }))
}

// Take gives the method and its start the option of that flag from a union. An option
// that is out of range, or that neither has, is an *[OptionError].
func (c *Choice) Take(union any, flag string) error {
	if _, err := Take(c.Method, union, flag); err != nil {
		return err
	}
	f := find(strict.Flags(union), flag)
	if f == nil {
		return nil
	}
	has, err := set(c.start.flags(), f.Name, f.Value)
	if c.start.given = c.start.given || has; err != nil {
		return err
	}
	return c.Known(flag)
}

// Known is an *[OptionError] for an option that other methods have, but neither this
// one nor its start; it says whose option it is.
func (c *Choice) Known(flag string) error {
	with := With(flag)
	if with == nil || find(strict.Flags(c.Method), flag) != nil || find(c.start.flags(), flag) != nil {
		return nil
	}
	name := c.Method.Info().Name
	if why := c.why(flag); why != "" {
		return wrong(flag, "is for %s; %s", Listed(with), why)
	}
	if slices.ContainsFunc(with, func(name string) bool { return startHas(name, flag) }) {
		return wrong(flag, "is for %s, neither the method nor the start here", Listed(with))
	}
	return wrong(flag, "is not a parameter of %s, but of %s", name, strings.Join(with, ", "))
}

// why says why an option is not one here, "" where that goes without saying.
func (c *Choice) why(flag string) string {
	if info := c.Method.Info(); info.Hint != nil {
		if hint := info.Hint(flag); hint != "" {
			return info.Name + " " + hint
		}
	}
	if s := c.start.Method; s != nil && find(strict.Flags(s), flag) != nil {
		return "as a start " + s.Info().Name + " grows trees for " + c.Method.Info().Name
	}
	return ""
}

// startHas reports whether the method of that name makes starts, and has the option
// then.
func startHas(name, flag string) bool {
	a, err := LookupAlgorithm(name)
	return err == nil && slices.Contains(Starters(), name) && find((&starter{Method: a}).flags(), flag) != nil
}

// Validate is that of the method, and of its start where that was given an option.
func (c *Choice) Validate() error {
	if err := validate(c.Method); err != nil {
		return err
	}
	for _, a := range c.Starters() {
		if err := a.Validate(); err != nil {
			return err
		}
	}
	return nil
}
