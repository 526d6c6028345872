package run

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/octgen/octgen/experiments/internal/trial"
)

// TestValidation: tuned methods choose by that part of all rows, unless they say
// otherwise; others train on it. It is part of what a task is.
func TestValidation(t *testing.T) {
	path := trial.WriteSmall(t)
	withSpec := func(evaluate string) *Plan {
		text := strings.NewReplacer("{folds: 3, repeats: 2}", evaluate, "{name: BAD, method: cart, depth: 2, min_leaf: 27}",
			"{name: TUNED, method: oct-tuned, depth: 2}\n  - {name: OWN, method: cart-tuned, depth: 2, validation: 0.5}").Replace(trial.Small)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return plan(t, path)
	}
	p := withSpec("{holdout: 0.25, validation: 0.25}")
	dir := t.TempDir()
	if _, err := p.Run(t.Context(), Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	r, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, rec := range r.Records {
		u := rec.Result.Tuning
		if rec.Data != "d" { // generated, with test rows
			if rows := rec.Result.Train.Rows; rec.Method == "TUNED" && math.Abs(float64(u.ValidationRows)/rows-0.25) > 0.5/rows {
				t.Errorf("%s: %d of %v training rows are for validation, want a quarter", rec.Data, u.ValidationRows, rows)
			}
			continue
		}
		seen++
		want := map[string]int{"TUNED": 9, "OWN": 14}[rec.Method] // of 27 training rows of 36
		if want == 0 && u != nil || want > 0 && (u == nil || u.ValidationRows != want || u.TrainRows != 27-want) || rec.Result.Train.Rows != 27 {
			t.Errorf("%s: %+v, train %+v", rec.Method, u, rec.Result.Train)
		}
	}
	if seen != 4 {
		t.Errorf("%d results of 4", seen)
	}
	other := withSpec("{holdout: 0.25, validation: 0.3}")
	for i := range p.Tasks {
		if p.Tasks[i].ID == other.Tasks[i].ID {
			t.Errorf("%s: id %s and %s", p.Tasks[i].Name(), p.Tasks[i].ID, other.Tasks[i].ID)
		}
	}
}
