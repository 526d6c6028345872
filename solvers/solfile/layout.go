package solfile

import (
	"math"
	"strconv"
	"strings"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
)

// startLayout is how a format writes a start.
type startLayout struct {
	head func(dst []byte, s *startFile) []byte
	line func(dst []byte, s *startFile, e entry) []byte
	tail string
	// helpers gives the values of the columns that the solver adds to the model; nil for none.
	helpers func(m *mio.Model, mp *mps.Map, point []float64) []entry
}

// startFile is what a layout may mention.
type startFile struct {
	model     string  // name, fit for a line
	objective float64 // of the point in the file; 0 for a partial one and where it is not finite
}

// entry is the value of one column of the file.
type entry struct {
	index int // in the file, from 0
	name  []byte
	value []byte
}

// startName makes a model's name fit for XML attributes and single lines.
func startName(name string) string {
	fit := strings.Map(func(r rune) rune {
		if r <= ' ' || r >= 0x7f || strings.ContainsRune(`"'<>&`, r) {
			return '_'
		}
		return r
	}, name)
	if fit == "" {
		return "octgen"
	}
	return fit
}

func appendNumber(dst []byte, v float64) []byte {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.AppendInt(dst, int64(v), 10)
	}
	return strconv.AppendFloat(dst, v, 'g', -1, 64)
}

// integral is how far a discrete column's value may be from the integer that is
// written in its place.
const integral = 1e-6

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
