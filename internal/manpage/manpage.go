// Package manpage writes the manual page of a program that kong parses, from kong's own
// model, in the macros of man(7).
package manpage

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

// Write writes the page of section 1. The paragraphs of the program's help are its
// description; a paragraph that begins with "Exit codes:" has a section of its own.
func Write(w io.Writer, app *kong.Application, version string) error {
	out := bufio.NewWriter(w)
	about, paragraphs, _ := strings.Cut(app.Help, "\n\n")
	fmt.Fprintf(out, ".TH %s 1 \"\" \"%s %s\" \"User Commands\"\n", quoted(strings.ToUpper(app.Name)), quoted(app.Name), quoted(version))
	fmt.Fprintf(out, ".SH NAME\n%s \\- %s\n", escaped(app.Name), escaped(strings.TrimSuffix(about, ".")))
	out.WriteString(".SH SYNOPSIS\n")
	for _, c := range app.Leaves(true) {
		fmt.Fprintf(out, ".B %s\n.br\n", escaped(synopsis(app, c)))
	}
	out.WriteString(".SH DESCRIPTION\n")
	exit := ""
	for p := range strings.SplitSeq(paragraphs, "\n\n") {
		if codes, ok := strings.CutPrefix(p, "Exit codes:"); ok {
			exit = codes
			continue
		}
		fmt.Fprintf(out, "%s\n.PP\n", escaped(oneLine(p)))
	}
	out.WriteString(".SH COMMANDS\n")
	for _, c := range app.Leaves(true) {
		writeCommand(out, app, c)
	}
	if exit != "" {
		fmt.Fprintf(out, ".SH EXIT STATUS\n%s\n", escaped(oneLine(exit)))
	}
	return out.Flush()
}

func synopsis(app *kong.Application, c *kong.Node) string { return app.Name + " " + c.Summary() }

// writeCommand writes what a command does, its arguments, and its flags by their groups.
func writeCommand(out *bufio.Writer, app *kong.Application, c *kong.Node) {
	fmt.Fprintf(out, ".SS %s\n%s\n", escaped(synopsis(app, c)), escaped(oneLine(c.Help)))
	for _, arg := range c.Positional {
		entry(out, arg.Summary(), arg.Help)
	}
	group := ""
	for _, f := range c.Flags {
		if f.Hidden {
			continue
		}
		if f.Group != nil && f.Group.Title != group {
			group = f.Group.Title
			fmt.Fprintf(out, ".PP\n.I %s\n", escaped(group))
		}
		name := f.Summary()
		if f.Short != 0 {
			name = fmt.Sprintf("-%c, %s", f.Short, name)
		}
		entry(out, name, f.Help)
	}
}

// entry is a line of a list: a term and what it means.
func entry(out *bufio.Writer, term, help string) {
	fmt.Fprintf(out, ".TP\n.B %s\n%s\n", escaped(term), escaped(oneLine(help)))
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// escaped is text as roff sets it: no backslash is an escape, a hyphen is a minus, which
// can be copied, and a line is no macro whatever it begins with.
func escaped(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}

// quoted is text within the quotes of a macro's argument.
func quoted(text string) string { return strings.ReplaceAll(escaped(text), `"`, `\(dq`) }
