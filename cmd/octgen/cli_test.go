package main

import (
	"bufio"
	"bytes"
	"testing"
)

// TestParseAllocates: reading a command line, which every command waits for, makes a
// few tens of thousands of objects; half a million once stood for a tenth of a second.
func TestParseAllocates(t *testing.T) {
	for _, args := range [][]string{{"version"}, {"fit", "data.csv", "--depth", "2", "--alpha", "0.1"}} {
		made := testing.AllocsPerRun(2, func() {
			var out bytes.Buffer
			a := &app{stdout: bufio.NewWriter(&out), stderr: &out}
			if parsed, err := a.parse(args); err != nil || parsed == nil {
				t.Fatalf("%v: %v", args, err)
			}
		})
		if made > 100_000 {
			t.Errorf("octgen %v makes %v objects before it begins", args, made)
		}
	}
}
