package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// PlanData says which bytes stand behind the data of a spec.
type PlanData struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"` // of the file, or of the generator's settings
}

// manifest says what a folder's results are of.
type manifest struct {
	SchemaVersion int        `json:"schema_version"`
	Name          string     `json:"name"`
	Spec          string     `json:"spec_sha256"`
	Version       string     `json:"version"` // of octgen
	Data          []PlanData `json:"data"`
	Tasks         int        `json:"tasks"`
}

const schemaVersion = 1

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
