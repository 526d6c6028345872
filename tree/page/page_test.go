package page_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/page"
)

// loans is a tree with a split of every kind, on data with missing values.
func loans(t *testing.T) (*tree.Tree, *dataset.Dataset) {
	t.Helper()
	const file = `age,job,size,pay,class
20,clerk,small,1,no
30,cook,small,,yes
40,clerk,large,3,yes
50,pilot,large,4,no
60,,small,5,yes
`
	ds, err := dataset.Read(strings.NewReader(file), "loans.csv", dataset.LoadOptions{Missing: dataset.MissingCategory})
	if err != nil {
		t.Fatal(err)
	}
	feature := func(name string) int {
		i := slices.Index(ds.Features, name)
		if i < 0 {
			t.Fatalf("no feature %s in %q", name, ds.Features)
		}
		return i
	}
	tr := tree.NewLeaf(ds, 0)
	left, right := tr.Grow(0, tree.Univariate(feature("age"), 35), 0, 1)
	tr.Grow(left, tree.Univariate(feature("job=clerk"), 0.5), 1, 0)
	_, wide := tr.Grow(right, &tree.Split{Terms: []tree.Term{{Feature: feature("age"), Weight: -0.5}, {Feature: feature("job=?"), Weight: 1}, {Feature: feature("pay"), Weight: 2}}, Threshold: -15}, 1, 0)
	tr.Grow(wide, tree.Univariate(feature("pay=?"), 0.5), 0, 1)
	tr.Annotate(ds)
	return tr, ds
}

// element is an element of a page with its own text.
type element struct {
	name string
	attr map[string]string
	text string
}

// elements are those of a component, which is XML, too.
func elements(t *testing.T, component string) []element {
	t.Helper()
	var all []element
	var open []int
	d := xml.NewDecoder(strings.NewReader(component))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("%v in %s", err, component)
		}
		switch x := token.(type) {
		case xml.StartElement:
			e := element{name: x.Name.Local, attr: make(map[string]string)}
			for _, a := range x.Attr {
				e.attr[a.Name.Local] = a.Value
			}
			open = append(open, len(all))
			all = append(all, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				all[open[len(open)-1]].text += string(x)
			}
		}
	}
}

// texts are those of the elements of a class, in order.
func texts(all []element, class string) []string {
	var of []string
	for _, e := range all {
		if e.attr["class"] == class {
			of = append(of, e.text)
		}
	}
	return of
}

func TestComponent(t *testing.T) {
	tr, ds := loans(t)
	html, err := page.Component(tr, page.Options{Histograms: tr.Histograms(ds)})
	if err != nil {
		t.Fatal(err)
	}
	all := elements(t, string(html))
	wantTexts := []string{"age < 35", "job is clerk", "no", "yes", "weighted sum < -15", "yes", "pay is missing", "yes", "no"}
	if diff := cmp.Diff(wantTexts, texts(all, "text")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"yes", "yes", "no", "no", "yes", "no", "yes", "no"}, texts(all, "arm")); diff != "" {
		t.Error(diff)
	}
	var terms, labels []string
	for _, e := range all {
		switch {
		case e.name == "dt" || e.name == "dd":
			terms = append(terms, e.text)
		case e.attr["aria-label"] != "":
			labels = append(labels, e.attr["aria-label"])
		}
	}
	if diff := cmp.Diff([]string{"pay", "2", "job=?", "1", "age", "-0.5"}, terms); diff != "" {
		t.Error(diff)
	}
	for _, want := range []string{"2 no, 3 yes", "Histogram from 20 to 60: 2 rows left of the threshold, 3 right", "Histogram from no to yes: 1 row left of the threshold, 1 right"} {
		if !slices.Contains(labels, want) {
			t.Errorf("no label %q in %q", want, labels)
		}
	}
	var data map[string]any
	if err := json.Unmarshal([]byte(all[len(all)-1].text), &data); err != nil {
		t.Fatal(err)
	}
	wantColumns := []any{
		map[string]any{"name": "age"},
		map[string]any{"name": "job", "categories": []any{"clerk", "cook", "pilot", "?"}, "missing": 3.0},
		map[string]any{"name": "pay", "missing": 3.25},
	}
	if diff := cmp.Diff(wantColumns, data["columns"]); diff != "" {
		t.Error(diff)
	}
	nodes := data["nodes"].([]any)
	wantNode := map[string]any{"terms": []any{[]any{1.0, 1.0, 0.0}}, "threshold": 0.5, "to": []any{3.0, 4.0}, "says": []any{"job is not clerk", "job is clerk"}}
	if diff := cmp.Diff(wantNode, nodes[1]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]any{[]any{0.0, -0.5}, []any{1.0, 1.0, 3.0}, []any{2.0, 2.0}}, nodes[2].(map[string]any)["terms"]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]any{[]any{2.0, 1.0, -1.0}}, nodes[6].(map[string]any)["terms"]); diff != "" {
		t.Error(diff)
	}
}

