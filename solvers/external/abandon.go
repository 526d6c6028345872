package external

import (
	"os"
	"os/exec"
	"sync"
)

// runs are the solves under way, for Abandon.
var runs struct {
	sync.Mutex
	live map[*tracked]struct{}
}

// tracked is what a solve must not leave behind.
type tracked struct {
	dir string    // "" while it only tells its version
	cmd *exec.Cmd // nil before it is started
}

// track remembers a solve's folder until forget.
func track(dir string) *tracked {
	t := &tracked{dir: dir}
	runs.Lock()
	defer runs.Unlock()
	if runs.live == nil {
		runs.live = make(map[*tracked]struct{})
	}
	runs.live[t] = struct{}{}
	return t
}

func (t *tracked) forget() {
	runs.Lock()
	defer runs.Unlock()
	delete(runs.live, t)
}

// running notes the process of the solve; nil stands for none.
func (t *tracked) running(cmd *exec.Cmd) {
	if t == nil {
		return
	}
	runs.Lock()
	defer runs.Unlock()
	t.cmd = cmd
}

// Abandon kills the executables of all solves under way, with their children,
// and removes their folders: for a program that is about to exit without
// waiting for them.
func Abandon() {
	runs.Lock()
	defer runs.Unlock()
	for t := range runs.live {
		if t.cmd != nil {
			signalGroup(t.cmd, kill)
		}
		if t.dir != "" {
			_ = os.RemoveAll(t.dir) // there is nobody left to tell
		}
	}
}
