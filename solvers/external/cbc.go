package external

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"strings"

	"github.com/octgen/octgen/internal/lazy"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/mps"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/solvers/solfile"
)

// cbcBinary is the solution as CBC's -saveSolution writes it.
const cbcBinary = "out.bin"

func cbcProgram() *program {
	return &program{
		name: "cbc", binary: "cbc", title: "CBC", format: solfile.CBC, dialect: mps.Portable,
		caps: solvers.Capabilities{
			Discrete: true, SOS: true, TimeLimit: true, NodeLimit: true, Gaps: true, Threads: true, Seed: true,
			Start: true, Progress: true, Log: true, Raw: true,
		},
		probe:  invocation{args: []string{"-quit"}},
		banner: lazy.Regexp(`(?s)Welcome to the CBC MILP Solver.*?Version: (\S+)`),
		rawOK:  rawName,
		options: []option{
			{"ratio(gap)", "RelGap", relGap}, {"allow(ablegap)", "AbsGap", nil}, {"thread(s)", "Threads", cbcThreads}, {"randomc(bcseed)", "Seed", cbcSeed},
			{"maxn(odes)", "NodeLimit", nodeLimit(mostInt32)}, {"sec(onds)", "TimeLimit", timeLimit},
			{"mips(tart)", "Start", nil}, {"log(level)", "Log", nil}, {"slog(level)", "Log", nil}, {"mess(ages)", "Log", nil},
		},
		relied: "timem(ode) solu(tion) gsolu(tion) saves(olution) restores(olution) import export directory dirsample dirnetlib dirmiplib " +
			"printi(ngoptions) printm(ask) basisi(n) basiso(ut) prio(rityin) para(metrics) nextb(estsolution) max(imize) min(imize) " +
			"quit end exit stop guess help stdin netlib unittest miplib error(sallowed) keepn(ames) direction solv(e) branch(andcut) initials(olve) output(format)",
		prepare: cbcPrepare, scan: cbcScan, answer: cbcAnswer,
		refusal: lazy.Regexp(`^(?:No match for |.* was provided for |String of .* parameter |<Possible options for )(\S+)`),
		fatal:   lazy.Regexp(`^(?:\*\* )?(?:Current model not valid|Unable to open file|No model available|Coin\d+E)`),
	}
}

// cbcIncrement is by how much a solution must be better than the last one for CBC
// to look for it. Left at its default, 1e-5, it calls the last one optimal.
const cbcIncrement = "1e-9"

// integralObjective reports whether only discrete columns have a cost, an integer.
func integralObjective(m *mio.Model) bool {
	for j, c := range m.Costs() {
		if c != math.Trunc(c) || c != 0 && m.ColTypes()[j] == mio.Continuous {
			return false
		}
	}
	return true
}

// cbcThreads leaves out one thread, CBC's default, which starts none.
func cbcThreads(j *job) string {
	if j.opt.Threads == 1 {
		return ""
	}
	return threads(j)
}

func cbcSeed(j *job) string { return positive(int64(j.opt.Seed)) }

func cbcPrepare(j *job) (invocation, error) {
	args := []string{modelFile, "-timeMode", "elapsed"}
	add := func(name, value string) { args = append(args, name, value) }
	switch gap := j.absGap(); {
	case j.opt.RelGap > 0: // beside an increment it would not stop at a gap
		add("-allow", format(gap))
	case gap > 0: // which ends the search as a gap does, and cuts nodes off on the way
		add("-allow", "0")
		add("-increment", format(gap))
	default:
		add("-allow", "0")
		if !integralObjective(j.m) {
			add("-increment", cbcIncrement)
		}
	}
	j.settings(func(name, value string) { add("-"+name, value) })
	if j.opt.Start != nil && j.m.NumDiscrete() > 0 {
		add("-mipstart", j.startFile())
	}
	args = append(args, "-solve")
	add("-solution", solutionFile)
	add("-saveSolution", cbcBinary)
	return invocation{args: args}, nil
}

