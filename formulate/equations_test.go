package formulate_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/internal/datatest"
)

var update = flag.Bool("update", false, "rewrite docs/tables/equations.md")

// equation is one of testdata/equations.txt.
type equation struct{ paper, number, what, missing string }

// papersOf says whose equations the comments of a file cite by number alone.
var papersOf = []struct{ file, paper, text string }{
	{`^formulate/(oct/(bigm|formulation)|ort/model|internal/leaves/\w+|internal/grid/\w+)\.go$`, "Bertsimas & Dunn 2017", ""},
	{`^(formulate/linear/\w+|heuristics/vertex/(rlp|msmt))\.go$`, "Bennett 1992", "bennett-1992-msmt.txt"},
	{`^(formulate/gto/\w+|heuristics/vertex/(epts|frankwolfe|point|gtoerror|arrangement|start))\.go$`, "Bennett & Blue 1996", "bennett-blue-1996-gto-epts.txt"},
	{`^(formulate/linear/\w+|heuristics/vertex/(rlp|featuremin|limited))\.go$`, "Bredensteiner & Bennett 1996", "bredensteiner-bennett-1996-feature-minimization.txt"},
	{`^heuristics/oc1/\w+\.go$`, "Murthy, Kasif, Salzberg & Beigel 1993", "murthy-et-al-1993-oc1.txt"},
}

// TestEquations: every numbered equation of the papers is cited in the comment of some function or
// type, or the list says why none has it. The table is docs/tables/equations.md; -update writes it.
func TestEquations(t *testing.T) {
	list := equations(t)
	cited := citations(t)
	var b strings.Builder
	b.WriteString("# Equations of the papers in the code\n\nMade by `go test ./formulate -run TestEquations -update` from the comments and\nthe list `formulate/testdata/equations.txt`.\n")
	paper := ""
	for _, e := range list {
		if e.paper != paper {
			paper = e.paper
			fmt.Fprintf(&b, "\n## %s\n\n| equation | what | where |\n|---|---|---|\n", paper)
		}
		where := cited[e.paper+" "+e.number]
		switch {
		case len(where) == 0 && e.missing == "":
			t.Errorf("%s, (%s), %s: no comment cites it, and the list gives no reason", e.paper, e.number, e.what)
		case len(where) > 0:
			fmt.Fprintf(&b, "| (%s) | %s | `%s` |\n", e.number, e.what, strings.Join(where, "`, `"))
		default:
			fmt.Fprintf(&b, "| (%s) | %s | %s |\n", e.number, e.what, e.missing)
		}
	}
	page := filepath.Join("..", "docs", "tables", "equations.md")
	if *update {
		if err := os.WriteFile(page, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), b.String()); d != "" {
		t.Errorf("%s is not up to date (-update): %s", page, d)
	}
}

// TestEquationList: the list has every number that the papers' texts print; that of Bertsimas & Dunn
// has no marks to find them by.
func TestEquationList(t *testing.T) {
	folder := filepath.Join(datatest.Dir(t), "..", "papers")
	if _, err := os.Stat(folder); err != nil {
		t.Skipf("the papers are not in %s", folder)
	}
	known := make(map[string]bool)
	for _, e := range equations(t) {
		known[e.paper+" "+e.number] = true
	}
	printed := regexp.MustCompile(`\\tag\{([\d.]+)\}|\\quad \(([\d.]+)\)|^\$\$\(([\d.]+)\)`)
	for _, p := range papersOf {
		if p.text == "" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, p.text))
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, line := range strings.Split(string(text), "\n") {
			for _, m := range printed.FindAllStringSubmatch(line, -1) {
				found++
				if number := m[1] + m[2] + m[3]; !known[p.paper+" "+number] {
					t.Errorf("%s prints (%s), which the list does not have", p.text, number)
				}
			}
		}
		if found == 0 {
			t.Errorf("no number in %s", p.text)
		}
	}
}

func equations(t *testing.T) (list []equation) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "equations.txt"))
	if err != nil {
		t.Fatal(err)
	}
	paper := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		fields := strings.Split(line, "\t")
		switch {
		case line == "" || line[0] == '#':
		case len(fields) == 1:
			paper = line
		default:
			e := equation{paper: paper, number: fields[0], what: fields[1]}
			if len(fields) > 2 {
				e.missing = fields[2]
			}
			list = append(list, e)
		}
	}
	return list
}

// citations lists, for a paper and a number, the functions and types whose comments cite it.
func citations(t *testing.T) map[string][]string {
	t.Helper()
	cited := make(map[string][]string)
	root := ".."
	for _, folder := range []string{"formulate", "heuristics"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			file = filepath.ToSlash(file)
			for _, p := range papersOf {
				if regexp.MustCompile(p.file).MatchString(file) {
					cite(t, path, p.paper, cited)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for key := range cited {
		slices.Sort(cited[key])
		cited[key] = slices.Compact(cited[key])
	}
	return cited
}

var number = regexp.MustCompile(`(?:^|[^\w)])\((\d\.\d\.\d|\d{1,2})\)`)

// cite adds the citations of one file.
func cite(t *testing.T, path, paper string, cited map[string][]string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	for _, decl := range parsed.Decls {
		name, from := declared(decl)
		if name == "" {
			continue
		}
		for _, c := range parsed.Comments {
			if c.Pos() < from || c.End() > decl.End() {
				continue
			}
			for _, m := range number.FindAllStringSubmatch(c.Text(), -1) {
				if strings.Contains(m[1], ".") == (paper == "Bennett 1992") {
					key := paper + " " + m[1]
					cited[key] = append(cited[key], parsed.Name.Name+"."+name)
				}
			}
		}
	}
}

// declared returns the name of a function, method, type or value, and where its comment begins.
func declared(decl ast.Decl) (name string, from token.Pos) {
	from = decl.Pos()
	switch d := decl.(type) {
	case *ast.FuncDecl:
		name = d.Name.Name
		if d.Recv != nil {
			receiver := d.Recv.List[0].Type
			if star, ok := receiver.(*ast.StarExpr); ok {
				receiver = star.X
			}
			if id, ok := receiver.(*ast.Ident); ok {
				name = id.Name + "." + name
			}
		}
		if d.Doc != nil {
			from = d.Doc.Pos()
		}
	case *ast.GenDecl:
		switch s := d.Specs[0].(type) {
		case *ast.TypeSpec:
			name = s.Name.Name
		case *ast.ValueSpec:
			name = s.Names[0].Name
		}
		if d.Doc != nil {
			from = d.Doc.Pos()
		}
	}
	return name, from
}
