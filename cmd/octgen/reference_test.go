//go:build cgo && !nohighs

package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	gocmp "github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/fit"
)

// golden compares a generated page of the documentation with the file; -update writes it.
func golden(t *testing.T, name, want string) {
	t.Helper()
	page := filepath.Join("..", "..", "docs", name)
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if d := gocmp.Diff(want, string(text)); d != "" {
		t.Errorf("make golden writes docs/%s again (-generated +page):\n%s", name, d)
	}
}

// TestReferenceCLI: docs/reference-cli.md has every command and flag of the grammar.
func TestReferenceCLI(t *testing.T) {
	a := &app{ctx: context.Background(), stdout: bufio.NewWriter(io.Discard), stderr: io.Discard}
	k, err := a.parser("man", new(helpAsked), func() {})
	if err != nil {
		t.Fatal(err)
	}
	nameOwners(k.Model)
	var b strings.Builder
	b.WriteString("# Commands and flags\n\nReference, generated from the program by `make golden`. `octgen COMMAND --help` prints the same for one command.\n")
	for _, c := range k.Model.Leaves(true) {
		fmt.Fprintf(&b, "\n## octgen %s\n\n`%s %s`\n\n%s\n", c.Path(), k.Model.Name, c.Summary(), tableCell(c.Help))
		if len(c.Positional) > 0 {
			b.WriteString("\n| argument | meaning |\n|---|---|\n")
		}
		for _, arg := range c.Positional {
			fmt.Fprintf(&b, "| `%s` | %s |\n", tableCell(arg.Summary()), tableCell(arg.Help))
		}
		writeFlags(&b, c.Flags)
	}
	golden(t, "reference-cli.md", b.String())
}

// writeFlags writes a table of flags for each group, in the order of the groups' first flags.
func writeFlags(b *strings.Builder, flags []*kong.Flag) {
	rows, groups := map[string][]string{}, []string(nil)
	for _, f := range flags {
		if f.Hidden || f.Name == "help" {
			continue
		}
		title, name := groupTitle(f), f.Summary()
		if f.Short != 0 {
			name = fmt.Sprintf("-%c, %s", f.Short, name)
		}
		if rows[title] == nil {
			groups = append(groups, title)
		}
		rows[title] = append(rows[title], fmt.Sprintf("| `%s` | %s |\n", tableCell(name), tableCell(f.Help)))
	}
	for _, title := range groups {
		fmt.Fprintf(b, "%s\n| flag | meaning |\n|---|---|\n%s", heading(title), strings.Join(rows[title], ""))
	}
}

// groupTitle is the title of a flag's group, "" for flags without one.
func groupTitle(f *kong.Flag) string {
	if f.Group == nil {
		return ""
	}
	return f.Group.Title
}

// heading is the line above the table of a group of flags; the flags without a group have none.
func heading(title string) string {
	if title == "" {
		return ""
	}
	return "\n" + title + ":\n"
}

// tableCell is a text as a cell of a table.
func tableCell(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
}

// TestReferenceSpec: docs/reference-spec.md has every key of the schema of experiments.
func TestReferenceSpec(t *testing.T) {
	var root schemaNode
	if err := json.Unmarshal(spec.Schema(), &root); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("# Keys of experiment specs\n\nReference, generated from the schema (`octgen schema`) by `make golden`. [Experiments](experiments.md) is the guide.\n")
	root.section(&b, "", "Spec")
	golden(t, "reference-spec.md", b.String())
}

// schemaNode has the parts of a JSON Schema that the page shows.
type schemaNode struct {
	Title       string                 `json:"title"`
	Description string                 `json:"description"`
	Type        any                    `json:"type"`
	Default     any                    `json:"default"`
	Const       any                    `json:"const"`
	Enum        []any                  `json:"enum"`
	Minimum     any                    `json:"minimum"`
	Maximum     any                    `json:"maximum"`
	Above       any                    `json:"exclusiveMinimum"`
	Below       any                    `json:"exclusiveMaximum"`
	Required    []string               `json:"required"`
	Properties  map[string]*schemaNode `json:"properties"`
	Items       *schemaNode            `json:"items"`
	OneOf       []*schemaNode          `json:"oneOf"`
	AnyOf       []*schemaNode          `json:"anyOf"`
}

