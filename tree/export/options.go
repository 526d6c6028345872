package export

import "github.com/octgen/octgen/dataset"

// Options says how a tree is written. The zero value is the default. An option that is
// not for the target is an error.
type Options struct {
	// Unknown says what becomes of categories that training did not have. By default
	// (UnknownError) the row has no class; UnknownOther takes them as none of the
	// categories, as octgen predict --unknown other does.
	Unknown dataset.UnknownPolicy
	// Name is the package of Go, what the names of C begin with, and the global of
	// JavaScript in browsers; default octgen.
	Name string
	// Dialect is that of SQL: sqlite (default), postgres or ansi.
	Dialect string
	// Table makes of SQL a statement over this table, instead of an expression: its
	// columns, then octgen_leaf, octgen_class and an octgen_share_CLASS of every class,
	// with a number at its end where an earlier one differs in no more than case or,
	// for PostgreSQL, beyond 63 bytes. A point stands between a schema and a table.
	Table string
}

// defaultName is the Name of Options that name none.
const defaultName = "octgen"
