package spec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// node is a value of the spec with its place, for errors that name both.
type node struct {
	file  string
	field string
	yaml  *yaml.Node

	sketch sketch // where not nil, there is no value: see there
}

// entry is a key of a mapping with its value.
type entry struct {
	key   string
	value node
}

// parseYAML reads one document.
func parseYAML(text []byte, file string) (node, error) {
	var doc, more yaml.Node
	d := yaml.NewDecoder(bytes.NewReader(oldDirective(text)))
	err := d.Decode(&doc)
	if err == io.EOF || err == nil && len(doc.Content) == 0 {
		return node{}, &SpecError{File: file, Msg: "the spec is empty"}
	}
	if err != nil {
		return node{}, syntaxError(file, text, err)
	}
	if err := d.Decode(&more); err == nil {
		return node{}, &SpecError{File: file, Line: more.Line, Msg: "a second document begins here; a spec is one"}
	} else if err != io.EOF {
		return node{}, syntaxError(file, text, err)
	}
	return node{file: file, yaml: doc.Content[0]}, nil
}

var yaml12 = regexp.MustCompile(`(?m)\A((?:[ \t]*(?:#.*)?\r?\n)*%YAML[ \t]+1\.)2\b`)

// oldDirective makes a first line "%YAML 1.2" one of YAML 1.1, the only version
// that the library takes: in what a spec may hold the two are one.
func oldDirective(text []byte) []byte { return yaml12.ReplaceAll(text, []byte("${1}1")) }

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// syntaxError gives an error of the library the file and, where there is one to
// blame, the line.
func syntaxError(file string, text []byte, err error) error {
	e := &SpecError{File: file, Msg: err.Error(), Err: err}
	if m := yamlLine.FindStringSubmatch(e.Msg); m != nil {
		e.Line, _ = strconv.Atoi(m[1]) // 0 where there is none
		e.Msg = e.Msg[len(m[0]):]
	}
	if e.Line == 0 {
		e.Line = lineToBlame(text, e.Msg)
	}
	return e
}

var (
	strangeBytes = regexp.MustCompile(`[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x{84}\x{86}-\x{9f}\x{FFFD}]`) // what is no UTF-8 matches U+FFFD
	directive    = regexp.MustCompile(`(?m)^%`)
	anchorName   = regexp.MustCompile(`^unknown anchor '(.*)' referenced$`)
)

// lineToBlame finds the line of a mistake that the library names no line for; 0 for
// none.
func lineToBlame(text []byte, msg string) int {
	var at []int
	switch m := anchorName.FindStringSubmatch(msg); {
	case m != nil:
		at = regexp.MustCompile(`\*` + regexp.QuoteMeta(m[1])).FindIndex(text)
	case strings.Contains(msg, "directive") || strings.Contains(msg, "incompatible"):
		at = directive.FindIndex(text)
	case strings.Contains(msg, "UTF-8") || strings.Contains(msg, "control characters"):
		at = strangeBytes.FindIndex(text)
	}
	if at == nil {
		return 0
	}
	return 1 + bytes.Count(text[:at[0]], []byte("\n"))
}

func (n node) errorf(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &SpecError{File: n.file, Line: n.yaml.Line, Field: n.field, Msg: err.Error(), Err: errors.Unwrap(err)}
}

// entries returns the keys of a mapping in order. Keys are texts, each there
// once; aliases are followed where they stand for a value.
func (n node) entries() ([]entry, error) {
	if n.sketch != nil {
		n.sketch.note("type", "object")
		return nil, errSketched
	}
	m := n.yaml
	if m.Kind == yaml.AliasNode {
		m = m.Alias
	}
	if m.Kind != yaml.MappingNode {
		return nil, n.errorf("%s; want a mapping (key: value)", describe(m))
	}
	var all []entry
	for i := 0; i+1 < len(m.Content); i += 2 {
		key, value := m.Content[i], m.Content[i+1]
		e := entry{key.Value, node{file: n.file, field: strings.TrimPrefix(n.field+"."+key.Value, "."), yaml: value}}
		if key.Tag == "!!merge" {
			return nil, node{file: n.file, field: n.field, yaml: key}.errorf("the merge key << is not supported; want the keys written out")
		}
		if key.Kind != yaml.ScalarNode {
			return nil, node{file: n.file, field: n.field, yaml: key}.errorf("the key %q is not a name", key.Value)
		}
		if slices.ContainsFunc(all, func(o entry) bool { return o.key == e.key }) {
			return nil, node{file: n.file, field: e.value.field, yaml: key}.errorf("the key is there twice")
		}
		all = append(all, e)
	}
	return all, nil
}

