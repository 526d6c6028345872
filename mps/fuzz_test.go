package mps

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzRead: no input makes the reader panic, and what it accepts is written
// and read again as the same model; columns have different names in the file.
func FuzzRead(f *testing.F) {
	for _, pattern := range []string{"testdata/*.mps", "testdata/foreign/*.mps", "testdata/bad/*.mps"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, path := range files {
			data, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			if len(data) < 4096 {
				f.Add(data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, file, err := ReadOptions{MaxBytes: 1 << 20, Notes: func(string) {}}.ReadMapped(bytes.NewReader(data), "fuzz")
		if err != nil {
			return
		}
		if index := file.ColIndex(m); len(index) != file.FileCols() {
			t.Fatalf("%d names in the file for %d columns", len(index), file.FileCols())
		}
		var buf bytes.Buffer
		// SCIP's dialect can say all but coefficients at the ends of the range.
		if _, err := Write(&buf, m, Options{Dialect: SCIP}); err != nil {
			if s := err.Error(); strings.Contains(s, "cannot be halved") || strings.Contains(s, "cannot be doubled") {
				return
			}
			t.Fatal(err)
		}
		if _, err := WriteLP(io.Discard, m, LPOptions{}); err != nil && !strings.Contains(err.Error(), "cannot be doubled") {
			t.Fatal(err)
		}
		text := buf.String()
		again, err := Read(&buf, "again")
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if d := diff(m, again); d != "" {
			t.Fatalf("%s\n%s", d, text)
		}
	})
}
