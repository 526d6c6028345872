package spec

import (
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/flags"
	"gopkg.in/yaml.v3"
)

// option is a flag of `octgen fit` as a key of the spec: max_splits for
// --max-splits.
type option struct {
	key  string
	args []string // as on the command line
	at   node
}

// readOption reads a key as a flag into a struct of flags made by fresh; names
// are the flags that there are.
func readOption(e entry, in node, names []string, fresh func() any) (option, error) {
	o := option{key: e.key, at: e.value}
	flag := strings.ReplaceAll(e.key, "_", "-")
	if !slices.Contains(names, flag) || strings.Contains(e.key, "-") {
		var keys []string
		for _, n := range names {
			keys = append(keys, strings.ReplaceAll(n, "-", "_"))
		}
		slices.Sort(keys)
		return o, in.unknownKey(e, keys)
	}
	if err := severalWhereOne(e.value, flag, fresh()); err != nil {
		return o, err
	}
	values, err := optionValues(e.value)
	if err != nil {
		return o, err
	}
	for _, v := range values {
		o.args = append(o.args, "--"+flag+"="+v)
	}
	if err := flags.Parse(fresh(), o.args); err != nil {
		return o, e.value.errorf("%s", Plain(err))
	}
	return o, nil
}

// severalWhereOne refuses a list or a mapping for a flag that has one value: of
// several the last one would win without a word.
func severalWhereOne(n node, flag string, of any) error {
	y := n.yaml
	if y.Kind == yaml.AliasNode {
		y = y.Alias
	}
	if y.Kind == yaml.ScalarNode {
		return nil
	}
	all := flags.Describe(of)
	i := slices.IndexFunc(all, func(f flags.Flag) bool { return f.Name == flag })
	switch {
	case i < 0: // not a flag but a key beside them, which its reader judges
		return nil
	case all[i].Type.Kind() == reflect.Map:
		return nil
	case all[i].Type.Kind() != reflect.Slice:
		return n.errorf("%s; want one value", describe(y))
	case y.Kind == yaml.MappingNode:
		return n.errorf("a mapping; want one value or a list")
	}
	return nil
}

// optionValues are the values of a flag that may be given several times.
func optionValues(n node) ([]string, error) {
	y := n.yaml
	if y.Kind == yaml.AliasNode {
		y = y.Alias
	}
	switch y.Kind {
	case yaml.SequenceNode:
		items, err := n.items()
		if err != nil {
			return nil, err
		}
		var values []string
		for _, item := range items {
			s, err := item.text()
			if err != nil {
				return nil, err
			}
			values = append(values, strings.ReplaceAll(s, ",", `\,`)) // one value, not two
		}
		return values, nil
	case yaml.MappingNode:
		all, err := n.entries()
		if err != nil {
			return nil, err
		}
		var values []string
		for _, e := range all {
			s, err := e.value.text()
			if err != nil {
				return nil, err
			}
			values = append(values, e.key+"="+strings.ReplaceAll(s, ";", `\;`))
		}
		return values, nil
	}
	s, err := n.text()
	return []string{s}, err
}

func args(options []option) []string {
	var all []string
	for _, o := range options {
		all = append(all, o.args...)
	}
	return all
}

// Plain is the text of a mistake in flags, without the kind of error in front.
func Plain(err error) string {
	text := err.Error()
	if errors.Is(err, fit.ErrInput) {
		text = strings.TrimPrefix(text, fit.ErrInput.Error()+": ")
	}
	return strings.TrimPrefix(text, "formulate: ")
}
