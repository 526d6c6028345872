package slurm

import (
	_ "embed" // of the script's template
	"fmt"
	"path/filepath"
	"strings"
	"text/template"
	"time"

	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/experiments/spec"
)

// script is what submit.sbatch is made of.
type script struct {
	spec.Slurm
	Version, Spec, Dir, Here, Data string // absolute paths; Data is $OCTGEN_DATA, "" for none
	Submission, Tasks, Jobs        int
	Name                           string
	Wall                           time.Duration
	Chunks                         []chunk
}

// chunk is a job array: batches Offset to Offset + Jobs - 1 of the submission.
type chunk struct {
	Name         string
	Offset, Jobs int
	throttle     int
}

// Array is the value of sbatch's option --array.
func (c chunk) Array() string {
	text := fmt.Sprintf("0-%d", c.Jobs-1)
	if c.throttle > 0 {
		text += fmt.Sprintf("%%%d", c.throttle)
	}
	return text
}

// chunks divides jobs into arrays of at most so many.
func chunks(n naming, submission, jobs, most, throttle int) []chunk {
	var all []chunk
	for offset := 0; offset < jobs; offset += most {
		all = append(all, chunk{n.job(submission, offset), offset, min(most, jobs-offset), throttle})
	}
	return all
}

//go:embed submit.sbatch.tmpl
var scriptText string

var scriptTemplate = template.Must(template.New("submit.sbatch").Funcs(template.FuncMap{
	"quote": quote, "wall": wallText, "logs": logs, "path": value, "line": oneLine,
}).Parse(scriptText))

func (s *script) text() (string, error) {
	var b strings.Builder
	err := scriptTemplate.Execute(&b, s)
	return b.String(), err
}

// quote makes one word of the shell of a text.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// oneLine is a text for a comment.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// value is a text as a value in a line of sbatch's options.
func value(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// logs is the pattern of the jobs' logs, in which % begins a variable.
func logs(dir string) string {
	return value(strings.ReplaceAll(filepath.Join(dir, run.JobsFolder), "%", "%%") + "/%A_%a.log")
}

// wallText is a time as sbatch takes it: D-HH:MM:SS.
func wallText(d time.Duration) string {
	minutes := int(d / time.Minute)
	return fmt.Sprintf("%d-%02d:%02d:00", minutes/(24*60), minutes/60%24, minutes%60)
}
