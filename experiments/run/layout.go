package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/octgen/octgen/internal/lazy"
)

// ResultsFile and TreesFolder are the paths of results and of their trees, trees/ID.json, in a
// run's folder.
const (
	ResultsFile = "results.jsonl"
	TreesFolder = "trees"
	proofFolder = "proofs" // of proof files, ID.proof
)

// The other files of a run's folder, in addition to the tables.
const (
	manifestFile = "manifest.json"
	specFile     = "spec.yaml"
	lockFile     = "lock"
	truthFolder  = "truth" // true trees of generated data, DATA-REPLICATE.json
)

// journalsFolder contains the results of a shared folder, one file per writing process: NAME.jsonl.
// Their records contain the trees, so that a record and its tree exist together or not at all;
// Collect makes results.jsonl and trees from them.
const journalsFolder = "journals"

// ErrFolder is wrapped if a folder cannot be used for a run: it contains another run, or another
// process runs in it.
var ErrFolder = errors.New("the folder cannot be used")

// halfWritten matches the names of partial files that a crash left behind, halfTrue() those of true
// trees.
var halfWritten = lazy.Regexp(`^\.(manifest\.json|spec\.yaml|tasks\.csv|results\.jsonl|summary\.csv|times\.csv|report\.md|report\.html|[0-9a-f]{16}\.(json|proof))\.\d+-\d+\.tmp$`)

var halfTrue = lazy.Regexp(`^\..*-\d+\.json\.\d+-\d+\.tmp$`)

// sweep removes such files: all those of a folder to which only this process writes.
func sweep(dir string) error {
	return errors.Join(
		sweepFolder(dir, halfWritten()),
		sweepFolder(filepath.Join(dir, TreesFolder), halfWritten()),
		sweepFolder(filepath.Join(dir, proofFolder), halfWritten()),
		sweepFolder(filepath.Join(dir, truthFolder), halfTrue()),
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

// remove removes a file that may not exist.
func remove(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// PlanData identifies the bytes behind the data of a spec, or behind a tree file that its methods
// name.
type PlanData struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"` // of a file, or of the generator's settings
}

// manifest identifies what a folder's results belong to.
type manifest struct {
	SchemaVersion int        `json:"schema_version"`
	Name          string     `json:"name"`
	Spec          string     `json:"spec_sha256"`
	Version       string     `json:"version"` // of octgen
	Data          []PlanData `json:"data"`
	Tasks         int        `json:"tasks"`
	Shards        int        `json:"shards,omitempty"`    // that share the folder; 0: one process at a time
	Scheduler     string     `json:"scheduler,omitempty"` // whose jobs share the folder; "" for none
}

const schemaVersion = 1

// shared reports whether several processes may write to the folder at a time.
func (had *manifest) shared() bool { return had.Shards > 0 || had.Scheduler != "" }

// refuseSharing returns an error if the folder is divided in another way than wanted.
func (had *manifest) refuseSharing(want manifest, dir string) error {
	if had.Shards == want.Shards && had.Scheduler == want.Scheduler {
		return nil
	}
	gather := fmt.Sprintf("collect their results with octgen collect %s, or choose another folder with --out", dir)
	switch {
	case had.Scheduler != "":
		return fmt.Errorf("%w: %s is shared by jobs of %s: continue with --scheduler %[3]s --resume, %s", ErrFolder, dir, had.Scheduler, gather)
	case had.Shards == 0:
		return fmt.Errorf("%w: %s contains a run that is not shared: continue with --resume and without --shard and --scheduler, or choose another folder with --out", ErrFolder, dir)
	case want.Shards == 0:
		return fmt.Errorf("%w: %s is shared by %d shards: continue with one of them (--shard i/%[3]d --resume), %s", ErrFolder, dir, had.Shards, gather)
	}
	return fmt.Errorf("%w: %s is shared by %d shards, not %d: use --shard i/%[3]d, or choose another folder with --out", ErrFolder, dir, had.Shards, want.Shards)
}

// refuse returns an error if the folder's results belong to something else.
func (had *manifest) refuse(want manifest, dir string) error {
	switch {
	case had.SchemaVersion != want.SchemaVersion:
		return fmt.Errorf("%w: %s has schema version %d, but this octgen writes %d; choose another folder with --out", ErrFolder, dir, had.SchemaVersion, want.SchemaVersion)
	case had.Version != want.Version:
		return fmt.Errorf("%w: %s contains results of octgen %s, but this is %s; choose another folder with --out", ErrFolder, dir, had.Version, want.Version)
	case had.Spec != want.Spec:
		return fmt.Errorf("%w: %s contains results of another spec (see its %s); choose another folder with --out", ErrFolder, dir, specFile)
	}
	for i, d := range want.Data {
		if !slices.Contains(had.Data, d) {
			return fmt.Errorf("%w: data %q has changed since %s was begun (sha256 %s, then %s); choose another folder with --out",
				ErrFolder, d.Name, dir, d.SHA256, had.Data[min(i, len(had.Data)-1)].SHA256)
		}
	}
	return nil
}

// manifestOf reads the manifest of a folder; anything else gives ErrFolder.
func manifestOf(dir string) (*manifest, error) {
	m, err := readManifest(dir)
	if err != nil && !errors.Is(err, ErrFolder) {
		return nil, fmt.Errorf("%w: %s contains no results of a run: %w", ErrFolder, dir, err)
	}
	return m, err
}

func readManifest(dir string) (*manifest, error) {
	path := filepath.Join(dir, manifestFile)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var m manifest
	err = json.Unmarshal(text, &m)
	if err == nil && len(m.Data) == 0 {
		err = errors.New("it lists no data")
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s is not the manifest of a run: %w", ErrFolder, path, err)
	}
	return &m, nil
}
