//go:build !unix

package external

import (
	"os"
	"os/exec"
)

const (
	interrupt = iota
	terminate
	kill
)

func ownGroup(*exec.Cmd) {}

// signalGroup can only kill, and only the process itself.
func signalGroup(cmd *exec.Cmd, sig int) {
	if sig == kill {
		_ = cmd.Process.Signal(os.Kill)
	}
}
