package main

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/internal/completion"
	"github.com/octgen/octgen/internal/nearest"
	"github.com/octgen/octgen/mps"
	"github.com/octgen/octgen/solvers/solfile"
	"github.com/octgen/octgen/tree/export"
)

// grammar is the command line.
type grammar struct {
	Fit       fitCmd       `cmd:"" help:"Fit a tree to labelled data, with a certificate."`
	Describe  describeCmd  `cmd:"" help:"Say what is read of a data file: rows, kinds of columns, classes, and what looks wrong."`
	MPS       mpsCmd       `cmd:"" name:"mps" help:"Write the model of a fit as an MPS file, for any solver."`
	Decode    decodeCmd    `cmd:"" help:"Turn a solution that any solver found of a written model into a tree, checked."`
	Show      showCmd      `cmd:"" help:"Show a tree as text, Graphviz DOT, SVG or JSON."`
	Export    exportCmd    `cmd:"" help:"Write a tree for production: SQL, C, Go, Python, JavaScript, PMML, ONNX, rules or a page."`
	Predict   predictCmd   `cmd:"" help:"Predict the classes of new data."`
	Check     checkCmd     `cmd:"" help:"Recompute a tree's figures from its training data and compare."`
	Compare   compareCmd   `cmd:"" help:"Compare two trees on the same labelled data: their figures, and whether the difference may be chance."`
	Inspect   inspectCmd   `cmd:"" help:"Say how large a model would be and whether a proof is realistic, without building it."`
	Model     modelCmd     `cmd:"" help:"Look at, check, convert and solve any MPS file."`
	Instances instancesCmd `cmd:"" help:"Write the programs of a spec as a library of instances, with known optima, for those who develop solvers."`
	Run       runCmd       `cmd:"" help:"Run an experiment: methods on data, with tables, plots and trees of the results."`
	Report    reportCmd    `cmd:"" help:"Make the tables and the report of a run's folder again."`
	Collect   collectCmd   `cmd:"" help:"Gather what the processes that share a run's folder have done, and make its tables."`
	Status    statusCmd    `cmd:"" help:"Say how far the run in a folder is."`
	Generate  generateCmd  `cmd:"" help:"Draw artificial data and the tree that made them."`
	Schema    schemaCmd    `cmd:"" help:"Print the JSON Schema of experiments, for editors."`
	Solvers   solversCmd   `cmd:"" help:"List the solvers and what they can do."`
	Methods   methodsCmd   `cmd:"" help:"List the methods, formulations and encodings."`
	Version   versionCmd   `cmd:"" help:"Print the versions of octgen, Go and HiGHS."`

	Completion completionCmd `cmd:"" help:"Print a script with which a shell completes octgen's command lines."`
	Man        manCmd        `cmd:"" help:"Print the manual page: octgen man | man -l -."`
}

// modelCmd is `octgen model`: any program in an MPS file, whoever wrote it.
type modelCmd struct {
	Info    modelInfoCmd    `cmd:"" help:"Say what a model has: columns and rows by kind, nonzeros, ranges of coefficients, quadratic and other parts."`
	Check   modelCheckCmd   `cmd:"" help:"Hold a solution file of any solver against a model: does the point satisfy it, is the objective what the file says?"`
	Convert modelConvertCmd `cmd:"" help:"Write a model as free or fixed MPS for a solver, or as LP."`
	Solve   modelSolveCmd   `cmd:"" help:"Solve a model with any solver and check its answer."`
}

// newGrammar is the command line with the flags of the methods' options: of one command
// or, where there is none of that name and for the manual page, of all. To put all together takes longer than
// many a fit.
func newGrammar(command string) any {
	g := new(grammar)
	field := commandField(command)
	if command == "man" {
		field = -1
	}
	named := func(name string) bool { return field < 0 || command == name }
	if named("fit") {
		g.Fit.methodFlags.Options = kong.Plugins{problem.Union(problem.All())}
	}
	if named("mps") {
		g.MPS.methodFlags.Options = kong.Plugins{problem.ProgramUnion(problems())}
	}
	if named("inspect") {
		g.Inspect.methodFlags.Options = kong.Plugins{problem.ProgramUnion([]problem.Method{new(problem.OCT)})}
	}
	if field < 0 {
		return g
	}
	all := reflect.ValueOf(g).Elem()
	one := reflect.New(reflect.StructOf([]reflect.StructField{all.Type().Field(field)}))
	one.Elem().Field(0).Set(all.Field(field))
	return one.Interface()
}

// commandField returns the index of the field of a command, -1 where there is none.
func commandField(command string) int {
	t := reflect.TypeFor[grammar]()
	for i := range t.NumField() {
		if strings.ToLower(t.Field(i).Name) == command {
			return i
		}
	}
	return -1
}

