package solfile

import (
	"bytes"
	"fmt"
	"io"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
)

// appendNameValue is the line "name value".
func appendNameValue(dst []byte, _ *startFile, e entry) []byte {
	dst = append(append(dst, e.name...), ' ')
	return append(append(dst, e.value...), '\n')
}

var gurobiStart = startLayout{
	head: func(dst []byte, s *startFile) []byte {
		return append(append(append(dst, "# MIP start for model "...), s.model...), '\n')
	},
	line: appendNameValue,
}

// gurobiModel takes the model's name from a comment that has it.
func (d *decoder) gurobiModel(line []byte) {
	for _, prefix := range []string{"# Solution for model ", "# MIP start for model "} {
		if name, ok := bytes.CutPrefix(line, []byte(prefix)); ok {
			d.model = clip(bytes.TrimSpace(name))
		}
	}
}

// gurobi reads comment lines, of which "# Objective value = 6" states the
// objective, and lines of name and value. Where a comment follows values, another
// solution begins.
func (d *decoder) gurobi() error {
	d.begin()
	inValues := false
	for {
		line, err := d.src.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if line[0] == '#' {
			if inValues {
				if err := d.end(false); err != nil {
					return err
				}
				d.begin()
				inValues = false
			}
			d.gurobiModel(line)
			if v, ok := bytes.CutPrefix(line, []byte("# Objective value =")); ok {
				d.objective = parseObjective(bytes.TrimSpace(v))
			}
			continue
		}
		name, value := field(line)
		if err := d.put(name, value); err != nil {
			return err
		}
		inValues = true
	}
	if d.src.cut {
		return errCut
	}
	if !inValues && (d.solutions > 0 || d.mp.FileCols() > 0) {
		return nil
	}
	return d.end(false)
}

var scipStart = startLayout{
	head: func(dst []byte, s *startFile) []byte {
		dst = append(dst, "solution status: unknown\nobjective value: "...)
		return append(appendNumber(dst, s.objective), '\n')
	},
	line:    appendNameValue,
	helpers: scipHelpers,
}

// scipHelpers gives the values of the columns that SCIP adds when it reads an MPS file, without
// which it refuses a start: the slack of each indicator row, which is by how much the row is
// violated where its indicator is off, and the quadratic part of the objective.
func scipHelpers(m *mio.Model, mp *mps.Map, point []float64) []entry {
	activity := make([]float64, m.NumRows())
	for j, v := range point {
		rows, coefs := m.Column(j)
		for k, i := range rows {
			activity[i] += coefs[k] * v
		}
	}
	var all []entry
	for _, d := range m.Indicators() {
		i := d.Row
		slack := max(0, m.RowLower()[i]-activity[i], activity[i]-m.RowUpper()[i])
		name := mp.AppendRowName([]byte("indslack_ind_"), m, int(i))
		all = append(all, entry{name: name, value: appendNumber(nil, slack)})
	}
	if m.QuadCost() != nil {
		linear := m.Offset()
		for j, c := range m.Costs() {
			linear += c * point[j]
		}
		all = append(all, entry{name: []byte("qmatrixvar"), value: appendNumber(nil, mp.FileObjective(m.Objective(point)-linear))})
	}
	return all
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

var xpressStart = startLayout{
	head: func(dst []byte, s *startFile) []byte {
		return append(append(append(dst, "NAME "...), s.model...), '\n')
	},
	line: func(dst []byte, s *startFile, e entry) []byte {
		return appendNameValue(append(dst, " C "...), s, e)
	},
	tail: "ENDATA\n",
}

// xpress reads an ASCII solution file (.slx): per solution a line NAME and lines
// "C name value", at last ENDATA. Lines of rows (R) and other kinds of figures
// are passed over.
func (d *decoder) xpress() error {
	inSolution := false
	end := func() error {
		if !inSolution {
			return nil
		}
		return d.end(false)
	}
	for {
		line, err := d.src.need("ENDATA")
		if err != nil {
			return err
		}
		word, rest := field(line)
		switch string(word) {
		case "NAME":
			if err := end(); err != nil {
				return err
			}
			d.begin()
			d.model = clip(rest)
			inSolution = true
		case "ENDATA":
			return end()
		case "C":
			if !inSolution {
				return fmt.Errorf("expected NAME, found %q", clip(line))
			}
			name, rest := field(rest)
			value, _ := field(rest)
			if err := d.put(name, value); err != nil {
				return err
			}
		case "R", "S", "D", "DJ":
		default:
			return fmt.Errorf("expected NAME, C or ENDATA, found %q", clip(line))
		}
	}
}
