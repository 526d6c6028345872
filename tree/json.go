package tree

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// SchemaVersion is the latest version of tree.json; docs/tree-json.md describes it. The
// earlier ones are read, too: they lack keys that may be left out. A tree is written in
// the earliest version that has its keys, so that programs that know no later one read it.
const SchemaVersion = 5

// plainVersion has all keys but those of groups, costs, rewards, fits and columns that splits take as they are; richVersion all but
// the last two, fitVersion all but the last.
const (
	plainVersion = 2
	richVersion  = 3
	fitVersion   = 4
)

// version is that of the tree's keys.
func (t *Tree) version() int {
	if t.Encoder != nil && t.Encoder.AsTheyAre() {
		return SchemaVersion
	}
	if t.Fit != nil || t.IsRegression() {
		return fitVersion
	}
	if t.IsPolicy() || t.Encoder != nil && (len(t.Encoder.Groups) > 0 || t.Encoder.CostMatrix != nil) {
		return richVersion
	}
	return plainVersion
}

// jsonNode is a node in tree.json, in the order in which it is written.
type jsonNode struct {
	Split  *jsonSplit `json:"split,omitempty"`
	Left   int        `json:"left,omitempty"` // never 0 at a branch node
	Right  int        `json:"right,omitempty"`
	Class  int        `json:"class"`
	Weight []float64  `json:"weight,omitempty"`
	Count  []float64  `json:"count,omitempty"`
	Reward []float64  `json:"reward,omitempty"`
	Value  *float64   `json:"value,omitempty"`
}

type jsonSplit struct {
	Terms     []jsonTerm `json:"terms"`
	Threshold float64    `json:"threshold"`
}

type jsonTerm struct {
	Feature int     `json:"feature"`
	Weight  float64 `json:"weight"`
}

// WriteJSON writes t as tree.json: one node per line, numbers so that they
// read back exactly. A tree that breaks the contract of Tree is an error, and
// nothing is written.
func (t *Tree) WriteJSON(w io.Writer) error {
	b, err := t.appendJSON(nil)
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}

// MarshalJSON is WriteJSON for trees inside larger objects.
func (t *Tree) MarshalJSON() ([]byte, error) { return t.appendJSON(nil) }

func (t *Tree) appendJSON(b []byte) ([]byte, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	return t.lay(b, alone)
}

// spacing is the white space of a tree's text: before each key of the tree and after its
// colon, before each node, and before the brackets and at the end. The zero spacing is
// that of a tree inside an object on one line.
type spacing struct{ key, value, node, end string }

// alone is the spacing of tree.json.
var alone = spacing{key: "\n  ", value: " ", node: "\n    ", end: "\n"}

// lay appends the text of a valid tree.
func (t *Tree) lay(b []byte, s spacing) ([]byte, error) {
	out := bytes.NewBuffer(b)
	fmt.Fprintf(out, "{%s\"schema_version\":%s%d,", s.key, s.value, t.version())
	for _, names := range []struct {
		key string
		v   []string
	}{{"features", t.Features}, {"classes", t.Classes}} {
		v := names.v
		if v == nil {
			v = []string{}
		}
		fmt.Fprintf(out, "%s%q:%s", s.key, names.key, s.value)
		if err := writeValue(out, v); err != nil {
			return nil, err
		}
		out.WriteString(",")
	}
	fmt.Fprintf(out, "%s\"nodes\":%s[", s.key, s.value)
	for i := range t.Nodes {
		if i > 0 {
			out.WriteString(",")
		}
		out.WriteString(s.node)
		if err := writeValue(out, t.Nodes[i].json()); err != nil {
			return nil, err
		}
	}
	out.WriteString(s.key + "]")
	if t.Encoder != nil {
		fmt.Fprintf(out, ",%s\"encoder\":%s", s.key, s.value)
		if err := writeValue(out, t.Encoder); err != nil {
			return nil, err
		}
	}
	if t.Fit != nil {
		fmt.Fprintf(out, ",%s\"fit\":%s", s.key, s.value)
		if err := writeValue(out, t.Fit); err != nil {
			return nil, err
		}
	}
	out.WriteString(s.end + "}" + s.end)
	return out.Bytes(), nil
}

