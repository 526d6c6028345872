// Package nearest finds the name that was probably meant by a misspelt one.
package nearest

import (
	"fmt"
	"slices"
	"strings"
)

// Name returns the name that wanted, which is none of them, was probably meant to
// be: the one that the fewest insertions, deletions and changes of letters lead to,
// upper and lower case alike. It is "" where none is near: more than a third of
// the letters and one more would have to go.
func Name(wanted string, names []string) string {
	best, distance := "", min(len(wanted)/3+2, len(wanted))
	for _, name := range names {
		if d := Distance(strings.ToLower(wanted), strings.ToLower(name)); d < distance {
			best, distance = name, d
		}
	}
	return best
}

// Hint asks for the name that was probably meant, or says otherwise where none is near.
func Hint(wanted string, names []string, otherwise string) string {
	if meant := Name(wanted, names); meant != "" {
		return fmt.Sprintf("did you mean %q?", meant)
	}
	return otherwise
}

// Distance is Levenshtein's, over bytes.
func Distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// foreign are words of other programs (scikit-learn, rpart, pandas, IAI, GOSDT, ConTree,
// STreeD, PyDL8.5) for what octgen calls otherwise; of several words of ours the first
// that is known where they are asked for is meant. A note says how the two differ.
// docs/glossary.md tells more of them.
var foreign = []struct{ theirs, ours, note string }{
	{"max-depth= maxdepth= max-tree-depth tree-depth", "depth", ""},
	{"depth-budget", "depth", "the levels of splits; GOSDT counts the leaves as a level, so subtract 1"},
	{"cp= complexity-parameter=", "alpha", ""},
	{"ccp-alpha cost-complexity complexity-cost regularization min-impurity-decrease", "alpha",
		"a penalty per split in units of the baseline error; alpha = ccp_alpha * rows / baseline errors"},
	{"min-samples-leaf= min-leaf-size= min-leaf-node-size minbucket= min-sup min-weight-fraction-leaf min-child-weight min-data-in-leaf", "min-leaf",
		"the minimum weight of a leaf, which is its number of rows unless rows have weights; a fraction of the rows is not supported"},
	{"min-samples-split minsplit", "min-leaf", "there is no minimum size of a node to split, only of a leaf"},
	{"max-leaf-nodes max-leaves num-leaves max-nodes", "max-splits", "a tree has one leaf more than it has splits"},
	{"max-num-nodes= max-branch-nodes=", "max-splits", ""},
	{"random-state= random-seed= rng", "seed", ""},
	{"n-jobs= num-threads= nthread= jobs cores", "threads workers", "leave it out to use all processors"},
	{"test-size= train-size test-fraction split-ratio", "holdout", "the fraction of the rows set aside for testing"},
	{"cv n-splits n-folds k-folds kfold xval cross-validate", "folds prune-folds", ""},
	{"sample-weight= sample-weights case-weights weight-column", "weight", "the column of row weights"},
	{"class-weights weight-balance", "class-weight", ""},
	{"n-restarts n-init ls-num-tree-restarts", "restarts", ""},
	{"n-estimators", "restarts", "octgen fits single trees, not forests; some methods restart"},
	{"hyper-tune hypertune tune tuning grid-search", "method", "oct-tuned, oct-h-tuned and cart-tuned choose alpha on validation rows"},
	{"scoring eval-metric", "class-weight", "octgen minimises the weight of errors; --class-weight and --cost-matrix change it"},
	{"algorithm algo model classifier estimator booster", "method", ""},
	{"formulation", "form method", ""},
	{"loss split-criterion impurity", "criterion", ""},
	{"timeout= time max-time= time-out=", "time-limit", ""},
	{"mip-gap mipgap max-gap tolerance tol", "gap", ""},
	{"max-nodes-bb nodes", "node-limit", ""},
	{"warm-start initial init", "start", ""},
	{"sep= separator= delim= field-separator", "delimiter", ""},
	{"drop drop-columns drop-column exclude exclude-columns skip-columns remove", "ignore", "columns to leave out"},
	{"label label-column y response outcome class class-column dependent target-column=", "target", ""},
	{"cat-features categorical-features categoricals factors", "categorical-columns", ""},
	{"encode-categorical cat-encoding", "categorical", ""},
	{"na na-strings null-values missing-values", "na-values missing", ""},
	{"handle-missing imputation impute fillna imputer", "missing", ""},
	{"handle-unknown", "unknown", ""},
	{"out outfile out-file save save-model model-file", "output", ""},
	{"verbose verbosity", "log", "a file for the solver's log, - for the terminal"},
	{"silent", "quiet", ""},
	{"precision digits", "decimals", ""},
}

// Foreign returns the name that octgen has for a word of another program, among the
// names that there are, and what is to be known of the difference, empty for nothing.
// Upper and lower case, dashes and underscores are alike. ours is "" where the word is
// none or nothing of octgen's that it stands for is among the names.
func Foreign(word string, names []string) (ours, note string) {
	word = plain(word)
	for _, f := range foreign {
		for theirs := range strings.FieldsSeq(f.theirs) {
			if strings.TrimSuffix(theirs, "=") != word {
				continue
			}
			for ours := range strings.FieldsSeq(f.ours) {
				for _, name := range names {
					if plain(name) == ours {
						return name, f.note
					}
				}
			}
		}
	}
	return "", ""
}

// Same returns the name, among those that there are, for a word of another program that means
// the same, or that is one of them but for underscores; "" for none.
func Same(word string, names []string) string {
	word = plain(word)
	for _, name := range names {
		if plain(name) == word {
			return name
		}
	}
	for _, f := range foreign {
		if slices.Contains(strings.Fields(f.theirs), word+"=") {
			ours, _ := Foreign(word, names)
			return ours
		}
	}
	return ""
}

// plain is a word as foreign has it: random-state of random_state.
func plain(word string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimLeft(word, "-")), "_", "-")
}

// HintOption asks for the option that was probably meant by the word of another program
// or a misspelt one, or says otherwise where there is none.
func HintOption(wanted string, names []string, otherwise string) string {
	ours, note := Foreign(wanted, names)
	switch {
	case ours == "":
		return Hint(wanted, names, otherwise)
	case note == "":
		return fmt.Sprintf("octgen has %q", ours)
	}
	return fmt.Sprintf("octgen has %q: %s", ours, note)
}
