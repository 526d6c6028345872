package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"time"
)

// asked is a worker as a program that asks it sees it.
type asked struct {
	t    *testing.T
	in   io.WriteCloser
	out  *bufio.Reader
	code chan int
	err  bytes.Buffer
}

// newAsked starts a worker and reads its greeting.
func newAsked(t *testing.T) *asked {
	t.Helper()
	fromUs, in := io.Pipe()
	out, toUs := io.Pipe()
	w := &asked{t: t, in: in, out: bufio.NewReader(out), code: make(chan int, 1)}
	go func() {
		w.code <- run(context.Background(), []string{"worker"}, fromUs, toUs, &w.err)
		_ = toUs.Close()
	}()
	t.Cleanup(func() { _ = in.Close() })
	var g workerGreeting
	w.read(&g)
	if g.Octgen != version || g.Protocol != workerProtocol {
		t.Fatalf("the greeting is %+v", g)
	}
	return w
}

func (w *asked) read(line any) {
	w.t.Helper()
	b, err := w.out.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(b, line)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// ask sends a request with the bytes that follow it.
func (w *asked) ask(r workerRequest, after ...any) {
	w.t.Helper()
	b, err := json.Marshal(r)
	if err != nil {
		w.t.Fatal(err)
	}
	sent := bytes.NewBuffer(append(b, '\n'))
	for _, v := range after {
		if err := binary.Write(sent, binary.LittleEndian, v); err != nil {
			w.t.Fatal(err)
		}
	}
	if _, err := w.in.Write(sent.Bytes()); err != nil {
		w.t.Fatal(err)
	}
}

// answer is the next answer with its output; what is told of progress is counted.
func (w *asked) answer() (a workerAnswer, stdout string, told int) {
	w.t.Helper()
	for {
		a = workerAnswer{}
		w.read(&a)
		if a.Progress != nil {
			told++
			continue
		}
		b := make([]byte, a.Stdout)
		if _, err := io.ReadFull(w.out, b); err != nil {
			w.t.Fatal(err)
		}
		return a, string(b), told
	}
}

// end ends the input and returns the exit code.
func (w *asked) end() int {
	_ = w.in.Close()
	return <-w.code
}

// oddTable is a request for a fit of a table whose class is whether the number is odd, which its texts tell.
func oddTable(id int64, args ...string) (r workerRequest, numbers []float64, texts, class []int32) {
	for i := range int32(20) {
		numbers, texts, class = append(numbers, float64(i)), append(texts, i%2), append(class, i%2)
	}
	return workerRequest{ID: id, Args: append([]string{"fit", "frame", "--json", "--quiet"}, args...), Table: &workerTable{Name: "frame", Rows: 20,
		Columns: []workerColumn{{Name: "number"}, {Name: "kind", Texts: []string{"even", "odd"}}, {Name: "class", Texts: []string{"e", "o"}}}}}, numbers, texts, class
}

// TestWorker: fits of tables in memory, one after the other, have the flags of each only, and trees go on to other
// commands.
func TestWorker(t *testing.T) {
	w := newAsked(t)
	var tree []byte
	for id, c := range []struct {
		args   []string
		code   int
		stderr string
		splits float64
	}{
		{args: []string{"--depth", "2", "--ignore", "kind"}, splits: 3},
		{args: []string{"--depth", "1"}, splits: 1},
		{args: []string{"--dept", "1"}, code: exitUsage, stderr: "octgen: unknown flag --dept; did you mean --depth?; see `octgen fit --help`\n"},
		{args: []string{"--ignore", "none"}, code: exitUsage, stderr: "octgen: frame: no column \"none\", named as ignored; the columns are \"number\", \"kind\", \"class\"\n"},
		{splits: 1},
	} {
		r, numbers, texts, class := oddTable(int64(id+1), c.args...)
		w.ask(r, numbers, texts, class)
		a, stdout, _ := w.answer()
		if a.ID != r.ID || a.Code != c.code || a.Stderr != c.stderr {
			t.Fatalf("%v: %+v; want code %d and %q", c.args, a, c.code, c.stderr)
		}
		if c.code != exitDone {
			continue
		}
		var result struct {
			Status string
			Train  struct{ Splits float64 }
			Tree   json.RawMessage
		}
		if err := json.Unmarshal([]byte(stdout), &result); err != nil {
			t.Fatal(err)
		}
		if result.Status != "optimal" || result.Train.Splits != c.splits {
			t.Errorf("%v: %s with %v splits, want %v", c.args, result.Status, result.Train.Splits, c.splits)
		}
		tree = result.Tree
	}
	w.ask(workerRequest{ID: 10, Args: []string{"show", "the tree"}, Files: []workerFile{{"the tree", len(tree)}}}, tree)
	if _, stdout, _ := w.answer(); !strings.HasPrefix(stdout, "|--- kind is ") {
		t.Errorf("show prints %q", stdout)
	}
	w.ask(workerRequest{ID: 11, Args: []string{"worker"}})
	if a, _, _ := w.answer(); a.Code != exitUsage || !strings.Contains(a.Stderr, "a worker is asked by a worker") {
		t.Errorf("a worker in a worker: %+v", a)
	}
	if code := w.end(); code != exitDone {
		t.Errorf("exit code %d: %s", code, w.err.String())
	}
}

// hardTable is noise, on which a proof of depth 4 takes long.
func hardTable(id int64) (workerRequest, []any) {
	r := workerRequest{ID: id, Args: []string{"fit", "frame", "--json", "--quiet", "--depth", "4", "--time-limit", "60"}, Table: &workerTable{Name: "frame", Rows: 2000}}
	var bytes []any
	state := uint64(7)
	for j := range 30 {
		r.Table.Columns = append(r.Table.Columns, workerColumn{Name: fmt.Sprint("x", j)})
		column := make([]float64, r.Table.Rows)
		for i := range column {
			state = state*6364136223846793005 + 1442695040888963407
			column[i] = float64(state>>40) / (1 << 24)
		}
		bytes = append(bytes, column)
	}
	class := make([]int32, r.Table.Rows)
	for i := range class {
		state = state*6364136223846793005 + 1442695040888963407
		class[i] = int32(state >> 63)
	}
	r.Table.Columns = append(r.Table.Columns, workerColumn{Name: "class", Texts: []string{"p", "q"}})
	return r, append(bytes, class)
}

// TestWorkerStop: a request is ended early with the tree so far, while others are answered, and the end of the input
// ends what is left.
func TestWorkerStop(t *testing.T) {
	w := newAsked(t)
	long, table := hardTable(1)
	w.ask(long, table...)
	r, numbers, texts, class := oddTable(2)
	w.ask(r, numbers, texts, class)
	if a, _, _ := w.answer(); a.ID != 2 || a.Code != exitDone {
		t.Fatalf("the short request: %+v", a)
	}
	time.Sleep(300 * time.Millisecond)
	w.ask(workerRequest{Stop: 1})
	w.ask(workerRequest{Stop: 17}) // which there is not
	a, stdout, _ := w.answer()
	if a.ID != 1 || a.Code != exitInterrupted || !strings.Contains(stdout, `"limit": "interrupt"`) {
		t.Errorf("the stopped request: %+v %.300s", a, stdout)
	}
	long.ID = 3
	w.ask(long, table...)
	time.Sleep(100 * time.Millisecond)
	began := time.Now()
	go func() { _, _ = io.Copy(io.Discard, w.out) }()
	if code := w.end(); code != exitDone || time.Since(began) > 30*time.Second {
		t.Errorf("exit code %d after %v", code, time.Since(began))
	}
}

// TestWorkerMistakes: what is no request ends the worker with what is wrong.
func TestWorkerMistakes(t *testing.T) {
	for sent, want := range map[string]string{
		"hello\n":                   "the request is no JSON object of the protocol",
		`{"id":1,"argv":["fit"]}`:   "unexpected EOF",
		`{"id":1,"argv":[]}` + "\n": `unknown field "argv"`,
		`{"id":1,"table":{"name":"f","rows":99999999,"columns":[{"name":"a"},{"name":"b"},{"name":"c"},{"name":"d"},{"name":"e"},{"name":"f"}]}}` + "\n": "is too large",
		`{"id":1,"table":{"name":"f","rows":-1,"columns":[]}}` + "\n":                                                                                    "is too large",
		`{"id":1,"table":{"name":"f","rows":2,"columns":[{"name":"a"}]}}` + "\nabc":                                                                      "unexpected EOF",
		`{"id":1,"files":[{"name":"f","bytes":-3}]}` + "\n":                                                                                              `the file "f" has -3 bytes`,
		`{"id":1,"files":[{"name":"f","bytes":300}]}` + "\nabc":                                                                                          "unexpected EOF",
		`{"id":1,"args":["fit","a.csv"],"files":[{"name":"f","bytes":3}]}` + "\nabcdef":                                                                  "unexpected EOF",
	} {
		var out, err bytes.Buffer
		code := run(context.Background(), []string{"worker"}, strings.NewReader(sent), &out, &err)
		if code != exitUsage || !strings.Contains(err.String(), want) {
			t.Errorf("%.60q: exit code %d and %q; want %q", sent, code, err.String(), want)
		}
	}
}

// FuzzWorker: no input makes a worker panic, or take more memory than it has bytes for.
func FuzzWorker(f *testing.F) {
	r, numbers, texts, class := oddTable(1)
	line, _ := json.Marshal(r)
	var after bytes.Buffer
	for _, v := range []any{numbers, texts, class} {
		_ = binary.Write(&after, binary.LittleEndian, v)
	}
	f.Add(append(append(line, '\n'), after.Bytes()...))
	f.Add([]byte(`{"stop":3}` + "\n"))
	f.Fuzz(func(t *testing.T, sent []byte) {
		in := bufio.NewReader(bytes.NewReader(sent))
		line, err := readLine(in)
		if err != nil {
			return
		}
		var r workerRequest
		if json.Unmarshal(line, &r) != nil || r.Table != nil && (r.Table.Rows > 1<<16 || len(r.Table.Columns) > 100) {
			return
		}
		m, err := r.read(in)
		if err != nil || m.frame == nil {
			return
		}
		a := &app{memory: m}
		if ds, err := a.input(m.frame.Name).load((&dataFlags{}).LoadOptions()); err == nil {
			for _, v := range ds.X {
				if math.IsNaN(v) {
					t.Fatal("NaN among the features")
				}
			}
		}
	})
}
