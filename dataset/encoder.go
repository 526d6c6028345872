package dataset

// Encoder turns raw records into rows of a Dataset: it keeps everything that
// was learned from the training file, so that predict works on new raw data.
// Its JSON form is part of tree.json.
type Encoder struct {
	Target  string         `json:"target"`
	Weight  string         `json:"weight,omitempty"` // weight column, left out of the features
	Classes []string       `json:"classes"`
	Columns []SourceColumn `json:"columns"`
}

// ColumnKind says how a source column becomes features.
type ColumnKind string

const (
	Numeric ColumnKind = "numeric" // one feature, the value
	OneHot  ColumnKind = "onehot"  // one 0/1 feature "name=category" per category
	Ordinal ColumnKind = "ordinal" // one feature, the category's index
)

// SourceColumn is a column of the raw file, target and weight excluded.
type SourceColumn struct {
	Name       string     `json:"name"`
	Kind       ColumnKind `json:"kind"`
	Categories []string   `json:"categories,omitempty"` // of OneHot and Ordinal, sorted
	Impute     *float64   `json:"impute,omitempty"`     // value for a missing field of a Numeric column
}
