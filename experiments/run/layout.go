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

// journalsFolder holds the results of a shared folder, a file for each process that
// writes some: NAME.jsonl. Their records hold the trees, so that a record and its tree
// are there together or not at all; Collect makes results.jsonl and trees of them.
const journalsFolder = "journals"

// ErrFolder is wrapped where a folder cannot be run into: it holds another run,
// or another process runs in it.
var ErrFolder = errors.New("the folder cannot be used")

// halfWritten are the names of files that a crash left under way, halfTrue those of
// true trees.
var halfWritten = regexp.MustCompile(`^\.(manifest\.json|spec\.yaml|tasks\.csv|results\.jsonl|summary\.csv|times\.csv|report\.md|report\.html|[0-9a-f]{16}\.json)\.\d+-\d+\.tmp$`)

var halfTrue = regexp.MustCompile(`^\..*-\d+\.json\.\d+-\d+\.tmp$`)

// sweep takes such files away: all of a folder that only this process writes to.
func sweep(dir string) error {
	return errors.Join(
		sweepFolder(dir, halfWritten),
		sweepFolder(filepath.Join(dir, TreesFolder), halfWritten),
		sweepFolder(filepath.Join(dir, truthFolder), halfTrue),
	)
}

func sweepFolder(folder string, half *regexp.Regexp) error {
	files, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, f := range files {
		if half.MatchString(f.Name()) {
			err = errors.Join(err, os.Remove(filepath.Join(folder, f.Name())))
		}
	}
	return err
}

// remove takes a file away that may not be there.
func remove(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
