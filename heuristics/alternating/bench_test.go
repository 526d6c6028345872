package alternating

import (
	"context"
	"testing"

	"github.com/octgen/octgen/internal/datatest"
)

// BenchmarkSearch runs a fixed number of restarts on real data.
func BenchmarkSearch(b *testing.B) {
	for _, name := range []string{"iris", "pima", "sonar", "breast-cancer-wisconsin"} {
		ds := datatest.Load(b, name)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Search(context.Background(), ds, Options{Depth: 2, Alpha: 0.001, Restarts: 2, Streams: 1}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
