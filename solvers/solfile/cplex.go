package solfile

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/octgen/octgen/mio"
)

var cplexStart = startLayout{
	head: func(dst []byte, s *startFile) []byte {
		dst = append(dst, `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<CPLEXSolutions version="1.2">
 <CPLEXSolution version="1.2">
  <header problemName="`...)
		dst = append(dst, s.model...)
		return append(dst, `" solutionName="start" solutionIndex="0" MIPStartEffortLevel="0" writeLevel="1"/>
  <variables>
`...)
	},
	line: func(dst []byte, _ *startFile, e entry) []byte {
		dst = appendEscaped(append(dst, `   <variable name="`...), e.name)
		dst = strconv.AppendInt(append(dst, `" index="`...), int64(e.index), 10)
		return append(append(append(dst, `" value="`...), e.value...), "\"/>\n"...)
	},
	tail: "  </variables>\n </CPLEXSolution>\n</CPLEXSolutions>\n",
}

// appendEscaped appends text as the value of an XML attribute.
func appendEscaped(dst, text []byte) []byte {
	for _, c := range text {
		switch c {
		case '&':
			dst = append(dst, "&amp;"...)
		case '<':
			dst = append(dst, "&lt;"...)
		case '>':
			dst = append(dst, "&gt;"...)
		case '"':
			dst = append(dst, "&quot;"...)
		case '\'':
			dst = append(dst, "&apos;"...)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// cplexStatus: solutionStatusValue of the Callable Library. Those of limits
// come in pairs, with and without a solution.
var cplexStatus = map[int]verdict{
	1: {mio.Optimal, mio.NoLimit}, 2: {mio.Unbounded, mio.NoLimit}, 3: {mio.Infeasible, mio.NoLimit},
	4: {mio.InfeasibleOrUnbounded, mio.NoLimit}, 5: {mio.Feasible, mio.NoLimit}, 6: {mio.Feasible, mio.NoLimit},
	10: {mio.Unknown, mio.LimitIterations}, 11: {mio.Unknown, mio.LimitTime}, 12: {mio.Unknown, mio.LimitCutoff},
	13: {mio.Unknown, mio.LimitInterrupt}, 25: {mio.Unknown, mio.LimitTime},
	101: {mio.Optimal, mio.NoLimit}, 102: {mio.Feasible, mio.LimitGap}, 103: {mio.Infeasible, mio.NoLimit},
	104: {mio.Feasible, mio.NoLimit}, 105: {mio.Feasible, mio.LimitNodes}, 106: {mio.NoSolution, mio.LimitNodes},
	107: {mio.Feasible, mio.LimitTime}, 108: {mio.NoSolution, mio.LimitTime},
	109: {mio.Feasible, mio.NoLimit}, 110: {mio.NumericalError, mio.NoLimit},
	111: {mio.Feasible, mio.LimitMemory}, 112: {mio.NoSolution, mio.LimitMemory},
	113: {mio.Feasible, mio.LimitInterrupt}, 114: {mio.NoSolution, mio.LimitInterrupt},
	115: {mio.Feasible, mio.NoLimit}, 116: {mio.Feasible, mio.LimitMemory}, 117: {mio.NoSolution, mio.LimitMemory},
	118: {mio.Unbounded, mio.NoLimit}, 119: {mio.InfeasibleOrUnbounded, mio.NoLimit},
	127: {mio.Feasible, mio.NoLimit}, 128: {mio.Feasible, mio.NoLimit},
	129: {mio.Optimal, mio.NoLimit}, 130: {mio.Feasible, mio.LimitGap},
	131: {mio.Feasible, mio.LimitTime}, 132: {mio.NoSolution, mio.LimitTime},
}

// cplexSolution is one element CPLEXSolution as far as it was read.
type cplexSolution struct {
	verdict
	raw         string
	nodes, iter int64
	writeLevel  int // 1 all values (or not said), 2 discrete, 3 not 0, 4 discrete and not 0
	open        bool
}

// cplex reads CPLEX's XML, one solution or several. What it says of the solve is
// that of the solution chosen.
func (d *decoder) cplex() error {
	x := xml.NewDecoder(d.src)
	x.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // names are ASCII
	var s cplexSolution
	found := false
	for {
		token, err := x.Token()
		d.src.number, _ = x.InputPos()
		if err == io.EOF {
			break
		}
		if err != nil {
			return cplexSyntax(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			if !s.open && e.Name.Local != "CPLEXSolution" && e.Name.Local != "CPLEXSolutions" {
				return fmt.Errorf("expected an element CPLEXSolution, found %q", clip([]byte(e.Name.Local)))
			}
			if err := d.cplexElement(e, &s); err != nil {
				return err
			}
		case xml.EndElement:
			if e.Name.Local == "CPLEXSolution" {
				found = true
				if err := d.cplexEnd(&s); err != nil {
					return err
				}
			}
		}
	}
	if !found {
		return errors.New("expected an element CPLEXSolution, found none")
	}
	return nil
}

func (d *decoder) cplexElement(e xml.StartElement, s *cplexSolution) error {
	switch e.Name.Local {
	case "CPLEXSolution":
		if s.open {
			return errors.New("an element CPLEXSolution within another")
		}
		d.begin()
		*s = cplexSolution{open: true, writeLevel: 1}
	case "header":
		return d.cplexHeader(e, s)
	case "variable":
		var name, value []byte
		for _, a := range e.Attr {
			switch a.Name.Local {
			case "name":
				name = []byte(a.Value)
			case "value":
				value = []byte(a.Value)
			}
		}
		if name == nil {
			return errors.New("a variable without a name")
		}
		return d.put(name, value)
	}
	return nil
}

func (d *decoder) cplexHeader(e xml.StartElement, s *cplexSolution) error {
	words := ""
	for _, a := range e.Attr {
		var err error
		switch a.Name.Local {
		case "objectiveValue":
			d.objective = parseObjective([]byte(a.Value))
		case "solutionStatusValue":
			var code int
			code, err = parseInteger([]byte(a.Value))
			s.verdict, s.raw = cplexStatus[code], a.Value
		case "solutionStatusString":
			words = a.Value
		case "problemName":
			d.model = clip([]byte(a.Value))
		case "writeLevel":
			s.writeLevel, err = parseCount([]byte(a.Value))
		case "MIPNodes":
			var n int
			n, err = parseCount([]byte(a.Value))
			s.nodes = int64(n)
		case "MIPIterations", "simplexIterations":
			var n int
			n, err = parseCount([]byte(a.Value))
			s.iter = max(s.iter, int64(n))
		}
		if err != nil {
			return fmt.Errorf("attribute %s: expected a whole number, found %q", a.Name.Local, clip([]byte(a.Value)))
		}
	}
	if words != "" {
		s.raw = strings.TrimSpace(s.raw + " " + words)
	}
	return nil
}

// cplexEnd ends a solution and keeps what it says of the solve if it was chosen.
func (d *decoder) cplexEnd(s *cplexSolution) error {
	s.open = false
	if asStated := d.opts.AsStated && d.given > 0; s.status != mio.Unknown && !s.status.HasSolution() && !asStated {
		if d.solutions == 0 {
			d.cplexKeep(s)
		}
		return nil
	}
	if s.writeLevel == 2 && d.given < len(d.values) {
		return errors.New("writeLevel 2: the file has the discrete columns only; write it with writeLevel 1 or 3")
	}
	if s.writeLevel == 4 {
		return errors.New("writeLevel 4: the file has the discrete columns only; write it with writeLevel 1 or 3")
	}
	if d.given == 0 && len(d.values) > 0 && s.writeLevel != 3 {
		if d.solutions == 0 {
			d.cplexKeep(s)
		}
		return nil
	}
	before := d.best
	if err := d.end(s.writeLevel == 3); err != nil {
		return err
	}
	if len(before) == 0 || &before[0] != &d.best[0] {
		d.cplexKeep(s)
	}
	return nil
}

func (d *decoder) cplexKeep(s *cplexSolution) {
	d.status, d.limit, d.raw, d.nodes, d.iter = s.status, s.limit, s.raw, s.nodes, s.iter
}

// cplexSyntax turns an error of the XML reader, which says its line, into ours.
func cplexSyntax(err error) error {
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("XML: %s", syntax.Msg)
	}
	return err
}
