package mps_test

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
)

// A maximization is written as the minimum that every solver reads alike; what the
// file cannot say stands in comments, so that the same model is read back.
func Example() {
	b := mio.NewBuilder("two")
	b.SetSense(mio.Maximize)
	sum := b.AddRow(-mio.Inf, 1.5, "sum")
	b.Add(sum, b.AddBinary(2, "x"), 1)
	b.Add(sum, b.AddCol(1, 0, mio.Inf, mio.Continuous, "y"), 1)
	m, err := b.Model()
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	columns, err := mps.Write(&file, m, mps.Options{})
	if err != nil {
		log.Fatal(err)
	}
	os.Stdout.Write(file.Bytes())

	back, err := mps.Read(&file, "two.mps")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("read back as a maximization:", back.Sense() == mio.Maximize)
	fmt.Println("the file's optimum, -2.5, is the model's", columns.ModelObjective(-2.5))
	// Output:
	// * octgen dialect portable, free format
	// * octgen sense max
	// NAME two FREE
	// ROWS
	//  N obj
	//  L sum
	// COLUMNS
	//  BIN0 'MARKER' 'INTORG'
	//  x obj -2 sum 1
	//  BIN0 'MARKER' 'INTEND'
	//  y obj -1 sum 1
	// RHS
	//  RHS sum 1.5
	// BOUNDS
	//  BV BND x
	//  LO BND y 0
	//  PL BND y
	// ENDATA
	// read back as a maximization: true
	// the file's optimum, -2.5, is the model's 2.5
}

// A file that is no model says where.
func ExampleRead() {
	text := `NAME two
ROWS
 N cost
 L sum
COLUMNS
 x cost 1 sum one
`
	_, err := mps.Read(strings.NewReader(text), "two.mps")
	fmt.Println(err)
	// Output:
	// mps: two.mps:6: section COLUMNS: column x, row sum: expected a number, found "one"
}
