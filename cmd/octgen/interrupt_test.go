package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/octgen/octgen/internal/atomicfile"
)

// program prepares one of the programs of TestMain, in a folder of its own.
func program(t *testing.T, name string, args ...string) (cmd *exec.Cmd, stdout, stderr *bytes.Buffer) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, name) // testscript.Main runs what the name says
	if err := os.Symlink(self, path); err != nil {
		t.Fatal(err)
	}
	cmd = exec.Command(path, args...)
	cmd.Dir = dir
	stdout, stderr = &bytes.Buffer{}, &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	return cmd, stdout, stderr
}

func exitOf(t *testing.T, err error) int {
	t.Helper()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	t.Fatal(err)
	return 0
}

// stubborn is a program whose work does not end when it is interrupted.
func stubborn() {
	ctx, _ := interruptible(context.Background(), func() { fmt.Print("interrupted") })
	fmt.Print("ready")
	<-ctx.Done()
	time.Sleep(time.Minute)
}

// slowWriter is a program that is interrupted and takes long to write what it has.
func slowWriter() {
	ctx, stop := interruptible(context.Background(), func() {})
	fmt.Print("ready")
	<-ctx.Done()
	stop()
	_ = atomicfile.Write("half", func(io.Writer) error {
		fmt.Print("interrupted")
		time.Sleep(time.Minute)
		return nil
	})
}

// lateWriter is a program that takes long to write when its work is done.
func lateWriter() {
	signals.watch()
	_, stop := interruptible(context.Background(), func() {})
	stop()
	_ = atomicfile.Write("half", func(io.Writer) error {
		fmt.Print("ready")
		time.Sleep(time.Minute)
		return nil
	})
}

// TestLateSignal: one signal ends a program at once where no work is left that it could end
// early, and leaves nothing half-written.
func TestLateSignal(t *testing.T) {
	signalled(t, "late-writer", "ready")
}

// TestSecondSignal: the first signal cancels the context only, the second one ends
// the program at once, also while it writes, and leaves nothing half-written.
func TestSecondSignal(t *testing.T) {
	for _, name := range []string{"stubborn", "slow-writer"} {
		signalled(t, name, "ready", "interrupted")
	}
}

// signalled sends a signal after each of the words that a program says, and expects it to
// end at once then.
func signalled(t *testing.T, name string, words ...string) {
	t.Helper()
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		cmd, _, _ := program(t, name)
		cmd.Stdout = nil
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for _, want := range words {
			text := make([]byte, len(want))
			if _, err := io.ReadFull(out, text); err != nil || string(text) != want {
				t.Fatalf("read %q, %v; want %q", text, err, want)
			}
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
		}
		began := time.Now()
		if code := exitOf(t, cmd.Wait()); code != exitInterrupted {
			t.Errorf("%s, %v: exit code %d, want %d", name, signal, code, exitInterrupted)
		}
		if d := time.Since(began); d > 5*time.Second {
			t.Errorf("%s, %v: took %v after the last signal", name, signal, d)
		}
		if all := entries(t, cmd.Dir); all != name {
			t.Errorf("%s, %v: the folder holds %s", name, signal, all)
		}
	}
}
