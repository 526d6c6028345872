package strict_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
	"pgregory.net/rapid"

	"github.com/octgen/octgen/internal/strict"
)

type plain struct {
	Int    int64
	Uint   uint64
	Float  float64
	Flag   bool
	Text   string
	Some   []string          `yaml:",omitempty"`
	Pairs  map[string]uint64 `yaml:",omitempty"`
	Maybe  *float64          `yaml:",omitempty"`
	Inside []inner           `yaml:",omitempty"`
}

type inner struct {
	Text string
	Deep struct{ Int int64 }
}

// TestRoundTrip: what the library writes of a struct is read back, whatever its texts.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringN(1, 8, -1)
		number := rapid.Float64Range(-1e300, 1e300)
		want := plain{
			Int: rapid.Int64().Draw(t, "int"), Uint: rapid.Uint64().Draw(t, "uint"), Float: number.Draw(t, "float"),
			Flag: rapid.Bool().Draw(t, "flag"), Text: text.Draw(t, "text"),
		}
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			want.Some = append(want.Some, text.Draw(t, "one"))
			in := inner{Text: text.Draw(t, "inner")}
			in.Deep.Int = rapid.Int64().Draw(t, "deep")
			want.Inside = append(want.Inside, in)
			if want.Pairs == nil {
				want.Pairs = make(map[string]uint64)
			}
			want.Pairs[text.Draw(t, "key")] = rapid.Uint64().Draw(t, "value")
		}
		if rapid.Bool().Draw(t, "there") {
			x := number.Draw(t, "maybe")
			want.Maybe = &x
		}
		written, err := yaml.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var again plain
		if err := yaml.Unmarshal(written, &again); err != nil || !cmp.Equal(want, again) {
			t.Skip("the library does not read what it wrote, such as a text of line ends alone")
		}
		n, err := strict.Parse(written, "f.yaml")
		if err != nil {
			t.Fatalf("%v\n%s", err, written)
		}
		var got plain
		if _, err := strict.Decode(n, &got); err != nil {
			t.Fatalf("%v\n%s", err, written)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s\n%s", diff, written)
		}
	})
}

// FuzzDecode: any text is read, or is an error of the file with a place in it; what
// is read keeps to the tags.
func FuzzDecode(f *testing.F) {
	f.Add(full)
	f.Add("name: x\npoint: &p {x: 3}\nmore: [*p, *p]")
	f.Add("name: x\nmore: &a\n- x: *a")
	f.Add("name: !!str x\nshare: 3%\nignore: 'a\\,b,'\nlater: ~")
	f.Add("%YAML 1.2\n---\nname: x")
	f.Fuzz(func(t *testing.T, text string) {
		s, keys, err := decode(text)
		if err != nil {
			var e *strict.Error
			if !errors.As(err, &e) || e.File != "f.yaml" || e.Msg == "" || e.Column > 0 && e.Line == 0 || e.Line > 2+lineEnds(text) {
				t.Fatalf("%#v", err)
			}
			return
		}
		switch {
		case s.Name == "" || !keys.Has("name"):
			t.Error("no name")
		case s.MaxSplits != nil && *s.MaxSplits < 1, keys.Has("max_splits") != (s.MaxSplits != nil):
			t.Errorf("max_splits: %v", s.MaxSplits)
		case s.CacheMB > 1024, !slices.Contains([]string{"drop", "mean", "category"}, s.Mode):
			t.Errorf("%+v", s)
		case keys.Has("part") && !(s.Part > 0 && s.Part < 1), math.IsNaN(s.Part):
			t.Errorf("part: %v", s.Part)
		case keys.Has("later") != s.Later.IsSet(), keys.Has("more") != (len(s.More) > 0):
			t.Errorf("%+v", s)
		}
	})
}

// lineEnds counts what YAML takes for the end of a line.
func lineEnds(text string) int {
	n := 0
	for _, end := range []string{"\n", "\r", "\u0085", "\u2028", "\u2029"} {
		n += strings.Count(text, end)
	}
	return n
}
