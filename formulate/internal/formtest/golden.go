package formtest

import (
	"bytes"
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

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
	"github.com/octgen/octgen/tree"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Golden compares the MPS file of a model with testdata/name.mps.
func Golden(t *testing.T, name string, m *mio.Model, o mps.Options) {
	t.Helper()
	var got bytes.Buffer
	if _, err := mps.Write(&got, m, o); err != nil {
		t.Fatal(err)
	}
	compare(t, name+".mps", got.Bytes())
}

// Dialect returns a dialect with a section for everything the model needs.
func Dialect(m *mio.Model) mps.Options {
	if m.IsLinear() {
		return mps.Options{}
	}
	return mps.Options{Dialect: mps.Gurobi}
}

func compare(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("differs from %s (-want +got):\n%s", file, diff)
	}
}

// Bytes compares a hash of the output of make for 40 random problems per line with
// testdata/bytes.txt: any change of the bytes of a model, a warm start or a decoded tree shows.
func Bytes(t *testing.T, lines int, make func(w io.Writer, rng *rand.Rand, i int) error) {
	t.Helper()
	if runtime.GOARCH != "amd64" {
		t.Skip("elsewhere the compiler may round x*y + z once, and the last digit differ")
	}
	var got strings.Builder
	for line := range lines {
		h := fnv.New64a()
		for i := range 40 {
			rng := rand.New(rand.NewPCG(uint64(line), uint64(i)))
			if err := make(h, rng, line*40+i); err != nil && !errors.Is(err, formulate.ErrSingleLeaf) {
				t.Fatal(err)
			}
		}
		fmt.Fprintf(&got, "%d %016x\n", line, h.Sum64())
	}
	compare(t, "bytes.txt", []byte(got.String()))
}

// WriteAll writes all results of a formulation: the MPS file, the points of three random trees, the
// trees of these points, and the result for a point that may be no tree.
func WriteAll(w io.Writer, rng *rand.Rand, f formulate.Formulation, random func() *tree.Tree) error {
	if _, err := mps.Write(w, f.Model(), Dialect(f.Model())); err != nil {
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
		x[rng.IntN(len(x))] = 0.5
		_, err = f.Decode(x)
		fmt.Fprintln(w, err)
	}
	return nil
}