// TestDates: the page writes dates as the data do; the script counts days from the first,
// and reads numbers as the data write them.
func TestDates(t *testing.T) {
	e := &dataset.Encoder{Target: "class", Classes: []string{"a", "b"}, Decimal: ",", Columns: []dataset.SourceColumn{
		{Name: "signed", Kind: dataset.Numeric, Date: &dataset.Date{Format: "DD.MM.YYYY", First: "2020-02-28"}},
	}}
	tr := tree.NewLeaf(&dataset.Dataset{Features: e.Features(), Classes: e.Classes, Encoder: e}, 0)
	tr.Grow(0, tree.Univariate(0, 2.5), 0, 1)
	html, err := page.Component(tr, page.Options{Histograms: []tree.Histogram{{Min: 1, Max: 4, Below: 1, Rows: [][]float64{{1, 0}, {0, 1}}}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, words := range []string{"signed &lt; 02.03.2020", "Histogram from 29.02.2020 to 03.03.2020"} {
		if !strings.Contains(string(html), words) {
			t.Errorf("the page does not say %s", words)
		}
	}
	all := elements(t, string(html))
	var data map[string]any
	if err := json.Unmarshal([]byte(all[len(all)-1].text), &data); err != nil {
		t.Fatal(err)
	}
	says := data["nodes"].([]any)[0].(map[string]any)["says"]
	if diff := cmp.Diff([]any{"signed < 02.03.2020", "signed >= 02.03.2020"}, says); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]any{map[string]any{"name": "signed", "first": "2020-02-28"}}, data["columns"]); diff != "" || data["decimal"] != "," {
		t.Errorf("%s, decimal %v", diff, data["decimal"])
	}
}

// TestManyTerms: all coefficients are there, those of small weight behind a summary.
func TestManyTerms(t *testing.T) {
	ds := &dataset.Dataset{Classes: []string{"a", "b"}}
	s := &tree.Split{}
	for i := range 11 {
		ds.Features = append(ds.Features, strings.Repeat("x", i+1))
		s.Terms = append(s.Terms, tree.Term{Feature: i, Weight: float64(i + 1)})
	}
	tr := tree.NewLeaf(ds, 0)
	tr.Grow(0, s, 0, 1)
	html, err := page.Component(tr, page.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var names, summaries []string
	for _, e := range elements(t, string(html)) {
		switch e.name {
		case "dt":
			names = append(names, e.text)
		case "summary":
			summaries = append(summaries, e.text)
		}
	}
	slices.Reverse(names)
	if diff := cmp.Diff(ds.Features, names); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"3 more"}, summaries); diff != "" {
		t.Error(diff)
	}
}

// hostile are texts that mean something to HTML, CSS, scripts or terminals.
var hostile = []string{
	"</script><script>alert(1)</script>", `"><img src=x onerror='alert(2)'>`, "'\"`${alert(3)}", "<!--<script>", "]]>&amp;{{.}}",
	"line\u2028break\u2029\n\x1b[31m\x00", strings.Repeat("long", 60) + "世界", "__proto__", "\\u003c/script>",
}

