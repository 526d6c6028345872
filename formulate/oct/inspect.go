package oct

import (
	"context"
	"fmt"
	"math"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
)

// Inspection is what can be said of an Formulation model before it is built.
type Inspection struct {
	Encoding    formulate.Encoding `json:"encoding"`
	Size        formulate.Size     `json:"size"`
	Memory      int64              `json:"memory_bytes"` // bytes of the built model, without names
	MPSBytes    int64              `json:"mps_bytes"`    // rough size of the MPS file, free format, without gzip
	Tightenings []string           `json:"tightenings,omitempty"`

	Rows              int     `json:"rows"`               // training rows
	MergedRows        int     `json:"merged_rows"`        // after merging equal (x, y)
	Points            int     `json:"points"`             // different x
	Features          int     `json:"features"`           // after encoding
	Varying           int     `json:"varying_features"`   // those with at least two values
	Thresholds        int     `json:"thresholds"`         // candidates over all features
	Baseline          float64 `json:"baseline"`           // Lhat, error weight of the single leaf
	UnavoidableWeight float64 `json:"unavoidable_weight"` // error weight that no tree can avoid
	UnavoidableErrors float64 `json:"unavoidable_errors"` // the same in rows

	// Of the big-M encodings; zero for threshold, which has neither.
	EpsMin float64 `json:"epsilon_min,omitempty"` // least gap between scaled values
	EpsMax float64 `json:"epsilon_max,omitempty"` // largest one
	MMin   float64 `json:"big_m_min,omitempty"`   // range of the big-M constants
	MMax   float64 `json:"big_m_max,omitempty"`

	Proof    string   `json:"proof"`              // whether a proof of optimality is realistic, and why
	Warnings []string `json:"warnings,omitempty"` // worth saying before building
}

// Inspect lays out the model for ds without building it. Errors as Build's.
func (o Options) Inspect(ctx context.Context, ds *dataset.Dataset) (*Inspection, error) {
	f, err := o.prepare(ctx, ds)
	if err != nil {
		return nil, err
	}
	g := f.g
	in := &Inspection{
		Encoding: f.opts.Encoding, Size: f.enc.size(), Rows: ds.N(), MergedRows: g.N, Points: g.Points.Len(),
		Features: g.P, Varying: len(g.Active), Baseline: g.Lhat * g.Unit.Size,
	}
	for _, j := range g.Active {
		in.Thresholds += g.Cuts(j)
	}
	in.UnavoidableWeight, in.UnavoidableErrors = g.DS.UnavoidableErrors()
	in.UnavoidableWeight *= g.Unit.Size
	in.Memory = memory(in.Size)
	switch e := f.enc.(type) {
	case *threshold:
		in.Tightenings = e.tightenings()
		in.MPSBytes = e.mpsBytes()
	case *bigM:
		in.EpsMin, in.EpsMax = e.epsMin, e.epsMax
		in.MMin, in.MMax = math.Inf(1), 1+e.epsMax
		for _, w := range g.ClassW {
			if m := g.Total - w; m > 0 {
				in.MMin, in.MMax = min(in.MMin, m), max(in.MMax, m)
			}
		}
		in.MMin = min(in.MMin, 1)
		in.MPSBytes = e.mpsBytes()
	}
	in.judge(f)
	return in, nil
}

// judge fills Proof and Warnings from what solves took when they were measured
// (docs/oct.md): the work grows with upper-level binaries times rows.
func (in *Inspection) judge(f *Formulation) {
	work := float64(in.Size.Binaries) * float64(in.MergedRows)
	switch o := f.opts; {
	case o.Encoding == formulate.BigMPublished:
		in.Proof = "a proof would be worthless: this encoding's optimum can be below that of any tree"
	case o.Encoding == formulate.Indicator:
		in.Proof = "not realistic: a solver's relaxation of indicator rows is no stronger than that of bigm"
	case o.Encoding == formulate.BigM && work <= 1e4:
		in.Proof = "realistic, in seconds; encoding threshold is faster"
	case o.Encoding == formulate.BigM && work > 7e4:
		in.Proof = "not realistic: the relaxation of bigm is weak; use encoding threshold"
	case o.Encoding == formulate.BigM:
		in.Proof = "possible, in minutes; encoding threshold is much faster"
	case in.Size.Binaries == 0:
		in.Proof = "realistic: the model is a linear program"
	case o.Depth <= 2 && work <= 5e5:
		in.Proof = "realistic, in seconds to minutes"
	case o.Depth <= 3 && work <= 2e5:
		in.Proof = "possible, in minutes to hours"
	default:
		in.Proof = fmt.Sprintf("not realistic with a MIO solver: depth %d with %d binaries and %d rows; set a time limit", o.Depth, in.Size.Binaries, in.MergedRows)
	}
	in.Warnings = f.warnings(in.Size)
}

// warnings is what is worth saying of a model of this size before it is built.
func (f *Formulation) warnings(size formulate.Size) []string {
	var all []string
	if f.opts.Encoding == formulate.BigMPublished {
		all = append(all, "encoding bigm-published keeps the paper's left-branch row, by which points may go left at a node without a split: its optimum can be below that of any tree")
	}
	if size.Nonzeros > 2e7 {
		all = append(all, fmt.Sprintf("the model will have %d rows, %d columns and %d nonzeros, about %.1f GB here and several times that in a solver", size.Rows, size.Cols, size.Nonzeros, float64(memory(size))/1e9))
	}
	if leaves := 1 << f.opts.Depth; leaves > 2*f.g.Points.Len() {
		all = append(all, fmt.Sprintf("depth %d has %d leaves for %d different points: a smaller depth has the same trees", f.opts.Depth, leaves, f.g.Points.Len()))
	}
	return all
}

// memory is the bytes of a built model, without names: 12 per nonzero, three
// float64 and a type per column, two float64 per row; a start offset per column.
func memory(s formulate.Size) int64 { return s.Nonzeros*12 + s.Cols*29 + s.Rows*16 }
