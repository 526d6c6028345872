package mps

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestBad reads files with one mistake each; the file beside each holds the
// message.
func TestBad(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.mps")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, path := range files {
		m, err := ReadFile(path)
		if err == nil {
			t.Errorf("%s was read as a model of %d columns", path, m.NumCols())
			continue
		}
		got := strings.ReplaceAll(err.Error(), filepath.ToSlash(path), filepath.Base(path)) + "\n"
		golden := strings.TrimSuffix(path, ".mps") + ".txt"
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), got); d != "" {
			t.Errorf("%s (-want +got):\n%s", path, d)
		}
	}
}

func TestMaxBytes(t *testing.T) {
	text := written(t, tinyModels(t)["max"])
	if _, err := (ReadOptions{MaxBytes: int64(len(text))}).Read(strings.NewReader(string(text)), "m"); err != nil {
		t.Error(err)
	}
	if _, err := (ReadOptions{MaxBytes: int64(len(text)) - 1}).Read(strings.NewReader(string(text)), "m"); err == nil || !strings.Contains(err.Error(), "MaxBytes") {
		t.Errorf("error %v does not name the limit", err)
	}
}
