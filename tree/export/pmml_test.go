package export_test

import (
	"encoding/xml"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/tree/export"
)

// An evaluator of the part of PMML that exports have, after the specification and
// without a look at what writes them.

type pmmlFile struct {
	Fields []pmmlField `xml:"DataDictionary>DataField"`
	Model  struct {
		Missing string        `xml:"missingValueStrategy,attr"`
		Mining  []pmmlMining  `xml:"MiningSchema>MiningField"`
		Derived []pmmlDerived `xml:"LocalTransformations>DerivedField"`
		Root    pmmlElement   `xml:"Node"`
	} `xml:"TreeModel"`
}

type pmmlField struct {
	Name     string `xml:"name,attr"`
	OpType   string `xml:"optype,attr"`
	Interval *struct {
		Left  float64 `xml:"leftMargin,attr"`
		Right float64 `xml:"rightMargin,attr"`
	}
	Values []struct {
		Value    string `xml:"value,attr"`
		Property string `xml:"property,attr"`
	} `xml:"Value"`
}

type pmmlMining struct {
	Name        string  `xml:"name,attr"`
	Usage       string  `xml:"usageType,attr"`
	Missing     string  `xml:"missingValueTreatment,attr"`
	Invalid     string  `xml:"invalidValueTreatment,attr"`
	Replacement *string `xml:"missingValueReplacement,attr"`
}

type pmmlDerived struct {
	Name string        `xml:"name,attr"`
	Body []pmmlElement `xml:",any"`
}

type pmmlElement struct {
	XMLName    xml.Name
	Attributes []xml.Attr    `xml:",any,attr"`
	Body       []pmmlElement `xml:",any"`
	Text       string        `xml:",chardata"`
}

