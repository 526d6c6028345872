package strict

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/octgen/octgen/internal/lazy"
	"github.com/octgen/octgen/internal/nearest"
	"gopkg.in/yaml.v3"
)

// Node is a value of a file with its place. The zero Node is that of a key that is
// not there.
type Node struct {
	file  string
	path  string
	depth int // how many values it is in
	yaml  *yaml.Node
}

// deepest is how deep values may be in others; an anchor that holds itself is
// deeper.
const deepest = 100

// IsSet says whether there is a value.
func (n Node) IsSet() bool { return n.yaml != nil }

// Errorf is a mistake at the place of the value; it wraps what format wraps.
func (n Node) Errorf(format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	e := &Error{File: n.file, Path: n.path, Msg: err.Error(), Err: errors.Unwrap(err)}
	if n.yaml != nil {
		e.Line, e.Column = n.yaml.Line, n.yaml.Column
	}
	return e
}

// below is a value inside this one.
func (n Node) below(path string, y *yaml.Node) Node {
	return Node{file: n.file, path: path, depth: n.depth + 1, yaml: y}
}

// resolved is what the value is, aliases followed.
func (n Node) resolved() (*yaml.Node, error) {
	y := n.yaml
	if y.Kind == yaml.AliasNode {
		y = y.Alias
	}
	switch {
	case n.depth > deepest:
		return nil, n.Errorf("a value inside %d others; want fewer, and no anchor that holds itself", deepest)
	case y.Style&yaml.TaggedStyle != 0 && !slices.Contains(coreTags, y.ShortTag()):
		return nil, n.Errorf("the tag %s is not supported; want the value alone", y.Tag)
	}
	return y, nil
}

// coreTags may be written out: they change nothing.
var coreTags = []string{"!!str", "!!int", "!!float", "!!bool", "!!null", "!!timestamp", "!!map", "!!seq", ""}

// describe says what a value is.
func describe(y *yaml.Node) string {
	switch {
	case y.Kind == yaml.MappingNode:
		return "a mapping"
	case y.Kind == yaml.SequenceNode && len(y.Content) == 0:
		return "an empty list"
	case y.Kind == yaml.SequenceNode:
		return "a list"
	case y.Tag == "!!null" || y.Value == "":
		return "nothing"
	}
	return strconv.Quote(cut(y.Value))
}

// cut is the beginning of a long text, such as all of a file that is no YAML.
func cut(text string) string {
	const most = 80
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most]) + "..."
}

// Text is a single value as it is written, not empty.
func (n Node) Text() (string, error) {
	y, err := n.resolved()
	switch {
	case err != nil:
		return "", err
	case y.Kind != yaml.ScalarNode:
		return "", n.Errorf("%s; want one value", describe(y))
	case y.Tag == "!!null" || y.Value == "":
		return "", n.Errorf("nothing; want a value")
	}
	return y.Value, nil
}

// IsList says whether the value is a list, also an empty one.
func (n Node) IsList() bool { return n.is(yaml.SequenceNode) }

// IsMapping says whether the value is a mapping.
func (n Node) IsMapping() bool { return n.is(yaml.MappingNode) }

// single says whether the value is neither a list nor a mapping nor nothing.
func (n Node) single() bool { return n.is(yaml.ScalarNode) && n.yaml.Tag != "!!null" }

func (n Node) is(kind yaml.Kind) bool {
	if n.yaml == nil {
		return false
	}
	y, err := n.resolved()
	return err == nil && y.Kind == kind
}

// Items are the values of a list, at least one.
func (n Node) Items() ([]Node, error) {
	y, err := n.resolved()
	if err != nil {
		return nil, err
	}
	if y.Kind != yaml.SequenceNode || len(y.Content) == 0 {
		return nil, n.Errorf("%s; want a list of at least one", describe(y))
	}
	var all []Node
	for i, item := range y.Content {
		all = append(all, n.below(fmt.Sprintf("%s[%d]", n.path, i), item))
	}
	return all, nil
}

// Entry is a key of a mapping with its value.
type Entry struct {
	Key   string
	Value Node
	key   *yaml.Node
}

// Errorf is a mistake at the place of the key.
func (e Entry) Errorf(format string, args ...any) *Error {
	e.Value.yaml = e.key
	return e.Value.Errorf(format, args...)
}

// Unknown is the mistake of a key that is none of these.
func (e Entry) Unknown(names []string) *Error {
	keys := "the keys here are " + strings.Join(slices.Sorted(slices.Values(names)), ", ")
	return e.Errorf("unknown key; %s", nearest.HintOption(e.Key, names, keys))
}

// Entries are the keys of a mapping in their order. Keys are texts, each there once.
func (n Node) Entries() ([]Entry, error) {
	y, err := n.resolved()
	if err != nil {
		return nil, err
	}
	if y.Kind != yaml.MappingNode {
		return nil, n.Errorf("%s; want a mapping (key: value)", describe(y))
	}
	var all []Entry
	lines := make(map[string]int)
	for i := 0; i+1 < len(y.Content); i += 2 {
		key, value := y.Content[i], y.Content[i+1]
		at := n.below(n.path, key)
		if key.Tag == "!!merge" {
			return nil, at.Errorf("the merge key << is not supported; want the keys written out")
		}
		if key.Kind != yaml.ScalarNode {
			return nil, at.Errorf("the key %q is not a name", key.Value)
		}
		e := Entry{key.Value, n.below(join(n.path, key.Value), value), key}
		if line, twice := lines[e.Key]; twice {
			return nil, e.Errorf("the key is there twice, first on line %d", line)
		}
		lines[e.Key] = key.Line
		all = append(all, e)
	}
	return all, nil
}

