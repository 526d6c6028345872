package spec

import (
	"fmt"
	"strings"
	"unicode"

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