func (e *pmmlElement) attribute(name string) string {
	for _, a := range e.Attributes {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// pmmlRow is the values of fields: float64, string or nil for a missing one.
type pmmlRow map[string]any

// row reads the texts of a row's fields; false: the model has no answer.
func (f *pmmlFile) row(t *testing.T, texts map[string]string) (pmmlRow, bool) {
	values := make(pmmlRow)
	for _, m := range f.Model.Mining {
		if m.Usage == "target" {
			continue
		}
		field := &f.Fields[slices.IndexFunc(f.Fields, func(d pmmlField) bool { return d.Name == m.Name })]
		text, there := texts[m.Name]
		v, valid := field.read(text, there)
		switch {
		case !valid && m.Invalid == "asIs":
		case !valid:
			return nil, false
		case v == nil && m.Missing == "returnInvalid":
			return nil, false
		case v == nil && m.Replacement != nil:
			v = *m.Replacement
			if field.OpType == "continuous" {
				v = pmmlNumber(t, *m.Replacement)
			}
		}
		values[m.Name] = v
	}
	for i := range f.Model.Derived {
		values[f.Model.Derived[i].Name] = values.evaluate(t, &f.Model.Derived[i].Body[0])
	}
	return values, true
}

func (d *pmmlField) read(text string, there bool) (v any, valid bool) {
	if !there {
		return nil, true
	}
	if d.OpType == "continuous" {
		x, err := strconv.ParseFloat(text, 64)
		for _, p := range d.Values {
			if y, e := strconv.ParseFloat(p.Value, 64); err == nil && e == nil && x == y && p.Property == "missing" {
				return nil, true
			}
		}
		return x, err == nil && x >= d.Interval.Left && x <= d.Interval.Right
	}
	for _, p := range d.Values {
		if p.Value == text && p.Property == "missing" {
			return nil, true
		} else if p.Value == text {
			return text, true
		}
	}
	return text, false
}

func pmmlNumber(t *testing.T, s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// evaluate returns the value of an expression: float64, string, bool or nil.
func (r pmmlRow) evaluate(t *testing.T, e *pmmlElement) any {
	switch e.XMLName.Local {
	case "Constant":
		if e.attribute("dataType") == "string" {
			return e.Text
		}
		return pmmlNumber(t, e.Text)
	case "FieldRef":
		v := r[e.attribute("field")]
		if other := e.attribute("mapMissingTo"); v == nil && other != "" {
			return pmmlNumber(t, other)
		}
		return v
	}
	at := func(i int) any { return r.evaluate(t, &e.Body[i]) }
	switch f := e.attribute("function"); f {
	case "+":
		return at(0).(float64) + at(1).(float64)
	case "*":
		return float64(at(0).(float64) * at(1).(float64))
	case "isMissing":
		return at(0) == nil
	case "isIn":
		v := at(0)
		for i := 1; i < len(e.Body); i++ {
			if at(i) == v {
				return true
			}
		}
		return false
	case "if":
		if at(0).(bool) {
			return at(1)
		}
		return at(2)
	default:
		t.Fatalf("function %q", f)
		return nil
	}
}

func (r pmmlRow) holds(t *testing.T, e *pmmlElement) bool {
	field := r[e.attribute("field")]
	switch e.XMLName.Local + " " + e.attribute("operator") + e.attribute("booleanOperator") {
	case "True ":
		return true
	case "False ":
		return false
	case "SimplePredicate lessThan":
		return field.(float64) < pmmlNumber(t, e.attribute("value"))
	case "SimplePredicate greaterOrEqual":
		return field.(float64) >= pmmlNumber(t, e.attribute("value"))
	case "SimplePredicate isMissing":
		return field == nil
	case "SimplePredicate isNotMissing":
		return field != nil
	case "SimplePredicate equal":
		return field == e.attribute("value")
	case "SimplePredicate notEqual":
		return field != e.attribute("value")
	case "CompoundPredicate or":
		return slices.ContainsFunc(e.Body, func(p pmmlElement) bool { return r.holds(t, &p) })
	case "CompoundPredicate and":
		return !slices.ContainsFunc(e.Body, func(p pmmlElement) bool { return !r.holds(t, &p) })
	}
	t.Fatalf("predicate %v", e)
	return false
}

func (r pmmlRow) answer(t *testing.T, node *pmmlElement) answer {
	a := answer{class: node.attribute("score")}
	children := 0
	for i := range node.Body {
		switch e := &node.Body[i]; e.XMLName.Local {
		case "Node":
			children++
			if r.holds(t, &e.Body[0]) {
				return r.answer(t, e)
			}
		case "ScoreDistribution":
			a.shares = append(a.shares, pmmlNumber(t, e.attribute("probability")))
		}
	}
	if children > 0 {
		return answer{} // noTrueChildStrategy
	}
	return a
}

func TestPMML(t *testing.T) {
	for _, c := range conformanceCases(t) {
		if c.refused(t, "pmml") {
			continue
		}
		var file pmmlFile
		if err := xml.Unmarshal(c.written(t, "pmml", export.Options{}), &file); err != nil {
			t.Fatal(err)
		}
		d := c.typed()
		var got []answer
		for i := range c.rows {
			texts := make(map[string]string)
			for j, s := range d.columns {
				text := d.texts[i][j]
				if v := d.numbers[i][j]; s.Kind == "numeric" && v == v {
					text = strconv.FormatFloat(v, 'g', -1, 64)
				}
				if text != "" && (s.Kind != "numeric" || d.numbers[i][j] == d.numbers[i][j]) {
					texts[s.Name] = text
				}
			}
			values, ok := file.row(t, texts)
			if !ok {
				got = append(got, answer{})
				continue
			}
			got = append(got, values.answer(t, &file.Model.Root))
		}
		c.compare(t, "pmml", len(c.rows), got)
	}
}

// TestPMMLSchema: every file is valid by the schema of the Data Mining Group, which lies
// beside the data folder.
func TestPMMLSchema(t *testing.T) {
	needTools(t)
	schema, err := filepath.Abs(filepath.Join(datatest.Dir(t), "..", "reference", "pmml-4-4.xsd")) // xmllint runs elsewhere
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(schema); err != nil {
		t.Skipf("no schema: %v", err)
	}
	dir := t.TempDir()
	args := []string{"--noout", "--nonet", "--huge", "--schema", schema} // libxml2 reads 256 levels unless told that a file is huge
	for _, c := range conformanceCases(t) {
		if c.refused(t, "pmml") {
			continue
		}
		name := c.name + ".pmml"
		writeFile(t, dir, name, c.written(t, "pmml", export.Options{}))
		args = append(args, name)
	}
	run(t, dir, nil, "xmllint", args...)
}
