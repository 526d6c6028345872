package treesearch

import (
	"context"
	"fmt"
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
