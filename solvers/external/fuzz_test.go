package external

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/octgen/octgen/solvers"
)

// FuzzLog: whatever a solver prints, its log is read, in pieces and lines of any
// length, and what it says is numbers.
func FuzzLog(f *testing.F) {
	logs, err := filepath.Glob(filepath.Join("testdata", "*", "*", "log.txt"))
	if err != nil || len(logs) == 0 {
		f.Fatal("no logs", err)
	}
	for _, path := range logs {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(" L    1239     245       468   0.18%   0.5             5                 90.00%      560      3   2922     10919     0.5s\n  Dual bound        4.25\n"))
	f.Add([]byte("Cbc0010I After 1000 nodes, 18 on tree, 2 best solution, best possible 0.5 (1.61 seconds)\nMIPStart provided solution with cost 7\n"))
	f.Add([]byte("+   535: >>>>>   1.000000000e+01 >=   2.500000000e+00  75.0% (190; 23)\nINTEGER OPTIMAL SOLUTION FOUND\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, p := range programs() {
			r := newRecord()
			l := &log{job: &job{program: p, opt: &solvers.Options{}}, record: r}
			for at := 0; at < len(text); at += 1000 {
				l.take(text[at:min(at+1000, len(text))])
			}
			l.finish()
			if math.IsNaN(r.objective) || math.IsNaN(r.bound) || r.nodes < 0 || r.iter < 0 {
				t.Fatalf("%s: %+v", p.name, r)
			}
			if len(l.tail()) > tailLines {
				t.Fatalf("%s: %d lines in the tail", p.name, len(l.tail()))
			}
		}
	})
}
