//go:build cgo && !nohighs

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestScriptsSolvers: other solvers' executables, run by hand as docs/solvers.md says, on
// models and starts that octgen wrote; their solutions decoded and checked.
func TestScriptsSolvers(t *testing.T) {
	wine := dataFile(t, "wine.csv")
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", strings.Join([]string{os.Getenv("PATH"), filepath.Join(root, ".highs", "bin"), filepath.Join(root, ".tools", "python", "bin")}, string(os.PathListSeparator)))
	runScripts(t, filepath.Join("testdata", "script-solvers"), "WINE="+wine, "IRIS="+dataFile(t, "iris.csv"))
}
