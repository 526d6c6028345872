package run

import (
	"fmt"
	"runtime/debug"
)

// panicsFolder holds the stacks of tasks that panicked, ID.txt.
const panicsFolder = "panics"

// panicked is the error of a task that panicked: a mistake in octgen, of which a
// report needs the stack.
type panicked struct {
	value any
	stack []byte
}

// newPanicked is for the deferred function that recovered value.
func newPanicked(value any) *panicked { return &panicked{value, debug.Stack()} }

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v", p.value) }
