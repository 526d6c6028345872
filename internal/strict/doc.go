// Package strict reads YAML into Go structs and forgives nothing: a key that no
// field has, a key that is there twice, a value of the wrong kind or out of range
// are errors that say the file, the line and column, the path (methods[2].depth),
// and what would be right, with the name that was probably meant.
//
// The same structs serve a command line through their tags, which are those of
// github.com/alecthomas/kong, and the same walk over their types makes a JSON
// Schema. Of a field's tags these count:
//
//	yaml:"key"        the key; without it that of the flag, with _ for -
//	name:"max-splits" the flag; without it the field's name, as kong makes it
//	aliases:"a,b"     older names of the flag
//	default:"2"       the value where the key is not there
//	enum:"a,b"        the texts that the value may be; an empty one is for the default
//	required:""       the key must be there
//	min:"1" max:"9"   the least and the greatest number
//	above:"0" below:"1" numbers that the value stays above and below
//	sep:","           between the values of a list that is written as one text, as on
//	                  the command line; none for no such
//	help:"..."        the description in the schema
//	embed:"" prefix:"p-" a struct whose fields stand for keys of the mapping around it,
//	                  as those of an embedded one do
//
// Help, enum and default may hold ${variables}; ${enum} and ${default} are the
// field's own. Fields with yaml:"-" or kong:"-", and arguments and commands of a
// command line (arg:"", cmd:""), are none of YAML.
//
// A field is a bool, a number, a string, a time.Duration, anything with UnmarshalText,
// a pointer to one of these (nil where the key is not there), a list, a map from
// texts, a struct, or a Node, which is read later. A single value where a list is
// wanted is a list of one. Other types are mistakes in the program and panic.
package strict
