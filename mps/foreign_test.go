package mps

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestForeign reads files as others write them, each with something of which a
// reader may lose or misread data; the file beside each holds the notes and the
// model as octgen writes it.
func TestForeign(t *testing.T) {
	files, err := filepath.Glob("testdata/foreign/*.mps")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		note := func(text string) { got.WriteString("* note: " + text + "\n") }
		m, err := ReadOptions{Notes: note}.Read(bytes.NewReader(text), path)
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := Write(&got, m, Options{}); err != nil {
			t.Fatal(err)
		}
		golden := strings.TrimSuffix(path, ".mps") + ".txt"
		if *update {
			if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), got.String()); d != "" {
			t.Errorf("%s (-want +got):\n%s", path, d)
		}
	}
}
