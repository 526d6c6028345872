package spec

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/internal/nearest"
	"github.com/octgen/octgen/internal/strict"
)

// Error is a mistake in a spec: file, line, column, path and what is expected.
type Error = strict.Error

// AllData is the name of the mean over the data in tables and references.
const AllData = "(all)"

// checkName returns an error for a name that is not allowed in tables, task names and patterns.
func checkName(at strict.Node, name string) error {
	if strings.Contains(name, "/") || name == AllData || strings.ContainsFunc(name, isControl) {
		return at.Errorf("%q; want a name without slashes, line ends and other control characters, other than %s", name, AllData)
	}
	return nil
}

// checkTitle returns an error for a name of an experiment that does not fit on a line.
func checkTitle(at strict.Node, title string) error {
	if strings.ContainsFunc(title, isControl) {
		return at.Errorf("%q; want a name without line ends and other control characters", title)
	}
	return nil
}

// isControl reports whether r moves a cursor, ends a line, or reverses the text after it, so that
// the displayed text differs from the actual one.
func isControl(r rune) bool {
	return unicode.IsControl(r) || r >= '\u2028' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// noSuch returns the error for a name that is not among names.
func noSuch(at strict.Node, what, name string, names []string) error {
	return at.Errorf("no %s %q; %s", what, name, nearest.Hint(name, names, fmt.Sprintf("they are %q", names)))
}

// argsOf returns a key as flags of the command line: --max-splits=3 for max_splits: 3. A list gives
// one flag per item, a mapping one per key.
func argsOf(e strict.Entry) ([]string, error) {
	values, err := valuesOf(e.Value)
	var args []string
	for _, v := range values {
		args = append(args, "--"+flagOf(e.Key)+"="+v)
	}
	return args, err
}

// flagOf returns the flag of a key.
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

// sortedArgs returns the keys of a mapping, except some, as sorted flags, independent of the order
// of its keys.
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

// Plain returns the text of a fit's error without the prefix for its kind.
func Plain(err error) string {
	text := err.Error()
	if errors.Is(err, fit.ErrInput) {
		text = strings.TrimPrefix(text, fit.ErrInput.Error()+": ")
	}
	return strings.TrimPrefix(text, "formulate: ")
}
