// Package spec reads experiments: YAML that names data, methods and an evaluation. Package run runs
// them, package report reports the results.
package spec

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/octgen/octgen/experiments/metric"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/internal/lazy"
	"github.com/octgen/octgen/internal/strict"
)

// Spec is an experiment: every method on every split of every data.
type Spec struct {
	Frame
	Data    []Data
	Methods []Method

	File   string // path of the file
	SHA256 string // of its bytes, hex
	Text   []byte
}

// Frame holds the keys of an experiment other than its data and methods.
type Frame struct {
	Name      string    `required:"" help:"Name of the experiment."`
	Evaluate  Evaluate  `help:"Division of rows into training and test sets; only validation applies to generated data with test rows."`
	Baseline  string    `help:"Name of the method with which the others are compared (default: the first)."` // unless they say another
	Proof     bool      `help:"Store a proof file of each tree that is proved optimal, proofs/ID.proof, for methods that have them."`
	Workers   int       `min:"1" help:"Tasks at a time, unless --workers is given (default: 1)."` // 0: one
	Metrics   []string  `enum:"${metrics}" help:"Metrics with a table, in this order (default: test_error, train_error, splits, proved, and those with figures in the reference or with a true tree); summary.csv has all."`
	Reference Reference `help:"A paper's figures, shown next to octgen's."`
	Slurm     Slurm     `help:"Jobs on a Slurm cluster that run the tasks, for --scheduler slurm."`
}

// document is the structure of a spec file.
type document struct {
	Frame
	Data    []strict.Node `required:"" help:"Files and generated data: the rows of the tables."`
	Methods []strict.Node `required:"" help:"Methods of octgen fit with its flags, _ for -: the columns of the tables."`
	Limits  strict.Node   `help:"Limits of all methods that support them and do not set their own."`
}

// vars returns the variables in the tags.
func vars() strict.Vars {
	return strict.Vars{"metrics": strings.Join(metric.Names(), ","), "figures": strings.Join(metric.Figures(), ",")}
}

// Load reads and checks the spec at path. Mistakes are *Error; for a file that cannot be opened,
// the error is that of os.ReadFile.
func Load(path string) (*Spec, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(text, path)
}

// LoadWhole is Load for a spec whose data need not be divided, since all rows are used.
func LoadWhole(path string) (*Spec, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parse(text, path, true)
}

// Parse is Load for the text of a spec; path serves for errors and for finding the data.
func Parse(text []byte, path string) (*Spec, error) { return parse(text, path, false) }

