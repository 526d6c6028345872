package flags

import (
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/octgen/octgen/dataset"
)

// Data are the flags that say how to read training data.
type Data struct {
	Target             string    `placeholder:"COLUMN" group:"Data" help:"Column of the class (default: the last one)."`
	Missing            string    `enum:"drop,mean,category" default:"drop" group:"Data" help:"Missing values: drop the row, put the mean or most frequent category, or make a category of its own (${enum})."`
	Categorical        string    `enum:"onehot,ordinal" default:"onehot" group:"Data" help:"How columns of categories become numbers (${enum})."`
	CategoricalColumns []string  `placeholder:"COLUMN" group:"Data" help:"Columns of categories, whatever they hold."`
	Ignore             []string  `placeholder:"COLUMN" group:"Data" help:"Columns to leave out."`
	Code               string    `placeholder:"TEXT=NUMBER,..." group:"Data" help:"Numbers that stand for texts in the features, such as y=1,n=-1,?=0; ? is a missing value."`
	Weight             string    `placeholder:"COLUMN" group:"Data" help:"Column of row weights."`
	ClassWeight        string    `placeholder:"balanced|CLASS=W,..." group:"Data" help:"Factors on the weights of the rows of a class."`
	Delimiter          Delimiter `placeholder:"CHAR" group:"Data" help:"Character between fields (default: a comma)."`
}

// LoadOptions are what the flags say.
func (f *Data) LoadOptions() dataset.LoadOptions {
	return dataset.LoadOptions{
		Target: f.Target, Weight: f.Weight, ClassWeight: f.ClassWeight,
		Missing: dataset.MissingPolicy(f.Missing), Categorical: dataset.ColumnKind(f.Categorical),
		CategoricalColumns: f.CategoricalColumns, Codes: f.Code, Ignore: f.Ignore, Delimiter: rune(f.Delimiter),
	}
}

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

// Duration is a time limit: 60s, 2m, 1h30m, or plain seconds.
type Duration time.Duration

// UnmarshalText parses a time limit.
func (d *Duration) UnmarshalText(text []byte) error {
	s := string(text)
	v, err := time.ParseDuration(s)
	if err != nil {
		if seconds, e := strconv.ParseFloat(s, 64); e == nil {
			v, err = time.Duration(seconds*float64(time.Second)), nil
		}
	}
	if err != nil || v <= 0 {
		return fmt.Errorf("%q is no time; want a positive one such as 60s, 2m or 90 (seconds)", s)
	}
	*d = Duration(v)
	return nil
}
