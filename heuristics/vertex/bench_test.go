package vertex

import (
	"context"
	"testing"

	"github.com/octgen/octgen/internal/datatest"
)

var linearData = []string{"breast-cancer-wisconsin", "heart-cleveland", "pima", "bupa", "sonar"}

func benchmarkOn(b *testing.B, names []string, run func(name string) error) {
	for _, name := range names {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := run(name); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkMSMT and the benchmarks below measure the methods built on the descent of hinges.
func BenchmarkMSMT(b *testing.B) {
	benchmarkOn(b, linearData, func(name string) error {
		_, err := MSMT(context.Background(), datatest.Load(b, name), MSMTOptions{})
		return err
	})
}

func BenchmarkFeatureMin(b *testing.B) {
	benchmarkOn(b, linearData, func(name string) error {
		_, err := FeatureMin(context.Background(), datatest.Load(b, name), FeatureMinOptions{})
		return err
	})
}

func BenchmarkPerturbed(b *testing.B) {
	benchmarkOn(b, linearData, func(name string) error {
		_, err := RLP(context.Background(), datatest.Load(b, name), RLPOptions{Eps: 0.1})
		return err
	})
}

func BenchmarkFrankWolfe(b *testing.B) {
	benchmarkOn(b, linearData, func(name string) error {
		_, err := FrankWolfe(context.Background(), datatest.Load(b, name), FrankWolfeOptions{})
		return err
	})
}