const description = `Optimal decision trees by mathematical programming.

DATA.csv has a header line, one case per line and, by default, the class in the last column; an empty field or ? is
missing. Names ending in .gz are gzip data, - is standard input.

Exit codes: 0 done (a limit with a tree included); 1 failed (infeasible, or a check disagrees); 2 wrong usage, bad input
or missing solver; 3 no tree found and none ruled out, such as at a limit; 130 interrupted, the best tree printed and
saved.`

// dispatch parses the arguments and runs the command they name.
func (a *app) dispatch(args []string) error {
	switch { // what people try first
	case len(args) == 0:
		args = []string{"--help"}
	case args[0] == "help":
		args = append(slices.Clone(args[1:]), "--help")
	case args[0] == "--version":
		args = []string{"version"}
	case args[0] == completion.Command:
		return a.complete(args[1:])
	}
	parsed, err := a.parse(args)
	if err != nil || parsed == nil {
		return err
	}
	return parsed.Run(a)
}

// listed are the lists that help texts and enums name: what is added to one of them is
// a value of the flags, too.
func listed() kong.Vars {
	var all, start []string
	for _, f := range solfile.Formats() {
		if all = append(all, string(f)); f.Starts() {
			start = append(start, string(f))
		}
	}
	return kong.Vars{
		"targets": strings.Join(export.Targets(), ", "), "sqldialects": strings.Join(export.Dialects(), ", "),
		"forms": strings.Join(names(problems()), ","), "dialects": strings.Join(mps.Dialects(), ","),
		"formats": strings.Join(all, ", "), "startformats": strings.Join(start, ", "),
		"shells": strings.Join(completion.Shells(), ","),
	}
}

// parser is the grammar with its texts; an error is a mistake in the grammar. helped is
// called once help was asked for and printed. command is as in newGrammar.
func (a *app) parser(command string, helped func()) (*kong.Kong, error) {
	return kong.New(newGrammar(command),
		kong.Name("octgen"), kong.Description(description),
		kong.Vars(fit.Vars()), listed(),
		kong.Writers(a.stdout, a.stderr),
		kong.Exit(func(int) { helped() }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true}),
		kong.Help(help),
	)
}

// parse returns nil without an error where help was asked for and printed.
func (a *app) parse(args []string) (*kong.Context, error) {
	help := slices.ContainsFunc(args, func(arg string) bool { return arg == "--help" || arg == "-h" })
	if !help {
		if parsed, err := a.parseAs(args[0], args); err == nil {
			return parsed, nil
		}
	}
	parsed, err := a.parseAs("", args) // help and mistakes may name other commands and their flags
	if err != nil {
		return nil, badInput(fmt.Errorf("%w; see `%s --help`", explained(err), failedCommand(err)))
	}
	return parsed, nil
}

// parseAs is parse with the grammar of a command.
func (a *app) parseAs(command string, args []string) (*kong.Context, error) {
	helped := false
	k, err := a.parser(command, func() { helped = true })
	if err != nil {
		return nil, err
	}
	parsed, err := k.Parse(joinNegatives(args))
	if helped { // whatever is wrong with the rest
		return nil, nil
	}
	return parsed, err
}

// help prints the help of a command, which says of the methods' flags whose they are.
func help(options kong.HelpOptions, parsed *kong.Context) error {
	nameOwners(parsed.Model)
	return kong.DefaultHelpPrinter(options, parsed)
}

// complete answers the script of a shell.
func (a *app) complete(words []string) error {
	k, err := a.parser("", func() {})
	if err != nil {
		return err
	}
	return completion.Write(a.stdout, k.Model, words, valuesOf)
}

// joinNegatives turns "--alpha -1" into "--alpha=-1": no flag of octgen is a
// digit, and what is wrong with the number is for its flag to say.
func joinNegatives(args []string) []string {
	var out []string
	for i, arg := range args {
		number := len(arg) > 1 && arg[0] == '-' && strings.ContainsRune("0123456789.", rune(arg[1]))
		if number && i > 0 && strings.HasPrefix(args[i-1], "--") && !strings.Contains(args[i-1], "=") {
			out[len(out)-1] += "=" + arg
			continue
		}
		out = append(out, arg)
	}
	return out
}

// failedCommand is the command whose help explains a parse error.
func failedCommand(err error) string {
	if parse, ok := errors.AsType[*kong.ParseError](err); ok && parse.Context != nil {
		if node := parse.Context.Selected(); node != nil {
			return node.FullPath()
		}
	}
	return "octgen"
}

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
