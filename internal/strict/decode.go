package strict

import (
	"cmp"
	"encoding"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/octgen/octgen/internal/nearest"
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
	fields := v.fieldsOf(s.Type())
	all := make([]target, len(fields))
	for i, f := range fields {
		all[i] = target{f, s.FieldByIndex(f.index)}
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

// Keys are the keys of a mapping, and of those below it, that the file has.
type Keys struct {
	of  Node
	set map[string]Node // by their paths from the mapping on
}

// add notes the value at a path from the file on.
func (k *Keys) add(path string, value Node) {
	k.set[strings.TrimPrefix(strings.TrimPrefix(path, k.of.path), ".")] = value
}

// Has says whether the file has the key, such as depth or values[0].data, by the name
// that the field has today.
func (k *Keys) Has(path string) bool { return k.set[path].IsSet() }

// At is the value of a key, for errors about it; where the file does not have the
// key, the mapping around it.
func (k *Keys) At(path string) Node {
	for path != "" {
		if n, ok := k.set[path]; ok {
			return n
		}
		path = path[:max(0, strings.LastIndexAny(path, ".["))]
	}
	return k.of
}

// scalar sets v to what a text says. An error says what is wrong and what would be
// right.
func (f *field) scalar(text string, v reflect.Value) error {
	if f.enum != nil && !slices.Contains(f.enum, text) {
		return f.notListed(text)
	}
	if u, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return u.UnmarshalText([]byte(text))
	}
	if v.Type() == durationType {
		d, err := Duration(text)
		v.SetInt(int64(d))
		return err
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
		return nil
	case reflect.Bool:
		return setBool(text, v)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return f.setInt(text, v)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return f.setUint(text, v)
	case reflect.Float32, reflect.Float64:
		return f.setFloat(text, v)
	}
	panic(fmt.Sprintf("strict: the field for the key %s has the type %s", f.key, v.Type()))
}

// notListed says which of the listed texts was probably meant.
func (f *field) notListed(text string) error {
	if meant := nearest.Name(text, f.enum); meant != "" {
		return fmt.Errorf("%q; want %s; did you mean %q?", text, oneOf(f.enum), meant)
	}
	return fmt.Errorf("%q; want %s", text, oneOf(f.enum))
}

// oneOf lists texts: a, b or c.
func oneOf(texts []string) string {
	last := len(texts) - 1
	if last == 0 {
		return texts[0]
	}
	return strings.Join(texts[:last], ", ") + " or " + texts[last]
}

// Duration reads a time such as 60s or 1h30m; a plain number is seconds.
func Duration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil {
		if seconds, e := strconv.ParseFloat(text, 64); e == nil && math.Abs(seconds) < math.MaxInt64/1e9 {
			return time.Duration(seconds * float64(time.Second)), nil
		}
		return 0, fmt.Errorf("%q is no time; want one such as 60s, 2m or 90 (seconds)", text)
	}
	return d, nil
}

// setBool takes what YAML 1.1 has for true and false.
func setBool(text string, v reflect.Value) error {
	switch strings.ToLower(text) {
	case "true", "yes", "on":
		v.SetBool(true)
	case "false", "no", "off":
		v.SetBool(false)
	default:
		return fmt.Errorf("%q; want true or false", text)
	}
	return nil
}

func (f *field) setInt(text string, v reflect.Value) error {
	bits := v.Type().Bits()
	low, high := int64(math.MinInt64)>>(64-bits), int64(math.MaxInt64)>>(64-bits)
	x, err := strconv.ParseInt(text, 0, bits)
	if err != nil || x < bound(f.min, low, parseInt) || x > bound(f.max, high, parseInt) {
		return noInteger(text, err, f.min, f.max, fmt.Sprint(low), fmt.Sprint(high))
	}
	v.SetInt(x)
	return nil
}

func (f *field) setUint(text string, v reflect.Value) error {
	bits := v.Type().Bits()
	high := uint64(math.MaxUint64) >> (64 - bits)
	x, err := strconv.ParseUint(text, 0, bits)
	if err != nil || x < bound(f.min, 0, parseUint) || x > bound(f.max, high, parseUint) {
		return noInteger(text, err, cmp.Or(f.min, "0"), f.max, "0", fmt.Sprint(high))
	}
	v.SetUint(x)
	return nil
}

func parseInt(text string) (int64, error)     { return strconv.ParseInt(text, 10, 64) }
func parseUint(text string) (uint64, error)   { return strconv.ParseUint(text, 10, 64) }
func parseFloat(text string) (float64, error) { return strconv.ParseFloat(text, 64) }

// bound is the number in a tag, otherwise where there is none.
func bound[T any](tag string, otherwise T, parse func(string) (T, error)) T {
	if tag == "" {
		return otherwise
	}
	x, err := parse(tag)
	if err != nil {
		panic("strict: a tag bounds a field by " + tag)
	}
	return x
}

// noInteger says which whole numbers are wanted: those from least to most, each "" for
// no such end. To one whose number is beyond those of the type, low to high, these
// are worth naming.
func noInteger(text string, err error, least, most, low, high string) error {
	if errors.Is(err, strconv.ErrRange) {
		least, most = cmp.Or(least, low), cmp.Or(most, high)
	}
	want := "a whole number"
	switch {
	case least != "" && most != "":
		want += fmt.Sprintf(", %s to %s", least, most)
	case least != "":
		want += fmt.Sprintf(", %s or more", least)
	case most != "":
		want += ", at most " + most
	}
	return fmt.Errorf("%q; want %s", text, want)
}

func (f *field) setFloat(text string, v reflect.Value) error {
	x, err := strconv.ParseFloat(text, v.Type().Bits())
	inf := math.Inf(1)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) ||
		x < bound(f.min, -inf, parseFloat) || x > bound(f.max, inf, parseFloat) ||
		x <= bound(f.above, -inf, parseFloat) || x >= bound(f.below, inf, parseFloat) {
		return fmt.Errorf("%q; want %s", text, f.numbers())
	}
	v.SetFloat(x)
	return nil
}

// numbers says which numbers are wanted.
func (f *field) numbers() string {
	switch {
	case f.above != "" && f.below != "":
		return fmt.Sprintf("a number between %s and %s", f.above, f.below)
	case f.min != "" && f.max != "":
		return fmt.Sprintf("a number, %s to %s", f.min, f.max)
	}
	var parts []string
	for _, p := range []struct{ format, bound string }{{"%s or more", f.min}, {"more than %s", f.above}, {"at most %s", f.max}, {"less than %s", f.below}} {
		if p.bound != "" {
			parts = append(parts, fmt.Sprintf(p.format, p.bound))
		}
	}
	if parts == nil {
		return "a finite number"
	}
	return "a number, " + strings.Join(parts, " and ")
}

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
	if _, text := value.Interface().(fmt.Stringer); isText(value.Type()) && !text {
		return nil // which checked itself
	}
	return f.field.scalar(fmt.Sprint(value.Interface()), reflect.New(value.Type()).Elem())
}
