package report

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/octgen/octgen/experiments/internal/trial"
	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/fit"
)

// wellFormed parses a page or a drawing and calls visit with each element's path,
// attributes and direct text.
func wellFormed(t *testing.T, text string) []element {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	var all []element
	var open []int
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
		switch x := token.(type) {
		case xml.StartElement:
			e := element{name: x.Name.Local, attr: make(map[string]string), parent: -1}
			for _, a := range x.Attr {
				e.attr[a.Name.Local] = a.Value
			}
			if len(open) > 0 {
				e.parent = open[len(open)-1]
			}
			open = append(open, len(all))
			all = append(all, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			for _, i := range open {
				all[i].text += string(x)
			}
		}
	}
}

// element is an element of a page with all text inside it.
type element struct {
	name, text string
	attr       map[string]string
	parent     int
}

func count(all []element, name, class string) int {
	n := 0
	for _, e := range all {
		if e.name == name && (class == "" || e.attr["class"] == class) {
			n++
		}
	}
	return n
}

// drawn checks a drawing and returns how many paths and texts it has.
func drawn(t *testing.T, f *figure) (paths, texts int) {
	t.Helper()
	svg := string(f.SVG())
	all := wellFormed(t, svg)
	for _, bad := range []string{"NaN", "Inf", "font-family", "http"} {
		if strings.Contains(svg, bad) {
			t.Errorf("%s in %s", bad, svg)
		}
	}
	if all[0].attr["role"] != "img" || all[1].name != "title" || all[1].text != f.Title || all[2].name != "desc" {
		t.Errorf("the drawing has no words: %v", all[:3])
	}
	return count(all, "path", ""), count(all, "text", "")
}

var nan, inf = math.NaN(), math.Inf(1)

// TestPlots: no points, one point, figures that are not numbers, and equal values all give a
// complete drawing.
func TestPlots(t *testing.T) {
	values := map[string][]float64{
		"nothing": nil, "one": {3}, "none": {nan, nan}, "infinite": {inf, -inf, 2}, "zeros": {0, 0, 0}, "equal": {7, 7, 7}, "some": {1, nan, 4, 2},
		"huge": {1e300, -1e300}, "tiny": {1e-300, 2e-300}, "many": make([]float64, 200),
	}
	for name, v := range values {
		t.Run(name, func(t *testing.T) {
			var of []mark
			var cross []crossMark
			var points []run.TracePoint
			for i, x := range v {
				of = append(of, mark{"m", x, x - 1, x + 1, i})
				cross = append(cross, crossMark{"m", i, x, nan, x, 1})
				points = append(points, point(math.Abs(orZero(x)), x, -inf))
			}
			drawn(t, marks("marks", "x", of, 20))
			drawn(t, boxes("boxes", "x", []string{"a", "b"}, [][]float64{v, nil}))
			drawn(t, gaps("gaps", []string{"a"}, []curve{{0, true, true, points}, {0, false, false, nil}}))
			drawn(t, against("against", "x", "y", cross))
		})
	}
}

// TestPlotsShow: every value is drawn.
func TestPlotsShow(t *testing.T) {
	empty, _ := drawn(t, marks("t", "x", nil, 20))
	full, texts := drawn(t, marks("t", "x", []mark{{"a", 1, 0, 2, 0}, {"b", 2, nan, nan, 1}, {"c", nan, nan, nan, 2}}, 20))
	if full-empty < 3 { // two marks, one interval; ticks may differ
		t.Errorf("%d paths, %d without marks", full, empty)
	}
	if texts < 3 {
		t.Errorf("%d texts", texts)
	}
	f := boxes("t", "x", []string{"a", "b"}, [][]float64{{1, 2, 3, 4, 10}, nil})
	if want := "x: a median 3.00, quartiles 2.00 and 4.00, from 1.00 to 10.00; b has no figure"; f.Label != want {
		t.Errorf("%q, want %q", f.Label, want)
	}
	points := []run.TracePoint{point(0, nan, -inf), point(1, 4, 1), point(2, 4, 4)}
	if got := []float64{gapPercent(points[0]), gapPercent(points[1]), gapPercent(points[2]), gapPercent(point(0, 1, -5)), gapPercent(point(0, 0, 0))}; got[0] != 100 || got[1] != 75 || got[2] != 0 || got[3] != 100 || got[4] != 0 {
		t.Error(got)
	}
	g := gaps("t", []string{"a", "b"}, []curve{{0, true, true, points}, {0, false, false, points[:2]}})
	if want := "Gap over time. a: 1 of 2 solves proved"; g.Label != want {
		t.Errorf("%q, want %q", g.Label, want)
	}
}

