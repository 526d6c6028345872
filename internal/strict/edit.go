package strict

import "gopkg.in/yaml.v3"

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
