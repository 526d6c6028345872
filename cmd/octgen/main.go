// Command octgen builds optimal decision trees by mathematical programming:
// it fits trees, writes the programs for other solvers, and shows, applies and
// checks trees. `octgen --help` lists the commands.
package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
)

func main() {
	collectLater()
	signals.watch()
	os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// collectLater puts off the first collection of garbage until the heap has grown to
// 64 MB, since most runs end before: reading a table and proving a small tree take
// half the time without. From then on the runtime does as it does by itself, but a large heap, mostly
// of numbers, which cost nothing to scan, may grow by a tenth only.
func collectLater() {
	const percent = 16 * 100 // of the 4 MB at which the runtime begins
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(percent)
	var next func(int)
	atNext := func() { runtime.AddCleanup(new([64]byte), next, 0) }
	next = func(int) {
		const large = 128 << 20
		var m runtime.MemStats
		if runtime.ReadMemStats(&m); m.HeapAlloc > large {
			debug.SetGCPercent(10)
		} else {
			debug.SetGCPercent(100)
		}
		atNext()
	}
	atNext()
}

// run runs octgen with the given arguments and returns its exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{ctx: ctx, stdin: stdin, stderr: stderr, command: (*app).run}
	return a.run(args, stdout)
}

// run runs the command that the arguments name and returns the exit code.
func (a *app) run(args []string, stdout io.Writer) int {
	out, end := painted(stdout)
	a.stdout = bufio.NewWriter(out)
	err := a.dispatch(args)
	if lost := cmp.Or(a.stdout.Flush(), end()); lost != nil && !errors.Is(err, lost) { // which a command may have told already
		err = errors.Join(err, lost)
	}
	if text := message(err); text != "" {
		fmt.Fprintln(a.stderr, coloured(a.stderr, red, "octgen:"), text)
	}
	return exitCode(err)
}
