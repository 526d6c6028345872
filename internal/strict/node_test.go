package strict

import (
	"strings"
	"testing"
)

// TestEdit: values that are put into a mapping have the places that they came from.
func TestEdit(t *testing.T) {
	root, err := Parse([]byte("name: a\nlimits: [1, two]\nmore: [x]\none: y\n"), "f.yaml")
	if err != nil {
		t.Fatal(err)
	}
	items, err := root.Find("limits").Items()
	if err != nil {
		t.Fatal(err)
	}
	edited := root.Without("limits").With("depth", items[1]).With("name", items[0].Single("b"))
	edited = edited.With("more", root.Find("more").And(items[0].Single("z"))).With("one", root.Find("one").And(items[0].Single("z")))
	var into struct {
		Name      string
		Depth     int
		More, One []string
	}
	_, err = Decode(edited, &into)
	if want := `f.yaml:2:13: depth: "two"; want a whole number`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if _, err := Decode(edited.With("depth", items[0]), &into); err != nil {
		t.Error(err)
	}
	if into.Name != "b" || into.Depth != 1 || strings.Join(into.More, "") != "xz" || strings.Join(into.One, "") != "yz" {
		t.Errorf("%+v", into)
	}
	if !root.Find("limits").IsSet() || root.Find("depth").IsSet() {
		t.Error("the mapping itself was changed")
	}
	if list := root.Find("more"); list.With("a", items[0]).IsMapping() {
		t.Error("a list became a mapping")
	}
}
