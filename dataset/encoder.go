package dataset

import (
	"fmt"
	"math"
	"slices"
)

// Encoder turns raw records into rows of a Dataset. It keeps everything learned from the
// training file, so that predict can encode new raw data. Its JSON form is part of
// tree.json. Call Validate before using an encoder read from JSON.
type Encoder struct {
	Target      string             `json:"target"`           // empty with rewards
	Weight      string             `json:"weight,omitempty"` // weight column, not a feature
	Classes     []string           `json:"classes"`
	Regression  bool               `json:"regression,omitempty"`   // the target has numbers; Classes has its name alone
	Quantile    float64            `json:"quantile,omitempty"`     // of them that is predicted; 0: the mean
	Rewards     bool               `json:"rewards,omitempty"`      // the rows have rewards of actions instead of a target; Classes names the actions and their columns
	ClassWeight []float64          `json:"class_weight,omitempty"` // (K) factors on row weights; nil: all 1
	CostMatrix  [][]float64        `json:"cost_matrix,omitempty"`  // (K, K) costs of predictions for a row of weight 1, true by predicted class; nil: none
	Missing     MissingPolicy      `json:"missing,omitempty"`      // policy for the training file; empty: DropMissing
	Codes       map[string]float64 `json:"codes,omitempty"`        // numeric codes of texts in feature fields; "?": missing
	NAValues    []string           `json:"na_values,omitempty"`    // texts that mean missing; nil: the empty text and "?", as in trees of schema_version 1
	Decimal     string             `json:"decimal,omitempty"`      // decimal mark of numbers; empty: a point
	NoHeader    bool               `json:"no_header,omitempty"`    // files have no header line: their columns are c1, c2 and so on
	Columns     []SourceColumn     `json:"columns"`
	Unlabelled  bool               `json:"drop_unlabelled,omitempty"` // rows without a class are left out
	Sheet       string             `json:"sheet,omitempty"`           // of workbooks; empty: the first one
	HeldOut     []int              `json:"held_out,omitempty"`        // lines of the training file that were held out for testing
	Groups      []GroupColumn      `json:"groups,omitempty"`          // group columns; features only if Columns contains them too
}

// MissingPolicy selects how to treat missing fields of feature columns. The zero value is
// DropMissing.
type MissingPolicy string

const (
	// DropMissing drops rows with a missing field.
	DropMissing MissingPolicy = "drop"
	// MissingMean imputes the mean of a numeric column, or the most frequent category
	// (the first of equally frequent ones). Means and frequencies are over the rows with
	// a value, weighted by the weight column.
	MissingMean MissingPolicy = "mean"
	// MissingCategory makes missing a separate category, "?". In a numeric column with
	// missing fields it imputes the mean and adds an indicator feature, "name=?".
	MissingCategory MissingPolicy = "category"
	// MissingRoute lets each split choose the side of missing fields. A numeric column with missing fields gives two features, in
	// which these are below all numbers or above them; in a categorical column they are a category. In a column that training had
	// complete they count as with MissingMean.
	MissingRoute MissingPolicy = "route"
)

func (m MissingPolicy) check() error {
	switch m {
	case "", DropMissing, MissingMean, MissingCategory, MissingRoute:
		return nil
	}
	return fmt.Errorf("missing values %q; want drop, mean, category or route", string(m))
}

func (m MissingPolicy) drops() bool { return m == "" || m == DropMissing }

// ColumnKind selects the encoding of a source column.
type ColumnKind string

const (
	// Numeric gives one feature, the value. With Indicator it gives a second one,
	// "name=?", which is 1 if the value is missing.
	Numeric ColumnKind = "numeric"
	// OneHot is one-hot encoding: one 0/1 feature "name=category" per category. Two
	// categories share the single feature "name=second", since the other is its
	// complement: one feature suffices for trees and keeps the features of linear splits
	// independent.
	OneHot ColumnKind = "onehot"
	// Ordinal is ordinal encoding: one feature, the index of the category.
	Ordinal ColumnKind = "ordinal"
	// Subsets gives one 0/1 feature "name in {a, b}" per set of categories up to complement; of more than 8 categories
	// per set of the last ones in Order.
	Subsets ColumnKind = "subsets"
)

