//go:build unix

package external_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/solvers/external"
)

// The test program is a solver's executable where this variable is set: its
// value is what it does instead of solving.
const fakeEnv = "OCTGEN_FAKE_SOLVER"

// fakeDir is a folder with what the fake replays or notes.
const fakeDir = "OCTGEN_FAKE_DIR"

func TestMain(m *testing.M) {
	if mode := os.Getenv(fakeEnv); mode != "" {
		os.Exit(fakeMain(mode))
	}
	os.Exit(m.Run())
}

// fakeBanner has every solver's.
const fakeBanner = `Welcome to the CBC MILP Solver
Version: 9.8.7
HiGHS version 9.8.7 Githash n/a
GLPSOL--GLPK LP/MIP Solver 9.8
SCIP version 9.8.7 [precision: 8 byte]
Gurobi Optimizer version 9.8.7 build v9.8.7rc0
Welcome to IBM(R) ILOG(R) CPLEX(R) Interactive Optimizer 9.8.7.0
FICO Xpress Solver 64bit v9.8.7
octgen package 9.8.7
`

// isProbe reports whether the fake is asked for its version only.
func isProbe() bool {
	args := os.Args[1:]
	if len(args) > 2 && strings.Contains(args[1], "importlib") { // a package's, of an interpreter
		return true
	}
	if len(args) == 0 { // Xpress's commands come by standard input, in its folder
		_, err := os.Stat("model.mps")
		return err != nil
	}
	return slices.Contains(args, "--version") || slices.Equal(args, []string{"-quit"}) || slices.Equal(args, []string{"-c", "quit"})
}

func fakeMain(mode string) int {
	if mode == "hang probe" {
		fakeHang("hang")
	}
	if isProbe() {
		fmt.Print(fakeBanner)
		return 0
	}
	fmt.Println("fake solver at work")
	switch mode {
	case "crash":
		fmt.Println("last words")
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	case "crash improving":
		fakeWrite("improving.sol", "Objective 6\n# Columns 3\nx1 3\nx2 1\nx4 1\nObjective 4.75\n# Columns 3\nx1 3\nx2 0\nx4 1.75\nObjective 4.5\n# Col")
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	case "exit":
		return 7
	case "silent":
		return 0
	case "hang", "hang child":
		fakeHang(mode)
	case "orphan":
		fakeReplay()
		fakeChild()
	case "garbage":
		for _, name := range []string{"out.sol", "out.slx", "out.bin"} {
			fakeWrite(name, "\x00\x01\xff garbage 1e999 <xml>\n\n\n-- 3 4 5\n")
		}
		fmt.Print("\x00\x1b[2J\xff\xfe", strings.Repeat("no end of line ", 1<<14))
	case "flood":
		fakeReplay()
		for range 1 << 15 {
			fmt.Println(strings.Repeat("words ", 30))
		}
	case "full":
		return fakeFull()
	case "replay":
		fakeReplay()
	case "replay failing":
		fakeReplay()
		return 255
	default:
		panic("unknown mode " + mode)
	}
	return 0
}

// fakeHang ignores all that can be ignored, and so does its child.
func fakeHang(mode string) {
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	if mode == "hang" {
		fakeChild()
	}
	pid := strconv.Itoa(os.Getpid())
	fakeWrite(filepath.Join(os.Getenv(fakeDir), pid+".tmp"), pid)
	if err := os.Rename(filepath.Join(os.Getenv(fakeDir), pid+".tmp"), filepath.Join(os.Getenv(fakeDir), pid+".pid")); err != nil {
		panic(err)
	}
	time.Sleep(time.Hour)
}

// fakeChild starts a child that hangs with this process's output in hand.
func fakeChild() {
	c := exec.Command(os.Args[0], "child")
	c.Env = append(os.Environ(), fakeEnv+"=hang child")
	c.Stdout = os.Stdout
	if err := c.Start(); err != nil {
		panic(err)
	}
	for { // until it has noted its number
		if list, err := filepath.Glob(filepath.Join(os.Getenv(fakeDir), "*.pid")); err == nil && len(list) > 0 {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// fakeFull does what programs do when a disk is full.
func fakeFull() int {
	f, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString("solution")
	}
	if err == nil {
		panic("/dev/full has room")
	}
	fakeWrite("out.sol", "")
	fakeWrite("out.slx", "")
	fmt.Println("cannot write the solution: " + err.Error())
	return 1
}

// fakeReplay prints the recorded log and puts the recorded files in place, and
// notes how it was called.
func fakeReplay() {
	dir := os.Getenv(fakeDir)
	stdin, _ := io.ReadAll(os.Stdin)
	note := strings.Join(os.Args[1:], "\n") + "\n"
	for _, file := range []string{"options.txt", "settings.set", "start.mst", "start.sol", "start.slx"} {
		if text, err := os.ReadFile(file); err == nil {
			note += "== " + file + "\n" + string(text)
		}
	}
	fakeWrite(filepath.Join(dir, "called"), note+"== stdin\n"+string(stdin))
	for _, file := range []string{"out.sol", "out.slx", "out.bin", "improving.sol"} {
		if text, err := os.ReadFile(filepath.Join(dir, file)); err == nil {
			fakeWrite(file, string(text))
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "log.txt"))
	if err != nil {
		panic(err)
	}
	fmt.Print(string(text))
}

func fakeWrite(name, text string) {
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		panic(err)
	}
}

var allNames = []string{
	"highs-exe", "cbc", "glpk", "scip", "gurobi", "cplex", "xpress",
	"scip package", "gurobi package", "cplex package", "xpress package", "highspy package", "copt package",
}

// fake returns a solver that the test program plays, and the folder of what it
// replays or notes. Temporary files go into a folder of the test's own, which is
// returned too.
func fake(t *testing.T, name, mode string) (s solvers.Solver, dir, tmp string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, tmp = t.TempDir(), t.TempDir()
	t.Setenv(fakeEnv, mode)
	t.Setenv(fakeDir, dir)
	t.Setenv("TMPDIR", tmp)
	s, err = at(name, self)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Available(); err != nil {
		t.Fatal(err)
	}
	return s, dir, tmp
}

// at returns the solver of this name whose executable, or interpreter for a name with " package", is
// at path.
func at(name, path string) (solvers.Solver, error) {
	name, isPackage := strings.CutSuffix(name, " package")
	if isPackage {
		return external.New(name, solvers.Place{Python: path})
	}
	return external.New(name, solvers.Place{Executable: path})
}

// recordedModel is the model of the recorded files:
//
//	min x1 + 2 x2 + x4,  x1 + x2 >= 3,  x2 + x4 >= 1.5,  x1, x2 integer in [0, 10]
//
// whose optimum is 4.5 at (3, 0, 1.5).
func recordedModel(t testing.TB) (m *mio.Model, start []float64) {
	b := mio.NewBuilder("recorded")
	x1 := b.AddCol(1, 0, 10, mio.Integer, "x1")
	x2 := b.AddCol(2, 0, 10, mio.Integer, "x2")
	x4 := b.AddCol(1, 0, 10, mio.Continuous, "x4")
	cover := b.AddRow(3, mio.Inf, "cover")
	b.Add(cover, x1, 1)
	b.Add(cover, x2, 1)
	demand := b.AddRow(1.5, mio.Inf, "demand")
	b.Add(demand, x2, 1)
	b.Add(demand, x4, 1)
	m, err := b.Model()
	if err != nil {
		t.Fatal(err)
	}
	return m, []float64{1, 2, 0}
}
