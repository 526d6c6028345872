package oct

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/formulate/internal/formtest"
)

// randomDivision returns a division of random data, and some of their rows.
func randomDivision(t *testing.T, rng *rand.Rand) (*Division, []int32) {
	t.Helper()
	for {
		ds := formtest.Data(rng, 4+rng.IntN(24), 1+rng.IntN(3), 2+rng.IntN(2))
		o := Options{Depth: 2, Alpha: []float64{0, 0, 0.05, 0.3}[rng.IntN(4)]}
		d, err := o.Divide(context.Background(), ds)
		if !formtest.Built(t, err) {
			continue
		}
		rows := d.Rows()
		rng.Shuffle(len(rows), func(a, b int) { rows[a], rows[b] = rows[b], rows[a] })
		return d, rows[:1+rng.IntN(len(rows))]
	}
}

// stumpValue returns the minimum value of a leaf or stump on some rows, by enumeration.
func stumpValue(d *Division, rows []int32) float64 {
	best := leafErrors(d, rows)
	for _, j := range d.Features() {
		for c := range d.g.Vals[j] {
			left, right, _ := d.Sides(rows, Range{j, c, c})
			best = min(best, d.Price()+leafErrors(d, left)+leafErrors(d, right))
		}
	}
	return best
}

// leafErrors returns the error weight of the best leaf for some rows.
func leafErrors(d *Division, rows []int32) float64 {
	least := math.Inf(1)
	for k := range d.g.K {
		errors := 0.0
		for _, i := range rows {
			if int(d.g.Y[i]) != k {
				errors += d.g.W[i]
			}
		}
		least = min(least, errors)
	}
	return least
}

// TestCandidates: whichever of the perhaps rows arrive, one of the candidates is as good as the
// best leaf or stump.
func TestCandidates(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 7))
	for range 300 {
		d, rows := randomDivision(t, rng)
		rows = rows[:min(len(rows), 12)]
		at := rng.IntN(min(len(rows), 7))
		n := node{d: d, sure: rows[at:], perhaps: rows[:at]}
		list := n.candidates()
		for come := range 1 << at {
			there := append([]int32(nil), n.sure...)
			for q, i := range n.perhaps {
				if come>>q&1 != 0 {
					there = append(there, i)
				}
			}
			best := math.Inf(1)
			for k := range list {
				v := list[k].cost
				for q, i := range n.perhaps {
					if come>>q&1 != 0 && !list[k].about(q) {
						v += d.g.W[i]
					}
				}
				best = min(best, v)
			}
			if want := stumpValue(d, there); math.Abs(best-want) > 1e-9 {
				t.Fatalf("sure %v, of %v come %b: the best of %d candidates has %v, all stumps %v", n.sure, n.perhaps, come, len(list), best, want)
			}
		}
	}
}

// TestRanges: the ranges contain each threshold that separates rows once, and no more rows between
// than allowed unless they are a single threshold.
func TestRanges(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 8))
	several := 0
	for range 300 {
		d, rows := randomDivision(t, rng)
		most := rng.IntN(12)
		all := d.Ranges(rows, most)
		for _, j := range d.Features() {
			for _, c := range d.Thresholds(rows, j) {
				in := 0
				for _, r := range all {
					if r.Feature == j && r.From <= c && c <= r.To {
						in++
					}
				}
				if in != 1 {
					t.Fatalf("threshold %d of feature %d is in %d of %v", c, j, in, all)
				}
			}
		}
		for _, r := range all {
			left, right, between := d.Sides(rows, r)
			if len(left) == 0 || len(right) == 0 || len(left)+len(right)+len(between) != len(rows) || r.From < r.To && len(between) > most {
				t.Fatalf("%v of %d rows: %d left, %d right, %d between, at most %d", r, len(rows), len(left), len(right), len(between), most)
			}
			if r.From < r.To {
				several++
			}
		}
	}
	if several < 100 {
		t.Errorf("%d ranges of several thresholds", several)
	}
}

// TestRangedSizes: the closed form equals the size of the model.
func TestRangedSizes(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 9))
	for range 300 {
		d, rows := randomDivision(t, rng)
		for _, r := range d.Ranges(rows, rng.IntN(20)) {
			p, err := d.Program(context.Background(), rows, r, d.Total())
			if err != nil {
				t.Fatal(err)
			}
			formtest.CheckSize(t, r, p.Model(), p.size())
		}
	}
}

// TestRangedLeast: the minimum value of a range is that over all its thresholds and stumps.
func TestRangedLeast(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 10))
	for range 200 {
		d, rows := randomDivision(t, rng)
		for _, r := range d.Ranges(rows, rng.IntN(20)) {
			p, err := d.Program(context.Background(), rows, r, d.Total())
			if err != nil {
				t.Fatal(err)
			}
			want := math.Inf(1)
			for _, c := range d.Thresholds(rows, r.Feature) {
				if c < r.From || c > r.To {
					continue
				}
				left, right, _ := d.Sides(rows, Range{r.Feature, c, c})
				want = min(want, d.Price()+stumpValue(d, left)+stumpValue(d, right))
			}
			if got := p.Least(); math.Abs(got-want) > 1e-9 {
				t.Fatalf("%v of %d rows: %v, trying all %v", r, len(rows), got, want)
			}
		}
	}
}
