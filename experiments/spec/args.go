package spec

import (
	"errors"
	"slices"
	"strings"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/internal/strict"
)

// argsOf is a key as flags of the command line: --max-splits=3 of max_splits: 3. A
// list is a flag several times, a mapping one for each of its keys.
func argsOf(e strict.Entry) ([]string, error) {
	values, err := valuesOf(e.Value)
	var args []string
	for _, v := range values {
		args = append(args, "--"+flagOf(e.Key)+"="+v)
	}
	return args, err
}

// flagOf is the flag of a key.
func flagOf(key string) string { return strings.ReplaceAll(key, "_", "-") }

func valuesOf(n strict.Node) ([]string, error) {
	var values []string
	switch {
	case n.IsList():
		items, err := n.Items()
		if err != nil {
			return nil, err
		}
		for _, item := range items {
			s, err := item.Text()
			if err != nil {
				return nil, err
			}
			values = append(values, strings.ReplaceAll(s, ",", `\,`)) // one value, not two
		}
		return values, nil
	case n.IsMapping():
		entries, err := n.Entries()
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			s, err := e.Value.Text()
			if err != nil {
				return nil, err
			}
			values = append(values, e.Key+"="+strings.ReplaceAll(s, ";", `\;`))
		}
		return values, nil
	}
	s, err := n.Text()
	return []string{s}, err
}

// sortedArgs are the keys of a mapping as flags, but for some, sorted: what the
// mapping says, whatever the order of its keys.
func sortedArgs(entries []strict.Entry, but ...string) ([]string, error) {
	var all []string
	for _, e := range entries {
		if slices.Contains(but, e.Key) {
			continue
		}
		args, err := argsOf(e)
		if err != nil {
			return nil, err
		}
		all = append(all, args...)
	}
	slices.Sort(all)
	return all, nil
}

// Plain is the text of a fit's error without the kind of error in front.
func Plain(err error) string {
	text := err.Error()
	if errors.Is(err, fit.ErrInput) {
		text = strings.TrimPrefix(text, fit.ErrInput.Error()+": ")
	}
	return strings.TrimPrefix(text, "formulate: ")
}
