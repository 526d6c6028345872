package dataset

// Meaning says what a feature stands for in the source file.
type Meaning struct {
	Column *SourceColumn // the column it is made of, shared with the encoder
	// Category is the index in Column.Categories of the category that the feature is 1
	// for, and 0 for every other; -1 where the feature is no 0/1 mark of a category: of
	// Numeric and Ordinal columns.
	Category int
	// Missing marks the feature that is 1 where the field is missing, and 0 elsewhere.
	Missing bool
}

// Meanings returns what the features of the encoder stand for, in the order of
// Features.
func (e *Encoder) Meanings() []Meaning {
	var m []Meaning
	for i := range e.Columns {
		m = e.Columns[i].appendMeanings(m)
	}
	return m
}

// appendMeanings goes with appendFeatures, feature by feature.
func (c *SourceColumn) appendMeanings(m []Meaning) []Meaning {
	if c.Kind != OneHot {
		m = append(m, Meaning{Column: c, Category: -1})
		if c.Indicator {
			m = append(m, Meaning{Column: c, Category: -1, Missing: true})
		}
		return m
	}
	first := 0
	if len(c.Categories) == 2 {
		first = 1
	}
	for k := first; k < len(c.Categories); k++ {
		m = append(m, Meaning{Column: c, Category: k, Missing: c.IsMissing(k)})
	}
	return m
}

// IsMissing reports whether the category with the given index stands for missing fields.
func (c *SourceColumn) IsMissing(category int) bool {
	return c.Categories[category] == missingCategory
}
