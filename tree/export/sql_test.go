package export_test

import (
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/export"
)

// database runs scripts of SQL and says how values are written so that they are exact.
type database struct {
	dialect string
	quote   func(name string) string
	real    func(v float64) string
	text    func(s string) string
	types   [2]string                  // of numbers, of texts
	dates   string                     // type of dates
	run     func(script string) []byte // what is selected, as CSV
}

func doubledQuotes(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// answers makes a table of rows, whose columns are of texts or, in typed ones, of
// numbers, and returns what the expression and the statement say of them. The table
// has columns with the names of the statement's own, as an earlier answer would.
func (b *database) answers(t *testing.T, c *conformanceCase, typed bool, rows []int) (expression, statement []answer) {
	t.Helper()
	numeric := make([]bool, len(c.columns))
	for i := range c.tree.Encoder.Columns {
		s := &c.tree.Encoder.Columns[i]
		numeric[slices.Index(c.columns, s.Name)] = s.Kind == dataset.Numeric && typed
	}
	var script strings.Builder
	const table = `the 'rows' "of"`
	fmt.Fprintf(&script, "CREATE TABLE %s (octgen_row INTEGER, octgen_leaf INTEGER, octgen_class INTEGER", doubledQuotes(table))
	for j, name := range c.columns {
		kind := b.types[1]
		if numeric[j] {
			kind = b.types[0]
		}
		if c.isDate(name) {
			numeric[j], kind = false, b.dates
		}
		fmt.Fprintf(&script, ", %s %s", doubledQuotes(name), kind)
	}
	script.WriteString(");\n")
	for _, i := range rows {
		fmt.Fprintf(&script, "INSERT INTO %s VALUES (%d, 0, 0", doubledQuotes(table), i)
		for j, field := range c.rows[i] {
			switch v := c.number(field); {
			case field == "" && c.isDate(c.columns[j]):
				script.WriteString(", NULL")
			case !numeric[j]:
				script.WriteString(", " + b.text(field))
			case math.IsNaN(v):
				script.WriteString(", NULL")
			default:
				script.WriteString(", " + b.real(v))
			}
		}
		script.WriteString(");\n")
	}
	const first = "answers_begin_here"
	fmt.Fprintf(&script, "SELECT '%s';\nSELECT octgen_row, %s FROM %s ORDER BY octgen_row;\nSELECT '%[1]s';\nSELECT * FROM (\n%[4]s) answered ORDER BY octgen_row;\nDROP TABLE %[3]s;\n",
		first, c.written(t, "sql", export.Options{Dialect: b.dialect}), doubledQuotes(table),
		c.written(t, "sql", export.Options{Dialect: b.dialect, Table: table}))
	_, out, _ := strings.Cut(string(b.run(script.String())), first+"\n")
	selected, joined, ok := strings.Cut(out, first+"\n")
	if !ok {
		t.Fatalf("%s, %s: no answers: %s", b.dialect, c.name, out)
	}
	for _, record := range b.records(t, selected) {
		expression = append(expression, answer{class: record[1]})
	}
	for _, record := range b.records(t, joined) {
		record = record[len(c.columns)+4:]
		a := answer{class: record[0]}
		for _, field := range record[1:] {
			if v, err := strconv.ParseFloat(field, 64); err == nil {
				a.shares = append(a.shares, v)
			}
		}
		statement = append(statement, a)
	}
	return expression, statement
}

func (b *database) records(t *testing.T, text string) [][]string {
	t.Helper()
	r := csv.NewReader(strings.NewReader(text))
	r.FieldsPerRecord = -1
	records, err := r.ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", b.dialect, err)
	}
	return records
}

