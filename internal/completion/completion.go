// Package completion completes command lines of programs that kong parses: what may
// stand at a place is read off kong's own model, and the shells' scripts ask for it.
package completion

import (
	"strings"

	"github.com/alecthomas/kong"

	"github.com/octgen/octgen/internal/lazy"
)

// Candidate is a word that may stand at the place that is completed.
type Candidate struct {
	Word string
	Help string // a line; may be empty
}

// Values lists what a flag may be given, by its name without dashes, where the model of
// kong does not say; nil for what it does not know.
type Values func(flag string) []string

// Complete returns what the last of words, which may be empty or the beginning of a
// word, may be completed to. words are those after the program's name. files says that
// a path is wanted instead.
//
// A value that follows its flag after a = may stand alone, as bash takes such words
// apart, or with the flag in one word.
func Complete(app *kong.Application, words []string, values Values) (candidates []Candidate, files bool) {
	if len(words) == 0 {
		words = []string{""}
	}
	words, apart := join(words)
	last := words[len(words)-1]
	node, flag := place(app.Node, words[:len(words)-1])
	if name, value, assigned := strings.Cut(last, "="); flag == nil && assigned {
		if flag = find(node, name); flag == nil {
			return nil, false
		}
		candidates, files = valuesOf(flag, value, values)
		for i := range candidates {
			if !apart {
				candidates[i].Word = name + "=" + candidates[i].Word
			}
		}
		return candidates, files
	}
	switch {
	case flag != nil:
		return valuesOf(flag, last, values)
	case strings.HasPrefix(last, "-"):
		return flagsOf(node, last), false
	case len(node.Children) > 0:
		return commandsOf(node, last), false
	case len(node.Positional) > 0:
		return positional(node, last)
	}
	return nil, false
}

// join puts words together that bash has taken apart at =, and says whether the last one
// was.
func join(words []string) (joined []string, apart bool) {
	for i, w := range words {
		n := len(joined)
		switch {
		case n > 0 && w == "=" && strings.HasPrefix(joined[n-1], "--"):
			joined[n-1] += "="
			apart = i == len(words)-1
		case n > 0 && strings.HasPrefix(joined[n-1], "--") && strings.HasSuffix(joined[n-1], "=") && words[i-1] == "=":
			joined[n-1] += w
			apart = i == len(words)-1
		default:
			joined = append(joined, w)
			apart = false
		}
	}
	return joined, apart
}

// place is the command that words lead to, and the flag whose value comes next, nil for
// none.
func place(node *kong.Node, words []string) (*kong.Node, *kong.Flag) {
	var open *kong.Flag
	for _, w := range words {
		if open != nil {
			open = nil
			continue
		}
		if strings.HasPrefix(w, "-") {
			if f := find(node, w); f != nil && !f.IsBool() && !f.IsCounter() {
				open = f
			}
			continue
		}
		for _, c := range node.Children {
			if c.Name == w {
				node = c
				break
			}
		}
	}
	return node, open
}

// find is the flag of that text, --name or -n, nil for none.
func find(node *kong.Node, text string) *kong.Flag {
	for _, group := range node.AllFlags(false) {
		for _, f := range group {
			if text == "--"+f.Name || f.Short != 0 && text == "-"+string(f.Short) {
				return f
			}
		}
	}
	return nil
}

func flagsOf(node *kong.Node, begin string) []Candidate {
	var all []Candidate
	for _, group := range node.AllFlags(true) {
		for _, f := range group {
			all = add(all, begin, "--"+f.Name, f.Help)
		}
	}
	return all
}

func commandsOf(node *kong.Node, begin string) []Candidate {
	var all []Candidate
	for _, c := range node.Children {
		if !c.Hidden {
			all = add(all, begin, c.Name, c.Help)
		}
	}
	return all
}

// positional is what may stand for an argument: one of a list, else a path.
func positional(node *kong.Node, begin string) ([]Candidate, bool) {
	if arg := node.Positional[0]; arg.Enum != "" {
		var all []Candidate
		for _, v := range arg.EnumSlice() {
			all = add(all, begin, v, "")
		}
		return all, false
	}
	return nil, true
}

// choices is the placeholder of a flag that lists its values: all|right.
var choices = lazy.Regexp(`^[a-z][a-z0-9-]*(\|[a-z][a-z0-9-]*)+$`)

// path is the placeholder of a flag that takes a file.
var path = lazy.Regexp(`FILE|DIR|FOLDER|\.[a-z]`)

// valuesOf lists the values of a flag that begin so.
func valuesOf(f *kong.Flag, begin string, values Values) ([]Candidate, bool) {
	of := values(f.Name)
	switch {
	case of != nil:
	case f.Enum != "":
		of = f.EnumSlice()
	case choices().MatchString(f.PlaceHolder):
		of = strings.Split(f.PlaceHolder, "|")
	default:
		return nil, path().MatchString(f.PlaceHolder)
	}
	var all []Candidate
	for _, v := range of {
		all = add(all, begin, v, "")
	}
	return all, false
}

func add(all []Candidate, begin, word, help string) []Candidate {
	if word == "" || !strings.HasPrefix(word, begin) {
		return all
	}
	return append(all, Candidate{word, firstSentence(help)})
}

// firstSentence is the beginning of a help text, on one line.
func firstSentence(help string) string {
	help = strings.Join(strings.Fields(help), " ")
	if at := strings.IndexAny(help, ".;("); at > 0 && (at+1 == len(help) || help[at] != '.' || help[at+1] == ' ') {
		help = help[:at]
	}
	return strings.TrimSpace(help)
}
