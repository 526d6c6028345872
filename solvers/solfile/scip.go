package solfile

import (
	"bytes"
	"io"

	"github.com/octgen/octgen/mio"
)

var scipStart = startLayout{
	head: func(dst []byte, s *startFile) []byte {
		dst = append(dst, "solution status: unknown\nobjective value: "...)
		return append(appendNumber(dst, s.objective), '\n')
	},
	line: appendNameValue,
}

// scipPhrases are SCIP's words for its status.
var scipPhrases = []phrase{
	{"infeasible or unbounded", verdict{mio.InfeasibleOrUnbounded, mio.NoLimit}},
	{"infeasible", verdict{mio.Infeasible, mio.NoLimit}},
	{"unbounded", verdict{mio.Unbounded, mio.NoLimit}},
	{"optimal", verdict{mio.Optimal, mio.NoLimit}},
	{"user interrupt", verdict{mio.Unknown, mio.LimitInterrupt}},
	{"termination signal", verdict{mio.Unknown, mio.LimitInterrupt}},
	{"node limit", verdict{mio.Unknown, mio.LimitNodes}},
	{"time limit", verdict{mio.Unknown, mio.LimitTime}},
	{"memory limit", verdict{mio.Unknown, mio.LimitMemory}},
	{"gap limit", verdict{mio.Unknown, mio.LimitGap}},
	{"primal limit", verdict{mio.Unknown, mio.LimitCutoff}},
	{"dual limit", verdict{mio.Unknown, mio.LimitCutoff}},
}

// scip reads the two header lines, which may be missing, and lines of name,
// value and "(obj:c)". Zeros are left out. Where header lines come once more,
// another solution begins.
func (d *decoder) scip() error {
	d.begin()
	solution := false // something of one was read
	end := func() error {
		if !solution || !d.hasValues() {
			return nil
		}
		return d.end(true)
	}
	for {
		line, err := d.src.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		status, isStatus := bytes.CutPrefix(line, []byte("solution status:"))
		objective, isObjective := bytes.CutPrefix(line, []byte("objective value:"))
		switch {
		case isStatus:
			if err := end(); err != nil {
				return err
			}
			d.begin()
			solution = false
			if d.solutions == 0 {
				d.raw = clip(bytes.TrimSpace(status))
				v := judge(scipPhrases, d.raw)
				d.status, d.limit = v.status, v.limit
			}
		case isObjective:
			if solution {
				if err := end(); err != nil {
					return err
				}
				d.begin()
			}
			d.objective, solution = parseObjective(bytes.TrimSpace(objective)), true
		case string(line) == "no solution available":
			solution = false
			if d.status == mio.Unknown {
				d.status = mio.NoSolution
			}
		case line[0] == '#' || line[0] == '=':
		default:
			name, rest := field(line)
			value, _ := field(rest)
			if err := d.put(name, value); err != nil {
				return err
			}
			solution = true
		}
	}
	if d.src.cut {
		return errCut
	}
	return end()
}
