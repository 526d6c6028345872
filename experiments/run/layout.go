package run

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// ResultsFile and TreesFolder are where a run's folder has results and their trees,
// trees/ID.json.
const (
	ResultsFile = "results.jsonl"
	TreesFolder = "trees"
)

// The other files of a run's folder, beside the tables.
const (
	manifestFile = "manifest.json"
	specFile     = "spec.yaml"
	lockFile     = "lock"
	truthFolder  = "truth" // the trees that made generated data, DATA-REPLICATE.json
)

// ErrFolder is wrapped where a folder cannot be run into: it holds another run,
// or another process runs in it.
var ErrFolder = errors.New("the folder cannot be used")

// halfWritten are the names of files that a crash left under way.
var halfWritten = regexp.MustCompile(`^\.(manifest\.json|spec\.yaml|summary\.csv|times\.csv|report\.md|report\.html|[0-9a-f]{16}\.json)\.\d+-\d+\.tmp$`)

// sweep takes such files away.
func sweep(dir string) error {
	var all error
	for _, d := range []string{dir, filepath.Join(dir, TreesFolder)} {
		files, err := os.ReadDir(d)
		all = errors.Join(all, err)
		for _, f := range files {
			if halfWritten.MatchString(f.Name()) {
				all = errors.Join(all, os.Remove(filepath.Join(d, f.Name())))
			}
		}
	}
	return all
}

// halfTrue are the names of true trees that a crash left under way.
var halfTrue = regexp.MustCompile(`^\..*-\d+\.json\.\d+-\d+\.tmp$`)

// sweepTruth takes such files away.
func sweepTruth(dir string) error {
	files, err := os.ReadDir(filepath.Join(dir, truthFolder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, f := range files {
		if halfTrue.MatchString(f.Name()) {
			err = errors.Join(err, os.Remove(filepath.Join(dir, truthFolder, f.Name())))
		}
	}
	return err
}