func (n *Node) json() jsonNode {
	j := jsonNode{Left: n.Left, Right: n.Right, Class: n.Class, Weight: n.Weight, Count: n.Count, Reward: n.Reward, Value: n.Value}
	if s := n.Split; s != nil {
		j.Split = &jsonSplit{Terms: make([]jsonTerm, len(s.Terms)), Threshold: s.Threshold}
		for k, term := range s.Terms {
			j.Split.Terms[k] = jsonTerm(term)
		}
	}
	return j
}

// writeValue writes v on one line, without the escapes for HTML.
func writeValue(out *bytes.Buffer, v any) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("tree: %w", err)
	}
	out.Truncate(out.Len() - 1) // the encoder ends with a newline
	return nil
}

// ReadJSON reads what WriteJSON wrote. It is strict: unknown and repeated
// keys, missing ones, an unknown schema version, numbers that are no finite
// float64, and everything Validate refuses are errors that name the place, such
// as $.nodes[3].split.threshold.
func ReadJSON(r io.Reader) (*Tree, error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("tree: reading JSON: %w", err)
	}
	if t := readWritten(b, alone); t != nil {
		return t, nil
	}
	t, err := parseJSON(b)
	if err != nil {
		return nil, fmt.Errorf("tree: JSON: %w", err)
	}
	return t, nil
}

// UnmarshalJSON is ReadJSON for trees inside larger objects; paths begin at
// the tree.
func (t *Tree) UnmarshalJSON(b []byte) error {
	if u := readWritten(b, spacing{}); u != nil {
		*t = *u
		return nil
	}
	u, err := parseJSON(b)
	if err != nil {
		return fmt.Errorf("tree: JSON: %w", err)
	}
	*t = *u
	return nil
}

func parseJSON(b []byte) (*Tree, error) {
	if !json.Valid(b) {
		return nil, syntaxError(b)
	}
	if err := checkVersion(b); err != nil {
		return nil, err
	}
	t := &Tree{}
	version := 0
	err := readObject("$", b, map[string]field{
		"schema_version": {read: func(path string, b []byte) error { return readInt(path, b, &version) }},
		"features":       {read: func(path string, b []byte) error { return readStrings(path, b, &t.Features) }},
		"classes":        {read: func(path string, b []byte) error { return readStrings(path, b, &t.Classes) }},
		"nodes":          {read: func(path string, b []byte) error { return readNodes(path, b, &t.Nodes) }},
		"encoder": {optional: true, read: func(path string, b []byte) error {
			return readWhole(path, b, &t.Encoder)
		}},
		"fit": {optional: true, read: func(path string, b []byte) error { return readWhole(path, b, &t.Fit) }},
	})
	if err != nil {
		return nil, err
	}
	if e := t.validate(); e != nil {
		return nil, fmt.Errorf("%s: %s", e.path(), e.Msg)
	}
	if needed := t.version(); version < needed && needed > plainVersion {
		return nil, fmt.Errorf("$.schema_version: %d, but the tree has groups, a cost matrix, rewards, a fit, or sets of categories, which are of version %d", version, needed)
	}
	return t, nil
}

// checkVersion comes before all else: another version may have other keys.
func checkVersion(b []byte) error {
	var head struct {
		Version json.RawMessage `json:"schema_version"`
	}
	if json.Unmarshal(b, &head) != nil || head.Version == nil {
		return nil // no object, or no version: readObject says so
	}
	version := 0
	if err := readInt("$.schema_version", head.Version, &version); err != nil {
		return err
	}
	if version < 1 || version > SchemaVersion {
		return fmt.Errorf("$.schema_version: %d is unknown; this octgen reads versions 1 to %d", version, SchemaVersion)
	}
	return nil
}

func (e *ShapeError) path() string {
	p := "$"
	if e.Node >= 0 {
		p += fmt.Sprintf(".nodes[%d]", e.Node)
	}
	if e.Field != "" {
		p += "." + e.Field
	}
	return p
}

func syntaxError(b []byte) error {
	var v any
	err := json.Unmarshal(b, &v)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		before := b[:min(int(syntax.Offset), len(b))]
		line := 1 + bytes.Count(before, []byte("\n"))
		column := len(before) - bytes.LastIndexByte(before, '\n') - 1
		return fmt.Errorf("line %d, column %d: %w", line, max(1, column), err)
	}
	return err
}

