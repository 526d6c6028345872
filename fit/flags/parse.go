package flags

import (
	"errors"

	"github.com/alecthomas/kong"
)

// Parse reads flags as the command line has them ("--depth=3") into the fields of
// dst, a pointer to a struct of flags, after their defaults. Parse knows nothing
// but the flags: a method's rules are for Options and Check. Errors wrap
// fit.ErrInput.
func Parse(dst any, args []string) error {
	k, err := kong.New(dst, kong.Name("octgen"), kong.Vars(Vars()), kong.NoDefaultHelp())
	if err != nil {
		return err // a mistake in the struct's tags
	}
	if _, err := k.Parse(args); err != nil {
		var parse *kong.ParseError
		if errors.As(err, &parse) {
			err = errors.New(parse.Error())
		}
		return badInput(err)
	}
	return nil
}

// Names lists the flags of a struct of flags, without their dashes.
func Names(of any) []string {
	k, err := kong.New(of, kong.Name("octgen"), kong.Vars(Vars()), kong.NoDefaultHelp())
	if err != nil {
		panic(err) // a mistake in the struct's tags
	}
	var names []string
	for _, f := range k.Model.Flags {
		names = append(names, f.Name)
	}
	return names
}
