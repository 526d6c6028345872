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

// TestStart checks that the packages of octgen and their imports do little before main: tables,
// templates and expressions are made on first use. Otherwise half the CPU time of a short
// command goes there. The exception is gonum/plot, whose fonts take 0.4 ms.
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
	const most, mostOfOne, mostOfOwn, mostAllocs = 352 << 10, 32 << 10, 20 << 10, 2700
	bytes, allocs := 0, 0
	for _, m := range regexp.MustCompile(`(?m)^init (\S+) @.* (\d+) bytes, (\d+) allocs$`).FindAllStringSubmatch(trace.String(), -1) {
		if m[1] == "gonum.org/v1/plot" {
			continue
		}
		b, _ := strconv.Atoi(m[2]) // digits
		a, _ := strconv.Atoi(m[3])
		bytes, allocs = bytes+b, allocs+a
		if own := strings.HasPrefix(m[1], "github.com/octgen/") || m[1] == "main"; b > mostOfOne || own && b > mostOfOwn {
			t.Errorf("package %s allocates %d bytes before main", m[1], b)
		}
	}
	if bytes == 0 || bytes > most || allocs > mostAllocs {
		t.Errorf("packages allocate %d bytes in %d pieces before main; want at most %d in %d", bytes, allocs, most, mostAllocs)
	}
}
