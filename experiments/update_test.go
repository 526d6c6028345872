package experiments

// Update says whether golden files are to be rewritten, for the tests from outside.
func Update() bool { return *update }
