//go:build cgo && !nohighs

package parts

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestBlocks: blocks of a height are disjoint, those of all heights cover all rows, and their
// combined bound is at most the optimum and often above 0.
func TestBlocks(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 8))
	ctx := context.Background()
	some := 0
	for trial := range 40 {
		ds, o, want := instance(t, rng, trial)
		s, err := begin(ctx, ds, o)
		if err != nil {
			t.Fatal(err)
		}
		if s.p() == 0 {
			continue
		}
		root := s.divide(s.all(), 2+rng.IntN(2), []func([]int32) []int32{s.along, s.dealt}[trial/2%2])
		var check func(b *block)
		check = func(b *block) {
			if b.children[0] == nil {
				return
			}
			both := slices.Concat(b.children[0].rows, b.children[1].rows)
			slices.Sort(both)
			if !slices.Equal(both, b.rows) {
				t.Errorf("trial %d: the rows %v are divided into %v and %v", trial, b.rows, b.children[0].rows, b.children[1].rows)
			}
			check(b.children[0])
			check(b.children[1])
		}
		check(root)
		levels := root.levels()
		for height, level := range levels[:len(levels)-1] { // not all rows at once
			for _, b := range level {
				if height > 0 && b.children[0] == nil {
					t.Errorf("trial %d: a block without children is at height %d", trial, height)
				}
				if err := s.proveBlock(ctx, share(ctx, 1), b); err != nil {
					t.Fatal(err)
				}
			}
			s.proveErrors("", root.gather())
			if s.bound > want+1e-6 {
				t.Errorf("trial %d, height %d: blocks prove %v, the optimum is %v", trial, height, s.bound, want)
			}
		}
		if root.errors > 0 {
			some++
		}
	}
	if some < 8 {
		t.Errorf("only %d of 40 divisions prove an error", some)
	}
}
