package solfile

import (
	"fmt"
)

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
