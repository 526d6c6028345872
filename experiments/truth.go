package experiments

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"github.com/octgen/octgen/experiments/generate"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/tree"
)

// truthFolder holds the trees that made generated data, DATA-REPLICATE.json.
const truthFolder = "truth"

// truth is the tree that made a dataset.
type truth struct {
	data      string
	replicate int        // 1, 2, ...
	tree      *tree.Tree // nil until the data were drawn
}

func (of *truth) file() string { return fmt.Sprintf("%s-%d.json", of.data, of.replicate) }

// recovery compares the tree of a result with the true one, where there are both.
func (of *truth) recovery(res *fit.Result) *generate.Recovery {
	if of == nil || of.tree == nil || res == nil || res.Tree == nil {
		return nil
	}
	r := generate.Recover(of.tree, res.Tree)
	return &r
}

// putTruth makes the true tree durable, once per run: the bytes are always the same.
func (f *folder) putTruth(of *truth) error {
	if of == nil || of.tree == nil || f.truths[of.file()] {
		return nil
	}
	dir := filepath.Join(f.dir, truthFolder)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := putTree(filepath.Join(dir, of.file()), of.tree); err != nil {
		return err
	}
	f.truths[of.file()] = true
	return nil
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
