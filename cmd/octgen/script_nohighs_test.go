//go:build !cgo || nohighs

package main

import (
	"path/filepath"
	"testing"
)

// TestScriptsNoHighs: what a program without HiGHS says.
func TestScriptsNoHighs(t *testing.T) { runScripts(t, filepath.Join("testdata", "script-nohighs")) }
