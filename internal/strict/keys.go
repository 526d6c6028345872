package strict

import "strings"

// Keys are the keys of a mapping, and of those below it, that the file has.
type Keys struct {
	of  Node
	set map[string]Node // by their paths from the mapping on
}

// add notes the value at a path from the file on.
func (k *Keys) add(path string, value Node) {
	k.set[strings.TrimPrefix(strings.TrimPrefix(path, k.of.path), ".")] = value
}

// Has says whether the file has the key, such as depth or values[0].data, by the name
// that the field has today.
func (k *Keys) Has(path string) bool { return k.set[path].IsSet() }

// At is the value of a key, for errors about it; where the file does not have the
// key, the mapping around it.
func (k *Keys) At(path string) Node {
	for path != "" {
		if n, ok := k.set[path]; ok {
			return n
		}
		path = path[:max(0, strings.LastIndexAny(path, ".["))]
	}
	return k.of
}
