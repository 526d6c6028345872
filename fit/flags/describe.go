package flags

import (
	"reflect"
	"strings"

	"github.com/alecthomas/kong"
)

// Flag describes a flag for people and schemas.
type Flag struct {
	Name    string // without its dashes
	Help    string
	Default string       // as it is written; empty for none
	Enum    []string     // the values that it takes; nil where these are not listed
	Type    reflect.Type // of the field
}

// Describe lists the flags of a struct of flags.
func Describe(of any) []Flag {
	k, err := kong.New(of, kong.Name("octgen"), kong.Vars(Vars()), kong.NoDefaultHelp())
	if err != nil {
		panic(err) // a mistake in the struct's tags
	}
	var all []Flag
	for _, f := range k.Model.Flags {
		d := Flag{Name: f.Name, Help: f.Help, Default: f.Default, Type: f.Target.Type()}
		if f.Enum != "" {
			d.Enum = strings.Split(f.Enum, ",")
		}
		all = append(all, d)
	}
	return all
}
