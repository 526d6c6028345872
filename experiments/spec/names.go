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

// Error is a mistake in a spec: file, line, column, path and what would be right.
type Error = strict.Error

// AllData stands for the mean over the data in tables and references.
const AllData = "(all)"

// checkName refuses a name that tables, task names and patterns cannot hold.
func checkName(at strict.Node, name string) error {
	if strings.Contains(name, "/") || name == AllData || strings.ContainsFunc(name, isControl) {
		return at.Errorf("%q; want a name without slashes, line ends and other control characters, other than %s", name, AllData)
	}
	return nil
}

// checkTitle refuses a name of an experiment that no line can hold.
func checkTitle(at strict.Node, title string) error {
	if strings.ContainsFunc(title, isControl) {
		return at.Errorf("%q; want a name without line ends and other control characters", title)
	}
	return nil
}

// isControl says whether r moves a cursor, ends a line, or turns the text after it
// around, so that it reads as what it is not.
func isControl(r rune) bool {
	return unicode.IsControl(r) || r >= '\u2028' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// noSuch is the mistake of a name that is none of these.
func noSuch(at strict.Node, what, name string, names []string) error {
	return at.Errorf("no %s %q; %s", what, name, nearest.Hint(name, names, fmt.Sprintf("they are %q", names)))
}

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
