package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// mostTime is what a command may take. What takes longer is recorded as that.
const mostTime = 60 * time.Second

// recorded is what a command came to.
type recorded struct {
	Args   []string          `json:"args"`
	Code   int               `json:"code"`
	Stdout string            `json:"stdout"`
	Stderr string            `json:"stderr"`
	Files  map[string]string `json:"files,omitempty"` // that it wrote
}

// record has a build run the cases, two at a time, each in a folder of its own, and writes
// a record for each.
func record(bin, out, data string, seed uint64, cases, only int) error {
	bin, err := filepath.Abs(bin)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	numbers := make(chan int)
	var group sync.WaitGroup
	var mu sync.Mutex
	var failed error
	for range 2 {
		group.Go(func() {
			for n := range numbers {
				if err := recordCase(bin, filepath.Join(out, fmt.Sprintf("%04d.json", n)), draw(data, seed, n)); err != nil {
					mu.Lock()
					failed = errors.Join(failed, fmt.Errorf("case %d: %w", n, err))
					mu.Unlock()
				}
			}
		})
	}
	for n := range cases {
		if only < 0 || n == only {
			numbers <- n
		}
	}
	close(numbers)
	group.Wait()
	return failed
}

func recordCase(bin, file string, c drawn) error {
	folder, err := os.MkdirTemp("", "recorded")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	known := map[string]bool{}
	for name, text := range c.files {
		known[name] = true
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	var all []recorded
	for _, s := range c.steps {
		r, err := runStep(bin, folder, s)
		if err != nil {
			return err
		}
		if r.Files, err = written(folder, known); err != nil {
			return err
		}
		all = append(all, r)
	}
	text, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

func runStep(bin, folder string, args []string) (recorded, error) {
	ctx, cancel := context.WithTimeout(context.Background(), mostTime)
	defer cancel()
	var out, news bytes.Buffer
	cmd := exec.CommandContext(ctx, bin, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = folder, &out, &news
	cmd.Env = append(os.Environ(), "GOMAXPROCS=2")
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return recorded{}, err
	}
	r := recorded{Args: args, Code: cmd.ProcessState.ExitCode(), Stdout: out.String(), Stderr: news.String()}
	if ctx.Err() != nil {
		r.Code, r.Stdout, r.Stderr = -1, "", "took longer than "+mostTime.String()
	}
	return r, nil
}

// written are the files of the folder that are new.
func written(folder string, known map[string]bool) (map[string]string, error) {
	files := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, e os.DirEntry, err error) error {
		name, _ := filepath.Rel(folder, path)
		if err != nil || e.IsDir() || known[name] {
			return err
		}
		known[name] = true
		text, err := os.ReadFile(path)
		if strings.HasSuffix(name, ".gz") {
			text = nil
		}
		files[name] = string(text)
		return err
	})
	return files, err
}
