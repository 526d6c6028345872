package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/dataset"
)

// table has everything that makes lines hard to tell apart: a byte order mark,
// quoted fields with line ends, blank lines, CRLF, gaps, repeated lines.
const table = "\ufeffa,\"b\nb\",class\r\n" +
	"1,\"x\ny\",no\r\n\r\n1,\"x\ny\",no\r\n2,z,yes\r\n  \r\n,z,yes\r\n3,z,no\r\n4,\"x\ny\",yes\r\n100,z,yes\r\n5,z,no\r\n6,z,yes"

// TestHoldoutLines: both parts are the rows of the whole that the holdout drew,
// with their lines.
func TestHoldoutLines(t *testing.T) {
	dir := t.TempDir()
	plain, packed := filepath.Join(dir, "d.csv"), filepath.Join(dir, "d.csv.gz")
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write([]byte(table))
	w.Close()
	if err := os.WriteFile(plain, []byte(table), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(packed, z.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{plain, packed, "-"} {
		for _, opts := range []dataset.LoadOptions{{}, {Missing: dataset.MissingMean}} {
			for seed := range uint64(5) {
				in := &input{path: path, from: strings.NewReader(table)}
				train, test, err := in.loadHoldout(opts, 0.4, seed, dataset.UnknownOther)
				if err != nil {
					t.Fatal(err)
				}
				all, err := in.load(opts)
				if err != nil {
					t.Fatal(err)
				}
				trainRows, testRows, _ := all.Holdout(0.4, seed)
				for _, part := range []struct {
					got  *dataset.Dataset
					rows []int
				}{{train, trainRows}, {test, testRows}} {
					want := all.Subset(part.rows)
					if diff := cmp.Diff(want.Line, part.got.Line); diff != "" {
						t.Fatalf("%s, seed %d: lines: %s", path, seed, diff)
					}
					if diff := cmp.Diff(want.Y, part.got.Y); diff != "" {
						t.Fatalf("%s, seed %d: classes: %s", path, seed, diff)
					}
					if part.got.Source != all.Source {
						t.Errorf("source %v, want %v", part.got.Source, all.Source)
					}
				}
			}
		}
	}
}

// TestHoldoutLearnsFromTraining: the mean that fills gaps is that of the
// training rows, whichever side the outlier is on.
func TestHoldoutLearnsFromTraining(t *testing.T) {
	sides := [2]bool{}
	for seed := range uint64(20) {
		in := &input{path: "-", from: strings.NewReader(table)}
		train, test, err := in.loadHoldout(dataset.LoadOptions{Missing: dataset.MissingMean}, 0.4, seed, dataset.UnknownOther)
		if err != nil {
			t.Fatal(err)
		}
		sum, n, outlier := 0.0, 0.0, 0
		gap := 10 // line of the row with a gap
		for i := range train.N() {
			if train.Line[i] == gap {
				continue
			}
			sum += train.At(i, 0)
			n++
			if train.At(i, 0) == 100 {
				outlier = 1
			}
		}
		sides[outlier] = true
		if got, want := *train.Encoder.Columns[0].Impute, sum/n; got < want-1e-9 || got > want+1e-9 {
			t.Errorf("seed %d: gaps become %v, the mean of the training rows is %v", seed, got, want)
		}
		if test.Encoder != train.Encoder {
			t.Error("the test rows have another encoder")
		}
	}
	if sides != [2]bool{true, true} {
		t.Error("the outlier was always on one side: the test shows nothing")
	}
}
