package main

import (
	"bufio"
	"context"
	"io"
)

// version is set by the linker: -ldflags "-X main.version=...".
var version = "dev"

// app is what a command has to work with.
type app struct {
	ctx    context.Context
	stdin  io.Reader
	stdout *bufio.Writer // run flushes it, and tells what could not be written; where a user waits, or reads stderr between, the command does
	stderr io.Writer
}
