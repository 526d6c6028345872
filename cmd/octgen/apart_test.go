package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"
)

// TestFarApart: small data whose weights or costs lie far apart. What is claimed is true, and
// what cannot be computed is said. The optima are of exact enumeration.
func TestFarApart(t *testing.T) {
	heavy := func(w string) string { return "x0,w,class|2," + w + ",0|0,1,1|1,1e-9,0" }
	for name, c := range map[string]struct {
		data, args string
		status     string
		objective  float64
	}{
		"least leaf beside 100 heavy rows": {"x0,w,class|" + strings.Repeat("2,1e6,0|", 100) + "0,1e-6,1|1,1e-9,0", "--depth 2 --min-leaf 1e-6 --recall 1>=1 --recall 0>=1", "optimal", 0},
		"least leaf beside 1e12":           {heavy("1e12"), "--depth 2 --recall 1>=1 --recall 0>=1", "optimal", 0},
		"purity beside 1e18":               {heavy("1e18"), "--depth 2 --leaf-purity 0.9", "optimal", 0},
		"one column beside 1e18":           {heavy("1e18"), "--depth 2 --max-features 1", "optimal", 0},
		"precision beside 1e18":            {heavy("1e18"), "--depth 2 --precision 1>=0.1", "optimal", 0},
		"recall beside 1e20":               {"x0,x1,w,class|1,0,1e-20,1|0,1,1e20,1|1,1,1,0", "--depth 2 --recall 1>=0.5", "optimal", 1e-20},
		"class weights":                    {heavy("3e8"), "--depth 2 --min-leaf 1e-9 --class-weight 0=0.5,1=1e-9 --precision 1>=0.1", "optimal", 0},

		"nearly equal costs, three classes": {"x0,x1,x2,w,class|0,0,2,1.1,0|0,3,1,1.1,1|3,3,3,0.7,2|0,1,2,0.7,2",
			"--depth 1 --min-leaf 0 --engine search --cost-matrix 0:0=1e9,0:1=1e9,0:2=1000000000.0000019073486328125,1:0=1e9,1:1=1000000000.0000019073486328125," +
				"1:2=1000000000.00000095367431640625,2:0=1000000000.0000019073486328125,2:1=1000000000.00000095367431640625,2:2=1e9", "optimal", 0.3928571428571429},
		"nearly equal costs, two classes": {"x0,w,class|0,1,0|1,1,0|0,3.3,1",
			"--depth 1 --min-leaf 0 --cost-matrix 0:0=1000000000.0000019073486328125,0:1=1e9,1:0=1e9,1:1=1000000000.00000095367431640625", "optimal", 0.6060606060606061},
		"alpha 1e-15": {"x0,w,class|0,1,0|2,1e-9,1|1,1e-6,0", "--depth 2 --min-leaf 0 --alpha 1e-15", "optimal", 1e-15},

		"groups of 1e100 and 1e-300": {"x0,g,w,class|0,b,1e50,1|1,b,1e100,0|0,a,1e-300,1", "--engine search --depth 1 --min-leaf 0 --fair equalized-odds:g<=0 --share 1<=0.999999 --positive 0 --monotone x0=+1", "feasible", 1},
		"groups of 1e200 and 1e-300": {"x0,g,w,class|0,b,1e200,1|0,c,1e-300,0|0,a,1,0|1,a,1e200,1", "--engine search --depth 1 --min-leaf 0 --fair statistical-parity:g<=0.95 --positive 1", "feasible", 1},
		"no threshold parts weights": {"x0,x1,w,class|1,0,1e16,0|0,0,1e16,1|0,1,1,0", "--depth 1 --min-leaf 2 --alpha 1e-3 --engine search", "optimal", 0.0010000000000001},
		"recalls of 2e299":           {"x0,w,class|0,1e-9,0|0,1e299,1|1,1e299,1", "--depth 1 --min-leaf 0 --recall 0>=1 --recall 1>=0.5", "no solution", 0},
		"2e299":                      {"x0,w,class|2,1e299,1|1,1e-9,0|1,1e299,1", "--depth 1 --min-leaf 0 --alpha 1e-7", "feasible", 1},
		"1e299 and 1e-300":           {"x0,w,class|1,1e200,1|0,1e299,0|0,1e-300,1", "--depth 1 --engine search", "feasible", 1},

		"more constraints than the search keeps apart": {"x0,x1,g,w,class|1,0,a,1,0|0,0,b,1,1|0,2,a,1,1|0,1,b,1,0|0,3,c,1,0", "--depth 2 --fair equalized-odds:g<=0.3 --positive 1 --engine search", "feasible", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.WriteFile("data.csv", []byte(strings.ReplaceAll(c.data, "|", "\n")+"\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			var out, log bytes.Buffer
			args := append([]string{"fit", "data.csv", "--weight", "w", "--quiet", "--json"}, strings.Fields(c.args)...)
			code := run(context.Background(), args, strings.NewReader(""), &out, &log)
			var res struct {
				Status, Limit, Unproved string
				Objective               *float64
			}
			if err := json.Unmarshal(out.Bytes(), &res); err != nil {
				t.Fatalf("exit code %d: %v\n%s%s", code, err, out.String(), log.String())
			}
			switch {
			case res.Status != c.status || c.status != "no solution" && (res.Objective == nil || math.Abs(*res.Objective-c.objective) > 1e-12*c.objective):
				t.Errorf("%s\n%s", out.String(), log.String())
			case c.status != "optimal" && res.Unproved == "" && res.Limit == "":
				t.Errorf("%s without a reason", c.status)
			}
		})
	}
}
