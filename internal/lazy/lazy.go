// Package lazy has regular expressions that are compiled when they are first used: a program
// that is started for a second does not pay for those that it never needs.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp returns a function that returns the compiled expression; it panics there if the text
// is none.
func Regexp(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