// parse is Parse; with whole, data may be undivided.
func parse(text []byte, path string, whole bool) (*Spec, error) {
	root, err := strict.Parse(text, path)
	if err != nil {
		return nil, err
	}
	var d document
	keys, err := vars().Decode(root, &d)
	if err != nil {
		return nil, err
	}
	s := &Spec{Frame: d.Frame, File: path, SHA256: fmt.Sprintf("%x", sha256.Sum256(text)), Text: text}
	for _, step := range []func() error{
		func() error { return checkTitle(keys.At("name"), s.Name) },
		func() error { return s.checkMetrics(keys) },
		func() error { return s.readData(d.Data) },
		func() error { return s.Evaluate.check(keys.At("evaluate")) },
		func() error { return s.readMethods(d.Methods, d.Limits) },
		func() error { return s.setBaselines(keys.At("baseline")) },
		func() error { return s.Reference.check(keys, s.DataNames(), s.MethodNames()) },
		func() error {
			if whole {
				return nil
			}
			return s.checkDivided(keys)
		},
		func() error { return s.checkTasks(keys, whole) },
		func() error {
			if err := s.Slurm.Check(func(field string) string { return field }); err != nil {
				return keys.At("slurm").Errorf("%w", err)
			}
			return nil
		},
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// checkMetrics returns an error for a repeated metric.
func (s *Spec) checkMetrics(keys *strict.Keys) error {
	for i, name := range s.Metrics {
		if slices.Contains(s.Metrics[:i], name) {
			return keys.At(fmt.Sprintf("metrics[%d]", i)).Errorf("%s appears twice", name)
		}
	}
	return nil
}

func (s *Spec) readData(items []strict.Node) error {
	names := make(map[string]bool)
	for _, item := range items {
		d, err := readData(item)
		if err != nil {
			return err
		}
		if names[d.Name] {
			return item.Errorf("two data are named %q", d.Name)
		}
		names[d.Name] = true
		s.Data = append(s.Data, d)
	}
	return nil
}

func (s *Spec) readMethods(items []strict.Node, limits strict.Node) error {
	var l sharedLimits
	if limits.IsSet() { // rejected even if no method has them
		_, err := strict.Decode(limits, &l.Limits)
		if err == nil {
			l.entries, err = limits.Entries()
		}
		if err != nil {
			return err
		}
	}
	names := make(map[string]bool)
	for _, item := range items {
		all, err := members(item)
		if err != nil {
			return err
		}
		for _, one := range all {
			m, err := readMethod(one.Node, l)
			if err != nil {
				return err
			}
			if names[m.Name] {
				return item.Errorf("two methods are named %q", m.Name)
			}
			names[m.Name] = true
			m.Frontier = one.frontier
			s.Methods = append(s.Methods, m)
		}
	}
	return nil
}

// setBaselines sets the baseline of every method.
func (s *Spec) setBaselines(at strict.Node) error {
	names := s.MethodNames()
	known := set(names)
	if s.Baseline == "" {
		s.Baseline = s.Methods[0].Name
	} else if !known[s.Baseline] {
		return noSuch(at, "method", s.Baseline, names)
	}
	for i := range s.Methods {
		m := &s.Methods[i]
		switch {
		case m.Baseline == "" && m.Name != s.Baseline:
			m.Baseline = s.Baseline
		case m.Baseline == m.Name:
			m.Baseline = ""
		case m.Baseline != "" && !known[m.Baseline]:
			return noSuch(m.at, "method", m.Baseline, names)
		}
	}
	return nil
}

// checkDivided returns an error if files, or generated data without test rows, are not divided.
func (s *Spec) checkDivided(keys *strict.Keys) error {
	for i := range s.Data {
		d := &s.Data[i]
		switch {
		case d.HasTest() || s.Evaluate.Divides() || s.Evaluate.Whole:
		case keys.Has("evaluate"):
			return keys.At("evaluate").Errorf("data %q must be divided; want folds, holdout, or whole: true", d.Name)
		default:
			return keys.At("evaluate").Errorf("the key \"evaluate\" is missing: data %q must be divided; for example evaluate: {folds: 5}", d.Name)
		}
	}
	return nil
}

// BaselineOf returns the baseline of a method, "" for none.
func (s *Spec) BaselineOf(method string) string {
	for i := range s.Methods {
		if s.Methods[i].Name == method {
			return s.Methods[i].Baseline
		}
	}
	return ""
}

// OneBaseline reports whether all methods have the same baseline.
func (s *Spec) OneBaseline() bool {
	for i := range s.Methods {
		if b := s.Methods[i].Baseline; b != "" && b != s.Baseline {
			return false
		}
	}
	return true
}

// MethodNames lists the names of the methods in the order of the spec.
func (s *Spec) MethodNames() []string {
	var names []string
	for i := range s.Methods {
		names = append(names, s.Methods[i].Name)
	}
	return names
}

// DataNames lists the names of the data in the order of the spec.
func (s *Spec) DataNames() []string {
	var names []string
	for i := range s.Data {
		names = append(names, s.Data[i].Name)
	}
	return names
}

// MostTasks is the maximum number of tasks of an experiment. A plan lists them all.
const MostTasks = 1_000_000

// checkTasks returns an error for more tasks than a plan can list; it names the key that
// contributes the largest factor. With whole, data are not divided.
func (s *Spec) checkTasks(keys *strict.Keys, whole bool) error {
	total := 0.0 // a product of whole numbers may overflow an int
	for i := range s.Data {
		d := &s.Data[i]
		factors := s.factors(d, keys, whole)
		tasks, most := 1.0, factors[0]
		for _, f := range factors {
			tasks *= float64(f.number)
			if f.number > most.number {
				most = f
			}
		}
		if total += tasks; total > MostTasks {
			return most.at.Errorf("%d %s make %.4g tasks (with the data %q and those before); the maximum is %d", most.number, most.what, total, d.Name, MostTasks)
		}
	}
	return nil
}

// factor is a number that multiplies the tasks of some data.
type factor struct {
	number int
	what   string
	at     strict.Node
}

// factors returns the factors of some data.
func (s *Spec) factors(d *Data, keys *strict.Keys, whole bool) []factor {
	all := []factor{{len(s.Methods), "methods", keys.At("methods")}}
	if d.Generate != "" {
		all = append(all, factor{d.Replicates, "replicates", d.replicatesAt})
	}
	if whole || d.HasTest() {
		return all
	}
	return append(all,
		factor{s.Evaluate.Repeats, "repeats", keys.At("evaluate.repeats")},
		factor{max(1, s.Evaluate.Folds), "folds", keys.At("evaluate.folds")})
}

// Reference holds a paper's figures, shown next to octgen's.
type Reference struct {
	Paper  string           `help:"Source of the figures."`
	Note   string           `help:"Description of the figures and their differences, shown with them."`
	Values []ReferenceValue `help:"The figures."`
}

// ReferenceValue is a figure of a paper, in the metric's unit.
type ReferenceValue struct {
	Data   string  `required:"" help:"Name of the data."`
	Method string  `required:"" help:"Name of the method."`
	Metric string  `default:"test_error" enum:"${figures}" help:"Metric."`
	Value  float64 `required:"" help:"The figure, in the metric's unit."`
}

// Has reports whether the paper has figures for a metric.
func (r *Reference) Has(metric string) bool {
	return slices.ContainsFunc(r.Values, func(v ReferenceValue) bool { return v.Metric == metric })
}

// Value returns the paper's figure, nil if there is none.
func (r *Reference) Value(data, method, metric string) *float64 {
	for _, v := range r.Values {
		if v.Data == data && v.Method == method && v.Metric == metric {
			return &v.Value
		}
	}
	return nil
}

// check returns an error for figures of unknown data and methods, and for repeated figures. They
// are at the key "reference" of keys.
func (r *Reference) check(keys *strict.Keys, data, methods []string) error {
	knownData, knownMethods := set(data), set(methods)
	seen := make(map[ReferenceValue]bool, len(r.Values))
	for i, v := range r.Values {
		at := fmt.Sprintf("reference.values[%d]", i)
		same := ReferenceValue{v.Data, v.Method, v.Metric, 0}
		switch {
		case v.Data != AllData && !knownData[v.Data]:
			return noSuch(keys.At(at+".data"), "data", v.Data, append(slices.Clone(data), AllData))
		case !knownMethods[v.Method]:
			return noSuch(keys.At(at+".method"), "method", v.Method, methods)
		case seen[same]:
			return keys.At(at).Errorf("%s of %s on %s appears twice", v.Metric, v.Method, v.Data)
		}
		seen[same] = true
	}
	return nil
}

// set returns the set of names.
func set(names []string) map[string]bool {
	s := make(map[string]bool, len(names))
	for _, name := range names {
		s[name] = true
	}
	return s
}

// Slurm describes the jobs on a Slurm cluster that run the tasks. The zero value leaves everything
// to the cluster and to the tasks' own limits.
type Slurm struct {
	Partition   string       `placeholder:"NAME" help:"Partition of the jobs (default: the cluster's)."`
	Account     string       `placeholder:"NAME" help:"Account of the jobs (default: the user's)."`
	TimePerTask fit.Duration `placeholder:"1m" help:"Time per task (default: its time limit, or a minute without one)."`
	Batch       fit.Duration `placeholder:"10m" help:"Target time of a job: tasks are batched until their times reach it (default: 10m)."`
	Time        fit.Duration `placeholder:"1h" help:"Wall time of a job (default: 1.2 times the time of the tasks of the longest job, plus 5 minutes)."`
	Memory      string       `placeholder:"4G" help:"Memory of a job (default: the cluster's)."`
	Cores       int          `min:"0" placeholder:"N" help:"Processors of a job (default: the maximum number of threads of a method, else 1)."`
	Throttle    int          `min:"0" placeholder:"N" help:"Maximum number of jobs that run at a time (default: no limit)."`
	Program     string       `placeholder:"PATH" help:"Path of octgen on the nodes (default: the path of the submitting octgen)."`
	Setup       []string     `sep:"none" placeholder:"LINE" help:"Shell line that each job runs first, such as module load gurobi; may be repeated."`
	Options     []string     `sep:"none" placeholder:"OPTION" help:"Additional option of sbatch, such as --qos=long; may be repeated."`
}

// Over returns s, with values of under for fields that are not set: the command line over a spec.
func (s Slurm) Over(under Slurm) Slurm {
	list := func(over, under []string) []string {
		if len(over) > 0 {
			return over
		}
		return under
	}
	return Slurm{
		cmp.Or(s.Partition, under.Partition), cmp.Or(s.Account, under.Account),
		cmp.Or(s.TimePerTask, under.TimePerTask), cmp.Or(s.Batch, under.Batch), cmp.Or(s.Time, under.Time),
		cmp.Or(s.Memory, under.Memory), cmp.Or(s.Cores, under.Cores), cmp.Or(s.Throttle, under.Throttle), cmp.Or(s.Program, under.Program),
		list(s.Setup, under.Setup), list(s.Options, under.Options),
	}
}

var (
	oneWord    = lazy.Regexp(`^[^\s#"'\\]*$`)
	memorySize = lazy.Regexp(`^([0-9]+[KMGT]?)?$`)
)

// Check returns an error for values that do not fit in a line of a job's script; key returns the
// caller's name of a field.
func (s *Slurm) Check(key func(field string) string) error {
	for field, value := range map[string]string{"partition": s.Partition, "account": s.Account} {
		if !oneWord().MatchString(value) || strings.ContainsFunc(value, isControl) {
			return fmt.Errorf("%s is %q; want a name without blanks and quotes", key(field), value)
		}
	}
	if !memorySize().MatchString(s.Memory) {
		return fmt.Errorf("%s is %q; want a number with K, M, G or T, such as 4G", key("memory"), s.Memory)
	}
	if strings.ContainsFunc(s.Program, isControl) {
		return fmt.Errorf("%s is %q; want a path", key("program"), s.Program)
	}
	for field, lines := range map[string][]string{"setup": s.Setup, "options": s.Options} {
		for _, line := range lines {
			if strings.ContainsFunc(line, isControl) {
				return fmt.Errorf("%s has %q; want one line each", key(field), line)
			}
			if field == "options" && !strings.HasPrefix(line, "-") {
				return fmt.Errorf("%s has %q; want options of sbatch, such as --qos=long", key(field), line)
			}
		}
	}
	if s.Cores < 0 || s.Throttle < 0 {
		return fmt.Errorf("%s and %s are counts; want 0 or more", key("cores"), key("throttle"))
	}
	return nil
}

// TimeLimit returns the time limit of the method's fits, 0 for none.
func (m *Method) TimeLimit() time.Duration { return m.settings.TimeLimit.Duration() }

// Threads returns the number of threads of the method, 0 if it is not set.
func (m *Method) Threads() int { return m.settings.Threads }