// TestHostileNames: names are texts in the markup, and the same texts in the script's
// data.
func TestHostileNames(t *testing.T) {
	e := &dataset.Encoder{Target: hostile[0], Classes: hostile, Columns: []dataset.SourceColumn{{Name: "of texts", Kind: dataset.OneHot, Categories: hostile}}}
	for _, name := range hostile {
		e.Columns = append(e.Columns, dataset.SourceColumn{Name: name, Kind: dataset.Numeric})
	}
	e.Target += "!"
	ds := &dataset.Dataset{Features: e.Features(), Classes: hostile, Encoder: e}
	tr := tree.NewLeaf(ds, 0)
	at := 0
	for j := range ds.Features {
		_, at = tr.Grow(at, tree.Univariate(j, 0.5), j%len(hostile), (j+1)%len(hostile))
	}
	var plane tree.Split
	for j := range ds.Features {
		plane.Terms = append(plane.Terms, tree.Term{Feature: j, Weight: 1})
	}
	tr.Grow(at, &plane, 0, 1)

	html, err := page.Component(tr, page.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all := elements(t, string(html))
	for _, x := range all {
		if !slices.Contains([]string{"div", "ul", "li", "i", "span", "dl", "dt", "dd", "details", "summary", "script"}, x.name) {
			t.Errorf("an element %s", x.name)
		}
		for name := range x.attr {
			if strings.HasPrefix(name, "on") || name == "src" || name == "href" {
				t.Errorf("%s has an attribute %s", x.name, name)
			}
		}
	}
	var data struct {
		Columns []struct {
			Name       string
			Categories []string
		}
	}
	script := all[len(all)-1]
	if script.name != "script" || strings.ContainsAny(script.text, "<>&\u2028\u2029") {
		t.Errorf("%s: %s", script.name, script.text)
	}
	if err := json.Unmarshal([]byte(script.text), &data); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(hostile, data.Columns[0].Categories); diff != "" {
		t.Error(diff)
	}
	for i, name := range hostile {
		if data.Columns[i+1].Name != name {
			t.Errorf("column %q, want %q", data.Columns[i+1].Name, name)
		}
	}
	var out bytes.Buffer
	tr.Fit = &tree.Fit{Method: hostile[0], Data: hostile[1], Status: hostile[2], Claim: hostile[3]}
	if err := page.WriteHTML(&out, tr, page.Options{Title: hostile[0], Notes: hostile}); err != nil {
		t.Fatal(err)
	}
	page := out.String()
	if n := strings.Count(page, "<script"); n != 2 || strings.Contains(page, "<img") || strings.ContainsAny(page, "\x00\x1b\u2028\u2029") {
		t.Errorf("%d scripts in %s", n, page)
	}
}

// TestPage: one file, the same each time, that needs no other.
func TestPage(t *testing.T) {
	tr, ds := loans(t)
	o := page.Options{Title: "Loans", Notes: []string{"A note."}, Histograms: tr.Histograms(ds)}
	var one, two bytes.Buffer
	if err := errors.Join(page.WriteHTML(&one, tr, o), page.WriteHTML(&two, tr, o)); err != nil {
		t.Fatal(err)
	}
	if one.String() != two.String() {
		t.Error("two pages of one tree differ")
	}
	for _, want := range []string{"<title>Loans</title>", "<h1>Loans</h1>", `<p class="soft">A note.</p>`, "4 splits, depth 3, 2 classes, 5 training rows. Uses 3 of 4 columns. Missing values are a category of their own."} {
		if !strings.Contains(one.String(), want) {
			t.Errorf("%q is not in the page", want)
		}
	}
	for _, never := range []string{"://", "src=", "@import", "url("} {
		if strings.Contains(one.String(), never) {
			t.Errorf("%q is in the page", never)
		}
	}
	broken := &tree.Tree{Classes: []string{"a"}, Nodes: []tree.Node{{Class: 7}}}
	if err := page.WriteHTML(io.Discard, broken, o); err == nil {
		t.Error("a tree of no class is shown")
	}
}

// TestLeaf: a tree without splits and counts.
func TestLeaf(t *testing.T) {
	tr := tree.NewLeaf(&dataset.Dataset{Features: []string{"x"}, Classes: []string{"a", "b"}}, 1)
	html, err := page.Component(tr, page.Options{Histograms: []tree.Histogram{}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"b"}, texts(elements(t, string(html)), "text")); diff != "" {
		t.Error(diff)
	}
}

// TestSummary: what a page says before the tree and below it.
func TestSummary(t *testing.T) {
	tr, ds := loans(t)
	gap, objective, bound := 0.0725, 0.4, 0.371
	for name, c := range map[string]struct {
		fit  *tree.Fit
		want []string
	}{
		"nothing known": {nil, []string{"<h1>Decision tree for class</h1>", "Right on 3 of 5 training rows (60 %); always answering yes is right on 3 (60 %)."}},
		"proved":        {&tree.Fit{Method: "oct", Data: "loans.csv", Status: "optimal", Claim: "no tree of depth 3 has fewer errors"}, []string{`<p class="badge proved">Proved optimal: no tree of depth 3 has fewer errors on the training rows.</p>`, "Fitted to loans.csv by the method oct.", "It has not been tested on other rows."}},
		"hyperplanes":   {&tree.Fit{Method: "oct-h", Status: "optimal"}, []string{`<p class="badge proved">Proved optimal among the trees of the method oct-h.</p>`}},
		"gap":           {&tree.Fit{Method: "oct", Status: "feasible", Gap: &gap, Objective: &objective, Bound: &bound}, []string{`<p class="badge">Not proved: gap 7.2 %. Its objective is 0.4; a tree down to 0.371 is not ruled out.</p>`}},
		"heuristic":     {&tree.Fit{Method: "cart", Status: "feasible"}, []string{`<p class="badge">Not proved: found by cart; better trees may exist.</p>`}},
		"test rows":     {&tree.Fit{Method: "oct", Status: "optimal", Test: &tree.FitTest{Rows: 100, Errors: 20}}, []string{"On 100 test rows, which were not used to make it: 80 right (80 %, standard error 4.0)."}},
	} {
		tr.Fit = c.fit
		var out bytes.Buffer
		if err := page.WriteHTML(&out, tr, page.Options{Rows: ds}); err != nil {
			t.Fatal(err)
		}
		c.want = append(c.want, `<li class="k0">if age &lt; 35 and job is clerk: <strong><bdi>no</bdi></strong> (1 of 1)`, "Sensitivity 66.7 %, specificity 50 %, where yes is positive.",
			`"rows":[{"line":2,"class":0,"values":[20,0,1]}`, `"values":[30,1,null]}`)
		if c.fit == nil {
			c.want = append(c.want, "<main>")
		}
		for _, want := range c.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: %q is not in %s", name, want, out.String())
			}
		}
	}
}

