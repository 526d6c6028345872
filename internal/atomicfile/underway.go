package atomicfile

import (
	"os"
	"sync"
)

// temporaries are the names of temporary files and folders.
type temporaries struct {
	mu    sync.Mutex
	names map[string]bool
}

// underway are those that are neither renamed nor removed yet.
var underway = temporaries{names: map[string]bool{}}

func (t *temporaries) create(name string) (*os.File, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err == nil {
		t.names[name] = true
	}
	return f, err
}

// Mkdir makes a temporary folder, which Abandon removes with all in it until end is called.
func Mkdir(name string) (end func(), err error) {
	underway.mu.Lock()
	defer underway.mu.Unlock()
	if err := os.Mkdir(name, 0o755); err != nil {
		return nil, err
	}
	underway.names[name] = true
	return func() { underway.end(name) }, nil
}

func (t *temporaries) end(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.names, name)
}

// Abandon removes the temporary files and folders of all writes under way and lets no other
// begin: for a program that is about to exit without waiting for them.
func Abandon() {
	underway.mu.Lock()
	for name := range underway.names {
		_ = os.RemoveAll(name) // there is nobody left to tell
	}
}
