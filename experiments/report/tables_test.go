package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/fit"
)

// TestMachines: one kind of machine gives no remark, for any number of hosts; several kinds give
// their differences; fits that reached a time limit on different kinds give a warning.
func TestMachines(t *testing.T) {
	record := func(host, processor string, cores int, limit string) run.Record {
		return run.Record{
			Result:     &fit.Result{Solver: &fit.Solver{Limit: limit}},
			Provenance: &run.Provenance{Host: host, Processor: processor, Cores: cores, System: "linux/amd64", Version: "1", Binary: "0123456789"},
		}
	}
	old := run.Record{Result: &fit.Result{}} // of an octgen without provenance
	alike := []run.Record{record("a", "P", 2, ""), record("b", "P", 2, "time"), record("c", "P", 2, "time"), old, {Error: "no luck"}}
	if got := machines(alike); got != nil {
		t.Errorf("%q", got)
	}
	if got := machines(nil); got != nil {
		t.Errorf("%q", got)
	}
	other := record("d", "<Q>\n", 4, "")
	other.Provenance.Binary = "fedcba9876"
	want := []string{
		"The fits were made by different processors: <Q>  (1), P (3).",
		"The fits were made by different numbers of cores: 2 (3), 4 (1).",
		"The fits were made by different builds of octgen: 1 01234567 (3), 1 fedcba98 (1).",
	}
	got := machines(append(alike, other))
	want[0] = "The fits were made by different processors: " + clean("<Q>\n") + " (1), P (3)."
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	got = machines(append(alike, record("d", "Q", 2, "time")))
	want = []string{
		"The fits were made by different processors: P (3), Q (1).",
		"Warning: 3 of the fits reached a time limit on machines of different kinds: the faster ones got further.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	cut := record("d", "Q", 2, "")
	cut.CutShort = true
	if got := machines(append(alike, cut)); len(got) != 2 {
		t.Errorf("%q", got)
	}
	var many []run.Record
	for i := range 9 {
		many = append(many, record("a", string(rune('A'+i)), 1, ""))
	}
	if got := machines(many); len(got) != 1 || got[0] != "The fits were made by different processors: A (1), B (1), C (1), D (1), E (1), F (1) and 3 more." {
		t.Errorf("%q", got)
	}
}
