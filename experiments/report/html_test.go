package report

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/experiments/internal/trial"
	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/page"
)

// ownPage reports whether a link leads to the page of a tree, which is there.
func ownPage(dir, link string) bool {
	name, err := url.PathUnescape(link)
	if err == nil {
		_, err = os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
	}
	return err == nil && strings.HasPrefix(link, run.TreesFolder+"/")
}

// pageOf writes a summary's page.
func pageOf(t *testing.T, s *Summary, dir string) (string, []element) {
	t.Helper()
	var out bytes.Buffer
	if err := s.html(&out, dir); err != nil {
		t.Fatal(err)
	}
	script := "<script>" + string(page.Script()) + pageScript + "</script>"
	page, rest, found := strings.Cut(out.String(), script)
	if !found || strings.Contains(rest, "<script") {
		t.Error("the page's script is not its last")
	}
	page += rest
	all := wellFormed(t, page) // a script is not XML
	for _, e := range all {
		if slices.Contains([]string{"link", "iframe", "img", "object", "embed", "base"}, e.name) || e.name == "script" && e.attr["type"] != "application/json" {
			t.Errorf("the page has an element %s", e.name)
		}
		for name, v := range e.attr {
			if name == "src" || strings.HasPrefix(name, "on") || name == "href" && !strings.HasPrefix(v, "#") && !ownPage(dir, v) || strings.Contains(v, "url(") {
				t.Errorf("%s %s=%q", e.name, name, v)
			}
			if name == "href" && v[0] == '#' && strings.Count(page, ` id="`+v[1:]+`"`) != 1 {
				t.Errorf("the link %s leads nowhere", v)
			}
		}
		if e.name == "th" && e.attr["scope"] == "" {
			t.Errorf("a heading of a table without scope: %q", e.text)
		}
	}
	if rest := strings.ReplaceAll(out.String(), `xmlns="http://www.w3.org/2000/svg"`, ""); strings.Contains(rest, "://") {
		t.Errorf("the page refers to something outside: %s", rest[strings.Index(rest, "://")-20:])
	}
	return page, all
}

// tableIn returns the texts of the rows of the first table in a section.
func tableIn(all []element, id string) [][]string {
	inside := func(i int, name, key, value string) bool {
		for ; i >= 0; i = all[i].parent {
			if all[i].name == name && (key == "" || all[i].attr[key] == value) {
				return true
			}
		}
		return false
	}
	var rows [][]string
	for i, e := range all {
		if !inside(i, "section", "id", id) {
			continue
		}
		switch e.name {
		case "tr":
			rows = append(rows, nil)
		case "th", "td":
			rows[len(rows)-1] = append(rows[len(rows)-1], strings.TrimSpace(e.text))
		}
	}
	return rows
}

// TestHTMLTables: the page's tables contain the summary's figures.
func TestHTMLTables(t *testing.T) {
	s := summaryOf(t, map[string][]float64{
		"a/X": {1, 2, 3}, "a/Y_|": {1, 1, 1},
		"b/X": {4, 4, math.NaN()}, "b/Y_|": {5, 4},
	})
	page, all := pageOf(t, s, t.TempDir())
	want := [][]string{
		{"data", "X", "Y_|"},
		{"a", "20.00 ± 5.77paper 12, difference +8.00", "10.00 ± 0.00"},
		{"b", "40.00 ± 0.00 (1 failed)", "45.00 ± 5.00"},
		{"(all)", "30.00 ± 10.00 (1 failed)", "27.50 ± 17.50"},
		{"less X", "", "-2.50 (-97.80 to 92.80)"},
		{"wins/ties/losses", "", "1/0/1"},
	}
	if diff := cmp.Diff(want, tableIn(all, "metric-test_error")); diff != "" {
		t.Error(diff)
	}
	for _, x := range s.tables() {
		rows := tableIn(all, "metric-"+x.Name)
		for i, d := range []string{"a", "b", spec.AllData} {
			for j, m := range s.Spec.MethodNames() {
				if got := rows[i+1][j+1]; !strings.HasPrefix(got, number(s.find(d, m, x.Name).Mean, 2)) {
					t.Errorf("%s of %s on %s: %q", x.Name, m, d, got)
				}
			}
		}
	}
	if got := tableIn(all, "methods")[1:]; got[0][0] != "X" || got[0][2] != "baseline" || got[1][1] != "27.50 ± 17.50" || got[1][3] != "not significant against X" || got[1][4] != "1/0/1" {
		t.Errorf("%q", got)
	}
	if got := tableIn(all, "failed"); got[1][0] != "b/X/1.3" || got[1][1] != "it | did not work" {
		t.Errorf("%q", got)
	}
	for _, words := range []string{"Unfinished: 11 of 12 tasks are done, 1 of them failed. No method is compared", "Compared with</dt><dd>A &amp; B</dd>"} {
		if !strings.Contains(page, words) {
			t.Errorf("%q is not in the page", words)
		}
	}
}

