package spec

import (
	"fmt"
	"strings"
)

// SpecError is a mistake in a spec. Its text is "file:line: field: message".
type SpecError struct {
	File  string
	Line  int    // 1-based; 0 where no line is to blame
	Field string // such as methods[1].depth; empty for the whole spec
	Msg   string // what is wrong and what would be right
	Err   error  // the cause; may be nil
}

func (e *SpecError) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
	}
	b.WriteString(": ")
	if e.Field != "" {
		b.WriteString(e.Field + ": ")
	}
	b.WriteString(e.Msg)
	return b.String()
}

func (e *SpecError) Unwrap() error { return e.Err }
