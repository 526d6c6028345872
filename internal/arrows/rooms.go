package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
)

// room is a package.
type room struct {
	path   string // below the module
	files  []*file
	arrows map[arrow][]string // what is named, sorted
}

// file is a file of a room.
type file struct {
	name     string
	code     int            // lines that hold a token
	literals map[string]int // string literals, by value
}

// arrow runs between files of a room, by their indices.
type arrow struct{ from, to int }

// code is the number of lines of code of the room.
func (r *room) code() int {
	n := 0
	for _, f := range r.files {
		n += f.code
	}
	return n
}

// listed is what `go list -json` says of a package.
type listed struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	Export     string // file of what it exports
	Standard   bool
	Module     *struct {
		Path string
		Main bool
	}
}

// load reads the packages of the module in dir.
func load(dir string) ([]*room, error) {
	cmd := exec.Command("go", "list", "-tags", "nohighs", "-deps", "-export", "-json=ImportPath,Dir,GoFiles,Export,Standard,Module", "./...")
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	exports := make(map[string]string)
	var own []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		exports[p.ImportPath] = p.Export
		if p.Module != nil && p.Module.Main && len(p.GoFiles) > 0 {
			own = append(own, p)
		}
	}
	fset := token.NewFileSet()
	from := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})
	var rooms []*room
	for _, p := range own {
		r, err := read(fset, from, p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.ImportPath, err)
		}
		rooms = append(rooms, r)
	}
	slices.SortFunc(rooms, func(a, b *room) int { return compare(a.path, b.path) })
	return rooms, nil
}

func compare(a, b string) int { return bytes.Compare([]byte(a), []byte(b)) }

// read parses and checks a package and draws its arrows.
func read(fset *token.FileSet, from types.Importer, p listed) (*room, error) {
	r := &room{path: p.ImportPath[min(len(p.Module.Path)+1, len(p.ImportPath)):]}
	var parsed []*ast.File
	for _, name := range p.GoFiles {
		text, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return nil, err
		}
		syntax, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, syntax)
		r.files = append(r.files, &file{name: name, code: codeLines(text), literals: literals(syntax)})
	}
	info := &types.Info{Uses: make(map[*ast.Ident]types.Object)}
	config := types.Config{Importer: from}
	pkg, err := config.Check(p.ImportPath, fset, parsed, info)
	if err != nil {
		return nil, err
	}
	r.draw(fset, pkg, info)
	return r, nil
}

// draw finds the arrows: uses of what another file of the package declares, be it
// a function, a type, a method, a field, a variable or a constant.
func (r *room) draw(fset *token.FileSet, pkg *types.Package, info *types.Info) {
	index := make(map[string]int)
	for i, f := range r.files {
		index[f.name] = i
	}
	in := func(pos token.Pos) int { return index[filepath.Base(fset.Position(pos).Filename)] }
	r.arrows = make(map[arrow][]string)
	for ident, object := range info.Uses {
		if object.Pkg() != pkg || !object.Pos().IsValid() {
			continue
		}
		a := arrow{in(ident.Pos()), in(object.Pos())}
		if a.from != a.to && !slices.Contains(r.arrows[a], object.Name()) {
			r.arrows[a] = append(r.arrows[a], object.Name())
		}
	}
	for _, names := range r.arrows {
		slices.Sort(names)
	}
}

// literals counts the string literals of a file.
func literals(f *ast.File) map[string]int {
	all := make(map[string]int)
	ast.Inspect(f, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if s, err := strconv.Unquote(lit.Value); err == nil {
				all[s]++
			}
		}
		return true
	})
	return all
}

// codeLines counts the lines that hold a token, comments aside. A text over
// several lines counts with all of them.
func codeLines(text []byte) int {
	fset := token.NewFileSet()
	f := fset.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(f, text, nil, 0)
	lines := make(map[int]bool)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return len(lines)
		}
		if tok == token.SEMICOLON && lit == "\n" { // which the scanner adds
			continue
		}
		first := f.Line(pos)
		for i := range 1 + bytes.Count([]byte(lit), []byte("\n")) {
			lines[first+i] = true
		}
	}
}

// backward returns the arrows that run back up: of all ways to put the files of the
// room one above the other, one is taken that leaves few arrows from a lower file
// to a higher one. None are left where the files can be put in order, that is where
// no arrows make a circle; else their number is that of a local optimum, and the
// least number may be a little smaller.
func (r *room) backward() []arrow {
	var all []arrow
	for a := range r.arrows {
		all = append(all, a)
	}
	sortArrows(all)
	height := heights(order(len(r.files), all))
	return slices.DeleteFunc(all, func(a arrow) bool { return height[a.from] > height[a.to] })
}

func sortArrows(all []arrow) {
	slices.SortFunc(all, func(a, b arrow) int {
		if a.from != b.from {
			return a.from - b.from
		}
		return a.to - b.to
	})
}

// heights is the place of each file in an order, from the ground.
func heights(order []int) []int {
	height := make([]int, len(order))
	for i, f := range order {
		height[f] = i
	}
	return height
}

// order puts n files one above the other, from the ground. It begins with a walk
// along the arrows that puts a file above all that it leads to, which leaves no
// arrow upward where there are no circles; then it moves one file at a time to
// where it leaves the fewest arrows upward, until that helps no more.
func order(n int, arrows []arrow) []int {
	up := make([][]int, n) // up[a][b]: 1 where there is an arrow from a to b
	for i := range up {
		up[i] = make([]int, n)
	}
	for _, a := range arrows {
		up[a.from][a.to] = 1
	}
	files := walk(n, up)
	for moved := true; moved; {
		moved = false
		for f := range n {
			moved = improve(files, f, up) || moved
		}
	}
	return files
}

// walk lists the files depth first, each after those that it leads to.
func walk(n int, up [][]int) []int {
	var files []int
	seen := make([]bool, n)
	var visit func(f int)
	visit = func(f int) {
		if seen[f] {
			return
		}
		seen[f] = true
		for to := range n {
			if up[f][to] != 0 {
				visit(to)
			}
		}
		files = append(files, f)
	}
	for f := range n {
		visit(f)
	}
	return files
}

// improve moves a file to its best place and says whether that is a better one.
func improve(files []int, f int, up [][]int) bool {
	at := slices.Index(files, f)
	best, place := 0, at
	for _, step := range []int{-1, 1} {
		gain := 0
		for i := at + step; i >= 0 && i < len(files); i += step {
			// f passes files[i]: arrows between the two turn around.
			o := files[i]
			gain += step * (up[f][o] - up[o][f])
			if gain > best {
				best, place = gain, i
			}
		}
	}
	if best == 0 {
		return false
	}
	if place < at {
		copy(files[place+1:at+1], files[place:at])
	} else {
		copy(files[at:place], files[at+1:place+1])
	}
	files[place] = f
	return true
}
