package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestInspectPredicts: what inspect says of a model's size before it is built is
// what mps writes: rows, columns and nonzeros exactly, the file's size within a
// fifth.
func TestInspectPredicts(t *testing.T) {
	data := filepath.Join("..", "..", "examples", "iris.csv")
	for _, flags := range []string{
		"--depth 1", "--depth 2", "--depth 4", "--depth 2 --min-leaf 5", "--depth 3 --without label-pairs",
		"--depth 2 --without blocks,thin-last,continuous-last", "--depth 2 --max-splits 2 --alpha 0.1",
		"--depth 2 --class-weight balanced", "--depth 1 --encoding bigm", "--depth 3 --encoding bigm",
		"--depth 2 --encoding bigm --scale minmax", "--depth 2 --encoding bigm-published",
		"--depth 2 --encoding flow", "--depth 1 --encoding flow --min-leaf 5", "--depth 2 --encoding binoct",
	} {
		args := append([]string{data}, strings.Fields(flags)...)
		var inspected, written, summary, errs bytes.Buffer
		if code := run(context.Background(), append([]string{"inspect", "--json"}, args...), nil, &inspected, &errs); code != 0 {
			t.Fatalf("%s: inspect: exit code %d: %s", flags, code, &errs)
		}
		if code := run(context.Background(), append([]string{"mps"}, args...), nil, &written, &summary); code != 0 {
			t.Fatalf("%s: mps: exit code %d: %s", flags, code, &summary)
		}
		var in inspection
		if err := json.Unmarshal(inspected.Bytes(), &in); err != nil {
			t.Fatal(err)
		}
		e := in.Encodings[0]
		size := fmt.Sprintf("%d rows, %d columns (%d binary), %d nonzeros", e.Size.Rows, e.Size.Cols, e.Size.Binaries, e.Size.Nonzeros)
		if !strings.Contains(summary.String(), size) {
			t.Errorf("%s: inspect says %s, mps %s", flags, size, &summary)
		}
		if ratio := float64(e.MPSBytes) / float64(written.Len()); ratio < 0.8 || ratio > 1.2 {
			t.Errorf("%s: inspect says %d bytes, the file has %d", flags, e.MPSBytes, written.Len())
		}
	}
}
