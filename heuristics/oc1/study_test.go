package oc1

import (
	"math"
	"slices"
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

// cpuSeconds returns the user time of this process.
func cpuSeconds(t testing.TB) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return float64(u.Utime.Sec) + float64(u.Utime.Usec)/1e6
}

// crossValidated returns accuracy in percent and mean leaves of OC1 in ten-fold cross-validation;
// the seed of o also deals the folds.
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

// tableSettings are the "various combinations of program parameters" from which TestTable1 takes
// the best: all impurities and orders of the paper, with thresholds as fractions of the root's
// impurity.
func tableSettings(root []float64) (all []Options) {
	for _, m := range []Impurity{SumOfImpurity, SumMinority, MaxMinority, InformationGain} {
		for _, order := range []Order{Sequential, BestFirst, Random50} {
			for _, share := range []float64{0, 0.03, 0.06, 0.1} {
				all = append(all, Options{Paper: true, Impurity: m, Order: order, Restarts: 50, Threshold: share * m.node(root)})
			}
		}
	}
	return all
}

// TestTable1 prints octgen's results next to Table 1 of Murthy et al. 1993, by the paper's
// protocol: for each deal of the ten folds, the best of tableSettings by cross-validated accuracy;
// and the mean of each setting over deals.
func TestTable1(t *testing.T) {
	datatest.Long(t)
	const deals = 5
	for _, c := range []struct {
		name             string
		accuracy, leaves float64
	}{{"iris", 98.0, 3.0}, {"breast-cancer-wisconsin", 97.4, 2.4}} {
		ds := datatest.Load(t, c.name)
		settings := tableSettings(ds.ClassWeights())
		mean := make([]float64, len(settings))
		var best, leaves [deals]float64
		for deal := range deals {
			which := 0
			for k, o := range settings {
				o.Seed = uint64(deal + 1)
				accuracy, size := crossValidated(t, ds, o)
				mean[k] += accuracy / deals
				if accuracy > best[deal] || accuracy == best[deal] && size < leaves[deal] {
					best[deal], leaves[deal], which = accuracy, size, k
				}
			}
			o := settings[which]
			t.Logf("%s, deal %d: %.2f %%, %.1f leaves by %v, %v, threshold %.3g", c.name, deal+1, best[deal], leaves[deal], o.Impurity, o.Order, o.Threshold)
		}
		accuracy, se := meanAndError(best[:])
		size, _ := meanAndError(leaves[:])
		all, _ := meanAndError(mean)
		t.Logf("| %s | %.1f %% / %.1f | %.1f ± %.1f %% / %.1f | %.1f %% to %.1f %% | %.1f %% |", c.name, c.accuracy, c.leaves, accuracy, se, size, slices.Min(mean), slices.Max(mean), all)
	}
}

// meanAndError returns mean and standard error.
func meanAndError(v []float64) (mean, se float64) {
	n := float64(len(v))
	for _, x := range v {
		mean += x / n
	}
	for _, x := range v {
		se += (x - mean) * (x - mean) / (n - 1) / n
	}
	return mean, math.Sqrt(se)
}

// TestOriginal: with the defaults, octgen is no worse than the original program in the mean over
// the data.
func TestOriginal(t *testing.T) {
	datatest.Long(t)
	if accuracy, leaves := besideOriginal(t, Options{}); accuracy < 0 || leaves > 0 {
		t.Errorf("worse than the original program on the mean: %.2f points of accuracy, %.2f leaves", accuracy, leaves)
	}
}

// TestOriginalPaper compares --paper with the original program at its settings: twoing, 20
// hyperplanes, 5 jumps, a tenth held out for pruning.
func TestOriginalPaper(t *testing.T) {
	datatest.Long(t)
	besideOriginal(t, Options{Paper: true, Jumps: 5, Holdout: 0.1})
}

// besideOriginal prints octgen's results next to those of the original program, by its protocol:
// ten folds, three seeds, CPU seconds of ten folds and the tree on all rows. It returns how much
// more accurate and larger octgen's trees are in the mean.
func besideOriginal(t *testing.T, o Options) (accuracy, size float64) {
	t.Helper()
	var mine, theirs, leaves, theirLeaves, cpu, theirCPU float64
	refs := references(t, "oblique(default)")
	const seeds = 3
	for _, r := range refs {
		ds := datatest.Load(t, r.name)
		var accs []float64
		leaf := 0.0
		begin := cpuSeconds(t)
		for seed := range uint64(seeds) {
			o.Seed = seed + 1
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
	return mine - theirs, leaves - theirLeaves
}
