package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/octgen/octgen/fit/problem"
)

// helpAsked is what help shows of a command.
type helpAsked struct {
	all    bool   // every flag
	topic  string // flags of one topic of fit; "" for none
	method string // whose flags are shown; "" for none
}

// usual are the flags that the help of a command with many flags shows.
var usual = map[string][]string{
	"fit": {"method", "depth", "alpha", "max-splits", "min-leaf", "engine", "solver", "time-limit", "seed",
		"test", "holdout", "target", "weight", "output", "json", "verbose", "quiet"},
	"mps": {"form", "encoding", "depth", "alpha", "max-splits", "min-leaf", "start", "start-format", "solution", "output", "dialect", "format",
		"time-limit", "target", "weight", "quiet"},
	"inspect":  {"form", "depth", "alpha", "max-splits", "min-leaf", "encoding", "target", "weight", "json"},
	"describe": {"target", "missing", "categorical", "ignore", "dates", "no-header", "delimiter", "weight", "cost-matrix", "json"},
	"run":      {"out", "workers", "resume", "retry", "shard", "only", "dry-run", "quiet", "scheduler"},
}

// topic is a subject of help: groups of flags of fit, with what they are for.
type topic struct {
	name   string
	groups []string
	text   string
}

var topics = []topic{
	{"constraints", []string{"Constraints"}, `Constraints on the rates of predictions, on leaves and on splits. They hold on the training set, and octgen proves
that no better tree holds them.

  octgen fit credit.csv --recall 'bad>=0.8' --share 'bad<=0.4'
  octgen fit credit.csv --fair 'equal-opportunity:sex<=0.05' --positive good`},
	{"data", []string{"Data"}, `How octgen reads a data file: target, weights, missing values, categories, dates, costs of errors.

  octgen describe data.csv                       shows how each column is read
  octgen fit data.csv --target churn --ignore id --missing mean`},
	{"solving", []string{"Solving", "Start"}, `Engines, solvers and limits. The default engine of oct is the exact search, which needs no solver; --engine mio
solves a mixed-integer model. octgen solvers lists the installed solvers.

  octgen fit data.csv --time-limit 60s
  octgen fit data.csv --engine mio --solver cbc --encoding flow`},
	{"methods", []string{"Model", "Native", "Linear splits, fixed structures", "Tuning"}, `Options of the methods. octgen methods lists the methods; octgen fit --method NAME --help shows the options of one.

  octgen fit data.csv --method oct-h --depth 2
  octgen fit data.csv --method oct-tuned --depth 4`},
	{"output", []string{"Output"}, `What octgen fit writes.

  octgen fit data.csv -o tree.json
  octgen fit data.csv --json`},
}

// topicNames lists the topics.
func topicNames() []string {
	var names []string
	for _, t := range topics {
		names = append(names, t.name)
	}
	return names
}

// asksHelp takes what asks for help out of the arguments: help TOPIC, help COMMAND, --help-all,
// and the method whose flags are asked for.
func asksHelp(args []string) ([]string, helpAsked) {
	var h helpAsked
	if len(args) > 0 && args[0] == "help" {
		args = append(slices.Clone(args[1:]), "--help")
		if i := slices.IndexFunc(topics, func(t topic) bool { return t.name == args[0] }); i >= 0 {
			h.topic, args = args[0], []string{"fit", "--help"}
		}
	}
	if i := slices.Index(args, "--help-all"); i >= 0 {
		args = slices.Clone(args)
		h.all, args[i] = true, "--help"
	}
	for i, arg := range args {
		if name, ok := strings.CutPrefix(arg, "--method="); ok {
			h.method = name
		} else if arg == "--method" && i+1 < len(args) {
			h.method = args[i+1]
		}
	}
	return args, h
}

// print prints the help of a command.
func (h *helpAsked) print(options kong.HelpOptions, parsed *kong.Context) error {
	node := parsed.Selected()
	if h.all || h.topic != "" || node == nil || usual[node.Name] == nil {
		nameOwners(parsed.Model)
	}
	if node == nil || usual[node.Name] == nil {
		return kong.DefaultHelpPrinter(options, parsed)
	}
	t := slices.IndexFunc(topics, func(t topic) bool { return t.name == h.topic })
	hidden := 0
	for _, f := range node.Flags {
		if f.Hidden = !h.shows(node.Name, f, t); f.Hidden {
			hidden++
		}
	}
	if t >= 0 {
		node.Help, node.Detail = topics[t].text, ""
	}
	err := kong.DefaultHelpPrinter(options, parsed)
	switch {
	case hidden == 0 || err != nil:
	case node.Name == "fit":
		fmt.Fprintf(parsed.Stdout, "\n%d more flags: octgen fit --method NAME --help (those of a method), octgen help TOPIC (%s), octgen fit --help-all\n",
			hidden, strings.Join(topicNames(), ", "))
	default:
		fmt.Fprintf(parsed.Stdout, "\n%d more flags: octgen %s --help-all\n", hidden, node.Name)
	}
	return err
}

// shows reports whether a flag is shown; t is the topic, -1 for none.
func (h *helpAsked) shows(command string, f *kong.Flag, t int) bool {
	switch {
	case f.Hidden:
		return false
	case h.all:
		return true
	case t >= 0:
		return f.Group != nil && slices.Contains(topics[t].groups, f.Group.Key)
	case h.method != "" && problem.With(f.Name) != nil:
		return slices.Contains(problem.With(f.Name), h.method)
	}
	return slices.Contains(usual[command], f.Name) || f.Name == "help"
}
