package exact

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
)

// TestReferenceOptima proves the optima that other programs found. By default
// those that took ConTree at most two CPU seconds, and depth 1; with
// OCTGEN_LONG=1 all 184, with our CPU seconds beside its.
func TestReferenceOptima(t *testing.T) {
	long := os.Getenv("OCTGEN_LONG") != ""
	data := map[string]*dataset.Dataset{}
	done := 0
	for _, ref := range references(t) {
		if !long && ref.seconds > 2 {
			continue
		}
		if data[ref.name] == nil {
			data[ref.name] = datatest.Load(t, ref.name)
		}
		begin := time.Now()
		r, err := Solve(context.Background(), data[ref.name], Options{Depth: ref.depth})
		if err != nil {
			t.Fatal(err)
		}
		if r.Status != mio.Optimal || r.Errors != ref.errors {
			t.Errorf("%s, depth %d: %v errors, %v; the optimum is %v", ref.name, ref.depth, r.Errors, r.Status, ref.errors)
		}
		if long {
			fmt.Printf("%-28s %d  %5v errors  %9.4f s  ConTree %9.4f\n", ref.name, ref.depth, r.Errors, time.Since(begin).Seconds(), ref.seconds)
		}
		done++
	}
	if done < 100 {
		t.Errorf("only %d optima were compared", done)
	}
}
