package tree

import (
	"errors"

	"github.com/octgen/octgen/dataset"
)

// PredictRecord returns the class, by name, of one record of raw data: texts by the
// names of the source columns, as a line of a file would have them. It is read as
// [dataset.Encoder.EncodeRecord] says, with the encoder that the tree was fitted with;
// unknown says what becomes of a category that training did not have, "" refuses it.
// The errors are that function's; a tree without an encoder cannot read raw data, which
// is an error, too.
func (t *Tree) PredictRecord(record map[string]string, unknown dataset.UnknownPolicy) (class string, err error) {
	if t.Encoder == nil {
		return "", errors.New("tree: the tree has no encoder, so it cannot read raw data")
	}
	x, err := t.Encoder.EncodeRecord(record, unknown)
	if err != nil {
		return "", err
	}
	return t.Classes[t.Predict(x)], nil
}
