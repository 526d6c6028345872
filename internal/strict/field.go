package strict

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/octgen/octgen/internal/lazy"
)

// Vars are the values of ${variables} in help, enum and default.
type Vars map[string]string

// field is a field of a struct as a key.
type field struct {
	key                    string
	aliases                []string
	index                  []int // where it is in the struct, embedded ones included
	typ                    reflect.Type
	help                   string
	initial                string // default
	has                    bool   // a default
	enum                   []string
	required               bool
	sep                    string // between values in one text; empty for none
	min, max, above, below string
}

var (
	nodeType     = reflect.TypeFor[Node]()
	durationType = reflect.TypeFor[time.Duration]()
	textType     = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// isText says whether values of a type are read by their own UnmarshalText.
func isText(t reflect.Type) bool { return reflect.PointerTo(t).Implements(textType) }

// isMapping says whether a type stands for a mapping with fixed keys.
func isMapping(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t != nodeType && !isText(t)
}

// plain are the keys of structs whose tags are read without variables, a []field for
// each reflect.Type: a command line asks for those of all methods many times.
var plain sync.Map

// fieldsOf lists the keys of a struct. It is for reading only.
func (v Vars) fieldsOf(t reflect.Type) []field {
	if v != nil {
		return v.listFields(t)
	}
	all, ok := plain.Load(t)
	if !ok {
		all, _ = plain.LoadOrStore(t, v.listFields(t))
	}
	return all.([]field)
}

func (v Vars) listFields(t reflect.Type) []field {
	all := v.collect(nil, t, nil, "")
	distinct(all)
	return all
}

// distinct panics where two fields have one key.
func distinct(all []field) {
	seen := make(map[string]bool)
	for _, f := range all {
		for _, key := range append([]string{f.key}, f.aliases...) {
			if seen[key] {
				panic("strict: two fields have the key " + key)
			}
			seen[key] = true
		}
	}
}

func (v Vars) collect(all []field, t reflect.Type, index []int, prefix string) []field {
	if t.Kind() != reflect.Struct {
		panic(fmt.Sprintf("strict: %s is no struct", t))
	}
	for i := range t.NumField() {
		sf := t.Field(i)
		at := append(slices.Clone(index), i)
		switch {
		case ignored(sf):
		case embedded(sf):
			all = v.collect(all, sf.Type, at, prefix+sf.Tag.Get("prefix"))
		case sf.IsExported():
			all = append(all, v.fieldOf(sf, at, prefix))
		}
	}
	return all
}

func ignored(sf reflect.StructField) bool {
	if sf.Tag.Get("yaml") == "-" || sf.Tag.Get("kong") == "-" {
		return true
	}
	_, arg := sf.Tag.Lookup("arg")
	_, cmd := sf.Tag.Lookup("cmd")
	return arg || cmd
}

// embedded says whether the fields of a field stand beside it.
func embedded(sf reflect.StructField) bool {
	if !isMapping(sf.Type) {
		return false
	}
	_, embed := sf.Tag.Lookup("embed")
	return embed || sf.Anonymous && yamlName(sf) == ""
}

// yamlName is the key that a field's tag names, without options such as omitempty.
func yamlName(sf reflect.StructField) string {
	name, _, _ := strings.Cut(sf.Tag.Get("yaml"), ",")
	return name
}

func (v Vars) fieldOf(sf reflect.StructField, index []int, prefix string) field {
	f := field{key: yamlName(sf), index: index, typ: sf.Type, sep: ","}
	if f.key == "" {
		name := sf.Tag.Get("name")
		if name == "" {
			name = flagName(sf.Name)
		}
		f.key = keyOf(prefix + name)
	}
	for name := range strings.FieldsFuncSeq(sf.Tag.Get("aliases"), func(r rune) bool { return r == ',' || r == ' ' }) {
		f.aliases = append(f.aliases, keyOf(prefix+name))
	}
	if sep, ok := sf.Tag.Lookup("sep"); ok {
		f.sep = sep
		if sep == "none" {
			f.sep = ""
		}
	}
	_, f.required = sf.Tag.Lookup("required")
	enum := v.fill(sf, sf.Tag.Get("enum"), nil)
	for text := range strings.SplitSeq(enum, ",") {
		if text != "" {
			f.enum = append(f.enum, text)
		}
	}
	f.initial, f.has = sf.Tag.Lookup("default")
	f.initial = v.fill(sf, f.initial, nil)
	f.help = v.fill(sf, sf.Tag.Get("help"), Vars{"enum": enum, "default": f.initial})
	f.min, f.max, f.above, f.below = sf.Tag.Get("min"), sf.Tag.Get("max"), sf.Tag.Get("above"), sf.Tag.Get("below")
	return f
}

// keyOf is the key of a flag: max_splits of max-splits.
func keyOf(flag string) string { return strings.ReplaceAll(flag, "-", "_") }

var variable = lazy.Regexp(`\$\$|\$\{\w+\}`)

// fill puts variables in, $$ being a dollar sign.
func (v Vars) fill(sf reflect.StructField, text string, own Vars) string {
	if !strings.Contains(text, "$") {
		return text
	}
	return variable().ReplaceAllStringFunc(text, func(name string) string {
		if name == "$$" {
			return "$"
		}
		name = name[2 : len(name)-1]
		if value, ok := own[name]; ok {
			return value
		}
		value, ok := v[name]
		if !ok {
			panic(fmt.Sprintf("strict: field %s has ${%s}, which no variable is", sf.Name, name))
		}
		return value
	})
}

// flagName is the flag of a field without a name of its own: its words in lower
// case with dashes between them, max-splits of MaxSplits, as kong has them. A
// word ends where the kind of letter changes; the last of several capitals belongs
// to the small letters after it.
func flagName(name string) string {
	var words [][]rune
	last := -1
	for _, r := range name {
		kind := kindOf(r)
		if kind != last {
			words = append(words, nil)
		}
		words[len(words)-1] = append(words[len(words)-1], r)
		last = kind
	}
	for i := 0; i+1 < len(words); i++ {
		if a, b := words[i], words[i+1]; unicode.IsUpper(a[0]) && unicode.IsLower(b[0]) {
			words[i], words[i+1] = a[:len(a)-1], append([]rune{a[len(a)-1]}, b...)
		}
	}
	var texts []string
	for _, w := range words {
		if len(w) > 0 {
			texts = append(texts, strings.ToLower(string(w)))
		}
	}
	return strings.Join(texts, "-")
}

func kindOf(r rune) int {
	switch {
	case unicode.IsLower(r):
		return 0
	case unicode.IsUpper(r):
		return 1
	case unicode.IsDigit(r):
		return 2
	}
	return 3
}
