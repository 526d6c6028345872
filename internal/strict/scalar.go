package strict

import (
	"cmp"
	"encoding"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/octgen/octgen/internal/nearest"
)

// scalar sets v to what a text says. An error says what is wrong and what would be
// right.
func (f *field) scalar(text string, v reflect.Value) error {
	if f.enum != nil && !slices.Contains(f.enum, text) {
		return f.notListed(text)
	}
	if u, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return u.UnmarshalText([]byte(text))
	}
	if v.Type() == durationType {
		d, err := Duration(text)
		v.SetInt(int64(d))
		return err
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
		return nil
	case reflect.Bool:
		return setBool(text, v)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return f.setInt(text, v)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return f.setUint(text, v)
	case reflect.Float32, reflect.Float64:
		return f.setFloat(text, v)
	}
	panic(fmt.Sprintf("strict: the field for the key %s has the type %s", f.key, v.Type()))
}

// notListed says which of the listed texts was probably meant.
func (f *field) notListed(text string) error {
	if meant := nearest.Name(text, f.enum); meant != "" {
		return fmt.Errorf("%q; want %s; did you mean %q?", text, oneOf(f.enum), meant)
	}
	return fmt.Errorf("%q; want %s", text, oneOf(f.enum))
}

// oneOf lists texts: a, b or c.
func oneOf(texts []string) string {
	last := len(texts) - 1
	if last == 0 {
		return texts[0]
	}
	return strings.Join(texts[:last], ", ") + " or " + texts[last]
}

// Duration reads a time such as 60s or 1h30m; a plain number is seconds.
func Duration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil {
		if seconds, e := strconv.ParseFloat(text, 64); e == nil && math.Abs(seconds) < math.MaxInt64/1e9 {
			return time.Duration(seconds * float64(time.Second)), nil
		}
		return 0, fmt.Errorf("%q is no time; want one such as 60s, 2m or 90 (seconds)", text)
	}
	return d, nil
}

// setBool takes what YAML 1.1 has for true and false.
func setBool(text string, v reflect.Value) error {
	switch strings.ToLower(text) {
	case "true", "yes", "on":
		v.SetBool(true)
	case "false", "no", "off":
		v.SetBool(false)
	default:
		return fmt.Errorf("%q; want true or false", text)
	}
	return nil
}

func (f *field) setInt(text string, v reflect.Value) error {
	bits := v.Type().Bits()
	low, high := int64(math.MinInt64)>>(64-bits), int64(math.MaxInt64)>>(64-bits)
	x, err := strconv.ParseInt(text, 0, bits)
	if err != nil || x < bound(f.min, low, parseInt) || x > bound(f.max, high, parseInt) {
		return noInteger(text, err, f.min, f.max, fmt.Sprint(low), fmt.Sprint(high))
	}
	v.SetInt(x)
	return nil
}

func (f *field) setUint(text string, v reflect.Value) error {
	bits := v.Type().Bits()
	high := uint64(math.MaxUint64) >> (64 - bits)
	x, err := strconv.ParseUint(text, 0, bits)
	if err != nil || x < bound(f.min, 0, parseUint) || x > bound(f.max, high, parseUint) {
		return noInteger(text, err, cmp.Or(f.min, "0"), f.max, "0", fmt.Sprint(high))
	}
	v.SetUint(x)
	return nil
}

func parseInt(text string) (int64, error)     { return strconv.ParseInt(text, 10, 64) }
func parseUint(text string) (uint64, error)   { return strconv.ParseUint(text, 10, 64) }
func parseFloat(text string) (float64, error) { return strconv.ParseFloat(text, 64) }

// bound is the number in a tag, otherwise where there is none.
func bound[T any](tag string, otherwise T, parse func(string) (T, error)) T {
	if tag == "" {
		return otherwise
	}
	x, err := parse(tag)
	if err != nil {
		panic("strict: a tag bounds a field by " + tag)
	}
	return x
}

// noInteger says which whole numbers are wanted: those from least to most, each "" for
// no such end. To one whose number is beyond those of the type, low to high, these
// are worth naming.
func noInteger(text string, err error, least, most, low, high string) error {
	if errors.Is(err, strconv.ErrRange) {
		least, most = cmp.Or(least, low), cmp.Or(most, high)
	}
	want := "a whole number"
	switch {
	case least != "" && most != "":
		want += fmt.Sprintf(", %s to %s", least, most)
	case least != "":
		want += fmt.Sprintf(", %s or more", least)
	case most != "":
		want += ", at most " + most
	}
	return fmt.Errorf("%q; want %s", text, want)
}

func (f *field) setFloat(text string, v reflect.Value) error {
	x, err := strconv.ParseFloat(text, v.Type().Bits())
	inf := math.Inf(1)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) ||
		x < bound(f.min, -inf, parseFloat) || x > bound(f.max, inf, parseFloat) ||
		x <= bound(f.above, -inf, parseFloat) || x >= bound(f.below, inf, parseFloat) {
		return fmt.Errorf("%q; want %s", text, f.numbers())
	}
	v.SetFloat(x)
	return nil
}

// numbers says which numbers are wanted.
func (f *field) numbers() string {
	switch {
	case f.above != "" && f.below != "":
		return fmt.Sprintf("a number between %s and %s", f.above, f.below)
	case f.min != "" && f.max != "":
		return fmt.Sprintf("a number, %s to %s", f.min, f.max)
	}
	var parts []string
	for _, p := range []struct{ format, bound string }{{"%s or more", f.min}, {"more than %s", f.above}, {"at most %s", f.max}, {"less than %s", f.below}} {
		if p.bound != "" {
			parts = append(parts, fmt.Sprintf(p.format, p.bound))
		}
	}
	if parts == nil {
		return "a finite number"
	}
	return "a number, " + strings.Join(parts, " and ")
}
