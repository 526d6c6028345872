package dataset_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/octgen/octgen/dataset"
)

const people = `age,sex,race,class
30,f,a,yes
40,m,b,no
30,f,b,yes
50,,a,no
,m,a,no
30,f,a,yes
`

func readPeople(t *testing.T, opts dataset.LoadOptions) *dataset.Dataset {
	t.Helper()
	d, err := dataset.Read(strings.NewReader(people), "people.csv", opts)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestGroups: a group is no feature, a row without a level stays, one that is dropped
// takes its level along.
func TestGroups(t *testing.T) {
	d := readPeople(t, dataset.LoadOptions{Groups: []string{"sex", "race"}})
	if err := d.Validate(); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(d.Features, []string{"age"}) || d.N() != 5 {
		t.Fatalf("features %q, %d rows", d.Features, d.N())
	}
	sex, race := d.Group("sex"), d.Group("race")
	if !slices.Equal(sex.Levels, []string{"f", "m"}) || !slices.Equal(sex.Of, []int32{0, 1, 0, -1, 0}) {
		t.Errorf("sex: %+v", sex)
	}
	if !slices.Equal(race.Levels, []string{"a", "b"}) || !slices.Equal(race.Of, []int32{0, 1, 1, 0, 0}) {
		t.Errorf("race: %+v", race)
	}
	if d.Group("age") != nil {
		t.Error("age is no group")
	}
	if got := d.Reading.Columns[1]; got.Kind != dataset.ReadGroup || got.Categories != 2 || got.Missing != 1 {
		t.Errorf("reading: %+v", got)
	}
	m, index := d.Merge()
	if m.N() != 4 || !slices.Equal(index, []int{0, 1, 2, 3, 0}) || !slices.Equal(m.Group("race").Of, []int32{0, 1, 1, 0}) {
		t.Errorf("merged: %d rows, index %v, %+v", m.N(), index, m.Groups)
	}
	again, err := d.Encoder.Read(strings.NewReader(people), "people.csv", dataset.EncodeOptions{})
	if err != nil || fmt.Sprint(again.Groups) != fmt.Sprint(d.Groups) {
		t.Errorf("by the encoder: %+v, %v", again, err)
	}
	other, err := d.Encoder.Read(strings.NewReader("age,race,class,x\n1,z,yes,p\n2,b,no,q\n"), "other.csv", dataset.EncodeOptions{Groups: []string{"x"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(other.Groups); got != "[{sex [f m] [-1 -1]} {race [a b] [-1 1]} {x [p q] [0 1]}]" {
		t.Errorf("other data: %s", got)
	}
}

func TestGroupAsFeature(t *testing.T) {
	d := readPeople(t, dataset.LoadOptions{GroupFeatures: []string{"sex"}, Groups: []string{"race"}})
	if !slices.Equal(d.Features, []string{"age", "sex=m"}) || d.N() != 4 {
		t.Errorf("features %q, %d rows", d.Features, d.N())
	}
	if !slices.Equal(d.Group("sex").Of, []int32{0, 1, 0, 0}) {
		t.Errorf("sex: %+v", d.Group("sex"))
	}
}

func TestBadGroups(t *testing.T) {
	var many strings.Builder
	many.WriteString("x,g,class\n")
	for i := range 30 {
		fmt.Fprintf(&many, "%d,%d.5,%d\n", i%3, i, i%2)
	}
	for _, c := range []struct {
		data string
		opts dataset.LoadOptions
		want string
	}{
		{people, dataset.LoadOptions{Groups: []string{"sx"}}, `no column "sx", named as a group; did you mean "sex"?`},
		{people, dataset.LoadOptions{Groups: []string{"class"}}, "it is the target"},
		{people, dataset.LoadOptions{Groups: []string{"age"}, Weight: "age"}, "it is the weight"},
		{people, dataset.LoadOptions{Groups: []string{"age", "sex", "race"}}, "no feature columns remain"},
		{people, dataset.LoadOptions{Groups: []string{"sex"}, CategoricalColumns: []string{"sex"}}, "use --group-as-feature to make it one"},
		{many.String(), dataset.LoadOptions{Groups: []string{"g"}}, "more than 20 different numbers; add a column of ranges"},
	} {
		_, err := dataset.Read(strings.NewReader(c.data), "f.csv", c.opts)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v; want %q", c.opts, err, c.want)
		}
	}
}
