// Package problem holds what octgen can fit: the problems, which say which tree is
// best, and the algorithms, which make trees of their own kind. Each is one type
// in one file, pairs that share all but a flag in one, whose fields are its options;
// the file has all that belongs to it:
// flags and spec keys (the tags of the fields), help, the engines that solve it, the
// heuristics that suit it as starts, the building of its program, its search. A
// new method is one new file that registers itself, and its tests.
//
// The tags of a field are those of github.com/alecthomas/kong and of the specs of
// experiments: name (default: the field's name in lower case, with dashes on the
// command line and underscores in a spec), help, placeholder, default, enum, and
// min, max, above and below for the range of a value that is given; and two more: own
// for options that an algorithm has as a method, but as the start of a program from
// the program, and engine for those of one engine only.
//
// Problems are solved by engines: [Search], the exact native search; [MIO], a
// solver of mixed-integer programs; [Heuristic], where neither can be had. Package
// fit runs them.
package problem
