package oc1

import (
	"fmt"
	"math"
	"strconv"
	"syscall"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/datatest"
)

type reference struct {
	name                          string
	accuracy, sd, leaves, seconds float64
}

func references(t testing.TB, mode string) []reference {
	t.Helper()
	var refs []reference
	for _, l := range datatest.Reference(t, "oc1-original") {
		if l[4] != mode {
			continue
		}
		number := func(column int) float64 {
			v, err := strconv.ParseFloat(l[column], 64)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		refs = append(refs, reference{l[0], number(5), number(6), number(7), number(8)})
	}
	return refs
}

// cpuSeconds is the user time of this process so far.
func cpuSeconds(t testing.TB) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return float64(u.Utime.Sec) + float64(u.Utime.Usec)/1e6
}

// crossValidated returns accuracy in percent and mean leaves of OC1 in ten-fold
// cross-validation; the seed of o deals the folds too.
func crossValidated(t *testing.T, ds *dataset.Dataset, o Options) (accuracy, leaves float64) {
	t.Helper()
	folds, err := ds.Folds(10, o.Seed)
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0.0
	for _, fold := range folds {
		tr := mustGrow(t, ds.Subset(ds.Complement(fold)), o).Tree
		wrong += tr.Evaluate(ds.Subset(fold)).Errors
		leaves += float64(tr.Splits()+1) / 10
	}
	return 100 * (1 - wrong/float64(ds.N())), leaves
}

// TestTable1 prints ours beside Table 1 of Murthy et al. 1993, which has the
// best of "various combinations of parameters" by cross-validated accuracy. No
// holdout, as in the paper: pruning is by the impurity threshold only.
func TestTable1(t *testing.T) {
	datatest.Long(t)
	for _, c := range []struct {
		name             string
		accuracy, leaves float64
	}{{"iris", 98.0, 3.0}, {"breast-cancer-wisconsin", 97.4, 2.4}} {
		ds := datatest.Load(t, c.name)
		best, what, bestLeaves := 0.0, "", 0.0
		fixed := 0.0
		trees := 0
		begin := cpuSeconds(t)
		for _, m := range []Impurity{SumOfImpurity, SumMinority, MaxMinority, InformationGain} {
			for _, order := range []Order{Sequential, BestFirst, Random50} {
				most := 0.0
				for _, share := range []float64{0, 0.03, 0.06, 0.1} {
					o := Options{Impurity: m, Order: order, Restarts: 50, Holdout: -1, Seed: 1}
					o.Threshold = share * m.node(ds.ClassWeights())
					accuracy, leaves := crossValidated(t, ds, o)
					trees += 10
					most = max(most, accuracy)
					if m == SumOfImpurity && order == Sequential && share == 0.03 {
						fixed = accuracy
					}
					if accuracy > best || accuracy == best && leaves < bestLeaves {
						best, bestLeaves = accuracy, leaves
						what = fmt.Sprintf("%v, %v, threshold %g of the root's", m, order, share)
					}
				}
				t.Logf("%s %v %v: %.2f %%", c.name, m, order, most)
			}
		}
		t.Logf("| %s | %.1f %% / %.1f | %.1f %% / %.1f | %s | %.1f %% | %.3f s per tree |", c.name, c.accuracy, c.leaves, best, bestLeaves, what, fixed, (cpuSeconds(t)-begin)/float64(trees))
	}
}

// TestOriginal prints ours beside the original program, by its protocol:
// ten folds, three seeds, CPU seconds of ten folds and the tree on all rows.
func TestOriginal(t *testing.T) {
	datatest.Long(t)
	var mine, theirs, leaves, theirLeaves, cpu, theirCPU float64
	refs := references(t, "oblique(default)")
	const seeds = 3
	for _, r := range refs {
		ds := datatest.Load(t, r.name)
		var accs []float64
		leaf := 0.0
		begin := cpuSeconds(t)
		for seed := range uint64(seeds) {
			o := Options{Seed: seed + 1}
			accuracy, leaves := crossValidated(t, ds, o)
			accs = append(accs, accuracy)
			leaf += leaves / seeds
			mustGrow(t, ds, o)
		}
		sec := (cpuSeconds(t) - begin) / seeds
		mean := 0.0
		for _, a := range accs {
			mean += a / seeds
		}
		sd := 0.0
		for _, a := range accs {
			sd += (a - mean) * (a - mean) / (seeds - 1)
		}
		sd = math.Sqrt(sd)
		low := ""
		if mean < r.accuracy-2*r.sd {
			low = " (below)"
		}
		t.Logf("| %s | %.2f ± %.2f%s | %.2f ± %.2f | %.2f | %.2f | %.3f | %.3f | %.2f |", r.name, mean, sd, low, r.accuracy, r.sd, leaf, r.leaves, sec, r.seconds, sec/r.seconds)
		mine += mean / float64(len(refs))
		theirs += r.accuracy / float64(len(refs))
		leaves += leaf / float64(len(refs))
		theirLeaves += r.leaves / float64(len(refs))
		cpu += sec
		theirCPU += r.seconds
	}
	t.Logf("| mean; sum of seconds | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |", mine, theirs, leaves, theirLeaves, cpu, theirCPU, cpu/theirCPU)
	if mine < theirs || leaves > theirLeaves {
		t.Errorf("worse than the original program on the mean of %d datasets", len(refs))
	}
}