// conform holds all cases against the database, in a table of texts, with fields as
// they stand in a file, and in one of numbers.
func (b *database) conform(t *testing.T) {
	t.Helper()
	for _, c := range conformanceCases(t) {
		if strings.HasSuffix(c.name, "dates") {
			c = b.dated(t, c)
			if c == nil {
				continue
			}
		}
		if why := map[string]string{"names": "backslash", "columns": "backslash", "gaps": "decimal commas"}[c.name]; b.dialect == "ansi" && why != "" {
			if _, err := export.Bytes(c.tree, "sql", export.Options{Dialect: "ansi"}); err == nil || !strings.Contains(err.Error(), why) {
				t.Errorf("ansi: %v; want %s refused", err, why)
			}
			continue
		}
		for _, typed := range []bool{false, true} {
			if strings.HasSuffix(c.name, "dates") && !typed {
				continue
			}
			rows := b.rows(c, typed)
			part := &conformanceCase{name: c.name, columns: c.columns, tree: c.tree}
			for _, i := range rows {
				part.rows, part.want = append(part.rows, c.rows[i]), append(part.want, c.want[i])
			}
			expression, statement := b.answers(t, c, typed, rows)
			part.compare(t, fmt.Sprintf("%s (typed %v), expression", b.dialect, typed), len(rows), expression)
			for i := range statement { // CSV of a database may have fewer digits: shares are told apart by the nearest
				if w := part.want[i].shares; len(w) == len(statement[i].shares) {
					for k, v := range statement[i].shares {
						if math.Abs(v-w[k]) < 1e-14 {
							statement[i].shares[k] = w[k]
						}
					}
				}
			}
			part.compare(t, fmt.Sprintf("%s (typed %v), statement", b.dialect, typed), len(rows), statement)
		}
	}
}

// isDate reports whether a column has dates.
func (c *conformanceCase) isDate(name string) bool {
	i := slices.IndexFunc(c.tree.Encoder.Columns, func(s dataset.SourceColumn) bool { return s.Name == name })
	return i >= 0 && c.tree.Encoder.Columns[i].Date != nil
}

// dated is a case of dates with the rows that a database can hold, as it writes them; nil for a dialect without dates.
func (b *database) dated(t *testing.T, c *conformanceCase) *conformanceCase {
	t.Helper()
	if b.dialect == "ansi" {
		if _, err := export.Bytes(c.tree, "sql", export.Options{Dialect: "ansi"}); err == nil || !strings.Contains(err.Error(), "the standard does not read dates") {
			t.Errorf("ansi: %v; want dates refused", err)
		}
		return nil
	}
	d := &conformanceCase{name: c.name, columns: c.columns, tree: c.tree, unknown: c.unknown}
	layout := strings.NewReplacer("YYYY", "2006", "YY", "06", "MM", "1", "DD", "2", "hh", "15", "mm", "4", "ss", "5", "Z", "Z07:00").Replace(c.tree.Encoder.Columns[0].Date.Format)
	if strings.HasPrefix(layout, "200612") {
		layout = "20060102 15:4"
	}
	for i, row := range c.rows {
		at, err := time.Parse(layout, strings.TrimSpace(row[0]))
		if row[0] != "" && (err != nil || at != at.Truncate(time.Millisecond)) {
			continue
		}
		row = slices.Clone(row)
		if row[0] != "" {
			row[0] = at.UTC().Format("2006-01-02 15:04:05.000")
		}
		d.rows, d.want = append(d.rows, row), append(d.want, c.want[i])
	}
	if len(d.rows) < 80 {
		t.Errorf("%s: only %d rows", c.name, len(d.rows))
	}
	d.plain = len(d.rows)
	return d
}

// rows are those that the table can hold: a column of numbers holds no texts; a text is
// converted by SQLite, which is not exact in the last place; the standard's conversion
// ends the query where a text is no number.
func (b *database) rows(c *conformanceCase, typed bool) []int {
	var rows []int
	d := c.typed()
	for i := range c.rows {
		infinite, unreadable := false, false
		for j, s := range d.columns {
			bad := s.Kind == dataset.Numeric && math.Abs(d.numbers[i][j]) > 1e300
			_, coded := c.tree.Encoder.Codes[d.texts[i][j]]
			infinite, unreadable = infinite || bad, unreadable || bad && !coded
		}
		switch {
		case typed && (infinite || c.name == "codes"):
		case b.dialect == "ansi" && unreadable:
		case b.dialect == "sqlite" && !typed && i >= c.plain:
		default:
			rows = append(rows, i)
		}
	}
	return rows
}

func TestSQLite(t *testing.T) {
	needTools(t)
	b := &database{dialect: "sqlite", quote: doubledQuotes, types: [2]string{"REAL", "TEXT"}, dates: "TEXT",
		text: func(s string) string { return "CAST(X'" + hex.EncodeToString([]byte(s)) + "' AS TEXT)" },
		real: func(v float64) string { // by its bits, past the conversion of decimals
			return fmt.Sprintf("ieee754_from_blob(X'%016x')", math.Float64bits(v))
		},
		run: func(script string) []byte {
			return run(t, t.TempDir(), []byte(".mode csv\n.separator , \\n\n.bail on\n"+script), "sqlite3", "-batch", ":memory:")
		},
	}
	b.conform(t)
}