// SourceColumn describes the encoding of a column of the raw file, other than the target
// and the weight.
type SourceColumn struct {
	Name           string     `json:"name"`
	Kind           ColumnKind `json:"kind"`
	Categories     []string   `json:"categories,omitempty"`      // of all kinds but Numeric: sorted; "?" stands for missing and is last
	Impute         *float64   `json:"impute,omitempty"`          // Numeric: value for a missing field
	ImputeCategory *string    `json:"impute_category,omitempty"` // of all kinds but Numeric: category for a missing field
	Order          []int      `json:"order,omitempty"`           // Subsets of more than 8 categories: these by their mean outcome in training
	Indicator      bool       `json:"indicator,omitempty"`       // Numeric: has the feature "name=?"
	Route          bool       `json:"route,omitempty"`           // Numeric: has the feature "name (missing last)"; Impute is -MaxAbs
	Date           *Date      `json:"date,omitempty"`            // Numeric: the fields are dates, encoded as days since the first date
	Written        *Written   `json:"written,omitempty"`         // Numeric: how the numbers are written; nil: as plain decimals
}

// GroupColumn identifies a group by its column name and the levels of the training file.
// Rows with other levels belong to no group.
type GroupColumn struct {
	Name   string   `json:"name"`
	Levels []string `json:"levels"`
}

// notation returns the notation of the fields in files.
func (e *Encoder) notation() *notation {
	if e.NAValues == nil {
		return newNotation(legacyNAValues, e.Decimal)
	}
	return newNotation(e.NAValues, e.Decimal)
}

// Features returns the names of the encoder's features, in order.
func (e *Encoder) Features() []string {
	p := 0
	for i := range e.Columns {
		p += e.Columns[i].width()
	}
	names := make([]string, 0, p)
	for i := range e.Columns {
		names = e.Columns[i].appendFeatures(names)
	}
	return names
}

func (c *SourceColumn) appendFeatures(names []string) []string {
	if c.Kind == Subsets {
		for _, set := range c.sets() {
			names = append(names, c.setName(set))
		}
		if len(c.Categories) == 1 {
			names = append(names, c.setName(nil))
		}
		return names
	}
	if c.Kind != OneHot {
		names = append(names, c.Name)
		switch {
		case c.Indicator:
			names = append(names, c.Name+"="+missingCategory)
		case c.Route:
			names = append(names, c.Name+" (missing last)")
		}
		return names
	}
	categories := c.Categories
	if len(categories) == 2 {
		categories = categories[1:]
	}
	for _, category := range categories {
		names = append(names, c.Name+"="+category)
	}
	return names
}

// width returns the number of features of the column.
func (c *SourceColumn) width() int {
	switch {
	case c.Kind == Subsets:
		return c.setCount()
	case c.Kind == OneHot && len(c.Categories) != 2:
		return len(c.Categories)
	case c.Indicator, c.Route:
		return 2
	}
	return 1
}

// putCategory writes the features of the category with the given index into dst, which
// must be zero. Index -1 is a category that training lacks: no feature of a one-hot
// column is 1, and an ordinal feature is -1.
func (c *SourceColumn) putCategory(dst []float64, category int) {
	switch {
	case c.Kind == Subsets:
		c.putSets(dst, category)
	case c.Kind == Ordinal:
		dst[0] = float64(category)
	case category < 0:
	case len(c.Categories) == 2:
		dst[0] = float64(category)
	default:
		dst[category] = 1
	}
}

// putMissing writes the features of a missing field of a numeric column with imputation.
func (c *SourceColumn) putMissing(dst []float64) {
	dst[0] = *c.Impute
	switch {
	case c.Indicator:
		dst[1] = 1
	case c.Route:
		dst[1] = MaxAbs
	}
}

// MostRouted is what larger numbers count as in columns whose splits choose the side of missing fields: thresholds beyond it
// part these from all numbers.
const MostRouted = MaxAbs / 4

// putNumber writes the features of a number.
func (c *SourceColumn) putNumber(dst []float64, v float64) {
	if c.Route {
		v = max(-MostRouted, min(v, MostRouted))
		dst[1] = v
	}
	dst[0] = v
}

