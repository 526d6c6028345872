package strict

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
)

// Schemer is a type of field, with UnmarshalText, that says which values it takes.
type Schemer interface {
	// JSONSchema returns the keywords of a JSON Schema, such as type.
	JSONSchema() map[string]any
}

// Schema is the JSON Schema (draft 2020-12) of what Decode reads into these structs:
// types, defaults, listed texts, bounds, descriptions. Of a Node it says nothing but
// the description; it is for the caller to add what is read from it. Decode takes
// more: numbers in quotes, for instance.
func Schema(of ...any) map[string]any { return Vars(nil).Schema(of...) }

// Schema is the function Schema for tags with variables.
func (v Vars) Schema(of ...any) map[string]any {
	var all []field
	for _, s := range of {
		all = append(all, v.fieldsOf(reflect.TypeOf(s).Elem())...)
	}
	distinct(all)
	return v.object(all)
}

// object is the schema of a mapping.
func (v Vars) object(fields []field) map[string]any {
	properties := make(map[string]any)
	var required []string
	for _, f := range fields {
		properties[f.key] = v.property(f)
		for _, name := range f.aliases {
			properties[name] = map[string]any{"description": "Older name of " + f.key + ".", "deprecated": true}
		}
		if f.required {
			required = append(required, f.key)
		}
	}
	s := map[string]any{"type": "object", "additionalProperties": false, "properties": properties}
	if required != nil {
		slices.Sort(required)
		s["required"] = required
	}
	return s
}

// property is the schema of a key.
func (v Vars) property(f field) map[string]any {
	s := v.value(f, f.typ)
	if f.help != "" {
		s["description"] = f.help
	}
	if f.has && f.initial != "" {
		s["default"] = f.json(f.initial, f.typ)
	}
	return s
}

// value is the schema of a value of type t.
func (v Vars) value(f field, t reflect.Type) map[string]any {
	switch {
	case t == nodeType:
		return map[string]any{}
	case isText(t):
	case t.Kind() == reflect.Pointer:
		return v.value(f, t.Elem())
	case t.Kind() == reflect.Struct:
		return v.object(v.fieldsOf(t))
	case t.Kind() == reflect.Slice:
		items := v.value(f, t.Elem())
		list := map[string]any{"type": "array", "minItems": 1, "items": items}
		if t.Elem() == nodeType || isMapping(t.Elem()) {
			return list
		}
		return map[string]any{"anyOf": []any{v.value(f, t.Elem()), list}}
	case t.Kind() == reflect.Map:
		values := v.value(f, t.Elem())
		if t.Elem().Kind() == reflect.String && !isText(t.Elem()) && f.enum == nil { // whose texts may be without quotes
			values["type"] = []string{"string", "number", "boolean"}
		}
		return map[string]any{"type": "object", "additionalProperties": values}
	}
	s := scalarSchema(t)
	if f.enum != nil {
		var values []any
		for _, text := range f.enum {
			values = append(values, f.json(text, t))
		}
		s["enum"] = values
	}
	for keyword, tag := range map[string]string{"minimum": f.min, "maximum": f.max, "exclusiveMinimum": f.above, "exclusiveMaximum": f.below} {
		if tag != "" {
			s[keyword] = bound(tag, 0, parseFloat)
		}
	}
	return s
}

// scalarSchema is the schema of a single value. A text of its own kind may be
// written as a number; what is a rune underneath is one character.
func scalarSchema(t reflect.Type) map[string]any {
	if s, ok := reflect.New(t).Interface().(Schemer); ok {
		return s.JSONSchema()
	}
	switch {
	case isText(t) && (t.Kind() == reflect.Int32 || t.Kind() == reflect.String):
		return map[string]any{"type": "string"}
	case isText(t):
		return map[string]any{"type": []string{"string", "number", "boolean"}}
	case t == durationType:
		return map[string]any{"type": []string{"string", "number"}}
	}
	switch t.Kind() {
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return map[string]any{"type": "integer"}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return map[string]any{"type": "integer", "minimum": 0}
	case reflect.Float32, reflect.Float64:
		return map[string]any{"type": "number"}
	}
	panic(fmt.Sprintf("strict: no schema for a field of type %s", t))
}

// json is what a text that stands for a value of type t is in JSON; for types with
// texts of their own a number, where it is one, else the text.
func (f *field) json(text string, t reflect.Type) any {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	v := reflect.New(t).Elem()
	if err := f.text(text, v); err != nil {
		panic(fmt.Sprintf("strict: a tag of the key %s: %v", f.key, err))
	}
	if !isText(t) && t != durationType {
		return v.Interface()
	}
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return x
	}
	return text
}
