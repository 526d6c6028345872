package proof_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/proof"
)

// tiny is a table and a proof of depth 3 about it, which testdata/tiny.proof holds.
func tiny(t testing.TB) (*proof.Table, []byte) {
	t.Helper()
	ds, err := dataset.Load("testdata/tiny.csv", dataset.LoadOptions{Task: dataset.Classification})
	if err != nil {
		t.Fatal(err)
	}
	table, _, err := proof.NewTable(ds, 0)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile("testdata/tiny.proof")
	if err != nil {
		t.Fatal(err)
	}
	return table, file
}

// TestTiny: a stored file of version 1 still holds, and says what it says.
func TestTiny(t *testing.T) {
	table, file := tiny(t)
	got, err := proof.Check(context.Background(), table, bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if !got.Optimal() || got.Value != 2 || got.Depth != 3 || got.Intervals == 0 {
		t.Errorf("%+v", got)
	}
	for name, c := range map[string]struct{ from, to, want string }{
		"value":    {"value 2\nbound 2", "value 1\nbound 1", "the tree has the value 2, not 1"},
		"bound":    {"bound 2", "bound 3", "the bound 3 is above the value 2"},
		"version":  {"octproof 1", "octproof 2", "version 2, expected 1"},
		"digest":   {"digest ", "digest 0", "other data"},
		"depth":    {"depth 3", "depth 1", "deeper than 1"},
		"limits":   {"depth 3\n", "", "nothing limits its trees"},
		"rows":     {"rows 12", "rows 11", "the proof is about 11 rows"},
		"answers":  {`"q"`, `"r"`, `the proof has the answers ["p" "r"]`},
		"interval": {"proof\n", "proof\n99 0 ", "an interval of 99 cuts"},
		"empty":    {"\nend", "", "the file ends too early"},
		"after":    {"\nend", "\nend end", "after the end"},
		"zeros":    {"rows 12", "rows 012", "without zeros before it"},
		"sign":     {"rows 12", "rows -12", "expected a whole number"},
		"huge":     {"rows 12", "rows 99999999999999999999", "expected a whole number up to 2^60"},
		"quote":    {`"p"`, `"p`, "expected"},
		"deep":     {"tree ", "tree " + strings.Repeat("0 1 ", 100), "levels"},
	} {
		mutant := strings.Replace(string(file), c.from, c.to, 1)
		if mutant == string(file) {
			t.Errorf("%s: nothing to change", name)
		}
		if _, err := proof.Check(context.Background(), table, strings.NewReader(mutant)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", name, err, c.want)
		}
	}
}

// FuzzCheck: no file makes the checker panic, and none is believed that says more than the truth.
func FuzzCheck(f *testing.F) {
	table, file := tiny(f)
	f.Add(file)
	f.Add([]byte("octproof 1 rows 1"))
	f.Fuzz(func(t *testing.T, file []byte) {
		got, err := proof.Check(context.Background(), table, bytes.NewReader(file))
		if err == nil && got.Price == 0 && got.Depth >= 3 && got.Bound > 2 && len(got.Forbidden) == 0 && got.Leaf == 0 && got.Splits == proof.Unlimited {
			t.Fatalf("no tree is said to be below %d, and one has 2", got.Bound)
		}
	})
}

// TestEmptyCovers: where no feature counts there are covers for each of some 2^60 ways to share splits, all of them empty; they are
// passed over.
func TestEmptyCovers(t *testing.T) {
	table, file := tiny(t)
	head, _, _ := strings.Cut(string(file), "depth 3")
	rows := make([]int32, table.N())
	for i := range rows {
		rows[i] = int32(i)
	}
	claim := head + "depth 62\n"
	for f := range table.P {
		claim += fmt.Sprintf("forbid %d\n", f)
	}
	value, answer := table.OneAnswer(rows), 0
	for k := range table.K {
		loss := int64(0)
		for i := range rows {
			loss += table.Loss[i*table.K+k]
		}
		if loss == value {
			answer = k
		}
	}
	claim += fmt.Sprintf("value %d\nbound %[1]d\ntree = %d\nproof\nend\n", value, answer)
	if got, err := proof.Check(context.Background(), table, strings.NewReader(claim)); err != nil || !got.Optimal() {
		t.Errorf("%v, %v", got, err)
	}
}
