package export

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/octgen/octgen/dataset"
)

// dialect is how a database writes what the standard leaves open or the database has
// otherwise. A column is an expression, quoted.
type dialect struct {
	name     string
	title    string // of the database
	folds    bool   // columns whose names differ only in case are one
	longest  int    // bytes after which a name is cut; 0: none
	quoted   func(name string) string
	text     func(s string) string
	real     func(v float64) string                 // a double
	trimmed  func(column string) string             // the column as text, without blanks around it
	whole    func(text string) string               // a whole number that a column of numbers has as this text; nil: as it is
	collate  string                                 // after a trimmed text: compared by its bytes
	double   func(column string, comma bool) string // the column as a double, where readable holds
	readable func(column string, comma bool) string // holds where the column is a number; nil: the database says so itself
	moment   func(date string) string               // a column or text of a date, to be compared
	days     func(column, first string) string      // days of the column of dates since first, a double; nil: no way
	dated    func(column string) string             // holds where the column is a date; nil: the database says so itself
	refuses  func(s string) error                   // of names and texts
}

var dialects = []dialect{sqlite, postgres, ansi}

// Dialects returns the dialects of SQL.
func Dialects() []string {
	names := make([]string, len(dialects))
	for i := range dialects {
		names[i] = dialects[i].name
	}
	return names
}

func dialectOf(name string) (*dialect, error) {
	if name == "" {
		return &dialects[0], nil
	}
	i := slices.IndexFunc(dialects, func(d dialect) bool { return d.name == name })
	if i < 0 {
		return nil, fmt.Errorf("unknown dialect %q; want %s", name, strings.Join(Dialects(), ", "))
	}
	return &dialects[i], nil
}

// sameColumn reports whether the database takes two names of columns for one.
func (d *dialect) sameColumn(a, b string) bool {
	a, b = d.cut(a, 0), d.cut(b, 0)
	return a == b || d.folds && strings.EqualFold(a, b)
}

// cut is what the database keeps of a name that something of the given bytes follows.
func (d *dialect) cut(name string, follows int) string {
	end := d.longest - follows
	if d.longest == 0 || len(name) <= end {
		return name
	}
	for end > 0 && !utf8.RuneStart(name[end]) {
		end--
	}
	return name[:end]
}

// shareColumns names the column of each class's share. Where two names differ in no
// more than case, the later gets a number, in every dialect: databases are of different
// minds about case.
func (d *dialect) shareColumns(prefix string, classes []string) []string {
	names := make([]string, len(classes))
	taken := make(map[string]int) // class by folded name
	for k, class := range classes {
		names[k] = d.cut(prefix+class, 0)
		if _, ok := taken[strings.ToLower(names[k])]; !ok {
			taken[strings.ToLower(names[k])] = k
		}
	}
	for k, class := range classes {
		for n := 2; taken[strings.ToLower(names[k])] != k; n++ {
			number := fmt.Sprintf("_%d", n)
			names[k] = d.cut(prefix+class, len(number)) + number
			if _, ok := taken[strings.ToLower(names[k])]; !ok {
				taken[strings.ToLower(names[k])] = k
			}
		}
	}
	return names
}

// doubled is s between two quotes, with those in it doubled.
func doubled(quote, s string) string {
	return quote + strings.ReplaceAll(s, quote, quote+quote) + quote
}

// sqlite quotes names by backticks: what stands between double quotes and is no
// column, it takes for a text. A text is a number where it equals what its conversion
// gives: against a numeric operand, a text that spells a number as a whole is compared
// as a number, any other as a text.
var sqlite = dialect{
	name:    "sqlite",
	title:   "SQLite",
	folds:   true,
	quoted:  func(s string) string { return doubled("`", s) },
	text:    func(s string) string { return doubled("'", s) },
	real:    sqliteReal,
	trimmed: func(c string) string { return "TRIM(" + c + ")" },
	whole:   func(text string) string { return text + ".0" },
	double: func(c string, comma bool) string {
		if comma {
			return fmt.Sprintf("CASE typeof(%s) WHEN 'text' THEN CAST(REPLACE(%[1]s, ',', '.') AS REAL) ELSE CAST(%[1]s AS REAL) END", c)
		}
		return "CAST(" + c + " AS REAL)"
	},
	readable: func(c string, comma bool) string {
		number := c
		if comma {
			number = fmt.Sprintf("CASE typeof(%s) WHEN 'text' THEN REPLACE(REPLACE(%[1]s, '.', '_'), ',', '.') ELSE %[1]s END", c)
		}
		return fmt.Sprintf("%s = CAST(%[1]s AS NUMERIC) AND ABS(CAST(%[1]s AS REAL)) <= %s", number, shortest(dataset.MaxAbs))
	},
	moment:  func(d string) string { return "julianday(" + d + ")" },
	days:    func(c, first string) string { return "(julianday(" + c + ") - julianday('" + first + "'))" },
	dated:   func(c string) string { return "typeof(" + c + ") = 'text' AND julianday(" + c + ") IS NOT NULL" },
	refuses: refuseNull,
}

