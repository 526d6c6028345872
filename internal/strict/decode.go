package strict

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Decode reads a mapping into the structs that dst point to, whose keys are those of
// the mapping together: each key is one of them. Fields without a key in the mapping
// have their defaults; those without a default stay as they are. Errors are *Error,
// and the first one that there is.
func Decode(n Node, dst ...any) (*Keys, error) { return Vars(nil).Decode(n, dst...) }

// Decode is the function Decode for tags with variables.
func (v Vars) Decode(n Node, dst ...any) (*Keys, error) {
	keys := &Keys{of: n, set: make(map[string]Node)}
	var into []target
	var fields []field
	for _, d := range dst {
		for _, t := range v.targets(reflect.ValueOf(d).Elem()) {
			into, fields = append(into, t), append(fields, t.field)
		}
	}
	distinct(fields)
	return keys, v.mapping(n, into, keys)
}

// SetDefaults sets the fields of the struct that dst points to to their defaults.
func SetDefaults(dst any) { Vars(nil).SetDefaults(dst) }

// SetDefaults is the function SetDefaults for tags with variables.
func (v Vars) SetDefaults(dst any) {
	for _, t := range v.targets(reflect.ValueOf(dst).Elem()) {
		v.initialise(t)
	}
}

// target is a field to be read.
type target struct {
	field
	value reflect.Value
}

func (v Vars) targets(s reflect.Value) []target {
	var all []target
	for _, f := range v.fieldsOf(s.Type()) {
		all = append(all, target{f, s.FieldByIndex(f.index)})
	}
	return all
}

// initialise sets a field to its default, and those below it to theirs.
func (v Vars) initialise(t target) {
	switch {
	case isMapping(t.typ):
		for _, inner := range v.targets(t.value) {
			v.initialise(inner)
		}
	case t.has:
		if err := t.text(t.initial, t.value); err != nil {
			panic(fmt.Sprintf("strict: the default of the key %s: %v", t.key, err))
		}
	}
}

func keysOf(all []target) []string {
	var names []string
	for _, t := range all {
		names = append(names, t.key)
	}
	return names
}

// mapping reads the keys of n.
func (v Vars) mapping(n Node, into []target, keys *Keys) error {
	entries, err := n.Entries()
	if err != nil {
		return err
	}
	for _, t := range into {
		v.initialise(t)
	}
	had := make(map[string]Entry) // by the field's key
	for _, e := range entries {
		i := slices.IndexFunc(into, func(t target) bool { return t.key == e.Key || slices.Contains(t.aliases, e.Key) })
		if i < 0 {
			return e.Unknown(keysOf(into))
		}
		t := into[i]
		if o, twice := had[t.key]; twice {
			return e.Errorf("the key is another name of %s, which is on line %d", o.Key, o.key.Line)
		}
		had[t.key] = e
		keys.add(join(n.path, t.key), e.Value)
		if err := v.read(e.Value, t.field, t.value, keys); err != nil {
			return err
		}
	}
	for _, t := range into {
		if _, ok := had[t.key]; t.required && !ok {
			return n.Errorf("the key %q is missing", t.key)
		}
	}
	return nil
}

// read reads a value into v.
func (v Vars) read(n Node, f field, into reflect.Value, keys *Keys) error {
	t := into.Type()
	switch {
	case t == nodeType:
		into.Set(reflect.ValueOf(n))
		return nil
	case isText(t):
	case t.Kind() == reflect.Pointer:
		p := reflect.New(t.Elem())
		into.Set(p)
		return v.read(n, f, p.Elem(), keys)
	case t.Kind() == reflect.Struct:
		return v.mapping(n, v.targets(into), keys)
	case t.Kind() == reflect.Slice:
		return v.list(n, f, into, keys)
	case t.Kind() == reflect.Map:
		return v.pairs(n, f, into, keys)
	}
	text, err := n.Text()
	if err != nil {
		return err
	}
	if err := f.scalar(text, into); err != nil {
		return n.Errorf("%w", err)
	}
	return nil
}

// list reads a list, or a single value for one.
func (v Vars) list(n Node, f field, into reflect.Value, keys *Keys) error {
	if n.single() && !isMapping(into.Type().Elem()) {
		if into.Type().Elem() == nodeType {
			into.Set(reflect.ValueOf([]Node{n}))
			return nil
		}
		text, err := n.Text()
		if err == nil {
			err = f.text(text, into)
		}
		if err != nil {
			return n.Errorf("%w", err)
		}
		return nil
	}
	items, err := n.Items()
	if err != nil {
		return err
	}
	all := reflect.MakeSlice(into.Type(), len(items), len(items))
	for i, item := range items {
		keys.add(item.path, item)
		if err := v.read(item, f, all.Index(i), keys); err != nil {
			return err
		}
	}
	into.Set(all)
	return nil
}

// pairs reads a map from texts.
func (v Vars) pairs(n Node, f field, into reflect.Value, keys *Keys) error {
	entries, err := n.Entries()
	if err != nil {
		return err
	}
	t := into.Type()
	all := reflect.MakeMap(t)
	for _, e := range entries {
		value := reflect.New(t.Elem()).Elem()
		if err := v.read(e.Value, f, value, keys); err != nil {
			return err
		}
		all.SetMapIndex(reflect.ValueOf(e.Key).Convert(t.Key()), value)
	}
	into.Set(all)
	return nil
}

// text sets v to what a text says that stands for all of it, as on the command line:
// of a list the values with separators between them.
func (f *field) text(text string, v reflect.Value) error {
	t := v.Type()
	switch {
	case isText(t):
	case t.Kind() == reflect.Pointer:
		p := reflect.New(t.Elem())
		v.Set(p)
		return f.text(text, p.Elem())
	case t.Kind() == reflect.Slice:
		parts := split(text, f.sep)
		all := reflect.MakeSlice(t, len(parts), len(parts))
		for i, part := range parts {
			if err := f.text(part, all.Index(i)); err != nil {
				return err
			}
		}
		v.Set(all)
		return nil
	}
	return f.scalar(text, v)
}

// split cuts a text at separators that no backslash is before.
func split(text, sep string) []string {
	if sep == "" {
		return []string{text}
	}
	var parts []string
	part := ""
	for {
		before, after, more := strings.Cut(text, sep)
		if head, escaped := strings.CutSuffix(before, `\`); escaped && more {
			part, text = part+head+sep, after
			continue
		}
		part += before
		if more || part != "" {
			parts = append(parts, part)
		}
		if !more {
			return parts
		}
		part, text = "", after
	}
}
