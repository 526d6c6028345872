package study

// engine is one way to an answer; of OCT, an encoding by its name.
type engine string

const (
	search    engine = "search"
	threshold engine = "threshold"
	flow      engine = "flow"
	cut       engine = "cut"
	binOCT    engine = "binoct"
	bigM      engine = "bigm"
	indicator engine = "indicator"
	octH      engine = "oct-h"
	rlp       engine = "rlp"
	fm        engine = "fm"
)

// engines are all of them, with their share of the cases, in thousandths: cheap ones
// have more.
var engines = []struct {
	engine
	share int
}{
	{search, 470}, {rlp, 150}, {threshold, 120}, {fm, 60}, {flow, 30}, {cut, 30}, {binOCT, 30}, {bigM, 50}, {indicator, 30}, {octH, 30},
}

// fmBox is the bound on the size of fm's standardised weights where the data give
// none.
const fmBox = 1000
