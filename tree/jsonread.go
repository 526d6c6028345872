package tree

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
)

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
