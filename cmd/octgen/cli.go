package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

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
	Fit       fitCmd       `cmd:"" help:"Fit a tree to labelled data and prove its optimality."`
	Describe  describeCmd  `cmd:"" help:"Show how octgen reads a data file: rows, column types, classes, warnings."`
	MPS       mpsCmd       `cmd:"" name:"mps" help:"Write the model of a fit as an MPS or LP file, for any solver."`
	Decode    decodeCmd    `cmd:"" help:"Read a solver's solution of a written model, verify it and decode the tree."`
	Show      showCmd      `cmd:"" help:"Show a tree as text, Graphviz DOT, SVG or JSON."`
	Export    exportCmd    `cmd:"" help:"Write a tree for production: SQL, C, Go, Python, JavaScript, PMML, ONNX, rules or a page."`
	Predict   predictCmd   `cmd:"" help:"Predict the classes of new data."`
	Check     checkCmd     `cmd:"" help:"Recompute a tree's figures from its training data and compare them."`
	Proof     proofCmd     `cmd:"" help:"Check proof files, which octgen fit --proof writes, or show what they claim."`
	Compare   compareCmd   `cmd:"" help:"Compare two trees on the same labelled data, with a significance test."`
	Inspect   inspectCmd   `cmd:"" help:"Estimate the size of a model and whether a proof is realistic, without building it."`
	Model     modelCmd     `cmd:"" help:"Inspect, check, convert and solve any MPS file."`
	Instances instancesCmd `cmd:"" help:"Write the models of a spec as a library of instances with known optima, for solver developers."`
	Run       runCmd       `cmd:"" help:"Run an experiment: methods on data sets, with tables, plots and trees."`
	Report    reportCmd    `cmd:"" help:"Rebuild the tables and the report of a run."`
	Collect   collectCmd   `cmd:"" help:"Collect the results of shards or jobs, and build the tables."`
	Status    statusCmd    `cmd:"" help:"Show the progress of a run."`
	Generate  generateCmd  `cmd:"" help:"Generate artificial data and the tree behind them."`
	Schema    schemaCmd    `cmd:"" help:"Print the JSON Schema of experiments, for editors."`
	Solvers   solversCmd   `cmd:"" help:"List the solvers and what they can do."`
	Methods   methodsCmd   `cmd:"" help:"List the methods, formulations and encodings."`
	Version   versionCmd   `cmd:"" help:"Print the versions of octgen, Go and HiGHS."`

	Worker     workerCmd     `cmd:"" help:"Run commands that a program asks for on standard input, such as those of the Python package."`
	Completion completionCmd `cmd:"" help:"Print a shell completion script."`
	Man        manCmd        `cmd:"" help:"Print the manual page: octgen man | man -l -."`
}

// modelCmd is `octgen model`: any program in an MPS file, whoever wrote it.
type modelCmd struct {
	Info    modelInfoCmd    `cmd:"" help:"Show the size of a model: variables and constraints by type, nonzeros, coefficient ranges."`
	Check   modelCheckCmd   `cmd:"" help:"Check a solution file against a model: feasibility and objective."`
	Convert modelConvertCmd `cmd:"" help:"Convert a model to free or fixed MPS for a solver, or to LP."`
	Solve   modelSolveCmd   `cmd:"" help:"Solve a model with any solver and verify the answer."`
}

