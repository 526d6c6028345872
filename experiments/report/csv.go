package report

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/octgen/octgen/internal/spreadsheet"
)

// writeCSV writes one line per data, method and metric; what does not apply is
// empty.
func writeCSV(w io.Writer, rows []Row) error {
	c := csv.NewWriter(w)
	header := "data,method,metric,n,failed,mean,std_error,min,max,baseline,pairs,wins,ties,losses,difference,difference_low,difference_high,paper,paper_difference"
	lines := [][]string{strings.Split(header, ",")}
	for i := range rows {
		lines = append(lines, csvLine(&rows[i]))
	}
	return c.WriteAll(lines)
}

func csvLine(r *Row) []string {
	f := func(v float64) string {
		if math.IsNaN(v) {
			return ""
		}
		return strconv.FormatFloat(v+0, 'g', 10, 64)
	}
	line := []string{spreadsheet.Text(r.Data), spreadsheet.Text(r.Method), r.Metric, strconv.Itoa(r.N), strconv.Itoa(r.Failed), f(r.Mean), f(r.StdError), f(r.Min), f(r.Max)}
	if c := r.Versus; c != nil {
		line = append(line, spreadsheet.Text(c.Baseline), strconv.Itoa(c.Pairs), strconv.Itoa(c.Wins), strconv.Itoa(c.Ties), strconv.Itoa(c.Losses),
			f(c.Difference), f(c.Low), f(c.High))
	} else {
		line = append(line, make([]string, 8)...)
	}
	if r.Paper != nil {
		return append(line, f(*r.Paper), f(r.Mean-*r.Paper))
	}
	return append(line, "", "")
}
