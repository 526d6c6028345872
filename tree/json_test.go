package tree

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func encode(t interface{ Fatal(...any) }, tr *Tree) []byte {
	var b bytes.Buffer
	if err := tr.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestJSONGolden(t *testing.T) {
	b := encode(t, flowers())
	golden(t, "flowers.json", b)
	got, err := ReadJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(flowers(), got); d != "" {
		t.Errorf("read back (-want +got):\n%s", d)
	}
}

func TestJSONInsideObjects(t *testing.T) {
	type answer struct {
		Tree *Tree `json:"tree"`
	}
	b, err := json.Marshal(answer{hostile()})
	if err != nil {
		t.Fatal(err)
	}
	var got answer
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(hostile(), got.Tree); d != "" {
		t.Errorf("read back (-want +got):\n%s", d)
	}
}

func TestJSONRoundTrip(t *testing.T) {
	checkMany(t, func(t *rapid.T) {
		ds := randomData(t, 10, 3, 3)
		tr := randomTree(t, ds, 6)
		for i := range tr.Nodes {
			if s := tr.Nodes[i].Split; s != nil {
				s.Threshold = rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64).Draw(t, "threshold")
			}
		}
		if rapid.Bool().Draw(t, "annotated") {
			tr.Annotate(ds)
		}
		got, err := ReadJSON(bytes.NewReader(encode(t, tr)))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(tr, got); d != "" {
			t.Fatal(d)
		}
		if readWritten(encode(t, tr), alone) == nil {
			t.Fatal("a tree's own text is read the long way")
		}
		if d := cmp.Diff(tr, readWritten(inside(t, tr), spacing{})); d != "" {
			t.Fatalf("read as written inside an object: %s", d)
		}
	})
}

