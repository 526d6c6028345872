// Command arrows measures the inside of octgen's rooms: a room is a folder with a
// Go package, and an arrow runs from a file of it to another one that declares
// something the first one names. It prints a table with a line per room:
//
//	files  Go files, tests aside
//	code   their lines that hold more than comments
//	arrows from file to file
//	back   of them, those that run back up: see order
//
// and below it where the names of methods stand as string literals.
//
//	go run ./internal/arrows [-C DIR] [-v]
//
// It reads the packages as they are built without HiGHS, so that it needs nothing
// but Go.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/octgen/octgen/fit/problem"
)

func main() {
	dir := flag.String("C", ".", "folder of the module")
	verbose := flag.Bool("v", false, "name the arrows that run back, and the files that name a method")
	flag.Parse()
	rooms, err := load(*dir)
	if err == nil {
		err = table(os.Stdout, rooms, *verbose)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "arrows:", err)
		os.Exit(1)
	}
}

// table writes both tables.
func table(w io.Writer, rooms []*room, verbose bool) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "room\tfiles\tcode\tarrows\tback\t")
	var files, code, arrows, back int
	for _, r := range rooms {
		ups := r.backward()
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t\n", r.path, len(r.files), r.code(), len(r.arrows), len(ups))
		files, code, arrows, back = files+len(r.files), code+r.code(), arrows+len(r.arrows), back+len(ups)
	}
	fmt.Fprintf(t, "all\t%d\t%d\t%d\t%d\t\n", files, code, arrows, back)
	if err := t.Flush(); err != nil {
		return err
	}
	if verbose {
		for _, r := range rooms {
			for _, a := range r.backward() {
				fmt.Fprintf(w, "%s: %s -> %s: %s\n", r.path, r.files[a.from].name, r.files[a.to].name, strings.Join(r.arrows[a], ", "))
			}
		}
	}
	return printNames(w, rooms, verbose)
}

// printNames writes where methods are named.
func printNames(w io.Writer, rooms []*room, verbose bool) error {
	names := problem.Names()
	literals, places := 0, make(map[string]bool)
	byName := make(map[string][]string)
	for _, r := range rooms {
		for _, f := range r.files {
			for _, name := range names {
				if n := f.literals[name]; n > 0 {
					path := r.path + "/" + f.name
					literals, places[path] = literals+n, true
					byName[name] = append(byName[name], fmt.Sprintf("%s (%d)", path, n))
				}
			}
		}
	}
	fmt.Fprintf(w, "\n%d methods stand as %d string literals in %d files\n", len(names), literals, len(places))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, name := range names {
		fmt.Fprintf(t, "%s\t%d files", name, len(byName[name]))
		if verbose {
			fmt.Fprint(t, "\t", strings.Join(byName[name], ", "))
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}