func TestNames(t *testing.T) {
	if got := brief("<b>\x00 a name that goes on and on"); got != "<b>\uFFFD a name that goes…" {
		t.Errorf("%q", got)
	}
	for v, want := range map[float64]string{nan: "", 0: "0.0000", 0.00012: "0.0001", 0.01234: "0.012", 5: "5.0", 1234.5: "1234"} {
		if got := secondsText(v); got != want && !(v == 1234.5 && got == "1235") {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
}

// TestRoundTicks: multiples of 1, 2 or 5, not too many.
func TestRoundTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      string
	}{
		{0, 10, "0 2 4 6 8 10"}, {-6.4, 1.2, "-6 -4 -2 0"}, {0, 1, "0.0 0.2 0.4 0.6 0.8 1.0"}, {22.1, 28.4, "24 26 28"},
		{0, 104, "0 20 40 60 80 100"}, {0.001, 0.0013, "0.001 0.00105 0.0011 0.00115 0.0012 0.00125 0.0013"},
		{0, 3e7, "0 5e+06 1e+07 1.5e+07 2e+07 2.5e+07 3e+07"}, {3, 3, ""}, {0, inf, ""}, {nan, 1, ""},
	} {
		var labels []string
		for _, tick := range (roundTicks{}).Ticks(c.low, c.high) {
			labels = append(labels, tick.Label)
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("%v to %v: %s, want %s", c.low, c.high, got, c.want)
		}
	}
}

// TestThemed: drawings name the style's colours, and elements of a method have its class.
func TestThemed(t *testing.T) {
	svg := string(boxes("t", "x", []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}, [][]float64{9: {1, 2, 3}}).SVG())
	for _, want := range []string{`class="m9 k1"`, "var(--k);fill-opacity:.22", "stroke:var(--k)", "var(--ink)", "var(--line)"} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in %s", want, svg)
		}
	}
	if strings.Contains(svg, ":#") {
		t.Errorf("a colour of its own in %s", svg)
	}
	if hollow := string(marks("t", "x", []mark{{"a", 1, nan, nan, 4}}, 20).SVG()); strings.Count(hollow, `class="m4 k4"`) != 2 || !strings.Contains(hollow, `class="m4 k4" style="fill:var(--paper)"`) {
		t.Errorf("no hollow glyph of one class in %s", hollow)
	}
}

// TestTraceWithoutGap: a fit that solved many problems has no curve, one that found nothing has.
func TestTraceWithoutGap(t *testing.T) {
	nothing := []run.TracePoint{point(1, math.NaN(), math.Inf(-1))}
	for _, c := range []struct {
		method, status string
		trace          []run.TracePoint
		want           bool
	}{
		{"oct-tuned", "optimal", nothing, false},
		{"oct-tuned", "feasible", nothing, false},
		{"oct-h-tuned", "feasible", append([]run.TracePoint{point(0, 2, 1)}, nothing...), false},
		{"gto", "optimal", nothing, false},
		{"oct", "no solution", nothing, true},
		{"oct", "feasible", []run.TracePoint{point(1, 2, math.Inf(-1))}, true},
		{"oct", "no solution", []run.TracePoint{point(1, math.NaN(), 0)}, true},
		{"oct", "optimal", []run.TracePoint{point(0, 2, 1), point(1, 2, 2)}, true},
		{"cart", "", nil, false},
	} {
		r := &run.Record{Trace: c.trace, Result: &fit.Result{Method: c.method, Status: c.status, Solver: new(fit.Solver)}}
		if got := hasGap(r); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestTunedCurve: the page of a tuned method's proved fits shows no gap.
func TestTunedCurve(t *testing.T) {
	path := trial.WriteSmall(t)
	text := strings.Replace(trial.Small, "{name: OCT, method: treesearch, depth: 2, threads: 1}", "{name: OCT, method: oct-tuned, depth: 1}", 1)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "out")
	execute(t, path, run.Options{Dir: dir, Only: regexp.MustCompile("^d/OCT/1")})
	s, err := Summarise(dir)
	if err != nil {
		t.Fatal(err)
	}
	if r := s.find("d", "OCT", "proved"); r.N != 3 || r.Mean != 100 || s.find("d", "OCT", "gap").N != 0 {
		t.Fatalf("%+v", r)
	}
	if page, _ := pageOf(t, s, dir); strings.Contains(page, "Gap over time") {
		t.Error("a page shows gaps of fits without gaps")
	}
}

// point returns a point of a trace.
func point(seconds, objective, bound float64) run.TracePoint {
	return run.TracePoint{Seconds: seconds, Objective: objective, Bound: bound}
}
