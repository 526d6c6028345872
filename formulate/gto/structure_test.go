package gto

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// randomStructure returns a structure with a leaf of every class.
func randomStructure(rng *rand.Rand, k, leaves int) *Structure {
	leaves = max(leaves, k, 2)
	labels := rng.Perm(leaves)
	var grow func(n int) *Structure
	grow = func(n int) *Structure {
		if n == 1 {
			c := labels[0] % k
			labels = labels[1:]
			return &Structure{Class: c}
		}
		left := 1 + rng.IntN(n-1)
		s := &Structure{Left: grow(left)}
		s.Right = grow(n - left)
		return s
	}
	return grow(leaves)
}

func TestParseStructure(t *testing.T) {
	classes := []string{"a", "b c", `"q"`, "(", ""}
	rng := rand.New(rand.NewPCG(15, 15))
	for range 200 {
		s := randomStructure(rng, len(classes), 1+rng.IntN(12))
		text := s.Text(classes)
		back, err := ParseStructure(" "+strings.ReplaceAll(text, "),", ") ,\n"), classes)
		if err != nil || !cmp.Equal(back, s) {
			t.Fatalf("%s: %v, %v", text, back, err)
		}
	}
	for text, want := range map[string]string{
		"":                            `character 1: "" is not a class`,
		"(a,d)":                       `character 4: "d" is not a class`,
		"(a,a":                        `expected ')'`,
		"(a a)":                       `"a a" is not a class`,
		"(a,a)b":                      `after the end`,
		`("a,a)`:                      `closing quote`,
		`(a)`:                         `character 3: expected ','`,
		"(a,(a,a),)":                  `expected ')'`,
		strings.Repeat("(", 18) + "a": "deeper than 16",
	} {
		if _, err := ParseStructure(text, []string{"a", "b"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %q", text, err, want)
		}
	}
	s, err := ParseStructure("(b c, a)", classes)
	if err != nil || s.Left.Class != 1 || s.Right.Class != 0 || s.Depth() != 1 {
		t.Errorf("blanks within a name: %v, %v", s, err)
	}
}

// TestPaperNumbers: the numbering and the paths of Figure 2 are those of (4).
func TestPaperNumbers(t *testing.T) {
	l := newLayout(FullStructure(2, 0, 1), 2)
	want := []leaf{{0, []int{0, 2}}, {1, []int{0, 3}}, {0, []int{1, 4}}, {1, []int{1, 5}}}
	if diff := cmp.Diff(want, l.leaves, cmp.AllowUnexported(leaf{})); diff != "" {
		t.Error(diff)
	}
	if !slices.Equal(l.classes[0].leaves, []int{0, 2}) || !slices.Equal(l.classes[1].leaves, []int{1, 3}) {
		t.Errorf("leaves of the classes: %v", l.classes)
	}
}
