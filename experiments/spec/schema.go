package spec

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/octgen/octgen/experiments/generate"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/internal/strict"
)

// Schema returns the JSON Schema (draft 2020-12) of a spec, for editors and for checks without
// octgen. It is generated from the types that Parse reads into: keys, types, bounds, names,
// defaults and help. Parse checks more: whether a method has a flag, ranges of numbers, and
// repeated names; and it accepts a quoted number.
func Schema() []byte {
	s := vars().Schema(new(document))
	properties := s["properties"].(map[string]any)
	set := func(key string, add map[string]any) {
		for keyword, v := range add {
			properties[key].(map[string]any)[keyword] = v
		}
	}
	set("data", map[string]any{"items": map[string]any{"oneOf": dataSchemas()}})
	set("methods", map[string]any{"items": methodSchema()})
	set("limits", strict.Schema(new(fit.Limits)))
	set("metrics", map[string]any{"uniqueItems": true})
	set("evaluate", map[string]any{"not": map[string]any{"required": []string{"folds", "holdout"}}})
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["title"] = "octgen experiment"
	s["description"] = "An experiment of `octgen run`: methods on data."
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(s); err != nil {
		panic(err) // texts and numbers cannot fail
	}
	return out.Bytes()
}

// dataSchemas returns the kinds of data: a file, or one of the generators.
func dataSchemas() []any {
	file := strict.Schema(new(fileKeys))
	file["title"] = "file"
	kinds := []any{file}
	for _, name := range generate.Names() {
		kind := strict.Schema(new(generatedKeys), generate.NewFlags(name))
		kind["title"] = name
		kind["required"] = []string{"name", "generate", "features", "rows"} // the generator requires the last two
		key := kind["properties"].(map[string]any)["generate"].(map[string]any)
		delete(key, "type")
		key["const"] = name
		kinds = append(kinds, kind)
	}
	return kinds
}

// methodSchema returns the JSON Schema of a method, with the options of all methods.
func methodSchema() map[string]any {
	s := strictVars().Schema(new(methodKeys), problem.Union(problem.All()), new(fit.Settings))
	keys := s["properties"].(map[string]any)
	frontier := keys["frontier"].(map[string]any)["properties"].(map[string]any)
	frontier["constraint"].(map[string]any)["pattern"] = frontierPattern()
	frontier["limits"].(map[string]any)["anyOf"].([]any)[1].(map[string]any)["uniqueItems"] = true
	keys["method"].(map[string]any)["enum"] = problem.Names()
	keys["start"].(map[string]any)["enum"] = append([]string{"none", "auto"}, problem.Starters()...)
	return s
}

// frontierPattern returns the pattern of the constraints of frontiers.
func frontierPattern() string {
	var of, whole []string
	for _, k := range kinds() {
		if k.whole {
			whole = append(whole, strings.ReplaceAll(k.name, "-", "[-_]"))
		} else {
			of = append(of, k.name)
		}
	}
	return "^((" + strings.Join(of, "|") + "):.+|" + strings.Join(whole, "|") + ")$"
}
