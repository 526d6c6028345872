package report

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/experiments/internal/trial"
	"github.com/octgen/octgen/experiments/run"
)

// TestLostTrees: a report omits damaged or missing trees and names them; retry restores them, and
// nothing else.
func TestLostTrees(t *testing.T) {
	trial.SetMood(trial.Works)
	path, dir := trial.WriteMoody(t, "start: cart"), filepath.Join(t.TempDir(), "out")
	execute(t, path, run.Options{Dir: dir})
	whole := outputs(t, dir)
	r, err := run.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	of := func(method string) []run.Record {
		return slices.DeleteFunc(slices.Clone(r.Records), func(r run.Record) bool { return r.Method != method })
	}
	cart, oct := of("CART"), of("OCT")
	trees := filepath.Join(dir, run.TreesFolder)
	file := func(r run.Record) string { return filepath.Join(trees, r.ID+".json") }
	cut, err := os.ReadFile(file(oct[0]))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		damage func() error
		lost   []run.Record
		says   string
	}{
		{"cut", func() error { return os.WriteFile(file(oct[0]), cut[:len(cut)/2], 0o600) }, oct[:1], "unexpected end of JSON input"},
		{"empty", func() error { return os.WriteFile(file(oct[1]), nil, 0o600) }, oct[1:2], "unexpected end of JSON input"},
		{"gone", func() error { return os.Remove(file(cart[2])) }, cart[2:], "no such file"},
		{"all gone", func() error { return os.RemoveAll(trees) }, append(append([]run.Record(nil), cart...), oct...), "no such file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := c.damage(); err != nil {
				t.Fatal(err)
			}
			s, err := Summarise(dir)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Write(dir); err != nil {
				t.Fatal(err)
			}
			page, all := pageOf(t, s, dir)
			said := s.LostTreesText()
			if n := count(all, "figure", "shown"); n != 6-len(c.lost) || len(s.LostTrees) != len(c.lost) {
				t.Errorf("%d trees; lost: %v", n, s.LostTrees)
			}
			if !strings.Contains(page, `<p class="failed">`+said+".</p>") || !strings.Contains(said, "--retry") || !strings.Contains(said, c.says) {
				t.Errorf("%q is not in the page", said)
			}
			named := 0
			for _, r := range c.lost {
				if strings.Contains(said, r.Data+"/"+r.Method+"/"+r.Split+" (trees/"+r.ID+".json: ") {
					named++
				}
			}
			if named != min(len(c.lost), fewLost) || len(c.lost) > fewLost && !strings.Contains(said, " and 1 more") {
				t.Errorf("%d trees are named in %q", named, said)
			}
			started := 0
			o := run.Options{Dir: dir, Notify: func(e run.Event) {
				if e.Kind == run.Started {
					started++
				}
			}}
			o.Resume = true
			if execute(t, path, o); started != 0 {
				t.Errorf("resumed: %d tasks run", started)
			}
			o.Retry = true
			if got := execute(t, path, o); started != len(c.lost) || *got != (run.Outcome{Total: 6, Done: 6}) {
				t.Errorf("%d tasks run again, %+v", started, got)
			}
			again := outputs(t, dir)
			delete(again, "results") // has a line for each attempt
			want := whole
			delete(want, "results")
			if diff := cmp.Diff(want, again); diff != "" {
				t.Error(diff)
			}
			if s, err := Summarise(dir); err != nil || s.LostTreesText() != "" {
				t.Error(s.LostTrees, err)
			}
		})
	}
}

// TestLostSpec: for a folder without its spec, the error says how to restore it, and --resume does.
func TestLostSpec(t *testing.T) {
	path, dir := trial.WriteSmall(t), filepath.Join(t.TempDir(), "out")
	execute(t, path, run.Options{Dir: dir, Only: regexp.MustCompile("^d/CART")})
	spec := filepath.Join(dir, "spec.yaml")
	want, err := os.ReadFile(spec)
	if err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]func() error{
		"gone": func() error { return os.Remove(spec) },
		"cut":  func() error { return os.WriteFile(spec, want[:len(want)/2], 0o600) },
	} {
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		_, err := Summarise(dir)
		if err == nil || !strings.Contains(err.Error(), spec) && !strings.Contains(err.Error(), dir+" has lost its spec.yaml; restore it with octgen run SPEC --resume --out "+dir+", where SPEC is the original spec") {
			t.Errorf("%s: %v", name, err)
		}
		if name == "gone" && !errors.Is(err, run.ErrFolder) {
			t.Error(err)
		}
		execute(t, path, run.Options{Dir: dir, Resume: true, Only: regexp.MustCompile("^d/CART")})
		if got, err := os.ReadFile(spec); err != nil || string(got) != string(want) {
			t.Errorf("%s: %v, %s", name, err, got)
		}
		if _, err := Summarise(dir); err != nil {
			t.Error(err)
		}
	}
}

