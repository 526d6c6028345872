package exact

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/internal/datatest"
)

// BenchmarkSolve proves optima of real datasets on one core.
func BenchmarkSolve(b *testing.B) {
	for _, c := range []struct {
		name  string
		depth int
	}{
		{"sonar", 3}, {"wdbc", 3}, {"contree-rice", 3}, {"spambase", 3}, {"statlog-landsat", 3},
		{"pima", 4}, {"connectionist-vowel", 4}, {"monks-2", 4},
	} {
		b.Run(fmt.Sprintf("%s/depth=%d", c.name, c.depth), func(b *testing.B) {
			ds := datatest.Load(b, c.name)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Solve(context.Background(), ds, Options{Depth: c.depth}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkPairs solves a node of two levels on 128 binary features and 1,000 rows, with the
// routines of this machine and with those in Go.
func BenchmarkPairs(b *testing.B) {
	vectors := vectorPairs
	defer func() { vectorPairs = vectors }()
	ds := binaryData(rand.New(rand.NewPCG(1, 2)), 1000, 128, 0, 2, 1)
	p := problemOf(ds, &Options{Depth: 2})
	root := p.root()
	for _, vectorPairs = range []bool{vectors, false} {
		b.Run(fmt.Sprintf("vectors=%v", vectorPairs), func(b *testing.B) {
			c := newCounter(p)
			for b.Loop() {
				root.version++ // invalidates cached counts
				c.evaluate(c.loadWhole(root), root.class)
			}
		})
	}
}
