package flags

import (
	"fmt"
	"strconv"
	"strings"
)

// Part is a part of a whole, between 0 and 1; 0 is that of a flag that was not
// given.
type Part float64

// UnmarshalText reads a decimal number or a fraction such as 1/3.
func (p *Part) UnmarshalText(text []byte) error {
	over, under, fraction := strings.Cut(string(text), "/")
	v, err := strconv.ParseFloat(over, 64)
	if fraction && err == nil {
		var d float64
		d, err = strconv.ParseFloat(under, 64)
		v /= d
	}
	if err != nil || !(v > 0 && v < 1) {
		return fmt.Errorf("%q; want a number between 0 and 1, such as 0.25 or 1/3", text)
	}
	*p = Part(v)
	return nil
}
