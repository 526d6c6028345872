package solfile

import (
	"strings"

	"github.com/octgen/octgen/mio"
)

// verdict is what a solver's words for how it ended mean.
type verdict struct {
	status mio.Status
	limit  mio.Limit
}

// phrase is a verdict by a part of the solver's words, in lower case.
type phrase struct {
	part string
	verdict
}

// judge returns the verdict of the first phrase that text contains.
func judge(phrases []phrase, text string) verdict {
	text = strings.ToLower(text)
	for _, p := range phrases {
		if strings.Contains(text, p.part) {
			return p.verdict
		}
	}
	return verdict{}
}