func TestPostgreSQL(t *testing.T) {
	needTools(t)
	b := postgresServer(t)
	b.conform(t)
	b.dialect = "ansi"
	b.conform(t)
}

// postgresServer starts a server of the test's own: as another user where this one is
// root, whom it refuses, with a socket in a temporary folder and no TCP.
func postgresServer(t *testing.T) *database {
	t.Helper()
	bin, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	if err != nil || len(bin) == 0 {
		t.Fatal("no PostgreSQL below /usr/lib/postgresql")
	}
	server := bin[len(bin)-1]
	dir, err := os.MkdirTemp("", "octgen-pg")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	as := func(name string, args ...string) []string { return append([]string{name}, args...) }
	if me, err := user.Current(); err == nil && me.Uid == "0" {
		run(t, dir, nil, "chown", "postgres", dir)
		as = func(name string, args ...string) []string {
			return append([]string{"setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", name}, args...)
		}
	}
	do := func(input string, words []string) []byte { return run(t, dir, []byte(input), words[0], words[1:]...) }
	do("", as(server+"/initdb", "-D", dir+"/data", "-U", "octgen", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"))
	do("", as(server+"/pg_ctl", "-D", dir+"/data", "-l", dir+"/log", "-w", "-o", "-c listen_addresses='' -c fsync=off -k "+dir, "start"))
	t.Cleanup(func() {
		words := as(server+"/pg_ctl", "-D", dir+"/data", "-m", "immediate", "stop")
		exec.Command(words[0], words[1:]...).Run()
	})
	return &database{dialect: "postgres", quote: doubledQuotes, types: [2]string{"double precision", "text"}, dates: "timestamp",
		text: func(s string) string { return "convert_from('\\x" + hex.EncodeToString([]byte(s)) + "', 'UTF8')" },
		real: func(v float64) string { return "'" + strconv.FormatFloat(v, 'g', -1, 64) + "'" },
		run: func(script string) []byte {
			return do("\\set ON_ERROR_STOP 1\n"+script, as(server+"/psql", "-h", dir, "-U", "octgen", "-d", "postgres", "-q", "-X", "-t", "--csv"))
		},
	}
}

// TestShareColumns: no two columns of shares are one to a database.
func TestShareColumns(t *testing.T) {
	long := "octgen_share_" + strings.Repeat("ä", 25) // 63 bytes
	for _, c := range []struct {
		dialect       string
		classes, want []string
	}{
		{"sqlite", []string{"A", "a", "a_2"}, []string{"octgen_share_A", "octgen_share_a_3", "octgen_share_a_2"}},
		{"ansi", []string{"A", "a", "b"}, []string{"octgen_share_A", "octgen_share_a_2", "octgen_share_b"}},
		{"postgres", []string{"yes", "Yes", "no"}, []string{"octgen_share_yes", "octgen_share_Yes_2", "octgen_share_no"}},
		{"postgres", []string{strings.Repeat("ä", 26), strings.Repeat("ä", 25) + "b", strings.Repeat("ä", 24) + "bä"},
			[]string{long, long[:61] + "_2", long[:61] + "b"}},
		{"sqlite", []string{strings.Repeat("ä", 26), strings.Repeat("ä", 25) + "b"}, []string{long + "ä", long + "b"}},
	} {
		tr := &tree.Tree{Features: []string{"x"}, Classes: c.classes, Nodes: []tree.Node{{}}}
		b, err := export.Bytes(tr, "sql", export.Options{Dialect: c.dialect, Table: "rows"})
		if err != nil {
			t.Fatal(err)
		}
		d := map[string]string{"sqlite": "`"}[c.dialect]
		if d == "" {
			d = `"`
		}
		selected, _, _ := strings.Cut(string(b), "\n")
		want := "SELECT source_table.*, leaf_class.octgen_leaf, leaf_class.octgen_class"
		for _, name := range c.want {
			want += ", leaf_class." + d + name + d
		}
		if selected != want {
			t.Errorf("%s, classes %q:\n%s\nwant\n%s", c.dialect, c.classes, selected, want)
		}
	}
}
