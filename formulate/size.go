package formulate

// Size is the size of a model, known in closed form before it is built.
type Size struct {
	Rows     int64 `json:"rows"`
	Cols     int64 `json:"columns"`
	Binaries int64 `json:"binaries"`
	Nonzeros int64 `json:"nonzeros"`
}

// Add adds o to s.
func (s *Size) Add(o Size) {
	s.Rows += o.Rows
	s.Cols += o.Cols
	s.Binaries += o.Binaries
	s.Nonzeros += o.Nonzeros
}

// Times returns s n times.
func (s Size) Times(n int) Size {
	m := int64(n)
	return Size{m * s.Rows, m * s.Cols, m * s.Binaries, m * s.Nonzeros}
}
