package spec

import "github.com/octgen/octgen/experiments/metric"

// schemaDocs describes the keys of a spec that are no flags, by their paths.
var schemaDocs = map[string]string{
	"name":                      "What the experiment is called.",
	"data":                      "Files and generated data: the rows of the tables.",
	"methods":                   "Methods of `octgen fit` with its flags, _ for -: the columns of the tables.",
	"limits":                    "For all methods that have them and do not say otherwise.",
	"baseline":                  "Name of the method that the others are compared with (default: the first).",
	"workers":                   "Tasks at a time, unless --workers says (default: 1).",
	"evaluate":                  "How rows are divided into training and test parts; of generated data with test rows only validation applies.",
	"evaluate.folds":            "Parts of a cross-validation.",
	"evaluate.holdout":          "Part of the rows that is tested on, between 0 and 1.",
	"evaluate.validation":       "Part of all rows of a split that tuned methods choose alpha by, taken from the training rows.",
	"evaluate.repeats":          "Divisions, with the seeds seed, seed + 1, and so on (default: 1).",
	"evaluate.seed":             "Seed of the first division (default: 1).",
	"evaluate.stratified":       "Classes are divided evenly (default: true).",
	"reference":                 "A paper's figures, shown beside ours.",
	"reference.paper":           "Where they are from.",
	"reference.note":            "What the figures are, and what differs; shown with them.",
	"reference.values":          "The figures.",
	"reference.values[].data":   "Name of the data.",
	"reference.values[].method": "Name of the method.",
	"reference.values[].metric": "Metric (default: test_error).",
	"reference.values[].value":  "The figure, in the metric's unit.",
}

// schemaRules are what a reader checks after it has read a value.
var schemaRules = map[string]sketch{
	"evaluate.holdout":          {"exclusiveMinimum": 0, "exclusiveMaximum": 1},
	"evaluate.validation":       {"exclusiveMinimum": 0, "exclusiveMaximum": 1},
	"reference.values[].metric": {"enum": metric.Names()},
	"reference.values[]":        {"required": []string{"data", "method", "value"}},
}

// annotate adds descriptions and rules to a schema and those below it.
func (s sketch) annotate(path string) {
	if doc, ok := schemaDocs[path]; ok {
		s.note("description", doc)
	}
	for keyword, v := range schemaRules[path] {
		s.note(keyword, v)
	}
	if items, ok := s["items"].(sketch); ok {
		items.annotate(path + "[]")
	}
	properties, _ := s["properties"].(map[string]sketch)
	for key, below := range properties {
		if path != "" {
			key = path + "." + key
		}
		below.annotate(key)
	}
}
