package main

import (
	"errors"
	"strings"
	"testing"
)

// TestShortened: a message does not repeat a field as long as its file.
func TestShortened(t *testing.T) {
	long := strings.Repeat("z", 1_000_000)
	got := message(errors.New(`data.csv:4:1: column "a": "` + long + `" is not a number; see "b"`))
	want := `data.csv:4:1: column "a": "` + long[:60] + `... (1000000 bytes)" is not a number; see "b"`
	if got != want {
		t.Errorf("%.400s; want %s", got, want)
	}
	if short := `column "a": "12 m" is not a number`; message(errors.New(short)) != short {
		t.Errorf("%s", message(errors.New(short)))
	}
}
