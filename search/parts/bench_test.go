//go:build cgo && !nohighs

package parts

import (
	"context"
	"fmt"
	"testing"

	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
)

// BenchmarkProve runs proofs on real data, without penalties.
func BenchmarkProve(b *testing.B) {
	for _, c := range []struct {
		data  string
		depth int
	}{{"iris", 2}, {"hayes-roth", 1}, {"echocardiogram", 1}, {"teaching-assistant", 1}, {"monks-3", 1}, {"breast-cancer-wisconsin", 1}, {"monks-1", 1}} {
		ds := datatest.Load(b, c.data)
		b.Run(fmt.Sprintf("%s-%d", c.data, c.depth), func(b *testing.B) {
			for b.Loop() {
				r, err := Prove(context.Background(), ds, Options{Form: hyperplane.Options{Depth: c.depth}, Solve: solver(b)})
				if err != nil || r.Status != mio.Optimal {
					b.Fatal(err, r)
				}
			}
		})
	}
}