func readNodes(path string, b []byte, dst *[]Node) error {
	return readArray(path, b, func(path string, b []byte) error {
		var n Node
		at := len(*dst)
		*dst = append(*dst, n)
		if err := readNode(path, b, &n); err != nil {
			return err
		}
		(*dst)[at] = n
		return nil
	})
}

func readNode(path string, b []byte, n *Node) error {
	left, right := false, false
	err := readObject(path, b, map[string]field{
		"split": {optional: true, read: func(path string, b []byte) error {
			n.Split = &Split{}
			return readSplit(path, b, n.Split)
		}},
		"left": {optional: true, read: func(path string, b []byte) error {
			left = true
			return readInt(path, b, &n.Left)
		}},
		"right": {optional: true, read: func(path string, b []byte) error {
			right = true
			return readInt(path, b, &n.Right)
		}},
		"class":  {read: func(path string, b []byte) error { return readInt(path, b, &n.Class) }},
		"weight": {optional: true, read: func(path string, b []byte) error { return readNumbers(path, b, &n.Weight) }},
		"count":  {optional: true, read: func(path string, b []byte) error { return readNumbers(path, b, &n.Count) }},
		"value": {optional: true, read: func(path string, b []byte) error {
			n.Value = new(float64)
			return readNumber(path, b, n.Value)
		}},
		"reward": {optional: true, read: func(path string, b []byte) error { return readNumbers(path, b, &n.Reward) }},
	})
	switch {
	case err != nil:
		return err
	case n.Split != nil && !left:
		return fmt.Errorf("%s: a node with a split needs the key \"left\"", path)
	case n.Split != nil && !right:
		return fmt.Errorf("%s: a node with a split needs the key \"right\"", path)
	case n.Split == nil && (left || right):
		return fmt.Errorf("%s: a node with children needs the key \"split\"", path)
	}
	return nil
}

func readSplit(path string, b []byte, s *Split) error {
	return readObject(path, b, map[string]field{
		"terms": {read: func(path string, b []byte) error {
			return readArray(path, b, func(path string, b []byte) error {
				var term Term
				err := readObject(path, b, map[string]field{
					"feature": {read: func(path string, b []byte) error { return readInt(path, b, &term.Feature) }},
					"weight":  {read: func(path string, b []byte) error { return readNumber(path, b, &term.Weight) }},
				})
				s.Terms = append(s.Terms, term)
				return err
			})
		}},
		"threshold": {read: func(path string, b []byte) error { return readNumber(path, b, &s.Threshold) }},
	})
}

// readWhole reads an object by encoding/json, whose errors have no path within it.
func readWhole[T any](path string, b []byte, dst **T) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	v := new(T)
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	*dst = v
	return nil
}

// Reading JSON with the path of every error, which encoding/json does not
// give. Each function takes the path of a value and its text, which is known
// to be valid JSON.

// field says how the value of a key is read.
type field struct {
	read     func(path string, b []byte) error
	optional bool
}

// readObject reads an object with exactly the given keys.
func readObject(path string, b []byte, fields map[string]field) error {
	d := json.NewDecoder(bytes.NewReader(b))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return wrongType(path, "an object", b)
	}
	seen := make(map[string]bool, len(fields))
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		key, ok := token.(string)
		if !ok {
			return fmt.Errorf("%s: key expected, found %v", path, token)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return fmt.Errorf("%s.%s: %w", path, key, err)
		}
		f, known := fields[key]
		switch {
		case !known:
			return fmt.Errorf("%s: unknown key %q; known are %q", path, key, sortedKeys(fields))
		case seen[key]:
			return fmt.Errorf("%s: key %q is given twice", path, key)
		}
		seen[key] = true
		if err := f.read(path+"."+key, value); err != nil {
			return err
		}
	}
	for _, key := range sortedKeys(fields) {
		if !seen[key] && !fields[key].optional {
			return fmt.Errorf("%s: the key %q is missing", path, key)
		}
	}
	return nil
}

