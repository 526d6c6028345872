package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/solvers/solfile"
)

// pooled is one solution of a file.
type pooled struct {
	Solution int         `json:"solution"` // in the file's order, from 1
	Same     int         `json:"same"`     // the first solution with the same tree; itself if there is none
	Error    string      `json:"error,omitempty"`
	Result   *fit.Result `json:"result,omitempty"`
}

// decodeAll decodes all solutions of the file. The error is that of the last one that
// cannot be decoded; it stands beside the solutions, where there are any.
func decodeAll(ctx context.Context, s *fit.Sidecar, ds *dataset.Dataset, path string, o fit.DecodeOptions) (all []pooled, failed error) {
	for k := 1; ; k++ {
		o.Read.Solution = k
		res, err := s.Decode(ctx, ds, path, o)
		if end := (*solfile.SolutionError)(nil); errors.As(err, &end) {
			if len(all) == 0 {
				return nil, badInput(fmt.Errorf("%s has no solution", path))
			}
			return all, failed
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		one := pooled{Solution: k, Same: k, Result: res}
		if err != nil {
			one.Error, failed = message(err), err
			if res == nil || !res.Kept() {
				one.Result = nil
			}
		}
		for _, before := range all {
			if one.Result != nil && before.Result != nil && before.Result.Tree.Equal(one.Result.Tree) {
				one.Same = before.Same
				break
			}
		}
		all = append(all, one)
	}
}

// printPool prints a line per solution, then the different trees.
func printPool(w io.Writer, all []pooled, ds *dataset.Dataset) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "solution\tobjective\terrors\tsplits\tdepth")
	different := 0
	for _, one := range all {
		if one.Result == nil {
			fmt.Fprintf(t, "%d\t%s\n", one.Solution, printable(one.Error))
			continue
		}
		note := ""
		if one.Same != one.Solution {
			note = fmt.Sprintf("\tthe tree of solution %d", one.Same)
		} else {
			different++
		}
		tr := one.Result.Tree
		objective := "-"
		if o := one.Result.Objective; o != nil {
			objective = figure(*o)
		}
		fmt.Fprintf(t, "%d\t%s\t%s\t%d\t%d%s\n", one.Solution, objective, figure(tr.Evaluate(ds).Errors), tr.Splits(), tr.Depth(), note)
	}
	t.Flush()
	for _, one := range all {
		if one.Result != nil && one.Same == one.Solution {
			fmt.Fprintf(w, "\nsolution %d\n%s", one.Solution, one.Result.Tree)
		}
	}
	fmt.Fprintln(w)
	label(w, "trees", fmt.Sprintf("%d different in %s", different, count(len(all), "solution", "solutions")))
}
