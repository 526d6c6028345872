package problem

import "fmt"

// Respecified is a problem that can be had again from the spec of one of its models.
type Respecified interface {
	Problem
	// FromSpec returns the problem of a model of data with these classes.
	FromSpec(s Spec, classes []string) (Problem, error)
}

// Problem returns the problem that s describes, for data with these classes.
func (s Spec) Problem(classes []string) (Problem, error) {
	m, err := Lookup(s.Form)
	if err != nil {
		return nil, fmt.Errorf("no formulation %q", s.Form)
	}
	p, ok := m.(Respecified)
	if !ok {
		return nil, fmt.Errorf("no formulation %q", s.Form)
	}
	return p.FromSpec(s, classes)
}
