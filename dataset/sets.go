package dataset

import (
	"cmp"
	"slices"
)

// Features that are sets of categories.

// mostSubsets is the number of categories of which all subsets are features. A column of more has the sets that follow one another in
// the order of the mean outcome: for a single split with two classes or squared errors the best set is one of them (Fisher 1958; Breiman
// et al. 1984, section 4.2).
const mostSubsets = 8

// AsTheyAre reports whether a column has sets of categories as features, or splits route its missing fields.
func (e *Encoder) AsTheyAre() bool {
	return e.Routes() || slices.ContainsFunc(e.Columns, func(c SourceColumn) bool { return c.Kind == Subsets })
}

// Routes reports whether splits route the missing fields of a column.
func (e *Encoder) Routes() bool {
	return slices.ContainsFunc(e.Columns, func(c SourceColumn) bool { return c.Route })
}

// Prefixes lists the columns of which only the sets that follow one another in the order of the mean outcome are features.
func (e *Encoder) Prefixes() []string {
	var names []string
	for i := range e.Columns {
		if e.Columns[i].Order != nil {
			names = append(names, e.Columns[i].Name)
		}
	}
	return names
}

// sets returns the set of each feature: categories, ascending. Of a set and its complement one is a feature, that without the first
// category or, with Order, that of the larger outcomes.
func (c *SourceColumn) sets() [][]int {
	var all [][]int
	for k := 1; k < len(c.Order); k++ {
		set := slices.Clone(c.Order[k:])
		slices.Sort(set)
		all = append(all, set)
	}
	if c.Order != nil {
		return all
	}
	for mask := 1; mask < 1<<(len(c.Categories)-1); mask++ {
		var set []int
		for k := 1; k < len(c.Categories); k++ {
			if mask>>(k-1)&1 == 1 {
				set = append(set, k)
			}
		}
		all = append(all, set)
	}
	return all
}

// setCount is the number of features of sets, 1 for a column of one category, whose feature is 0.
func (c *SourceColumn) setCount() int {
	if c.Order != nil {
		return max(1, len(c.Order)-1)
	}
	return max(1, 1<<(len(c.Categories)-1)-1)
}

// putSets writes the features of a category, or none, into dst, which is zero.
func (c *SourceColumn) putSets(dst []float64, category int) {
	if category < 0 || len(c.Categories) < 2 {
		return
	}
	if c.Order != nil {
		for k := range slices.Index(c.Order, category) {
			dst[k] = 1
		}
		return
	}
	for mask := range dst {
		if category > 0 && (mask+1)>>(category-1)&1 == 1 {
			dst[mask] = 1
		}
	}
}

// setName is the name of the feature of a set.
func (c *SourceColumn) setName(set []int) string {
	name := c.Name + " in {"
	for i, k := range set {
		if i > 0 {
			name += ", "
		}
		name += c.Categories[k]
	}
	return name + "}"
}

// orderSets gives columns of many categories their order: by the mean number, the share of the last class (of the heaviest one of
// more than two), or the mean reward of the last action; of equal ones by name.
func (raw *table) orderSets(d *Dataset, recode [][]int32) {
	for j := range d.Encoder.Columns {
		c := &d.Encoder.Columns[j]
		if c.Kind != Subsets || len(c.Categories) <= mostSubsets {
			continue
		}
		sum, weight := make([]float64, len(c.Categories)), make([]float64, len(c.Categories))
		class := d.K() - 1
		if d.Kind() == Errors && d.K() > 2 {
			weights := d.ClassWeights()
			class = slices.Index(weights, slices.Max(weights))
		}
		for i, code := range raw.columns[j].codes {
			k := recode[j][code+1]
			if k < 0 {
				continue
			}
			w := d.Weight[i]
			weight[k] += w
			sum[k] += w * d.outcome(i, class)
		}
		c.Order = make([]int, len(c.Categories))
		for k := range c.Order {
			c.Order[k] = k
			if weight[k] > 0 {
				sum[k] /= weight[k]
			}
		}
		slices.SortStableFunc(c.Order, func(a, b int) int { return cmp.Compare(sum[a], sum[b]) })
	}
}

// outcome is what categories are ordered by.
func (d *Dataset) outcome(i, class int) float64 {
	switch d.Kind() {
	case Numbers:
		return d.Target[i]
	case Rewards:
		return d.RewardsOf(i)[class]
	case Errors, Costs:
	}
	if d.Y[i] == class {
		return 1
	}
	return 0
}
