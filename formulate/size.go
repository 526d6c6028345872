package formulate

// Size is the size of a model, known in closed form before it is built.
type Size struct {
	Rows, Cols, Binaries, Nonzeros int64
}

func (s *Size) add(o Size) {
	s.Rows += o.Rows
	s.Cols += o.Cols
	s.Binaries += o.Binaries
	s.Nonzeros += o.Nonzeros
}

// times returns s n times.
func (s Size) times(n int) Size {
	m := int64(n)
	return Size{m * s.Rows, m * s.Cols, m * s.Binaries, m * s.Nonzeros}
}
