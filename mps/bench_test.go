package mps

import (
	"bytes"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/octgen/octgen/mio"
)

// RandomModel has different values everywhere: 50 nonzeros per column.
func RandomModel(tb testing.TB, cols int) *mio.Model {
	rng := rand.New(rand.NewPCG(1, 2))
	const perCol = 50
	rows := max(perCol, cols/2)
	b := mio.NewBuilder("random")
	b.Reserve(cols, rows, cols*perCol)
	for i := range rows {
		b.AddRow(math.Inf(-1), 1+rng.Float64(), "row", i)
	}
	for j := range cols {
		c := b.AddCol(rng.NormFloat64(), 0, 1, mio.Continuous, "x", j)
		for k := range perCol {
			b.Add(mio.Row((j+k*(rows/perCol))%rows), c, rng.NormFloat64())
		}
	}
	return frozen(tb, b)
}

func randomModel(tb testing.TB) *mio.Model { return RandomModel(tb, 20000) }
func octModel(tb testing.TB) *mio.Model    { return OCTModel(tb, 2500) }

// OCTModel has the shape of the big-M encoding of OCT: the split rows of every
// point at every leaf hold the point's features, scaled by ranks: 536 nonzeros per point.
func OCTModel(tb testing.TB, points int) *mio.Model {
	rng := rand.New(rand.NewPCG(1, 2))
	const features, leaves, branches = 20, 8, 7
	b := mio.NewBuilder("oct")
	x := make([][features]float64, points)
	for i := range x {
		for f := range features {
			x[i][f] = float64(rng.IntN(500)) / 499
		}
	}
	var a [branches][features]mio.Col
	var thr [branches]mio.Col
	for t := range branches {
		for f := range features {
			a[t][f] = b.AddBinary(0.01, "a", f+1, t+1)
		}
		thr[t] = b.AddCol(0, 0, 1, mio.Continuous, "b", t+1)
	}
	for i := range points {
		one := b.AddRow(1, 1, "one", i+1)
		for l := range leaves {
			z := b.AddBinary(0, "z", i+1, l+1)
			b.Add(one, z, 1)
			for t := (leaves + l) / 2; t > 0; t /= 2 {
				r := b.AddRow(-1, math.Inf(1), "right", i+1, l+1, t)
				for f := range features {
					b.Add(r, a[t-1][f], x[i][f])
				}
				b.Add(r, thr[t-1], -1)
				b.Add(r, z, -1)
			}
		}
	}
	return frozen(tb, b)
}

func frozen(tb testing.TB, b *mio.Builder) *mio.Model {
	m, err := b.Model()
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

func BenchmarkWriteRandom(b *testing.B) { benchmarkWrite(b, randomModel(b)) }
func BenchmarkWriteOCT(b *testing.B)    { benchmarkWrite(b, octModel(b)) }
func BenchmarkReadRandom(b *testing.B)  { benchmarkRead(b, randomModel(b)) }
func BenchmarkReadOCT(b *testing.B)     { benchmarkRead(b, octModel(b)) }

func benchmarkWrite(b *testing.B, m *mio.Model) {
	size := len(written(b, m))
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Write(io.Discard, m, Options{}); err != nil {
			b.Fatal(err)
		}
	}
	reportNonzeros(b, m)
}

func benchmarkRead(b *testing.B, m *mio.Model) {
	text := written(b, m)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(bytes.NewReader(text), "m.mps"); err != nil {
			b.Fatal(err)
		}
	}
	reportNonzeros(b, m)
}

func reportNonzeros(b *testing.B, m *mio.Model) {
	b.ReportMetric(float64(m.NumNonzeros())*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mnz/s")
}

func written(tb testing.TB, m *mio.Model) []byte {
	var buf bytes.Buffer
	if _, err := Write(&buf, m, Options{}); err != nil {
		tb.Fatal(err)
	}
	return buf.Bytes()
}

func BenchmarkWriteLP(b *testing.B) {
	m := octModel(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := WriteLP(io.Discard, m, LPOptions{}); err != nil {
			b.Fatal(err)
		}
	}
	reportNonzeros(b, m)
}

// BenchmarkNumbers holds writing and reading of numbers against strconv's, on the
// coefficients of a model; what is here of our own is there for this difference.
func BenchmarkNumbers(b *testing.B) {
	_, _, numbers := randomModel(b).Matrix()
	numbers = numbers[:min(len(numbers), 1<<16)]
	texts := make([][]byte, len(numbers))
	for i, v := range numbers {
		texts[i] = strconv.AppendFloat(nil, v, 'g', -1, 64)
	}
	buf := make([]byte, 0, numberRoom)
	for name, put := range map[string]func(v float64){
		"write/own":     func(v float64) { putNumber(buf[:numberRoom], v) },
		"write/strconv": func(v float64) { strconv.AppendFloat(buf, v, 'g', -1, 64) },
	} {
		b.Run(name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				put(numbers[i%len(numbers)])
			}
		})
	}
	for name, parse := range map[string]func(s []byte) (float64, error){
		"read/own":     parseNumber,
		"read/strconv": func(s []byte) (float64, error) { return strconv.ParseFloat(string(s), 64) },
	} {
		b.Run(name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				if _, err := parse(texts[i%len(texts)]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
