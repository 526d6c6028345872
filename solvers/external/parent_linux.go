package external

import "syscall"

// tieToParent has the process killed when the thread that started it ends.
func tieToParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }
