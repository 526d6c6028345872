package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/octgen/octgen/tree"
)

// TestDeepTrees: a chain is shown and exported in proportion to its nodes, or refused as bad
// input, with nothing on standard output.
func TestDeepTrees(t *testing.T) {
	const levels, most = 3000, 1000 // bytes for each node
	tr := &tree.Tree{Features: []string{"x", "y"}, Classes: []string{"a", "b"}}
	for i := range levels {
		split := &tree.Split{Terms: []tree.Term{{Feature: 0, Weight: 1}, {Feature: 1, Weight: 2}}, Threshold: float64(i)}
		tr.Nodes = append(tr.Nodes, tree.Node{Split: split, Left: 2*i + 2, Right: 2*i + 1}, tree.Node{Class: i % 2})
	}
	tr.Nodes = append(tr.Nodes, tree.Node{})
	var file bytes.Buffer
	if err := tr.WriteJSON(&file); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ command, refused string }{
		{"show - --format text", ""}, {"show - --format dot", ""}, {"show - --format svg", ""}, {"show - --format json", ""},
		{"show - --format html", "octgen: the tree has 3000 levels, and a page shows no more than 240, "},
		{"export - --to sql", ""}, {"export - --to sql --select t", ""}, {"export - --to python", ""}, {"export - --to pmml", ""},
		{"export - --to rules", "octgen: rules: the rules would have 9009000 conditions, "},
		{"export - --to html", "octgen: html: the tree has 3000 levels, and a page shows no more than 240, "},
	} {
		var out, errs bytes.Buffer
		code := run(context.Background(), strings.Fields(c.command), bytes.NewReader(file.Bytes()), &out, &errs)
		switch {
		case c.refused != "":
			if code != exitUsage || out.Len() > 0 || !strings.HasPrefix(errs.String(), c.refused) {
				t.Errorf("%s: exit code %d, %d bytes, %s", c.command, code, out.Len(), errs.String())
			}
		case code != exitDone || out.Len() > most*len(tr.Nodes):
			t.Errorf("%s: exit code %d, %d bytes for %d nodes: %s", c.command, code, out.Len(), len(tr.Nodes), errs.String())
		}
	}
}
