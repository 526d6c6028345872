package score

import "slices"

// MatrixClasses is the largest number of classes whose confusion matrix is written in
// full: 250,000 numbers. Beyond it the entries that are not 0 are listed, of which there
// are no more than rows.
const MatrixClasses = 500

// Confusion is a confusion matrix: source rows by true and predicted class. It has Counts,
// or Cells for more than MatrixClasses classes.
type Confusion struct {
	Classes []string    `json:"classes"`          // (K)
	Counts  [][]float64 `json:"counts,omitempty"` // (K, K) source rows, true by predicted
	Cells   []Cell      `json:"cells,omitempty"`  // the entries that are not 0, by true and then by predicted class
}

// Cell is an entry of a confusion matrix. True and Predicted are indices of Classes.
type Cell struct {
	True      int     `json:"true"`
	Predicted int     `json:"predicted"`
	Rows      float64 `json:"rows"`
}

// Margin has the sums of a confusion matrix for one class.
type Margin struct {
	Rows, Predicted, Right float64 // rows of the class, rows predicted as it, rows that are both
}

// Margins returns the sums for each class. (K)
func (c *Confusion) Margins() []Margin {
	m := make([]Margin, len(c.Classes))
	add := func(y, k int, rows float64) {
		m[y].Rows += rows
		m[k].Predicted += rows
		if y == k {
			m[k].Right += rows
		}
	}
	for y, row := range c.Counts {
		for k, rows := range row {
			add(y, k, rows)
		}
	}
	for _, cell := range c.Cells {
		add(cell.True, cell.Predicted, cell.Rows)
	}
	return m
}

// table has sums by true and predicted class, without the columns of classes that no leaf
// predicts.
type table struct {
	predicted []int       // classes of the columns, ascending
	of        [][]float64 // (K, columns)
}

// byPrediction adds up the rows or weights of leaves that predict the same class.
func (c *tally) byPrediction(of [][]float64) *table {
	t := &table{of: make([][]float64, len(c.tree.Classes))}
	for i := range of {
		if of[i] != nil {
			t.predicted = append(t.predicted, c.tree.Nodes[i].Class)
		}
	}
	slices.Sort(t.predicted)
	t.predicted = slices.Compact(t.predicted)
	for y := range t.of {
		t.of[y] = make([]float64, len(t.predicted))
	}
	for i, leaf := range of {
		column, _ := slices.BinarySearch(t.predicted, c.tree.Nodes[i].Class)
		for y, v := range leaf {
			t.of[y][column] += v
		}
	}
	return t
}

// margins returns the sums for each class. (K)
func (t *table) margins() []Margin {
	m := make([]Margin, len(t.of))
	for y, row := range t.of {
		m[y].Rows = add(row)
		for column, k := range t.predicted {
			m[k].Predicted += row[column]
			if k == y {
				m[k].Right = row[column]
			}
		}
	}
	return m
}

// confusion returns the matrix of a table of rows.
func (t *table) confusion(classes []string) *Confusion {
	c := &Confusion{Classes: classes}
	if len(classes) > MatrixClasses {
		for y, row := range t.of {
			for column, rows := range row {
				if rows > 0 {
					c.Cells = append(c.Cells, Cell{y, t.predicted[column], rows})
				}
			}
		}
		return c
	}
	c.Counts = make([][]float64, len(classes))
	for y, row := range t.of {
		c.Counts[y] = make([]float64, len(classes))
		for column, rows := range row {
			c.Counts[y][t.predicted[column]] = rows
		}
	}
	return c
}
