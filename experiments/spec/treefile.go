package spec

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/method"
	"github.com/octgen/octgen/tree"
)

// TreeFile is the path of the tree.json that an option of the method names, as it stands in
// the spec; "" for none. It has to be read before there are Options.
func (m *Method) TreeFile() string { return method.TreeFile(m.choice.Method) }

// ReadTree reads the method's TreeFile from path, where it was found, and returns its
// SHA-256, hex. The error is an *Error.
func (m *Method) ReadTree(path string) (sha string, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", m.TreeMistake(err)
	}
	if m.tree, err = tree.ReadJSON(bytes.NewReader(text)); err != nil {
		return "", m.TreeMistake(err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(text)), nil
}

// TreeMistake gives err the place of the option that names the tree file.
func (m *Method) TreeMistake(err error) error {
	for _, key := range []string{"fix", "structure"} {
		if at := m.keys.At("").Find(key); at.IsSet() {
			return at.Errorf("%s: %w", m.TreeFile(), err)
		}
	}
	return err
}

// files are what options may name: the tree that was read.
func (m *Method) files() method.Files {
	if m.tree == nil {
		return method.Files{}
	}
	return method.Files{Tree: func(string) (*tree.Tree, error) { return m.tree, nil }}
}

// checkTree refuses a tree file, or a structure, that does not go with the data.
func (m *Method) checkTree(data string, ds *dataset.Dataset) error {
	if m.tree == nil && !m.keys.At("").Find("structure").IsSet() {
		return nil
	}
	_, err := method.For(context.Background(), m.choice.Method, ds, m.files())
	var option *method.OptionError
	if errors.As(err, &option) {
		text := strings.TrimPrefix(strings.TrimLeft(option.Text(), ": "), "formulate: ")
		return m.keys.At(option.Option).Errorf("of the data %s: %s", data, text)
	}
	return err
}
