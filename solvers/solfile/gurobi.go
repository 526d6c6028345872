package solfile

import (
	"bytes"
	"io"
)

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
