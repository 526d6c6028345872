//go:build unix

package external_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/solvers/external"
	"github.com/octgen/octgen/solvers/solvertest"
)

// TestFileSizeLimit: real solvers that cannot write their whole solution give an
// error, not half of an answer. The limit is one block of 512 or 1024 bytes.
func TestFileSizeLimit(t *testing.T) {
	m := solvertest.Knapsack(3, 200, 1)
	for _, name := range []string{"highs-exe", "cbc", "glpk"} {
		t.Run(name, func(t *testing.T) {
			path, err := exec.LookPath(solvers.Path(installed(t, name)))
			if err != nil {
				t.Fatal(err)
			}
			script := filepath.Join(t.TempDir(), "limited")
			if err := os.WriteFile(script, []byte("#!/bin/sh\nulimit -f 1\nexec '"+path+"' \"$@\"\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			tmp := t.TempDir()
			t.Setenv("TMPDIR", tmp)
			s, err := external.New(name, script)
			if err != nil {
				t.Fatal(err)
			}
			_, err = s.Solve(context.Background(), m, solvers.Options{})
			wantRunError(t, err, tmp, "")
		})
	}
}
