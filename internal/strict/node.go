package strict

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/octgen/octgen/internal/nearest"
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
