package strict_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/internal/strict"
)

// percent is read from a text such as 20%.
type percent float64

func (p *percent) UnmarshalText(text []byte) error {
	number, ok := strings.CutSuffix(string(text), "%")
	if _, err := fmt.Sscan(number, (*float64)(p)); err != nil || !ok {
		return errNoPercent
	}
	*p /= 100
	return nil
}

var errNoPercent = errors.New("no percentage; want one such as 20%")

type common struct {
	Seed    uint64 `default:"1" help:"Seed."`
	Verbose bool   `help:"Say more."`
}

type point struct {
	X int     `required:"" help:"Across."`
	Y float64 `default:"0.5" min:"0" below:"1" help:"Up."`
}

type sample struct {
	Name      string `yaml:"name" required:"" help:"What it is called."`
	common           // flattened
	MaxSplits *int   `min:"1" help:"Most splits."`
	CacheMB   int    `name:"cache-mb" aliases:"memory" default:"256" max:"1024" help:"Memory in MB (default: ${default})."`
	Mode      string `enum:"drop,mean,${more}" default:"drop" help:"One of ${enum}."`
	Share     *percent
	Limit     time.Duration
	Ignore    []string          `help:"Columns."`
	Without   []string          `sep:"none" enum:"a,b"`
	Weights   map[string]int    `min:"0"`
	Point     point             `help:"Where."`
	More      []point           `help:"Other places."`
	Labels    map[string]string `yaml:"tags"`
	Part      float64           `above:"0" below:"1"`
	Small     int8
	Box       struct{ Width int } `embed:"" prefix:"box-"`
	Later     strict.Node
	Rest      []strict.Node
	Skipped   int `yaml:"-"`
	Other     int `kong:"-"`
	_         int
}

var vars = strict.Vars{"more": "category"}

func decode(text string) (*sample, *strict.Keys, error) {
	n, err := strict.Parse([]byte(text), "f.yaml")
	if err != nil {
		return nil, nil, err
	}
	var s sample
	k, err := vars.Decode(n, &s)
	return &s, k, err
}

const full = `name: x
seed: 0x10
verbose: yes
max_splits: 3
cache_mb: "12"
mode: category
share: 20%
limit: 1m
ignore: [a, "b,c"]
without: a
weights: {one: 1, two: 2}
point: {x: -1}
more: [{x: 1, y: 0}, {x: 2}]
tags: &tags {k: 1}
part: 2.5e-1
small: -128
box_width: 4
later: [1, {two: 3}]
rest: [one, {two: 2}]
`