// Validate returns an error for the first invalid part of e.
func (e *Encoder) Validate() error {
	if len(e.Classes) == 0 {
		return fmt.Errorf("encoder: no classes")
	}
	if name, ok := firstRepeated(e.Classes); ok {
		return fmt.Errorf("encoder: two classes are named %q", name)
	}
	if !(e.Quantile >= 0 && e.Quantile < 1) || e.Quantile > 0 && !e.Regression {
		return fmt.Errorf("encoder: quantile %v; want a number between 0 and 1, of a regression", e.Quantile)
	}
	if e.ClassWeight != nil && len(e.ClassWeight) != len(e.Classes) {
		return fmt.Errorf("encoder: %d class weights for %d classes", len(e.ClassWeight), len(e.Classes))
	}
	if e.CostMatrix != nil && len(e.CostMatrix) != len(e.Classes) {
		return fmt.Errorf("encoder: a cost matrix of %d rows for %d classes", len(e.CostMatrix), len(e.Classes))
	}
	for y, row := range e.CostMatrix {
		if len(row) != len(e.Classes) {
			return fmt.Errorf("encoder: %d costs where %q is true; want one for each of %d classes", len(row), e.Classes[y], len(e.Classes))
		}
		for k, c := range row {
			if !(c >= 0) || math.IsInf(c, 1) {
				return fmt.Errorf("encoder: predicting %q where %q is true costs %v; want a finite number of at least 0", e.Classes[k], e.Classes[y], c)
			}
		}
	}
	if e.Rewards && (e.Target != "" || e.ClassWeight != nil || e.CostMatrix != nil) {
		return fmt.Errorf("encoder: a target, class weights or costs in addition to rewards")
	}
	for k, w := range e.ClassWeight {
		if !isWeight(w) {
			return fmt.Errorf("encoder: class weight %v of %q; want a positive finite number", w, e.Classes[k])
		}
	}
	if err := e.Missing.check(); err != nil {
		return fmt.Errorf("encoder: %w", err)
	}
	if err := checkDecimal(e.Decimal); err != nil {
		return fmt.Errorf("encoder: %w", err)
	}
	for text, v := range e.Codes {
		if !(math.Abs(v) <= MaxAbs) {
			return fmt.Errorf("encoder: code %v of %q is not a finite number", v, text)
		}
	}
	names := e.answers()
	if e.Weight != "" {
		names = append(names, e.Weight)
	}
	for i := range e.Columns {
		if err := e.Columns[i].validate(); err != nil {
			return err
		}
		names = append(names, e.Columns[i].Name)
	}
	if slices.Contains(names, "") {
		return fmt.Errorf("encoder: a column or the target has no name")
	}
	if name, ok := firstRepeated(names); ok {
		return fmt.Errorf("encoder: two columns are named %q", name)
	}
	if name, ok := firstRepeated(e.Features()); ok {
		return fmt.Errorf("encoder: two features are named %q", name)
	}
	return e.validateGroups()
}

// answers returns the names of the target column or of the reward columns.
func (e *Encoder) answers() []string {
	if e.Rewards {
		return slices.Clone(e.Classes)
	}
	return []string{e.Target}
}

func (c *SourceColumn) validate() error {
	if c.Kind == Numeric {
		switch {
		case c.Impute != nil && !(math.Abs(*c.Impute) <= MaxAbs):
			return fmt.Errorf("encoder: column %q: impute value %v is not a finite number", c.Name, *c.Impute)
		case c.Route && (c.Indicator || c.Impute == nil || *c.Impute != -MaxAbs):
			return fmt.Errorf("encoder: column %q: missing fields that splits route count as %g", c.Name, -float64(MaxAbs))
		case c.Indicator && c.Impute == nil:
			return fmt.Errorf("encoder: column %q: an indicator needs an impute value", c.Name)
		case c.Categories != nil || c.ImputeCategory != nil:
			return fmt.Errorf("encoder: column %q: a numeric column has no categories", c.Name)
		case c.Written != nil && c.Date != nil:
			return fmt.Errorf("encoder: column %q: dates are not written as numbers", c.Name)
		case c.Written != nil && c.Written.Decimal != "." && c.Written.Decimal != ",":
			return fmt.Errorf("encoder: column %q: decimal mark %q; want a point or a comma", c.Name, c.Written.Decimal)
		}
		if c.Date != nil {
			if _, err := c.Date.reader(); err != nil {
				return fmt.Errorf("encoder: column %q: %w", c.Name, err)
			}
		}
		return nil
	}
	if c.Kind != OneHot && c.Kind != Ordinal && c.Kind != Subsets {
		return fmt.Errorf("encoder: column %q: unknown kind %q; want numeric, onehot, ordinal or subsets", c.Name, c.Kind)
	}
	if err := c.validateOrder(); err != nil {
		return err
	}
	if len(c.Categories) == 0 {
		return fmt.Errorf("encoder: column %q has no categories", c.Name)
	}
	if name, ok := firstRepeated(c.Categories); ok {
		return fmt.Errorf("encoder: column %q has the category %q twice", c.Name, name)
	}
	if c.ImputeCategory != nil && !slices.Contains(c.Categories, *c.ImputeCategory) {
		return fmt.Errorf("encoder: column %q: impute category %q is not one of its categories", c.Name, *c.ImputeCategory)
	}
	if c.Impute != nil || c.Indicator || c.Route || c.Date != nil || c.Written != nil {
		return fmt.Errorf("encoder: column %q: impute, indicator, route, date and written belong to numeric columns", c.Name)
	}
	return nil
}

