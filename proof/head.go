package proof

import (
	"errors"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"

	"github.com/octgen/octgen/dataset"
)

// Version is that of the format.
const Version = 1

// Unlimited is the number of splits, or the depth, of a claim without that limit.
const Unlimited = -1

// Head says what is claimed: no tree within the limits has a smaller value than Bound, and the tree of the file has
// Value. Both are in the unit of the losses.
type Head struct {
	Table   Shape
	Columns []string // how columns became features, a line each; see [Describe]

	Depth, Splits int
	Leaf          int64 // least weight of a leaf; 0 for any that has a row
	Price         int64 // of a split
	Forbidden     []int // features that no tree splits on, ascending
	Value, Bound  int64
}

// Shape identifies a table.
type Shape struct {
	Rows, Features   int
	Answers          []string
	Scale, LeafScale *big.Int
	Squares          Squares // zero for other losses
	Digest           string
}

// InUnits is a loss or price of the file in the unit of the data.
func (s *Shape) InUnits(v int64) float64 {
	r := new(big.Rat).SetFrac(big.NewInt(v), s.Scale)
	if q := s.Squares; q != (Squares{}) {
		r.Mul(r, new(big.Rat).SetFrac(big.NewInt(q.Over), new(big.Int).Mul(s.Scale, s.LeafScale)))
		r.Mul(r, big.NewRat(1, q.Times))
	}
	f, _ := r.Float64()
	return f
}

// Shape is that of the table.
func (t *Table) Shape() Shape {
	return Shape{Rows: t.N(), Features: t.P, Answers: t.Answers, Scale: t.Scale, LeafScale: t.LeafScale, Squares: t.Squares, Digest: t.Digest()}
}

// Describe says how the columns of a file became features, losses and weights, a line each, and of which lines of the file if ds is a
// part of it.
func Describe(ds *dataset.Dataset, part bool) []string {
	e := ds.Encoder
	if e == nil {
		return nil
	}
	var lines []string
	if part {
		lines = []string{linesOf(ds.Line)}
	}
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for i := range e.Columns {
		c := &e.Columns[i]
		line := fmt.Sprintf("column %q ", c.Name)
		switch {
		case c.Kind == dataset.Numeric && c.Date == nil && c.Written == nil && !c.Route:
			line += "number"
			if c.Impute != nil {
				line += " missing " + plainNumber(*c.Impute)
			}
			if c.Indicator {
				line += " indicator"
			}
		case c.Kind == dataset.OneHot || c.Kind == dataset.Ordinal:
			line += string(c.Kind)
			for _, name := range c.Categories {
				line += " " + strconv.Quote(name)
			}
			if c.ImputeCategory != nil {
				line += fmt.Sprintf(" missing %q", *c.ImputeCategory)
			}
		default:
			line += "other"
		}
		lines = append(lines, line)
	}
	if e.Rewards {
		for _, name := range e.Classes {
			add("reward %q", name)
		}
	} else if ds.Kind() == dataset.Numbers && ds.Quantile > 0 {
		add("target %q quantile %s", e.Target, plainNumber(ds.Quantile))
	} else if ds.Kind() == dataset.Numbers {
		add("target %q", e.Target)
	} else {
		add("class %q", e.Target)
	}
	if e.Weight != "" {
		add("weight %q", e.Weight)
	}
	for k, w := range e.ClassWeight {
		add("times %q %s", e.Classes[k], plainNumber(w))
	}
	for i, row := range e.CostMatrix {
		for k, v := range row {
			if usual := i != k; usual && v != 1 || !usual && v != 0 {
				add("cost %q %q %s", e.Classes[i], e.Classes[k], plainNumber(v))
			}
		}
	}
	if e.Codes != nil || e.Decimal == "," || e.NoHeader || e.Sheet != "" || e.Unlabelled {
		add("other")
	}
	for _, text := range e.NAValues {
		add("gap %q", text)
	}
	return lines
}

// linesOf is the line of a head with the ranges of lines where rows begin.
func linesOf(rows []int) string {
	text, from := "lines", 0
	for i := range rows {
		if i+1 == len(rows) || rows[i+1] != rows[i]+1 {
			text += fmt.Sprintf(" %d %d", rows[from], rows[i])
			from = i + 1
		}
	}
	return text
}

// Lines returns the ranges of lines of the file where the rows of the claim begin, both ends included; nil for all of them.
func (h *Head) Lines() ([][2]int, error) {
	if len(h.Columns) == 0 || !strings.HasPrefix(h.Columns[0], "lines") {
		return nil, nil
	}
	numbers, last := strings.Fields(h.Columns[0])[1:], 0
	var ranges [][2]int
	for i := 0; i+1 < len(numbers); i += 2 {
		from, errFrom := strconv.Atoi(numbers[i])
		to, errTo := strconv.Atoi(numbers[i+1])
		if errFrom != nil || errTo != nil || from <= last || to < from {
			break
		}
		ranges, last = append(ranges, [2]int{from, to}), to
	}
	if ranges == nil || 2*len(ranges) != len(numbers) {
		return nil, errors.New("the lines of the file are no ascending ranges")
	}
	return ranges, nil
}

