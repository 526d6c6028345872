package cart

import (
	"strconv"
	"testing"

	"github.com/octgen/octgen/internal/datatest"
)

// cartReference is a line of the scikit-learn figures.
type cartReference struct {
	name           string
	rows           int
	depth          int
	errors, leaves int
	seconds        float64
}

// scikitLearn reads the reference figures beside the data folder.
func scikitLearn(t testing.TB) []cartReference {
	t.Helper()
	var refs []cartReference
	for _, l := range datatest.Reference(t, "cart-scikit-learn") {
		integer := func(column int) int {
			v, err := strconv.Atoi(l[column])
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		seconds, err := strconv.ParseFloat(l[7], 64)
		if err != nil {
			t.Fatal(err)
		}
		refs = append(refs, cartReference{l[0], integer(1), integer(4), integer(5), integer(6), seconds})
	}
	return refs
}

func sumOf(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s
}
