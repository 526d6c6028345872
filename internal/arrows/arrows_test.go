package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// upward counts the arrows that an order leaves upward.
func upward(files []int, arrows []arrow) int {
	height, n := heights(files), 0
	for _, a := range arrows {
		if height[a.from] < height[a.to] {
			n++
		}
	}
	return n
}

// least is the fewest upward arrows of all orders.
func least(files []int, arrows []arrow, at int) int {
	if at == len(files) {
		return upward(files, arrows)
	}
	best := len(arrows)
	for i := at; i < len(files); i++ {
		files[at], files[i] = files[i], files[at]
		best = min(best, least(files, arrows, at+1))
		files[at], files[i] = files[i], files[at]
	}
	return best
}

// TestOrder: none where there are no circles, and few where there are.
func TestOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	missed, circles := 0, 0
	for range 300 {
		n := 2 + r.IntN(5)
		var arrows []arrow
		files := r.Perm(n)
		for a := range n {
			for b := range n {
				if a != b && r.IntN(3) == 0 {
					arrows = append(arrows, arrow{a, b})
				}
			}
		}
		got, want := upward(order(n, arrows), arrows), least(files, arrows, 0)
		if got < want || want == 0 && got != 0 {
			t.Fatalf("%v: %d upward, least %d", arrows, got, want)
		}
		missed += got - want
		circles += want
	}
	if circles < 100 || 20*missed > circles {
		t.Errorf("%d arrows more than the least, %d", missed, circles)
	}
}

// TestRoom: arrows, literals and lines of a package of two files.
func TestRoom(t *testing.T) {
	rooms, err := load("testdata/house")
	if err != nil {
		t.Fatal(err)
	}
	if len(rooms) != 2 || rooms[0].path != "kitchen" || rooms[1].path != "yard" {
		t.Fatalf("%+v", rooms)
	}
	k := rooms[0]
	if diff := cmp.Diff(map[arrow][]string{{0, 1}: {"Salt", "Soup", "grams"}, {1, 0}: {"stove"}}, k.arrows, cmp.AllowUnexported(arrow{})); diff != "" {
		t.Error(diff)
	}
	if got := k.backward(); len(got) != 1 {
		t.Errorf("%v run back", got)
	}
	if k.code() != 4+11 || k.files[1].literals["pepper"] != 2 {
		t.Errorf("%d lines, %v", k.code(), k.files[1].literals)
	}
}

// TestTidyRooms: nothing runs back up in these rooms.
func TestTidyRooms(t *testing.T) {
	rooms, err := load("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rooms { // so that a new file is seen, and no cached result taken
		if _, err := os.ReadDir(filepath.Join("..", "..", r.path)); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range tidy {
		i := slices.IndexFunc(rooms, func(r *room) bool { return r.path == path })
		if i < 0 {
			t.Errorf("no room %s", path)
			continue
		}
		for _, a := range rooms[i].backward() {
			t.Errorf("%s: %s -> %s runs back up: %v", path, rooms[i].files[a.from].name, rooms[i].files[a.to].name, rooms[i].arrows[a])
		}
	}
}

// TestListOfFit: the list of fit's files in its package comment has them all, and every
// file calls only files above it there.
func TestListOfFit(t *testing.T) {
	text, err := os.ReadFile("../../fit/doc.go")
	if err != nil {
		t.Fatal(err)
	}
	list := make(map[string]int)
	for _, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(line, "//\t") {
			for _, name := range regexp.MustCompile(`\b[a-z]+\.go\b`).FindAllString(line, -1) {
				list[name] = len(list)
			}
		}
	}
	rooms, err := load("../..")
	if err != nil {
		t.Fatal(err)
	}
	fit := rooms[slices.IndexFunc(rooms, func(r *room) bool { return r.path == "fit" })]
	if len(list) != len(fit.files)-1 {
		t.Errorf("the list has %d files, the package %d beside doc.go", len(list), len(fit.files)-1)
	}
	for _, f := range fit.files {
		if _, listed := list[f.name]; !listed && f.name != "doc.go" {
			t.Errorf("%s is not in the list", f.name)
		}
	}
	for a, names := range fit.arrows {
		if from, to := fit.files[a.from].name, fit.files[a.to].name; list[from] < list[to] {
			t.Errorf("%s calls %s, which is below it in the list: %v", from, to, names)
		}
	}
}

// tidy are the rooms without an arrow that runs back.
var tidy = []string{
	"formulate", "formulate/oct", "formulate/hyperplane", "formulate/linear", "formulate/gto",
	"formulate/internal/grid", "formulate/internal/leaves", "formulate/internal/formtest",
	"search/parts", "fit/problem", "fit", "experiments/generate", "experiments/metric", "experiments/spec", "experiments/run", "experiments/report",
	"internal/arrows", "internal/strict", "cmd/octgen",
}