// validateOrder checks the order of the categories of sets.
func (c *SourceColumn) validateOrder() error {
	n := len(c.Categories)
	if (c.Order != nil) != (c.Kind == Subsets && n > mostSubsets) {
		return fmt.Errorf("encoder: column %q: an order is for subsets of more than %d categories", c.Name, mostSubsets)
	}
	if c.Order == nil {
		return nil
	}
	sorted := slices.Sorted(slices.Values(c.Order))
	for k := range n {
		if len(sorted) != n || sorted[k] != k {
			return fmt.Errorf("encoder: column %q: the order has to name each of %d categories once", c.Name, n)
		}
	}
	return nil
}

func (e *Encoder) validateGroups() error {
	names := e.answers()
	if e.Weight != "" {
		names = append(names, e.Weight)
	}
	for _, g := range e.Groups {
		names = append(names, g.Name)
		if name, ok := firstRepeated(g.Levels); ok {
			return fmt.Errorf("encoder: group %q has the level %q twice", g.Name, name)
		}
	}
	if slices.Contains(names, "") {
		return fmt.Errorf("encoder: a group has no name")
	}
	if name, ok := firstRepeated(names); ok {
		return fmt.Errorf("encoder: two groups are named %q, or a group is the target or the weight", name)
	}
	return nil
}

func isWeight(w float64) bool { return w > 0 && !math.IsInf(w, 0) }

// Sources returns, for each feature (p), the index of its source column in Columns.
func (e *Encoder) Sources() []int {
	var of []int
	for i := range e.Columns {
		for range e.Columns[i].width() {
			of = append(of, i)
		}
	}
	return of
}

// Meaning relates a feature to the source file.
type Meaning struct {
	Column *SourceColumn // source column of the feature, shared with the encoder
	// Category is the index in Column.Categories of the category whose 0/1 feature this
	// is, or -1 for other features (Numeric and Ordinal columns).
	Category int
	// Missing marks the 0/1 feature that indicates a missing field.
	Missing bool
	// Set lists the categories, ascending, whose 0/1 feature this is in columns of Subsets; nil for other features.
	Set []int
	// Last marks the feature of a column that splits route in which missing fields are above all numbers.
	Last bool
}

// Meanings returns the meanings of the encoder's features, in the order of Features.
func (e *Encoder) Meanings() []Meaning {
	var m []Meaning
	for i := range e.Columns {
		m = e.Columns[i].appendMeanings(m)
	}
	return m
}

// appendMeanings matches appendFeatures, feature by feature.
func (c *SourceColumn) appendMeanings(m []Meaning) []Meaning {
	if c.Kind == Subsets {
		for _, set := range c.sets() {
			m = append(m, Meaning{Column: c, Category: -1, Set: set})
		}
		if len(c.Categories) == 1 {
			m = append(m, Meaning{Column: c, Category: -1, Set: []int{}})
		}
		return m
	}
	if c.Kind != OneHot {
		m = append(m, Meaning{Column: c, Category: -1})
		if c.Indicator {
			m = append(m, Meaning{Column: c, Category: -1, Missing: true})
		}
		if c.Route {
			m = append(m, Meaning{Column: c, Category: -1, Last: true})
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