// sqliteReal is v as SQLite reads it without an error of rounding. SQLite converts
// decimals by floating-point arithmetic of its own, which differs between versions and
// is not always right in the last place; whole digits below 2^53 times or divided by a
// power of ten up to 10^22 are one operation on exact numbers. Where that is no way,
// v is a fraction of a whole number and a power of two, whose arithmetic is exact.
func sqliteReal(v float64) string {
	if s := literal(v); readsExactly(s, v) {
		return s
	}
	fraction, exponent := math.Frexp(v)
	whole := int64(math.Ldexp(fraction, 53))
	exponent -= 53
	for whole%2 == 0 {
		whole /= 2
		exponent++
	}
	const step = 50 // a power of two that is exact in any case
	operator := "*"
	if exponent < 0 {
		operator, exponent = "/", -exponent
	}
	s := strconv.FormatInt(whole, 10) + ".0"
	for ; exponent > 0; exponent -= step {
		s += fmt.Sprintf(" %s %d.0", operator, int64(1)<<min(exponent, step))
	}
	return "(" + s + ")"
}

// readsExactly reports whether decimal s, read as digits times or divided by a power of
// ten with one rounding, gives v, whether that rounding is to 53 bits or first to 64.
func readsExactly(s string, v float64) bool {
	mantissa, exponent := s, 0
	if e := strings.IndexByte(s, 'e'); e >= 0 {
		mantissa = s[:e]
		exponent, _ = strconv.Atoi(s[e+1:]) // of our own making
	}
	whole, decimals, _ := strings.Cut(mantissa, ".")
	decimals = strings.TrimRight(decimals, "0")
	exponent -= len(decimals)
	digits, err := strconv.ParseInt(whole+decimals, 10, 64)
	if err != nil || digits > 1<<53 || digits < -1<<53 || exponent > 22 || exponent < -22 {
		return false
	}
	power := new(big.Float).SetPrec(64).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(exponent, -exponent))), nil))
	wide := new(big.Float).SetPrec(64).SetInt64(digits)
	if exponent < 0 {
		wide.Quo(wide, power)
	} else {
		wide.Mul(wide, power)
	}
	twice, _ := wide.Float64()
	return twice == v
}

// postgres: a backslash stands in a text of escapes, which is read the same whatever
// standard_conforming_strings is; the pattern keeps what is no number from the
// conversion, which would be an error.
var postgres = dialect{
	name:    "postgres",
	title:   "PostgreSQL",
	longest: 63,
	quoted:  func(s string) string { return doubled(`"`, s) },
	text:    postgresText,
	real:    func(v float64) string { return "float8 '" + shortest(v) + "'" },
	trimmed: func(c string) string { return "TRIM(CAST(" + c + " AS text))" },
	collate: ` COLLATE "C"`,
	double:  func(c string, comma bool) string { return "CAST(" + postgresNumber(c, comma) + " AS double precision)" },
	readable: func(c string, comma bool) string {
		return fmt.Sprintf("CASE WHEN %s THEN ABS(CAST(%s AS numeric)) <= %s END",
			postgresReadable(c, comma), postgresNumber(c, comma), shortest(dataset.MaxAbs))
	},
	moment: func(d string) string { return "CAST(" + d + " AS timestamp)" },
	days: func(c, first string) string {
		return "CAST(EXTRACT(EPOCH FROM CAST(" + c + " AS timestamp) - timestamp '" + first + "') AS double precision) / 86400"
	},
	refuses: refuseNull,
}

// postgresNumber is the text of a number, with a point.
func postgresNumber(c string, comma bool) string {
	text := "TRIM(CAST(" + c + " AS text))"
	if comma {
		return "REPLACE(" + text + ", ',', '.')"
	}
	return text
}

// postgresReadable is the condition that a column is a number. Where texts have a
// decimal comma, columns of numbers nevertheless have a point.
func postgresReadable(c string, comma bool) string {
	like := func(mark string) string {
		return fmt.Sprintf(`TRIM(CAST(%s AS text)) COLLATE "C" ~ '^[+-]?([0-9]+[%s]?[0-9]*|[%[2]s][0-9]+)([eE][+-]?[0-9]+)?$'`, c, mark)
	}
	if !comma {
		return like(".")
	}
	return fmt.Sprintf("CASE WHEN pg_typeof(%s) IN ('text'::regtype, 'varchar'::regtype, 'bpchar'::regtype) THEN %s ELSE %s END", c, like(","), like("."))
}

func postgresText(s string) string {
	if strings.ContainsRune(s, '\\') {
		return " E" + doubled("'", strings.ReplaceAll(s, `\`, `\\`))
	}
	return doubled("'", s)
}

// ansi is the standard's. It has no way to ask whether a text is a number: that the
// conversion refuses.
var ansi = dialect{
	name:    "ansi",
	title:   "the standard",
	quoted:  func(s string) string { return doubled(`"`, s) },
	text:    func(s string) string { return doubled("'", s) },
	real:    ansiReal,
	trimmed: func(c string) string { return "TRIM(CAST(" + c + " AS VARCHAR(1000)))" },
	double: func(c string, comma bool) string {
		return "CAST(TRIM(CAST(" + c + " AS VARCHAR(1000))) AS DOUBLE PRECISION)"
	},
	refuses: func(s string) error {
		if strings.ContainsRune(s, '\\') {
			return errors.New("a backslash, which databases read in different ways (other dialects have it)")
		}
		return refuseNull(s)
	},
}

// ansiReal is an approximate number of the standard, which has an exponent.
func ansiReal(v float64) string {
	return strings.ToUpper(strconv.FormatFloat(v, 'e', -1, 64))
}

func refuseNull(s string) error {
	if strings.ContainsRune(s, 0) {
		return errors.New("a null character, which texts of SQL cannot have")
	}
	return nil
}
