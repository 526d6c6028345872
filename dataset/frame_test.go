package dataset_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/dataset"
)

// frameOf makes a frame of the lines of a CSV file: a column is one of texts if its name begins with t.
func frameOf(t *testing.T, csv string) *dataset.Frame {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(csv), "\n")
	f := &dataset.Frame{Name: "frame"}
	for j, name := range strings.Split(lines[0], ",") {
		c := dataset.FrameColumn{Name: name}
		place := make(map[string]int32)
		for _, line := range lines[1:] {
			s := strings.Split(line, ",")[j]
			switch {
			case name[0] != 't' && s == "":
				c.Numbers = append(c.Numbers, math.NaN())
			case name[0] != 't':
				v, err := strconv.ParseFloat(s, 64)
				if err != nil {
					t.Fatal(err)
				}
				c.Numbers = append(c.Numbers, v)
			case s == "":
				c.Codes = append(c.Codes, -1)
			default:
				if _, ok := place[s]; !ok {
					place[s] = int32(len(c.Texts))
					c.Texts = append(c.Texts, s)
				}
				c.Codes = append(c.Codes, place[s])
			}
		}
		f.Columns = append(f.Columns, c)
	}
	return f
}

const frameTable = `a,tb,tday,w,n,treward
1,red,2020-01-05,1,0.5,yes
2.5,blue,2020-01-07,2,1.5,no
,red,2020-02-01,1,2.5,yes
0,,2020-01-09,1.5,-1,maybe
7,green,2020-01-06,1,3,no
7,red,2020-01-05,1,0.25,no
`

// TestFromFrame: a table in memory is read as its file is.
func TestFromFrame(t *testing.T) {
	for name, o := range map[string]dataset.LoadOptions{
		"classes":         {},
		"weights":         {Weight: "w", ClassWeight: "yes=2"},
		"costs":           {CostMatrix: "yes:no=5", Missing: dataset.MissingMean},
		"gaps":            {Missing: dataset.MissingCategory},
		"routed":          {Missing: dataset.MissingRoute, Categorical: dataset.Subsets},
		"numbers":         {Target: "n", Task: dataset.Regression, Missing: dataset.MissingMean},
		"quantile":        {Target: "n", Quantile: 0.5},
		"rewards":         {Rewards: []string{"n", "w"}, Missing: dataset.MissingMean, Ignore: []string{"treward"}},
		"groups":          {Groups: []string{"tb"}, GroupFeatures: []string{"a"}},
		"ordinal":         {Categorical: dataset.Ordinal},
		"declared dates":  {Dates: []string{"none", "tday=YYYY-MM-DD"}},
		"dates are texts": {Dates: []string{"none"}, Missing: dataset.MissingCategory},
	} {
		t.Run(name, func(t *testing.T) {
			o.CategoricalColumns = []string{"tb"}
			for _, hidden := range o.Groups {
				if hidden == "tb" {
					o.CategoricalColumns = nil
				}
			}
			if name == "dates are texts" {
				o.CategoricalColumns = append(o.CategoricalColumns, "tday")
			} else {
				o.Dates = []string{"none", "tday=YYYY-MM-DD"}
			}
			want, err := dataset.Read(strings.NewReader(frameTable), "frame", o)
			if err != nil {
				t.Fatal(err)
			}
			got, err := dataset.FromFrame(frameOf(t, frameTable), o)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range []*dataset.Dataset{want, got} {
				d.Source, d.Reading, d.Line = dataset.Source{}, nil, nil
				d.Encoder.NAValues = nil
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("file -, frame +:\n%s", diff)
			}
		})
	}
}

// TestFromFrameMistakes: what a frame may not be is told.
func TestFromFrameMistakes(t *testing.T) {
	texts := func(texts ...string) dataset.FrameColumn {
		return dataset.FrameColumn{Name: "class", Codes: []int32{0, 1}, Texts: texts}
	}
	numbers := func(name string, v ...float64) dataset.FrameColumn {
		return dataset.FrameColumn{Name: name, Numbers: v}
	}
	for want, columns := range map[string][]dataset.FrameColumn{
		"expected weights":                         {numbers("a", 1, 2), {Name: "w", Codes: []int32{0, 0}, Texts: []string{"1"}}, texts("p", "q")},
		"no data rows":                             {},
		"expected numbers or texts":                {texts("p", "q"), {Name: "a"}},
		"3 rows; the first column has 2":           {texts("p", "q"), numbers("a", 1, 2, 3)},
		"no name in UTF-8":                         {numbers("", 1, 2), texts("p", "q")},
		"code 1; expected -1 to 0":                 {numbers("a", 1, 2), texts("p")},
		"is empty or is not UTF-8 text":            {numbers("a", 1, 2), texts("p", "")},
		"the text \"p\" is there twice":            {numbers("a", 1, 2), texts("p", "p")},
		"two columns are named \"class\"":          {numbers("class", 1, 2), texts("p", "q")},
		"the weight 0 is not a positive":           {numbers("a", 1, 2), numbers("w", 1, 0), texts("p", "q")},
		"the weight +Inf is not a positive finite": {numbers("a", 1, 2), numbers("w", 1, math.Inf(1)), texts("p", "q")},
		"\"+Inf\" is not a finite number":          {numbers("a", 1, math.Inf(1)), texts("p", "q")},
		"every field is missing":                   {numbers("a", math.NaN(), math.NaN()), texts("p", "q")},
		"the class is missing":                     {numbers("a", 1, 2), {Name: "class", Codes: []int32{0, -1}, Texts: []string{"p"}}},
		"a regression tree predicts numbers":       {numbers("a", 1, 2), numbers("y", 1, math.NaN())},
	} {
		o := dataset.LoadOptions{}
		for _, c := range columns {
			if c.Name == "w" {
				o.Weight = "w"
			}
		}
		if _, err := dataset.FromFrame(&dataset.Frame{Name: "frame", Columns: columns}, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want an error with %q", err, want)
		}
	}
}
