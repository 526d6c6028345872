package solfile

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/octgen/octgen/mio"
)

// Solvers without a solution file: what they print on standard output is read.

// printedForm is what a solver prints.
type printedForm struct {
	begin       []phrase // of lines that say how it ended
	objective   string   // the number follows
	bound       string   // likewise; "" for none
	values      string   // lines of name and value follow it
	after       string   // they end at this line; "" at the end
	zeroOmitted bool
	expected    string // a line that says how it ended
}

// lpsolveForm is what lp_solve prints with -S3 or -S4, values with six digits.
var lpsolveForm = printedForm{
	begin: []phrase{
		{"value of objective function:", verdict{mio.Optimal, mio.NoLimit}},
		{"suboptimal solution", verdict{mio.Feasible, mio.LimitTime}},
		{"this problem is infeasible", verdict{mio.Infeasible, mio.NoLimit}},
		{"this problem is unbounded", verdict{mio.Unbounded, mio.NoLimit}},
	},
	objective: "Value of objective function:", values: "Actual values of the variables:", after: "Actual values of the constraints:",
	expected: "Value of objective function: 3",
}

// symphonyForm is what SYMPHONY prints: in the end the variables that are not zero.
var symphonyForm = printedForm{
	begin: []phrase{
		{"* optimal solution found", verdict{mio.Optimal, mio.NoLimit}},
		{"* time limit reached", verdict{mio.Unknown, mio.LimitTime}},
		{"* node limit reached", verdict{mio.Unknown, mio.LimitNodes}},
		{"* target gap reached", verdict{mio.Unknown, mio.LimitGap}},
		{"* problem found infeasible", verdict{mio.Infeasible, mio.NoLimit}},
		{"the problem is infeasible!", verdict{mio.Infeasible, mio.NoLimit}},
		{"* problem found unbounded", verdict{mio.Unbounded, mio.NoLimit}},
		{"the problem is unbounded!", verdict{mio.Unbounded, mio.NoLimit}},
	},
	objective: "Solution Cost:", bound: "Current Lower Bound:", values: "Column names and values of nonzeros",
	zeroOmitted: true, expected: "* Optimal Solution Found *",
}

func (d *decoder) lpsolve() error  { return d.printed(&lpsolveForm) }
func (d *decoder) symphony() error { return d.printed(&symphonyForm) }

// printed reads one answer of that form. Lines that say nothing of it pass.
func (d *decoder) printed(f *printedForm) error {
	d.begin()
	inValues, found := false, false
	for {
		line, err := d.src.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if v := judge(f.begin, string(line)); v != (verdict{}) && d.raw == "" {
			d.status, d.limit, d.raw = v.status, v.limit, strings.Trim(clip(line), "* ")
		}
		if text, ok := bytes.CutPrefix(line, []byte(f.objective)); ok {
			d.objective = parseObjective(bytes.TrimSpace(text))
		}
		if text, ok := bytes.CutPrefix(line, []byte(f.bound)); ok && f.bound != "" {
			d.bound = parseObjective(bytes.TrimSpace(text))
		}
		switch {
		case bytes.HasPrefix(line, []byte(f.values)):
			inValues, found = true, true
		case f.after != "" && bytes.HasPrefix(line, []byte(f.after)):
			inValues = false
		case inValues && line[0] != '+':
			if err := d.put(field(line)); err != nil {
				return err
			}
		}
	}
	switch {
	case d.src.cut:
		return errCut
	case d.raw == "":
		return errors.New("expected a line such as \"" + f.expected + "\"")
	case !found:
		return nil
	}
	return d.end(f.zeroOmitted)
}
