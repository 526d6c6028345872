package dataset

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxGroups is the number of different numbers beyond which a column holds measurements
// and no groups; texts are bounded by maxCategories.
const maxGroups = 20

// groupReader gathers the levels of a group column while a file is read.
type groupReader struct {
	name   string
	source int // index in the record; -1: the file has no such column, all rows are of no group
	texts  *dictionary
	codes  []int32 // per row, -1 for missing
	fixed  bool    // levels that are not in texts are none
}

// add takes the field of the record.
func (g *groupReader) add(record []string, t *records) error {
	code := int32(-1)
	if g.source >= 0 {
		s := strings.TrimSpace(record[g.source])
		switch {
		case t.notation.isMissing(s):
		case g.fixed:
			if known, ok := g.texts.find(s); ok {
				code = known
			}
		default:
			var isNew bool
			code, isNew = g.texts.add(s)
			if isNew && !utf8.ValidString(s) {
				return t.cellError(g.source, "%q %s", s, notUTF8)
			}
			if isNew && len(g.texts.names) > maxGroups {
				return g.checkLevels(t)
			}
		}
	}
	g.codes = append(g.codes, code)
	return nil
}

// checkLevels refuses a column that holds no groups: measurements, or identifiers.
func (g *groupReader) checkLevels(t *records) error {
	numbers := 0
	for _, name := range g.texts.names {
		if _, kind := t.notation.classify(name); kind == number {
			numbers++
		}
	}
	if numbers > maxGroups {
		return &Error{File: t.file, Name: g.name, Msg: fmt.Sprintf("named as a group, but it has more than %d different numbers;"+
			" write a column of ranges such as <25, 25-45, >45 beside it, and name that one", maxGroups)}
	}
	if len(g.texts.names) > maxCategories {
		return &Error{File: t.file, Name: g.name, Msg: fmt.Sprintf("named as a group, but more than %d different texts look like an identifier", maxCategories)}
	}
	return nil
}

// group is what was read, by the levels that some row has.
func (g *groupReader) group() Group {
	if g.fixed {
		return Group{Name: g.name, Levels: g.texts.names, Of: g.codes}
	}
	levels, recode := usedNames(g.texts.names, g.codes)
	of := make([]int32, len(g.codes))
	for i, code := range g.codes {
		of[i] = -1
		if code >= 0 {
			of[i] = recode[code]
		}
	}
	return Group{Name: g.name, Levels: levels, Of: of}
}

// groupReaders are those of the columns of t that the options name, and which columns
// of t are no features for that.
func (o *LoadOptions) groupReaders(t *records, r roles) (readers []*groupReader, hidden []bool, err error) {
	hidden = make([]bool, len(t.header))
	for _, list := range []struct {
		flag  string
		names []string
		hides bool
	}{{"group", o.Groups, true}, {"group-as-feature", o.GroupFeatures, false}} {
		for _, name := range list.names {
			i, err := t.find("a group", name)
			if err != nil {
				return nil, nil, err
			}
			if i == r.weight {
				return nil, nil, t.errorf("the column %q is named as a group, but it is the weight", name)
			}
			if i == r.target {
				return nil, nil, t.errorf("the column %q is named as a group, but it is the target", name)
			}
			hidden[i] = list.hides
			if !slices.ContainsFunc(readers, func(g *groupReader) bool { return g.name == name }) {
				readers = append(readers, &groupReader{name: name, source: i, texts: newDictionary()})
			}
		}
	}
	return readers, hidden, nil
}

// groupReaders are those of the encoder's groups, and of further columns, which learn
// their levels of the file.
func (e *Encoder) groupReaders(t *records, more []string) ([]*groupReader, error) {
	var readers []*groupReader
	for _, c := range e.Groups {
		g := &groupReader{name: c.Name, source: t.index(c.Name), texts: newDictionary(), fixed: true}
		for _, level := range c.Levels {
			g.texts.add(level)
		}
		readers = append(readers, g)
	}
	for _, name := range more {
		i, err := t.find("a group", name)
		switch {
		case err != nil:
			return nil, err
		case name == e.Target:
			return nil, t.errorf("the column %q is named as a group, but it is the target", name)
		case !slices.ContainsFunc(readers, func(g *groupReader) bool { return g.name == name }):
			readers = append(readers, &groupReader{name: name, source: i, texts: newDictionary()})
		}
	}
	return readers, nil
}

// groupsOf are the groups of readers.
func groupsOf(readers []*groupReader) []Group {
	var all []Group
	for _, g := range readers {
		all = append(all, g.group())
	}
	return all
}
