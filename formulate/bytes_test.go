package formulate

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/mps"
	"github.com/octgen/octgen/tree"
)

// bytesOf writes all that a formulation makes: the MPS file, the points of random
// trees, and the trees of these points.
func bytesOf(w io.Writer, rng *rand.Rand, f Formulation, random func() *tree.Tree) error {
	opts := mps.Options{}
	if !f.Model().IsLinear() {
		opts.Dialect = mps.Gurobi
	}
	if _, err := mps.Write(w, f.Model(), opts); err != nil {
		return err
	}
	for range 3 {
		x, err := f.Start(context.Background(), random())
		fmt.Fprintln(w, x, err)
		if err != nil {
			continue
		}
		t, err := f.Decode(x)
		if err != nil {
			return err
		}
		text, err := json.Marshal(t)
		if err != nil {
			return err
		}
		fmt.Fprintln(w, string(text), f.Objective(t))
		if len(x) > 0 { // a point that is perhaps no tree
			x[rng.IntN(len(x))] = 0.5
			_, err = f.Decode(x)
			fmt.Fprintln(w, err)
		}
	}
	return nil
}

// goldenBytes compares a hash of the bytes of 40 random models a line with a file.
func goldenBytes(t *testing.T, name string, lines int, write func(w io.Writer, rng *rand.Rand, i int) error) {
	t.Helper()
	if runtime.GOARCH != "amd64" {
		t.Skip("elsewhere the compiler may round x*y + z once, and the last digit differ")
	}
	var got strings.Builder
	for line := range lines {
		h := fnv.New64a()
		for i := range 40 {
			rng := rand.New(rand.NewPCG(uint64(line), uint64(i)))
			if err := write(h, rng, line*40+i); err != nil && !errors.Is(err, ErrSingleLeaf) {
				t.Fatal(err)
			}
		}
		fmt.Fprintf(&got, "%d %016x\n", line, h.Sum64())
	}
	file := filepath.Join("testdata", name)
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("differs from %s (-want +got):\n%s", file, diff)
	}
}

// TestOCTBytes: all combinations of tightenings, at all depths and with and without
// N_min, give the files, starts and trees that they gave before.
func TestOCTBytes(t *testing.T) {
	goldenBytes(t, "oct-bytes.txt", 64, func(w io.Writer, rng *rand.Rand, i int) error {
		o := randomOptions(rng)
		if i%4 > 0 {
			o.Encoding = Threshold
		}
		bit := func(b int) bool { return i/4>>b&1 == 1 } // 640 quadruples: each of the 64 ten times
		o.Tighten = Tightenings{bit(0), bit(1), bit(2), bit(3), bit(4), bit(5)}
		d := randomData(rng, 4+rng.IntN(60), 1+rng.IntN(4), 2+rng.IntN(3))
		in, err := o.Inspect(context.Background(), d)
		if err != nil {
			return err
		}
		text, err := json.Marshal(in)
		if err != nil {
			return err
		}
		fmt.Fprintln(w, string(text))
		f, err := o.Build(context.Background(), d)
		if err != nil {
			return err
		}
		return bytesOf(w, rng, f, func() *tree.Tree { return randomTree(rng, d, 1+rng.IntN(o.Depth)) })
	})
}

func TestOCTHBytes(t *testing.T) {
	goldenBytes(t, "oct-h-bytes.txt", 8, func(w io.Writer, rng *rand.Rand, _ int) error {
		o := randomOCTH(rng)
		d := randomData(rng, 4+rng.IntN(20), 1+rng.IntN(4), 2+rng.IntN(3))
		f, err := o.Build(context.Background(), d)
		if err != nil {
			return err
		}
		return bytesOf(w, rng, f, func() *tree.Tree { return randomHyperTree(rng, d, o.Depth) })
	})
}
