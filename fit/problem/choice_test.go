package problem

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/octgen/octgen/internal/strict"
)

// given is a union of all options with one of them set.
func given(t *testing.T, flag string, value any) any {
	t.Helper()
	union := Union(All())
	f := find(strict.Flags(union), flag)
	if f == nil {
		t.Fatalf("no option %s", flag)
	}
	f.Value.Set(reflect.ValueOf(value))
	return union
}

// TestTake: an option goes to the method and to its start, to the latter only where
// it is not the program's.
func TestTake(t *testing.T) {
	seconds := int64(7)
	for _, c := range []struct {
		method, start, flag string
		value               any
		starts              int // that are given it
		want                string
	}{
		{"oct", "auto", "depth", Depth(4), 0, ""},
		{"oct", "auto", "criterion", "entropy", 1, ""},
		{"oct", "none", "criterion", "entropy", 0, "--criterion is for cart, cart-tuned and oc1, neither the method nor the start here"},
		{"oct", "oc1", "purity", 0.5, 1, ""},
		{"oct", "treesearch", "cache-mb", &seconds, 1, ""},
		{"oct", "local-search", "splits", "hyperplane", 0, "--splits is for local-search; as a start local-search grows trees for oct"},
		{"oct", "auto", "min-leaf", -1.0, 0, `--min-leaf is "-1"; want`},
		{"oct-h", "rlp", "encoding", "bigm", 0, ""},
		{"oct-h", "local-search", "mu", 0.01, 0, ""},
		{"gto", "cart", "alpha", 0.1, 0, "--alpha is for " + Listed(With("alpha")) + "; gto has trees of a fixed structure"},
		{"gto", "epts", "structure", "((a,b),(a,b))", 0, ""},
		{"gto", "epts", "iterations", 5, 1, ""},
		{"rlp", "none", "depth", Depth(3), 0, "; rlp has one split"},
		{"oct-tuned", "auto", "alpha", 0.1, 0, "; oct-tuned chooses alpha, and so the splits, on validation rows"},
		{"cart-tuned", "auto", "encoding", "bigm", 0, "--encoding is not a parameter of cart-tuned, but of " + strings.Join(With("encoding"), ", ")},
		{"oct-tuned", "auto", "encoding", "bigm", 0, "; oct-tuned takes the usual one"},
		{"fm-rlp", "none", "delta", 0.1, 0, "--delta is not a parameter of fm-rlp, but of " + strings.Join(With("delta"), ", ")},
		{"epts", "cart", "criterion", "gini", 1, ""},
	} {
		m, err := Lookup(c.method)
		if err != nil {
			t.Fatal(err)
		}
		of := Choose(m, c.start)
		union := given(t, c.flag, c.value)
		err = of.Take(union, c.flag)
		if text := ""; err != nil {
			if text = err.Error(); c.want == "" || !strings.Contains(text, c.want) {
				t.Errorf("%s, start %s, --%s: %s, want %q", c.method, c.start, c.flag, text, c.want)
			}
			if option := (*OptionError)(nil); !errors.As(err, &option) {
				t.Errorf("%s --%s: %T is no OptionError", c.method, c.flag, err)
			}
		} else if c.want != "" {
			t.Errorf("%s, start %s, --%s: no error, want %q", c.method, c.start, c.flag, c.want)
		}
		if len(of.Starters()) != c.starts {
			t.Errorf("%s, start %s, --%s: %d starts are given it, want %d", c.method, c.start, c.flag, len(of.Starters()), c.starts)
		}
		if own := find(strict.Flags(m), c.flag); own != nil && c.want == "" && !reflect.DeepEqual(own.Value.Interface(), c.value) {
			t.Errorf("%s: --%s is %v, want %v", c.method, c.flag, own.Value, c.value)
		}
	}
}

// TestHints: a hint is about an option of others, and every method is right with its
// defaults.
func TestHints(t *testing.T) {
	hints := 0
	for _, m := range All() {
		name := m.Info().Name
		if err := m.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		hint := m.Info().Hint
		if hint == nil {
			continue
		}
		for _, f := range strict.Flags(Union(All())) {
			if hint := hint(f.Name); hint != "" {
				hints++
				if find(strict.Flags(m), f.Name) != nil {
					t.Errorf("%s has --%s, yet %q", name, f.Name, hint)
				}
			}
		}
	}
	if hints < 30 {
		t.Errorf("%d hints", hints)
	}
}

// TestProgramUnion: what is written to files has no search.
func TestProgramUnion(t *testing.T) {
	of := []Method{new(OCT)}
	if find(strict.Flags(Union(of)), "cache-mb") == nil || find(strict.Flags(ProgramUnion(of)), "cache-mb") != nil || find(strict.Flags(ProgramUnion(of)), "scale") == nil {
		t.Error("want all options but cache-mb")
	}
}
