package mps

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octgen/octgen/mio"
)

// TestReadAsHiGHS reads random files, with names, vectors, markers, bounds and
// numbers in all their forms, and reads what HiGHS writes of them: the same model.
// Left out is what HiGHS 1.10 itself loses: RHS after RANGES, vectors of ranges
// without a name, OBJSENSE on one line; and what it takes otherwise, as
// conventions_test.go has it.
func TestReadAsHiGHS(t *testing.T) {
	program := executables[0].find(t)
	dir := t.TempDir()
	compared := 0
	for seed := range uint64(100) {
		text := newForeignFile(seed).text()
		want, err := Read(strings.NewReader(text), "random.mps")
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		path, again := filepath.Join(dir, "random.mps"), filepath.Join(dir, "again.mps")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_ = os.Remove(again) // of the seed before
		cmd := exec.Command(program, path, "--write_model_file", again, "--time_limit", "1")
		cmd.Dir = dir
		log, _ := cmd.CombinedOutput() // the exit code is of the solve
		got, err := ReadFile(again)
		if err != nil {
			if strings.Contains(string(log), "nbounded") { // written after the solve, if that had an end
				continue
			}
			t.Fatalf("%v in\n%s\n%s", err, text, log)
		}
		if d := differences(want, got); d != "" {
			t.Errorf("octgen's and HiGHS's reading differ in %s of\n%s", d, text)
		}
		compared++
	}
	if compared < 80 {
		t.Errorf("%d files were compared", compared)
	}
}

// differences names what differs between two models by more than HiGHS's
// 15 digits.
func differences(a, b *mio.Model) string {
	if a.NumCols() != b.NumCols() || a.NumRows() != b.NumRows() || a.NumNonzeros() != b.NumNonzeros() {
		return "size"
	}
	var list []string
	compare := func(what string, x, y []float64) {
		for k := range x {
			if x[k] != y[k] && !(math.Abs(x[k]-y[k]) <= 1e-13*math.Abs(x[k])) {
				list = append(list, fmt.Sprintf("%s %d: %v, %v", what, k, x[k], y[k]))
			}
		}
	}
	_, rowsA, valuesA := a.Matrix()
	_, rowsB, valuesB := b.Matrix()
	compare("offset", []float64{a.Offset()}, []float64{b.Offset()})
	compare("cost", a.Costs(), b.Costs())
	compare("column's lower bound", a.ColLower(), b.ColLower())
	compare("column's upper bound", a.ColUpper(), b.ColUpper())
	compare("row's lower bound", a.RowLower(), b.RowLower())
	compare("row's upper bound", a.RowUpper(), b.RowUpper())
	compare("coefficient", valuesA, valuesB)
	for k := range rowsA {
		if rowsA[k] != rowsB[k] {
			list = append(list, "rows")
		}
	}
	for j, kind := range a.ColTypes() {
		if (kind == mio.Continuous) != (b.ColTypes()[j] == mio.Continuous) {
			list = append(list, "type of column "+a.ColName(j))
		}
	}
	if a.Sense() != b.Sense() {
		list = append(list, "sense")
	}
	return strings.Join(list, "; ")
}

// foreignFile writes a random file.
type foreignFile struct {
	rng        *rand.Rand
	out        strings.Builder
	rows, cols []string
}

func newForeignFile(seed uint64) *foreignFile {
	return &foreignFile{rng: rand.New(rand.NewPCG(seed, 1))}
}

func (f *foreignFile) text() string {
	f.line("NAME random")
	if f.chance(4) {
		f.line("OBJSENSE\n    " + f.pick("MAX", "MINIMIZE", "max"))
	}
	f.rowsSection()
	f.columnsSection()
	f.vectors("RHS", f.pick("RHS ", "*RHS* ", "", "B "), true)
	f.vectors("RANGES", f.pick("RNG ", "*RHS* "), false)
	f.boundsSection()
	f.line("ENDATA")
	return f.out.String()
}

func (f *foreignFile) line(format string, args ...any) { fmt.Fprintf(&f.out, format+"\n", args...) }
func (f *foreignFile) chance(n int) bool               { return f.rng.IntN(n) == 0 }
func (f *foreignFile) pick(of ...string) string        { return of[f.rng.IntN(len(of))] }

// number is a decimal in one of the forms that files have.
func (f *foreignFile) number() string {
	v := f.rng.IntN(41) - 20
	return f.pick(fmt.Sprint(v), fmt.Sprintf("%d.5", v), fmt.Sprintf("%de1", v), fmt.Sprintf("%d.25D0", v), fmt.Sprintf("%+d", v), fmt.Sprintf(".%d", 1+f.rng.IntN(9)))
}

func (f *foreignFile) rowsSection() {
	f.line("ROWS")
	n := 1 + f.rng.IntN(5)
	objective := f.rng.IntN(n + 1)
	for i := range n + 1 {
		if i == objective {
			f.line(" N  COST")
			continue
		}
		name := f.pick("R", "*R*") + fmt.Sprint(i)
		f.rows = append(f.rows, name)
		f.line(" %s  %s", f.pick("L", "G", "E"), name)
	}
}

func (f *foreignFile) columnsSection() {
	f.line("COLUMNS")
	integers := false
	for j := range 1 + f.rng.IntN(5) {
		if f.chance(3) {
			f.line("    M%d        'MARKER'                 '%s'", j, map[bool]string{false: "INTORG", true: "INTEND"}[integers])
			integers = !integers
		}
		name := fmt.Sprint("C", j)
		f.cols = append(f.cols, name)
		f.entries(name, append([]string{"COST " + f.number()}, f.someRows()...))
	}
	if integers && f.chance(2) {
		f.line("    MX        'MARKER'                 'INTEND'")
	}
}

// someRows are entries of half of the rows.
func (f *foreignFile) someRows() (entries []string) {
	for _, row := range f.rows {
		if f.chance(2) {
			entries = append(entries, row+" "+f.number())
		}
	}
	return entries
}

// entries writes lines of one or two entries.
func (f *foreignFile) entries(name string, list []string) {
	for len(list) > 0 {
		n := min(1+f.rng.IntN(2), len(list))
		f.line("    %s  %s", name, strings.Join(list[:n], "   "))
		list = list[n:]
	}
}

func (f *foreignFile) vectors(section, name string, objective bool) {
	if f.chance(4) {
		return
	}
	f.line(section)
	list := f.someRows()
	if objective && f.chance(3) {
		list = append(list, "COST "+f.number())
	}
	f.entries(name, list)
}

func (f *foreignFile) boundsSection() {
	if f.chance(4) {
		return
	}
	f.line("BOUNDS")
	vector := f.pick("BND ", "*BND* ", "")
	for _, col := range f.cols {
		lower := f.rng.IntN(9) - 6
		upper := lower + f.rng.IntN(3)
		bound := func(kind string, v int) { f.line(" %s %s%s %d", kind, vector, col, v) }
		switch f.rng.IntN(12) {
		case 0, 1, 2, 3:
			f.line(" %s %s%s", f.pick("FR", "MI", "PL", "BV"), vector, col)
		case 4, 5:
			bound(f.pick("LO", "LI"), lower)
		case 6, 7:
			bound(f.pick("UP", "UI"), f.rng.IntN(6))
		case 8:
			bound("FX", lower)
		case 9:
			bound("LO", lower)
			bound("UP", upper)
		case 10:
			bound("UP", upper)
			bound("LO", lower)
		}
	}
}