func plainNumber(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// Write writes the head up to the tree.
func (h *Head) Write(w io.Writer) error {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("octproof %d", Version)
	line("rows %d", h.Table.Rows)
	line("features %d", h.Table.Features)
	b.WriteString("answers " + strconv.Itoa(len(h.Table.Answers)))
	for _, a := range h.Table.Answers {
		b.WriteString(" " + strconv.Quote(a))
	}
	line("")
	for _, c := range h.Columns {
		line("%s", c)
	}
	line("scale %s %s", h.Table.Scale, h.Table.LeafScale)
	if s := h.Table.Squares; s != (Squares{}) {
		line("squares %d %d", s.Times, s.Over)
	}
	line("digest %s", h.Table.Digest)
	limit := func(name string, v int) {
		if v != Unlimited {
			line("%s %d", name, v)
		}
	}
	limit("depth", h.Depth)
	limit("splits", h.Splits)
	if h.Leaf > 0 {
		line("leaf %d", h.Leaf)
	}
	if h.Price > 0 {
		line("price %d", h.Price)
	}
	for _, f := range h.Forbidden {
		line("forbid %d", f)
	}
	line("value %d", h.Value)
	line("bound %d", h.Bound)
	_, err := io.WriteString(w, b.String())
	return err
}

// describing are the words that begin the lines about columns, of which there may be many.
var describing = map[string]bool{"lines": true, "column": true, "class": true, "target": true, "reward": true, "weight": true, "times": true, "cost": true, "other": true, "gap": true}

// readHead reads a head and the word after it.
func readHead(s *scanner) (*Head, error) {
	h := &Head{Depth: Unlimited, Splits: Unlimited}
	if err := s.word("octproof"); err != nil {
		return nil, errors.New("it is no octproof file, which begins with that word")
	}
	version, err := s.number()
	if err != nil {
		return nil, err
	}
	if version != Version {
		return nil, s.errorf("version %d, expected %d", version, Version)
	}
	if err := h.readShape(s); err != nil {
		return nil, err
	}
	if err := h.readClaim(s); err != nil {
		return nil, err
	}
	if h.Depth == Unlimited && h.Price == 0 && h.Splits == Unlimited {
		return nil, errors.New("the claim has no depth, no number of splits and no price: nothing limits its trees")
	}
	if h.Bound > h.Value {
		return nil, fmt.Errorf("the bound %d is above the value %d of the tree", h.Bound, h.Value)
	}
	return h, nil
}

// mostRows is the largest number of rows, features and answers.
const mostRows = 1 << 31

func (h *Head) readShape(s *scanner) (err error) {
	sizes := []struct {
		name string
		to   *int
	}{{"rows", &h.Table.Rows}, {"features", &h.Table.Features}}
	for _, n := range sizes {
		if err := s.word(n.name); err != nil {
			return err
		}
		if *n.to, err = s.small(mostRows); err != nil {
			return err
		}
	}
	if err := s.word("answers"); err != nil {
		return err
	}
	answers, err := s.small(1 << 20)
	if err != nil {
		return err
	}
	for range answers {
		text, err := s.text()
		if err != nil {
			return err
		}
		h.Table.Answers = append(h.Table.Answers, text)
	}
	token, err := s.must()
	for err == nil && describing[token] {
		line := token
		for token, err = s.must(); err == nil && token != "scale" && !describing[token]; token, err = s.must() {
			line += " " + token
		}
		h.Columns = append(h.Columns, line)
	}
	if err != nil {
		return err
	}
	if token != "scale" {
		return s.errorf("%.40q, expected \"scale\"", token)
	}
	for _, to := range []**big.Int{&h.Table.Scale, &h.Table.LeafScale} {
		token, err := s.must()
		if err != nil {
			return err
		}
		v, ok := new(big.Int).SetString(token, 10)
		if !ok || v.Sign() <= 0 || len(token) > 400 {
			return s.errorf("%.40q, expected a positive whole number", token)
		}
		*to = v
	}
	if token, err = s.must(); err == nil && token == "squares" {
		for _, to := range []*int64{&h.Table.Squares.Times, &h.Table.Squares.Over} {
			if *to, err = s.number(); err != nil || *to == 0 {
				return s.errorf("squares are counted in parts of a positive number")
			}
		}
		token, err = s.must()
	}
	if err == nil && token != "digest" {
		return s.errorf("%.40q, expected \"digest\"", token)
	}
	if err == nil {
		h.Table.Digest, err = s.must()
	}
	return err
}

func (h *Head) readClaim(s *scanner) error {
	token, err := s.must()
	for _, f := range []struct {
		name string
		set  func() error
	}{
		{"depth", func() (err error) { h.Depth, err = s.small(mostDepth + 1); return err }},
		{"splits", func() (err error) { h.Splits, err = s.small(mostRows); return err }},
		{"leaf", func() (err error) { h.Leaf, err = s.number(); return err }},
		{"price", func() (err error) { h.Price, err = s.number(); return err }},
	} {
		if err == nil && token == f.name {
			if err = f.set(); err == nil {
				token, err = s.must()
			}
		}
	}
	for err == nil && token == "forbid" {
		var f int
		f, err = s.small(h.Table.Features)
		if n := len(h.Forbidden); err == nil && n > 0 && f <= h.Forbidden[n-1] {
			err = s.errorf("forbidden features are not in order")
		}
		h.Forbidden = append(h.Forbidden, f)
		if err == nil {
			token, err = s.must()
		}
	}
	if err == nil && token != "value" {
		err = s.errorf("%.40q, expected \"value\"", token)
	}
	if err == nil {
		h.Value, err = s.number()
	}
	if err == nil {
		err = s.word("bound")
	}
	if err == nil {
		h.Bound, err = s.number()
	}
	return err
}
