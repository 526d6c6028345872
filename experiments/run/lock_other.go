//go:build !unix

package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// lock takes the lock file for this process; busy is the error text if another process has it.
func lock(path, busy string) (unlock func() error, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("%w: %s, or ended without removing %s", ErrFolder, busy, path)
	}
	if err != nil {
		return nil, err
	}
	return func() error { return errors.Join(f.Close(), os.Remove(path)) }, nil
}
