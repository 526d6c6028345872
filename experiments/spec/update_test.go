package spec

import "flag"

var update = flag.Bool("update", false, "rewrite the golden files")

// Update says whether golden files are to be rewritten, for the tests from outside.
func Update() bool { return *update }
