package export_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/export"
	"github.com/octgen/octgen/tree"
)

// TestRulesOfDates: a threshold is a date where every row has one, and a number of days
// where a number stands for missing dates.
func TestRulesOfDates(t *testing.T) {
	mean := 341.7
	e := &dataset.Encoder{Target: "class", Classes: []string{"a", "b"}, Columns: []dataset.SourceColumn{
		{Name: "Start", Kind: dataset.Numeric, Date: &dataset.Date{Format: "DD.MM.YYYY", First: "2021-01-06"}},
		{Name: "End", Kind: dataset.Numeric, Impute: &mean, Date: &dataset.Date{Format: "YYYY-MM-DD hh:mm:ss", First: "2021-01-06"}},
		{Name: "Seen", Kind: dataset.Numeric, Date: &dataset.Date{Format: "YYYY-MM-DDThh:mm:ss", First: "2021-01-06"}},
	}}
	tr := tree.NewLeaf(&dataset.Dataset{Features: e.Features(), Classes: e.Classes, Encoder: e}, 0)
	tr.Grow(0, tree.Univariate(0, 341.5), 0, 1)
	tr.Grow(2, tree.Univariate(1, 341.5), 0, 1)
	tr.Grow(4, tree.Univariate(2, 0.5000000000000001), 0, 1)
	var out bytes.Buffer
	if err := export.Write(&out, tr, "rules", export.Options{}); err != nil {
		t.Fatal(err)
	}
	want := `
# classes: "a" "b"
# "Start": dates, DD.MM.YYYY; as numbers the days since 2021-01-06
# "Start" missing: no class
# "End": dates, YYYY-MM-DD hh:mm:ss; as numbers the days since 2021-01-06
# "End" missing: counts as 341.7
# "Seen": dates, YYYY-MM-DDThh:mm:ss; as numbers the days since 2021-01-06
# "Seen" missing: no class
if "Start" < 14.12.2021 then "a" (rows 0, shares 1.0 0.0)
if "Start" >= 14.12.2021 and "End" < 341.5 then "a" (rows 0, shares 1.0 0.0)
if "Start" >= 14.12.2021 and "End" >= 341.5 and "Seen" <= 2021-01-06T12:00:00 then "a" (rows 0, shares 1.0 0.0)
if "Start" >= 14.12.2021 and "End" >= 341.5 and "Seen" > 2021-01-06T12:00:00 then "b" (rows 0, shares 0.0 1.0)
`
	if diff := cmp.Diff(want, "\n"+out.String()); diff != "" {
		t.Error(diff)
	}
}
