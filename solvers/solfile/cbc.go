package solfile

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/octgen/octgen/mio"
)

// cbcStart has the form of CBC's own solutions: its reader takes lines that begin
// with a digit and have three fields at least.
var cbcStart = startLayout{
	head: func(dst []byte, s *startFile) []byte {
		return append(appendNumber(append(dst, "Stopped on iterations - objective value "...), s.objective), '\n')
	},
	line: func(dst []byte, _ *startFile, e entry) []byte {
		dst = append(strconv.AppendInt(dst, int64(e.index), 10), ' ')
		dst = append(append(dst, e.name...), ' ')
		return append(append(dst, e.value...), " 0\n"...)
	},
}

// cbcPhrases are the words of the first line, before "objective value", that say
// what is known; where they say that a limit came, cbcLimits say which.
var cbcPhrases = []phrase{
	{"no integer solution", verdict{mio.NoSolution, mio.NoLimit}},
	{"infeasible", verdict{mio.Infeasible, mio.NoLimit}},
	{"unbounded", verdict{mio.Unbounded, mio.NoLimit}},
	{"within gap", verdict{mio.Feasible, mio.LimitGap}},
	{"optimal", verdict{mio.Optimal, mio.NoLimit}},
	{"difficulties", verdict{mio.NumericalError, mio.NoLimit}},
}

var cbcLimits = []phrase{
	{"stopped on time", verdict{limit: mio.LimitTime}},
	{"stopped on iterations", verdict{limit: mio.LimitIterations}},
	{"stopped on nodes", verdict{limit: mio.LimitNodes}},
	{"stopped on ctrl", verdict{limit: mio.LimitInterrupt}},
	{"stopped on user", verdict{limit: mio.LimitInterrupt}},
	{"stopped on gap", verdict{limit: mio.LimitGap}},
}

// cbcInfinity is the objective that CBC states where it has no incumbent.
const cbcInfinity = 1e50

// cbcHeader reads the first line, "Optimal - objective value 4.5".
func (d *decoder) cbcHeader() error {
	line, err := d.src.need(`a line such as "Optimal - objective value 4.5"`)
	if err != nil {
		return err
	}
	words, objective, ok := strings.Cut(string(line), " - objective value ")
	if !ok {
		return fmt.Errorf(`expected a line such as "Optimal - objective value 4.5", found %q`, clip(line))
	}
	d.begin()
	d.objective = parseObjective([]byte(strings.TrimSpace(objective)))
	d.raw = clip([]byte(strings.TrimSpace(words)))
	v := judge(cbcPhrases, d.raw)
	d.status, d.limit = v.status, v.limit
	if v.status == mio.Unknown || v.status == mio.NoSolution {
		d.limit = judge(cbcLimits, d.raw).limit
	}
	if v.status == mio.Unknown && d.objective == cbcInfinity {
		d.status = mio.NoSolution
	}
	return nil
}

// cbc reads lines of index, name, value and reduced cost, zeros left out. With
// -printingOptions all the rows come first, in the same form: where the indices
// begin anew, what came before were rows.
func (d *decoder) cbc() error {
	if err := d.cbcHeader(); err != nil {
		return err
	}
	last := -1
	var bad *FormatError // of what may still turn out to be rows
	for {
		line, err := d.src.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		index, rest := field(line)
		if string(index) == "**" { // infeasible
			index, rest = field(rest)
		}
		k, err := parseCount(index)
		if err != nil {
			return fmt.Errorf("index of a column: %w", err)
		}
		if k <= last {
			stated := d.objective
			d.begin()
			d.objective, bad = stated, nil
		}
		last = k
		name, rest := field(rest)
		value, _ := field(rest)
		if err := d.put(name, value); err != nil && bad == nil {
			bad = &FormatError{Line: d.src.number, Err: err}
		}
	}
	switch {
	case d.src.cut:
		return errCut
	case !d.wantsValues():
		return nil
	case bad != nil && d.hasValues():
		d.src.number = bad.Line
		return bad.Err
	case bad != nil:
		return nil
	}
	if err := d.end(true); err != nil && d.hasValues() {
		return err
	}
	return nil // of a point that is no solution not all need be there
}
