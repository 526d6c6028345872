//go:build cgo && !nohighs

package highs_test

import (
	"fmt"
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestStaticHeaders builds and runs the suite's models against headers like
// those of HiGHS 1.12 and later, whose C interface declares its constants
// static, so that lanl's binding finds no external ones: a copy of the headers
// in use, changed in that way.
func TestStaticHeaders(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the package a second time")
	}
	dir := t.TempDir()
	include := filepath.Join(dir, "include")
	if err := os.CopyFS(include, os.DirFS(pkgConfig(t, "--variable=includedir"))); err != nil {
		t.Fatal(err)
	}
	header := filepath.Join(include, "interfaces", "highs_c_api.h")
	text, err := os.ReadFile(header)
	if err != nil {
		t.Fatal(err)
	}
	constant := regexp.MustCompile(`(?m)^const (HighsInt|char\* const) k`)
	static := constant.ReplaceAll(text, []byte("static const $1 k"))
	if !strings.Contains(string(static), "static const HighsInt kHighsStatusOk") {
		t.Fatal("no constants found in highs_c_api.h")
	}
	if err := os.WriteFile(header, static, 0o600); err != nil {
		t.Fatal(err)
	}
	pc := "Name: HiGHS\nDescription: with static constants\nVersion: " + pkgConfig(t, "--modversion") +
		"\nCflags: -I" + include + "\nLibs: " + pkgConfig(t, "--libs") + "\n"
	if err := os.WriteFile(filepath.Join(dir, "highs.pc"), []byte(pc), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "test", "-short", "-count=1", "-run", "^TestConformance$/^(models|start)$", "-v", ".")
	// Go's build cache does not see headers, so the flags carry their hash.
	cmd.Env = append(os.Environ(), "PKG_CONFIG_PATH="+dir,
		fmt.Sprintf("CGO_CFLAGS=-O2 -g -DOCTGEN_HIGHS=static_%08x", crc32.ChecksumIEEE(static)))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(string(out), "--- PASS: TestConformance/models/mip") {
		t.Errorf("the suite did not run:\n%s", out)
	}
}

func pkgConfig(t *testing.T, arg string) string {
	out, err := exec.Command("pkg-config", arg, "highs").Output()
	if err != nil {
		t.Fatalf("pkg-config %s highs: %v", arg, err)
	}
	return strings.TrimSpace(string(out))
}
