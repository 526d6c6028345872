package constraint

import (
	"fmt"
	"strings"
)

// Rule reports whether a constraint, by its text, is a rule of splits that a tree keeps or
// breaks, whatever the rows: its value counts what breaks it, and its note says what that is.
func Rule(text string) bool {
	kind, _, _ := strings.Cut(text, ":")
	return kind == "forbid" || kind == "fix" || kind == "monotone"
}

// mostNamed is how many things a note names.
const mostNamed = 3

// few names the first of several things.
func few(all []string) string {
	if len(all) > mostNamed {
		return fmt.Sprintf("%s and %d more", strings.Join(all[:mostNamed], ", "), len(all)-mostNamed)
	}
	if last := len(all) - 1; last > 0 {
		return strings.Join(all[:last], ", ") + " and " + all[last]
	}
	return all[0]
}

// verb is what is said of one thing, or of several.
func verb(all []string, one, many string) string {
	if len(all) == 1 {
		return one
	}
	return many
}
