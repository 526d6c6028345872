package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/octgen/octgen/experiments/metric"
	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/fit"
)

// kept describes how the trees of a method on one data satisfy one of its constraints.
type kept struct {
	data, method, text string
	train, test        Row // its value, over the splits with a tree
	validation         Row // for tuned methods
	trees              int
	held, testHeld     int // trees that satisfy it; testHeld among the tested ones
	tested             int
	note               string
	rule               bool // a rule on splits, independent of rows: note says all
	ends               ends
}

// ends counts how the fits of a method on one data ended.
type ends struct {
	all        int // with a result or an error
	proved     int
	infeasible int
	without    int      // no feasible tree was found, and none ruled out
	failed     int      // for another reason
	provers    []string // of infeasibility
	together   bool     // the method has several constraints
}

// endsOf counts the ends of records.
func endsOf(records []*run.Record) ends {
	var e ends
	for _, r := range records {
		e.all++
		switch {
		case r.Error != "" && metric.WithoutTree(r.Result):
			e.without++
		case r.Error != "":
			e.failed++
		case metric.Infeasible(r.Result):
			e.infeasible++
			if p := r.Result.Prover; p != nil && !slices.Contains(e.provers, *p) {
				e.provers = append(e.provers, *p)
			}
		case metric.Proved(r.Result):
			e.proved++
		}
	}
	slices.Sort(e.provers)
	e.together = len(constraintsIn(records)) > 1
	return e
}

// String describes the proofs.
func (e *ends) String() string {
	var parts []string
	of := func(n int) string {
		if e.all == 1 {
			return ""
		}
		return fmt.Sprintf(" in %d of %d", n, e.all)
	}
	if e.proved > 0 {
		parts = append(parts, "proved"+of(e.proved))
	}
	if e.infeasible > 0 {
		by := ""
		if e.provers != nil {
			by = ", proved by " + strings.Join(e.provers, " and ")
		}
		them := "it"
		if e.together {
			them = "them all"
		}
		parts = append(parts, "no tree satisfies "+them+of(e.infeasible)+by)
	}
	if e.without > 0 {
		parts = append(parts, "no tree found, infeasibility not proved"+of(e.without))
	}
	if e.failed > 0 {
		parts = append(parts, "failed"+of(e.failed))
	}
	return cmp.Or(strings.Join(parts, "; "), "not proved")
}

// keptConstraints returns the constraints of all methods and data, except those that frontiers
// vary.
func (s *Summary) keptConstraints() []kept {
	var all []kept
	for _, d := range s.Spec.DataNames() {
		for _, m := range s.Spec.MethodNames() {
			records := s.of(d, m)
			for _, text := range constraintsIn(records) {
				if !s.isFrontier(m, text) {
					all = append(all, keptBy(d, m, text, records))
				}
			}
		}
	}
	return all
}

// isFrontier reports whether the constraint is the one that a method's frontier varies.
func (s *Summary) isFrontier(method, text string) bool {
	i := slices.IndexFunc(s.Spec.Methods, func(m spec.Method) bool { return m.Name == method })
	f := s.Spec.Methods[i].Frontier
	return f != nil && f.Text() == text
}

