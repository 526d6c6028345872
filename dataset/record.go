package dataset

import (
	"maps"
	"slices"
)

// EncodeRecord returns the features (p) of one record: texts by the names of the source
// columns, as a file would have them, numbers and dates included. Target and weight need
// not be there, other columns are passed over. unknown says what becomes of a category
// that training did not have; "" refuses it.
//
// It is an *[Error], which names the column, if a column of the encoder is not there, if
// a text is no number where training had numbers, or if a value is missing that the
// encoder has nothing to put for. The record is read only. Each call lays the encoder
// out again: of many records, [Encoder.ReadRows] makes less work.
func (e *Encoder) EncodeRecord(record map[string]string, unknown UnknownPolicy) ([]float64, error) {
	if err := e.Validate(); err != nil {
		return nil, err
	}
	if err := unknown.check(); err != nil {
		return nil, err
	}
	if len(record) == 0 {
		return nil, &Error{Msg: "the record is empty"}
	}
	names := slices.Sorted(maps.Keys(record))
	a, err := e.applierOf(&records{header: names, notation: e.notation()}, unknown)
	if err != nil {
		return nil, err
	}
	fields := make([]string, len(names))
	for i, name := range names {
		fields[i] = record[name]
	}
	x, _, err := a.row(make([]float64, 0, len(a.features)), fields)
	if err != nil {
		return nil, err
	}
	return x, nil
}
