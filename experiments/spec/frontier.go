package spec

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/octgen/octgen/internal/lazy"
	"github.com/octgen/octgen/internal/nearest"
	"github.com/octgen/octgen/internal/strict"
	"github.com/octgen/octgen/tree/constraint"
)

// Frontier is the position of a method in a series of methods that differ in one limit.
type Frontier struct {
	Name       string  // name of the series: that of its methods without the limit
	Constraint string  // limited quantity in the form of constraint.Quantity, such as recall:sick
	Limit      float64 // of this method
}

// Text returns the constraint with its limit, as in results.
func (f *Frontier) Text() string {
	kind, _, _ := kindOf(f.Constraint)
	return f.Constraint + kind.op + limitText(f.Limit)
}

// AtMost reports whether the limit is an upper limit.
func (f *Frontier) AtMost() bool {
	kind, _, _ := kindOf(f.Constraint)
	return kind.op == "<="
}

// frontierKeys are the keys of a frontier.
type frontierKeys struct {
	Constraint string    `required:"" help:"Limited quantity: recall:CLASS, precision:CLASS, share:CLASS, METRIC:COLUMN or METRIC:COLUMN@A,B (METRIC being statistical-parity, equal-opportunity, predictive-equality or equalized-odds), leaf-purity or max-features."`
	Limits     []float64 `required:"" help:"Its limits without repeats; each gives a method, named by it."`
}

// limited is a kind of constraint that has a limit.
type limited struct {
	name  string // before the colon
	key   string // of methods
	op    string // before the limit
	whole bool   // the name is the whole constraint, and the key's value is only the limit
}

// kinds returns the kinds of constraints for frontiers.
func kinds() []limited {
	all := []limited{{"recall", "recall", ">=", false}, {"precision", "precision", ">=", false}, {"share", "share", "<=", false}}
	for _, m := range constraint.Metrics() {
		all = append(all, limited{string(m), "fair", "<=", false})
	}
	return append(all, limited{"leaf-purity", "leaf_purity", ">=", true}, limited{"max-features", "max_features", "<=", true})
}

// kindOf returns the kind of a constraint without its limit, and its argument.
func kindOf(text string) (kind limited, of string, err error) {
	name, of, hasOf := strings.Cut(text, ":")
	name = strings.ReplaceAll(strings.TrimSpace(name), "_", "-")
	var names, forms []string
	for _, k := range kinds() {
		if k.name == name && k.whole != hasOf {
			return k, of, nil
		}
		names, forms = append(names, k.name), append(forms, k.form())
	}
	for _, k := range kinds() {
		if k.name == name {
			return k, "", fmt.Errorf("%q; want %s", text, k.form())
		}
	}
	return limited{}, "", fmt.Errorf("%q is not a constraint with a limit; %s", text, nearest.Hint(name, names, "want one of "+strings.Join(forms, ", ")))
}

// form returns the syntax of such a constraint.
func (k *limited) form() string {
	switch {
	case k.whole:
		return k.name
	case k.key == "fair":
		return k.name + ":COLUMN"
	}
	return k.name + ":CLASS"
}

// ownLimit matches the end of a constraint with a limit.
var ownLimit = lazy.Regexp(`[<>]=\s*[-+.0-9eE]+$`)

// value returns the value of the kind's key for a limit.
func (k *limited) value(of string, limit float64) string {
	if k.whole {
		return limitText(limit)
	}
	if k.key == "fair" {
		of = k.name + ":" + of
	}
	return of + k.op + limitText(limit)
}

// limitText returns a limit as in names of methods and constraints.
func limitText(limit float64) string { return strconv.FormatFloat(limit, 'g', -1, 64) }

// member is a method of a spec: the item itself, or one of the methods of its frontier.
type member struct {
	strict.Node
	frontier *Frontier // nil for none
}

