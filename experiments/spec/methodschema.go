package spec

import (
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/internal/strict"
	"github.com/octgen/octgen/method"
)

// methodSchema is the JSON Schema of a method: of the options of all of them.
func methodSchema() map[string]any {
	s := strictVars().Schema(new(methodKeys), method.Union(method.All()), new(fit.Settings))
	keys := s["properties"].(map[string]any)
	keys["method"].(map[string]any)["enum"] = method.Names()
	keys["start"].(map[string]any)["enum"] = append([]string{"none", "auto"}, method.Starters()...)
	return s
}

// limitsSchema is the JSON Schema of the limits that methods share.
func limitsSchema() map[string]any { return strict.Schema(new(fit.Limits)) }
