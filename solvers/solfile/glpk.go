package solfile

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/octgen/octgen/mio"
)

// glpk reads what glpsol -w writes: comments, of which one has the status in
// words, "s kind rows columns status... objective", lines "i row ..." and
// "j column ..." by position from 1, and "e o f". Of MIP solutions the value is
// all there is; basic solutions have a status before and a dual after it,
// interior-point ones a dual after it.
func (d *decoder) glpk() error {
	d.begin()
	kind, err := d.glpkHead()
	if err != nil {
		return err
	}
	for {
		line, err := d.src.need(`"e o f"`)
		if err != nil {
			return err
		}
		letter, rest := field(line)
		switch string(letter) {
		case "c", "i":
		case "j":
			if !d.hasValues() {
				continue // zeros
			}
			if err := d.glpkColumn(kind, rest); err != nil {
				return err
			}
		case "e":
			if !d.hasValues() {
				return nil
			}
			return d.end(false)
		default:
			return fmt.Errorf(`expected a line of c, i, j or e, found %q`, clip(line))
		}
	}
}

// glpkHead reads up to the line s and returns its kind: mip, bas or ipt.
func (d *decoder) glpkHead() (string, error) {
	for {
		line, err := d.src.need(`a line such as "s mip 2 3 o 4.5"`)
		if err != nil {
			return "", err
		}
		if words, ok := bytes.CutPrefix(line, []byte("c Status:")); ok {
			d.raw = clip(bytes.TrimSpace(words))
			continue
		}
		if name, ok := bytes.CutPrefix(line, []byte("c Problem:")); ok {
			d.model = clip(bytes.TrimSpace(name))
			continue
		}
		letter, rest := field(line)
		switch string(letter) {
		case "c":
		case "s":
			return d.glpkStatus(rest)
		default:
			return "", fmt.Errorf(`expected a line such as "s mip 2 3 o 4.5", found %q`, clip(line))
		}
	}
}

// glpkStatus reads "mip 2 3 o 4.5", "bas 2 3 f f 4.5" (primal and dual status)
// or "ipt 2 3 o 4.5".
func (d *decoder) glpkStatus(rest []byte) (string, error) {
	f := bytes.Fields(rest)
	want := 5
	if len(f) > 0 && string(f[0]) == "bas" {
		want = 6
	}
	if len(f) != want {
		return "", fmt.Errorf(`expected "s mip|bas|ipt rows columns status objective", found %q`, clip(rest))
	}
	rows, err := parseCount(f[1])
	if err != nil {
		return "", err
	}
	cols, err := parseCount(f[2])
	if err != nil {
		return "", err
	}
	if cols != d.mp.FileCols() {
		return "", otherModel("the file has %d columns, the model %d", cols, d.mp.FileCols())
	}
	if least := d.mp.Rows - d.mp.FreeRows; rows < least || rows > d.mp.Rows+1 { // the objective may count
		return "", otherModel("the file has %d rows, the model %d", rows, d.mp.Rows)
	}
	kind := string(f[0])
	status := string(f[3])
	if kind == "bas" {
		status += string(f[4])
	}
	v, ok := glpkStatuses[kind+" "+status]
	if !ok {
		return "", fmt.Errorf("unknown status %q of a solution %q", status, kind)
	}
	d.status, d.objective = v, parseObjective(f[want-1])
	if d.raw == "" {
		d.raw = kind + " " + status
	}
	return kind, nil
}

// glpkStatuses: u undefined, f feasible, o optimal, i infeasible, n no feasible
// solution exists.
var glpkStatuses = map[string]mio.Status{
	"mip o": mio.Optimal, "mip f": mio.Feasible, "mip n": mio.Infeasible, "mip u": mio.NoSolution,
	"ipt o": mio.Optimal, "ipt i": mio.NoSolution, "ipt n": mio.InfeasibleOrUnbounded, "ipt u": mio.NoSolution,
	"bas ff": mio.Optimal, "bas fu": mio.Feasible, "bas fi": mio.Feasible, "bas fn": mio.Unbounded,
	"bas uu": mio.NoSolution, "bas uf": mio.NoSolution, "bas ui": mio.NoSolution, "bas un": mio.InfeasibleOrUnbounded,
	"bas iu": mio.NoSolution, "bas if": mio.NoSolution, "bas ii": mio.NoSolution, "bas in": mio.InfeasibleOrUnbounded,
	"bas nu": mio.Infeasible, "bas nf": mio.Infeasible, "bas ni": mio.Infeasible, "bas nn": mio.Infeasible,
}

// glpkColumn reads "3 0.5", for bas "3 b 0.5 0", for ipt "3 0.5 0".
func (d *decoder) glpkColumn(kind string, rest []byte) error {
	number, rest := field(rest)
	j, err := parseCount(number)
	if err != nil {
		return err
	}
	if j < 1 || j > d.mp.FileCols() {
		return otherModel("column %d, the model has %d", j, d.mp.FileCols())
	}
	if kind == "bas" {
		_, rest = field(rest)
	}
	value, _ := field(rest)
	if j > d.mp.Cols {
		return d.putAt(offsetIndex, nil, value)
	}
	return d.putAt(j-1, strconv.AppendInt(nil, int64(j), 10), value)
}
