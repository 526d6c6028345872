package strict

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Parse reads a text of one document; file is for errors, which are *Error.
func Parse(text []byte, file string) (Node, error) {
	var doc, more yaml.Node
	d := yaml.NewDecoder(bytes.NewReader(oldDirective(text)))
	err := d.Decode(&doc)
	if errors.Is(err, io.EOF) || err == nil && len(doc.Content) == 0 {
		return Node{}, &Error{File: file, Msg: "the file is empty"}
	}
	if err != nil {
		return Node{}, syntaxError(file, text, err)
	}
	if err := d.Decode(&more); err == nil {
		return Node{}, &Error{File: file, Line: more.Line, Column: more.Column, Msg: "a second document begins here; want one"}
	} else if !errors.Is(err, io.EOF) {
		return Node{}, syntaxError(file, text, err)
	}
	return Node{file: file, yaml: doc.Content[0]}, nil
}

var yaml12 = regexp.MustCompile(`(?m)\A((?:[ \t]*(?:#.*)?\r?\n)*%YAML[ \t]+1\.)2\b`)

// oldDirective makes a first line "%YAML 1.2" one of YAML 1.1, the only version
// that the library takes: in what a file may hold here the two are one.
func oldDirective(text []byte) []byte { return yaml12.ReplaceAll(text, []byte("${1}1")) }

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// syntaxError gives an error of the library the file and, where there is one to
// blame, the line.
func syntaxError(file string, text []byte, err error) error {
	e := &Error{File: file, Msg: err.Error(), Err: err}
	if m := yamlLine.FindStringSubmatch(e.Msg); m != nil {
		e.Line, _ = strconv.Atoi(m[1]) // 0 where there is none
		e.Msg = e.Msg[len(m[0]):]
	}
	if e.Line == 0 {
		e.Line = lineToBlame(text, e.Msg)
	}
	return e
}

var (
	strangeBytes = regexp.MustCompile(`[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x{84}\x{86}-\x{9f}\x{FFFD}]`) // what is no UTF-8 matches U+FFFD
	directive    = regexp.MustCompile(`(?m)^%`)
	anchorName   = regexp.MustCompile(`^unknown anchor '(.*)' referenced$`)
)

// lineToBlame finds the line of a mistake that the library names no line for; 0 for
// none.
func lineToBlame(text []byte, msg string) int {
	var at []int
	switch m := anchorName.FindStringSubmatch(msg); {
	case m != nil:
		at = regexp.MustCompile(`\*` + regexp.QuoteMeta(m[1])).FindIndex(text)
	case strings.Contains(msg, "directive") || strings.Contains(msg, "incompatible"):
		at = directive.FindIndex(text)
	case strings.Contains(msg, "UTF-8") || strings.Contains(msg, "control characters"):
		at = strangeBytes.FindIndex(text)
	}
	if at == nil {
		return 0
	}
	return 1 + bytes.Count(text[:at[0]], []byte("\n"))
}
