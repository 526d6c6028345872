package gto

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/octgen/octgen/formulate"
)

// ParseStructure reads a structure such as ((a,b),(a,b)): a leaf is the name of
// its class, in double quotes as in Go where it has blanks, commas, quotes or
// parentheses; a decision is (left,right).
func ParseStructure(text string, classes []string) (*Structure, error) {
	p := &structureParser{text: text, classes: classes}
	s, err := p.node(0)
	if err != nil {
		return nil, err
	}
	if p.blanks(); p.at < len(p.text) {
		return nil, p.fail("%q after the end of the structure", p.text[p.at:])
	}
	return s, nil
}

// ParseNewStructure is ParseStructure where the classes are those that the
// structure names; it returns them in the order of their names.
func ParseNewStructure(text string) (*Structure, []string, error) {
	p := &structureParser{text: text, open: true}
	if _, err := p.node(0); err != nil {
		return nil, nil, err
	}
	slices.Sort(p.classes)
	s, err := ParseStructure(text, p.classes)
	return s, p.classes, err
}

type structureParser struct {
	text    string
	at      int
	classes []string
	open    bool // classes take the names that are met
}

func (p *structureParser) fail(format string, args ...any) error {
	return fmt.Errorf("formulate: structure %q, character %d: %s", p.text, p.at+1, fmt.Sprintf(format, args...))
}

func (p *structureParser) blanks() {
	p.at += len(p.text[p.at:]) - len(strings.TrimLeft(p.text[p.at:], " \t\r\n"))
}

func (p *structureParser) expect(c byte) error {
	if p.blanks(); p.at < len(p.text) && p.text[p.at] == c {
		p.at++
		return nil
	}
	return p.fail("expected %q", c)
}

func (p *structureParser) node(depth int) (*Structure, error) {
	if depth > formulate.MaxDepth {
		return nil, p.fail("deeper than %d", formulate.MaxDepth)
	}
	if p.blanks(); !strings.HasPrefix(p.text[p.at:], "(") {
		return p.leaf()
	}
	p.at++
	s := &Structure{}
	var err error
	if s.Left, err = p.node(depth + 1); err != nil {
		return nil, err
	}
	if err = p.expect(','); err != nil {
		return nil, err
	}
	if s.Right, err = p.node(depth + 1); err != nil {
		return nil, err
	}
	return s, p.expect(')')
}

func (p *structureParser) leaf() (*Structure, error) {
	rest := p.text[p.at:]
	var name string
	length := strings.IndexAny(rest, "(),")
	if length < 0 {
		length = len(rest)
	}
	if strings.HasPrefix(rest, `"`) {
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return nil, p.fail("the quoted name does not end")
		}
		name, _ = strconv.Unquote(quoted)
		length = len(quoted)
	} else {
		name = strings.TrimRight(rest[:length], " \t\r\n")
	}
	class := slices.Index(p.classes, name)
	switch {
	case p.open && (name == "?" || strings.TrimSpace(name) != name):
		return nil, p.fail("%q cannot be the name of a class in a file: no blanks around it, and ? stands for a missing value", name)
	case class < 0 && p.open && name != "":
		class = len(p.classes)
		p.classes = append(p.classes, name)
	case class < 0 && p.open:
		return nil, p.fail("expected ( or the name of a class")
	case class < 0:
		return nil, p.fail("%q is no class; expected ( or one of %q", name, p.classes)
	}
	p.at += length
	return &Structure{Class: class}, nil
}