// constraintsIn returns the constraints of the records, in their order.
func constraintsIn(records []*run.Record) []string {
	var all []string
	for _, r := range records {
		if r.Result == nil {
			continue
		}
		for i := range r.Result.Constraints {
			if text := r.Result.Constraints[i].Text; !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
	}
	return all
}

func keptBy(data, method, text string, records []*run.Record) kept {
	k := kept{data: data, method: method, text: text, ends: endsOf(records)}
	var train, validation, test []float64
	for _, r := range records {
		c := constraintOf(r, text)
		if c == nil {
			continue
		}
		k.trees++
		if c.Held {
			k.held++
		}
		if c.TestHeld != nil {
			k.tested++
			if *c.TestHeld {
				k.testHeld++
			}
		}
		k.note, k.rule = cmp.Or(k.note, c.Note), c.Rule()
		for _, v := range []struct {
			figure *float64
			to     *[]float64
		}{{c.Train, &train}, {c.Validation, &validation}, {c.Test, &test}} {
			if v.figure != nil {
				*v.to = append(*v.to, *v.figure)
			}
		}
	}
	k.train.describe(train)
	k.validation.describe(validation)
	k.test.describe(test)
	return k
}

// constraintOf returns the constraint of a record's tree, nil for none.
func constraintOf(r *run.Record, text string) *fit.Constraint {
	if r.Error != "" || r.Result == nil || r.Result.Train == nil {
		return nil
	}
	for i := range r.Result.Constraints {
		if c := &r.Result.Constraints[i]; c.Text == text {
			return c
		}
	}
	return nil
}

// guarantee explains what constraints guarantee.
const guarantee = "Constraints are guaranteed on the training set only, where every tree was checked. On the test set nothing is guaranteed; the values there show what to expect on new rows. For tuned methods, the training set is the part on which trees were fitted."

// keptCaption is the caption of the text table.
const keptCaption = "values, mean ± standard error; guaranteed on the training set only"

// keptTable shows how constraints are satisfied, nil for none.
func (s *Summary) keptTable() *htmlTable {
	all := s.keptConstraints()
	if len(all) == 0 {
		return nil
	}
	several := len(s.Spec.Data) > 1
	t := &htmlTable{Label: "Constraints", Head: heads("method")}
	if several {
		t.Head = append(t.Head, htmlCell{Text: "data", Class: "says"})
	}
	t.Head = append(t.Head, htmlCell{Text: "constraint", Class: "says"})
	tuned := slices.ContainsFunc(all, func(k kept) bool { return k.validation.N > 0 })
	t.Head = append(t.Head, heads("training rows")...)
	if tuned {
		t.Head = append(t.Head, heads("validation rows")...)
	}
	t.Head = append(t.Head, heads("test rows", "held on training rows", "on test rows", "proof")...)
	for i := range all {
		k := &all[i]
		row := htmlRow{Head: k.method}
		if several {
			row.Cells = append(row.Cells, htmlCell{Text: clean(k.data), Class: "says"})
		}
		row.Cells = append(row.Cells, htmlCell{Text: clean(k.text), Class: "says"}, k.valueCell(&k.train))
		if tuned {
			row.Cells = append(row.Cells, k.valueCell(&k.validation))
		}
		row.Cells = append(row.Cells, k.valueCell(&k.test), heldCell(k.held, k.trees), heldCell(k.testHeld, k.tested), htmlCell{Text: k.ends.String(), Class: "says"})
		if k.note != "" && !k.rule {
			row.Cells[len(row.Cells)-1].Text += " (" + clean(k.note) + ")"
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// valueCell shows the value of the constraint: for a rule on splits its note on the training set,
// and nothing on other sets.
func (k *kept) valueCell(r *Row) htmlCell {
	switch {
	case !k.rule:
		return valueCell(r)
	case r != &k.train || k.note == "":
		return htmlCell{Text: dash}
	}
	return htmlCell{Text: clean(k.note), Class: "says"}
}

// valueCell shows the value of a constraint with its standard error.
func valueCell(r *Row) htmlCell {
	return htmlCell{Text: cmp.Or(value(r.Mean), dash), Error: value(r.StdError), Value: digits(r.Mean), Spread: digits(r.StdError)}
}

// value formats a figure with up to four digits, without trailing zeros.
func value(v float64) string {
	text := number(v, 4)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// heldCell shows how many trees satisfy a constraint.
func heldCell(held, of int) htmlCell {
	c := htmlCell{Text: dash}
	switch {
	case of == 0:
		return c
	case of == 1 && held == 1:
		c.Text = "yes"
	case of == 1:
		c.Text = "no"
	default:
		c.Text = fmt.Sprintf("%d of %d", held, of)
	}
	c.Value = digits(float64(held) / float64(of))
	if held < of {
		c.Class = "missed"
	}
	return c
}

// keptVerdict summarises how constraints are satisfied, "" without constraints.
func (s *Summary) keptVerdict() string {
	var said []string
	count := func(name string) (yes, of int) {
		i := slices.IndexFunc(s.metrics, func(m metric.Metric) bool { return m.Name == name })
		if i < 0 {
			return 0, 0
		}
		for _, r := range s.results() {
			if v := s.metrics[i].Of(r, nil); !math.IsNaN(v) {
				of++
				if v > 0 {
					yes++
				}
			}
		}
		return yes, of
	}
	if held, trees := count("train_held"); trees > 0 {
		text := fmt.Sprintf("%d of %d trees satisfy their constraints on the training set", held, trees)
		if onTest, tested := count("test_held"); tested > 0 {
			text += fmt.Sprintf(", %d of %d on the test set, where it is not guaranteed", onTest, tested)
		}
		said = append(said, text+".")
	}
	if infeasible, fits := count("infeasible"); infeasible > 0 {
		said = append(said, fmt.Sprintf("%d of %s are proved infeasible.", infeasible, counted(fits, "fit", "fits")))
	}
	return strings.Join(said, " ")
}

// counted returns a number with its noun.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
