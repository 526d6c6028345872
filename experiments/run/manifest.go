package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// PlanData says which bytes stand behind the data of a spec, or behind a tree file that
// methods of it name.
type PlanData struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"` // of a file, or of the generator's settings
}

// manifest says what a folder's results are of.
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

// shared says whether several processes may write to the folder at a time.
func (had *manifest) shared() bool { return had.Shards > 0 || had.Scheduler != "" }

// refuseSharing says in what the folder is divided otherwise than wanted.
func (had *manifest) refuseSharing(want manifest, dir string) error {
	if had.Shards == want.Shards && had.Scheduler == want.Scheduler {
		return nil
	}
	gather := fmt.Sprintf("gather what they have with octgen collect %s, or choose another folder with --out", dir)
	switch {
	case had.Scheduler != "":
		return fmt.Errorf("%w: %s is shared by jobs of %s: go on with --scheduler %[3]s --resume, %s", ErrFolder, dir, had.Scheduler, gather)
	case had.Shards == 0:
		return fmt.Errorf("%w: %s holds a run that is not shared: go on with --resume and without --shard and --scheduler, or choose another folder with --out", ErrFolder, dir)
	case want.Shards == 0:
		return fmt.Errorf("%w: %s is shared by %d shards: go on with one of them (--shard i/%[3]d --resume), %s", ErrFolder, dir, had.Shards, gather)
	}
	return fmt.Errorf("%w: %s is shared by %d shards, not %d: take --shard i/%[3]d, or choose another folder with --out", ErrFolder, dir, had.Shards, want.Shards)
}

// refuse says in what the folder's results are of something else.
func (had *manifest) refuse(want manifest, dir string) error {
	switch {
	case had.SchemaVersion != want.SchemaVersion:
		return fmt.Errorf("%w: %s is of schema version %d, this octgen writes %d; choose another folder with --out", ErrFolder, dir, had.SchemaVersion, want.SchemaVersion)
	case had.Version != want.Version:
		return fmt.Errorf("%w: %s holds results of octgen %s, this is %s; choose another folder with --out", ErrFolder, dir, had.Version, want.Version)
	case had.Spec != want.Spec:
		return fmt.Errorf("%w: %s holds results of another spec (see its %s); choose another folder with --out", ErrFolder, dir, specFile)
	}
	for i, d := range want.Data {
		if !slices.Contains(had.Data, d) {
			return fmt.Errorf("%w: data %q has changed since %s was begun (sha256 %s, then %s); choose another folder with --out",
				ErrFolder, d.Name, dir, d.SHA256, had.Data[min(i, len(had.Data)-1)].SHA256)
		}
	}
	return nil
}

// manifestOf reads the manifest of a folder that should have one: whatever is there
// instead is ErrFolder.
func manifestOf(dir string) (*manifest, error) {
	m, err := readManifest(dir)
	if err != nil && !errors.Is(err, ErrFolder) {
		return nil, fmt.Errorf("%w: %s holds no results of a run: %w", ErrFolder, dir, err)
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
		err = errors.New("it names no data")
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s is no manifest of a run: %w", ErrFolder, path, err)
	}
	return &m, nil
}
