package spec

import (
	"errors"

	"gopkg.in/yaml.v3"
)

// sketch is a JSON Schema in the making. A node that has one holds no value: what
// reads it notes what it would read, and ends with errSketched.
type sketch map[string]any

var errSketched = errors.New("a sketch has no value")

// sketchOf is the schema of what read reads.
func sketchOf(read func(node) error) sketch {
	s := sketch{}
	_ = read(node{yaml: &yaml.Node{}, sketch: s}) // errSketched
	return s
}

// note adds a keyword.
func (s sketch) note(keyword string, v any) sketch {
	s[keyword] = v
	return s
}

// sketchObject is the schema of a mapping with these keys.
func sketchObject(properties map[string]sketch) sketch {
	return sketch{"type": "object", "additionalProperties": false, "properties": properties}
}

func sketchList(items sketch) sketch {
	return sketch{"type": "array", "minItems": 1, "items": items}
}
