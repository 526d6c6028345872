package manpage_test

import (
	"bytes"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/internal/manpage"
)

type grammar struct {
	Fit struct {
		Data   string `arg:"" name:"DATA.csv" help:"Labelled data."`
		Output string `short:"o" placeholder:"FILE" group:"Output" help:".gz is packed, \\n is \"two\" letters."`
		Old    bool   `hidden:""`
	} `cmd:"" help:"Fit a tree."`
	Secret struct{} `cmd:"" hidden:""`
}

func TestWrite(t *testing.T) {
	k, err := kong.New(new(grammar), kong.Name("p"), kong.Description("Trees.\n\nOne\nparagraph.\n\nExit codes: 0 done."), kong.Exit(func(int) {}))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := manpage.Write(&b, k.Model, "1.0-rc"); err != nil {
		t.Fatal(err)
	}
	const want = `.TH P 1 "" "p 1.0\-rc" "User Commands"
.SH NAME
p \- Trees
.SH SYNOPSIS
.B p fit <DATA.csv> [flags]
.br
.SH DESCRIPTION
One paragraph.
.PP
.SH COMMANDS
.SS p fit <DATA.csv> [flags]
Fit a tree.
.TP
.B <DATA.csv>
Labelled data.
.PP
.I Output
.TP
.B \-o, \-\-output=FILE
\&.gz is packed, \en is "two" letters.
.SH EXIT STATUS
0 done.
`
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
}
