package report

import (
	"slices"
	"strings"

	"github.com/octgen/octgen/experiments/spec"
)

// ownTests says whether all data have test points of their own.
func (s *Summary) ownTests() bool {
	return !slices.ContainsFunc(s.Spec.Data, func(d spec.Data) bool { return !d.HasTest() })
}

// division names a split of a data as people speak of it: fold 3, repeat 2, fold 3.
func (s *Summary) division(data, split string) string {
	parts := strings.Split(split, ".")
	names := []string{"replicate", "repeat", "fold"}
	switch e := s.Spec.Evaluate; {
	case s.Spec.Data[slices.Index(s.Spec.DataNames(), data)].HasTest():
		names = names[:1]
	case e.Folds == 0:
		names = []string{"replicate", "division"}
	case e.Repeats <= 1 && len(parts) > 1: // the one repeat goes without saying
		parts = slices.Delete(parts, len(parts)-2, len(parts)-1)
		names = []string{"replicate", "fold"}
	}
	if len(parts) > len(names) {
		return split
	}
	names = names[len(names)-len(parts):]
	for i := range parts {
		parts[i] = names[i] + " " + parts[i]
	}
	return strings.Join(parts, ", ")
}

// divisions names what a data is divided into.
func (s *Summary) divisions() string {
	switch {
	case s.ownTests():
		return "replicates"
	case s.Spec.Evaluate.Folds > 0:
		return "folds"
	}
	return "divisions"
}
