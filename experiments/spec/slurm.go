package spec

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/octgen/octgen/fit"
)

// Slurm says what jobs on a Slurm cluster look like that run the tasks. The zero value
// leaves all to the cluster and to the tasks' own limits.
type Slurm struct {
	Partition   string       `placeholder:"NAME" help:"Partition of the jobs (default: the cluster's)."`
	Account     string       `placeholder:"NAME" help:"Account that the jobs are charged to (default: the user's)."`
	TimePerTask fit.Duration `placeholder:"1m" help:"Time that a task may need (default: its time limit, or a minute where it has none)."`
	Batch       fit.Duration `placeholder:"10m" help:"Time that a job is to take: tasks are put together until their times reach it (default: 10m)."`
	Time        fit.Duration `placeholder:"1h" help:"Wall time of a job (default: 1.2 times what the tasks of the longest one may need, and 5 minutes)."`
	Memory      string       `placeholder:"4G" help:"Memory of a job (default: the cluster's)."`
	Cores       int          `min:"0" placeholder:"N" help:"Processors of a job (default: the most threads that a method asks for, else 1)."`
	Throttle    int          `min:"0" placeholder:"N" help:"Most jobs that run at a time (default: no limit)."`
	Program     string       `placeholder:"PATH" help:"octgen on the nodes (default: the path of the one that submits)."`
	Setup       []string     `sep:"none" placeholder:"LINE" help:"Line of the shell that each job runs first, such as module load gurobi; may be repeated."`
	Options     []string     `sep:"none" placeholder:"OPTION" help:"Further option of sbatch, such as --qos=long; may be repeated."`
}

// Over is s where it says something, and what it is laid over elsewhere: the command
// line over a spec.
func (s Slurm) Over(under Slurm) Slurm {
	list := func(over, under []string) []string {
		if len(over) > 0 {
			return over
		}
		return under
	}
	return Slurm{
		cmp.Or(s.Partition, under.Partition), cmp.Or(s.Account, under.Account),
		cmp.Or(s.TimePerTask, under.TimePerTask), cmp.Or(s.Batch, under.Batch), cmp.Or(s.Time, under.Time),
		cmp.Or(s.Memory, under.Memory), cmp.Or(s.Cores, under.Cores), cmp.Or(s.Throttle, under.Throttle), cmp.Or(s.Program, under.Program),
		list(s.Setup, under.Setup), list(s.Options, under.Options),
	}
}

var (
	oneWord    = regexp.MustCompile(`^[^\s#"'\\]*$`)
	memorySize = regexp.MustCompile(`^([0-9]+[KMGT]?)?$`)
)

// Check refuses what no line of a job's script can hold; key is how the caller names a
// field.
func (s *Slurm) Check(key func(field string) string) error {
	for field, value := range map[string]string{"partition": s.Partition, "account": s.Account} {
		if !oneWord.MatchString(value) || strings.ContainsFunc(value, isControl) {
			return fmt.Errorf("%s is %q; want a name without blanks and quotes", key(field), value)
		}
	}
	if !memorySize.MatchString(s.Memory) {
		return fmt.Errorf("%s is %q; want a number with K, M, G or T, such as 4G", key("memory"), s.Memory)
	}
	if strings.ContainsFunc(s.Program, isControl) {
		return fmt.Errorf("%s is %q; want a path", key("program"), s.Program)
	}
	for field, lines := range map[string][]string{"setup": s.Setup, "options": s.Options} {
		for _, line := range lines {
			if strings.ContainsFunc(line, isControl) {
				return fmt.Errorf("%s has %q; want one line each", key(field), line)
			}
			if field == "options" && !strings.HasPrefix(line, "-") {
				return fmt.Errorf("%s has %q; want options of sbatch, such as --qos=long", key(field), line)
			}
		}
	}
	if s.Cores < 0 || s.Throttle < 0 {
		return fmt.Errorf("%s and %s are counts; want 0 or more", key("cores"), key("throttle"))
	}
	return nil
}

// TimeLimit is the time limit of the method's fits, 0 for none.
func (m *Method) TimeLimit() time.Duration { return time.Duration(m.settings.TimeLimit) }

// Threads is how many threads the method asks for, 0 where it leaves that open.
func (m *Method) Threads() int { return m.settings.Threads }
