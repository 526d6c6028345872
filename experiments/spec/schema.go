package spec

import (
	"bytes"
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/flags"
)

// Schema returns the JSON Schema (draft 2020-12) of a spec, for editors and checks
// without octgen. It is made from what Parse reads: keys, types, least values,
// names, defaults and help. Parse knows more: whether a method has a flag, what
// numbers are in range, names that are there twice; and it takes a number in quotes.
func Schema() []byte {
	var l deferred
	s := sketchObject(nil)
	root := new(Spec)
	properties := map[string]sketch{}
	for key, read := range root.keys(&l) {
		properties[key] = sketchOf(read)
	}
	properties["data"] = sketchList(sketch{"oneOf": sketchData()})
	properties["methods"] = sketchList(sketchMethod())
	properties["limits"] = sketchLimits()
	properties["evaluate"].note("not", sketch{"required": []string{"folds", "holdout"}})
	properties["reference"] = sketchOf(root.readReference)
	s["properties"] = properties
	s.annotate("")
	s.note("$schema", "https://json-schema.org/draft/2020-12/schema").note("title", "octgen experiment").
		note("description", "An experiment of `octgen run`: methods on data.").note("required", []string{"name", "data", "methods"})
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(s); err != nil {
		panic(err) // texts and numbers
	}
	return out.Bytes()
}

// sketchData are the kinds of data: a file, or one of the generators.
func sketchData() []sketch {
	file := sketchFlags(freshData())
	file["name"] = sketch{"type": "string", "description": "Name in tables and task names (default: that of the file)."}
	file["file"] = sketch{"type": "string", "description": "CSV file, beside the spec, in $OCTGEN_DATA or in ../shared/data."}
	kinds := []sketch{sketchObject(file).note("title", "file").note("required", []string{"file"})}
	for _, name := range GeneratorNames() {
		keys := sketchFlags(generators()[name]())
		for key, s := range sketchFlags(new(replicateFlags)) {
			keys[key] = s
		}
		keys["name"] = sketch{"type": "string", "description": "Name in tables and task names."}
		keys["generate"] = sketch{"const": name, "description": "Generator of the data."}
		kinds = append(kinds, sketchObject(keys).note("title", name).note("required", []string{"name", "generate", "features", "rows"}))
	}
	return kinds
}

func sketchMethod() sketch {
	keys := sketchFit()
	keys["name"] = sketch{"type": "string", "description": "Name of the tables' row (default: the method)."}
	keys["baseline"] = sketch{"type": "string", "description": "Method that this one is compared with, by name (default: that of the spec)."}
	keys["method"].note("enum", fitMethods())
	keys["start"].note("enum", append([]string{"none", "auto"}, fit.StartNames()...))
	delete(keys["method"], "default") // a spec always names it
	return sketchObject(keys).note("required", []string{"method"})
}

func sketchLimits() sketch {
	keys := map[string]sketch{}
	for key, s := range sketchFit() {
		if slices.Contains(limitFlags(), strings.ReplaceAll(key, "_", "-")) {
			keys[key] = s
		}
	}
	return sketchObject(keys)
}

// sketchFit are the schemas of the flags of a fit, limits with their least value.
func sketchFit() map[string]sketch {
	keys := sketchFlags(freshFit())
	for _, flag := range limitFlags() {
		if s := keys[strings.ReplaceAll(flag, "-", "_")]; s["type"] == "integer" {
			s.note("minimum", 0)
		}
	}
	return keys
}

// sketchFlags are the schemas of the flags of a struct, by their keys.
func sketchFlags(of any) map[string]sketch {
	keys := map[string]sketch{}
	for _, f := range flags.Describe(of) {
		s := sketchType(f.Type).note("description", f.Help)
		if f.Enum != nil {
			s.note("enum", f.Enum)
		}
		if f.Default != "" {
			s.note("default", typed(f.Default))
		}
		keys[strings.ReplaceAll(f.Name, "-", "_")] = s
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

// sketchType is the schema of a flag's values.
func sketchType(t reflect.Type) sketch {
	if t.Kind() == reflect.Pointer {
		return sketchType(t.Elem())
	}
	scalar := sketch{"type": []string{"string", "number", "boolean"}}
	switch reflect.New(t).Interface().(type) {
	case *flags.Duration:
		return sketch{"type": []string{"string", "number"}, "exclusiveMinimum": 0}
	case *flags.Part:
		return sketch{"type": []string{"string", "number"}, "exclusiveMinimum": 0, "exclusiveMaximum": 1}
	case *flags.SplitLimit:
		return sketch{"type": "integer", "minimum": 1}
	case *flags.Delimiter:
		return sketch{"type": "string"}
	case encoding.TextUnmarshaler:
		return scalar
	}
	switch t.Kind() {
	case reflect.Bool:
		return sketch{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return sketch{"type": "integer"}
	case reflect.Uint64:
		return sketch{"type": "integer", "minimum": 0}
	case reflect.Float64:
		return sketch{"type": "number"}
	case reflect.String:
		return sketch{"type": "string"}
	case reflect.Slice:
		return sketch{"anyOf": []sketch{sketchType(t.Elem()), sketchList(sketchType(t.Elem()))}}
	case reflect.Map:
		return sketch{"type": "object", "additionalProperties": scalar}
	}
	panic("experiments: no schema for a flag of type " + t.String())
}
