package problem

import (
	"slices"
	"strings"

	"github.com/octgen/octgen/internal/strict"
)

// Choice is a method with the algorithms that may start its program, which have
// options beside it.
type Choice struct {
	Method Method

	start starter
}

// starter is the algorithm of a start, nil where there is none with options.
type starter struct {
	Algorithm
	given bool // an option
}

// Choose returns m with the algorithms whose options the start that is asked for may
// be given: that of the name or, with auto, cart, where it is among those that suit,
// since it has parameters.
func Choose(m Method, start string) *Choice {
	c := &Choice{Method: m}
	switch {
	case start == "auto" && slices.Contains(m.Info().Starts, Start{"cart", true}):
		start = "cart"
	case start == "auto", start == "none":
		return c
	}
	c.start.Algorithm, _ = LookupAlgorithm(start)
	return c
}

// Starters are the algorithms of the start that were given an option.
func (c *Choice) Starters() []Algorithm {
	if !c.start.given {
		return nil
	}
	return []Algorithm{c.start.Algorithm}
}

// ownTag is the tag of options that an algorithm has as a method only: as the start of
// a program it has those of the program.
const ownTag = "own"

// flags are the options of the algorithm as a start.
func (s *starter) flags() []strict.Flag {
	if s.Algorithm == nil {
		return nil
	}
	return slices.DeleteFunc(strict.Flags(s.Algorithm), func(f strict.Flag) bool {
		_, not := f.Struct.Tag.Lookup(ownTag)
		return not
	})
}

// Extra is a pointer to a struct with the options that the start has beside the
// method.
func (c *Choice) Extra() any {
	has := strict.Flags(c.Method)
	return structOf(slices.DeleteFunc(c.start.flags(), func(f strict.Flag) bool { return find(has, f.Name) != nil }))
}

// Take gives the method and its start the option of that flag from a union. An option
// that is out of range, or that neither has, is an *[OptionError].
func (c *Choice) Take(union any, flag string) error {
	if _, err := Take(c.Method, union, flag); err != nil {
		return err
	}
	f := find(strict.Flags(union), flag)
	if f == nil {
		return nil
	}
	has, err := set(c.start.flags(), f.Name, f.Value)
	if c.start.given = c.start.given || has; err != nil {
		return err
	}
	return c.Known(flag)
}

// Known is an *[OptionError] for an option that other methods have, but neither this
// one nor its start; it says whose option it is.
func (c *Choice) Known(flag string) error {
	with := With(flag)
	if with == nil || find(strict.Flags(c.Method), flag) != nil || find(c.start.flags(), flag) != nil {
		return nil
	}
	name := c.Method.Info().Name
	if why := c.why(flag); why != "" {
		return wrong(flag, "is for %s; %s", Listed(with), why)
	}
	if slices.ContainsFunc(with, func(name string) bool { return startHas(name, flag) }) {
		return wrong(flag, "is for %s, neither the method nor the start here", Listed(with))
	}
	return wrong(flag, "is not a parameter of %s, but of %s", name, strings.Join(with, ", "))
}

// Hinter is a method that says why it has not got some options of others.
type Hinter interface {
	Method
	// Hint goes on after "--FLAG is for A and B; METHOD", "" where there is nothing to
	// say.
	Hint(flag string) string
}

// univariate is Hinter.Hint of methods with univariate splits.
var univariate = map[string]string{"mu": "has univariate splits", "margin": "has univariate splits"}

// why says why an option is not one here, "" where that goes without saying.
func (c *Choice) why(flag string) string {
	if h, ok := c.Method.(Hinter); ok {
		if hint := h.Hint(flag); hint != "" {
			return c.Method.Info().Name + " " + hint
		}
	}
	if s := c.start.Algorithm; s != nil && find(strict.Flags(s), flag) != nil {
		return "as a start " + s.Info().Name + " grows trees for " + c.Method.Info().Name
	}
	return ""
}

// startHas reports whether the method of that name makes starts, and has the option
// then.
func startHas(name, flag string) bool {
	a, err := LookupAlgorithm(name)
	return err == nil && slices.Contains(Starters(), name) && find((&starter{Algorithm: a}).flags(), flag) != nil
}

// Validate is that of the method, and of its start where that was given an option.
func (c *Choice) Validate() error {
	if err := c.Method.Validate(); err != nil {
		return err
	}
	for _, a := range c.Starters() {
		if err := a.Validate(); err != nil {
			return err
		}
	}
	return nil
}
