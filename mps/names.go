package mps

import (
	"bytes"
	"strconv"
)

// Words the writer uses for itself.
const (
	objectiveName  = "obj"
	rhsSet         = "RHS"
	rangeSet       = "RNG"
	boundSet       = "BND"
	fallbackModel  = "octgen" // of a model whose name cannot be written
	reservedPrefix = "octgen_"
	offsetFree     = "octgen_one"
	offsetFixed    = "octg_one"

	maxName      = 128 // within the limits of all known readers (CBC: 160)
	maxFixedName = 8
)

// reservedWords cannot be names: HiGHS takes some first words of a line for a
// section (silently losing what follows), a column named like the bound set for
// the set left out, and others would be read as numbers.
var reservedWords = map[string]bool{
	"NAME": true, "FREE": true, "OBJSENSE": true, "MAX": true, "MIN": true, "MAXIMIZE": true, "MINIMIZE": true,
	"ROWS": true, "COLUMNS": true, "RHS": true, "RNG": true, "BND": true,
	"RANGES": true, "BOUNDS": true, "ENDATA": true, "OBJ": true, "MARKER": true,
	"QSECTION": true, "QMATRIX": true, "QUADOBJ": true, "QCMATRIX": true, "CSECTION": true,
	"INDICATORS": true, "SETS": true, "SOS": true, "SOS1": true, "SOS2": true, "GENCONS": true,
	"PWLOBJ": true, "PWLNAM": true, "PWLCON": true, "LAZYCONS": true, "USERCUTS": true,
	"MODELCUTS": true, "DELAYEDROWS": true, "BRANCH": true,
	"INF": true, "INFINITY": true, "NAN": true, "OCTGEN": true, "OCTG_ONE": true,
}

// longestReserved is the length of the longest reserved word.
const longestReserved = len("DELAYEDROWS")

// legalName reports whether name can stand in a file of any dialect.
func legalName(name []byte) bool {
	if len(name) == 0 || len(name) > maxName {
		return false
	}
	if c := name[0] | 0x20; (c < 'a' || c > 'z') && name[0] != '_' {
		return false
	}
	for _, c := range name {
		if c <= ' ' || c >= 0x7f || c == '$' || c == '*' || c == '\'' || c == '"' {
			return false
		}
	}
	if len(name) <= longestReserved {
		var up [longestReserved]byte
		for i, c := range name {
			if 'a' <= c && c <= 'z' {
				c -= 'a' - 'A'
			}
			up[i] = c
		}
		if reservedWords[string(up[:len(name)])] {
			return false
		}
	}
	return !bytes.HasPrefix(name, []byte(reservedPrefix))
}

// appendReplacement appends the name that stands for element i of a kind, 'c'
// or 'r'. No legal name equals it.
func appendReplacement(dst []byte, kind byte, i int) []byte {
	dst = append(append(dst, reservedPrefix...), kind)
	return strconv.AppendInt(dst, int64(i)+1, 10)
}
