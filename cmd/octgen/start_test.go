package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestStart: before main the packages of octgen, and those that it imports, do little: tables,
// templates and expressions are made when they are used. Half a megabyte of them were half of
// the CPU time of short commands.
func TestStart(t *testing.T) {
	program := filepath.Join(t.TempDir(), "octgen.exe")
	if out, err := exec.Command("go", "build", "-tags", "nohighs", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(program, "methods")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace bytes.Buffer
	cmd.Stderr = &trace
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, &trace)
	}
	const most, mostOfOne, mostAllocs = 224 << 10, 32 << 10, 2400
	bytes, allocs := 0, 0
	for _, m := range regexp.MustCompile(`(?m)^init (\S+) @.* (\d+) bytes, (\d+) allocs$`).FindAllStringSubmatch(trace.String(), -1) {
		b, _ := strconv.Atoi(m[2]) // digits
		a, _ := strconv.Atoi(m[3])
		bytes, allocs = bytes+b, allocs+a
		if own := strings.HasPrefix(m[1], "github.com/octgen/") || m[1] == "main"; b > mostOfOne || own && b > mostOfOne/2 {
			t.Errorf("package %s allocates %d bytes before main", m[1], b)
		}
	}
	if bytes == 0 || bytes > most || allocs > mostAllocs {
		t.Errorf("packages allocate %d bytes in %d pieces before main; want at most %d in %d", bytes, allocs, most, mostAllocs)
	}
}