// Find is the value of a key of a mapping; it is not set where the key is not there
// or n is no mapping.
func (n Node) Find(key string) Node {
	if n.yaml == nil {
		return Node{}
	}
	y, err := n.resolved()
	if err != nil || y.Kind != yaml.MappingNode {
		return Node{}
	}
	for i := 0; i+1 < len(y.Content); i += 2 {
		if y.Content[i].Value == key && y.Content[i].Kind == yaml.ScalarNode {
			return n.below(join(n.path, key), y.Content[i+1])
		}
	}
	return Node{}
}

// join is the path of a key.
func join(path, key string) string { return strings.TrimPrefix(path+"."+key, ".") }

// Parse reads a text of one document; file is for errors, which are *Error.
func Parse(text []byte, file string) (Node, error) {
	var doc, more yaml.Node
	d := yaml.NewDecoder(bytes.NewReader(oldDirective(text)))
	err := d.Decode(&doc)
	if errors.Is(err, io.EOF) || err == nil && len(doc.Content) == 0 {
		return Node{}, &Error{File: file, Msg: "the file is empty"}
	}
	if err != nil {
		return Node{}, syntaxError(file, text, err)
	}
	if err := d.Decode(&more); err == nil {
		return Node{}, &Error{File: file, Line: more.Line, Column: more.Column, Msg: "a second document begins here; want one"}
	} else if !errors.Is(err, io.EOF) {
		return Node{}, syntaxError(file, text, err)
	}
	return Node{file: file, yaml: doc.Content[0]}, nil
}

var yaml12 = lazy.Regexp(`(?m)\A((?:[ \t]*(?:#.*)?\r?\n)*%YAML[ \t]+1\.)2\b`)

// oldDirective makes a first line "%YAML 1.2" one of YAML 1.1, the only version
// that the library takes: in what a file may hold here the two are one.
func oldDirective(text []byte) []byte { return yaml12().ReplaceAll(text, []byte("${1}1")) }

var yamlLine = lazy.Regexp(`^yaml: (?:line (\d+): )?`)

// syntaxError gives an error of the library the file and, where there is one to
// blame, the line.
func syntaxError(file string, text []byte, err error) error {
	e := &Error{File: file, Msg: err.Error(), Err: err}
	if m := yamlLine().FindStringSubmatch(e.Msg); m != nil {
		e.Line, _ = strconv.Atoi(m[1]) // 0 where there is none
		e.Msg = e.Msg[len(m[0]):]
	}
	if e.Line == 0 {
		e.Line = lineToBlame(text, e.Msg)
	}
	return e
}

var (
	strangeBytes = lazy.Regexp(`[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x{84}\x{86}-\x{9f}\x{FFFD}]`) // what is no UTF-8 matches U+FFFD
	directive    = lazy.Regexp(`(?m)^%`)
	anchorName   = lazy.Regexp(`^unknown anchor '(.*)' referenced$`)
)

// lineToBlame finds the line of a mistake that the library names no line for; 0 for
// none.
func lineToBlame(text []byte, msg string) int {
	var at []int
	switch m := anchorName().FindStringSubmatch(msg); {
	case m != nil:
		at = regexp.MustCompile(`\*` + regexp.QuoteMeta(m[1])).FindIndex(text)
	case strings.Contains(msg, "directive") || strings.Contains(msg, "incompatible"):
		at = directive().FindIndex(text)
	case strings.Contains(msg, "UTF-8") || strings.Contains(msg, "control characters"):
		at = strangeBytes().FindIndex(text)
	}
	if at == nil {
		return 0
	}
	return 1 + bytes.Count(text[:at[0]], []byte("\n"))
}

// Without is the mapping without a key.
func (n Node) Without(key string) Node { return n.replaced(key) }

// With is the mapping with another value for a key, or with the key.
func (n Node) With(key string, value Node) Node {
	name := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key, Line: value.yaml.Line, Column: value.yaml.Column}
	return n.replaced(key, name, value.yaml)
}

// replaced is the mapping with these nodes in place of a key and its value.
func (n Node) replaced(key string, by ...*yaml.Node) Node {
	y, err := n.resolved()
	if err != nil || y.Kind != yaml.MappingNode {
		return n
	}
	other := *y
	other.Content = nil
	for i := 0; i+1 < len(y.Content); i += 2 {
		if y.Content[i].Value != key {
			other.Content = append(other.Content, y.Content[i], y.Content[i+1])
		}
	}
	other.Content = append(other.Content, by...)
	n.yaml = &other
	return n
}

// Single is a single value at the place of n.
func (n Node) Single(text string) Node {
	n.yaml = &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text, Line: n.yaml.Line, Column: n.yaml.Column}
	return n
}

// And is a list of the values of n, a list or a single value, and one more.
func (n Node) And(value Node) Node {
	y, err := n.resolved()
	if err != nil {
		return n
	}
	list := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Line: n.yaml.Line, Column: n.yaml.Column}
	if y.Kind == yaml.SequenceNode {
		list.Content = append(list.Content, y.Content...)
	} else {
		list.Content = append(list.Content, y)
	}
	list.Content = append(list.Content, value.yaml)
	n.yaml = list
	return n
}

// Error is a mistake in a file. Its text is "file:line:column: path: message".
type Error struct {
	File         string
	Line, Column int    // from 1; 0 where no place is to blame
	Path         string // such as methods[1].depth; empty for the whole file
	Msg          string // what is wrong and what would be right
	Err          error  // the cause; may be nil
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
	}
	if e.Column > 0 {
		fmt.Fprintf(&b, ":%d", e.Column)
	}
	b.WriteString(": ")
	if e.Path != "" {
		b.WriteString(e.Path + ": ")
	}
	b.WriteString(e.Msg)
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }
