package problem

// Register adds a method of a test to the table.
func Register(make func() Method) { registry = append(registry, make) }
