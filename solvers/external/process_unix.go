//go:build unix

package external

import (
	"os/exec"
	"syscall"
)

const (
	interrupt = syscall.SIGINT
	terminate = syscall.SIGTERM
	kill      = syscall.SIGKILL
)

// ownGroup makes the process the leader of a new group, so that it can be
// signalled with its children, and so that a terminal's Ctrl-C reaches it through
// octgen only.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	tieToParent(cmd.SysProcAttr)
}

// signalGroup signals the process and its children; one that has ended is none.
func signalGroup(cmd *exec.Cmd, sig syscall.Signal) { _ = syscall.Kill(-cmd.Process.Pid, sig) }
