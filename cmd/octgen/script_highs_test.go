//go:build cgo && !nohighs

package main

import (
	"path/filepath"
	"testing"
)

// TestScriptsHighs: what needs HiGHS.
func TestScriptsHighs(t *testing.T) { runScripts(t, filepath.Join("testdata", "script-highs")) }
