package problem

import (
	"fmt"
	"strings"
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

// Listed joins names: a, b and c.
func Listed(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
