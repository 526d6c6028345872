package dataset

import (
	"fmt"
	"strings"
)

// Error is a mistake in a data file, or between a data file and the options or
// the encoder it is read with. Its text is
// "file:line:column: column "name": message", as far as the parts are known.
type Error struct {
	File   string
	Line   int    // 1-based line of the file; 0 where no line is to blame
	Column int    // 1-based byte in that line where the field begins; 0 where no field is to blame
	Name   string // name of the column of the table; empty where no column is to blame
	Msg    string // what is wrong and what would be right
	Err    error  // the cause, for errors.Is and errors.As; may be nil
}

func (e *Error) Error() string {
	var b strings.Builder
	if e.File != "" {
		file := e.File
		if file == "-" {
			file = "standard input"
		}
		b.WriteString(file)
		if e.Line > 0 {
			fmt.Fprintf(&b, ":%d", e.Line)
			if e.Column > 0 {
				fmt.Fprintf(&b, ":%d", e.Column)
			}
		}
		b.WriteString(": ")
	}
	if e.Name != "" {
		fmt.Fprintf(&b, "column %q: ", e.Name)
	}
	b.WriteString(e.Msg)
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }
