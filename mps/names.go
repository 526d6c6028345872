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
	maxLPName    = 100 // of CBC's reader; CPLEX and GLPK take 255
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
	if string(name) == sosTypes[0] || string(name) == sosTypes[1] { // begins a set
		return false
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

// reservedLPWords cannot be names in LP files.
var reservedLPWords = map[string]bool{
	"minimize": true, "minimise": true, "minimum": true, "min": true, "maximize": true, "maximise": true, "maximum": true, "max": true,
	"subject": true, "to": true, "such": true, "that": true, "st": true, "s.t.": true, "st.": true,
	"bounds": true, "bound": true, "free": true,
	"binaries": true, "binary": true, "bin": true, "generals": true, "general": true, "gen": true,
	"integers": true, "integer": true, "int": true, "semi": true, "semis": true, "sec": true,
	"sos": true, "sos1": true, "sos2": true, "s1": true, "s2": true, "pwlobj": true, "cones": true,
	"lazy": true, "user": true, "constraints": true, "cuts": true, "end": true, objectiveName: true,
}

// longestLPReserved is the length of the longest of them.
const longestLPReserved = len("constraints")

// legalLPName reports whether name can stand in an LP file.
func legalLPName(name []byte) bool {
	if len(name) == 0 || len(name) > maxLPName || bytes.HasPrefix(name, []byte(reservedPrefix)) {
		return false
	}
	for k, c := range name {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_'
		if !letter && (k == 0 || c != '.' && (c < '0' || c > '9')) {
			return false
		}
	}
	if name[0]|0x20 == 'e' && (len(name) == 1 || name[1] >= '0' && name[1] <= '9') { // 3 e5 is a number to some
		return false
	}
	if len(name) >= 3 && (equalFold(name[:3], "INF") || equalFold(name[:3], "NAN")) { // numbers to HiGHS, whatever follows
		return false
	}
	if len(name) > longestLPReserved {
		return true
	}
	var lower [longestLPReserved]byte
	for k, c := range name {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		lower[k] = c
	}
	return !reservedLPWords[string(lower[:len(name)])]
}

// appendReplacement appends the name that stands for element i of a kind: 'c'
// for columns, 'r' for rows, 's' for sets,
// 'u' for the upper sides of rows in LP files. No legal name equals it.
func appendReplacement(dst []byte, kind byte, i int) []byte {
	dst = append(append(dst, reservedPrefix...), kind)
	return strconv.AppendInt(dst, int64(i)+1, 10)
}