// proofCmd is `octgen proof`: files that show that no tree is better.
type proofCmd struct {
	Check proofCheckCmd `cmd:"" help:"Check a proof file against its data, without any search."`
	Info  proofInfoCmd  `cmd:"" help:"Show what a proof file claims."`
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
		g.Inspect.methodFlags.Options = kong.Plugins{problem.ProgramUnion(problems())}
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

DATA.csv (or .xlsx, .parquet) has a header line, one case per line and, by default, the class in the last column; an empty field or ? is
missing. Names ending in .gz are gzip data, - is standard input.

Exit codes: 0 done (a limit with a tree included); 1 failed (infeasible, or a check disagrees); 2 wrong usage, bad input
or missing solver; 3 no tree found and none ruled out, such as at a limit; 130 interrupted, the best tree printed and
saved.`

// dispatch parses the arguments and runs the command they name.
func (a *app) dispatch(args []string) error {
	switch { // what people try first
	case len(args) == 0:
		args = []string{"--help"}
	case args[0] == "--version":
		args = []string{"version"}
	case args[0] == completion.Command:
		return a.complete(args[1:])
	}
	a.args = args
	args, asked := asksHelp(args)
	parsed, err := a.parse(args, &asked)
	if err != nil || parsed == nil {
		return err
	}
	return parsed.Run(a)
}

// listed are the lists that help texts and enums name: what is added to one of them is
// a value of the flags, too.
func listed() kong.Vars {
	var all, start, forms []string
	for _, f := range solfile.Formats() {
		if all = append(all, string(f)); f.Starts() {
			start = append(start, string(f))
		}
	}
	for _, info := range problem.Infos() {
		if info.Kind == problem.Formulation {
			forms = append(forms, info.Name)
		}
	}
	return kong.Vars{
		"targets": strings.Join(export.Targets(), ", "), "sqldialects": strings.Join(export.Dialects(), ", "),
		"forms": strings.Join(forms, ","), "dialects": strings.Join(mps.Dialects(), ","),
		"formats": strings.Join(all, ", "), "startformats": strings.Join(start, ", "),
		"shells": strings.Join(completion.Shells(), ","),
	}
}

// parser is the grammar with its texts; an error is a mistake in the grammar. helped is
// called once help was asked for and printed. command is as in newGrammar, asked what help shows.
func (a *app) parser(command string, asked *helpAsked, helped func()) (*kong.Kong, error) {
	return kong.New(newGrammar(command),
		kong.Name("octgen"), kong.Description(description),
		kong.Vars(fit.Vars()), listed(),
		kong.Writers(a.stdout, a.stderr),
		kong.Exit(func(int) { helped() }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true}),
		kong.Help(asked.print),
	)
}

// parse returns nil without an error where help was asked for and printed.
func (a *app) parse(args []string, asked *helpAsked) (*kong.Context, error) {
	help := slices.ContainsFunc(args, func(arg string) bool { return arg == "--help" || arg == "-h" })
	if !help {
		parsed, err := a.parseAs(args[0], args, asked)
		if err == nil {
			return parsed, nil
		}
		if own := ownWords(args, err); own != nil {
			return a.parse(own, asked)
		}
	}
	parsed, err := a.parseAs("", args, asked) // help and mistakes may name other commands and their flags
	if err != nil {
		return nil, badInput(fmt.Errorf("%w; see `%s --help`", explained(err), failedCommand(err)))
	}
	return parsed, nil
}

// parseAs is parse with the grammar of a command.
func (a *app) parseAs(command string, args []string, asked *helpAsked) (*kong.Context, error) {
	if a.memory != nil && command == "fit" {
		return a.parseFit(args)
	}
	helped := false
	k, err := a.parser(command, asked, func() { helped = true })
	if err != nil {
		return nil, err
	}
	parsed, err := k.Parse(joinNegatives(args))
	if helped { // whatever is wrong with the rest
		return nil, nil
	}
	return parsed, err
}

// parsers are those of `octgen fit`, each of one request at a time: to make one takes longer than many a fit.
var parsers = sync.Pool{New: func() any {
	a := &app{stdout: bufio.NewWriter(io.Discard), stderr: io.Discard}
	k, err := a.parser("fit", new(helpAsked), func() {})
	if err != nil {
		panic(err) // a mistake in the grammar
	}
	return k
}}

// parseFit parses the arguments of a fit, without help. release gives them back once the fit has ended.
func (a *app) parseFit(args []string) (*kong.Context, error) {
	k := parsers.Get().(*kong.Kong)
	a.release = func() { parsers.Put(k) }
	_ = kong.Visit(k.Model, func(node kong.Visitable, next kong.Next) error { // kong keeps what the last arguments set
		if v, ok := node.(*kong.Value); ok {
			v.Set, v.Active = false, false
		}
		return next(nil)
	})
	return k.Parse(joinNegatives(args))
}

// complete answers the script of a shell.
func (a *app) complete(words []string) error {
	k, err := a.parser("", new(helpAsked), func() {})
	if err != nil {
		return err
	}
	return completion.Write(a.stdout, k.Model, words, valuesOf)
}

// joinNegatives turns "--alpha -1" into "--alpha=-1", and "--na-values NA,-999" likewise: no flag of
// octgen is a digit, and what is wrong with the number is for its flag to say.
func joinNegatives(args []string) []string {
	var out []string
	for i, arg := range args {
		number := negative(arg) || slices.ContainsFunc(strings.Split(arg, ",")[1:], negative)
		if number && i > 0 && strings.HasPrefix(args[i-1], "--") && !strings.Contains(args[i-1], "=") {
			out[len(out)-1] += "=" + arg
			continue
		}
		out = append(out, arg)
	}
	return out
}

func negative(arg string) bool {
	return len(arg) > 1 && arg[0] == '-' && strings.ContainsRune("0123456789.", rune(arg[1]))
}

// ownWords are the arguments with octgen's names for flags of other programs that mean the
// same; nil if nothing changes.
func ownWords(args []string, err error) []string {
	parse, ok := errors.AsType[*kong.ParseError](err)
	if !ok || parse.Context == nil || parse.Context.Selected() == nil {
		return nil
	}
	own, out := flagsOf(parse.Context.Selected()), slices.Clone(args)
	for i, arg := range out {
		name, value, assigned := strings.Cut(arg, "=")
		if !strings.HasPrefix(name, "--") || slices.Contains(own, name) {
			continue
		}
		following := value
		if !assigned && i+1 < len(args) {
			following = args[i+1]
		}
		if same := nearest.Same(name, own); same != "" && (same == strings.ReplaceAll(name, "_", "-") || sameValue(same, following, args)) {
			if out[i] = same; assigned {
				out[i] += "=" + value
			}
		}
	}
	if slices.Equal(out, args) {
		return nil
	}
	return out
}

// sameValue reports whether the value of another program's word means the same here: rows of a
// leaf are its weight only if rows have no weights, and are not a fraction; -1 thread is no
// number of threads.
func sameValue(flag, value string, args []string) bool {
	if flag != "--min-leaf" && flag != "--threads" && flag != "--workers" {
		return true
	}
	n, err := strconv.Atoi(value)
	weighted := slices.ContainsFunc(args, func(arg string) bool {
		return strings.HasPrefix(arg, "--weight") || strings.HasPrefix(arg, "--class-weight") || strings.HasPrefix(arg, "--sample")
	})
	return err == nil && n > 0 && (flag != "--min-leaf" || !weighted)
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
