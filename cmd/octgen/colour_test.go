package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"testing"
)

// TestPainter: lines are coloured by how they begin, however they come, and nothing is
// lost or changed otherwise.
func TestPainter(t *testing.T) {
	text := "|--- status      optimal\nstatus      optimal (treesearch)\nstatus      feasible\nwarning     x\n\ncheck       agree\ncheck       FAILED\nno end"
	want := "|--- status      optimal\n" + green + "status      optimal (treesearch)" + plain + "\n" +
		yellow + "status      feasible" + plain + "\n" + yellow + "warning     x" + plain + "\n\ncheck       agree\n" +
		red + "check       FAILED" + plain + "\nno end"
	for _, step := range []int{1, 7, len(text)} {
		var out bytes.Buffer
		p := &painter{w: &out}
		for rest := text; rest != ""; {
			n := min(step, len(rest))
			if k, err := p.Write([]byte(rest[:n])); k != n || err != nil {
				t.Fatalf("%d bytes of %d, %v", k, n, err)
			}
			rest = rest[n:]
		}
		if err := p.end(); err != nil || out.String() != want {
			t.Errorf("in steps of %d:\n%q\nwant\n%q (%v)", step, out.String(), want, err)
		}
	}
}

// TestNoColours: a pipe, a file and a buffer get none.
func TestNoColours(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	file, err := os.Create(t.TempDir() + "/out")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, to := range []io.Writer{w, file, new(bytes.Buffer)} {
		if takesColours(to) {
			t.Errorf("%T takes colours", to)
		}
	}
	data := "x,y,class\n1,1,a\n2,1,b\n1,2,b\n2,2,a\n"
	if code := run(context.Background(), []string{"fit", "-", "--depth", "2"}, strings.NewReader(data), file, w); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	w.Close()
	told, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	printed, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(printed, []byte("status      optimal")) || bytes.Contains(append(told, printed...), []byte("\x1b")) {
		t.Errorf("printed %q, told %q", printed, told)
	}
}
