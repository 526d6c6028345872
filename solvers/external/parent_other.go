//go:build unix && !linux

package external

import "syscall"

// tieToParent does nothing: only Linux can.
func tieToParent(*syscall.SysProcAttr) {}
