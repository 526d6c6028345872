package run

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/octgen/octgen/experiments/internal/trial"
	"github.com/octgen/octgen/experiments/spec"
)

// victim is the environment variable that makes the test program run a spec into a folder,
// "SPEC:DIR", to be killed meanwhile.
const victim = "OCTGEN_TEST_RUN"

func TestMain(m *testing.M) {
	path, dir, ok := strings.Cut(os.Getenv(victim), string(os.PathListSeparator))
	if !ok {
		os.Exit(m.Run())
	}
	s, err := spec.Load(path)
	if err == nil {
		var p *Plan
		if p, err = NewPlan(s); err == nil {
			_, err = p.Run(context.Background(), Options{Dir: dir, Resume: true, Workers: 2})
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// TestKill: a run killed at random moments, 20 times, reaches the results of an undisturbed run.
func TestKill(t *testing.T) {
	path := trial.WriteSmall(t)
	whole, dir := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "out")
	began := time.Now()
	run(t, path, Options{Dir: whole})
	length := time.Since(began)
	want := outputs(t, whole)
	rng := rand.New(rand.NewPCG(1, 2))
	inside, finished := 0, 0
	most := float64(length + 50*time.Millisecond) // until the kill; adapted to the machine
	for kills := 0; kills < 20; {
		var stderr strings.Builder
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), victim+"="+path+string(os.PathListSeparator)+dir)
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(rng.Float64()*most), func() { _ = cmd.Process.Kill() })
		err := cmd.Wait()
		if timer.Stop() || err == nil { // it completed: begin again
			if err != nil {
				t.Fatalf("%v: %s", err, stderr.String())
			}
			finished++
			most *= 0.8
			same(t, want, outputs(t, dir))
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
			continue
		}
		kills++
		if text, err := os.ReadFile(filepath.Join(dir, "results.jsonl")); err == nil && len(text) > 0 {
			inside++
		} else {
			most *= 1.3
		}
	}
	run(t, path, Options{Dir: dir, Resume: true})
	same(t, want, outputs(t, dir))
	t.Logf("%d runs came to their end, %d kills were after the first result", finished, inside)
	if inside == 0 {
		t.Error("every kill came before the first result: the test shows nothing")
	}
}
