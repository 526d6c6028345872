// Package dataflags holds the flags that say how to read training data, for the
// command line and, as keys, for the data of experiments.
package dataflags

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/octgen/octgen/dataset"
)

// Data are the flags. The tags are those of package problem.
type Data struct {
	Target             string    `placeholder:"COLUMN" group:"Data" help:"Column of the class (default: the last one)."`
	Rewards            []string  `placeholder:"COLUMN" group:"Data" help:"Columns of rewards, one per action, for the method policy (repeatable; escape commas in names by a backslash)."`
	Missing            string    `enum:"drop,mean,category,route" default:"drop" group:"Data" help:"Missing values: drop the row, impute mean or mode, add a category, or let each split choose their side (${enum})."`
	Categorical        string    `enum:"onehot,ordinal,subsets" default:"onehot" group:"Data" help:"Encoding of categorical columns (${enum})."`
	CategoricalColumns []string  `placeholder:"COLUMN" group:"Data" help:"Columns to read as categorical."`
	Ignore             []string  `placeholder:"COLUMN" group:"Data" help:"Columns to leave out."`
	Group              []string  `placeholder:"COLUMN" group:"Data" help:"Group columns, such as sex, for fairness metrics; not used as features."`
	GroupAsFeature     []string  `placeholder:"COLUMN" group:"Data" help:"Group columns that are also features."`
	Code               string    `placeholder:"TEXT=NUMBER,..." group:"Data" help:"Numbers for texts in the features, such as y=1,n=-1,?=0 (?: missing value)."`
	NAValues           []string  `name:"na-values" placeholder:"TEXT" group:"Data" help:"Texts that mean missing, besides the empty field; numbers in any spelling (default: ?,NA,N/A,n/a,NaN,nan,NULL,null)."`
	Decimal            Decimal   `placeholder:"CHAR" group:"Data" help:"Decimal mark, point or comma (default: point)."`
	Dates              []string  `placeholder:"none|COLUMN[=FORMAT]" group:"Data" help:"Date columns, read as days since the first date, besides those that look like dates (none: only the named ones). Format: detected, or given as YYYY-MM-DD, DD.MM.YYYY hh:mm, ..."`
	Sheet              string    `placeholder:"NAME" group:"Data" help:"Sheet of an Excel workbook (default: the first one)."`
	Header             bool      `group:"Data" help:"The first line is a header (default: recognised)."`
	NoHeader           bool      `group:"Data" help:"The file has no header; columns are named c1, c2, ..."`
	Weight             string    `placeholder:"COLUMN" group:"Data" help:"Column of row weights."`
	ClassWeight        string    `placeholder:"balanced|CLASS=W,..." group:"Data" help:"Class weights: factors on the row weights."`
	CostMatrix         Costs     `placeholder:"TRUE:PREDICTED=C,...|FILE" group:"Data" help:"Costs of errors, TRUE:PREDICTED=COST,... (default 1; correct 0), or a CSV file with predicted classes in the header and true classes in the first column."`
	KeepColumns        []string  `placeholder:"COLUMN" group:"Data" help:"Columns to keep that look like identifiers or free text, and not to warn of."`
	Task               string    `enum:"auto,classification,regression" default:"auto" group:"Data" help:"What the target is (${enum}); auto: classes, if it is no number or has at most 20 different whole numbers."`
	Quantile           float64   `min:"0" below:"1" placeholder:"0.5" group:"Data" help:"Predict this quantile of a target of numbers, 0.5 the median with absolute errors (default: the mean, with squared errors)."`
	DropUnlabelled     bool      `group:"Data" help:"Leave out rows without a class."`
	Delimiter          Delimiter `placeholder:"CHAR" group:"Data" help:"Field delimiter (default: recognised; else comma, tab for .tsv and .tab files)."`
}

// LoadOptions are what the flags say.
func (f *Data) LoadOptions() dataset.LoadOptions {
	task := f.Task
	if task == "auto" {
		task = ""
	}
	return dataset.LoadOptions{
		Task: task, Quantile: f.Quantile,
		Target: f.Target, Rewards: f.Rewards, Weight: f.Weight, ClassWeight: f.ClassWeight, CostMatrix: string(f.CostMatrix),
		Missing: dataset.MissingPolicy(f.Missing), Categorical: dataset.ColumnKind(f.Categorical),
		CategoricalColumns: f.CategoricalColumns, Groups: f.Group, GroupFeatures: f.GroupAsFeature, Codes: f.Code, Ignore: f.Ignore,
		NAValues: f.NAValues, Decimal: string(f.Decimal), Dates: f.Dates, NoHeader: f.NoHeader, Sheet: f.Sheet, Header: f.Header, KeepColumns: f.KeepColumns, DropUnlabelled: f.DropUnlabelled, Delimiter: rune(f.Delimiter),
	}
}

// Costs is a matrix of costs: a list, or the name of a file.
type Costs string

// UnmarshalText takes all that is not empty.
func (c *Costs) UnmarshalText(text []byte) error {
	if *c = Costs(text); strings.TrimSpace(string(text)) == "" {
		return errors.New("it is empty; want a list such as \"yes:no=5,no:yes=1\", the true class first, or a CSV file")
	}
	return nil
}

// JSONSchema is the schema of a matrix of costs in a spec.
func (Costs) JSONSchema() map[string]any { return map[string]any{"type": "string"} }

// Decimal is the decimal mark of numbers.
type Decimal string

// UnmarshalText takes a point or a comma.
func (d *Decimal) UnmarshalText(text []byte) error {
	switch s := string(text); s {
	case ".", ",":
		*d = Decimal(s)
		return nil
	default:
		return fmt.Errorf("%q; want a point or a comma", s)
	}
}

// JSONSchema is the schema of a decimal mark in a spec.
func (Decimal) JSONSchema() map[string]any { return map[string]any{"enum": []string{".", ","}} }

// Delimiter is the character between fields.
type Delimiter rune

// UnmarshalText parses one character, "\t" or "tab".
func (d *Delimiter) UnmarshalText(text []byte) error {
	switch s := string(text); s {
	case `\t`, "tab":
		*d = '\t'
	default:
		r, size := utf8.DecodeRuneInString(s)
		if size == 0 || size != len(s) {
			return fmt.Errorf("%q; want one character, such as ; or tab", s)
		}
		*d = Delimiter(r)
	}
	return nil
}

// JSONSchema is the schema of a delimiter in a spec.
func (Delimiter) JSONSchema() map[string]any { return map[string]any{"type": "string"} }
