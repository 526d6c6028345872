package pulse

import (
	"testing"

	"github.com/octgen/octgen/internal/datatest"
)

// TestPulse: a look at once, then one for every so many cells, and none after the end.
func TestPulse(t *testing.T) {
	ctx := datatest.NewLooks(2)
	p := New(ctx)
	for range 3 {
		if p.Spend(Cells / 4) {
			t.Fatal("ended before there was anything to see")
		}
	}
	if ctx.Left != 1 {
		t.Fatalf("%d looks left after less work than one takes", ctx.Left)
	}
	if p.Spend(Cells / 4) {
		t.Fatal("the second look saw an end")
	}
	if !p.Spend(5*Cells) || !p.Ended() {
		t.Fatal("the third look saw no end")
	}
	left := ctx.Left
	if !p.Spend(0) || !p.Spend(1) || ctx.Left != left {
		t.Fatal("it goes on after the end, or looks again")
	}
}