func sortedKeys(fields map[string]field) []string {
	keys := make([]string, 0, len(fields))
	for k := range fields {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// readArray calls read for every element.
func readArray(path string, b []byte, read func(path string, b []byte) error) error {
	var elements []json.RawMessage
	if err := json.Unmarshal(b, &elements); err != nil || elements == nil {
		return wrongType(path, "an array", b)
	}
	for i, e := range elements {
		if err := read(fmt.Sprintf("%s[%d]", path, i), e); err != nil {
			return err
		}
	}
	return nil
}

func readStrings(path string, b []byte, dst *[]string) error {
	*dst = []string{}
	return readArray(path, b, func(path string, b []byte) error {
		var s *string
		if err := json.Unmarshal(b, &s); err != nil || s == nil {
			return wrongType(path, "a string", b)
		}
		*dst = append(*dst, *s)
		return nil
	})
}

func readNumbers(path string, b []byte, dst *[]float64) error {
	*dst = []float64{}
	return readArray(path, b, func(path string, b []byte) error {
		var v float64
		err := readNumber(path, b, &v)
		*dst = append(*dst, v)
		return err
	})
}

func readNumber(path string, b []byte, dst *float64) error {
	text := string(bytes.TrimSpace(b))
	v, err := strconv.ParseFloat(text, 64)
	switch {
	case !isNumber(text):
		return wrongType(path, "a number", b)
	case errors.Is(err, strconv.ErrRange):
		return fmt.Errorf("%s: %s is not a finite double-precision number", path, text)
	case err != nil:
		return wrongType(path, "a number", b)
	}
	*dst = v
	return nil
}

func readInt(path string, b []byte, dst *int) error {
	text := string(bytes.TrimSpace(b))
	v, err := strconv.Atoi(text)
	if err != nil || !isNumber(text) {
		return wrongType(path, "an integer", b)
	}
	*dst = v
	return nil
}

// isNumber reports whether the valid JSON value is a number: nothing else
// begins like one.
func isNumber(text string) bool {
	return text != "" && (text[0] == '-' || text[0] >= '0' && text[0] <= '9')
}

func wrongType(path, want string, b []byte) error {
	const longest = 40
	text := string(bytes.TrimSpace(b))
	if len(text) > longest {
		text = text[:longest] + "..."
	}
	return fmt.Errorf("%s: %s is needed, found %s", path, want, text)
}

// jsonTree is a tree as it is written.
type jsonTree struct {
	Version  int             `json:"schema_version"`
	Features []string        `json:"features"`
	Classes  []string        `json:"classes"`
	Nodes    []jsonNode      `json:"nodes"`
	Encoder  json.RawMessage `json:"encoder"`
	Fit      json.RawMessage `json:"fit"`
}

// readWritten reads the text of a tree as octgen writes it, with these spaces, in a fifth
// of the time that parseJSON takes, which knows the place of every mistake. It returns nil
// for text that the tree read from it is not written as: so no key of it can be unknown,
// repeated, missing or of another type.
func readWritten(b []byte, s spacing) *Tree {
	var j jsonTree
	if json.Unmarshal(b, &j) != nil {
		return nil
	}
	t := &Tree{Features: j.Features, Classes: j.Classes, Nodes: make([]Node, len(j.Nodes))}
	for i := range j.Nodes {
		t.Nodes[i] = j.Nodes[i].node()
	}
	if j.Encoder != nil {
		if readWhole("", j.Encoder, &t.Encoder) != nil {
			return nil
		}
	}
	if j.Fit != nil && readWhole("", j.Fit, &t.Fit) != nil {
		return nil
	}
	if t.Validate() != nil {
		return nil
	}
	again, err := t.lay(make([]byte, 0, len(b)), s)
	if err != nil || !bytes.Equal(again, b) {
		return nil
	}
	return t
}

func (j *jsonNode) node() Node {
	n := Node{Left: j.Left, Right: j.Right, Class: j.Class, Weight: j.Weight, Count: j.Count, Reward: j.Reward, Value: j.Value}
	if j.Split != nil {
		n.Split = &Split{Terms: make([]Term, len(j.Split.Terms)), Threshold: j.Split.Threshold}
		for k, term := range j.Split.Terms {
			n.Split.Terms[k] = Term(term)
		}
	}
	return n
}