var (
	cbcSolution = lazy.Regexp(`^Cbc\d+I Integer solution of (\S+) found .* after (\d+) iterations and (\d+) nodes`)
	cbcNodes    = lazy.Regexp(`^Cbc0010I After (\d+) nodes, \d+ on tree, (\S+) best solution, best possible (\S+)`)
	cbcPartial  = lazy.Regexp(`^Cbc0005I Partial search - best objective (\S+) \(best possible (\S+)\), took (\d+) iterations and (\d+) nodes`)
	cbcDone     = lazy.Regexp(`^Cbc0001I Search completed - best objective (\S+), took (\d+) iterations and (\d+) nodes`)
	cbcStart    = lazy.Regexp(`^(?:Cbc\d+I )?MIPStart provided solution with cost (\S+)`)
)

// cbcDigits is the number of digits of CBC's messages.
const cbcDigits = 8

func cbcScan(line string, r *record) {
	if f := cbcSolution().FindStringSubmatch(line); f != nil {
		r.incumbent(f[1])
		r.work(f[3], f[2])
	} else if f := cbcNodes().FindStringSubmatch(line); f != nil {
		r.incumbent(f[2])
		r.lower(f[3], cbcDigits)
		r.work(f[1], "")
	} else if f := cbcPartial().FindStringSubmatch(line); f != nil {
		r.incumbent(f[1])
		r.lower(f[2], cbcDigits)
		r.work(f[4], f[3])
	} else if f := cbcDone().FindStringSubmatch(line); f != nil {
		r.incumbent(f[1])
		r.work(f[3], f[2])
	} else if cbcStart().MatchString(line) {
		r.start = true
	} else if words, ok := strings.CutPrefix(line, "Result - "); ok {
		r.words = words
		if words == "Stopped on node limit" { // "on iterations" in the solution
			r.limit = mio.LimitNodes
		}
	}
}

// cbcAnswer takes the status from the text, whose values have 8 digits, and the
// values from the binary file.
func cbcAnswer(j *job, r *record) (*mio.Solution, error) {
	sol, err := j.readSolution(solutionFile)
	if err != nil {
		return nil, err
	}
	if r.words == "" {
		r.words = sol.Raw
	}
	if sol.Status == mio.Unbounded && j.m.NumDiscrete() > 0 {
		sol.Status = mio.InfeasibleOrUnbounded // its relaxation is unbounded
	}
	if j.m.NumDiscrete() == 0 && j.opt.TimeLimit > 0 { // the only limit of a linear program, whatever CBC calls it
		for _, limit := range []*mio.Limit{&r.limit, &sol.Limit} {
			if *limit == mio.LimitNodes || *limit == mio.LimitIterations {
				*limit = mio.LimitTime
			}
		}
	}
	if sol.Values == nil {
		return sol, nil
	}
	if sol.Values, err = j.cbcValues(); err != nil {
		return nil, err
	}
	if sol.Limit != mio.NoLimit && j.m.NumDiscrete() == 0 && !mio.Check(j.m, sol.Values, verify.Feasibility).Feasible {
		sol.Status, sol.Values = mio.Unknown, nil // where the simplex method was, which need not be a solution
	}
	return sol, nil
}

// cbcValues reads the file of -saveSolution: the number of rows and of columns
// (int32), the objective, then per row its activity and dual, per column its
// value and reduced cost (float64), in the machine's byte order.
func (j *job) cbcValues() ([]float64, error) {
	text, err := os.ReadFile(j.file(cbcBinary))
	if err != nil {
		return nil, err
	}
	const head = 16
	rows, cols := j.mp.Rows-j.mp.FreeRows, j.mp.FileCols()
	order := binary.NativeEndian
	if len(text) >= head {
		if r, c := int(order.Uint32(text)), int(order.Uint32(text[4:])); c != cols || r != rows && r != j.mp.Rows {
			return nil, fmt.Errorf("%s is of %d rows and %d columns, expected %d and %d", cbcBinary, r, c, rows, cols)
		} else {
			rows = r
		}
	}
	if want := head + 16*(rows+cols); len(text) != want {
		return nil, fmt.Errorf("%s has %d bytes, expected %d", cbcBinary, len(text), want)
	}
	values := make([]float64, j.m.NumCols())
	at := head + 16*rows
	for k := range values {
		values[k] = math.Float64frombits(order.Uint64(text[at+8*k:]))
	}
	return values, nil
}
