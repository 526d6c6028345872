package flags

import (
	"fmt"

	"github.com/octgen/octgen/fit"
)

// badInput marks err as a mistake in the flags; nil stays nil.
func badInput(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", fit.ErrInput, err)
}
