package slurm

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/octgen/octgen/experiments/run"
)

// largeSpec returns a spec of replicates x 100 tasks.
func largeSpec(replicates int) string {
	var b strings.Builder
	b.WriteString("name: large\ndata:\n")
	for d := range 10 {
		fmt.Fprintf(&b, "  - {name: gen%d, generate: oct-tree, features: 3, rows: 60, test_rows: 20, replicates: %d, seed: %d}\n", d, replicates, 1+d*replicates)
	}
	b.WriteString("methods:\n")
	for m := range 10 {
		fmt.Fprintf(&b, "  - {name: CART%d, method: cart, depth: 2, min_leaf: %d}\n", m, m+1)
	}
	return b.String()
}

// heapMB returns the heap in use.
func heapMB() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapInuse) / (1 << 20)
}

// TestLarge: a plan of many tasks (100,000 with OCTGEN_LONG=1, which prints the times) is submitted
// in arrays below the limit, and journals of all its tasks, some of them twice, are collected to
// one record each.
func TestLarge(t *testing.T) {
	replicates := 10
	if os.Getenv("OCTGEN_LONG") != "" {
		replicates = 1000
	}
	tasks := 100 * replicates
	began, busy := time.Now(), processorSeconds()
	lap := func(what string) {
		t.Logf("%s: %.2f s, %.2f of processors, heap %.0f MB", what, time.Since(began).Seconds(), processorSeconds()-busy, heapMB())
		began, busy = time.Now(), processorSeconds()
	}
	p := planOf(t, largeSpec(replicates))
	lap("plan")
	dir := filepath.Join(t.TempDir(), "out")
	missing, err := p.Prepare("slurm", run.Options{Dir: dir})
	if err != nil || len(missing) != tasks {
		t.Fatalf("%d missing, %v", len(missing), err)
	}
	lap("folder, manifest and list of tasks")
	batches, _ := divide(missing, &p.Spec.Slurm)
	if _, err := run.PutBatches(dir, batches); err != nil {
		t.Fatal(err)
	}
	if _, err := Preview(p, Options{Options: run.Options{Dir: dir}}, io.Discard); err != nil {
		t.Fatal(err)
	}
	arrays := chunks(namingOf(dir), 1, len(batches), 1000, 0)
	for _, a := range arrays {
		if a.Jobs > 1000 {
			t.Errorf("an array of %d jobs", a.Jobs)
		}
	}
	lap(fmt.Sprintf("%d batches in %d arrays, and the script", len(batches), len(arrays)))
	putJournals(t, p, dir, missing, batches)
	lap("journals, by this test")
	if _, err := run.Collect(dir); err != nil {
		t.Fatal(err)
	}
	lap("collect")
	s, err := run.ReadStatus(dir)
	if err != nil || s.Done != tasks || s.Missing != 0 {
		t.Fatalf("%+v, %v", s, err)
	}
	lap("status")
	if _, err := run.Collect(dir); err != nil {
		t.Fatal(err)
	}
	lap("collect once more")
	r, err := run.Read(dir)
	if err != nil || len(r.Records) != tasks {
		t.Fatalf("%d records, %v", len(r.Records), err)
	}
	for i := range r.Records {
		if r.Records[i].ID != p.Tasks[i].ID {
			t.Fatalf("record %d is of another task", i)
		}
	}
}

// putJournals writes the journals of the batches' jobs, each with the record of the first task
// under its task's name; every tenth batch has run twice.
func putJournals(t *testing.T, p *run.Plan, dir string, tasks []*run.Task, batches [][]string) {
	t.Helper()
	sample := filepath.Join(t.TempDir(), "sample")
	if _, err := p.Run(t.Context(), run.Options{Dir: sample, Shard: run.Shard{Index: 0, Of: len(tasks)}}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(sample, "journals", fmt.Sprintf("shard-0-of-%d.jsonl", len(tasks))))
	if err != nil {
		t.Fatal(err)
	}
	var record map[string]json.RawMessage
	if err := json.Unmarshal(text, &record); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "journals"), 0o777); err != nil {
		t.Fatal(err)
	}
	rest := fmt.Sprintf(`,"result":%s,"provenance":%s}`, record["result"], record["provenance"])
	at := 0
	for k, ids := range batches {
		var b strings.Builder
		w := bufio.NewWriter(&b)
		for range ids {
			task := tasks[at]
			at++
			fmt.Fprintf(w, `{"id":%q,"data":%q,"method":%q,"split":%q%s`+"\n", task.ID, task.Data, task.Method, task.Split, rest)
		}
		w.Flush()
		for again := range 1 + btoi(k%10 == 0) {
			path := filepath.Join(dir, "journals", fmt.Sprintf("batch-1-%05d.%d-%d.jsonl", k, k, again))
			if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
