package spec_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"github.com/octgen/octgen/experiments/spec"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestSchemaFile: the schema in the repository is up to date.
func TestSchemaFile(t *testing.T) {
	const golden = "../spec.schema.json"
	if *update {
		if err := os.WriteFile(golden, spec.Schema(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(spec.Schema())); diff != "" {
		t.Errorf("make golden writes it again: %s", diff)
	}
}

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(spec.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("spec.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("spec.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(s *jsonschema.Schema, spec string) error {
	var v any
	if err := yaml.Unmarshal([]byte(spec), &v); err != nil {
		return err
	}
	return s.Validate(v)
}

// TestSchemaAccepts: the schema accepts every spec of the repository.
func TestSchemaAccepts(t *testing.T) {
	s := compiled(t)
	specs := map[string]string{"good": good}
	for _, pattern := range []string{"../paper/*.yaml", "../paper/quick/*.yaml", "../constraints/*.yaml", "../../examples/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			specs[file] = string(text)
		}
	}
	for _, page := range []string{"experiments.md", "constraints.md"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "docs", page))
		if err != nil {
			t.Fatal(err)
		}
		for i, block := range strings.Split(string(text), "```yaml\n")[1:] {
			specs[fmt.Sprintf("%s, block %d", page, i+1)], _, _ = strings.Cut(block, "```")
		}
	}
	for name, spec := range specs {
		if err := validate(s, spec); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSchemaRefuses: parser and schema reject the specs in testdata/wrong, with one mistake each.
func TestSchemaRefuses(t *testing.T) {
	s := compiled(t)
	files, err := filepath.Glob(filepath.Join("testdata", "wrong", "*.yaml"))
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := spec.Parse(text, file); err == nil {
			t.Errorf("%s: the parser takes it", file)
		}
		if err := validate(s, string(text)); err == nil {
			t.Errorf("%s: the schema takes it", file)
		}
	}
}

// TestSchemaDescribes: every key has a description.
func TestSchemaDescribes(t *testing.T) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(spec.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	keys := 0
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case []any:
			for _, item := range v {
				walk(path, item)
			}
		case map[string]any:
			properties, _ := v["properties"].(map[string]any)
			for key, below := range properties {
				keys++
				if d, _ := below.(map[string]any)["description"].(string); d == "" {
					t.Errorf("%s.%s has no description: see the help of its field", path, key)
				}
				walk(path+"."+key, below)
			}
			walk(path+"[]", v["items"])
			walk(path, v["oneOf"])
		}
	}
	walk("", doc)
	if keys < 80 {
		t.Errorf("%d keys were found", keys)
	}
}
