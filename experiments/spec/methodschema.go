package spec

import (
	"encoding"
	"reflect"
	"slices"
	"strconv"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/flags"
)

// methodSchema is the JSON Schema of a method.
func methodSchema() map[string]any {
	keys := fitSchema()
	keys["name"] = map[string]any{"type": "string", "description": "Name of the tables' row (default: the method)."}
	keys["baseline"] = map[string]any{"type": "string", "description": "Method that this one is compared with, by name (default: that of the spec)."}
	keys["method"]["enum"] = fitMethods()
	keys["start"]["enum"] = append([]string{"none", "auto"}, fit.StartNames()...)
	delete(keys["method"], "default") // a spec always names it
	return map[string]any{"type": "object", "additionalProperties": false, "properties": keys, "required": []string{"method"}}
}

// limitsSchema is the JSON Schema of the limits that methods share.
func limitsSchema() map[string]any {
	keys := fitSchema()
	for key := range keys {
		if !slices.Contains(limitFlags(), flagOf(key)) {
			delete(keys, key)
		}
	}
	return map[string]any{"type": "object", "additionalProperties": false, "properties": keys}
}

// fitSchema are the schemas of the flags of a fit by their keys, limits with their
// least value.
func fitSchema() map[string]map[string]any {
	keys := make(map[string]map[string]any)
	for _, f := range flags.Describe(new(flags.Fit)) {
		s := flagSchema(f.Type)
		s["description"] = f.Help
		if f.Enum != nil {
			s["enum"] = f.Enum
		}
		if f.Default != "" {
			s["default"] = typed(f.Default)
		}
		if slices.Contains(limitFlags(), f.Name) && s["type"] == "integer" {
			s["minimum"] = 0
		}
		keys[keyOf(f.Name)] = s
	}
	return keys
}

// typed is the value that a default stands for.
func typed(text string) any {
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		return v
	}
	return text
}

// flagSchema is the schema of a flag's values.
func flagSchema(t reflect.Type) map[string]any {
	if t.Kind() == reflect.Pointer {
		return flagSchema(t.Elem())
	}
	scalar := map[string]any{"type": []string{"string", "number", "boolean"}}
	switch reflect.New(t).Interface().(type) {
	case *flags.Duration:
		return map[string]any{"type": []string{"string", "number"}, "exclusiveMinimum": 0}
	case *flags.Part:
		return map[string]any{"type": []string{"string", "number"}, "exclusiveMinimum": 0, "exclusiveMaximum": 1}
	case *flags.SplitLimit:
		return map[string]any{"type": "integer", "minimum": 1}
	case encoding.TextUnmarshaler:
		return scalar
	}
	switch t.Kind() {
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return map[string]any{"type": "integer"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Slice:
		return map[string]any{"anyOf": []any{flagSchema(t.Elem()), map[string]any{"type": "array", "minItems": 1, "items": flagSchema(t.Elem())}}}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": scalar}
	}
	panic("spec: no schema for a flag of type " + t.String())
}
