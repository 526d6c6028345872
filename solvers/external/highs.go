package external

import (
	"fmt"
	"math"
	"os"
	"strings"

	"github.com/octgen/octgen/internal/lazy"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/solvers/solfile"
)

const (
	highsOptions   = "options.txt"
	highsImproving = "improving.sol"
)

func highsProgram() *program {
	return &program{
		name: "highs-exe", binary: "highs", title: "HiGHS", format: solfile.HiGHS, dialect: mps.HiGHS,
		caps: solvers.Capabilities{
			Discrete: true, TimeLimit: true, NodeLimit: true, Gaps: true, Threads: true, Seed: true,
			Start: true, Progress: true, Log: true, Raw: true,
		},
		probe:  invocation{args: []string{"--version"}},
		banner: lazy.Regexp(`HiGHS version (\S+)`),
		rawOK:  rawName,
		options: []option{
			{"mip_rel_gap", "RelGap", relGap}, {"mip_abs_gap", "AbsGap", absGap}, {"random_seed", "Seed", seed(math.MinInt, math.MaxInt)}, {"threads", "Threads", threads},
			{"mip_max_nodes", "NodeLimit", nodeLimit(mostInt32)}, {"time_limit", "TimeLimit", timeLimit},
			{"log_to_console", "Log", nil}, {"output_flag", "Log", nil},
		},
		relied:     "solution_file write_solution_to_file write_solution_style mip_improving_solution_file mip_improving_solution_save log_file",
		boundAtEnd: true,
		prepare:    highsPrepare, scan: highsScan, answer: highsAnswer, improving: (*job).readImproving,
		refusal: lazy.Regexp(`^ERROR: .*[Oo]ption "([A-Za-z0-9_]+)"`),
		fatal:   lazy.Regexp(`^ERROR: .*(?:[Oo]ptions file|reading model|Cannot open)`),
		exitOK:  func(code int) bool { return code == 1 }, // a warning, such as a limit
	}
}

// highsPrepare writes the options to a file, for the command line has but a few.
// Improving solutions are saved as they come, for HiGHS does not catch signals.
func highsPrepare(j *job) (invocation, error) {
	var b strings.Builder
	set := func(name, value string) { fmt.Fprintf(&b, "%s = %s\n", name, value) }
	set("mip_min_logging_interval", "0.2")
	set("mip_improving_solution_save", "true")
	set("mip_improving_solution_file", highsImproving)
	set("write_solution_to_file", "true")
	set("solution_file", solutionFile)
	j.settings(set)
	args := []string{modelFile, "--options_file", highsOptions}
	if j.opt.Start != nil && j.m.NumDiscrete() > 0 { // linear programs do not use them
		args = append(args, "--read_solution_file", j.startFile())
	}
	return invocation{args: args}, os.WriteFile(j.file(highsOptions), []byte(b.String()), 0o600)
}

// highsRow is a line of the progress table: source, processed and open nodes,
// leaves, explored, bound, incumbent, gap, cuts in pool, in LP, conflicts, LP
// iterations and time.
var highsRow = lazy.Regexp(`^ [ A-Zl-z] +(\d+k?) +\d+k? +\d+k? +[0-9.]+% +(\S+) +(\S+) +(?:\S+%|inf|Large|-|--) .* (\d+k?) +[0-9.]+s$`)

func highsScan(line string, r *record) {
	if row := highsRow().FindStringSubmatch(line); row != nil {
		r.lower(row[2], 10)
		r.incumbent(row[3])
		r.work(row[1], row[4])
		return
	}
	if strings.HasPrefix(line, "MIP start solution is feasible") || strings.Contains(line, "Solution from file is feasible") {
		r.start = true
		return
	}
	if strings.Contains(line, "reader reached time_limit") { // and it goes on to say that there is no model
		r.status, r.limit, r.words = mio.NoSolution, mio.LimitTime, strings.TrimSpace(line)
		return
	}
	name, value, ok := strings.Cut(strings.TrimSpace(line), "  ")
	if !ok {
		return
	}
	value = strings.TrimSpace(value)
	switch name {
	case "Status":
		r.words = value
	case "Dual bound":
		r.lower(value, 12)
	case "Nodes":
		r.work(value, "")
	case "LP iterations":
		r.work("", strings.TrimSuffix(value, " (total)"))
	}
}

// highsAnswer reads the solution, or the last of the improving ones where it
// has none.
func highsAnswer(j *job, _ *record) (*mio.Solution, error) {
	sol, err := j.readSolution(solutionFile)
	if err == nil && (sol.Values != nil || sol.Status == mio.Infeasible || sol.Status == mio.Unbounded || sol.Status == mio.InfeasibleOrUnbounded) {
		return sol, nil
	}
	improving, improvingErr := j.readImproving()
	if improvingErr != nil {
		return sol, err
	}
	if err == nil {
		improving.Status, improving.Limit = sol.Status, sol.Limit
	}
	return improving, nil
}

// readImproving reads the improving solutions up to the last complete one: HiGHS
// may have been killed while it wrote.
func (j *job) readImproving() (*mio.Solution, error) {
	sol, err := j.readSolution(highsImproving)
	if err == nil {
		return sol, nil
	}
	text, readErr := os.ReadFile(j.file(highsImproving))
	if readErr != nil || int64(len(text)) > j.maxSolution() {
		return nil, err
	}
	last := strings.LastIndex(string(text), "\nObjective ")
	if last < 0 {
		return nil, err
	}
	const cut = "improving-cut.sol"
	if err := os.WriteFile(j.file(cut), text[:last+1], 0o600); err != nil {
		return nil, err
	}
	return j.readSolution(cut)
}
