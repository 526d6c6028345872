package main

import (
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/proof"
)

// proofCheckCmd is `octgen proof check`.
type proofCheckCmd struct {
	File string `arg:"" name:"FILE" help:"Proof, plain or gzip."`
	Data string `arg:"" name:"DATA.csv" help:"Training data, read as by the fit: with its flags of data."`
	dataFlags
	JSON bool `name:"json" group:"Output" help:"Print one JSON object instead of text."`
}

// Run checks the file.
func (c *proofCheckCmd) Run(a *app) error {
	if err := oneStdin("proof", c.File, "data", c.Data); err != nil {
		return err
	}
	file := a.input(c.File)
	claim, err := readOwn(file, proof.Info)
	if err != nil {
		return err
	}
	ds, err := c.rows(a, claim)
	if err != nil {
		return err
	}
	table, err := proof.ScaledTable(ds, claim.Table.Scale, claim.Table.LeafScale)
	if err != nil {
		return badInput(err)
	}
	r, err := c.check(a, file, table)
	if err != nil {
		return err
	}
	return a.print(c.JSON, shownOf(r, true), func(w io.Writer) { printProof(w, r, "checked: it holds") })
}

// rows reads the rows of the claim.
func (c *proofCheckCmd) rows(a *app, claim *proof.Result) (*dataset.Dataset, error) {
	lines, err := claim.Lines()
	if err != nil {
		return nil, badInput(fmt.Errorf("%s: %w", c.File, err))
	}
	in := a.input(c.Data)
	if lines == nil {
		return in.load(c.LoadOptions())
	}
	s, err := readInput(in, func(r io.Reader) (*dataset.Splitter, error) { return dataset.NewSplitter(r, in.path, c.LoadOptions()) })
	if err != nil {
		return nil, err
	}
	var part []int
	for i, line := range s.All().Line {
		for len(lines) > 0 && lines[0][1] < line {
			lines = lines[1:]
		}
		if len(lines) > 0 && lines[0][0] <= line {
			part = append(part, i)
		}
	}
	if len(part) == 0 {
		return nil, badInput(fmt.Errorf("%s has none of the rows of %s", c.Data, c.File))
	}
	ds, _, err := s.Split(part, nil, dataset.UnknownError)
	return ds, badInput(err)
}

// check checks the file; a proof that does not hold is no mistake of the user's.
func (c *proofCheckCmd) check(a *app, file *input, table *proof.Table) (*proof.Result, error) {
	in, err := file.open()
	if err != nil {
		return nil, badInput(err)
	}
	defer in.Close() // read-only: closing has nothing to report
	r, err := proof.Check(a.ctx, table, in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.File, err)
	}
	return r, nil
}

// proofInfoCmd is `octgen proof info`.
type proofInfoCmd struct {
	File string `arg:"" name:"FILE" help:"Proof, plain or gzip."`
	JSON bool   `name:"json" help:"Print one JSON object instead of text."`
}

// Run shows what the file claims.
func (c *proofInfoCmd) Run(a *app) error {
	r, err := readOwn(a.input(c.File), proof.Info)
	if err != nil {
		return err
	}
	return a.print(c.JSON, shownOf(r, false), func(w io.Writer) { printProof(w, r, "not checked (octgen proof check)") })
}

// shownProof is what --json prints.
type shownProof struct {
	Checked   bool     `json:"checked"`
	Optimal   bool     `json:"optimal"`
	Rows      int      `json:"rows"`
	Features  int      `json:"features"`
	Answers   []string `json:"answers"`
	Digest    string   `json:"digest"`
	Depth     *int     `json:"depth"`
	Splits    *int     `json:"splits"`
	Leaf      int64    `json:"leaf"`
	Price     int64    `json:"price"`
	Forbidden []int    `json:"forbidden,omitempty"`
	Value     int64    `json:"value"`
	Bound     int64    `json:"bound"`
	Scale     string   `json:"scale"`
	Bytes     int64    `json:"bytes"`
	Intervals int64    `json:"intervals"`
}

func shownOf(r *proof.Result, checked bool) *shownProof {
	limit := func(v int) *int {
		if v == proof.Unlimited {
			return nil
		}
		return &v
	}
	return &shownProof{Checked: checked, Optimal: r.Optimal(), Rows: r.Table.Rows, Features: r.Table.Features, Answers: r.Table.Answers, Digest: r.Table.Digest,
		Depth: limit(r.Depth), Splits: limit(r.Splits), Leaf: r.Leaf, Price: r.Price, Forbidden: r.Forbidden, Value: r.Value, Bound: r.Bound,
		Scale: r.Table.Scale.String(), Bytes: r.Bytes, Intervals: r.Intervals}
}

// printProof prints a claim in words.
func printProof(w io.Writer, r *proof.Result, state string) {
	label(w, "data", fmt.Sprintf("%s, %s, digest %.12s...", count(r.Table.Rows, "row", "rows"), count(r.Table.Features, "feature", "features"), r.Table.Digest))
	var limits []string
	add := func(format string, v int) {
		if v != proof.Unlimited {
			limits = append(limits, fmt.Sprintf(format, v))
		}
	}
	add("depth %d", r.Depth)
	add("%d splits", r.Splits)
	if r.Leaf > 0 {
		leaf, _ := new(big.Rat).SetFrac(big.NewInt(r.Leaf), r.Table.LeafScale).Float64()
		limits = append(limits, "leaves of weight "+inDigits(leaf))
	}
	if r.Price > 0 {
		limits = append(limits, inDigits(r.Table.InUnits(r.Price))+" for each split")
	}
	if n := len(r.Forbidden); n > 0 {
		limits = append(limits, count(n, "feature", "features")+" not used")
	}
	label(w, "trees", strings.Join(limits, ", "))
	label(w, "tree", fmt.Sprintf("value %s", inDigits(r.Table.InUnits(r.Value))))
	claim := "no tree has a smaller value: it is optimal"
	if r.Bound < r.Value {
		claim = "no tree has a value below " + inDigits(r.Table.InUnits(r.Bound))
		if r.Optimal() {
			claim += ": it is optimal to within 1e-9 of what one answer costs"
		}
	}
	label(w, "claim", claim)
	label(w, "proof", fmt.Sprintf("%s, %s; %s", count(int(r.Bytes), "byte", "bytes"), count(int(r.Intervals), "interval", "intervals"), state))
}

// inDigits is a number with twelve digits.
func inDigits(v float64) string { return strconv.FormatFloat(v, 'g', 12, 64) }