// section writes the table of an object's keys, then those of the objects in it.
func (n *schemaNode) section(b *strings.Builder, path, title string) {
	fmt.Fprintf(b, "\n## %s\n\n| key | type | meaning |\n|---|---|---|\n", title)
	keys := slices.Sorted(maps.Keys(n.Properties))
	for _, key := range keys {
		p, text := n.Properties[key], n.Properties[key].Description
		if slices.Contains(n.Required, key) {
			text = "Required. " + text
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", key, tableCell(p.kind()), tableCell(text))
	}
	for _, key := range keys {
		p := n.Properties[key]
		below := path + key
		if p.Items != nil {
			p, below = p.Items, below+"[]"
		}
		for _, one := range append([]*schemaNode{p}, p.OneOf...) {
			if len(one.Properties) > 0 {
				name := below
				if one.Title != "" {
					name += " (" + one.Title + ")"
				}
				one.section(b, below+".", name)
			}
		}
	}
}

// kind is the type of a value with its range and default.
func (n *schemaNode) kind() string {
	var parts []string
	switch {
	case n.Const != nil:
		return fmt.Sprint("`", n.Const, "`")
	case n.Enum != nil:
		for _, v := range n.Enum {
			parts = append(parts, fmt.Sprint("`", v, "`"))
		}
	case len(n.AnyOf) == 2 && n.AnyOf[1].Items != nil && n.AnyOf[1].Items.kind() == n.AnyOf[0].kind():
		return n.AnyOf[0].kind() + ", or a list of them"
	case n.AnyOf != nil:
		for _, one := range n.AnyOf {
			parts = append(parts, one.kind())
		}
	case n.Type == "array" && n.Items != nil && n.Items.Type != nil:
		parts = append(parts, "list of "+n.Items.kind())
	default:
		for _, v := range anySlice(n.Type) {
			parts = append(parts, fmt.Sprint(v))
		}
	}
	text := strings.Join(parts, " or ")
	for _, limit := range []struct {
		words string
		value any
	}{{"at least", n.Minimum}, {"at most", n.Maximum}, {"above", n.Above}, {"below", n.Below}, {"default", n.Default}} {
		if limit.value != nil {
			text += fmt.Sprintf(", %s %v", limit.words, limit.value)
		}
	}
	return text
}

// anySlice is the list v, or the list of v alone.
func anySlice(v any) []any {
	if list, ok := v.([]any); ok {
		return list
	}
	return []any{v}
}

// TestReferenceJSON: docs/reference-json.md has every key of fit.Result, with a meaning.
func TestReferenceJSON(t *testing.T) {
	p := &jsonPage{t: t, shown: map[reflect.Type]bool{}, used: map[string]bool{}}
	p.b.WriteString("# JSON of fit\n\nReference of `octgen fit --json` and `octgen decode --json`, and of what `octgen describe --json` has beside `data`, generated from the program's types by `make golden`.\n\"Optional\" keys are absent if they do not apply. Numbers that are unknown are `null`.\n")
	p.section(reflect.TypeFor[fit.Result](), "")
	p.section(reflect.TypeFor[dataset.Examination](), "examined")
	for key := range meanings {
		if !p.used[key] {
			t.Errorf("meanings has %s, which no JSON has", key)
		}
	}
	golden(t, "reference-json.md", p.b.String())
}

// jsonPage is the page of JSON keys while it is written.
type jsonPage struct {
	t     *testing.T
	b     bytes.Buffer
	shown map[reflect.Type]bool
	used  map[string]bool // keys of meanings
}

// section writes the table of the struct at path, then those of the structs in it that are not yet
// shown.
func (p *jsonPage) section(of reflect.Type, path string) {
	p.shown[of] = true
	fmt.Fprintf(&p.b, "\n## %s\n\n| key | type | meaning |\n|---|---|---|\n", cmp.Or(path, "Result"))
	var nested []reflect.StructField
	p.rows(of, &nested)
	for _, f := range nested {
		if e := element(f.Type); !p.shown[e] {
			below, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if f.Type.Kind() == reflect.Slice {
				below += "[]"
			}
			p.section(e, strings.TrimPrefix(path+"."+below, "."))
		}
	}
}

// rows writes the keys of a struct, embedded ones included, and collects the fields that are structs.
func (p *jsonPage) rows(of reflect.Type, nested *[]reflect.StructField) {
	for i := range of.NumField() {
		f := of.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			p.rows(element(f.Type), nested)
			continue
		}
		if name == "-" || !f.IsExported() {
			continue
		}
		key := of.Name() + "." + name
		text := meanings[key]
		if p.used[key] = true; text == "" {
			p.t.Errorf("meanings lacks %q", key)
		}
		kind := jsonKind(f.Type)
		if strings.Contains(options, "omitempty") {
			kind += ", optional"
		}
		fmt.Fprintf(&p.b, "| `%s` | %s | %s |\n", name, kind, text)
		if e := element(f.Type); e.Kind() == reflect.Struct && e.Name() != "Tree" {
			*nested = append(*nested, f)
		}
	}
}

// element is a type without its pointers and lists.
func element(of reflect.Type) reflect.Type {
	for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
		of = of.Elem()
	}
	return of
}

// jsonKind is the JSON type of a Go type.
func jsonKind(of reflect.Type) string {
	switch of.Kind() {
	case reflect.Pointer:
		if e := of.Elem(); e.Kind() != reflect.Struct {
			return jsonKind(e) + " or null"
		}
		return jsonKind(of.Elem())
	case reflect.Slice:
		return "list of " + strings.TrimSuffix(jsonKind(of.Elem()), "s") + "s"
	case reflect.Struct:
		return "object"
	case reflect.Bool:
		return "boolean"
	case reflect.String:
		return "string"
	case reflect.Float32, reflect.Float64:
		return "number"
	}
	return "integer"
}
