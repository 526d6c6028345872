package dataset

// Reading says what was read of a training file.
type Reading struct {
	Rows     int             `json:"rows_read"`         // data rows of the file
	Dropped  int             `json:"rows_dropped"`      // of them, left out since a value is missing
	Columns  []ReadColumn    `json:"columns"`           // of the file, in its order
	Classes  []ClassRows     `json:"class_counts"`      // of the rows that are kept
	Actions  []ActionRewards `json:"actions,omitempty"` // of rows with rewards in place of classes
	Warnings []string        `json:"warnings"`          // what looks wrong, each with what mends it
}

// ReadColumn is what became of a column of the file.
type ReadColumn struct {
	Name       string   `json:"name"`
	Kind       ReadKind `json:"kind"`
	Format     string   `json:"format,omitempty"`     // of dates
	First      string   `json:"first,omitempty"`      // of dates, day 0: YYYY-MM-DD
	Categories int      `json:"categories,omitempty"` // of categories, how many
	Missing    int      `json:"missing,omitempty"`    // of features, fields without a value
}

// ReadKind says what a column was read as.
type ReadKind string

// What columns are read as.
const (
	ReadNumber   ReadKind = "number"
	ReadDate     ReadKind = "date"
	ReadCategory ReadKind = "category"
	ReadClass    ReadKind = "class"
	ReadReward   ReadKind = "reward"
	ReadWeight   ReadKind = "weight"
	ReadGroup    ReadKind = "group"
	ReadIgnored  ReadKind = "ignored"
)

// ClassRows is a class and how many rows have it.
type ClassRows struct {
	Class string `json:"class"`
	Rows  int    `json:"rows"`
}

// reading describes what became of the table, of which d was made.
func (raw *table) reading(d *Dataset) *Reading {
	r := &Reading{Rows: d.Source.Rows, Dropped: d.Source.Rows - d.N(), Columns: make([]ReadColumn, len(raw.header))}
	for i, name := range raw.header {
		r.Columns[i] = ReadColumn{Name: name, Kind: ReadIgnored}
	}
	if raw.roles.target >= 0 {
		r.Columns[raw.roles.target].Kind = ReadClass
	}
	for _, i := range raw.roles.rewards {
		r.Columns[i].Kind = ReadReward
	}
	if raw.roles.weight >= 0 {
		r.Columns[raw.roles.weight].Kind = ReadWeight
	}
	for i, g := range raw.roles.groups { // which a feature may be, too
		missing := 0
		for _, of := range d.Groups[i].Of {
			if of < 0 {
				missing++
			}
		}
		r.Columns[g.source] = ReadColumn{Name: g.name, Kind: ReadGroup, Categories: len(d.Groups[i].Levels), Missing: missing}
	}
	for j, c := range raw.columns {
		r.Columns[c.source] = c.read(&d.Encoder.Columns[j])
	}
	if r.Warnings = raw.columnWarnings(d); d.Reward != nil {
		r.Classes, r.Actions = []ClassRows{}, d.actionRewards()
		r.Warnings = append(r.Warnings, rewardWarnings(d)...)
		return r
	}
	for k, rows := range d.ClassCounts() {
		r.Classes = append(r.Classes, ClassRows{d.Classes[k], int(rows)})
	}
	r.Warnings = append(r.Warnings, classWarnings(d)...)
	return r
}

// read is what a feature column was read as, by what was learned of it.
func (c *column) read(learned *SourceColumn) ReadColumn {
	r := ReadColumn{Name: c.name, Kind: ReadNumber, Missing: c.count[missing]}
	switch {
	case learned.Date != nil:
		r.Kind, r.Format, r.First = ReadDate, learned.Date.Format, learned.Date.First
	case learned.Kind != Numeric:
		r.Kind, r.Categories = ReadCategory, len(learned.Categories)
	}
	return r
}
