package nearest_test

import (
	"testing"

	"github.com/octgen/octgen/internal/nearest"
)

func TestName(t *testing.T) {
	names := []string{"depth", "max_splits", "min_leaf", "name"}
	for wanted, want := range map[string]string{
		"dpeth": "depth", "nmae": "name", "MAX-SPLITS": "max_splits", "minleaf": "min_leaf", "alpha": "", "": "", "x": "", "de": "",
	} {
		if got := nearest.Name(wanted, names); got != want {
			t.Errorf("%q: %q, want %q", wanted, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "abc", 0}, {"kitten", "sitting", 3}, {"flaw", "lawn", 2}} {
		if got := nearest.Distance(c.a, c.b); got != c.want {
			t.Errorf("%q, %q: %d; want %d", c.a, c.b, got, c.want)
		}
	}
}
