package mps

import (
	"bytes"
	"strings"
	"testing"

	"github.com/octgen/octgen/mio"
)

// TestProto: a model with all kinds of bounds and an odd name, as OR-Tools reads it
// (testdata/script-solvers/proto.txtar of cmd/octgen).
func TestProto(t *testing.T) {
	b := mio.NewBuilder("m")
	b.SetSense(mio.Maximize)
	b.AddOffset(0.5)
	x := b.AddBinary(3, "x")
	y := b.AddCol(-0.25, -mio.Inf, mio.Inf, mio.Continuous, "größe\"\\")
	r := b.AddRow(-mio.Inf, 4, "cap")
	b.Add(r, x, 1)
	b.Add(r, y, -2.5)
	m, err := b.Model()
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if _, err := WriteProto(&got, m, LPOptions{Comments: []string{"c"}}); err != nil {
		t.Fatal(err)
	}
	const want = `# "c"
name: "m"
maximize: true
objective_offset: 0.5
variable { lower_bound: 0 upper_bound: 1 objective_coefficient: 3 is_integer: true name: "x" }
variable { lower_bound: -inf upper_bound: inf objective_coefficient: -0.25 is_integer: false name: "gr\303\266\303\237e\"\\" }
constraint { lower_bound: -inf upper_bound: 4 name: "cap" is_lazy: false var_index: 0 coefficient: 1 var_index: 1 coefficient: -2.5 }
`
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &got, want)
	}
	q := mio.NewBuilder("q")
	z := q.AddBinary(0, "z")
	q.AddQuadCost(z, z, 1)
	if m, err = q.Model(); err != nil {
		t.Fatal(err)
	}
	if _, err := WriteProto(&got, m, LPOptions{}); err == nil || !strings.Contains(err.Error(), ".mof.json holds this model") {
		t.Errorf("quadratic terms: %v", err)
	}
}
