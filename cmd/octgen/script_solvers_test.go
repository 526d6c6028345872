//go:build cgo && !nohighs

package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestScriptsSolvers: other solvers' executables, run by hand as docs/solvers.md says, on
// models and starts that octgen wrote; their solutions decoded and checked.
func TestScriptsSolvers(t *testing.T) {
	wine := dataFile(t, "wine.csv")
	built, err := filepath.Abs(filepath.Join("..", "..", ".highs", "bin"))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", os.Getenv("PATH")+string(os.PathListSeparator)+built)
	runScripts(t, filepath.Join("testdata", "script-solvers"), "WINE="+wine)
}
