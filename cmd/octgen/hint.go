package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/octgen/octgen/internal/nearest"
)

// commandWords are what other programs call the commands.
var commandWords = map[string]string{
	"train": "fit", "learn": "fit", "solve": "fit", "grow": "fit", "build": "fit",
	"plot": "show", "draw": "show", "print": "show", "view": "show", "tree": "show", "render": "show",
	"apply": "predict", "classify": "predict", "test": "predict", "evaluate": "predict", "eval": "predict", "score": "predict",
	"verify": "check", "validate": "check",
	"size": "inspect", "formulate": "mps", "write": "mps", "import": "decode",
	"benchmark": "run", "bench": "run", "experiment": "run", "cv": "run", "cross-validate": "run",
	"simulate": "generate", "make": "generate", "list": "methods", "man-page": "man", "complete": "completion",
}

// explained is a parse error in which words of other programs are answered with
// octgen's own, and misspelt ones with those that were probably meant.
func explained(err error) error {
	parse, ok := errors.AsType[*kong.ParseError](err)
	if !ok || parse.Context == nil {
		return err
	}
	node := parse.Context.Selected()
	if node == nil {
		node = parse.Context.Model.Node
	}
	// kong has no error types for these two, only their texts.
	text, _, guessed := strings.Cut(err.Error(), ", did you mean ")
	if flag, ok := strings.CutPrefix(text, "unknown flag "); ok {
		return joined(text, unknownFlag(node, flag))
	}
	if word, ok := strings.CutPrefix(text, "unexpected argument "); ok && !guessed {
		return joined(text, unexpected(node, word))
	}
	return err
}

// joined is an error of a text and, where there is one, a hint.
func joined(text, hint string) error {
	if hint == "" {
		return errors.New(text)
	}
	return fmt.Errorf("%s; %s", text, hint)
}

// unknownFlag says what was probably meant by a flag that a command does not have.
func unknownFlag(node *kong.Node, flag string) string {
	own := flagsOf(node)
	if meant, note := nearest.Foreign(flag, own); meant != "" {
		return strings.TrimSuffix("octgen has "+meant+": "+note, ": ")
	}
	begins := slices.DeleteFunc(slices.Clone(own), func(name string) bool { return !strings.HasPrefix(name, flag) })
	if n := len(begins); n > 0 && n <= 5 {
		return fmt.Sprintf("did you mean %s?", strings.Join(begins, " or "))
	}
	if meant := nearest.Name(strings.TrimLeft(flag, "-"), bare(own)); meant != "" {
		return fmt.Sprintf("did you mean --%s?", meant)
	}
	var others []string
	for _, command := range root(node).Leaves(true) {
		if all := flagsOf(command); slices.Contains(all, flag) {
			others = append(others, command.FullPath())
		}
	}
	if others != nil {
		return "it is a flag of " + strings.Join(others, ", ")
	}
	return ""
}

// bare are flags without their dashes.
func bare(flags []string) []string {
	names := make([]string, len(flags))
	for i, f := range flags {
		names[i] = strings.TrimLeft(f, "-")
	}
	return names
}

// unexpected says what was probably meant by a word where a command, or nothing, is
// expected.
func unexpected(node *kong.Node, word string) string {
	if node.Type == kong.ApplicationNode {
		var commands []string
		for _, c := range node.Children {
			commands = append(commands, c.Name)
		}
		if name, ok := commandWords[strings.ToLower(word)]; ok && slices.Contains(commands, name) {
			return fmt.Sprintf("octgen has `octgen %s`", name)
		}
		if strings.Contains(word, ".csv") || strings.Contains(word, ".tsv") {
			return fmt.Sprintf("`octgen fit %s` fits a tree to it", word)
		}
		return nearest.Hint(word, commands, "")
	}
	name, value, assigned := strings.Cut(word, "=")
	name = "--" + strings.ReplaceAll(name, "_", "-")
	meant, _ := nearest.Foreign(name, flagsOf(node))
	if meant == "" && slices.Contains(flagsOf(node), name) {
		meant = name
	}
	switch {
	case meant != "" && assigned:
		return "octgen has " + meant + " " + value
	case meant != "":
		return "octgen has " + meant
	}
	return ""
}

// flagsOf lists the flags that a command takes.
func flagsOf(node *kong.Node) []string {
	var names []string
	for _, group := range node.AllFlags(true) {
		for _, f := range group {
			names = append(names, "--"+f.Name)
		}
	}
	return names
}

// root is the node of the program.
func root(node *kong.Node) *kong.Node {
	for node.Parent != nil {
		node = node.Parent
	}
	return node
}
