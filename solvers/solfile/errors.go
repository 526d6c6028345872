package solfile

import (
	"errors"
	"fmt"
)

var (
	// ErrOtherModel is wrapped by errors that a solution of another model causes:
	// names or counts that differ, columns without a value.
	ErrOtherModel = errors.New("the file is not of this model")
	// ErrNoStart is wrapped by WriteStart for solvers that read no starts.
	ErrNoStart = errors.New("the solver reads no starts")
)

// FormatError says what is wrong with a file, and where.
type FormatError struct {
	File string
	Line int // from 1; 0 where no line is to blame
	Err  error
}

func (e *FormatError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("solfile: %s: %v", e.File, e.Err)
	}
	return fmt.Sprintf("solfile: %s:%d: %v", e.File, e.Line, e.Err)
}

func (e *FormatError) Unwrap() error { return e.Err }

// otherModel is an error that wraps ErrOtherModel.
func otherModel(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrOtherModel, fmt.Sprintf(format, args...))
}
