package heuristics

import (
	"context"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

type oc1Reference struct {
	name                          string
	accuracy, sd, leaves, seconds float64
}

func oc1References(t testing.TB, mode string) []oc1Reference {
	t.Helper()
	path := filepath.Join(dataDir(t), "..", "reference", "oc1-original.csv")
	f, err := os.Open(path)
	if os.IsNotExist(err) {
		t.Skip("no reference figures at " + path)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var refs []oc1Reference
	for _, l := range lines[1:] {
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
		refs = append(refs, oc1Reference{l[0], number(5), number(6), number(7), number(8)})
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

func TestOC1Study(t *testing.T) {
	if os.Getenv("OCTGEN_LONG") == "" {
		t.Skip("a long study: set OCTGEN_LONG=1")
	}
	o := OC1Options{}
	var mine, theirs, leaves, theirLeaves, cpu, theirCPU float64
	refs := oc1References(t, "oblique(default)")
	const seeds = 3
	for _, r := range refs {
		ds := load(t, r.name)
		var accs []float64
		leaf := 0.0
		begin := cpuSeconds(t)
		for seed := range uint64(seeds) {
			folds, err := ds.Folds(10, seed+1)
			if err != nil {
				t.Fatal(err)
			}
			wrong := 0.0
			o.Seed = seed + 1
			for _, fold := range folds {
				train, test := ds.Subset(ds.Complement(fold)), ds.Subset(fold)
				res, err := OC1(context.Background(), train, o)
				if err != nil {
					t.Fatal(err)
				}
				wrong += res.Tree.Evaluate(test).Errors
				leaf += float64(res.Tree.Splits()+1) / (10 * seeds)
			}
			accs = append(accs, 100*(1-wrong/float64(ds.N())))
			if _, err := OC1(context.Background(), ds, o); err != nil {
				t.Fatal(err)
			}
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
		mark := ""
		if mean < r.accuracy-2*math.Sqrt(sd*sd+r.sd*r.sd) {
			mark = "  LOW"
		} else if mean < r.accuracy-2*r.sd {
			mark = "  low"
		}
		t.Logf("%-28s acc %6.2f ±%4.2f (%6.2f ±%4.2f)  leaves %6.2f (%6.2f)  cpu %7.3f (%7.3f) %4.2f%s", r.name, mean, sd, r.accuracy, r.sd, leaf, r.leaves, sec, r.seconds, sec/r.seconds, mark)
		mine += mean / float64(len(refs))
		theirs += r.accuracy / float64(len(refs))
		leaves += leaf / float64(len(refs))
		theirLeaves += r.leaves / float64(len(refs))
		cpu += sec
		theirCPU += r.seconds
	}
	t.Logf("%-28s acc %6.2f (%6.2f)  leaves %6.2f (%6.2f)  cpu %7.3f (%7.3f)", "mean", mine, theirs, leaves, theirLeaves, cpu, theirCPU)
}