// TestVerdict: the beginning of the summary.
func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		errors map[string][]float64
		want   string
	}{
		{nil, "Unfinished: 0 of 12 tasks are done, 0 of them failed. No method is compared with another before all are done."},
		{map[string][]float64{"a/X": {1, 1, 1}, "b/X": {1, 1, 1}, "a/Y_|": {2, 2, 2}, "b/Y_|": {2, 2, 2}},
			"X has the lowest test error, 10.00 % (mean; data: 2); it is the baseline."},
		{map[string][]float64{"a/X": {2, 2, 2}, "b/X": {1, 1, 1}, "a/Y_|": {1, 1, 1}, "b/Y_|": {2, 2, 2}},
			"X and Y_| have the lowest test error, 15.00 % (mean; data: 2)."},
		{map[string][]float64{"a/X": {3, 3, 3}, "b/X": {3, 3, 3}, "a/Y_|": {2, 2, 2}, "b/Y_|": {2, 2, 2}},
			"Y_| has the lowest test error, 20.00 % (mean; data: 2); the mean difference with X is -10.00 percentage points (95 % interval -10.00 to -10.00, paired t test). Y_| beats X: a difference of this size would come about by chance in fewer than 5 % of experiments."},
		{map[string][]float64{"a/X": {3, 3, 3}, "b/X": {1, 1, 1}, "a/Y_|": {1, 1, 1}, "b/Y_|": {2, 2, 2}},
			"Y_| has the lowest test error, 15.00 % (mean; data: 2); the mean difference with X is -5.00 percentage points (95 % interval -195.59 to 185.59, paired t test). That is no evidence that Y_| is better: differences of this size come about by chance."},
	} {
		if got := summaryOf(t, c.errors).verdict()[0]; got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// timed matches the elements that show times.
var timed = func() []*regexp.Regexp {
	var all []*regexp.Regexp
	for _, name := range []string{"section", "p", "td", "th"} {
		all = append(all, regexp.MustCompile(`(?s)<`+name+`\b[^>]* data-times="[^"]*">.*?</`+name+`>`))
	}
	return all
}()

// TestHTMLFolder: a folder's page has all trees, and is the same for any number of workers except
// for the parts that show times.
func TestHTMLFolder(t *testing.T) {
	path := trial.WriteSmall(t)
	var pages []string
	var tables []map[string]string
	for _, workers := range []int{1, 3} {
		dir := filepath.Join(t.TempDir(), "out")
		execute(t, path, run.Options{Dir: dir, Workers: workers})
		tables = append(tables, outputs(t, dir))
		text, err := os.ReadFile(filepath.Join(dir, HTMLFile))
		if err != nil {
			t.Fatal(err)
		}
		s, err := Summarise(dir)
		if err != nil {
			t.Fatal(err)
		}
		_, all := pageOf(t, s, dir)
		if n := count(all, "figure", "shown"); n != 21 {
			t.Errorf("%d trees, want 21", n)
		}
		files, err := filepath.Glob(filepath.Join(dir, run.TreesFolder, "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if !strings.Contains(string(text), "("+filepath.Base(f)+")") {
				t.Errorf("the tree %s is missing", f)
			}
		}
		// a forest plot; a box plot, a curve and a cross per data, a cross for all data
		if n := count(all, "svg", "plot"); n != 1+2+2+3 {
			t.Errorf("%d plots", n)
		}
		page := string(text)
		for _, r := range timed {
			page = r.ReplaceAllString(page, "")
		}
		if strings.Contains(page, "seconds") {
			t.Error("seconds outside the parts that show times")
		}
		pages = append(pages, page)
	}
	if diff := cmp.Diff(pages[0], pages[1]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(tables[0], tables[1]); diff != "" {
		t.Error(diff)
	}
}

// TestHTMLHostile: names are escaped, whatever they contain.
func TestHTMLHostile(t *testing.T) {
	data, method := `</title><script>alert(1)</script>`, `"><img src=x onerror='alert(2)'> & ]]> {{.}}`
	long := strings.Repeat("long", 40) + "世界"
	spec, err := spec.Parse([]byte(fmt.Sprintf(`name: '<style>*{}</style> & co'
data: [{name: %q, generate: gto-tree, features: 2, rows: 20, test_rows: 20}, {name: %q, generate: gto-tree, features: 2, rows: 20, test_rows: 20}]
methods: [{name: %q, method: cart}, {name: %q, method: cart, depth: 3}]
reference: {paper: '<i>', values: [{data: %[2]q, method: %[3]q, value: 3}]}
`, strings.ReplaceAll(data, "/", "|"), long, method, "B")), "s.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s := &Summary{Spec: spec, Tasks: 4}
	var records []run.Record
	for i, d := range spec.DataNames() {
		for j, m := range spec.MethodNames() {
			r := run.Record{ID: fmt.Sprint(i, j), Data: d, Method: m, Split: "1", Error: "<b>\x1b[31m\n" + strings.Repeat("x", 300)}
			if i+j > 0 {
				r.Error, r.Result = "", &fit.Result{Train: &fit.Scores{Rows: 20, Splits: 2}, Test: &fit.Scores{Rows: 20, Errors: float64(j)}, Status: "optimal", Solver: new(fit.Solver)}
				r.Trace = []run.TracePoint{point(0, 1, 0), point(1, 1, 1)}
			}
			records = append(records, r)
		}
	}
	s.Done = len(records)
	s.add(records)
	dir := t.TempDir()
	putHostileTrees(t, s, dir, data+"\u2028", method)
	_, all := pageOf(t, s, dir)
	if got := count(all, "style", ""); got != 1 {
		t.Errorf("%d styles", got)
	}
	if n := count(all, "figure", "shown"); n != 3 {
		t.Errorf("%d trees", n)
	}
	for _, e := range all {
		if e.name == "b" || e.name == "i" && e.attr["class"] == "" {
			t.Error("markup of the user's")
		}
	}
	rows := tableIn(all, "metric-test_error")
	if rows[0][1] != method || rows[1][0] != spec.DataNames()[0] || rows[2][0] != long {
		t.Errorf("%q", rows)
	}
}

// putHostileTrees writes a tree with these names for each record with a result.
func putHostileTrees(t *testing.T, s *Summary, dir string, names ...string) {
	t.Helper()
	s.trees = make(map[string]bool)
	tr := tree.NewLeaf(&dataset.Dataset{Features: names, Classes: names}, 0)
	_, right := tr.Grow(0, tree.Univariate(0, 1), 0, 1)
	tr.Grow(right, &tree.Split{Terms: []tree.Term{{Feature: 0, Weight: 1}, {Feature: 1, Weight: -1}}}, 0, 1)
	if err := os.Mkdir(filepath.Join(dir, run.TreesFolder), 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range s.records {
		r := &s.records[i]
		if r.Result == nil {
			continue
		}
		s.trees[r.ID] = true
		var out bytes.Buffer
		if err := errors.Join(tr.WriteJSON(&out), os.WriteFile(filepath.Join(dir, run.TreesFolder, r.ID+".json"), out.Bytes(), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestHTMLScrolls: every table is in an element that scrolls and whose shadow shows that: the
// shadow is fixed, and its cover at the end scrolls with the content.
func TestHTMLScrolls(t *testing.T) {
	_, all := pageOf(t, summaryOf(t, map[string][]float64{"a/X": {1, 2}}), t.TempDir())
	tables := 0
	for _, e := range all {
		if e.name == "table" {
			tables++
			if box := all[e.parent]; box.attr["class"] != "scroll" || box.attr["tabindex"] != "0" || box.attr["aria-label"] == "" {
				t.Errorf("a table in %+v", box)
			}
		}
	}
	if tables < 3 {
		t.Errorf("%d tables", tables)
	}
	if !regexp.MustCompile(`(?s)\.scroll \{ background: linear-gradient\([^;]* local,[^;]*linear-gradient\([^;]* scroll; \}`).MatchString(pageStyle) {
		t.Error("no shadow next to scrolling tables")
	}
}

// TestHTMLMany: with many data there are plots per method; of many trees, those of the first splits
// are shown.
func TestHTMLMany(t *testing.T) {
	text := "name: many\nevaluate: {folds: 8}\nmethods: [{name: X, method: cart}, {name: Y, method: treesearch, depth: 2}]\ndata:\n"
	for i := range 20 {
		text += fmt.Sprintf("  - {file: d%d.csv}\n", i)
	}
	spec, err := spec.Parse([]byte(text), "s.yaml")
	if err != nil {
		t.Fatal(err)
	}
	small := filepath.Join(t.TempDir(), "out")
	execute(t, trial.WriteSmall(t), run.Options{Dir: small, Only: regexp.MustCompile("^d/OCT/1.1$")})
	files, err := filepath.Glob(filepath.Join(small, run.TreesFolder, "*.json"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	tree, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, run.TreesFolder), 0o700); err != nil {
		t.Fatal(err)
	}
	s := &Summary{Spec: spec, Tasks: 320, Done: 320, trees: make(map[string]bool)}
	var records []run.Record
	for i, d := range spec.DataNames() {
		for j, m := range spec.MethodNames() {
			for k := range 8 {
				r := run.Record{ID: fmt.Sprintf("%016d", i*100+j*10+k), Data: d, Method: m, Split: fmt.Sprintf("1.%d", k+1)}
				r.Result = &fit.Result{Train: &fit.Scores{Rows: 20, Splits: j}, Test: &fit.Scores{Rows: 20, Errors: float64((i*j + k) % 5)}}
				if m == "Y" {
					r.Result.Solver = &fit.Solver{Status: "optimal"}
					r.Trace = []run.TracePoint{point(0, 1, 0), point(float64(i)/10, 1, 1)}
				}
				if err := os.WriteFile(filepath.Join(dir, run.TreesFolder, r.ID+".json"), tree, 0o600); err != nil {
					t.Fatal(err)
				}
				s.trees[r.ID] = true
				records = append(records, r)
			}
		}
	}
	s.add(records)
	page, all := pageOf(t, s, dir)
	if n := count(all, "figure", "shown"); n != 40 {
		t.Errorf("%d trees, want those of one division of 20 data by two methods", n)
	}
	if !strings.Contains(page, "40 of 320 trees: those of one division of each data. All are in trees/ID.json") {
		t.Error("the page does not say which trees it has")
	}
	if !strings.Contains(page, "Y (first folds: 20 of 160 solves)") {
		t.Error("the page does not say which curves it has")
	}
	if n := count(all, "svg", "plot"); n != 4 { // forest, differences of Y, accuracy over all data, gaps of Y
		t.Errorf("%d plots, want 4", n)
	}
}

// TestHTMLOfNothing: a run without results has a page without figures.
func TestHTMLOfNothing(t *testing.T) {
	page, all := pageOf(t, summaryOf(t, nil), filepath.Join(t.TempDir(), "nowhere"))
	if n := count(all, "svg", ""); n != 0 {
		t.Errorf("%d drawings", n)
	}
	if !strings.Contains(page, "Unfinished: 0 of 12 tasks are done, 0 of them failed.") {
		t.Error("the page does not say that nothing is done")
	}
}

// TestHTMLBaselines: methods with their own baselines are compared with these, and the note on a
// paper's figures appears without figures.
func TestHTMLBaselines(t *testing.T) {
	spec, err := spec.Parse([]byte(`name: two
data: [{file: a.csv}]
evaluate: {folds: 2}
methods: [{name: C2, method: cart}, {name: O2, method: cart}, {name: C3, method: cart}, {name: O3, method: cart, baseline: C3}]
reference: {paper: P, note: "other rows & columns"}
`), "s.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s := &Summary{Spec: spec, Tasks: 8, Done: 8}
	var records []run.Record
	for i, m := range spec.MethodNames() {
		for k := range 2 {
			records = append(records, run.Record{ID: fmt.Sprint(i, k), Data: "a", Method: m, Split: fmt.Sprintf("1.%d", k+1),
				Result: &fit.Result{Train: &fit.Scores{Rows: 10}, Test: &fit.Scores{Rows: 10, Errors: float64(i)}}})
		}
	}
	s.add(records)
	page, all := pageOf(t, s, t.TempDir())
	rows := tableIn(all, "metric-test_error")
	want := [][]string{
		{"difference", "", "10.00 (10.00 to 10.00)", "20.00 (20.00 to 20.00)", "10.00 (10.00 to 10.00)"},
		{"wins/ties/losses", "", "0/0/2", "0/0/2", "0/0/2"},
		{"baseline", "", "C2", "C2", "C3"},
	}
	if diff := cmp.Diff(want, rows[2:]); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(page, "<dt>Note</dt><dd>other rows &amp; columns</dd>") || !strings.Contains(page, ">O3 less C3</text>") {
		t.Error("the page lacks the note or the names in the forest plot")
	}
}

// TestCertainty: the descriptions of an interval.
func TestCertainty(t *testing.T) {
	for want, c := range map[string]*Comparison{
		"":                          nil,
		"better than B":             {Baseline: "B", Pairs: 2, Low: -3, High: -1},
		"worse than B":              {Baseline: "B", Pairs: 2, Low: 1, High: 3},
		"not significant against B": {Baseline: "B", Pairs: 2, Low: -1, High: 0},
	} {
		if got := certainty(c); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, c := range []*Comparison{{Baseline: "B"}, {Baseline: "B", Pairs: 1, Low: nan, High: nan}} {
		if got := certainty(c); got != "" {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
