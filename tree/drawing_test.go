package tree

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"testing"

	"pgregory.net/rapid"
)

func TestDOTAndSVG(t *testing.T) {
	for name, tr := range map[string]*Tree{"flowers": flowers(), "hostile": hostile()} {
		var dot, svg bytes.Buffer
		if err := errors.Join(tr.WriteDOT(&dot, Format{Decimals: 3}), tr.WriteSVG(&svg, Format{})); err != nil {
			t.Fatal(err)
		}
		golden(t, name+".dot", dot.Bytes())
		golden(t, name+".svg", svg.Bytes())
		wellFormed(t, svg.Bytes())
	}
}

func wellFormed(t *testing.T, b []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(b))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatalf("SVG: %v", err)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "script" {
			t.Fatal("SVG: user text became an element")
		}
	}
}

func TestBoxesDoNotOverlap(t *testing.T) {
	checkMany(t, func(t *rapid.T) {
		ds := randomData(t, 1, 2, 2)
		tr := randomTree(t, ds, 25)
		width := make([]float64, len(tr.Nodes))
		for i := range width {
			width[i] = rapid.Float64Range(1, 300).Draw(t, "width")
		}
		l := tr.arrange(tr.Conditions(Format{}), width, svgGap)
		for i := range width {
			if l.x[i]-width[i]/2 < -1e-9 || l.x[i]+width[i]/2 > l.width+1e-9 {
				t.Fatalf("box %d sticks out", i)
			}
			for j := range i {
				if l.depth[i] != l.depth[j] {
					continue
				}
				a, b := i, j
				if l.x[a] > l.x[b] {
					a, b = b, a
				}
				if l.x[a]+width[a]/2+svgGap > l.x[b]-width[b]/2+1e-9 {
					t.Fatalf("boxes %d and %d overlap", i, j)
				}
			}
			if n := &tr.Nodes[i]; !n.Leaf() && !(l.x[n.Left] < l.x[i] && l.x[i] < l.x[n.Right]) {
				t.Fatalf("node %d is not between its children", i)
			}
		}
	})
}
