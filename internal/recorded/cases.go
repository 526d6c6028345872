package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// draw draws the case of a number.
func draw(folder string, seed uint64, number int) drawn {
	d := &drawer{rand.New(rand.NewPCG(seed, uint64(number))), folder}
	kinds := []struct {
		share int
		draw  func() drawn
	}{
		{22, d.oct}, {10, d.constrained}, {8, d.costly}, {8, d.hyperplanes}, {10, d.algorithm}, {7, d.linear}, {6, d.structured},
		{7, d.tuned}, {6, d.policies}, {6, d.written}, {4, d.experiment}, {3, d.fixing}, {3, d.mistake},
	}
	total := 0
	for _, k := range kinds {
		total += k.share
	}
	at := d.IntN(total)
	for _, k := range kinds {
		if at -= k.share; at < 0 {
			return k.draw()
		}
	}
	panic("unreachable")
}

// fit is a case of one fit.
func (s *sample) fit(flags ...step) drawn {
	all := step{"fit", "data.csv", "--json"}
	for _, f := range flags {
		all = append(all, f...)
	}
	return drawn{files: map[string]string{"data.csv": s.text}, steps: []step{all}}
}

// shape draws depth, alpha, least leaf and most splits.
func (d *drawer) shape(deepest int) (flags step) {
	if d.chance(0.9) {
		flags = append(flags, "--depth", strconv.Itoa(1+d.IntN(deepest)))
	}
	if d.chance(0.5) {
		flags = append(flags, "--alpha", pick(d, "0.001", "0.01", "0.05", "0.2", "1"))
	}
	if d.chance(0.3) {
		flags = append(flags, "--min-leaf", pick(d, "0", "2", "5", "10"))
	}
	if d.chance(0.15) {
		flags = append(flags, "--max-splits", strconv.Itoa(1+d.IntN(4)))
	}
	return flags
}

// rest draws what any fit may have.
func (d *drawer) rest() (flags step) {
	if d.chance(0.2) {
		flags = append(flags, "--holdout", pick(d, "0.25", "0.33"), "--unknown", "other")
	}
	if d.chance(0.3) {
		flags = append(flags, "--seed", strconv.Itoa(d.IntN(1000)))
	}
	return flags
}

// solving draws an engine of oct, and what belongs to it.
func (d *drawer) solving() (flags step) {
	switch d.IntN(10) {
	case 0, 1:
		flags = step{"--engine", "search"}
		if d.chance(0.3) {
			flags = append(flags, "--work-limit", pick(d, "1", "5000", "100000"))
		}
		if d.chance(0.3) {
			flags = append(flags, "--start", pick(d, "cart", "c45", "local-search", "oc1"))
		}
	case 2, 3, 4:
		flags = step{"--engine", "mio", "--threads", "1"}
		if d.chance(0.5) {
			flags = append(flags, "--encoding", pick(d, "threshold", "flow", "cut", "binoct", "bigm", "bigm-published", "indicator"))
		}
		if d.chance(0.4) {
			flags = append(flags, "--start", pick(d, "none", "cart", "treesearch", "local-search", "c45", "oc1"))
		}
		if d.chance(0.1) {
			flags = append(flags, "--node-limit", pick(d, "1", "50"))
		}
		if d.chance(0.1) {
			flags = append(flags, "--gap", pick(d, "0.1", "0.5"))
		}
		if d.chance(0.1) {
			flags = append(flags, "--solver", pick(d, "cbc", "glpk", "highs", "highs-exe"))
		}
		if d.chance(0.1) {
			flags = append(flags, "--cross-check")
		}
		if d.chance(0.1) {
			flags = append(flags, "--encoding", "bigm", "--scale", "minmax")
		}
	case 5:
		flags = step{"--engine", "heuristic"}
		if d.chance(0.3) {
			flags = append(flags, "--start", pick(d, "cart", "c45", "local-search", "none"))
		}
	case 6:
		flags = step{"--time-limit", pick(d, "2s", "4s")}
		if d.chance(0.5) {
			flags = append(flags, "--engine", pick(d, "mio", "heuristic", "search"))
		}
	}
	return flags
}

// small is the most rows of a case that a solver may solve.
const small = 35

