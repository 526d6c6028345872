//go:build unix

package run

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lock takes the lock file for this process; busy is the error text if another process has it. The
// system releases the lock when the process ends, however it ends.
func lock(path, busy string) (unlock func() error, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = fmt.Errorf("%w: %s", ErrFolder, busy)
		} else {
			err = fmt.Errorf("%w: the file system does not support the lock %s: %w", ErrFolder, path, err)
		}
		return nil, errors.Join(err, f.Close())
	}
	return f.Close, nil
}