// fields reads a mapping by the functions that read its keys; a key without one
// is an error.
func (n node) fields(read map[string]func(node) error) error {
	if n.sketch != nil {
		properties := make(map[string]sketch)
		for key, f := range read {
			properties[key] = sketchOf(f)
		}
		maps.Copy(n.sketch, sketchObject(properties))
		return errSketched
	}
	all, err := n.entries()
	if err != nil {
		return err
	}
	for _, e := range all {
		f, ok := read[e.key]
		if !ok {
			return n.unknownKey(e, keysOf(read))
		}
		if err := f(e.value); err != nil {
			return err
		}
	}
	return nil
}

func keysOf[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func (n node) unknownKey(e entry, keys []string) error {
	hint := "the keys here are " + strings.Join(keys, ", ")
	if k := strings.ReplaceAll(e.key, "-", "_"); k != e.key && slices.Contains(keys, k) {
		hint = fmt.Sprintf("want %q", k)
	}
	return node{file: n.file, field: e.value.field, yaml: keyNode(n.yaml, e.value.yaml)}.errorf("unknown key; %s", hint)
}

// keyNode is the key of a value of a mapping, which may begin on a line above it.
func keyNode(m, value *yaml.Node) *yaml.Node {
	for i := 1; i < len(m.Content); i += 2 {
		if m.Content[i] == value {
			return m.Content[i-1]
		}
	}
	return value
}

// items returns the values of a list, at least one.
func (n node) items() ([]node, error) {
	if n.sketch != nil {
		item := sketch{}
		maps.Copy(n.sketch, sketchList(item))
		return []node{{yaml: n.yaml, sketch: item}}, nil
	}
	l := n.yaml
	if l.Kind == yaml.AliasNode {
		l = l.Alias
	}
	if l.Kind != yaml.SequenceNode || len(l.Content) == 0 {
		return nil, n.errorf("%s; want a list of at least one", describe(l))
	}
	var all []node
	for i, item := range l.Content {
		all = append(all, node{file: n.file, field: fmt.Sprintf("%s[%d]", n.field, i), yaml: item})
	}
	return all, nil
}

// expect notes in a sketch what the text has to be.
func (n node) expect(s sketch) {
	if n.sketch != nil {
		maps.Copy(n.sketch, s)
	}
}

// text returns a scalar as it is written, not empty.
func (n node) text() (string, error) {
	if n.sketch != nil {
		if n.sketch["type"] == nil {
			n.sketch.note("type", "string")
		}
		return "", errSketched
	}
	s := n.yaml
	if s.Kind == yaml.AliasNode {
		s = s.Alias
	}
	if s.Kind != yaml.ScalarNode || s.Tag == "!!null" || s.Value == "" {
		return "", n.errorf("%s; want a value", describe(s))
	}
	return s.Value, nil
}

func describe(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode && len(n.Content) == 0:
		return "an empty list"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Tag == "!!null" || n.Value == "":
		return "nothing"
	}
	return strconv.Quote(n.Value)
}

// setText, setInt and so on read a value into dst.
func setText(dst *string) func(node) error {
	return func(n node) (err error) { *dst, err = n.text(); return err }
}

func setInt(dst *int, low int) func(node) error {
	return func(n node) error {
		n.expect(sketch{"type": "integer", "minimum": low})
		s, err := n.text()
		if err != nil {
			return err
		}
		v, err := strconv.Atoi(s)
		if err != nil || v < low {
			return n.errorf("%q; want a whole number, %d %s", s, low, orUpTo(err, math.MaxInt))
		}
		*dst = v
		return nil
	}
}

// orUpTo is the upper end of whole numbers, which is worth naming where err says
// that one is above it.
func orUpTo(err error, high int64) string {
	if errors.Is(err, strconv.ErrRange) {
		return fmt.Sprintf("to %d", high)
	}
	return "or more"
}

func setSeed(dst *uint64) func(node) error {
	return func(n node) error {
		n.expect(sketch{"type": "integer", "minimum": 0})
		s, err := n.text()
		if err != nil {
			return err
		}
		v, err := strconv.ParseUint(s, 10, 63)
		if err != nil {
			return n.errorf("%q; want a whole number, 0 %s", s, orUpTo(err, math.MaxInt64))
		}
		*dst = v
		return nil
	}
}

func setNumber(dst *float64) func(node) error {
	return func(n node) error {
		n.expect(sketch{"type": "number"})
		s, err := n.text()
		if err != nil {
			return err
		}
		v, err := strconv.ParseFloat(s, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return n.errorf("%q; want a finite number", s)
		}
		*dst = v
		return nil
	}
}

func setBool(dst *bool) func(node) error {
	return func(n node) error {
		n.expect(sketch{"type": "boolean"})
		switch s, err := n.text(); {
		case err != nil:
			return err
		case s == "true" || s == "false":
			*dst = s == "true"
			return nil
		default:
			return n.errorf("%q; want true or false", s)
		}
	}
}