// inside is the text of a tree inside a larger object.
func inside(t interface{ Fatal(...any) }, tr *Tree) []byte {
	b, err := json.Marshal(tr)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestReadWritten: what is not as octgen writes it is left to those who name mistakes.
func TestReadWritten(t *testing.T) {
	good := string(inside(t, flowers()))
	if d := cmp.Diff(flowers(), readWritten([]byte(good), spacing{})); d != "" {
		t.Error(d)
	}
	for _, c := range [][2]string{
		{`"schema_version":2`, `"schema_version":1`},
		{`"schema_version":2`, `"schema_version":5`},
		{`"schema_version":2,`, ``},
		{`"features":[`, `"features":[],"features":[`},
		{`"class":0`, `"class":3`},
		{`"class":0`, `"class":"0"`},
		{`"class":0`, `"class":0,"klass":0`},
		{`"class":0`, `"Class":0`},
		{`"class":0,`, ``},
		{`"threshold":-0.3`, `"threshold":-0.30`},
		{`"threshold":-0.3`, `"threshold":null`},
		{`"left":1,`, ``},
		{`"left":1`, `"left":7`},
		{`"target":"class"`, `"goal":"class"`},
		{`"nodes":[`, `"nodes":[[],`},
		{`"nodes":[`, `"nodes":[ `},
		{good, `null`}, {good, `{}`}, {good, good[1:]},
	} {
		if !strings.Contains(good, c[0]) {
			t.Fatalf("%q does not occur", c[0])
		}
		if readWritten([]byte(strings.Replace(good, c[0], c[1], 1)), spacing{}) != nil {
			t.Errorf("%s -> %s was read", c[0], c[1])
		}
	}
}

func TestWriteJSONRefusesBadTrees(t *testing.T) {
	tr := flowers()
	tr.Nodes[0].Split = Univariate(0, math.NaN())
	var b bytes.Buffer
	if err := tr.WriteJSON(&b); err == nil || b.Len() > 0 {
		t.Errorf("error %v, %d bytes written", err, b.Len())
	}
}

func TestReadJSONErrors(t *testing.T) {
	good := string(encode(t, flowers()))
	for _, c := range []struct{ old, new, want string }{
		{`"schema_version": 2`, `"schema_version": 6`, "$.schema_version: 6 is unknown; this octgen reads versions 1 to 5"},
		{`"schema_version": 2`, `"schema_version": "1"`, `$.schema_version: an integer is needed, found "1"`},
		{`"schema_version": 2,`, ``, `$: the key "schema_version" is missing`},
		{`"features": [`, `"feature": [`, `$: unknown key "feature"; known are`},
		{`"classes": [`, `"features": [`, `$: key "features" is given twice`},
		{`"class":0`, `"class":3`, "$.nodes[1].class: 3 is out of range; classes are 0 to 2"},
		{`"class":0`, `"class":1.5`, "$.nodes[1].class: an integer is needed, found 1.5"},
		{`"class":0`, `"klass":0`, `$.nodes[1]: unknown key "klass"`},
		{`"threshold":-0.3`, `"threshold":1e999`, "$.nodes[2].split.threshold: 1e999 is not a finite double-precision number"},
		{`"threshold":-0.3`, `"threshold":null`, "$.nodes[2].split.threshold: a number is needed, found null"},
		{`"feature":2`, `"feature":3`, "$.nodes[2].split.terms[2].feature: 3 is out of range; there are 3 features"},
		{`"left":1`, `"left":0`, "$.nodes[0].left: 0 does not come after its parent 0"},
		{`"left":3`, `"left":1`, "$.nodes[2].left: 1 does not come after its parent 2"},
		{`"left":1`, `"left":7`, "$.nodes[0].left: 7 is not a node; nodes are 0 to 4"},
		{`"left":1,`, ``, `$.nodes[0]: a node with a split needs the key "left"`},
		{`"right":4`, `"right":3`, "$.nodes[2].right: 3 is already a child of node 2"},
		{`"kind":"onehot"`, `"kind":"dummy"`, `$.encoder: column "colour": unknown kind "dummy"`},
		{`"target":"class"`, `"goal":"class"`, `$.encoder: json: unknown field "goal"`},
		{`"nodes": [`, `"nodes": [ [],`, "$.nodes[0]: an object is needed, found []"},
		{`"nodes": [`, `"nodes": [,`, "line 5, column"},
		{`{"split"`, `{"reward":[1,2,3],"split"`, "$.schema_version: 2, but the tree has groups, a cost matrix, rewards, a fit, or sets of categories, which are of version 3"},
		{`"target":"class"`, `"cost_matrix":[[0,1,1],[1,0,1],[1,1,0]],"target":"class"`, "$.schema_version: 2, but the tree has"},
		{`  "encoder"`, `  "fit": {"method": 3}, "encoder"`, "$.fit: json: cannot unmarshal number"},
		{`  "encoder"`, `  "fit": {"method": "oct", "status": "optimal"}, "encoder"`, "$.schema_version: 2, but the tree has"},
		{good, ``, "unexpected end of JSON input"},
		{good, `[]`, "$: an object is needed, found []"},
		{good, `null`, "$: an object is needed, found null"},
	} {
		if !strings.Contains(good, c.old) {
			t.Fatalf("%q does not occur", c.old)
		}
		_, err := ReadJSON(strings.NewReader(strings.Replace(good, c.old, c.new, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s -> %s: got %v, want ... %s", c.old, c.new, err, c.want)
		}
	}
}

func FuzzReadJSON(f *testing.F) {
	f.Add(encode(f, flowers()))
	f.Add(encode(f, hostile()))
	f.Add(inside(f, flowers()))
	f.Add([]byte(`{"schema_version":1,"features":[],"classes":["a"],"nodes":[{"class":0}]}`))
	f.Add([]byte(`{"schema_version":1,"features":["x"],"classes":["a"],"nodes":[{"split":{"terms":[{"feature":0,"weight":1}],"threshold":-0},"left":1,"right":1,"class":0}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		tr, err := parseJSON(b)
		for _, s := range []spacing{{}, alone} {
			if u := readWritten(b, s); u != nil && (err != nil || !cmp.Equal(tr, u)) {
				t.Fatalf("read otherwise as a text of octgen's: %v\n%s", err, cmp.Diff(tr, u))
			}
		}
		if err != nil {
			return
		}
		if err := tr.Validate(); err != nil {
			t.Fatalf("an invalid tree was read: %v", err)
		}
		tr.Predict(make([]float64, len(tr.Features)))
		once := encode(t, tr)
		again, err := ReadJSON(bytes.NewReader(once))
		if err != nil {
			t.Fatal(err)
		}
		if twice := encode(t, again); !bytes.Equal(once, twice) {
			t.Fatalf("not stable:\n%s\n%s", once, twice)
		}
		for _, write := range []func(io *bytes.Buffer) error{
			func(b *bytes.Buffer) error { return tr.WriteText(b, Format{}) },
			func(b *bytes.Buffer) error { return tr.WriteDOT(b, Format{}) },
			func(b *bytes.Buffer) error { return tr.WriteSVG(b, Format{}) },
		} {
			var out bytes.Buffer
			if err := write(&out); err != nil {
				t.Fatal(err)
			}
		}
	})
}
