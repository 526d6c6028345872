package solfile

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
)

// large is a model of many columns and a point of it.
func large(b *testing.B) (*mio.Model, *mps.Map, []float64) {
	const n = 300_000
	rng := rand.New(rand.NewPCG(1, 2))
	build := mio.NewBuilder("large")
	x := make([]float64, n)
	for j := range n {
		if j%2 == 0 {
			build.AddBinary(1, "z", j/100, j%100)
			x[j] = float64(rng.IntN(2))
		} else {
			build.AddCol(1, -1, 1, mio.Continuous, "a", j)
			x[j] = rng.Float64()
		}
	}
	m, err := build.Model()
	if err != nil {
		b.Fatal(err)
	}
	mp, err := mps.NewMap(m, mps.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return m, mp, x
}

func BenchmarkWriteStart(b *testing.B) {
	m, mp, x := large(b)
	for _, f := range Formats() {
		if !f.Starts() {
			continue
		}
		b.Run(string(f), func(b *testing.B) {
			var size bytes.Buffer
			if err := WriteStart(&size, f, m, mp, x, StartOptions{}); err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(size.Len()))
			for b.Loop() {
				if err := WriteStart(io.Discard, f, m, mp, x, StartOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkRead(b *testing.B) {
	m, mp, x := large(b)
	for _, f := range Formats() {
		if !f.Starts() {
			continue
		}
		b.Run(string(f), func(b *testing.B) {
			var text bytes.Buffer
			if err := WriteStart(&text, f, m, mp, x, StartOptions{}); err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(text.Len()))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Read(bytes.NewReader(text.Bytes()), "bench", f, m, mp, ReadOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
