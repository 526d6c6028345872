// Command recorded compares two builds of octgen by what they print. It draws random
// command lines over the examples, has a build run them, and keeps standard output,
// errors, exit codes and written files:
//
//	go run ./internal/recorded record -bin bin/octgen -out DIR [-cases 500] [-seed 1]
//	go run ./internal/recorded compare DIR DIR
//
// The same seed draws the same cases. A comparison leaves out times, memory and versions.
// Cases that ended on time must have the same keys and statuses; all others must be equal
// byte for byte. The exit code of compare is 1 where a case differs.
//
// A large change of the code that is to keep the behaviour is proved so: record with the
// build before it, record with the build after it, compare.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "recorded:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 3 && args[0] == "compare" {
		return compare(args[1], args[2], os.Stdout)
	}
	f := flag.NewFlagSet("record", flag.ContinueOnError)
	bin := f.String("bin", "bin/octgen", "the build")
	out := f.String("out", "", "folder of the records")
	data := f.String("data", "examples", "folder of the examples")
	cases := f.Int("cases", 500, "number of cases")
	seed := f.Uint64("seed", 1, "of the draws")
	only := f.Int("case", -1, "this one only, printed as well")
	if len(args) == 0 || args[0] != "record" {
		return fmt.Errorf("want record or compare DIR DIR")
	}
	if err := f.Parse(args[1:]); err != nil {
		return err
	}
	if *out == "" {
		return fmt.Errorf("want -out DIR")
	}
	return record(*bin, *out, *data, *seed, *cases, *only)
}