func TestDecode(t *testing.T) {
	got, keys, err := decode(full)
	if err != nil {
		t.Fatal(err)
	}
	three, share := 3, percent(0.2)
	want := &sample{
		Name: "x", common: common{Seed: 16, Verbose: true}, MaxSplits: &three, CacheMB: 12, Mode: "category", Share: &share, Limit: time.Minute,
		Ignore: []string{"a", "b,c"}, Without: []string{"a"}, Weights: map[string]int{"one": 1, "two": 2},
		Point: point{-1, 0.5}, More: []point{{1, 0}, {2, 0.5}}, Labels: map[string]string{"k": "1"}, Part: 0.25, Small: -128, Box: struct{ Width int }{4},
	}
	options := []cmp.Option{cmp.AllowUnexported(sample{}), cmp.FilterPath(func(p cmp.Path) bool {
		return p.Last().String() == ".Later" || p.Last().String() == ".Rest"
	}, cmp.Ignore())}
	if diff := cmp.Diff(want, got, options...); diff != "" {
		t.Error(diff)
	}
	if len(got.Rest) != 2 || !got.Later.IsSet() {
		t.Fatalf("%v, %v", got.Rest, got.Later)
	}
	items, err := got.Later.Items()
	if err != nil || items[1].Find("two").Errorf("x").Error() != "f.yaml:18:18: later[1].two: x" {
		t.Errorf("%v, %v", items, err)
	}
	for path, set := range map[string]bool{"seed": true, "point.x": true, "point.y": false, "more[0].y": true, "more[1].y": false, "more[1]": true, "skipped": false} {
		if keys.Has(path) != set {
			t.Errorf("%s is set: %v", path, !set)
		}
	}
	for path, want := range map[string]string{
		"seed": "f.yaml:2:7: seed: no", "point.y": "f.yaml:12:8: point: no", "more[1].y": "f.yaml:13:22: more[1]: no", "never": "f.yaml:1:1: no", "more[7].x": "f.yaml:13:7: more: no",
	} {
		if got := keys.At(path).Errorf("no").Error(); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// TestDefaults: what is not there has its default or stays as it is.
func TestDefaults(t *testing.T) {
	n, err := strict.Parse([]byte("name: y"), "f.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s := sample{Part: 0.5, CacheMB: 1}
	if _, err := vars.Decode(n, &s); err != nil {
		t.Fatal(err)
	}
	if s.Seed != 1 || s.CacheMB != 256 || s.Mode != "drop" || s.Part != 0.5 || s.MaxSplits != nil || s.Share != nil || s.Point.Y != 0.5 || s.Later.IsSet() {
		t.Errorf("%+v", s)
	}
	var c common
	if strict.SetDefaults(&c); c.Seed != 1 {
		t.Errorf("%+v", c)
	}
}

// TestSeveral: a mapping may be that of several structs.
func TestSeveral(t *testing.T) {
	n, err := strict.Parse([]byte("{x: 1, verbose: true}"), "f.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var p point
	var c common
	if _, err := strict.Decode(n, &p, &c); err != nil || p.X != 1 || !c.Verbose {
		t.Errorf("%+v, %+v, %v", p, c, err)
	}
	defer func() {
		if recover() == nil {
			t.Error("two structs with the same keys")
		}
	}()
	_, _ = strict.Decode(n, &p, &point{})
}

// TestLists: a single value is a list of one; as on the command line separators
// divide it, unless a list is written or there are none.
func TestLists(t *testing.T) {
	for text, want := range map[string][]string{
		"ignore: a":             {"a"},
		"ignore: a,b":           {"a", "b"},
		`ignore: 'a\,b,c'`:      {"a,b", "c"},
		`ignore: ['a,b', c]`:    {"a,b", "c"},
		"ignore: [&x a, *x, 3]": {"a", "a", "3"},
		"without: a":            nil,
	} {
		s, _, err := decode("name: x\n" + text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if diff := cmp.Diff(want, s.Ignore); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
	if _, _, err := decode("name: x\nwithout: a,b"); err == nil {
		t.Error("a list of one text is divided")
	}
}

// TestAliases of values are followed, and their mistakes are told where they are.
func TestAliases(t *testing.T) {
	s, _, err := decode("name: x\npoint: &p {x: 3}\nmore: [*p, *p]\nmax_splits: &n 4\nsmall: *n")
	if err != nil || len(s.More) != 2 || s.More[1].X != 3 || s.Small != 4 {
		t.Errorf("%+v, %v", s, err)
	}
	s, k, err := decode("name: x\nmemory: 7")
	if err != nil || s.CacheMB != 7 || !k.Has("cache_mb") || k.Has("memory") {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestErrors: what is wrong, where, and what would be right.
func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "f.yaml: the file is empty",
		"# only this":                     "f.yaml: the file is empty",
		"3":                               `f.yaml:1:1: "3"; want a mapping (key: value)`,
		strings.Repeat("a;b ", 900):       `f.yaml:1:1: "` + strings.Repeat("a;b ", 20) + `..."; want a mapping (key: value)`,
		"[]":                              "f.yaml:1:1: an empty list; want a mapping (key: value)",
		"seed: 1":                         `f.yaml:1:1: the key "name" is missing`,
		"name: x\nnmae: y":                `f.yaml:2:1: nmae: unknown key; did you mean "name"?`,
		"name: x\nmax-splits: 2":          `f.yaml:2:1: max-splits: unknown key; did you mean "max_splits"?`,
		"name: x\nqqq: 2":                 "f.yaml:2:1: qqq: unknown key; the keys here are box_width, cache_mb, ignore, ",
		"name: x\n  \nname: y":            "f.yaml:3:1: name: the key is there twice, first on line 1",
		"name: x\nmemory: 1\ncache_mb: 2": "f.yaml:3:1: cache_mb: the key is another name of memory, which is on line 2",
		"name: [x]":                       "f.yaml:1:7: name: a list; want one value",
		"name: {x: y}":                    "f.yaml:1:7: name: a mapping; want one value",
		"name: ":                          "f.yaml:1:6: name: nothing; want a value",
		"name: ''":                        "f.yaml:1:7: name: nothing; want a value",
		"name: ~":                         "f.yaml:1:7: name: nothing; want a value",
		"seed: -1":                        `f.yaml:1:7: seed: "-1"; want a whole number, 0 or more`,
		"seed: 18446744073709551616":      `f.yaml:1:7: seed: "18446744073709551616"; want a whole number, 0 to 18446744073709551615`,
		"seed: 1.5":                       `f.yaml:1:7: seed: "1.5"; want a whole number, 0 or more`,
		"verbose: nein":                   `f.yaml:1:10: verbose: "nein"; want true or false`,
		"max_splits: 0":                   `f.yaml:1:13: max_splits: "0"; want a whole number, 1 or more`,
		"max_splits: 1e3":                 `f.yaml:1:13: max_splits: "1e3"; want a whole number, 1 or more`,
		"cache_mb: 2000":                  `f.yaml:1:11: cache_mb: "2000"; want a whole number, at most 1024`,
		"small: 128":                      `f.yaml:1:8: small: "128"; want a whole number, -128 to 127`,
		"small: x":                        `f.yaml:1:8: small: "x"; want a whole number`,
		"mode: dorp":                      `f.yaml:1:7: mode: "dorp"; want drop, mean or category; did you mean "drop"?`,
		"mode: nothing":                   `f.yaml:1:7: mode: "nothing"; want drop, mean or category`,
		"share: 0.2":                      "f.yaml:1:8: share: no percentage; want one such as 20%",
		"limit: soon":                     `f.yaml:1:8: limit: "soon" is no time; want one such as 60s, 2m or 90 (seconds)`,
		"ignore: []":                      "f.yaml:1:9: ignore: an empty list; want a list of at least one",
		"ignore: {a: b}":                  "f.yaml:1:9: ignore: a mapping; want a list of at least one",
		"ignore: [a, [b]]":                "f.yaml:1:13: ignore[1]: a list; want one value",
		"without: [a, c]":                 `f.yaml:1:14: without[1]: "c"; want a or b`,
		"weights: 3":                      `f.yaml:1:10: weights: "3"; want a mapping (key: value)`,
		"weights: {a: -3}":                `f.yaml:1:14: weights.a: "-3"; want a whole number, 0 or more`,
		"weights: {a: 1, a: 2}":           "f.yaml:1:17: weights.a: the key is there twice, first on line 1",
		"point: {y: 0}":                   `f.yaml:1:8: point: the key "x" is missing`,
		"point: {x: 1, y: 1}":             `f.yaml:1:18: point.y: "1"; want a number, 0 or more and less than 1`,
		"more: [{x: 1}, {z: 1}]":          "f.yaml:1:17: more[1].z: unknown key; the keys here are x, y",
		"more: {x: 1}":                    "f.yaml:1:7: more: a mapping; want a list of at least one",
		"part: 1":                         `f.yaml:1:7: part: "1"; want a number between 0 and 1`,
		"part: .nan":                      `f.yaml:1:7: part: ".nan"; want a number between 0 and 1`,
		"part: inf":                       `f.yaml:1:7: part: "inf"; want a number between 0 and 1`,
		"<<: {name: x}":                   "f.yaml:1:1: the merge key << is not supported; want the keys written out",
		"? [a]\n: b":                      `f.yaml:1:3: the key "" is not a name`,
		"name: !point x":                  "f.yaml:1:7: name: the tag !point is not supported; want the value alone",
		"name: !!binary eA==":             "f.yaml:1:7: name: the tag !!binary is not supported; want the value alone",
		"name: *x":                        "f.yaml:1: unknown anchor 'x' referenced",
		"name: [":                         "f.yaml:1: did not find expected node content",
		"name: x\n---\nname: y":           "f.yaml:2:1: a second document begins here; want one",
		"name: a\x01b":                    "f.yaml:1: control characters are not allowed",
		"skipped: 1":                      "f.yaml:1:1: skipped: unknown key",
		"other: 1":                        "f.yaml:1:1: other: unknown key",
		"unexported: 1":                   "f.yaml:1:1: unexported: unknown key",
		"common: {seed: 1}":               "f.yaml:1:1: common: unknown key",
	} {
		_, _, err := decode(text)
		var e *strict.Error
		if err == nil || !strings.HasPrefix(err.Error(), want) || !errors.As(err, &e) || e.File != "f.yaml" {
			t.Errorf("%q: %v\nwant %s", text, err, want)
		}
	}
	_, _, err := decode("share: 3")
	if !errors.Is(err, errNoPercent) {
		t.Errorf("%v does not wrap the cause", err)
	}
}

// TestCircle: an anchor that holds itself ends.
func TestCircle(t *testing.T) {
	type nest struct{ In []nest }
	n, err := strict.Parse([]byte("in: &a\n- in: *a"), "f.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var x nest
	if _, err := strict.Decode(n, &x); err == nil || !strings.Contains(err.Error(), "no anchor that holds itself") {
		t.Error(err)
	}
}

// TestNode: what a caller reads by itself has places, too.
func TestNode(t *testing.T) {
	n, err := strict.Parse([]byte("a: &x 1\nb: [2, *x]\nc: {d: 3}"), "f.yaml")
	if err != nil {
		t.Fatal(err)
	}
	entries, err := n.Entries()
	if err != nil || len(entries) != 3 || entries[1].Key != "b" || entries[1].Errorf("bad").Error() != "f.yaml:2:1: b: bad" {
		t.Fatalf("%v, %v", entries, err)
	}
	items, err := entries[1].Value.Items()
	if err != nil || len(items) != 2 {
		t.Fatal(err)
	}
	if text, err := items[1].Text(); err != nil || text != "1" {
		t.Errorf("%q, %v", text, err)
	}
	if d := n.Find("c").Find("d"); d.Errorf("bad").Error() != "f.yaml:3:8: c.d: bad" || n.Find("z").IsSet() || n.Find("a").Find("z").IsSet() || n.Find("z").Find("z").IsSet() {
		t.Error(d)
	}
}

// TestKong: the same struct is one of flags, with the same names and defaults.
func TestKong(t *testing.T) {
	type options struct {
		common
		MaxSplits   *int
		CacheMB     int `name:"cache-mb" default:"256"`
		MIPStart    string
		LPFile2Read string
		X           float64       `default:"0.5"`
		XYZ         bool          `name:"ex-why"`
		Some        []string      `default:"a,b"`
		Limit       time.Duration `default:"1m"`
		Box         struct {
			Width int `default:"3"`
		} `embed:"" prefix:"box-"`
	}
	var byFlags, byFile options
	k, err := kong.New(&byFlags, kong.NoDefaultHelp())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := k.Parse(nil); err != nil {
		t.Fatal(err)
	}
	strict.SetDefaults(&byFile)
	if diff := cmp.Diff(byFlags, byFile, cmp.AllowUnexported(options{})); diff != "" {
		t.Error(diff)
	}
	flags := make(map[string]bool)
	for _, f := range k.Model.Flags {
		flags[strings.ReplaceAll(f.Name, "-", "_")] = true
	}
	for key := range strict.Schema(&options{})["properties"].(map[string]any) {
		if !flags[key] {
			t.Errorf("no flag is the key %s; they are %v", key, flags)
		}
		delete(flags, key)
	}
	if len(flags) > 0 {
		t.Errorf("flags without a key: %v", flags)
	}
}

func TestSchema(t *testing.T) {
	text, err := json.MarshalIndent(vars.Schema(&sample{}), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	properties := got["properties"].(map[string]any)
	for key, want := range map[string]string{
		"name":       `{"description":"What it is called.","type":"string"}`,
		"seed":       `{"default":1,"description":"Seed.","minimum":0,"type":"integer"}`,
		"verbose":    `{"description":"Say more.","type":"boolean"}`,
		"max_splits": `{"description":"Most splits.","minimum":1,"type":"integer"}`,
		"cache_mb":   `{"default":256,"description":"Memory in MB (default: 256).","maximum":1024,"type":"integer"}`,
		"memory":     `{"deprecated":true,"description":"Older name of cache_mb."}`,
		"mode":       `{"default":"drop","description":"One of drop,mean,category.","enum":["drop","mean","category"],"type":"string"}`,
		"share":      `{"type":["string","number","boolean"]}`,
		"limit":      `{"type":["string","number"]}`,
		"ignore":     `{"anyOf":[{"type":"string"},{"items":{"type":"string"},"minItems":1,"type":"array"}],"description":"Columns."}`,
		"weights":    `{"additionalProperties":{"minimum":0,"type":"integer"},"type":"object"}`,
		"part":       `{"exclusiveMaximum":1,"exclusiveMinimum":0,"type":"number"}`,
		"later":      `{}`,
		"rest":       `{"items":{},"minItems":1,"type":"array"}`,
		"box_width":  `{"type":"integer"}`,
		"point": `{"additionalProperties":false,"description":"Where.","properties":{"x":{"description":"Across.","type":"integer"},` +
			`"y":{"default":0.5,"description":"Up.","exclusiveMaximum":1,"minimum":0,"type":"number"}},"required":["x"],"type":"object"}`,
	} {
		text, err := json.Marshal(properties[key])
		if err != nil || string(text) != want {
			t.Errorf("%s: %s, want %s", key, text, want)
		}
	}
	if got["additionalProperties"] != false || fmt.Sprint(got["required"]) != "[name]" || properties["skipped"] != nil {
		t.Errorf("%v", got)
	}
}

// TestMistakesInPrograms panic.
func TestMistakesInPrograms(t *testing.T) {
	for name, dst := range map[string]any{
		"type": &struct{ A chan int }{},
		"twice": &struct {
			A, B int `yaml:"a"`
		}{},
		"variable": &struct {
			A int `help:"${nothing}"`
		}{},
		"default": &struct {
			A int `default:"x"`
		}{},
		"bound": &struct {
			A int `min:"x"`
		}{},
		"no struct": new(int),
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			n, err := strict.Parse([]byte("a: 1"), "f.yaml")
			if err != nil {
				t.Fatal(err)
			}
			_, _ = strict.Decode(n, dst)
		})
	}
}

// grade is a text that says in the schema what it may be.
type grade string

func (g *grade) UnmarshalText(text []byte) error { *g = grade(text); return nil }

func (grade) JSONSchema() map[string]any { return map[string]any{"enum": []string{"A", "B"}} }

// letter is one character.
type letter rune

func (l *letter) UnmarshalText(text []byte) error { *l = letter(text[0]); return nil }

type rare struct {
	Count  uint8   `min:"2" max:"9"`
	Ratio  float64 `above:"0" max:"2"`
	Span   float64 `min:"-1" max:"1"`
	Only   string  `enum:"one"`
	Level  int     `enum:"1,2" default:"2"`
	Limit  string  `default:"$${x}"`
	Grade  grade
	Letter letter
	Some   []*int `default:"1,2"`
	Maybe  *point
	Share  *percent `default:"50%"`
}

func TestRare(t *testing.T) {
	read := func(text string) (rare, error) {
		n, err := strict.Parse([]byte(text), "f.yaml")
		if err != nil {
			t.Fatal(err)
		}
		var r rare
		_, err = strict.Decode(n, &r)
		return r, err
	}
	for text, want := range map[string]string{
		"count: 1":      `"1"; want a whole number, 2 to 9`,
		"count: 256":    `"256"; want a whole number, 2 to 9`,
		"ratio: 0":      `"0"; want a number, more than 0 and at most 2`,
		"span: 1.5":     `"1.5"; want a number, -1 to 1`,
		"only: two":     `"two"; want one`,
		"level: 3":      `"3"; want 1 or 2`,
		"some: [1, x]":  `some[1]: "x"; want a whole number`,
		"maybe: {y: 0}": `maybe: the key "x" is missing`,
	} {
		if _, err := read(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	r, err := read("{grade: A, letter: x, maybe: {x: 1}, limit: &a '3', some: *a}")
	if err != nil || r.Grade != "A" || r.Letter != 'x' || r.Maybe == nil || r.Maybe.Y != 0.5 || len(r.Some) != 1 || *r.Some[0] != 3 || *r.Share != 0.5 || r.Level != 2 {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err = read("{level: 1}"); err != nil || r.Limit != "${x}" || len(r.Some) != 2 {
		t.Errorf("%+v, %v", r, err)
	}
	properties := strict.Schema(&rare{})["properties"].(map[string]any)
	for key, want := range map[string]string{
		"count":  `{"maximum":9,"minimum":2,"type":"integer"}`,
		"level":  `{"default":2,"enum":[1,2],"type":"integer"}`,
		"grade":  `{"enum":["A","B"]}`,
		"letter": `{"type":"string"}`,
		"share":  `{"default":"50%","type":["string","number","boolean"]}`,
	} {
		if text, err := json.Marshal(properties[key]); err != nil || string(text) != want {
			t.Errorf("%s: %s, want %s", key, text, want)
		}
	}
}

func TestKinds(t *testing.T) {
	n, err := strict.Parse([]byte("{list: &l [], mapping: {}, text: x, nothing: , again: *l}"), "f.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string][2]bool{"list": {true, false}, "mapping": {false, true}, "text": {}, "nothing": {}, "again": {true, false}, "missing": {}} {
		if v := n.Find(key); v.IsList() != want[0] || v.IsMapping() != want[1] {
			t.Errorf("%s: list %v, mapping %v", key, v.IsList(), v.IsMapping())
		}
	}
}