func (d *drawer) oct() drawn {
	how := d.solving()
	most, deepest := 150, 3
	if strings.Contains(strings.Join(how, " "), "mio") {
		most, deepest = small, 2
	}
	s := d.sample(most, false, false)
	return s.fit(s.data(d), d.shape(deepest), how, d.rest())
}

func (d *drawer) constrained() drawn {
	s := d.sample(small, false, false)
	var costs, how step
	if d.chance(0.2) {
		costs = step{"--cost-matrix", s.costs(d)}
	}
	switch d.IntN(4) {
	case 0:
		how = step{"--engine", "search"}
	case 1:
		how = step{"--engine", "mio", "--threads", "1"}
		if d.chance(0.5) {
			how = append(how, "--encoding", pick(d, "threshold", "flow", "cut", "bigm"))
		}
	case 2:
		how = step{"--method", pick(d, "oct-h", "oct-tuned", "oct-tuned"), "--threads", "1"}
	}
	shape := d.shape(2)
	if slices.Contains(how, "oct-tuned") {
		shape = step{"--depth", "2"}
	}
	return s.fit(s.data(d), shape, costs, s.constraints(d), how, d.rest())
}

func (d *drawer) costly() drawn {
	s := d.sample(small, false, false)
	how := d.solving()
	if d.chance(0.3) {
		how = step{"--method", pick(d, "cart", "local-search", "treesearch")}
	}
	return s.fit(s.data(d), d.shape(2), step{"--cost-matrix", s.costs(d)}, how, d.rest())
}

func (d *drawer) hyperplanes() drawn {
	s := d.sample(30, false, true)
	how := step{"--method", "oct-h"}
	if d.chance(0.4) {
		how = append(how, "--engine", pick(d, "heuristic", "mio"))
	}
	switch d.IntN(4) {
	case 0:
		how = append(how, "--encoding", pick(d, "soct", "soct", "bigm", "indicator"))
	case 1:
		how = append(how, "--margin", "right", "--min-leaf", "0")
	}
	if d.chance(0.3) {
		how = append(how, "--mu", pick(d, "0.001", "0.05"))
	}
	if d.chance(0.3) {
		how = append(how, "--start", pick(d, "none", "cart", "msmt", "oc1", "rlp", "alternating", "epts"))
	}
	if d.chance(0.7) {
		how = append(how, "--threads", "1")
	}
	if d.chance(0.2) && !slices.Contains(how, "heuristic") {
		how = append(how, "--node-limit", "20")
	}
	return s.fit(s.data(d), d.shape(1), how, d.rest())
}

func (d *drawer) algorithm() drawn {
	s := d.sample(150, false, d.chance(0.5))
	name := pick(d, "cart", "c45", "oc1", "local-search", "alternating", "msmt", "treesearch", "fm-tree")
	how := step{"--method", name}
	switch name {
	case "cart":
		if d.chance(0.4) {
			how = append(how, "--prune-folds", "5", "--prune-se", pick(d, "0", "1"))
		}
		if d.chance(0.3) {
			how = append(how, "--criterion", pick(d, "entropy", "misclassification"))
		}
	case "c45":
		how = append(how, "--release", pick(d, "5", "8"), "--confidence", pick(d, "0.1", "0.25", "1"))
	case "oc1":
		if d.chance(0.5) {
			how = append(how, pick(d, "--paper", "--axis-only"))
		}
	case "local-search":
		how = append(how, "--restarts", "5", "--splits", pick(d, "univariate", "hyperplane"))
	case "alternating":
		how = append(how, "--restarts", "5")
	case "treesearch":
		if d.chance(0.4) {
			how = append(how, "--work-limit", pick(d, "1", "5000", "100000"))
		}
	}
	return s.fit(s.data(d), d.shape(3), how, d.rest())
}

