package strict

import (
	"fmt"
	"strings"
)

// Error is a mistake in a file. Its text is "file:line:column: path: message".
type Error struct {
	File         string
	Line, Column int    // from 1; 0 where no place is to blame
	Path         string // such as methods[1].depth; empty for the whole file
	Msg          string // what is wrong and what would be right
	Err          error  // the cause; may be nil
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
	}
	if e.Column > 0 {
		fmt.Fprintf(&b, ":%d", e.Column)
	}
	b.WriteString(": ")
	if e.Path != "" {
		b.WriteString(e.Path + ": ")
	}
	b.WriteString(e.Msg)
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }
