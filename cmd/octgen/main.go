// Command octgen builds optimal decision trees by mathematical programming:
// it fits trees, writes the programs for other solvers, and shows, applies and
// checks trees. `octgen --help` lists the commands.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
)

// version is set by the linker: -ldflags "-X main.version=...".
var version = "dev"

func main() {
	os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// app is what a command has to work with.
type app struct {
	ctx            context.Context
	stdin          io.Reader
	stdout, stderr io.Writer
}

// run runs octgen with the given arguments and returns its exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{ctx: ctx, stdin: stdin, stdout: stdout, stderr: stderr}
	err := a.dispatch(args)
	if text := message(err); text != "" {
		fmt.Fprintln(stderr, "octgen:", text)
	}
	return exitCode(err)
}