// TestNumbers: leaves of a tree that predicts numbers have their answer and the histogram of its numbers.
func TestNumbers(t *testing.T) {
	ds, err := dataset.NewNumbers([]float64{1, 2, 3, 4}, []float64{1, 1, 5, 9}, []string{"size"}, "price")
	if err != nil {
		t.Fatal(err)
	}
	tr := tree.NewLeaf(ds, 0)
	tr.Grow(0, tree.Univariate(0, 2.5), 0, 0)
	tr.Annotate(ds)
	html, err := page.Component(tr, page.Options{Histograms: tr.Histograms(ds)})
	if err != nil {
		t.Fatal(err)
	}
	all := elements(t, string(html))
	if diff := cmp.Diff([]string{"size < 2.5", "1", "7"}, texts(all, "text")); diff != "" {
		t.Error(diff)
	}
	var labels []string
	for _, e := range all {
		if e.attr["role"] == "img" {
			labels = append(labels, e.attr["aria-label"])
		}
	}
	want := []string{"Histogram from 1 to 4: 2 rows left of the threshold, 2 right", "Histogram of price from 1 to 9: 2 rows", "Histogram of price from 1 to 9: 2 rows"}
	if diff := cmp.Diff(want, labels); diff != "" {
		t.Error(diff)
	}
}