// TestDamagedFiles: damage is reported once, in one line.
func TestDamagedFiles(t *testing.T) {
	path, dir := trial.WriteSmall(t), filepath.Join(t.TempDir(), "out")
	execute(t, path, run.Options{Dir: dir, Only: regexp.MustCompile("^d/CART")})
	results, manifest := filepath.Join(dir, run.ResultsFile), filepath.Join(dir, "manifest.json")
	for _, c := range []struct{ file, text, want string }{
		{results, "{\"id\":\n{}\n", results + ":1: the line is not a result (unexpected end of JSON input); remove it and repeat the task with --resume"},
		{results, "{}\n", results + ":1: the line is not a result (no id); remove it"},
		{manifest, "{\"schema_ver", "the folder cannot be used: " + manifest + " is not the manifest of a run: unexpected end of JSON input"},
		{manifest, "{}", "the folder cannot be used: " + manifest + " is not the manifest of a run: it lists no data"},
	} {
		had, err := os.ReadFile(c.file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(c.file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err = Summarise(dir)
		_, again := plan(t, path).Run(t.Context(), run.Options{Dir: dir, Resume: true})
		for _, err := range []error{err, again} {
			if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v\nwant %s", err, c.want)
			}
		}
		if err := os.WriteFile(c.file, had, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReportOfCopy: the reports of a folder and of its copy are identical.
func TestReportOfCopy(t *testing.T) {
	path, dir := trial.WriteSmall(t), filepath.Join(t.TempDir(), "out")
	execute(t, path, run.Options{Dir: dir, Only: regexp.MustCompile("1.1$|gen")})
	page := func(dir string) string {
		s, err := Summarise(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Write(dir); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(dir, HTMLFile))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	want := page(dir)
	other := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(other, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	past := time.Unix(1e9, 0)
	if err := os.Chtimes(filepath.Join(other, run.ResultsFile), past, past); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, page(other)); diff != "" {
		t.Error(diff)
	}
}

// TestOtherTree: an intact tree of another task is recognised by its figures, and restored.
func TestOtherTree(t *testing.T) {
	p := plan(t, trial.WriteSmall(t))
	dir := t.TempDir()
	if _, err := p.Run(t.Context(), run.Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	s, err := Summarise(dir)
	if err != nil {
		t.Fatal(err)
	}
	var one, other *run.Record
	for i := range s.records {
		r := &s.records[i]
		if r.Result == nil || r.Result.Train == nil {
			continue
		}
		if one == nil {
			one = r
		} else if r.Result.Train.Errors != one.Result.Train.Errors {
			other = r
			break
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, run.TreesFolder, other.ID+".json"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, run.TreesFolder, one.ID+".json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err = Summarise(dir); err != nil || len(s.LostTrees) != 1 || s.LostTrees[0].ID != one.ID {
		t.Fatalf("%v, lost %+v; want that of %s", err, s.LostTrees, one.ID)
	}
	if _, err := p.Run(t.Context(), run.Options{Dir: dir, Resume: true, Retry: true}); err != nil {
		t.Fatal(err)
	}
	if s, err = Summarise(dir); err != nil || len(s.LostTrees) != 0 {
		t.Errorf("after a retry: %v, lost %+v", err, s.LostTrees)
	}
}

// TestEditedSpec: a spec that differs from that of the results gives no report.
func TestEditedSpec(t *testing.T) {
	p := plan(t, trial.WriteSmall(t))
	dir := t.TempDir()
	if _, err := p.Run(t.Context(), run.Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "spec.yaml")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(text), "depth: 2", "depth: 3", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Summarise(dir); !errors.Is(err, run.ErrFolder) || !strings.Contains(err.Error(), "is not the spec of the results") {
		t.Errorf("%v; want a refusal", err)
	}
}
