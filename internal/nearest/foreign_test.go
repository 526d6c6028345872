package nearest

import (
	"strings"
	"testing"
)

func TestForeign(t *testing.T) {
	flags := []string{"--depth", "--alpha", "--min-leaf", "--delimiter", "--prune-folds"}
	keys := []string{"depth", "min_leaf", "folds", "prune_folds"}
	for _, c := range []struct {
		word  string
		names []string
		want  string
	}{
		{"--maxdepth", flags, "--depth"}, {"ccp_alpha", flags, "--alpha"}, {"CCP-Alpha", flags, "--alpha"}, {"sep", flags, "--delimiter"},
		{"min_samples_leaf", keys, "min_leaf"}, {"cv", keys, "folds"}, {"cv", flags, "--prune-folds"},
		{"sep", keys, ""}, {"frobnicate", flags, ""}, {"", flags, ""},
	} {
		if got, _ := Foreign(c.word, c.names); got != c.want {
			t.Errorf("%q among %q: %q, want %q", c.word, c.names, got, c.want)
		}
	}
}

// Every word stands for one thing, and is none of octgen's own for it.
func TestForeignWordsOnce(t *testing.T) {
	seen := make(map[string]bool)
	for _, f := range foreign {
		for word := range strings.FieldsSeq(f.theirs) {
			if seen[word] || word != plain(word) {
				t.Errorf("%q is there twice, or not as words are compared", word)
			}
			seen[word] = true
		}
	}
}

func TestHintOption(t *testing.T) {
	for wanted, want := range map[string]string{
		"max_depth": `octgen has "depth"`, "random_state": `octgen has "seed"`,
		"ccp_alpha": `octgen has "alpha": a penalty per split in units of the baseline error; alpha = ccp_alpha * rows / baseline errors`, "dpeth": `did you mean "depth"?`, "magic": "no",
	} {
		if got := HintOption(wanted, []string{"depth", "alpha", "seed"}, "no"); got != want {
			t.Errorf("%q: %s, want %s", wanted, got, want)
		}
	}
}
