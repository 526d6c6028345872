package page

import (
	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// pageData is what the script knows of a tree: only the columns that its splits use.
type pageData struct {
	Columns []pageColumn       `json:"columns"`
	Codes   map[string]float64 `json:"codes,omitempty"`   // numbers in place of texts
	Decimal string             `json:"decimal,omitempty"` // decimal mark, where it is no point
	Nodes   []pageNode         `json:"nodes"`
}

// pageColumn is a source column.
type pageColumn struct {
	Name       string   `json:"name"`
	Categories []string `json:"categories,omitempty"` // nil: a number
	// Missing is what stands for a missing field: a number or the index of a category;
	// nil where rows with such a field have no prediction.
	Missing *float64 `json:"missing,omitempty"`
	First   string   `json:"first,omitempty"` // of a date, whose number is the days since: YYYY-MM-DD
}

// pageNode is a branch node, or {} for a leaf.
type pageNode struct {
	Terms     [][]float64 `json:"terms,omitempty"`
	Threshold *float64    `json:"threshold,omitempty"`
	To        []int       `json:"to,omitempty"`   // left child, right child
	Says      []string    `json:"says,omitempty"` // the condition of either
}

// A term is [column, weight] of a number or of a category's index,
// [column, weight, category] of what is 1 for that category,
// [column, weight, whereMissing] of what is 1 where the field is missing.
const whereMissing = -1

// scriptData lists the columns in the order in which splits use them.
func scriptData(t *tree.Tree, f tree.Format) *pageData {
	d := &pageData{Columns: []pageColumn{}}
	var meanings []dataset.Meaning
	if t.Encoder != nil {
		meanings, d.Codes, d.Decimal = t.Encoder.Meanings(), t.Encoder.Codes, t.Encoder.Decimal
	}
	at := make(map[string]int) // columns by name
	column := func(c pageColumn) float64 {
		i, ok := at[c.Name]
		if !ok {
			i = len(d.Columns)
			at[c.Name] = i
			d.Columns = append(d.Columns, c)
		}
		return float64(i)
	}
	term := func(t *tree.Tree, x tree.Term) []float64 {
		if meanings == nil {
			return []float64{column(pageColumn{Name: t.Features[x.Feature]}), x.Weight}
		}
		m := meanings[x.Feature]
		term := []float64{column(columnOf(m.Column, d.Codes)), x.Weight}
		switch {
		case m.Category >= 0:
			return append(term, float64(m.Category))
		case m.Missing:
			return append(term, whereMissing)
		}
		return term
	}
	for i, c := range t.Conditions(f) {
		n := &t.Nodes[i]
		if n.Leaf() {
			d.Nodes = append(d.Nodes, pageNode{})
			continue
		}
		p := pageNode{Threshold: &n.Split.Threshold, To: []int{n.Left, n.Right}, Says: []string{c.Text, c.Else}}
		if c.Yes != n.Left {
			p.Says = []string{c.Else, c.Text}
		}
		for _, x := range n.Split.Terms {
			p.Terms = append(p.Terms, term(t, x))
		}
		d.Nodes = append(d.Nodes, p)
	}
	return d
}

// columnOf says what a field of a column may be.
func columnOf(c *dataset.SourceColumn, codes map[string]float64) pageColumn {
	p := pageColumn{Name: c.Name, Categories: c.Categories, Missing: c.Impute}
	if v, ok := codes["?"]; ok && c.Kind == dataset.Numeric {
		p.Missing = &v
	}
	if c.Date != nil {
		p.First = c.Date.First
	}
	for i, name := range c.Categories {
		if c.ImputeCategory != nil && *c.ImputeCategory == name || c.ImputeCategory == nil && c.IsMissing(i) {
			index := float64(i)
			p.Missing = &index
		}
	}
	return p
}
