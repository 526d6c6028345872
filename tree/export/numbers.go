package export

import "strings"

// Trees that predict numbers have a number at each leaf in place of a class and shares: predict returns it, and what has no
// class has no number.

// numberWords are the words of such trees in place of those of classes: in comments and in the names that programs have.
var numberWords = strings.NewReplacer(
	"A decision tree", "A regression tree", "is a decision tree", "is a regression tree",
	// Python, JavaScript
	"predict(row) returns the class of a row, predict_proba(row) the share of each of\nCLASSES in the training weight of its leaf.", "predict(row) returns the number that is predicted for a row.",
	"predict(row) returns the class of a row, predict_proba(row) the share of each of\n// CLASSES in the training weight of its leaf.", "predict(row) returns the number that is predicted for a row.",
	"A row without a class has", "A row without a prediction has",
	// C
	"predict returns the class of a row as an index of %[1]s_classes, or -1 where\n * the row has none:", "predict returns the number that is predicted for a row, or NaN where\n * the row has none:",
	"#include <float.h>\n", "#include <float.h>\n#include <math.h>\n",
	"octgen_class", "octgen_value",
	"no class", "no prediction",
)

// numbersOf are the numbers of the leaves, written by real.
func (p *plan) numbersOf(real func(v float64) string) string {
	leaves, _ := p.leaves()
	texts := make([]string, len(leaves))
	for i, n := range leaves {
		texts[i] = real(n.value)
	}
	return strings.Join(texts, ", ")
}

const pythonNumberAnswers = `

def predict(row):
    leaf = _leaf(row)
    return None if leaf is None else _LEAVES[leaf]
`

const javaScriptNumberAnswers = `}

function predict(row) {
  const at = leaf(row);
  return at < 0 ? null : LEAVES[at];
}

return { COLUMNS, predict };
})();
if (typeof module !== "undefined") module.exports = %s;
`

const cNumberAnswers = `double %[1]s_predict(const struct %[1]s_row *row) {
    const int at = %[1]s_leaf(row);
    return at < 0 ? (double)NAN : %[1]s_leaf_value[at];
}
`

const goNumberAnswers = `// Predict returns the number that is predicted for a row; false for a row without one: a field is
// missing and nothing stands for it, a number is not finite, or a text is unknown.
func Predict(row Row) (value float64, ok bool) {
	at := leaf(&row)
	if at < 0 {
		return 0, false
	}
	return leafValue[at], true
}

`