// members returns the methods of an item of the spec: with a key frontier, one for each of its
// limits.
func members(n strict.Node) ([]member, error) {
	at := n.Find("frontier")
	if !at.IsSet() {
		return []member{{n, nil}}, nil
	}
	var f frontierKeys
	keys, err := strict.Decode(at, &f)
	if err != nil {
		return nil, err
	}
	kind, of, quantity, err := quantityOf(keys.At("constraint"), f.Constraint)
	if err != nil {
		return nil, err
	}
	name, err := seriesName(n)
	if err != nil {
		return nil, err
	}
	if set := n.Find(kind.key); kind.whole && set.IsSet() {
		return nil, set.Errorf("the frontier also has limits for it; want either of them")
	}
	var all []member
	seen := make(map[float64]bool, len(f.Limits))
	for i, limit := range f.Limits {
		item := keys.At("limits")
		if item.IsList() {
			item = keys.At(fmt.Sprintf("limits[%d]", i))
		}
		if seen[limit] {
			return nil, item.Errorf("the limit %s appears twice", limitText(limit))
		}
		seen[limit] = true
		if err := checkLimit(kind, of, limit); err != nil {
			return nil, item.Errorf("%w", err)
		}
		one := n.Without("frontier").With("name", item.Single(name+" "+limitText(limit)))
		value := item.Single(kind.value(of, limit))
		if set := n.Find(kind.key); set.IsSet() { // one constraint, or several
			value = set.And(value)
		}
		all = append(all, member{one.With(kind.key, value), &Frontier{name, quantity, limit}})
	}
	return all, nil
}

// quantityOf reads the quantity that a frontier limits.
func quantityOf(at strict.Node, text string) (kind limited, of, quantity string, err error) {
	if end := ownLimit().FindString(text); end != "" {
		return kind, "", "", at.Errorf("%q has a limit; want %q, and the limit among limits", text, strings.TrimSuffix(text, end))
	}
	if kind, of, err = kindOf(text); err != nil {
		return kind, "", "", at.Errorf("%w", err)
	}
	texts, err := parsed(kind, of, 1) // a limit valid for all kinds
	if err != nil {
		return kind, "", "", at.Errorf("%w", err)
	}
	return kind, of, constraint.Quantity(texts[0]), nil
}

// checkLimit returns an error for a limit that the kind does not allow.
func checkLimit(kind limited, of string, limit float64) error {
	switch {
	case kind.key == "max_features" && (limit < 1 || limit != float64(int(limit))):
		return fmt.Errorf("%s; want a whole number, 1 or more", limitText(limit))
	case kind.key == "leaf_purity" && !(limit > 0 && limit <= 1):
		return fmt.Errorf("%s; want a number, more than 0 and at most 1", limitText(limit))
	case kind.whole:
		return nil
	case !(limit >= 0 && limit <= 1):
		return fmt.Errorf("%s; want a number, 0 to 1", limitText(limit))
	}
	_, err := parsed(kind, of, limit)
	return err
}

// parsed returns the constraint with its limit, as in results.
func parsed(kind limited, of string, limit float64) ([]string, error) {
	o := constraint.Options{Rates: constraint.Rates{Positive: "any"}}
	switch text := []string{kind.value(of, limit)}; kind.key {
	case "recall":
		o.Recall = text
	case "precision":
		o.Precision = text
	case "share":
		o.Share = text
	case "fair":
		o.Fair = text
	case "leaf_purity":
		o.LeafPurity = limit
	case "max_features":
		o.MaxFeatures = int(limit)
	}
	s, err := constraint.Parse(o)
	if err != nil {
		var e *constraint.Error
		if errors.As(err, &e) {
			err = e.Err
		}
		return nil, err
	}
	return s.Texts(), nil
}

// seriesName returns the name of a method without its limit.
func seriesName(n strict.Node) (string, error) {
	name := ""
	for _, key := range []string{"name", "method"} {
		if at := n.Find(key); at.IsSet() {
			text, err := at.Text()
			if err != nil {
				return "", err
			}
			name = cmp.Or(name, text)
		}
	}
	return name, nil
}
