package method

import (
	"fmt"
	"strings"

	"github.com/octgen/octgen/internal/strict"
)

// An OptionError names an option that is out of range, or that does not go with
// another one or with the method.
type OptionError struct {
	Option string // as a flag, without dashes, such as max-splits
	Err    error  // what is wrong and what would be right; its text goes on after the option's name
}

func (e *OptionError) Error() string { return "--" + e.Option + e.Text() }

// Text is what follows the name of the option.
func (e *OptionError) Text() string {
	if text := e.Err.Error(); strings.HasPrefix(text, ":") {
		return text
	}
	return " " + e.Err.Error()
}

func (e *OptionError) Unwrap() error { return e.Err }

// wrong is an error of an option.
func wrong(option, format string, args ...any) error {
	return &OptionError{option, fmt.Errorf(format, args...)}
}

// SetDefaults sets the options of m to the defaults of their tags.
func SetDefaults(m any) { strict.SetDefaults(m) }

// Hinter is a method that says why it has not got some options of others.
type Hinter interface {
	Method
	// Hint goes on after "--FLAG is for A and B; METHOD", "" where there is nothing to
	// say.
	Hint(flag string) string
}

// Check refuses an option that is out of the range of its tag, and what m.Validate
// refuses. A zero value is an option that was not given. Errors are *[OptionError].
func Check(m Method) error {
	for _, f := range strict.Flags(m) {
		if f.Value.IsZero() {
			continue
		}
		if err := f.Set(f.Value); err != nil {
			return wrong(f.Name, "is %v", err)
		}
	}
	return m.Validate()
}

// With lists the methods that have an option, by its flag.
func With(flag string) []string {
	var names []string
	for _, m := range All() {
		if find(strict.Flags(m), flag) != nil {
			names = append(names, m.Info().Name)
		}
	}
	return names
}

// Listed joins names: a, b and c.
func Listed(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
