package exact

import (
	"testing"

	"github.com/octgen/octgen/experiments/generate"
)

// TestPolicyGrowth measures the time of policy trees against the number of rows, on 10 continuous
// features and 3 actions: with a true tree of depth 2 behind noisy scores, and with almost no
// signal, the hardest case. With -update it plots the times.
func TestPolicyGrowth(t *testing.T) {
	study(t)
	var lines []line
	for _, c := range []struct {
		name   string
		effect float64
		depth  int
		most   int // maximum number of rows
	}{
		{"structured, depth 2", 1, 2, 32000}, {"no structure, depth 2", 1e-6, 2, 32000},
		{"structured, depth 3", 1, 3, 4000}, {"no structure, depth 3", 1e-6, 3, 4000},
	} {
		l := line{name: c.name}
		for rows := 500; rows <= c.most; rows *= 2 {
			g := generate.Policy{Features: 10, Rows: rows, Depth: 2, Effect: c.effect, Noise: 1, Seed: 1}
			ds, _, _, err := g.Data()
			if err != nil {
				t.Fatal(err)
			}
			l.add(t, float64(rows), ds, c.depth)
		}
		lines = append(lines, l)
	}
	if *update {
		draw(t, "policy-rows.svg", "rows", lines)
	}
}
