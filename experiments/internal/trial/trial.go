// Package trial holds fixtures for the tests of experiments: a quick spec with its data, and a
// solver that fails on demand.
package trial

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// Small is a spec of quick tasks that end by proof or work limits; BAD fails on d, whose training
// sets weigh 24.
const Small = `name: small
data:
  - {file: d.csv}
  - {name: gen, generate: gto-tree, features: 2, rows: 30, test_rows: 20, replicates: 3, seed: 4}
evaluate: {folds: 3, repeats: 2}
methods:
  - {name: CART, method: cart, depth: 2}
  - {name: OCT, method: treesearch, depth: 2, threads: 1}
  - {name: BAD, method: cart, depth: 2, min_leaf: 27}
reference: {paper: a paper, values: [{data: d, method: OCT, value: 12.5}]}
`

// WriteSmall writes Small and its data, 36 rows, and returns the spec's path.
func WriteSmall(t *testing.T) string { return Write(t, Small) }

// Write is WriteSmall with another spec.
func Write(t *testing.T, spec string) string {
	t.Helper()
	dir := t.TempDir()
	var b strings.Builder
	b.WriteString("a,b,class\n")
	for i := range 36 {
		fmt.Fprintf(&b, "%d,%s,%s\n", i*7%23, string("xyz"[i%3]), []string{"no", "yes"}[i*i%5%2])
	}
	path := filepath.Join(dir, "small.yaml")
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "d.csv"), []byte(b.String()), 0o600), os.WriteFile(path, []byte(spec), 0o600)); err != nil {
		t.Fatal(err)
	}
	return path
}

// Mood is the behaviour of the solver "moody".
type Mood int32

// Moods: it breaks down, makes a false claim, finds nothing in time, panics, or returns its warm
// start.
const (
	Breaks Mood = iota
	Lies
	Dawdles
	Panics
	Works
)

var mood atomic.Int32

// SetMood sets the mood of the solver.
func SetMood(m Mood) { mood.Store(int32(m)) }

type moody struct{}

func init() { solvers.Register(moody{}) }

func (moody) Name() string     { return "moody" }
func (moody) Version() string  { return "1" }
func (moody) Available() error { return nil }
func (moody) Capabilities() solvers.Capabilities {
	return solvers.Capabilities{Discrete: true, TimeLimit: true, NodeLimit: true, Threads: true, Start: true, Seed: true, Progress: true}
}

func (moody) Solve(_ context.Context, model *mio.Model, o solvers.Options) (*mio.Solution, error) {
	if o.Progress != nil {
		o.Progress(solvers.Event{Objective: 2, Bound: 0.25, Elapsed: time.Millisecond})
	}
	switch Mood(mood.Load()) {
	case Breaks:
		return nil, errors.New("out of licences")
	case Panics:
		panic("out of temper")
	case Dawdles:
		return &mio.Solution{Status: mio.NoSolution, Limit: mio.LimitTime, Objective: math.NaN(), Bound: 0.25, Gap: math.Inf(1), Solver: "moody"}, nil
	}
	s := &mio.Solution{Status: mio.Feasible, Limit: mio.LimitNodes, Values: o.Start, Objective: model.Objective(o.Start), Bound: 0, Gap: 1, Solver: "moody"}
	if Mood(mood.Load()) == Lies {
		s.Values = slices.Repeat([]float64{0.5}, len(o.Start))
	}
	return s, nil
}

const moodySpec = `name: moody
data: [{file: d.csv}]
evaluate: {folds: 3}
methods:
  - {name: CART, method: cart, depth: 2}
  - {name: OCT, method: oct, depth: 1, solver: moody, START}
`

// WriteMoody writes a spec of six tasks, of which three, those of OCT, use the solver; start is a
// key for these.
func WriteMoody(t *testing.T, start string) string {
	return Write(t, strings.Replace(moodySpec, "START", start, 1))
}

// Truth is a spec of generated data with trees that are recovered, one that is a leaf, and a method
// that fails.
const Truth = `name: truth
data:
  - {name: uni, generate: oct-tree, features: 2, rows: 300, test_rows: 100, replicates: 2, label_noise: 0.02}
  - {name: hyper, generate: oct-h-tree, features: 2, rows: 60, depth: 1}
evaluate: {folds: 2}
methods:
  - {name: OCT, method: treesearch, depth: 2, threads: 1}
  - {name: LEAF, method: cart, depth: 2, min_leaf: 300}
  - {name: BAD, method: cart, depth: 2, min_leaf: 1000}
`