func (d *drawer) linear() drawn {
	s := d.sample(60, false, true)
	name := pick(d, "rlp", "rlp-p", "fm", "lfm", "fm-rlp", "fm-rlp-p", "sbe")
	how := step{"--method", name}
	switch name {
	case "fm", "lfm":
		if d.chance(0.3) {
			how = append(how, "--perturbed")
		}
		if d.chance(0.4) {
			how = append(how, "--nu", pick(d, "1", "2"))
		}
		if d.chance(0.2) {
			how = append(how, "--encoding", pick(d, "mio", "bilinear", "sos1"))
		}
		if d.chance(0.3) {
			how = append(how, "--engine", "heuristic")
		} else {
			how = append(how, "--threads", "1", "--node-limit", "300")
		}
	case "rlp":
		if d.chance(0.4) {
			how = append(how, "--engine", "mio")
		}
	}
	return s.fit(s.data(d), how, d.rest())
}

func (d *drawer) structured() drawn {
	s := d.sample(30, false, true)
	name := pick(d, "gto", "epts", "frank-wolfe")
	how := step{"--method", name}
	if d.chance(0.5) || name == "gto" {
		how = append(how, "--depth", pick(d, "2", "2", "1"))
	} else if d.chance(0.4) {
		how = append(how, "--structure", "cart")
	}
	switch name {
	case "gto":
		if d.chance(0.5) {
			how = append(how, "--objective", pick(d, "minimum", "count"))
		}
		if d.chance(0.3) {
			how = append(how, "--start", pick(d, "cart", "msmt", "frank-wolfe", "epts", "none"))
		}
		if d.chance(0.4) {
			how = append(how, "--engine", "heuristic")
		} else {
			how = append(how, "--threads", "1", "--node-limit", "100")
		}
	case "epts":
		how = append(how, "--iterations", "300", "--objective", pick(d, "minimum", "count", "product"))
		if d.chance(0.3) {
			how = append(how, pick(d, "--random-start", "--fewest-errors"))
		}
	default:
		how = append(how, "--iterations", "200")
		if d.chance(0.3) {
			how = append(how, "--start", pick(d, "cart", "msmt", "epts"))
		}
	}
	return s.fit(s.data(d), how, d.rest())
}

func (d *drawer) tuned() drawn {
	name := pick(d, "oct-tuned", "oct-tuned", "oct-h-tuned", "cart-tuned")
	s := d.sample(pick(d, 60, 100), false, name == "oct-h-tuned")
	how := step{"--method", name, "--depth", strconv.Itoa(1 + d.IntN(2))}
	if name != "oct-h-tuned" && d.chance(0.2) {
		how = append(how, "--cost-matrix", s.costs(d))
	}
	if d.chance(0.4) {
		how = append(how, "--refit")
	}
	if d.chance(0.3) {
		how = append(how, "--validation", pick(d, "0.2", "1/2"))
	}
	switch name {
	case "oct-tuned":
		if d.chance(0.3) {
			how = append(how, "--path", "splits")
		}
		if d.chance(0.2) {
			how = append(how, "--engine", "mio", "--threads", "1")
		}
		if d.chance(0.2) {
			how = append(how, "--work-limit", pick(d, "1", "5000"))
		}
	case "oct-h-tuned":
		how = append(how, "--work-limit", pick(d, "100000", "1000000"))
		if d.chance(0.3) {
			how = append(how, "--portfolio")
		}
	}
	return s.fit(s.data(d), how, d.rest())
}

func (d *drawer) policies() drawn {
	s := d.sample(100, true, false)
	how := step{"--method", "policy"}
	if d.chance(0.3) {
		how = append(how, "--engine", pick(d, "search", "heuristic"))
	}
	if d.chance(0.2) {
		how = append(how, "--work-limit", pick(d, "1", "3000"))
	}
	return s.fit(s.data(d), d.shape(2), how, d.rest())
}

// written is a model written, solved and decoded, its tree checked and shown.
func (d *drawer) written() drawn {
	form := pick(d, "oct", "oct", "oct-h", "rlp-p", "fm", "gto")
	s := d.sample(30, false, form != "oct")
	shape := step{}
	switch form {
	case "oct", "oct-h":
		shape = step{"--depth", "1", "--alpha", pick(d, "0", "0.01")}
		if d.chance(0.3) {
			shape = append(shape, "--recall", s.class(d)+">=0.5")
		}
	case "gto":
		shape = step{"--depth", "1"}
	}
	data := s.data(d)
	write := append(append(step{"mps", "data.csv", "--form", form, "-o", "m.mps"}, data...), shape...)
	if d.chance(0.4) {
		write = append(write, "-s", "m.start", "--start", "auto", "--start-format", pick(d, "highs", "gurobi", "cbc", "scip"))
	}
	size := step{"inspect", "data.csv"}
	if form == "oct" {
		size = append(append(size, data...), shape[:2]...)
	}
	return drawn{files: map[string]string{"data.csv": s.text}, steps: []step{
		write,
		{"model", "solve", "m.mps", "--solver", "highs", "-o", "m.sol", "--node-limit", "2000"},
		{"decode", "m.octgen.json", "m.sol", "--json", "--output", "tree.json"},
		{"check", "tree.json", "data.csv"},
		{"show", "tree.json"},
		size,
	}}
}

// experiment is a spec that is run.
func (d *drawer) experiment() drawn {
	s := d.sample(100, false, false)
	spec := fmt.Sprintf(`name: recorded
data:
  - {name: data, file: data.csv%s}
evaluate: {folds: %d, seed: %d}
methods:
  - {name: CART, method: cart, depth: 2}
  - {name: OCT, method: oct, engine: search, depth: 2, alpha: %s}
  - {name: tuned, method: %s, depth: 2}
limits: {threads: 1}
baseline: CART
workers: 2
`, map[bool]string{true: ", ignore: [grp]"}[s.grouped], 2+d.IntN(2), d.IntN(100), pick(d, "0", "0.01"), pick(d, "oct-tuned", "cart-tuned", "oct-h-tuned"))
	if d.chance(0.4) {
		spec = strings.Replace(spec, "methods:\n", "methods:\n  - {name: rate, method: oct, depth: 1, frontier: {constraint: 'recall:"+s.class(d)+"', limits: [0.5, 0.8]}}\n", 1)
	}
	return drawn{files: map[string]string{"data.csv": s.text, "spec.yaml": spec}, steps: []step{
		{"run", "spec.yaml", "--out", "out", "--quiet"}, {"status", "out"},
	}}
}

// fixing is a fit below the splits of another one, and from its tree.
func (d *drawer) fixing() drawn {
	s := d.sample(100, false, false)
	data := s.data(d)
	first := append(step{"fit", "data.csv", "--json", "--method", "cart", "--depth", "1", "-o", "upper.json"}, data...)
	second := append(step{"fit", "data.csv", "--json", pick(d, "--fix", "--start"), "upper.json"}, append(data, d.shape(3)...)...)
	return drawn{files: map[string]string{"data.csv": s.text}, steps: []step{
		first, second, append(step{"predict", "upper.json", "data.csv"}, step{}...), append(step{"compare", "upper.json", "upper.json", "data.csv"}, step{}...),
	}}
}

// mistake is a fit with something wrong.
func (d *drawer) mistake() drawn {
	s := d.sample(60, false, false)
	wrong := pick(d,
		step{"--depth", "0"}, step{"--method", "octt"}, step{"--method", "cart", "--engine", "mio"}, step{"--encoding", "flow", "--engine", "search"},
		step{"--method", "gto", "--alpha", "0.1"}, step{"--mu", "0.1"}, step{"--start", "gto"}, step{"--method", "oct-h", "--start", "sbe"},
		step{"--recall", "nobody>=0.5"}, step{"--recall", s.class(d)}, step{"--cost-matrix", "a:b=1"}, step{"--solver", "nothing"}, step{"--work-limit", "5", "--engine", "mio"},
		step{"--method", "policy"}, step{"--rewards", s.columns[0]}, step{"--min-leaf", "1e9"}, step{"--cross-check", "--engine", "search"}, step{"--method", "oct-tuned", "--alpha", "0.1"},
		step{"--method", "oct-h", "--cost-matrix", s.costs(d)}, step{"--method", "msmt", "--time-limit", "-1"}, step{"--target", "nothing"}, step{"--gap", "2"}, step{"--max-depth", "3"},
		step{"--method", "rlp", "--cross-check"}, step{"--fix", "nothing.json"}, step{"--method", "oct-h", "--monotone", s.columns[0] + "=+1"},
		step{"--engine", "mio", "--start", "none", "--cache-mb", "5"}, step{"--log", "x.log"}, step{"--solver-path", "x"},
	)
	return s.fit(s.data(d), wrong)
}
